"""Passes run as a cycle runs them: batch by batch, each in a transaction with its mark."""

from __future__ import annotations

from fakes import NOON, WordCounter
from tacit.consolidate.room import Room, Rules
from tacit.model import Scope

SCOPE = Scope(path="project:shop")


def a_room(store, **fields):
    """Give what a pass works with: a store at noon, words for tokens, no embedder."""
    defaults = {"now": NOON, "scope": SCOPE, "counter": WordCounter(), "rules": Rules()}
    return Room(store=store, **defaults | fields)


def run(room, run_batch, *, batches=None):
    """Run a pass to its end, or so many batches; give what it counted, without the noughts."""
    name, counts, done = f"test:mark:{run_batch.__name__}", {}, 0
    while batches is None or done < batches:
        with room.store.transaction():
            result = run_batch(room, room.store.load(name) or "")
            room.store.save(name, result.mark)
        done += 1
        for what, count in result.counts.items():
            counts[what] = counts.get(what, 0) + count
        if not result.more:
            break
    return {what: count for what, count in counts.items() if count}
