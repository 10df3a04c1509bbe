"""Handoffs: what one agent leaves for the next, kept until it is accepted and after.

A handoff is the block `handoff:<id>`, owned by its sender. Its text is the message as JSON with
every field its writer gave; people and briefings see it as lines.
"""

from __future__ import annotations

from tacit.clock import show_time
from tacit.errors import Conflict, Invalid, NotFound
from tacit.model import State, Trust
from tacit.session import json_text
from tacit.session.editing import Edit, Held, Said
from tacit.store.protocol import SERVED
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Memory
    from tacit.session.blocks import Blocks
    from tacit.session.json_text import Record

SORT = "handoff"
KEPT = (State.ACTIVE, State.ARCHIVED)  # open ones, and those that were accepted
LIMIT = 20_000
ANYONE = "*"  # whoever comes next; what names no receiver at all is open for none
_CONTEXT = (
    ("what_was_done", "Done"),
    ("needs_testing", "Needs testing"),
    ("known_issues", "Known issues"),
    ("artifacts", "Artifacts"),
    ("git_state", "Git"),
    ("relevant_patterns", "See"),
)


class Handoff(Value):
    """One agent's message to the next."""

    id: str
    from_agent: str
    to_agent: str
    timestamp: str
    accepted_at: str  # empty while it is open
    accepted_by: str
    record: Record  # all of it, as it was written
    held: Held

    @property
    def context(self) -> Record:
        """What was done and what the next one must know."""
        return json_text.inner(self.record, "context")

    @property
    def lines(self) -> list[str]:
        """Give it as lines for people."""
        return rendered(self.record)


class Handoffs:
    """The handoffs between all agents."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def send(
        self,
        from_agent: str,
        to_agent: str,
        context: Record,
        *,
        id: str = "",  # noqa: A002 - the field's name
        by: str = "",
        trust: Trust = Trust.AGENT,
    ) -> Handoff:
        """Leave a message; without an id it gets one. To no one in particular: whoever comes next."""
        from tacit.write.identity import short_of

        if not context or not any(json_text.word(context, name) for name in context):
            raise Invalid("a handoff without a word says nothing; tell at least what was done")
        clock = self._blocks.clock
        id_ = id or short_of(clock.new_id())
        record: Record = {
            "id": id_,
            "from_agent": from_agent,
            "to_agent": to_agent or ANYONE,
            "timestamp": show_time(clock.now()),
            "context": context,
        }
        if id and self._blocks.named(f"{SORT}:{id}"):
            raise Conflict(f"there is a handoff {id_!r} already; choose another id or give none")
        edit = Edit(
            label=f"{SORT}:{id_}",
            owner=from_agent,
            by=by or from_agent,
            trust=trust,
            rev=0,
            create=True,
            whole=True,
            limit=LIMIT,
        )
        return _handoff(self._blocks.apply(edit, lambda _old: _said(record)))

    def get(self, ref: str) -> Handoff:
        """Give a handoff by its id, or by the short name of its memory; also an accepted one."""
        named = [_handoff(h) for h in self._blocks.named(f"{SORT}:{ref}") if _is_kept(h)]
        found = named or [one for one in self._all(KEPT) if ref in (one.id, one.held.memory.short)]
        if not found:
            raise NotFound(f"there is no handoff {ref!r}; see: tacit handoff inbox")
        return found[-1]

    def accept(self, ref: str, *, by: str = "", trust: Trust = Trust.AGENT) -> Handoff:
        """Take a handoff on: it is no longer open, and put away. The first to accept has it."""
        found = self.get(ref)
        now = show_time(self._blocks.clock.now())

        def tell(old: str) -> Said:
            record = _record(old, found.id)
            if at := json_text.word(record, "accepted_at"):
                who = json_text.word(record, "accepted_by") or "someone"
                raise Conflict(f"handoff {found.id!r} was accepted by {who} at {at}")
            taken: Record = {"accepted_at": now, "accepted_by": by or found.to_agent}
            return _said(record | taken)

        edit = Edit(
            label=found.held.body.label,
            owner=found.held.body.owner,
            by=by or found.to_agent,
            trust=trust,
            limit=max(LIMIT, found.held.body.limit),
            states=KEPT,
            state=State.ARCHIVED,  # what it asks for is taken care of
        )
        return _handoff(self._blocks.apply(edit, tell))

    def inbox(self, agent: str, *, accepted: bool = False) -> list[Handoff]:
        """Give what is open for an agent, oldest first; with `accepted` also what was taken on."""
        every = self._all(KEPT if accepted else SERVED)
        mine = [one for one in every if one.to_agent in (agent or ANYONE, ANYONE)]
        return [one for one in mine if accepted or not one.accepted_at]

    def open_for(self, agent: str) -> list[Memory]:
        """Give the memories of what is open for an agent, oldest first: for its briefing."""
        return [one.held.memory for one in self.inbox(agent)]

    def _all(self, states: tuple[State, ...]) -> list[Handoff]:
        found = [_handoff(held) for held in self._blocks.list(sort=SORT, states=states)]
        return sorted(found, key=lambda one: (one.timestamp, one.held.memory.id))


def _is_kept(held: Held) -> bool:
    return held.memory.state in KEPT


def rendered(record: Record) -> list[str]:
    """Give a handoff as lines for people."""
    context = json_text.inner(record, "context")
    known = {name for name, _ in _CONTEXT}
    shown = json_text.lines(context, _CONTEXT)
    shown += json_text.lines(context, [(name, name) for name in context if name not in known])
    if notes := json_text.word(record, "notes"):
        shown.append(notes)
    return shown


def _handoff(held: Held) -> Handoff:
    record = _record(held.text, held.body.label.partition(":")[2])
    told = {
        name: json_text.word(record, name)
        for name in ("id", "from_agent", "to_agent", "timestamp", "accepted_at", "accepted_by")
    }
    told["id"] = told["id"] or held.body.label.partition(":")[2]
    told["timestamp"] = told["timestamp"] or show_time(held.memory.validity.valid_from)
    return Handoff(**told, record=record, held=held)


def _record(text: str, id_: str) -> Record:
    """Read a handoff; one that is free text, as some agents write, is its notes."""
    found = json_text.read(text)
    return {"id": id_, "notes": text} if found is None else found


def _said(record: Record) -> Said:
    from tacit.text import shorten

    text = json_text.write(record)
    told = json_text.read(text) or {}
    names = [json_text.word(told, name) for name in ("from_agent", "to_agent")]
    title = (
        f"handoff from {names[0] or 'someone'} to {names[1].replace(ANYONE, 'anyone') or 'anyone'}"
    )
    shown = rendered(told)
    return Said(
        text=text,
        title=title,
        hint=shorten(f"{title}: {shown[0]}" if shown else title, 100),
        summary=shorten("; ".join([title, *shown]), 400),
    )
