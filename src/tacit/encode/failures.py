"""What went wrong, in a form that is the same the next time, and what made it go away. Pure.

Knows the shape of error output: which line tells most, what sort of error it is, and its
signature, in which everything that differs from run to run (paths, numbers, names in quotes)
is taken out. A fix counts only as far as it was seen: the same command must have passed after
the change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tacit.observation import Tool, What
from tacit.pattern import pattern
from tacit.text import shorten
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.encode.commands import Command
    from tacit.encode.tasks import Done, Task
    from tacit.observation import Event

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


# What keeps a proof from running says nothing of the work.
_ENVIRONMENT = pattern(
    r"(?i)command not found|not recognized as|(?:sh|eval\)|\d): \S+: not found|No module named|Cannot find (?:module|package) '[^./]|ModuleNotFoundError|"
    r"timed? ?out|ETIMEDOUT|ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|name resolution|resolve host|Network is unreachable|"
    r"getaddrinfo|Connection (?:refused|reset|error)|ConnectionError|certificate verify|Max retries exceeded|permission denied|EACCES|EPERM|"
    r"operation not permitted|No space left|ENOSPC|out of memory|Cannot connect to the Docker|Unable to locate package|"
    r"externally-managed|Could not find a version|address already in use|EADDRINUSE|cannot execute|not a git repository|no go files|"
    r"outside main module|directory not found|can't open file|can't cd|(?:cd|eval\)):.*no such file|ENOENT.*package\.json|"
    r"no such file or directory: \S+/|illegal option|stat \S+: no such file|missing dependenc"
)


def is_environment(problem: str) -> bool:
    """Tell whether an error is of the machine: a tool, a network, a right or a folder was missing."""
    return bool(_ENVIRONMENT.search(problem))


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


MOST_EDITS = 3  # shown of one fix; more is a rewrite, told by its files
CHANGED_CHARS = 160
LINE_CHARS = 160
# Met by everybody who is in the middle of writing; nobody needs to be reminded.
_SLIPS = re.compile(
    r"declared and not used|imported and not used|unused (?:variable|import|parameter)|undefined: |undefined name|"
    r"SyntaxError|IndentationError|missing return|expected ['\"`;{(]|expected declaration|is defined but never used|"
    r"is not defined|not enough arguments in call|too many arguments in call|redeclared in this block|"
    r"no new variables on left side|has no field or method|Cannot find name|TS6133",
)
# A target or script of the project that is not there: another one may take its place.
_MISSING = re.compile(
    r"no rule to make|missing script|no such (?:command|task|script)|no task named", re.I
)
# What sets the whole project up; one package more is what this machine lacked.
_SETS_UP = re.compile(
    r"^(?:\S+=\S+ )*(?:(?:npm|pnpm|yarn|bun)(?: ci| i| install)?(?: -\S+)*|pip3? install (?:-\S+ )*(?:-[er] ?\S+ ?|\.\S*)+|"
    r"(?:python[\d.]* -m )pip install (?:-\S+ )*(?:-[er] ?\S+ ?|\.\S*)+|uv sync.*|uv pip install (?:-\S+ )*(?:-[er] ?\S+ ?)+|"
    r"poetry install.*|pdm (?:sync|install).*|bundle(?: install)?|composer install|cargo fetch|go mod (?:tidy|download)|mise install|dotnet restore|"
    r"(?:make|just|task|rake|mix|mise run|npm run|pnpm|yarn) [\w:.-]+|\./[\w./-]+.*)$"
)
# Commands that make others work, when they ran between a failure and the success.
_MANIFEST = re.compile(
    r"(?:^|/)(?:requirements[\w.-]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|package\.json|go\.mod|Cargo\.toml|Gemfile|"
    r"composer\.json|pom\.xml|build\.gradle(?:\.kts)?|Pipfile|environment\.ya?ml|Dockerfile|\.github/workflows/[^/]+)$"
)
_PREPARES = ("migrate", "build", "format")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`")


class Fixed(Value):
    """An error met in a task, and what resolved it as far as that was seen."""

    problem: Problem
    command: str  # what failed
    cause: str = ""  # in the agent's words
    resolution: str = ""
    files: tuple[str, ...] = ()  # changed by the fix
    event_id: str = ""
    words: str = ""  # all that was seen of it, as evidence
    slip: bool = False
    telling: bool = False  # the resolution says how, not only where


def find_fixes(task: Task) -> tuple[Fixed, ...]:
    """Give the errors of a task in order, each once, with their fixes where seen.

    A failure of the machine is none, unless setting up the project mends it; and of a script
    that was made for trying it is known only that it failed.
    """
    found: dict[tuple[str, ...], Fixed] = {}
    for index, done in enumerate(task.done):
        problem = (
            read_problem(done.output) if done.failed and done.call.tool is Tool.SHELL else None
        )
        if problem is None or not problem.signature:
            continue
        # Within one task two missing modules are two errors, though their signature is one.
        same = (problem.signature, *_QUOTED.findall(problem.message))
        fixed = _resolved(task, index, done, problem)
        if is_environment(problem.message) and not fixed.resolution:
            continue
        known = found.get(same)
        if known is None or (fixed.resolution and not known.resolution):
            found[same] = fixed
    return tuple(found.values())


def _resolved(task: Task, index: int, failed: Done, problem: Problem) -> Fixed:
    shown = shorten(line_of(failed), LINE_CHARS)
    fixed = Fixed(
        problem=problem,
        command=shown,
        event_id=failed.call.id,
        slip=bool(_SLIPS.search(problem.message)),
        words=f"{shown}\n{problem.message}",
    )
    place = _passing(task.done[index + 1 :], failed, problem)
    if place is None or task.is_trial(failed.call.target):
        return fixed
    between, passed = task.done[index + 1 : index + 1 + place], task.done[index + 1 + place]
    edits = _edits(task, between)
    if is_environment(problem.message):  # what the project had not named was its own fault
        edits = [done for done in edits if _MANIFEST.search(done.call.target)]
    cause, files = "", tuple(dict.fromkeys(d.call.target for d in edits))
    if edits and _proves(failed, passed):
        cause = _explained(task.order, failed.call.id, edits[0].call.id)
        resolution = _changes(edits, files)
        how = bool(cause) or any(changed(d.call.before, d.call.after) for d in edits[:MOST_EDITS])
    else:
        edits, files = [], ()
        resolution, how = _otherwise(failed, between, passed, problem), True
    if not resolution:
        return fixed
    seen = [line_of(failed), failed.output, cause, resolution, line_of(passed)]
    seen += [f"{d.call.target} {d.call.before} {d.call.after}" for d in edits]
    return fixed.replace(
        cause=cause,
        resolution=resolution,
        files=files,
        words="\n".join(seen),
        telling=how and problem.clear,
    )


def _edits(task: Task, between: Sequence[Done]) -> list[Done]:
    """Give the changes of the product among some steps."""
    return [
        done
        for done in between
        if done.call.tool in (Tool.EDIT, Tool.WRITE)
        and not done.failed
        and task.is_product(done.call.target)
    ]


def _passing(later: Sequence[Done], failed: Done, problem: Problem) -> int | None:
    """Find where the same command, or one that takes its place, passed."""
    telling = [command for command in failed.commands if command.purpose] or failed.commands
    purposes = {command.purpose for command in telling if command.purpose}
    replaceable = bool(_MISSING.search(problem.message))
    for place, done in enumerate(later):
        if done.failed or done.result is None:
            continue
        if any(_same(one, other) for one in telling for other in done.commands):
            return place
        if replaceable and any(command.purpose in purposes for command in done.commands):
            return place
    return None


def _same(one: Command, other: Command) -> bool:
    """Tell whether two commands are runs of one, and not on quite different things."""
    on, also_on = (
        {w.strip("\"'") for w in c.line.split() if not w.startswith("-")} - set(c.stem.split())
        for c in (one, other)
    )
    return one.stem == other.stem and (not on or not also_on or bool(on & also_on))


def _proves(failed: Done, passed: Done) -> bool:
    """Tell whether edits can have made it pass: tests and builds read files, others ask the world."""
    lines = {command.line for command in failed.commands}
    return any(command.purpose for command in failed.commands) or any(
        command.line in lines for command in passed.commands
    )


def _otherwise(failed: Done, between: Sequence[Done], passed: Done, problem: Problem) -> str:
    """Tell what made it pass when no file was changed; empty when nothing is seen to have."""
    lines = {command.line for command in failed.commands}
    again = any(command.line in lines for command in passed.commands)
    prepared = _prepared(failed, between, passed)
    if again and prepared:
        steps = " && ".join(f"`{line}`" for line in dict.fromkeys(prepared))
        return f"{shorten(steps, LINE_CHARS)}, then `{shorten(line_of(failed), LINE_CHARS)}` works"
    if not _MISSING.search(problem.message):
        return ""
    purposes = {command.purpose for command in failed.commands if command.purpose}
    instead = [c.line for c in passed.commands if c.purpose in purposes and c.line not in lines]
    return f"`{shorten(instead[0], LINE_CHARS)}` works" if instead else ""


def _prepared(failed: Done, between: Sequence[Done], passed: Done) -> list[str]:
    """Give the commands that ran meanwhile and make others work."""
    stems = {command.stem for command in failed.commands}
    purposes = {command.purpose for command in failed.commands if command.purpose}
    return [
        command.line
        for done in (*between, passed)
        if not done.failed and done.result is not None
        for command in done.commands
        if (
            command.purpose in _PREPARES
            or (command.purpose == "install" and _SETS_UP.match(command.line))
        )
        and command.stem not in stems
        and command.purpose not in purposes
    ]


def line_of(done: Done) -> str:
    """Give what was done in one line: commands, or tool and target."""
    if done.commands:
        return " && ".join(command.line for command in done.commands)
    return f"{done.call.name or done.call.tool or ''} {done.call.target}".strip()


def _changes(edits: Sequence[Done], files: tuple[str, ...]) -> str:
    parts = []
    for edit in edits[:MOST_EDITS]:
        change = changed(edit.call.before, edit.call.after)
        parts.append(f"in {edit.call.target}: {change}" if change else f"in {edit.call.target}")
    more = len(files) - len({d.call.target for d in edits[:MOST_EDITS]})
    return "changed " + "; ".join(dict.fromkeys(parts)) + (f" and {more} more" if more > 0 else "")


def changed(before: str, after: str) -> str:
    """Give the first lines that differ, as `old` → `new`; empty when they are long or unknown."""
    old = [line.strip() for line in before.splitlines() if line.strip()]
    new = [line.strip() for line in after.splitlines() if line.strip()]
    gone = [line for line in old if line not in new]
    come = [line for line in new if line not in old]
    if not gone and not come:
        return ""
    one, two = " ".join(gone), " ".join(come)
    if len(one) > CHANGED_CHARS or len(two) > CHANGED_CHARS:
        return ""
    return f"`{one}` → `{two}`" if one and two else f"added `{two}`" if two else f"removed `{one}`"


def _explained(order: Sequence[Event], failed_id: str, edit_id: str) -> str:
    """Give the reason the agent gave between the failure and its first edit."""
    from tacit.encode.replies import reason_in

    ids = [event.id for event in order]
    if failed_id not in ids or edit_id not in ids:
        return ""
    between = order[ids.index(failed_id) : ids.index(edit_id)]
    return reason_in("\n".join(e.text for e in between if e.what is What.REPLY))
