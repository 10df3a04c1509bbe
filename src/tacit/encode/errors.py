"""What went wrong, in a form that is the same the next time it goes wrong.

Knows the shape of error output: which line tells most, what sort of error it is, and its
signature, in which everything that differs from run to run (paths, numbers, names in quotes)
is taken out. Pure.
"""

from __future__ import annotations

from tacit.pattern import pattern
from tacit.text import shorten
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

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
_SORTS = (
    _EXCEPTION,
    pattern(
        rf"\b(?P<type>TS\d{{4,5}}|E\d{{4}}|CS\d{{4}}|SA\d{{4}}|ORA-\d+|ERR_\w+|{_ERRNO})\b\]?:?\s*(?P<rest>.*)"
    ),
    pattern(r"^\s*panic: (?P<rest>.+)"),
    pattern(r"^thread '.*' panicked at (?P<rest>.+)"),
    _TEST_OF_GO,
    pattern(r"^\s*● (?P<rest>\S.*)"),
    pattern(r"^\s*(?:FAILED|FAIL:?|✗|✖|×)\s+(?P<rest>\S.*)"),
    pattern(r"^(?P<rest>test \S+ \.\.\. FAILED)"),
    pattern(
        r"^(?:\[ERROR\] )?[\w./@~\\-]+\.\w{1,5}(?:(?::\d+){1,2}|:?[(\[]\d+,\d+[)\]]):? ?(?:(?:fatal )?error: )?(?P<rest>\S.{7,})"
    ),
    pattern(r"^\s+\d+:\d+\s+error\s+(?P<rest>\S.*)"),
    pattern(r"^\s*! \[(?:remote )?rejected\]\s.*\((?P<rest>[^()]+)\)$"),
    pattern(r"\b(?:fatal|error|Error|ERROR)\b(?:\[\w+\])?:\s*(?P<rest>\S.*)"),
    pattern(r"^(?:npm (?:ERR!|error)|\[ERROR\])\s+(?P<rest>\S.*)"),
    pattern(
        r"(?i)^(?P<rest>.*(?:\b(?:command not found|no such file|permission denied|not found|timed? ?out|connection refused|cannot|could not|"
        r"not allowed|parse error|no matches found|unknown (?:flag|option|command|argument)|unrecogni[sz]ed|no rule to make|"
        r"flag provided but not defined|outside main module|no go files|failed to|fail|failed|denied|invalid|missing|conflict)\b).*)",
    ),
    pattern(r"(?i)^(?P<rest>usage: .*)"),
)
# The banners of tools: what they run, how far they are, what went well, and that all in all it failed.
_BANNERS = (
    "$ ", "> ", "+ ", "--- PASS", "--- SKIP", "Traceback (most recent", 'File "', "ERROR task failed", "error: process didn't exit",
    "Error: Process completed", "FAILED (", "✓", "✔", "hint:", "warning:", "==> ", "Auto-merging ", "Rebasing (", "* branch ",
    "The command is terminated",
)  # fmt: skip
# What a line must begin with or hold to be one of the others; few lines do.
_BEGINS = tuple(
    "[ === PASS ok ? # Exit exit make npm FAIL INFO DEBUG TRACE WARN From To package * 0 1 2 3 4 5 6 7 8 9".split()
)
_HOLDS = (":1: : # ", " could not import ", "INFO", "DEBUG", "TRACE", " issue")
_NOISE = pattern(
    r"^\s*(?:\[[\w:.-]+\] \$ |=== \w+|PASS\b|ok\s+\S+|\?\s+\S+\s+\[no test|#\s+[\w./-]+(?: \[.*\])?$|"
    r"\S+:1: : # |\S+ could not import \S+ \(-: #|Exit code \d+|exit status \d+|"
    r"make(?:\[\d+\])?: \*\*\* \[|npm (?:ERR!|error)\s*(?:code|errno|path|syscall|command|cwd|A complete log|Lifecycle|Test failed|$)|"
    r"\[\w+\] (?:ERROR )?task failed|\[[\w:.-]+\] ERROR task failed|"
    r"FAIL\s*$|FAIL\s+\S+\s+(?:\[(?:build|setup) failed\]|[\d.]+s|\(cached\))|"
    r"(?:\d{4}[-/]\d\d[-/]\d\d[T ]\S+\s+)?\[?(?:INFO|DEBUG|TRACE|WARN|WARNING)\b|.*\s(?:INFO|DEBUG|TRACE)\s|"
    r"From \S+$|To \S+$|package \S+$|\d+ issues?:|\* [\w-]+: \d+$)",
)
_TAGS = pattern(r"</?tool_use_error>|\x1b\[[0-9;]*[A-Za-z]")
_SHELL = pattern(r"^(?:\(eval\)|-?(?:ba|z|da)?sh|/bin/\w+)(?::(?:\w+:)?(?: line)? ?\d+)*: ")
_DETAIL = pattern(r"^\s+\S+\.go:\d+: (?P<rest>.+)")
_AMISS = pattern(
    r"(?i)\b(?:expected|want(?:ed)?|got|error|fail\w*|should|unexpected|incorrect\w*|mismatch|not|missing)\b"
)  # fmt: skip

# Taken out of a signature, in this order: what one of these must hold, how it looks, and what
# stands in its place. A digit is meant by the first of them.
_DIGIT = "0123456789"
_VARYING = (
    ("/", pattern(r"\bhttps?://\S+"), "…"),
    (_DIGIT, pattern(r"\b\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?"), "0"),
    ("-", pattern(r"(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "#"),
    (_DIGIT, pattern(r"(?i)\b0x[0-9a-f]+|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b"), "#"),
    (
        "/\\",
        pattern(
            r"(?<![\w/\\.])(?:~|[A-Za-z]:|\.{1,2}|[\w.@+-]+)?(?:[\\/][\w.@+-]+)*[\\/]([\w.@+-]+)"
        ),
        r"\1",
    ),
    (_DIGIT, pattern(r":\d+(?::\d+)?\b"), ""),
    (_DIGIT, pattern(r"\bv?\d+(?:\.\d+)+\w*|\b\d+(?:ms|ns|s|m|h)(?:\d+(?:ms|s|m))*\b"), "0"),
    # Within a word a number is part of a name: G104, int64, utf8.
    (_DIGIT, pattern(r"(?<![\w.])(?<!HTTP )(?<!status )\d+\b"), "0"),
    ("\"'`“", pattern(r"\"[^\"]{0,200}\"|'[^']{0,200}'|`[^`']{0,200}[`']|“[^”]{0,200}”"), "…"),
)


class Problem(Value):
    """An error as it was printed: its sort, the line that tells most, and its signature."""

    type: str
    message: str
    signature: str
    clear: bool = True  # the line is known to tell of an error, not merely the first one


def read_problem(output: str) -> Problem | None:
    """Find the telling line of a tool's error output; None when it says nothing."""
    told = _told(output)
    for sort in _SORTS:
        # The exception that ended a Python run is printed last, a compiler's first error first.
        places: Iterable[int] = range(len(told))
        for place in reversed(range(len(told))) if sort is _EXCEPTION else places:
            if match := sort.search(told[place]):
                type_ = match.groupdict().get("type") or ""
                return _problem(type_, *_whole(told, place, match["rest"] or "", sort))
    if not told:
        return None
    line, rest = _whole(told, 0, told[0], None)
    return _problem("", line, rest).replace(clear=False)


def signature(type_: str, message: str) -> str:
    """Give what stays the same when the same error is met elsewhere."""
    text = message[:LONGEST_LINE]
    for signs, varying, instead in _VARYING:
        if not text.isascii() or any(
            sign in text for sign in signs
        ):  # other scripts have digits too
            text = varying.sub(instead, text)
    text = " ".join(text.split())
    return shorten(f"{type_}: {text}" if type_ and text else type_ or text, SIGNATURE_CHARS).lower()


def _told(output: str) -> list[str]:
    """Give the lines of an output that may tell something."""
    if len(output) > LONGEST_READ:
        output = output[: LONGEST_READ // 2] + "\n" + output[-LONGEST_READ // 2 :]
    if "tool_use_error>" in output or "\x1b" in output:
        output = _TAGS.sub("", output)
    lines = [line.rstrip()[:LONGEST_LINE] for line in output.splitlines()]
    return [line for line in lines if line.strip() and not _is_banner(line)]


def _is_banner(line: str) -> bool:
    begins = line.lstrip()
    if begins.startswith(_BANNERS):
        return True
    other = begins.startswith(_BEGINS) or any(part in line for part in _HOLDS) or not line.isascii()
    return other and bool(_NOISE.match(line))


def _whole(told: list[str], place: int, rest: str, sort: re.Pattern[str] | None) -> tuple[str, str]:
    """Give a telling line and its rest, with the next line where it goes on there."""
    line = told[place]
    if sort is _TEST_OF_GO:
        return _go_test(told, place)
    if rest.endswith(":") and place + 1 < len(told):
        following = told[place + 1].strip()
        return f"{line} {following}", f"{rest} {following}"
    return line, _SHELL.sub(
        "", rest
    ) if "sh" in rest or "(eval)" in rest or "/bin/" in rest else rest


def _go_test(told: list[str], place: int) -> tuple[str, str]:
    """Give the innermost test that failed, and what it said was amiss: after its name, or before."""
    while place + 1 < len(told) and _TEST_OF_GO.match(told[place + 1]):
        place += 1
    match = _TEST_OF_GO.match(told[place])
    name = match["rest"] if match else ""
    after = _details(told[place + 1 :])
    said = after or _details(told[:place][::-1])[::-1]
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


_PYTEST = pattern(r"^E\s+(?=\S)")  # how pytest marks the lines of an error


def _problem(type_: str, line: str, rest: str) -> Problem:
    message = shorten(_PYTEST.sub("", line) if line.startswith("E") else line, MESSAGE_CHARS)
    return Problem(
        type=type_, message=message, signature=signature(type_, rest.strip() or ("" if type_ else message))
    )  # fmt: skip
