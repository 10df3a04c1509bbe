"""Records: what another program keeps, to the letter, and the memory its words become.

Knows nothing about the programs. A record is a document of the store: JSON under a name that
says whose it is, as in `langgraph:project:shop#users#ana#:diet`. Where it has words worth
recalling, a memory is made of them that names the record as its source, so both come and go
together: erasing the memory removes the record, dropping the record erases the memory.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from hashlib import blake2b
from urllib.parse import quote

from tacit.errors import Denied, Invalid
from tacit.ingest.redaction import redact
from tacit.store.protocol import EVERYTHING
from tacit.value import Value
from tacit.write.reembed import BATCH, embed_now

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

    from tacit.draft import Draft
    from tacit.model import Memory
    from tacit.system import Tacit

MOST_NAME_CHARS = 4_500  # a memory names it as its source
MOST_RANKED = 1_000


class Record(Value):
    """Something to keep under a name, and the memory to make of it; None where there is none."""

    name: str
    held: Any
    draft: Draft | None = None


class Records:
    """The records of one interface in one scope."""

    def __init__(self, tacit: Tacit, family: str, *, redact: bool = False) -> None:
        """Take the memory they are kept in; with `redact` no secret is kept in them either."""
        self.tacit = tacit
        self.store = (
            tacit.blocks.store
        )  # where what is held is kept: a user's own is not the project's
        self._redact = redact
        self._root = f"{family}:{quote(tacit.scope.path, safe=':/')}"

    def name(self, place: Iterable[str], key: str) -> str:
        """Name a record by the labels of its place and its key; any two have different names."""
        name = f"{self._within(place)}:{_quoted(key)}"
        if len(name) > MOST_NAME_CHARS:
            raise Invalid(
                f"{key[:50]!r} and its place have a name of {len(name):,} characters, at most "
                f"{MOST_NAME_CHARS:,} can be kept; choose a shorter key"
            )
        return name

    def load(self, name: str) -> Any | None:
        """Give what a record holds, None where there is none."""
        text = self.store.load(name)
        return None if text is None else json.loads(text)

    def under(
        self, place: Iterable[str], *, backwards: bool = False, limit: int | None = None
    ) -> dict[str, Any]:
        """Give what the records of a place and all within it hold, by name."""
        within = self._within(place)
        found = self.store.documents(within, backwards=backwards, limit=limit)
        return {name: json.loads(text) for name, text in found}

    def ranked(
        self, query: str, place: Iterable[str], *, limit: int, among: Sequence[str] | None = None
    ) -> dict[str, float]:
        """Give the records of a place that a recall finds, best first, with their scores.

        With `among` only those of these names.
        """
        if not query.strip() or limit < 1 or among == []:
            return {}
        sources = {self._source(name): name for name in among or ()}
        where: dict[str, Any] = {"sources": tuple(sources)}
        if among is None:
            where = {"parts_of": self._within(place).removesuffix("#")}
        hits = self.tacit.recall(
            query, limit=min(limit, MOST_RANKED), scopes=(self.tacit.scope,), **where
        )
        found = ((hit.memory.source_ref, hit.score) for hit in hits)
        return {sources.get(source, source): score for source, score in found}

    @contextmanager
    def change(self) -> Iterator[Change]:
        """Let all changes of a block happen, or none; vectors are made when nobody waits any more."""
        settings = self.tacit.settings
        if settings is not None and settings.write == "off":
            raise Denied("the setting write = 'off' keeps anything from being written")
        self.tacit.counter.count(
            "a"
        )  # a tokenizer that is loaded now does not hold up others later
        made = Change(self)
        with self.store.transaction():
            yield made
        self._embed(made.memories)
        if made.erased and settings is not None:
            from tacit.session.last_good import drop_all

            drop_all(settings)  # it may tell what is to be gone

    def cleaned(self, held: Any, *, but: Collection[str] = ()) -> Any:
        """Give what may be kept in a record; what stands under the names `but` is no text."""
        return _scrubbed(held, but) if self._redact else held

    def memories_of(self, names: Iterable[str]) -> list[Memory]:
        """Give the memories made of records, whatever became of them."""
        sources = tuple(self._source(name) for name in names)
        if not sources:
            return []
        where = EVERYTHING.replace(sources=sources, scopes=(self.tacit.scope,))
        return list(self.store.scan(where))

    def source_of(self, record: Record) -> str:
        """Give the source a record's memory names."""
        return self._source(record.name)

    def _embed(self, memories: Sequence[Memory]) -> None:
        embedder = self.tacit.embedder if memories else None
        if embedder is None:
            return
        there = self.store.vectors(embedder.model, [memory.id for memory in memories])
        missing = [memory for memory in memories if memory.id not in there]
        for start in range(0, len(missing), BATCH):
            embed_now(self.store, missing[start : start + BATCH], embedder)

    def _within(self, place: Iterable[str]) -> str:
        return "#".join([self._root, *map(_quoted, place), ""])

    def _source(self, name: str) -> str:
        """Name a record in its memory; where a name holds a secret, a hash stands for it."""
        if redact(name).text == name:
            return name
        return f"{self._root}#{blake2b(name.encode(), digest_size=16).hexdigest()}"


class Change:
    """What is being changed, within one transaction."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._store = records.store
        self.memories: list[Memory] = []  # those that were made or said again
        self.erased = 0

    def keep(self, records: Sequence[Record]) -> None:
        """Keep records, each in place of what was kept under its name, and make their memories."""
        drafts = [
            record.draft.replace(source_ref=self._records.source_of(record), renews=True)
            for record in records
            if record.draft is not None
        ]
        self._erase(record.name for record in records if record.draft is None)
        for record in records:
            self.rewrite(record.name, record.held)
        if drafts:
            self.memories += self._writer().write(drafts).memories

    def rewrite(self, name: str, held: Any) -> None:
        """Keep something else under a name, and leave its memory as it is."""
        self._store.save(name, to_json(held))

    def drop(self, names: Sequence[str]) -> int:
        """Remove records and their memories; give how many records there were."""
        gone = self._store.discard(names)
        self._erase(names)
        return gone

    def _erase(self, names: Iterable[str]) -> None:
        if ids := [memory.id for memory in self._records.memories_of(names)]:
            self.erased += self._store.erase(ids)

    def _writer(self) -> Any:
        from tacit.write.remember import Writer

        tacit = self._records.tacit
        return Writer(
            self._store,
            clock=tacit.clock,
            scope=tacit.scope,
            counter=tacit.counter,
            embedder=None,
            compression=tacit.profile.compression,
        )


def to_json(held: Any) -> str:
    """Write what a record holds; half characters and such survive as escapes."""
    try:
        return json.dumps(held, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise Invalid(f"what is to be kept is not JSON ({error}); keep plain values") from error


def _quoted(label: str) -> str:
    if not isinstance(label, str):
        raise Invalid(f"a label or key is a string, not {type(label).__name__}")
    return quote(label, safe="", errors="surrogatepass")


def _scrubbed(held: Any, but: Collection[str]) -> Any:
    if isinstance(held, str):
        return redact(held).text
    if isinstance(held, list | tuple):
        return [_scrubbed(item, but) for item in held]
    if isinstance(held, dict):
        return {n: item if n in but else _assigned(n, item, but) for n, item in held.items()}
    return held


def _assigned(name: str, item: Any, but: Collection[str]) -> Any:
    """Give a value without secrets, also without one that its name alone betrays."""
    if not isinstance(item, str):
        return _scrubbed(item, but)
    before = f"{name}: "
    return redact(before + item).text.removeprefix(before)
