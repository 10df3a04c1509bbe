"""What went wrong, in a form that is the same the next time. Pure.

Knows the shape of error output: which line tells most, what sort of error it is, and its
signature, in which everything that differs from run to run (paths, numbers, names in quotes)
is taken out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tacit.pattern import pattern
from tacit.text import shorten
from tacit.value import Value

LONGEST_READ = 8000  # characters of output, half from its beginning and half from its end
LONGEST_LINE = 1000
MESSAGE_CHARS = 300
SIGNATURE_CHARS = 160

_EXCEPTION = pattern(
    r"^\s*(?:E\s{2,})?(?:Uncaught |Unhandled |Caused by: |Exception in thread \S+ )?(?:\w+\.)*"
    r"(?P<type>[A-Z]\w*(?:Error|Exception|Failure|Fault|Panic))(?: \[\w+\])?(?:: ?(?P<rest>.*)|$)"
)
_ERRNO = (
    "EACCES|EADDRINUSE|EADDRNOTAVAIL|EAGAIN|EAI_AGAIN|EBADENGINE|EBUSY|ECONNABORTED|ECONNREFUSED|ECONNRESET|"
    "EEXIST|EHOSTUNREACH|EINTEGRITY|EINVAL|EISDIR|EJSONPARSE|ELOOP|EMFILE|ENETUNREACH|ENOENT|ENOMEM|ENOSPC|"
    "ENOTDIR|ENOTEMPTY|ENOTFOUND|EPERM|EPIPE|EPROTO|ERESOLVE|EROFS|ETARGET|ETIMEDOUT|EUSAGE|EXDEV"
)
_TEST_OF_GO = pattern(r"^\s*--- FAIL: (?P<rest>\S+)")
# Lines that tell most, best first: the first sort that any line is of wins.
_SORTS = [_EXCEPTION] + [
    pattern(source)
    for source in (
        rf"\b(?P<type>TS\d{{4,5}}|E\d{{4}}|CS\d{{4}}|SA\d{{4}}|ORA-\d+|ERR_\w+|{_ERRNO})\b\]?:?\s*(?P<rest>.*)",
        r"^\s*panic: (?P<rest>.+)",
        r"^thread '.*' panicked at (?P<rest>.+)",
        _TEST_OF_GO.pattern,
        r"^\s*● (?P<rest>\S.*)",
        r"^\s*(?:FAILED|FAIL:?|✗|✖|×)\s+(?P<rest>\S.*)",
        r"^(?P<rest>test \S+ \.\.\. FAILED)",
        r"^(?:\[ERROR\] )?[\w./@~\\-]+\.\w{1,5}(?:(?::\d+){1,2}|:?[(\[]\d+,\d+[)\]]):? ?(?:(?:fatal )?error: )?(?P<rest>\S.{7,})",
        r"^\s+\d+:\d+\s+error\s+(?P<rest>\S.*)",
        r"^\s*! \[(?:remote )?rejected\]\s.*\((?P<rest>[^()]+)\)$",
        r"\b(?:fatal|error|Error|ERROR)\b(?:\[\w+\])?:\s*(?P<rest>\S.*)",
        r"^(?:npm (?:ERR!|error)|\[ERROR\])\s+(?P<rest>\S.*)",
        r"(?i)^(?P<rest>.*(?:\b(?:command not found|no such file|permission denied|not found|timed? ?out|connection refused|cannot|could not|"
        r"not allowed|parse error|no matches found|unknown (?:flag|option|command|argument)|unrecogni[sz]ed|no rule to make|"
        r"flag provided but not defined|outside main module|no go files|failed to|fail|failed|denied|invalid|missing|conflict)\b).*)",
        r"(?i)^(?P<rest>usage: .*)",
    )
]
# The banners of tools: what they run, how far they are, what went well, and that all in all it failed.
_NOISE = pattern(
    r"^\s*(?:[$>+] |--- (?:PASS|SKIP)|Traceback \(most recent|File \"|ERROR task failed|error: process didn't exit|Error: Process completed|"
    r"FAILED \(|✓|✔|hint:|warning:|==> |Auto-merging |Rebasing \(|\* branch |The command is terminated|"
    r"\[[\w:.-]+\] (?:\$ |(?:ERROR )?task failed)|=== \w+|PASS\b|ok\s+\S+|\?\s+\S+\s+\[no test|#\s+[\w./-]+(?: \[.*\])?$|"
    r"\S+:1: : # |\S+ could not import \S+ \(-: #|Exit code \d+|exit status \d+|"
    r"make(?:\[\d+\])?: \*\*\* \[|npm (?:ERR!|error)\s*(?:code|errno|path|syscall|command|cwd|A complete log|Lifecycle|Test failed|$)|"
    r"FAIL\s*$|FAIL\s+\S+\s+(?:\[(?:build|setup) failed\]|[\d.]+s|\(cached\))|"
    r"(?:\d{4}[-/]\d\d[-/]\d\d[T ]\S+\s+)?\[?(?:INFO|DEBUG|TRACE|WARN|WARNING)\b|.*\s(?:INFO|DEBUG|TRACE)\s|"
    r"From \S+$|To \S+$|package \S+$|\d+ issues?:|\* [\w-]+: \d+$)"
)
_TAGS = pattern(r"</?tool_use_error>|\x1b\[[0-9;]*[A-Za-z]")
_SHELL = pattern(r"^(?:\(eval\)|-?(?:ba|z|da)?sh|/bin/\w+)(?::(?:\w+:)?(?: line)? ?\d+)*: ")
_PYTEST = pattern(r"^E\s+(?=\S)")  # how pytest marks the lines of an error
_DETAIL = pattern(r"^\s+\S+\.go:\d+: (?P<rest>.+)")
_AMISS = pattern(
    r"(?i)\b(?:expected|want(?:ed)?|got|error|fail\w*|should|unexpected|incorrect\w*|mismatch|not|missing)\b"
)
# Taken out of a signature, in this order, and what stands in its place.
_VARYING = [
    (pattern(source), instead)
    for source, instead in (
        (r"\bhttps?://\S+", "…"),
        (r"\b\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?", "0"),
        (r"(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "#"),
        (r"(?i)\b0x[0-9a-f]+|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b", "#"),
        (r"(?<![\w/\\.])(?:~|[A-Za-z]:|\.{1,2}|[\w.@+-]+)?(?:[\\/][\w.@+-]+)*[\\/]([\w.@+-]+)", r"\1"),
        (r":\d+(?::\d+)?\b", ""),
        (r"\bv?\d+(?:\.\d+)+\w*|\b\d+(?:ms|ns|s|m|h)(?:\d+(?:ms|s|m))*\b", "0"),
        # Within a word a number is part of a name: G104, int64, utf8.
        (r"(?<![\w.])(?<!HTTP )(?<!status )\d+\b", "0"),
        (r"\"[^\"]{0,200}\"|'[^']{0,200}'|`[^`']{0,200}[`']|“[^”]{0,200}”", "…"),
    )
]  # fmt: skip
# A tool, a network, a right or a folder was missing: that says nothing of the work.
_ENVIRONMENT = pattern(
    r"(?i)command not found|not recognized as|(?:sh|eval\)|\d): \S+: not found|No module named|Cannot find (?:module|package) '[^./]|ModuleNotFoundError|"
    r"timed? ?out|ETIMEDOUT|ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|name resolution|resolve host|Network is unreachable|"
    r"getaddrinfo|Connection (?:refused|reset|error)|ConnectionError|certificate verify|Max retries exceeded|permission denied|EACCES|EPERM|"
    r"operation not permitted|No space left|ENOSPC|out of memory|Cannot connect to the Docker|Unable to locate package|"
    r"externally-managed|Could not find a version|address already in use|EADDRINUSE|cannot execute|not a git repository|no go files|"
    r"outside main module|directory not found|can't open file|can't cd|(?:cd|eval\)):.*no such file|ENOENT.*package\.json|"
    r"no such file or directory: \S+/|illegal option|stat \S+: no such file|missing dependenc"
)


class Problem(Value):
    """An error as it was printed: its sort, the line that tells most, and its signature."""

    type: str
    message: str
    signature: str
    clear: bool = True  # the line is known to tell of an error, not merely the first one

    @property
    def of_machine(self) -> bool:
        """Whether a tool, a network, a right or a folder was missing."""
        return bool(_ENVIRONMENT.search(self.message))


def read_problem(output: str) -> Problem | None:
    """Find the telling line of a tool's error output; None when it says nothing."""
    told = _told(output)
    for sort in _SORTS:
        # The exception that ended a Python run is printed last, a compiler's first error first.
        places = range(len(told))
        for place in reversed(places) if sort is _EXCEPTION else places:
            if match := sort.search(told[place]):
                named = match.groupdict("")
                return _problem(told, place, named.get("type", ""), named["rest"])
    return _problem(told, 0, "", told[0]).replace(clear=False) if told else None


def signature(type_: str, message: str) -> str:
    """Give what stays the same when the same error is met elsewhere."""
    text = message[:LONGEST_LINE]
    for varying, instead in _VARYING:
        text = varying.sub(instead, text)
    text = " ".join(text.split())
    return shorten(f"{type_}: {text}" if type_ and text else type_ or text, SIGNATURE_CHARS).lower()


def _told(output: str) -> list[str]:
    """Give the lines of an output that may tell something."""
    if len(output) > LONGEST_READ:
        output = output[: LONGEST_READ // 2] + "\n" + output[-LONGEST_READ // 2 :]
    lines = (line.rstrip()[:LONGEST_LINE] for line in _TAGS.sub("", output).splitlines())
    return [line for line in lines if line.strip() and not _NOISE.match(line)]


def _problem(told: Sequence[str], place: int, type_: str, rest: str) -> Problem:
    """Give a telling line as a problem, with the next line where it goes on there."""
    line = told[place]
    if _TEST_OF_GO.match(line):
        line, rest = _go_test(told, place)
    elif rest.endswith(":") and place + 1 < len(told):
        following = told[place + 1].strip()
        line, rest = f"{line} {following}", f"{rest} {following}"
    message = shorten(_PYTEST.sub("", line), MESSAGE_CHARS)
    said = _SHELL.sub("", rest).strip() or ("" if type_ else message)
    return Problem(type=type_, message=message, signature=signature(type_, said))


def _go_test(told: Sequence[str], place: int) -> tuple[str, str]:
    """Give the innermost test that failed, and what it said was amiss: after its name, or before."""
    while place + 1 < len(told) and _TEST_OF_GO.match(told[place + 1]):
        place += 1
    name = told[place].split()[2]
    said = _details(told[place + 1 :]) or _details(told[:place][::-1])[::-1]
    amiss = [one for one in said if _AMISS.search(one)] or said
    line = f"--- FAIL: {name}" + (f": {amiss[-1]}" if amiss else "")
    return line, name.replace("/", " ")  # a part of a test is no path


def _details(lines: Iterable[str]) -> list[str]:
    """Give what a test printed with its place, up to the first line that is not its own."""
    found = []
    for line in lines:
        if not line[:1].isspace() or _TEST_OF_GO.match(line):
            break
        if match := _DETAIL.match(line):
            found.append(match["rest"])
    return found
