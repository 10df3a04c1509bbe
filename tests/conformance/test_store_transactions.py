"""All or nothing, joined when nested, seen by others only when done."""

from contextlib import contextmanager, suppress
from threading import Thread

import pytest

from builders import a_fact, a_link, a_mention, a_revision, a_usage, a_vector, reworded
from fakes import pack
from tacit.model import Scope
from tacit.store.protocol import EVERYTHING, Filter
from tacit.text import query_terms


class Oops(Exception):
    """Something went wrong in the middle."""


@contextmanager
def taken_back(store, *, durable=True):
    """Do the block in a transaction that fails at its end."""
    with suppress(Oops), store.transaction(durable=durable):
        yield
        raise Oops


def everything(store):
    """Give all that a store tells of itself."""
    return (
        list(store.scan(EVERYTHING)),
        store.links(None),
        store.revisions(None),
        list(store.usage()),
        store.contradictions(),
        store.stats().replace(bytes=0),
    )


def test_a_transaction_that_ends_well_is_kept(store):
    fact, other = a_fact(), a_fact()
    with store.transaction():
        store.put([fact])
        store.put([other])
        store.link([a_link(fact, other)])

    assert store.get([fact.id, other.id]) == [fact, other]
    assert store.links(None) == [a_link(fact, other)]


@pytest.mark.parametrize("durable", [True, False])
def test_an_exception_takes_everything_back(store, durable):
    kept = a_fact("kept", mentions=(a_mention("redis"),))
    store.put([kept])
    before = everything(store)
    fresh = a_fact("fresh zebra", scope="team:new", mentions=(a_mention("zebra"),))

    with taken_back(store, durable=durable):
        store.put([fresh, reworded(kept, "changed")])
        store.link([a_link(kept, fresh)])
        store.put_vectors("hash-64", [a_vector(fresh, pack([1]))])
        store.add_revisions([a_revision(fresh)])
        store.add_usage([a_usage(fresh)])
        store.save("document", "{}")
        store.erase([kept.id])

    assert everything(store) == before
    assert store.load("document") is None
    assert store.match_text(query_terms("zebra"), EVERYTHING, limit=9) == []
    assert store.match_vector("hash-64", pack([1]), EVERYTHING, limit=9) == []
    assert store.known_names(["zebra"]) == []


def test_a_store_works_on_after_an_exception(store):
    with taken_back(store):
        store.put([a_fact()])

    fact = a_fact()
    store.put([fact])

    assert list(store.scan(EVERYTHING)) == [fact]


def test_a_scope_taken_back_does_not_leak_into_the_next_one(store):
    with taken_back(store):
        store.put([a_fact(scope="project:secret")])

    public, secret = a_fact(scope="project:public"), a_fact(scope="project:secret")
    store.put([public])
    store.put([secret])

    assert store.get([public.id, secret.id]) == [public, secret]
    where = Filter(scopes=(Scope(path="project:public"),))
    assert list(store.scan(where)) == [public]


def test_a_transaction_sees_what_it_has_written(store):
    fact = a_fact("a zebra", mentions=(a_mention("zebra"),))
    with store.transaction():
        store.put([fact])
        store.put_vectors("hash-64", [a_vector(fact, pack([1]))])

        assert store.get([fact.id]) == [fact]
        assert len(store.match_text(query_terms("zebra"), Filter(), limit=9)) == 1
        assert len(store.match_vector("hash-64", pack([1]), Filter(), limit=9)) == 1


def test_what_was_searched_before_it_was_taken_back_leaves_nothing_behind(store):
    kept = a_fact("kept")
    store.put([kept])
    store.put_vectors("hash-64", [a_vector(kept, pack([0, 1]))])
    fresh = a_fact("a zebra")

    with taken_back(store):
        store.put([fresh])
        store.put_vectors("hash-64", [a_vector(fresh, pack([1])), a_vector(kept, pack([1, 1]))])
        store.match_vector("hash-64", pack([1]), Filter(), limit=9)
        store.match_text(query_terms("zebra"), Filter(), limit=9)

    late = a_fact("late")
    store.put([late])
    assert store.compare_vector("hash-64", pack([0, 1]), [kept.id])[kept.id] > 0.99
    assert store.compare_vector("hash-64", pack([1]), [late.id]) == {}
    store.put_vectors("hash-64", [a_vector(late, pack([1]))])
    matches = store.match_vector("hash-64", pack([1]), Filter(), limit=9)
    assert [match.id for match in matches] == [late.id, kept.id]


def test_nested_transactions_are_one(store):
    one, two = a_fact("one"), a_fact("two")
    with store.transaction():
        with store.transaction():
            store.put([one])
        with store.transaction(durable=False):
            store.put([two])

    assert store.get([one.id, two.id]) == [one, two]


def test_an_exception_in_a_nested_transaction_takes_the_outer_back(store):
    def fail_inside():
        with store.transaction():
            store.put([a_fact("outer")])
            with store.transaction():
                store.put([a_fact("inner")])
                raise Oops

    with pytest.raises(Oops):
        fail_inside()

    assert list(store.scan(EVERYTHING)) == []


def test_an_exception_after_a_nested_transaction_takes_the_nested_back(store):
    with taken_back(store), store.transaction():
        store.put([a_fact("inner")])

    assert list(store.scan(EVERYTHING)) == []


def test_two_stores_on_one_place_see_what_the_other_has_committed(place):
    mine, other = place(), place()
    fact = a_fact("redis", scope="team:web")
    mine.put([fact])

    assert other.get([fact.id]) == [fact]
    changed = reworded(fact, "postgres")
    other.put([changed])
    other.save("profile", "{}")

    assert mine.get([fact.id]) == [changed]
    assert mine.match_text(query_terms("redis"), Filter(), limit=9) == []
    assert len(mine.match_text(query_terms("postgres"), Filter(), limit=9)) == 1
    assert mine.load("profile") == "{}"


def test_readers_go_on_while_another_writes_and_see_the_state_before(place):
    writer, reader = place(), place()
    old = a_fact("old words")
    writer.put([old])

    with writer.transaction():
        writer.put([reworded(old, "new words"), a_fact("more")])

        assert reader.get([old.id]) == [old]
        assert len(list(reader.scan(EVERYTHING))) == 1
        assert reader.match_text(query_terms("new"), EVERYTHING, limit=9) == []

    assert reader.get([old.id])[0].text == "new words"
    assert len(list(reader.scan(EVERYTHING))) == 2


def test_a_store_opened_again_holds_what_was_put(place):
    first = place()
    fact = a_fact(mentions=(a_mention("redis"),))
    first.put([fact])
    first.put_vectors("hash-64", [a_vector(fact, pack([1]))])
    first.close()

    again = place()

    assert again.get([fact.id]) == [fact]
    assert len(again.match_vector("hash-64", pack([1]), Filter(), limit=9)) == 1


def test_a_store_may_be_closed_twice(place):
    store = place()

    store.close()
    store.close()


def test_writers_in_many_threads_wait_for_one_another(store):
    facts = [a_fact(f"fact {n}", scope=f"team:t{n % 3}") for n in range(40)]

    def write(some):
        for fact in some:
            store.put([fact])

    threads = [Thread(target=write, args=(facts[start::4],)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert list(store.scan(EVERYTHING)) == facts


def test_an_exception_in_one_thread_leaves_the_work_of_another_alone(store):
    mine = a_fact("mine")

    def fail():
        with taken_back(store):
            store.put([a_fact("theirs")])

    thread = Thread(target=fail)
    thread.start()
    thread.join()
    store.put([mine])

    assert list(store.scan(EVERYTHING)) == [mine]
