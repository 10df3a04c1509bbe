"""Compacting counts what is served shorter; the store does not change for it."""

from __future__ import annotations

from aged import a_room, run
from builders import DAY, START, a_fact, an_episode
from tacit.consolidate.ageing import compact


def test_what_came_to_another_level_since_the_last_cycle_is_counted_once(store):
    episodes = [an_episode(f"Episode {n}", valid_from=START + n * DAY) for n in range(60)]
    memories = [*episodes, a_fact(), an_episode("Pinned", pinned=True)]
    store.put(memories)

    first = run(a_room(store, START + 30 * DAY), compact)
    again = run(a_room(store, START + 30 * DAY), compact)
    next_day = run(a_room(store, START + 31 * DAY), compact)

    assert first == {"served_as_summary": 23, "served_as_hint": 1}
    assert again == {}
    assert next_day == {"served_as_summary": 1, "served_as_hint": 1}
    assert store.get([memory.id for memory in memories]) == memories
    assert store.revisions(None) == []
