"""A store in numbers, its health, and copies of it."""

import pytest

from builders import (
    DAY,
    START,
    a_contradiction,
    a_fact,
    a_link,
    a_mention,
    a_pattern,
    a_revision,
    a_usage,
    a_vector,
)
from fakes import pack
from tacit.errors import Conflict
from tacit.model import Role, State, Tier


def test_the_stats_of_an_empty_store_are_zero(store):
    stats = store.stats()

    assert (stats.memories, stats.live, stats.links, stats.facets) == (0, 0, 0, 0)
    assert (stats.revisions, stats.usage, stats.contradictions) == (0, 0, 0)
    assert (stats.by_kind, stats.by_state, stats.by_tier, stats.vectors) == ({}, {}, {}, {})
    assert stats.schema >= 1
    assert stats.bytes > 0


def test_stats_count_what_is_there(store):
    fact = a_fact(tier=Tier.MANDATE, mentions=(a_mention("redis"),))
    past = a_fact("past", valid_to=START + DAY, mentions=(a_mention("redis", role=Role.FIXES),))
    pattern = a_pattern(state=State.ARCHIVED, mentions=(a_mention("pool"),))
    store.put([fact, past, pattern])
    store.link([a_link(fact, past)])
    store.put_vectors("hash-64", [a_vector(fact, pack([1])), a_vector(past, pack([1]))])
    store.put_vectors("other", [a_vector(fact, pack([1]))])
    store.add_revisions([a_revision(fact)])
    store.add_usage([a_usage(fact)])
    store.add_contradictions([a_contradiction(fact, past)])

    stats = store.stats()

    assert (stats.memories, stats.live) == (3, 1)
    assert stats.by_kind == {"fact": 2, "pattern": 1}
    assert stats.by_state == {"active": 2, "archived": 1}
    assert stats.by_tier == {"mandate": 1, "reference": 2}
    assert (stats.links, stats.facets) == (1, 2)
    assert (stats.revisions, stats.usage, stats.contradictions) == (1, 1, 1)
    assert stats.vectors == {"hash-64": 2, "other": 1}


def test_nothing_is_wrong_with_a_store_in_use(store):
    one, two = a_fact("one", mentions=(a_mention("redis"),)), a_fact("two")
    store.put([one, two])
    store.link([a_link(one, two)])
    store.put_vectors("hash-64", [a_vector(one, pack([1]))])
    store.put([one.replace(rev=2)])
    store.erase([two.id])

    assert store.check() == []


def test_a_backup_is_a_new_file(store, tmp_path):
    store.put([a_fact()])
    copy = tmp_path / "copies" / "backup.db"

    store.backup(str(copy))

    assert copy.stat().st_size > 0
    assert copy.stat().st_mode & 0o077 == 0


def test_a_backup_never_overwrites_a_file(store, tmp_path):
    taken = tmp_path / "taken.db"
    taken.write_text("precious")

    with pytest.raises(Conflict, match=r"taken\.db"):
        store.backup(str(taken))

    assert taken.read_text() == "precious"
