"""Tacit as one more entrant of the speed race: the same jobs, the same given vectors.

Run by the race's driver as a script; `harness` lies beside the scripts of the peers.
"""

# mypy: disable-error-code="import-not-found"
from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.draft import Draft
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit
from tacit.write.remember import AT_ONCE

sys.path.insert(0, str(Path(__file__).parent / "peers" / "scripts"))

from harness import run

if TYPE_CHECKING:
    from harness import Item

HOME = Scope(path="project:main")


class Given:
    """An embedder that is told the vectors beforehand, so that no model's time is counted."""

    model = "given-384"
    dimension = 384

    def __init__(self) -> None:
        self.vectors: dict[str, bytes] = {}

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give the vectors that were told."""
        return [self.vectors[text] for text in texts]


class Entrant:
    """The facade, as any program would use it."""

    def __init__(self, directory: Path, full_sync: bool) -> None:
        del full_sync  # an acknowledged memory is always on the disk
        self._given = Given()
        self.tacit = Tacit(connect(str(directory / "memory.db")), scope=HOME, embedder=self._given)

    def add(self, items: Sequence[Item]) -> int:
        """Keep these, one call for all of them."""
        self._given.vectors = {item.text: item.vector.tobytes() for item in items}
        drafts = [Draft(text=item.text, scope=_scope(item)) for item in items]
        kept = self.tacit.remember_many(drafts)
        if len(items) > AT_ONCE:  # fewer have their vectors already
            self.tacit.reembed(pending=True)
        return len(kept)

    def search(self, query: Item, limit: int) -> list[str]:
        """Ask all channels within the query's scope."""
        hits = self.tacit.recall(
            query.text, limit=limit, vector=query.vector.tobytes(), scopes=[_scope(query)]
        )
        return [hit.memory.text for hit in hits]

    def close(self) -> None:
        """Close the store."""
        self.tacit.close()


def _scope(item: Any) -> Scope:
    return Scope(path=f"project:{item.scope}")


if __name__ == "__main__":
    run(Entrant, "tacit")
