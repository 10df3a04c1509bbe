"""The one way in: drafts become memories, in one transaction, or nothing changes.

The order is the promise: check and redact, then compute what is slow (levels, vectors), then
take the lock, decide about duplicates and supersession against what is really there, and
write. Nothing is acknowledged before the commit is on disk.
"""

from __future__ import annotations

from tacit.body import Block
from tacit.encode.embedding import vector_text
from tacit.encode.facets import find_mentions, merge_mentions
from tacit.encode.levels import TENTH, make_levels, short_forms
from tacit.errors import Unavailable
from tacit.model import Facet, FacetType, Memory, Mention, Validity, compact
from tacit.value import Value
from tacit.write.batch import Batch
from tacit.write.clean import body_of, clean_all, mentions_of, temporal_of, text_of
from tacit.write.identity import content_hash, short_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.body import Body
    from tacit.clock import Clock
    from tacit.draft import Draft
    from tacit.encode.ports import Embedder, TokenCounter
    from tacit.model import Contradiction, Scope
    from tacit.store.protocol import Store

# Up to this many drafts are embedded and compared with what is there at once; larger batches
# leave vectors to the queue (`reembed`) and likeness to consolidation.
AT_ONCE = 32


class Written(Value):
    """What a write changed. `memories` has one entry for each draft, in order."""

    memories: tuple[Memory, ...]
    fresh: tuple[Memory, ...]
    reinforced: int
    renewed: int
    closed: tuple[str, ...]
    contradictions: tuple[Contradiction, ...]
    redacted: dict[str, int]

    @property
    def new(self) -> int:
        """How many of the memories were not there before."""
        return len(self.fresh)


class Writer:
    """Writes drafts into a store on behalf of one scope."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        scope: Scope,
        counter: TokenCounter,
        embedder: Embedder | None,
        compression: int = TENTH,
    ) -> None:
        self._store = store
        self._clock = clock
        self._scope = scope
        self._counter = counter
        self._embedder = embedder
        self._compression = compression

    def write(self, drafts: Sequence[Draft]) -> Written:
        """Keep all of the drafts, or raise and keep none."""
        now = self._clock.now()
        redacted: dict[str, int] = {}
        fresh: list[Memory] = []
        cleaned: list[Draft] = []
        for draft, counts in clean_all(drafts):
            cleaned.append(draft)
            fresh.append(self._memory(draft, now))
            for name, count in counts.items():
                redacted[name] = redacted.get(name, 0) + count
        few = len(fresh) <= AT_ONCE
        vectors = self._embed(fresh) if few else {}
        batch = Batch(
            self._store,
            now,
            vectors,
            self._embedder,
            compare=few,
            counter=self._counter,
            new_id=self._clock.new_id,
        )
        with self._store.transaction():
            batch.open(fresh, cleaned)
            kept = [batch.add(memory, given) for memory, given in zip(fresh, cleaned, strict=True)]
            batch.flush()
        return Written(
            memories=tuple(batch.final(memory) for memory in kept),
            fresh=tuple(batch.new.values()),
            reinforced=len(batch.reinforced),
            renewed=len(batch.renewed),
            closed=tuple(batch.closed),
            contradictions=tuple(batch.contradictions),
            redacted=redacted,
        )

    def _memory(self, given: Draft, now: datetime) -> Memory:
        id_, text, body = self._clock.new_id(), text_of(given), body_of(given)
        valid_from = given.valid_from or now
        made = isinstance(body, Block) and body.read_only  # an overview is about nothing in it
        found = () if made else find_mentions(text)
        forms = short_forms(body, given.title, self._compression)
        short = short_of(id_)
        return Memory(
            id=id_,
            short=short,
            body=body,
            levels=make_levels(
                text,
                self._counter,
                short=short,
                summary=given.summary or forms.summary,
                hint=given.hint or forms.hint,
                title=given.title or forms.title,
                compression=self._compression,
            ),
            hash=content_hash(
                text,
                body,
                polarity=given.polarity,
                author=given.author,
                session=given.session,
                valid_from=valid_from,
            ),
            scope=given.scope or self._scope,
            validity=Validity(valid_from=valid_from, valid_to=given.valid_to),
            recorded_at=now,
            temporal=temporal_of(given),
            mentions=merge_mentions(mentions_of(given), found, _author(given.author), _key(body)),
            **{name: getattr(given, name) for name in _TAKEN_OVER},
        )

    def _embed(self, memories: Sequence[Memory]) -> dict[str, bytes]:
        if self._embedder is None or not memories:
            return {}
        try:
            vectors = self._embedder.embed([vector_text(memory) for memory in memories])
        except Unavailable:  # what is said is kept all the same; the vectors wait in the queue
            return {}
        return {memory.id: vector for memory, vector in zip(memories, vectors, strict=True)}


_TAKEN_OVER = (
    "subtype polarity tier pinned state confidence importance visibility author session origin "
    "trust source_ref learn_tokens anchors evidence"
).split()


def _key(body: Body) -> tuple[Mention, ...]:
    """Give the parts of a fact's key, so that a question that names them finds it."""
    parts = getattr(body, "key", "").split()
    return tuple(
        Mention(facet=Facet(type=FacetType.ENTITY, name=part)) for part in parts if compact(part)
    )


def _author(name: str) -> tuple[Mention, ...]:
    if not name.strip():
        return ()
    return (Mention(facet=Facet(type=FacetType.PERSON, name=name)),)
