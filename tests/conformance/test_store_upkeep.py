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
from tacit.errors import Conflict, NotFound, TacitError
from tacit.model import Role, State, Tier
from tacit.store.protocol import Filter


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


def test_a_store_is_filled_from_a_backup_and_keeps_a_copy_of_the_present(place, tmp_path):
    store, reader = place(), place()
    then, now = a_fact("then", mentions=(a_mention("redis"),)), a_fact("now")
    backup, kept = tmp_path / "backup.db", tmp_path / "kept.db"
    store.put([then])
    store.put_vectors("hash-64", [a_vector(then, pack([1]))])
    store.backup(str(backup))
    store.erase([then.id])
    store.put([now])
    store.put_vectors("hash-64", [a_vector(now, pack([0, 1]))])
    for each in (store, reader):
        assert len(each.match_vector("hash-64", pack([1]), Filter(), limit=9)) == 1

    store.fill_from(str(backup), keep=str(kept))

    for each in (store, reader):
        assert list(each.scan(Filter())) == [then]
        assert each.compare_vector("hash-64", pack([1]), [then.id])[then.id] > 0.99
        assert [m.id for m in each.match_text(["then"], Filter(), limit=9)] == [then.id]
    assert store.check() == []
    store.fill_from(str(kept), keep=str(tmp_path / "again.db"))
    assert list(store.scan(Filter())) == [now]


def test_a_store_is_not_filled_from_what_is_no_backup(store, tmp_path):
    kept = a_fact("kept")
    store.put([kept])
    (tmp_path / "garbage").write_bytes(b"garbage " * 1000)

    with pytest.raises(NotFound, match="missing"):
        store.fill_from(str(tmp_path / "missing"), keep=str(tmp_path / "kept.db"))
    with pytest.raises(TacitError, match="not a Tacit store"):
        store.fill_from(str(tmp_path / "garbage"), keep=str(tmp_path / "kept.db"))

    assert list(store.scan(Filter())) == [kept]
    assert not (tmp_path / "kept.db").exists()


def test_a_backup_never_overwrites_a_file(store, tmp_path):
    taken = tmp_path / "taken.db"
    taken.write_text("precious")

    with pytest.raises(Conflict, match=r"taken\.db"):
        store.backup(str(taken))

    assert taken.read_text() == "precious"
