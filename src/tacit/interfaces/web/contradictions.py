"""The contradictions: two memories that cannot both hold, side by side, until somebody decides."""

from __future__ import annotations

from tacit.interfaces import wire
from tacit.interfaces.web import parts, say
from tacit.interfaces.web.differ import sides
from tacit.interfaces.web.frame import Frame, page
from tacit.interfaces.web.parts import Tag
from tacit.interfaces.web.sheet import Sheet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from tacit.system import Tacit

    Object = dict[str, Any]
    After = Callable[[], Awaitable[None]]

SHOWN = 30
SETTLED = {
    "a_wins": "A was right",
    "b_wins": "B was right",
    "both_valid": "both hold",
    "merged": "merged into one",
}


@page
async def build(frame: Frame) -> None:
    """Show the contradictions."""
    frame.open("contradictions", "Contradictions")
    with Tag("div", "page"):
        parts.heading(
            "Contradictions",
            "Both sides are served, marked, until somebody decides. Nothing is lost either way.",
        )
        holder = Tag("div", "column")
        with holder:
            parts.loading()

    async def again() -> None:
        told = await frame.ask(_gather)
        if not holder.is_deleted:
            holder.clear()
            with holder:
                _show(frame, told, again)

    await again()


def _gather(tacit: Tacit) -> Object:
    """Give what is open, oldest first, and what was settled lately."""
    standing = tacit.contradictions()
    settled = [one for one in tacit.contradictions(open_only=False) if not one.open]
    settled.sort(key=lambda one: str(one.resolved_at), reverse=True)
    return {
        "number": len(standing),
        "open": [wire.clash(c, tacit.get(c.a), tacit.get(c.b)) for c in standing[:SHOWN]],
        "settled": [wire.clash(c, tacit.get(c.a), tacit.get(c.b)) for c in settled[:SHOWN]],
    }


def _show(frame: Frame, told: Object, again: After) -> None:
    if not told["open"]:
        parts.empty(
            "Nothing contradicts anything",
            "Consolidation compares what is new with what is there, and what cannot both hold "
            "comes here.",
            "tacit consolidate",
        )
    for clash in told["open"]:
        _clash(frame, clash, again)
    if told["number"] > len(told["open"]):
        Tag("p", "small", f"{told['number'] - len(told['open']):,} more after these.")
    if told["settled"]:
        with parts.section("Settled", classes="card list-card"), Tag("ul", "list"):
            for clash in told["settled"]:
                _settled(clash)


def _clash(frame: Frame, clash: Object, again: After) -> None:
    left, right = sides(clash["memory_a"]["text"], clash["memory_b"]["text"])
    with Tag("article", "card", id=clash["id"][:12], data_row="", tabindex="-1"):
        with Tag("header", "section-head"):
            Tag("h2", "", "These cannot both hold")
            found = f"found by {clash['detector']} on {say.day(clash['detected_at'])}"
            Tag("p", "small", " · ".join(one for one in (clash["note"], found) if one))
        with Tag("div", "versus"):
            _side("A", clash["memory_a"], left, proposed=clash["suggestion"] == "a_wins")
            _side("B", clash["memory_b"], right, proposed=clash["suggestion"] == "b_wins")
        if not frame.may("resolve"):
            return
        with Tag("div", "actions"):
            for word, text, key in (("a", "Keep A", "a"), ("b", "Keep B", "b")):
                strong = "strong" if clash["suggestion"] == f"{word}_wins" else ""
                parts.button(text, _settling(frame, clash, word, again), look=strong, key=key)
            parts.button("Both hold", _settling(frame, clash, "both", again), key="o")
            parts.button("Merge…", lambda: _merge(frame, clash, again), key="m")


def _side(letter: str, side: Object, said: list[tuple[bool, str]], *, proposed: bool) -> None:
    with Tag("section", f"side-card {'proposed' if proposed else ''}", aria_label=f"Side {letter}"):
        with Tag("div", "row"):
            Tag("strong", "", letter)
            parts.marks(side)
            if proposed:
                parts.chip("suggested", "verdict-good")
        with Tag("p", "said"):
            for differs, piece in said:
                Tag("mark" if differs else "span", "differs" if differs else "", piece)
        parts.facts(
            [
                ("value", str(side["value"])),
                ("holds", say.held(side)),
                ("recorded", say.day(side["recorded_at"])),
                ("said by", side["author"] or side["trust"]),
                ("source", side["source_ref"]),
            ]
        )
        parts.link("All about it", f"/memory/{side['short']}")


def _settling(
    frame: Frame, clash: Object, word: str, again: After
) -> Callable[[], Awaitable[None] | None]:
    """Give what settles it; asked once more, since a decision stands."""
    loser = {"a": "B", "b": "A"}.get(word, "")
    title = f"Keep {word.upper()}?" if loser else "Both hold?"
    what = (
        f"{loser} held until {word.upper()} began and is no longer served; its history stays."
        if loser
        else "They do not contradict each other, and are not compared again."
    )

    def ask() -> None:
        sheet = Sheet(title)
        with sheet.body:
            Tag("p", "", what)
            note = parts.entry(
                "Why (for those who ask later)", placeholder="the one is about staging"
            )

        async def settle(filled: dict[str, str]) -> bool:
            return await frame.do(
                lambda tacit: tacit.resolve(clash["id"], word, note=filled["note"]),
                "Settled",
                after=again,
            )

        sheet.offer("Settle it", settle, {"note": note})
        sheet.open()

    return ask


def _merge(frame: Frame, clash: Object, again: After) -> None:
    a, b = clash["memory_a"], clash["memory_b"]
    sheet = Sheet("Say it in one")
    with sheet.body:
        Tag("p", "small", "A third memory says what is so; both others held until now.")
        text = parts.entry("What is so", value=f"{a['text']}\n{b['text']}", kind="area", rows="6")
        note = parts.entry("Why (for those who ask later)")

    async def merge(filled: dict[str, str]) -> bool:
        return await frame.do(
            lambda tacit: tacit.resolve(
                clash["id"], "merged", text=filled["text"], note=filled["note"]
            ),
            "Merged",
            after=again,
        )

    sheet.offer("Merge", merge, {"text": text, "note": note})
    sheet.open()


def _settled(clash: Object) -> None:
    with Tag("li", "item"):
        with Tag("p", "row"):
            parts.chip(SETTLED[clash["resolution"]], "quiet")
            by = f" by {clash['resolved_by']}" if clash["resolved_by"] else ""
            Tag("span", "small", f"{say.day(clash['resolved_at'])}{by}")
        for letter in ("a", "b"):
            side = clash[f"memory_{letter}"]
            with Tag("p", "row"):
                Tag("strong", "", letter.upper())
                parts.link(side["title"], f"/memory/{side['short']}")
        if clash["resolution_note"]:
            Tag("p", "small", clash["resolution_note"])
