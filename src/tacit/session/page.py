"""A page of working memory and its text: sections of short lines that fit a number of characters.

What was rendered is read back as it was; sections of other writers are kept as long as there is
room. Pure.
"""

from __future__ import annotations

from tacit.fence import CLOSE, OPEN
from tacit.text import shorten
from tacit.value import Value

CHARS = 1500
TITLE = "# Continuity"
RELEVANT = "Relevant Memories (Auto-Retrieved)"
MISTAKES = "Mistakes to Avoid (From Learnings)"
NOTES = "## Notes"  # stands above what others wrote without a heading
_SECTIONS = {  # field → heading, in the order they are read
    "decisions": "Decisions",
    "blockers": "Blockers",
    "next": "Next",
    "files": "Files",
    "memories": RELEVANT,
    "mistakes": MISTAKES,
}
_RECALLED = ("memories", "mistakes")
# What gives way first when there is no room, line by line from the end.
_GIVES_WAY = ("rest", "files", "memories", "decisions", "mistakes", "next", "blockers")
_HEADINGS = {heading.casefold(): field for field, heading in _SECTIONS.items()} | {
    "current goal": "goal",
    "goal": "goal",
    "current task": "goal",
    "key decisions": "decisions",
    "key decisions made": "decisions",
    "active blockers": "blockers",
    "current blockers": "blockers",
    "next steps": "next",
    "next actions": "next",
}


class Page(Value):
    """What is being done now."""

    goal: str = ""
    decisions: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()  # `[R:short] one line`
    mistakes: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()  # lines of sections that others wrote


def render(page: Page, *, chars: int = CHARS, marked: bool = False) -> str:
    """Give the text of a page in at most so many characters; `marked` fences what was recalled."""
    page = _tidy(page)
    text = _text(page, marked=marked)
    for field in _GIVES_WAY:
        while len(text) > chars and getattr(page, field):
            page = page.replace(**{field: getattr(page, field)[:-1]})
            text = _text(page, marked=marked)
    if len(text) > chars:
        room = max(1, len(page.goal) - (len(text) - chars))
        text = _text(page.replace(goal=shorten(page.goal, room)), marked=marked)
    return text[:chars]


def parse(text: str) -> Page:
    """Read a page; what stands in no known section is kept as it is."""
    found: dict[str, list[str]] = {field: [] for field in ("goal", "rest", *_SECTIONS)}
    field = "rest"
    for row in text.split("\n"):
        line = row.strip()
        if not line or line in (OPEN, CLOSE, TITLE):
            continue
        if line.startswith("#"):
            field = _HEADINGS.get(line.lstrip("# ").casefold(), "rest")
            if field != "rest":
                continue
        if field in ("goal", "rest"):
            found[field].append(line if field == "goal" else row.rstrip())
        else:
            found[field].append(line.removeprefix("- ").strip())
    goal = " ".join(found.pop("goal"))
    return Page(goal=goal, **{name: tuple(rows) for name, rows in found.items()})


def _tidy(page: Page) -> Page:
    """Give a page whose lines cannot be taken for headings or marks when it is read again."""

    def line(text: str) -> str:
        return " ".join(text.replace(OPEN, " ").replace(CLOSE, " ").split())

    rows = {name: tuple(filter(None, map(line, getattr(page, name)))) for name in _SECTIONS}
    rest = tuple(row.rstrip() for row in page.rest if line(row) and row.strip() != TITLE)
    if rest and not rest[0].lstrip().startswith("#"):
        rest = (NOTES, *rest)
    if rest == (NOTES,):
        rest = ()
    return page.replace(goal=line(page.goal).lstrip("# "), rest=rest, **rows)


def _text(page: Page, *, marked: bool) -> str:
    parts = [TITLE]
    if page.goal:
        parts.append(f"## Goal\n{page.goal}")
    for field, heading in _SECTIONS.items():
        if field not in _RECALLED:
            parts += _section(heading, getattr(page, field))
    recalled = [part for f in _RECALLED for part in _section(_SECTIONS[f], getattr(page, f))]
    if recalled and marked:
        recalled = [OPEN, *recalled, CLOSE]
    parts += recalled
    if page.rest:
        parts.append("\n".join(page.rest))
    return "\n\n".join(parts) + "\n"


def _section(heading: str, rows: tuple[str, ...]) -> list[str]:
    if not rows:
        return []
    return [f"## {heading}\n" + "\n".join(f"- {row}" for row in rows)]
