"""A memory as a row of the `memory` table, and back."""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import from_micros, micros
from tacit.codec import body_from_json, to_json
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
from tacit.store.postgres.words import tsvector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from tacit.model import Mention

# The columns of a memory, in the order `from_row` reads them.
COLUMNS = (
    "id short body full summary hint title full_tokens summary_tokens hint_tokens title_tokens "
    "hash rev tier pinned confirmed_by state confidence importance temporal valid_from valid_to "
    "recorded_at retired_at visibility author session origin trust source_ref learn_tokens "
    "subtype polarity anchors unverified evidence scope"
).split()
SELECT = ", ".join(f'm."{name}"' for name in COLUMNS)
WRITTEN = ["tenant", *COLUMNS, "kind", "key", "words", "terms", "lexemes"]
REPLACING = "ON CONFLICT (tenant, id) DO UPDATE SET " + ", ".join(
    f'"{name}" = excluded."{name}"' for name in WRITTEN if name not in ("tenant", "id")
)


def to_row(memory: Memory, tenant: int) -> tuple[Any, ...]:
    """Give the values of the columns that are written, in their order."""
    from tacit.store.index_text import search_text

    levels, words = memory.levels, search_text(memory)
    return (
        tenant,
        memory.id,
        memory.short,
        plain_json.dumps(to_json(memory.body), ensure_ascii=False, separators=(",", ":")),
        levels.full,
        levels.summary,
        levels.hint,
        levels.title,
        *levels.tokens,
        memory.hash,
        memory.rev,
        memory.tier.value,
        memory.pinned,
        memory.confirmed_by,
        memory.state.value,
        memory.confidence,
        memory.importance,
        memory.temporal.value,
        micros(memory.validity.valid_from),
        _micros(memory.validity.valid_to),
        micros(memory.recorded_at),
        _micros(memory.retired_at),
        memory.visibility.value,
        memory.author,
        memory.session,
        memory.origin.value,
        memory.trust.value,
        memory.source_ref,
        memory.learn_tokens,
        memory.subtype,
        memory.polarity.value,
        plain_json.dumps([[a.path, a.sha] for a in memory.anchors], ensure_ascii=False),
        memory.unverified,
        memory.evidence,
        memory.scope.path,
        memory.kind.value,
        memory.key,
        words,
        words.count(" ") + bool(words),
        tsvector(words),
    )


def from_row(row: tuple[Any, ...], mentions: tuple[Mention, ...]) -> Memory:
    """Rebuild a memory from the columns of `SELECT`."""
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
