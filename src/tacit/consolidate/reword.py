"""Better short forms of patterns and topics, by a language model, where one is asked.

What a cycle makes is worded by cutting: every word comes from its sources. A model may word the
short forms better; the full text stays, and what a model invents is dropped (`encode.llm.requests`).
It is asked when the cycle is over and no transaction is open, a few a time, the latest first, and
never twice about the same text.
"""

from __future__ import annotations

from tacit.consolidate.room import BY
from tacit.consolidate.stronger import protected
from tacit.encode.levels import ShortForms, make_levels
from tacit.encode.llm.requests import better_levels
from tacit.errors import Denied, Unavailable
from tacit.model import State
from tacit.retrieve.made_topics import TOPIC
from tacit.store.protocol import Filter
from tacit.write.history import change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.room import Room
    from tacit.encode.ports import LanguageModel
    from tacit.model import Memory

MOST = 20  # that are worded in one go
LOOKED_AT = 200  # the latest, of which some are worded already
OP = "reword"
MADE = ("repeated", TOPIC)
KEPT = (State.ACTIVE, State.CANDIDATE, State.ARCHIVED)  # topics are kept archived


def reword(room: Room, model: LanguageModel) -> int:
    """Word the latest patterns and topics anew; give how many. Ends when the model gives up."""
    worded = 0
    for memory in _due(room):
        try:
            forms = better_levels(model, memory.levels.full, room.profile.compression)
        except (Denied, Unavailable):  # the budget is spent or nobody answers: it stays as it was
            break
        worded += _put(room, memory, forms, model.name)
    return worded


def _due(room: Room) -> list[Memory]:
    where = Filter(states=KEPT, subtypes=MADE, scopes=room.scopes)
    found = room.store.scan(where, order="-recorded_at", limit=LOOKED_AT)
    open_ = [m for m in found if m.retired_at is None and not protected(m)]
    done = _worded_already(room, open_)
    return [memory for memory in open_ if memory.id not in done][:MOST]


def _worded_already(room: Room, memories: Sequence[Memory]) -> set[str]:
    """Give those whose present text was worded."""
    worded = {
        (revision.memory.id, revision.memory.hash)
        for revision in room.store.revisions([m.id for m in memories if m.rev > 1])
        if revision.op == OP
    }
    return {memory.id for memory in memories if (memory.id, memory.hash) in worded}


def _put(room: Room, memory: Memory, forms: ShortForms, model: str) -> bool:
    """Put the forms in the place of those that were cut, unless the text has changed meanwhile."""

    def alter(now: Memory) -> Memory:
        if now.hash != memory.hash:
            return now
        levels = make_levels(
            now.levels.full,
            room.counter,
            short=now.short,
            summary=forms.summary or now.levels.summary,
            hint=forms.hint or now.levels.hint,
            title=forms.title or now.levels.title,
        )
        return now.replace(levels=levels)

    note = f"worded by {model}"
    [after] = change(room.store, [memory.id], alter, op=OP, by=BY, at=room.now, note=note)
    return after.levels != memory.levels
