"""Values to lines for people: aligned columns, short UTC dates, colour where it can be seen."""

from __future__ import annotations

from tacit.model import Level, Polarity, State, Tier
from tacit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from tacit.interfaces.cli.console import Console
    from tacit.model import Memory
    from tacit.system import Tacit

    Cell = tuple[str, str]  # text and style

BAR_CELLS = 20
FEW = 300  # characters; a longer text is shown by its summary
_WHY = {  # how a project was found
    "override": "TACIT_PROJECT",
    "file": "a .tacit.toml",
    "remote": "its git remote",
    "git": "its git repository, which has no remote",
    "folder": "its folder, which is in no git repository",
}
# Control characters could move the cursor or change colours: what is kept is only data.
_CONTROLS = dict.fromkeys([*range(32), *range(127, 160)], "�") | {9: "  ", 10: "\n", 13: ""}


def plain(text: str) -> str:
    """Give text that cannot act on a terminal."""
    return text.translate(_CONTROLS)


def date(moment: datetime) -> str:
    """Give the day, in UTC."""
    return f"{moment:%Y-%m-%d}"


def minute(moment: datetime) -> str:
    """Give the day and the minute, in UTC."""
    return f"{moment:%Y-%m-%d %H:%M}Z"


def sentence(text: str) -> str:
    """Give a sentence with its times to the minute: more digits are for programs."""
    from re import sub

    return sub(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*Z", r"\1 \2Z", plain(text))


def age(console: Console, moment: datetime, now: datetime) -> str:
    """Give how long ago a moment was to whoever reads it now; else the day and the minute."""
    if not console.terminal:
        return minute(moment)
    seconds = max(0, int((now - moment).total_seconds()))
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit} ago"
    return "just now"


def count(number: int, one: str, many: str = "") -> str:
    """Give `1 memory` or `1,200 memories`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def memories(number: int) -> str:
    """Give how many memories, in words."""
    return count(number, "memory", "memories")


def size(number: int) -> str:
    """Give bytes in a unit that can be read at a glance."""
    amount, unit = float(number), "bytes"
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{number} bytes" if unit == "bytes" else f"{amount:.1f} {unit}"


def name(console: Console, memory: Memory) -> str:
    """Give a memory in a few words: its short name and the beginning of its text."""
    text = fit(words(memory), min(100, console.cells - 30))
    return f"{console.paint(f'[{memory.short}]', 'short')} {text}"


def words(memory: Memory, level: Level = Level.FULL) -> str:
    """Give what a memory says on one line: its own words when they are few, else its summary.

    At another level it is the text of that.
    """
    if level is Level.FULL and len(memory.text) > FEW:
        level = Level.SUMMARY
    text = memory.levels.text(level)
    return plain(" ".join(text.split()))


def marks(memory: Memory) -> list[str]:
    """Give what sets a memory apart from an ordinary one that holds now."""
    found: list[str] = []
    if memory.tier is not Tier.REFERENCE:
        found.append(memory.tier.value)
    if memory.polarity is not Polarity.NEUTRAL:
        found.append(memory.polarity.value)
    if memory.pinned:
        found.append("pinned")
    if memory.state is not State.ACTIVE:
        found.append(memory.state.value)
    if memory.unverified:
        found.append("unverified")
    if memory.evidence:
        found.append("evidence")
    if memory.validity.valid_to is not None:
        found.append(f"until {date(memory.validity.valid_to)}")
    return found


def memory_cells(
    memory: Memory, moment: datetime | None = None, level: Level = Level.FULL
) -> list[Cell]:
    """Give the cells of a memory in a list; the text is the last but one, a date the last.

    The date is since when it holds, unless another moment is what the list is about.
    """
    return [
        (f"[{memory.short}]", "short"),
        (memory.kind.value, "kind"),
        (" ".join(marks(memory)), "binding"),
        (words(memory, level), ""),
        (date(moment or memory.validity.valid_from), "dim"),
    ]


def table(
    console: Console, rows: Sequence[Sequence[Cell]], *, text: int | None = -2, indent: int = 0
) -> list[str]:
    """Align rows in columns; the column `text` is cut so that lines fit the terminal.

    A column that is empty in every row is left out.
    """
    if not rows:
        return []
    widths = [max(cells(row[column][0]) for row in rows) for column in range(len(rows[0]))]
    if text is not None:
        others = sum(width + 2 for width in widths if width) - widths[text] - 2
        widths[text] = min(widths[text], max(20, console.cells - indent - others))
    lines: list[str] = []
    for row in rows:
        parts: list[str] = []
        for column, (content, style) in enumerate(row):
            if widths[column]:
                shown = fit(content, widths[column])
                space = " " * (widths[column] - cells(shown))
                parts.append(console.paint(shown, style) + space)
        lines.append("  ".join(parts).rstrip())
    return lines


def fit(text: str, width: int) -> str:
    """Cut a text at a word's end so that it takes at most so many cells."""
    if cells(text) <= width:
        return text
    cut = shorten(text, width)
    while cells(cut) > width:
        cut = cut[:-2].rstrip() + "…"
    return cut


def cells(text: str) -> int:
    """Give how many cells a terminal needs for a text: wide characters take two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )


def fields(console: Console, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Give names and values below each other; empty values are left out."""
    kept = [(name, value) for name, value in pairs if value]
    width = max((len(name) for name, _ in kept), default=0)
    lines: list[str] = []
    for name, value in kept:
        first, *more = [
            part for line in value.split("\n") for part in wrapped(console, line, width + 2)
        ]
        lines.append(f"{console.paint(name.ljust(width), 'dim')}  {first}")
        lines += [" " * (width + 2) + line for line in more]
    return lines


def wrapped(console: Console, text: str, indent: int = 0) -> list[str]:
    """Give a text in lines that fit beside an indent on a terminal; elsewhere as it is."""
    room = max(20, console.cells - indent)
    if not console.terminal or cells(text) <= room:
        return [text]
    from textwrap import wrap

    return wrap(text, room, break_long_words=False, break_on_hyphens=False)


def bar(console: Console, share: float) -> str:
    """Give a bar for a share of one."""
    length = round(BAR_CELLS * min(1.0, max(0.0, share)))
    return console.bar * max(length, 1 if share > 0 else 0)


def place(tacit: Tacit) -> list[tuple[str, str]]:
    """Give where memories are kept, for which project, and how it was found."""
    from tacit.interfaces import wire

    return [
        ("store", tacit.store.path),
        ("your own", tacit.user_store.path if tacit.user_store else ""),
        *place_of(wire.project(tacit.project) if tacit.project else None),
        ("scope", tacit.scope.path),
    ]


def place_of(project: Mapping[str, str] | None) -> list[tuple[str, str]]:
    """Give which project it is, and how it was found."""
    if project is None:
        return []
    name, root = project["identity"], project["root"]
    return [
        ("project", f"{name} (identified by {_WHY[project['source']]})"),
        ("folder", root if root != name else ""),
    ]
