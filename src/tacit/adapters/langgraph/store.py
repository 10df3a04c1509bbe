"""The store itself: LangGraph's operations on records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, PutOp, SearchOp

from tacit.adapters.holder import Holder
from tacit.adapters.langgraph.items import (
    FAMILY,
    draft_of,
    held_of,
    item_of,
    lives,
    refreshed,
    search_item_of,
)
from tacit.adapters.langgraph.matching import fits, listed
from tacit.adapters.langgraph.sweeper import Sweeper
from tacit.adapters.langgraph.words import WHOLE
from tacit.adapters.records import Record, Records
from tacit.adapters.threads import in_thread
from tacit.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import Future
    from datetime import datetime
    from typing import Literal, Self

    from langgraph.store.base import IndexConfig, Op, Result, TTLConfig

    from tacit.adapters.langgraph.items import Held
    from tacit.system import Tacit

_MADE_BY_TACIT = ("embed", "dims")


class TacitStore(Holder, BaseStore):
    """Items of LangGraph, kept in a project's memory."""

    supports_ttl = True

    def __init__(
        self,
        tacit: Tacit,
        *,
        index: IndexConfig | Literal[False] | None = None,
        ttl: TTLConfig | None = None,
        redact: bool = False,
    ) -> None:
        """Keep items in a memory that is open.

        All strings of a value become a memory, unless `index` names `fields` or is False.
        `ttl` is as for LangGraph's own stores; what has expired is never given, swept or not.
        With `redact` no secret is kept in values either.
        """
        self.tacit, self.ttl_config = tacit, ttl
        self._records = Records(tacit, FAMILY, redact=redact)
        self._fields = _fields(index)
        self._sweeper = Sweeper(self.sweep_ttl)

    @classmethod
    def open(
        cls,
        location: str | None = None,
        *,
        project: str | None = None,
        scope: str | None = None,
        index: IndexConfig | Literal[False] | None = None,
        ttl: TTLConfig | None = None,
        redact: bool = False,
    ) -> Self:
        """Open a memory as `Tacit.open` does, and keep items in it; `close` closes it."""
        from tacit.system import Tacit

        tacit = Tacit.open(location, project=project, scope=scope)
        store = cls(tacit, index=index, ttl=ttl, redact=redact)
        store.opened_here = True
        return store

    def close(self) -> None:
        """End the sweeper, and close the memory if it was opened here."""
        self._sweeper.stop()
        super().close()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do operations; all that read see what was there before those that write.

        The writes of a batch happen all or none, of several to one key the last.
        """
        now = self.tacit.clock.now()
        results: list[Result] = []
        puts: dict[str, PutOp] = {}
        read: set[str] = set()  # of what expires: it lives longer for being read
        for op in ops:
            seen: dict[str, Held] = {}
            if isinstance(op, PutOp):
                puts[self._records.name(op.namespace, op.key)] = op
                results.append(None)
            elif isinstance(op, GetOp):
                seen = self._get(op, now)
                results.append(next(map(item_of, seen.values()), None))
            elif isinstance(op, SearchOp):
                seen, scores = self._search(op, now)
                results.append([search_item_of(held, scores.get(n)) for n, held in seen.items()])
            elif isinstance(op, ListNamespacesOp):
                results.append(self._namespaces(op, now))
            else:
                raise Invalid(f"{type(op).__name__} is no operation of a store")
            if seen and op.refresh_ttl:  # type: ignore[union-attr]  # only these see anything
                read |= {name for name, held in seen.items() if held["ttl"] is not None}
        self._write(puts, read - puts.keys(), now)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do operations in a thread."""
        return await in_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Remove what has expired; give how many items that were."""
        now = self.tacit.clock.now()
        with self._records.change() as change:
            every = self._records.under(())
            return change.drop([name for name, held in every.items() if not lives(held, now)])

    def start_ttl_sweeper(self, sweep_interval_minutes: float | None = None) -> Future[None]:
        """Sweep every few minutes in a thread, until `stop_ttl_sweeper`."""
        told = (self.ttl_config or {}).get("sweep_interval_minutes")
        return self._sweeper.start(sweep_interval_minutes or told)

    def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        """End the sweeper; tell whether it has ended within some seconds."""
        return self._sweeper.stop(timeout)

    def _get(self, op: GetOp, now: datetime) -> dict[str, Held]:
        name = self._records.name(op.namespace, op.key)
        held = self._records.load(name)
        return {name: held} if held is not None and lives(held, now) else {}

    def _search(self, op: SearchOp, now: datetime) -> tuple[dict[str, Held], dict[str, float]]:
        """Give what a recall finds, best first and with its scores; then the latest of the others."""
        found = {
            name: held
            for name, held in self._living(op.namespace_prefix, now).items()
            if fits(held["value"], op.filter)
        }
        scores: dict[str, float] = {}
        if op.query and found:
            scores = self._records.ranked(
                op.query,
                op.namespace_prefix,
                limit=op.offset + op.limit,
                among=list(found) if op.filter else None,
            )
        latest = sorted(found, key=lambda name: (-found[name]["updated"], name))
        order = [name for name in dict.fromkeys([*scores, *latest]) if name in found]
        return {name: found[name] for name in order[op.offset : op.offset + op.limit]}, scores

    def _namespaces(self, op: ListNamespacesOp, now: datetime) -> list[tuple[str, ...]]:
        there = {tuple(held["namespace"]) for held in self._living((), now).values()}
        found = listed(there, op.match_conditions, op.max_depth)
        return found[op.offset : op.offset + op.limit]

    def _living(self, prefix: Sequence[str], now: datetime) -> dict[str, Held]:
        every = self._records.under(prefix)
        return {name: held for name, held in every.items() if lives(held, now)}

    def _write(self, puts: dict[str, PutOp], read: Iterable[str], now: datetime) -> None:
        settings = self.tacit.settings
        if settings is not None and settings.write == "off":
            read = ()  # who may not write reads all the same
        if not puts and not read:
            return
        with self._records.change() as change:
            change.drop([name for name, op in puts.items() if op.value is None])
            change.keep([r for name, op in puts.items() if (r := self._record(name, op, now))])
            for name in read:
                if (held := self._records.load(name)) is not None:
                    change.rewrite(name, refreshed(held, now))

    def _record(self, name: str, op: PutOp, now: datetime) -> Record | None:
        if op.value is None:
            return None
        value = self._records.cleaned(dict(op.value))
        fields = self._fields if op.index is None else op.index or ()
        return Record(
            name=name,
            held=held_of(op, value, self._records.load(name), now),
            draft=draft_of(name, op.namespace, value, fields),
        )


def _fields(index: IndexConfig | Literal[False] | None) -> tuple[str, ...]:
    """Give the fields whose words become memories."""
    if index is False:
        return ()
    given = index or {}
    if name := next((name for name in _MADE_BY_TACIT if name in given), None):
        raise Invalid(
            f"Tacit makes vectors by itself: leave {name!r} out of the index, and name another "
            "model with TACIT_EMBEDDER"
        )
    return tuple(given.get("fields") or (WHOLE,))
