"""Contradictions as rows."""

from __future__ import annotations

from tacit.clock import from_micros, micros
from tacit.model import Contradiction, Resolution

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SETTLED = ("resolution", "resolved_at", "resolved_by", "resolution_note", "merged_into")
_COLUMNS = (
    *("id", "a", "b", "detector", "score", "hash_a", "hash_b", "detected_at", "note"),
    *("suggestion", *_SETTLED),
)
SELECT = f"SELECT {', '.join(_COLUMNS)} FROM contradiction WHERE tenant = %s ORDER BY id"
# Of two resolutions the first stands; of two at once the one whose name comes first, so that
# it does not matter who is merged into whom.
INSERT = (
    f"INSERT INTO contradiction (tenant, {', '.join(_COLUMNS)}) "
    f"VALUES ({', '.join(['%s'] * (1 + len(_COLUMNS)))}) "
    "ON CONFLICT (tenant, a, b, hash_a, hash_b) DO UPDATE SET "
    f"{', '.join(f'{c} = excluded.{c}' for c in _SETTLED)} "
    "WHERE excluded.resolved_at IS NOT NULL AND (contradiction.resolved_at IS NULL OR "
    "(excluded.resolved_at, excluded.resolution, excluded.resolved_by, "
    "excluded.resolution_note, excluded.merged_into) < "
    "(contradiction.resolved_at, contradiction.resolution, contradiction.resolved_by, "
    "contradiction.resolution_note, contradiction.merged_into))"
)


def to_row(given: Contradiction, tenant: int) -> tuple[Any, ...]:
    """Give the values of a record, in the order of the columns."""
    return (
        tenant,
        given.id,
        given.a,
        given.b,
        given.detector,
        given.score,
        *given.hashes,
        micros(given.detected_at),
        given.note,
        given.suggestion or "",
        given.resolution or "",
        None if given.resolved_at is None else micros(given.resolved_at),
        given.resolved_by,
        given.resolution_note,
        given.merged_into,
    )


def from_row(row: tuple[Any, ...]) -> Contradiction:
    """Make a record of its values."""
    id_, a, b, detector, score, hash_a, hash_b, detected_at, note, suggestion, *settled = row
    resolution, resolved_at, resolved_by, resolution_note, merged_into = settled
    return Contradiction(
        id=id_,
        a=a,
        b=b,
        detector=detector,
        score=score,
        hashes=(hash_a, hash_b),
        detected_at=from_micros(detected_at),
        note=note,
        suggestion=Resolution(suggestion) if suggestion else None,
        resolution=Resolution(resolution) if resolution else None,
        resolved_at=None if resolved_at is None else from_micros(resolved_at),
        resolved_by=resolved_by,
        resolution_note=resolution_note,
        merged_into=merged_into,
    )
