"""A memory as a row of the `memory` table, and back.

What a file holds was not always written by us: what cannot be read is told as damage, with the
name of the record, and never as a fault of whoever asked.
"""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import from_micros, micros
from tacit.codec import body_from_json, from_json, to_json
from tacit.errors import Corrupt, Invalid
from tacit.model import (
    Anchor,
    Levels,
    Memory,
    Origin,
    Polarity,
    Scope,
    State,
    Temporal,
    Tier,
    Trust,
    Validity,
    Visibility,
)
from tacit.store.sqlite.where import PAST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from types import TracebackType
    from typing import Any, TypeVar

    from tacit.model import Mention
    from tacit.value import Value

    V = TypeVar("V", bound=Value)

# The columns of a memory, in the order `from_row` reads them; `scope` is joined in by path.
COLUMNS = (
    "id short body full summary hint title full_tokens summary_tokens hint_tokens title_tokens "
    "hash rev tier pinned confirmed_by state confidence importance temporal valid_from valid_to "
    "recorded_at retired_at visibility author session origin trust source_ref learn_tokens "
    "subtype polarity anchors unverified evidence"
).split()
SELECT = ", ".join(f"m.{name}" for name in COLUMNS) + ", s.path"
# What reading a record that nobody here wrote may raise.
UNREADABLE = (Invalid, ValueError, TypeError, KeyError, OverflowError, RecursionError)
UPSERT = "INSERT INTO memory ({names}) VALUES ({marks}) ON CONFLICT (id) DO UPDATE SET {updates}"


def upsert_sql() -> str:
    """The statement that inserts a memory or replaces it by id."""
    names = [*COLUMNS, "kind", "key", "tags", "words", "terms", "scope"]
    return UPSERT.format(
        names=", ".join(names),
        marks=", ".join(f":{name}" for name in names),
        updates=", ".join(f"{name} = excluded.{name}" for name in names if name != "id"),
    )


def to_row(memory: Memory, scope_row: int) -> dict[str, Any]:
    """Give the values of `upsert_sql` for a memory."""
    from tacit.store.index_text import search_text

    levels, words = memory.levels, search_text(memory)
    return {
        "id": memory.id,
        "short": memory.short,
        "kind": memory.kind.value,
        "key": memory.key,
        "body": plain_json.dumps(to_json(memory.body), ensure_ascii=False, separators=(",", ":")),
        "full": levels.full,
        "summary": levels.summary,
        "hint": levels.hint,
        "title": levels.title,
        "full_tokens": levels.tokens[0],
        "summary_tokens": levels.tokens[1],
        "hint_tokens": levels.tokens[2],
        "title_tokens": levels.tokens[3],
        "hash": memory.hash,
        "rev": memory.rev,
        "tier": memory.tier.value,
        "pinned": int(memory.pinned),
        "confirmed_by": memory.confirmed_by,
        "state": memory.state.value,
        "confidence": memory.confidence,
        "importance": memory.importance,
        "temporal": memory.temporal.value,
        "valid_from": micros(memory.validity.valid_from),
        "valid_to": _micros(memory.validity.valid_to),
        "recorded_at": micros(memory.recorded_at),
        "retired_at": _micros(memory.retired_at),
        "visibility": memory.visibility.value,
        "author": memory.author,
        "session": memory.session,
        "origin": memory.origin.value,
        "trust": memory.trust.value,
        "source_ref": memory.source_ref,
        "learn_tokens": memory.learn_tokens,
        "subtype": memory.subtype,
        "polarity": memory.polarity.value,
        "anchors": plain_json.dumps([[a.path, a.sha] for a in memory.anchors], ensure_ascii=False),
        "unverified": int(memory.unverified),
        "evidence": int(memory.evidence),
        "scope": scope_row,
        "tags": " ".join(tags_of(memory, scope_row)),
        "words": words,
        "terms": words.count(" ") + bool(words),
    }


def tags_of(memory: Memory, scope_row: int) -> list[str]:
    """Tokens that narrow a text search; `where.tag_groups` asks for them."""
    tags = [
        f"kind:{memory.kind}",
        f"tier:{memory.tier}",
        f"state:{memory.state}",
        f"polarity:{memory.polarity}",
        f"scope:{scope_row}",
        "class:evidence" if memory.evidence else "class:memory",
    ]
    ended = memory.validity.valid_to
    if memory.retired_at and ended and ended <= memory.retired_at:
        tags.append(PAST)
    return tags


def from_row(row: tuple[Any, ...], mentions: tuple[Mention, ...]) -> Memory:
    """Rebuild a memory from the columns of `SELECT`."""
    with Readable(f"memory {row[1]!r}"):
        return _memory(row, mentions)


def read_record(cls: type[V], text: str) -> V:
    """Rebuild a record that is kept as JSON."""
    with Readable(f"a {cls.__name__}"):
        return from_json(cls, plain_json.loads(text))


class Readable:
    """A block that reads what the file holds of one record."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, UNREADABLE):
            why = " ".join(str(error).split())[:100]
            raise Corrupt(
                f"{self._what[:40]} in the store cannot be read ({why}); "
                "restore a backup with: tacit backup load"
            ) from error


def _memory(row: tuple[Any, ...], mentions: tuple[Mention, ...]) -> Memory:
    (
        id_, short, body, full, summary, hint, title, full_n, summary_n, hint_n, title_n,
        hash_, rev, tier, pinned, confirmed_by, state, confidence, importance, temporal,
        valid_from, valid_to, recorded_at, retired_at, visibility, author, session, origin,
        trust, source_ref, learn_tokens, subtype, polarity, anchors, unverified,
        evidence, scope,
    ) = row  # fmt: skip
    return Memory(
        id=id_,
        short=short,
        body=body_from_json(plain_json.loads(body)),
        levels=Levels.from_row((full, summary, hint, title, (full_n, summary_n, hint_n, title_n))),
        hash=hash_,
        scope=Scope.from_row((scope,)),
        validity=Validity.from_row((from_micros(valid_from), _moment(valid_to))),
        recorded_at=from_micros(recorded_at),
        retired_at=_moment(retired_at),
        subtype=subtype,
        polarity=Polarity(polarity),
        rev=rev,
        tier=Tier(tier),
        pinned=bool(pinned),
        confirmed_by=confirmed_by,
        state=State(state),
        confidence=confidence,
        importance=importance,
        temporal=Temporal(temporal),
        visibility=Visibility(visibility),
        author=author,
        session=session,
        origin=Origin(origin),
        trust=Trust(trust),
        source_ref=source_ref,
        learn_tokens=learn_tokens,
        mentions=mentions,
        anchors=_anchors(anchors) if anchors != "[]" else (),
        unverified=bool(unverified),
        evidence=bool(evidence),
    )


def _anchors(text: str) -> tuple[Anchor, ...]:
    return tuple(Anchor(path=path, sha=sha) for path, sha in plain_json.loads(text))


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else micros(moment)


def _moment(value: int | None) -> datetime | None:
    return None if value is None else from_micros(value)
