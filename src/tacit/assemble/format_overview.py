"""The briefing of the preset `index`: what there is by topic, and what lately happened. Pure."""

from __future__ import annotations

from tacit.assemble import render
from tacit.assemble.briefing import Briefing, Item
from tacit.assemble.budget import Band
from tacit.assemble.ceiling import most_tokens
from tacit.model import Level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.assemble.disclose import IndexView, TimelineView


def overview(index: IndexView, timeline: TimelineView, budget: int) -> Briefing:
    """Put both views together; where the fence leaves too little room, the oldest work goes."""
    lines = timeline.text.splitlines(keepends=True)
    around = render.AROUND_TOKENS + most_tokens(index.text)
    while lines and around + sum(most_tokens(line) for line in lines) > budget:
        lines.pop()
    while lines and lines[-1] in ("Done:\n", "Decided:\n"):
        lines.pop()
    text = render.whole([index.text, *lines]) if index.memories else ""
    entries = [
        (entry, f"{entry.line}\n")
        for entry in (*timeline.decisions, *timeline.actions)
        if f"{entry.line}\n" in lines
    ]
    items = tuple(
        Item(
            memory=entry.memory,
            level=Level.HINT,
            band=Band.INDEX,
            tokens=most_tokens(line),
            score=0.0,
            why="lately done" if entry in timeline.actions else "decided",
        )
        for entry, line in entries
    )
    tokens = around + sum(most_tokens(line) for line in lines) if text else 0
    bands = dict.fromkeys(map(str, Band), 0) | {Band.INDEX.value: tokens}
    left_out = [
        entry.memory.short
        for entry in (*timeline.decisions, *timeline.actions)
        if f"{entry.line}\n" not in lines
    ]
    return Briefing(
        text=text,
        tokens=tokens,
        budget=budget,
        bands=bands,
        items=items,
        omitted=tuple(left_out),
    )
