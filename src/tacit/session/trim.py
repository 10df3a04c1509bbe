"""Old tool output made shorter, in two steps, as an agent's context fills. Pure.

Softly: the head and the tail stay, and from between them the lines that tell of errors.
Hard: a note stays in its place, with those lines. A marker says how much is gone and how to
see it again; what is trimmed already is not trimmed the same way twice.
"""

from __future__ import annotations

import re

from tacit.errors import Invalid
from tacit.session.advise import fraction
from tacit.value import Value

SOFT_FROM, HARD_FROM = 0.3, 0.5  # share of the context in use
KEEP_CHARS = 1_500  # of the head and of the tail
LEAST_SAVED = 300  # characters; cutting less is not worth a marker
HARD_LEAST = 600  # characters; shorter output costs less than a note about it
MOST_ERRORS = 10
ERROR_CHARS = 240
STAGES = ("none", "soft", "hard")
AGAIN = "run the command or read the file again to see it"

_MARK = re.compile(r"^\[tacit: (\d[\d,]{0,18}) characters (left out|cleared); .*\]$", re.MULTILINE)
# What must stand in a line for it to be looked at more closely.
_AMISS = re.compile(
    r"error|exception|fail|fatal|panic|denied|refused|not found|cannot|traceback|\bE[A-Z]{4,}\b|✗|✖",
    re.IGNORECASE,
)
_SPACES = re.compile(r"\s+")


class Trimmed(Value):
    """An output after trimming: which step was taken and how many characters went."""

    text: str
    stage: str
    cut_chars: int = 0
    errors_kept: int = 0


def stage_for(context_used: float | None) -> str:
    """Tell how hard to trim at a share of the context; without one, softly."""
    if context_used is None:
        return "soft"
    context_used = fraction(context_used)
    if context_used < SOFT_FROM:
        return "none"
    return "soft" if context_used < HARD_FROM else "hard"


def trim(
    text: str,
    *,
    context_used: float | None = None,
    stage: str | None = None,
    keep_chars: int = KEEP_CHARS,
    again: str = AGAIN,
) -> Trimmed:
    """Trim one output as hard as the context demands, or as `stage` says.

    `again` is how what is cut can be seen again; it is quoted in the marker.
    """
    stage = stage or stage_for(context_used)
    if stage not in STAGES:
        raise Invalid(f"stage {stage!r} is unknown; use one of {', '.join(STAGES)}")
    if keep_chars < 1:
        raise Invalid(f"keep_chars {keep_chars} is not above 0")
    if stage == "none" or _done(text, stage, keep_chars, again):
        return Trimmed(text=text, stage="none")
    return _soft(text, keep_chars, again) if stage == "soft" else _hard(text, again)


def _soft(text: str, keep: int, again: str) -> Trimmed:
    head_end, tail_start = _head(text, keep), _tail(text, len(text) - keep)
    if tail_start - head_end < LEAST_SAVED:
        return Trimmed(text=text, stage="none")
    middle = text[head_end:tail_start]
    errors = error_lines(middle)
    marker = _marker(len(middle), "left out", again, errors)
    head, tail = text[:head_end], text[tail_start:]
    joined = f"{head}{_break_after(head)}{marker}\n{tail}"
    if len(joined) > len(text) - LEAST_SAVED // 2:
        return Trimmed(text=text, stage="none")
    return Trimmed(text=joined, stage="soft", cut_chars=len(middle), errors_kept=len(errors))


def _hard(text: str, again: str) -> Trimmed:
    if len(text) < HARD_LEAST:
        return Trimmed(text=text, stage="none")
    mark = _MARK.search(text)
    before = int(mark[1].replace(",", "")) if mark else 0  # what a soft trim took already
    errors = error_lines(text)
    marker = _marker(len(text) + before, "cleared", again, errors)
    marker += "\n" if text.endswith("\n") else ""
    if len(marker) >= len(text):
        return Trimmed(text=text, stage="none")
    return Trimmed(text=marker, stage="hard", cut_chars=len(text), errors_kept=len(errors))


def _marker(chars: int, what: str, again: str, errors: list[str]) -> str:
    kept = "; what it said was amiss:" if errors else ""
    return "\n".join([f"[tacit: {chars:,} characters {what}; {again}{kept}]", *errors])


def _done(text: str, stage: str, keep: int, again: str) -> bool:
    """Tell whether a text is what this step would leave; a marker quoted in a long one is not."""
    mark = _MARK.search(text)
    if mark is None:
        return False
    note = len(again) + 150 + MOST_ERRORS * (ERROR_CHARS + 1)
    if mark[2] == "cleared":
        return mark.start() == 0 and len(text) <= note
    return stage == "soft" and len(text) <= 2 * (keep + 16) + note


def error_lines(text: str) -> list[str]:
    """Give the lines that tell of errors, each sort once, the first and the last ones."""
    from tacit.encode.failures import read_problem

    found: dict[str, str] = {}
    for line in text.splitlines():
        if len(line) > 20_000 or not _AMISS.search(line) or _MARK.search(line):
            continue
        problem = read_problem(line)
        if problem is not None and problem.clear:
            found.setdefault(problem.signature, _one_line(line))
    lines = list(found.values())
    half = MOST_ERRORS // 2
    return lines if len(lines) <= MOST_ERRORS else lines[:half] + lines[-half:]


def _one_line(line: str) -> str:
    line = _SPACES.sub(" ", line).strip()
    if len(line) <= ERROR_CHARS:
        return line
    return line[: _whole(line, ERROR_CHARS - 1)] + "…"


def _head(text: str, keep: int) -> int:
    """Give where the head ends: after a line, unless the last one is too long."""
    if len(text) <= keep:
        return len(text)
    line = text.rfind("\n", 0, keep) + 1
    return line if line > keep // 2 else _whole(text, keep)


def _tail(text: str, start: int) -> int:
    """Give where the tail begins: at the beginning of a line, unless the first one is too long."""
    if start <= 0:
        return 0
    line = text.find("\n", start - 1) + 1
    return line if 0 < line <= start + (len(text) - start) // 2 else _whole(text, start)


def _whole(text: str, place: int) -> int:
    """Move a cut forward out of what belongs together: pairs, accents, joined signs, CRLF."""
    from unicodedata import combining

    end = min(len(text), place + 16)
    while 0 < place < end:
        before, after = text[place - 1], text[place]
        joined = (
            "\ud800" <= before <= "\udbff"
            or combining(after)
            or after in "\u200d\ufe0f"
            or "\U0001f3fb" <= after <= "\U0001f3ff"
            or before == "\u200d"
            or (before, after) == ("\r", "\n")
        )
        if not joined:
            break
        place += 1
    return place


def _break_after(head: str) -> str:
    return "" if head.endswith("\n") or not head else "\n"
