"""What went wrong, in a form that is the same the next time it goes wrong.

Knows the shape of error output: which line tells most, what sort of error it is, and its
signature, in which everything that differs from run to run (paths, numbers, names in quotes)
is taken out. Pure.
"""

from __future__ import annotations

import re

from tacit.text import shorten
from tacit.value import Value

LONGEST_READ = 8000  # characters of output; the reader has kept its beginning and end
MESSAGE_CHARS = 300

# Lines that tell most, best first. The first sort that matches a line wins.
_SORTS = (
    re.compile(
        r"^\s*(?:\w+\.)*(?P<type>[A-Z]\w*(?:Error|Exception|Failure|Fault|Panic))\b:? ?(?P<rest>.*)"
    ),
    re.compile(
        r"\b(?P<type>TS\d{4,5}|E\d{4}|CS\d{4}|SA\d{4}|ORA-\d+|ERR_\w+|E[A-Z]{4,})\b:?\s*(?P<rest>.*)"
    ),
    re.compile(r"^\s*panic: (?P<rest>.+)"),
    re.compile(r"^\s*--- FAIL: (?P<rest>\S+)"),
    re.compile(r"^(?:FAILED|FAIL:?|✗|✖|×)\s+(?P<rest>\S.*)"),
    re.compile(r"^\S+?:\d+(?::\d+)?:? (?:fatal )?(?:error:? )?(?P<rest>[a-z].{8,})"),
    re.compile(r"\b(?:fatal|error|Error|ERROR)\b(?:\[\w+\])?:\s*(?P<rest>\S.*)"),
    re.compile(
        r"(?P<rest>\b(?:command not found|No such file or directory|permission denied|Permission denied|not found|timed? ?out|connection refused|cannot |could not |CONFLICT )\b.*)"
    ),
)
_NOISE = re.compile(
    r"^\s*(?:\[[\w:.-]+\] \$ |\$ |> |\+ |=== RUN|=== PAUSE|=== CONT|ok\s+\S+|\?\s+\S+\s+\[no test|#\s+[\w./-]+$|Exit code \d+|Traceback \(most recent|exit status \d+|make(?:\[\d+\])?: \*\*\*|npm ERR! (?:code|errno|A complete log)|"
    r"ERROR task failed|\[\w+\] (?:ERROR )?task failed|error: process didn't exit|Error: Process completed|FAIL\s*$|FAILED \()",
)
_TAGS = re.compile(r"</?tool_use_error>")

# Taken out of a signature, in this order.
_VARYING = (
    (re.compile(r"\x1b\[[0-9;]*m"), ""),
    (re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{7,64}\b", re.I), "#"),
    (re.compile(r"(?:~|[A-Za-z]:)?(?:[\\/][\w.@+ -]+?)+[\\/]([\w.@+-]+)"), r"\1"),
    (re.compile(r"\b(?:[\w.@-]+/)+([\w.@-]+)"), r"\1"),
    (re.compile(r":\d+(?::\d+)?\b"), ""),
    (re.compile(r"\d+(?:\.\d+)*"), "0"),
    (re.compile(r"\"[^\"]{0,200}\"|'[^']{0,200}'|`[^`]{0,200}`|“[^”]{0,200}”"), "…"),
    (re.compile(r"\s+"), " "),
)


class Problem(Value):
    """An error as it was printed: its sort, the line that tells most, and its signature."""

    type: str
    message: str
    signature: str


def read_problem(output: str) -> Problem | None:
    """Find the telling line of a tool's error output; None when it says nothing."""
    lines = [line.rstrip() for line in _TAGS.sub("", output[:LONGEST_READ]).splitlines()]
    told = [line for line in lines if line.strip() and not _NOISE.match(line)]
    for sort in _SORTS:
        # The exception that ended a Python run is printed last, a compiler's first error first.
        for line in reversed(told) if sort is _SORTS[0] else told:
            if match := sort.search(line):
                return _problem(match.groupdict().get("type") or "", line, match["rest"])
    return _problem("", told[0], told[0]) if told else None


def signature(type_: str, message: str) -> str:
    """Give what stays the same when the same error is met elsewhere."""
    text = message
    for pattern, instead in _VARYING:
        text = pattern.sub(instead, text)
    return shorten(f"{type_}: {text.strip()}" if type_ else text.strip(), 160).lower()


def _problem(type_: str, line: str, rest: str) -> Problem:
    message = shorten(" ".join(line.split()), MESSAGE_CHARS)
    told = rest.strip() or message
    return Problem(type=type_, message=message, signature=signature(type_, told))
