"""STATE.md of Get-Shit-Done: less than a hundred lines that say where the work stands. Pure."""

from __future__ import annotations

import re

from tacit.model import Kind, Polarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.model import Memory

MOST_LINES = 99
RECENT = 5  # decisions and warnings shown; the file is a digest, not an archive
_DECISIONS = re.compile(r"^#{2,4}\s+decisions", re.IGNORECASE)
_HEADING = re.compile(r"^#{1,6}\s")


def digest(state: str, memories: Sequence[Memory], now: datetime) -> str:
    """Give the state that was brought in, cut to size, or one made from what is known."""
    rows = _shortened(state.split("\n")) if state.strip() else _made(memories, now)
    if len(rows) > MOST_LINES:
        rows = [*rows[: MOST_LINES - 1], "…"]
    return "\n".join(rows).rstrip() + "\n"


def _shortened(rows: list[str]) -> list[str]:
    """Keep a state of fitting size as it is; of a longer one only the latest decisions."""
    if len(rows) <= MOST_LINES:
        return rows
    kept: list[str] = []
    decisions: list[str] = []
    within = False
    for row in [*rows, "# end"]:
        if _HEADING.match(row):
            kept += decisions[-RECENT:] + ([""] if decisions else [])
            decisions, within = [], bool(_DECISIONS.match(row))
        if within and row.startswith("- "):
            decisions.append(row)
        elif row.strip() or (kept and kept[-1].strip()):
            kept.append(row)
    return kept[:-1]


def _made(memories: Sequence[Memory], now: datetime) -> list[str]:
    newest = sorted(memories, key=lambda memory: (memory.validity.valid_from, memory.id))
    decisions = [memory for memory in newest if memory.subtype == "decision"][-RECENT:]
    warnings = [memory for memory in newest if memory.polarity is Polarity.AVOID][-RECENT:]
    episodes = [memory for memory in newest if memory.kind is Kind.EPISODE][-1:]
    plans = [memory for memory in newest if memory.kind is Kind.BLOCK][-1:]
    return [
        "# Project State",
        "",
        "## Project Reference",
        "",
        f"See: @.planning/PROJECT.md (updated {now.date().isoformat()})",
        "",
        "## Current Position",
        "",
        *(f"Last activity: {_day(memory)} — {_line(memory)}" for memory in episodes),
        *(_line(memory) for memory in plans),
        "",
        "## Accumulated Context",
        "",
        "### Decisions",
        "",
        *([f"- {_line(memory)}" for memory in decisions] or ["None yet."]),
        "",
        "### Blockers/Concerns",
        "",
        *([f"- {_line(memory)}" for memory in warnings] or ["None yet."]),
    ]


def _line(memory: Memory) -> str:
    return " ".join(memory.levels.hint.split())


def _day(memory: Memory) -> str:
    return memory.validity.valid_from.date().isoformat()
