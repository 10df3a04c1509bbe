"""Stores that hold work done: episodes with goals, files, commands and errors, and passes over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import DAY, START, a_memory, a_mention
from fakes import WordCounter
from tacit.body import Action, Episode, Failure
from tacit.consolidate.room import Room, Rules
from tacit.model import FacetType, Origin, Role, Scope, Trust
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.store.transfer import export_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.room import Pass
    from tacit.model import Memory
    from tacit.store.protocol import Store

SCOPE = Scope(path="project:shop")
LATER = START + 400 * DAY


def a_task(
    goal: str,
    *,
    files: Sequence[str] = (),
    commands: Sequence[str] = (),
    errors: Sequence[Failure] = (),
    outcome: str = "success",
    day: int = 0,
    commit: str = "",
    text: str = "",
    **fields: object,
) -> Memory:
    """Make an episode of work as observing would; each has a session of its own unless told."""
    edits = [Action(action="edit", target=path, result="ok") for path in files]
    ran = [Action(action="shell", target=line, result="ok") for line in commands]
    body = Episode(
        goal=goal,
        outcome=outcome,
        actions=(*edits, *ran),
        errors=tuple(errors),
        commit=commit,
    )
    written = [a_mention(path, FacetType.FILE, role=Role.WRITES) for path in files]
    used = [a_mention(line, FacetType.TOOL) for line in dict.fromkeys(commands)]
    told: dict[str, object] = {
        "session": f"session of {goal} on day {day}",
        "origin": Origin.EXTRACTED,
        "trust": Trust.AGENT,
        "valid_from": START + day * DAY,
        "mentions": (*written, *used),
    }
    return a_memory(body, text or goal, **told | fields)


def a_room(store: Store, **fields: object) -> Room:
    """Give a room a year after the first episode."""
    given: dict[str, object] = {
        "store": store,
        "now": LATER,
        "scope": SCOPE,
        "counter": WordCounter(),
        "rules": Rules(),
    }
    return Room(**given | fields)


def run_on(room: Room, pass_: Pass, marks: dict[str, str] | None = None) -> dict[str, int]:
    """Run a pass to its end from where it stood; give what it counted."""
    marks = {} if marks is None else marks
    counts: dict[str, int] = {}
    more = True
    while more:
        with room.store.transaction():
            done = pass_(room, marks.get("mark", ""))
        marks["mark"], more = done.mark, done.more
        for name, count in done.counts.items():
            counts[name] = counts.get(name, 0) + count
    return counts


def made(store: Store, prefix: str) -> list[Memory]:
    """Give what a pass made, in the order of ids."""
    found = store.scan(Filter(states=EVERY_STATE))
    return [memory for memory in found if memory.source_ref.startswith(prefix)]


def exported(store: Store) -> str:
    """Give all a store holds."""
    return "".join(export_lines(store))
