"""The review: drafts that wait for a word, and what the next cycle will do, told before it does."""

from __future__ import annotations

from tacit.errors import TacitError
from tacit.interfaces import wire, wire_review, wire_true
from tacit.interfaces.web import acts, listing, parts, say
from tacit.interfaces.web.frame import Frame, page
from tacit.interfaces.web.parts import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Any

    from tacit.consolidate.moves import Move
    from tacit.system import Tacit

    Object = dict[str, Any]
    After = Callable[[], Awaitable[None]]

SHOWN = 30
MOVES = 12  # of each sort
HEADINGS = {
    ("promote", False): "Will be promoted",
    ("demote", False): "Will be demoted",
    ("archive", False): "Will be archived: not served, found by name",
    ("forget", False): "Will be forgotten, and can be restored",
    ("restore", False): "Will be served again",
    ("promote", True): "May be promoted, if you say so",
    ("demote", True): "May be demoted, if you say so",
    ("archive", True): "May be archived, if you say so",
    ("forget", True): "May be forgotten, if you say so",
    ("unused", True): "Patterns that are hardly used",
}
# What a cycle reports, in the order a person asks.
TOLD = {
    "deduped": "merged with what says the same",
    "patterns_created": "patterns made",
    "anti_patterns_created": "warnings made",
    "links_created": "links made",
    "contradictions_found": "contradictions found",
    "compressed": "shown shorter with age",
    "forgotten": "forgotten",
}


@page
async def build(frame: Frame) -> None:
    """Show what a person should look at."""
    frame.open("review", "Review")
    with Tag("div", "page"):
        with parts.heading("Review", "What machines found waits here for your word."):
            rehearse = parts.button("Rehearse a cycle", lambda: run(dry=True), key="d")
            consolidate = parts.button("Consolidate now", lambda: run(dry=False), look="strong")
            consolidate.set_visibility(frame.may("consolidate"))
        said = Tag("div", "column")
        drafts = Tag("div", "column")
        coming = Tag("div", "column")

    async def again() -> None:
        told = await frame.ask(_waiting)
        if not drafts.is_deleted:
            drafts.clear()
            with drafts:
                _drafts(frame, told, again)

    async def look_ahead() -> None:
        """Tell what is coming; that takes a while in a large store, so it is told once."""
        coming.clear()
        with coming:
            parts.loading()
        told = await frame.ask(lambda tacit: _told(tacit.outlook()))
        if not coming.is_deleted:
            coming.clear()
            with coming:
                _coming(frame, told)

    async def run(*, dry: bool) -> None:
        rehearse.attribute("disabled", True)
        consolidate.attribute("disabled", True)
        said.clear()
        with said:
            Tag("p", "small", "A cycle is running; this page goes on working.", role="status")
        try:
            report = await frame.ask(
                lambda tacit: wire_true.cycle_report(tacit.consolidate(dry_run=dry))
            )
            said.clear()
            with said:
                _report(report)
        except TacitError as error:
            said.clear()
            frame.tell(str(error), look="bad")
        rehearse.attribute("disabled", None)
        consolidate.attribute("disabled", None)
        if not dry:
            await again()
            await look_ahead()
            await frame.count()

    await again()
    await look_ahead()


def _waiting(tacit: Tacit) -> Object:
    waiting = tacit.candidates()
    return {
        "waiting": len(waiting),
        "memories": [wire.memory(one) for one in waiting[:SHOWN]],
        "now": tacit.clock.now(),
    }


def _told(moves: Sequence[Move]) -> Object:
    """Give what is coming, with all that each memory says."""
    shown: dict[tuple[bool, str], list[Object]] = {}
    for one in moves:
        group = shown.setdefault((one.proposed, one.what), [])
        if len(group) < MOVES:
            group.append(wire_review.move(one) | {"memory": wire.memory(one.memory)})
    return wire_review.coming(moves, 0) | {
        "moves": [one for group in shown.values() for one in group]
    }


def _drafts(frame: Frame, told: Object, again: After) -> None:
    if not told["memories"]:
        parts.empty(
            "No draft waits",
            'With the setting write = "review" all that is observed comes here first; a '
            "language model’s findings always do.",
        )
        return
    with parts.section("Drafts", classes="card list-card", about=say.memories(told["waiting"])):
        with Tag("ul", "list"):
            for memory in told["memories"]:
                with Tag("li", "item acting", data_row=""):
                    with Tag("div", "stack tight"):
                        listing.row(memory, told["now"])
                        if memory["source_ref"]:
                            Tag("p", "small", f"from {memory['source_ref']}")
                    with Tag("div", "actions"):
                        acts.drafted(frame, memory, again)
        if told["waiting"] > SHOWN:
            with Tag("div", "more"):
                Tag("p", "small", f"{told['waiting'] - SHOWN:,} more after these.")


def _coming(frame: Frame, coming: Object) -> None:
    numbers = {(what, False): n for what, n in coming["counts"].items()}
    numbers |= {(what, True): n for what, n in coming["proposed"].items()}
    if not numbers:
        parts.empty(
            "The next cycle will move nothing",
            "It may still merge, connect and compare; a rehearsal tells what.",
        )
    for (what, proposed), title in HEADINGS.items():
        moves = [m for m in coming["moves"] if (m["what"], m["proposed"]) == (what, proposed)]
        if moves:
            about = say.memories(numbers[what, proposed])
            with parts.section(title, classes="card list-card", about=about), Tag("ul", "list"):
                for move in moves:
                    _move(frame, move)


def _move(frame: Frame, move: Object) -> None:
    memory = move["memory"]
    with Tag("li", "item acting", data_row="") as row:

        async def settled() -> None:
            row.set_visibility(not row.visible)  # away when it is done, back when it is undone

        with Tag("div", "stack tight"):
            listing.title(memory)
            with Tag("div", "item-foot"):
                parts.marks(memory)
                Tag("span", "", move["why"])
        if not frame.may("set", memory):
            return
        with Tag("div", "actions"):
            parts.button(
                "Keep as it is", lambda: acts.pin(frame, memory, settled), picture_of="pin", key="p"
            )
            if move["what"] in ("promote", "demote") and move["proposed"]:
                tier = move["tier"]
                parts.button(f"Make it a {tier}", lambda: acts.bind(frame, memory, tier, settled))


def _report(report: Object) -> None:
    title = "What a cycle would do" if report["dry_run"] else "What the cycle did"
    with parts.section(title, about=f"{report['duration_seconds']:.1f} s"):
        rows = [(words, f"{report[name]:,}") for name, words in TOLD.items() if report[name]]
        if rows:
            parts.facts([(number, words) for words, number in rows])
        else:
            Tag("p", "small", "Nothing: all is as it should be.")
