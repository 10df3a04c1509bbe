"""Blocks: small labelled texts that are always at hand and edited in place, within a limit.

A label has one live block for each owner and scope. Every edit happens inside one transaction,
against the text that is there then, and leaves a revision: two who edit at once both get
their words in, and one who rewrites a text that has changed since it was read is told.
"""

from __future__ import annotations

from tacit.body import Block
from tacit.errors import Invalid, NotFound
from tacit.model import Kind, Memory, Origin, State, Trust
from tacit.session.editing import (
    LIMIT,
    Edit,
    Held,
    Said,
    checked_limit,
    checked_name,
    editable,
    fits,
    named,
    settled,
    unchanged,
)
from tacit.store.protocol import EVERY_STATE, SERVED, Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.clock import Clock
    from tacit.draft import Draft
    from tacit.encode.ports import TokenCounter
    from tacit.model import Scope
    from tacit.store.protocol import Store
    from tacit.write.remember import Written


class Blocks:
    """The blocks of one scope."""

    def __init__(
        self,
        store: Store,
        *,
        scope: Scope,
        clock: Clock,
        counter: Callable[[], TokenCounter],
        write: Callable[[Sequence[Draft]], Written],
        permit: Callable[[], None] = lambda: None,
    ) -> None:
        """Take what blocks are kept with; `write` must not embed, it runs within the lock.

        `permit` raises where nothing may be written.
        """
        self.store, self.scope, self.clock = store, scope, clock
        self._counter, self._write, self._permit = counter, write, permit

    def get(self, label: str, owner: str = "") -> Held:
        """Give a block that is served."""
        if held := self.find(label, owner):
            return held
        raise NotFound(f"there is no block {named(label, owner)}; see: tacit block list")

    def find(self, label: str, owner: str = "") -> Held | None:
        """Give a block that is served, None where there is none."""
        found = self._find(label, owner)
        return Held(memory=found) if found and found.state is State.ACTIVE else None

    def set(
        self,
        label: str,
        text: str,
        *,
        owner: str = "",
        limit: int | None = None,
        read_only: bool | None = None,
        rev: int | None = None,
        by: str = "",
        trust: Trust = Trust.AGENT,
    ) -> Held:
        """Give a block this text, whatever it said before; one that is not there is made.

        With `rev` (0: it must not be there) only the text that was read is replaced.
        """
        edit = Edit(
            label=label,
            owner=owner,
            by=by,
            trust=trust,
            rev=rev,
            create=True,
            whole=True,
            limit=limit,
            read_only=read_only,
        )
        return self.apply(edit, lambda _old: Said(text=text))

    def insert(
        self,
        label: str,
        text: str,
        *,
        line: int | None = None,
        owner: str = "",
        rev: int | None = None,
        by: str = "",
        trust: Trust = Trust.AGENT,
    ) -> Held:
        """Add lines below the given one: 0 puts them first, None last."""

        def tell(old: str) -> Said:
            rows = old.split("\n")
            place = len(rows) if line is None or line == -1 else line
            if not 0 <= place <= len(rows):
                has = f"{len(rows)} line{'s' * (len(rows) != 1)}"
                raise Invalid(f"block {named(label, owner)} has {has}; there is no line {line}")
            return Said(text="\n".join([*rows[:place], text, *rows[place:]]))

        return self.apply(Edit(label=label, owner=owner, rev=rev, by=by, trust=trust), tell)

    def replace(
        self,
        label: str,
        old: str,
        new: str,
        *,
        owner: str = "",
        rev: int | None = None,
        by: str = "",
        trust: Trust = Trust.AGENT,
    ) -> Held:
        """Put other words in the place of some that stand in it exactly once."""

        def tell(text: str) -> Said:
            at = text.find(old) if old else -1
            name = named(label, owner)
            if at < 0:
                raise Invalid(f"block {name} does not say {old!r}; see: tacit block get {label}")
            if text.find(old, at + 1) >= 0:
                raise Invalid(f"block {name} says {old!r} more than once; give more of the text")
            return Said(text=text[:at] + new + text[at + len(old) :])

        return self.apply(Edit(label=label, owner=owner, rev=rev, by=by, trust=trust), tell)

    def rethink(
        self,
        label: str,
        text: str,
        *,
        owner: str = "",
        rev: int | None = None,
        by: str = "",
        trust: Trust = Trust.AGENT,
    ) -> Held:
        """Rewrite a block that is there; as `set`, but a misspelt label makes no new one."""
        edit = Edit(label=label, owner=owner, rev=rev, by=by, trust=trust, whole=True)
        return self.apply(edit, lambda _old: Said(text=text))

    def apply(self, edit: Edit, tell: Callable[[str], Said]) -> Held:
        """Change a block by a function of its text; all of it happens, or none.

        The function gets an empty text where the block is not there, and may be called only
        once the lock is held: what it raises leaves everything as it was.
        """
        label = checked_name(edit.label, "label")
        owner = checked_name(edit.owner, "owner", needed=False)
        self._permit()
        counter = self._counter()
        counter.count("a")  # a tokenizer that is loaded now does not hold up others later
        with self.store.transaction():
            old = self._find(label, owner)
            live = old is not None and old.state in edit.states
            if not live and not edit.create:
                raise NotFound(
                    f"there is no block {named(label, owner)}; make it with: tacit block set"
                )
            unchanged(edit, old if live else None)
            if old is None:
                return self._new(edit, tell(""))
            editable(edit, old)
            said = tell(old.text if live else "")
            return self._changed(edit, old, said, counter)

    def named(self, label: str) -> list[Held]:
        """Give the blocks of a label, whoever owns them and whatever their state."""
        ours = self._scan(parts_of=_source(label, ""))
        return [Held(memory=m) for m in ours or self._scan() if _is(m, label)]

    # Last: below it, `list` means this method to a type checker.

    def list(
        self,
        owner: str | None = None,
        *,
        sort: str = "",
        states: tuple[State, ...] = SERVED,
    ) -> list[Held]:
        """Give the blocks that are served, by label; those of one owner, or of one sort.

        The sort is what stands before a colon in the label, as in `handoff:7`.
        """
        found = {
            (memory.body.label, memory.body.owner): Held(memory=memory)
            for memory in self._scan(states=states)
            if isinstance(memory.body, Block)
        }
        return [
            held
            for (label, whose), held in sorted(found.items())
            if owner in (None, whose) and (not sort or label.startswith(f"{sort}:"))
        ]

    def _scan(
        self,
        *,
        sources: tuple[str, ...] = (),
        parts_of: str = "",
        states: tuple[State, ...] = EVERY_STATE,
    ) -> Sequence[Memory]:
        """Give blocks, the one to be used last where several have one name."""
        where = Filter(
            kinds=(Kind.BLOCK,),
            states=states,
            scopes=(self.scope,),
            sources=sources,
            parts_of=parts_of,
        )
        found = [memory for memory in self.store.scan(where) if memory.retired_at is None]
        return sorted(found, key=lambda m: (m.state is State.ACTIVE, _is_ours(m), m.id))

    def _find(self, label: str, owner: str) -> Memory | None:
        """Give a block in any state; one that is served comes before one that is put away.

        Our own are found by their source, those that were imported only by looking through all.
        """
        ours = [m for m in self._scan(sources=(_source(label, owner),)) if _is(m, label, owner)]
        if ours and ours[-1].state is State.ACTIVE:
            return ours[-1]
        others = [m for m in self._scan(states=SERVED) if _is(m, label, owner)]
        return next(reversed(others or ours), None)

    def _new(self, edit: Edit, said: Said) -> Held:
        from tacit.draft import Draft
        from tacit.ingest.redaction import redact

        body = Block(
            label=edit.label,
            owner=edit.owner,
            limit=checked_limit(edit.limit or LIMIT),
            read_only=bool(edit.read_only),
        )
        text = redact(said.text).text
        fits(text, body)
        given = Draft(
            text=text,
            kind=Kind.BLOCK,
            body=body,
            title=said.title or edit.label,
            hint=said.hint,
            summary=said.summary,
            author=edit.by or edit.owner,
            origin=_origin(edit.trust),
            trust=edit.trust,
            source_ref=_source(edit.label, edit.owner),
        )
        return Held(memory=self._write([given]).memories[0])

    def _changed(self, edit: Edit, old: Memory, said: Said, counter: TokenCounter) -> Held:
        from tacit.encode.levels import make_levels
        from tacit.ingest.redaction import redact
        from tacit.write.change import rewritten
        from tacit.write.history import change

        def alter(memory: Memory) -> Memory:
            new = rewritten(memory, said.text, counter)
            body = settled(edit, memory)
            fits(new.text, body)
            levels = make_levels(
                new.text,
                counter,
                short=memory.short,
                title=redact(said.title).text or edit.label,
                hint=redact(said.hint).text,
                summary=redact(said.summary).text,
            )
            if new.text == memory.text:  # what the shorter forms are cut from has not changed
                levels = memory.levels
            weaker = min(memory.trust, edit.trust, key=lambda trust: trust.authority)
            said_by = edit.trust if edit.whole else weaker
            return new.replace(
                body=body,
                levels=levels,
                trust=said_by if new.text != memory.text else memory.trust,
                state=edit.state,
            )

        # As an edit: reading the file it was imported from again does not undo it.
        by, at = edit.by or edit.owner, self.clock.now()
        return Held(memory=change(self.store, [old.id], alter, op="edit", by=by, at=at)[0])


def _source(label: str, owner: str) -> str:
    return f"block:{label}#{owner}" if owner else f"block:{label}"


def _is(memory: Memory, label: str, owner: str | None = None) -> bool:
    body = memory.body
    return isinstance(body, Block) and body.label == label and owner in (None, body.owner)


def _is_ours(memory: Memory) -> bool:
    return memory.source_ref.startswith("block:")


def _origin(trust: Trust) -> Origin:
    return {Trust.HUMAN: Origin.HUMAN, Trust.IMPORT: Origin.IMPORT}.get(trust, Origin.AGENT)
