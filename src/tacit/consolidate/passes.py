"""The passes of a cycle, in the order they run."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.consolidate.room import Pass

PASSES: tuple[tuple[str, Pass], ...] = ()
