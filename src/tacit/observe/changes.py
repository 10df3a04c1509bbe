"""What an observation leaves for predictions: the files of commits, and documents as they are."""

from __future__ import annotations

from tacit.encode.cochange import CHANGES, WORDS, ChangeSets, sets_from_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Scope
    from tacit.observe.gathered import Gathered
    from tacit.store.protocol import Store


def keep_changes(store: Store, scope: Scope, gathered: Gathered) -> None:
    """Add new commits to those that were counted, or count all anew; keep documents."""
    documents = list(gathered.documents)
    if gathered.commits:
        sets = ChangeSets() if gathered.anew else _kept(store, scope)
        for commit in gathered.commits:
            sets.add_commit(commit)
        documents += zip((CHANGES, WORDS), sets.to_json(), strict=True)
    for name, text in documents:
        if store.load(f"{name}:{scope.path}") != text:
            store.save(f"{name}:{scope.path}", text)


def _kept(store: Store, scope: Scope) -> ChangeSets:
    changes, words = (store.load(f"{name}:{scope.path}") or "" for name in (CHANGES, WORDS))
    return sets_from_json(changes, words)
