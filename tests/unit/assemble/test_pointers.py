"""What there is by topic is counted anew exactly when it could have changed."""

from __future__ import annotations

from datetime import timedelta

from builders import a_block, a_fact, a_mention, reworded
from tacit.assemble.pointers import kept_pointers, pointers
from tacit.model import State, Validity
from tacit.retrieve.ask import filter_of
from tacit.store.protocol import VIEW

PLACE = "project:shop"
NAME = f"{VIEW}index:{PLACE}"


def told(store, now):
    return kept_pointers(store, filter_of(now, None, None, {}), PLACE, now)


def fresh(store, now):
    return pointers(store, filter_of(now, None, None, {}))


def about(text):
    return a_fact(text, mentions=(a_mention(),))


def test_what_is_kept_is_what_would_be_counted(store, clock):
    now = clock.now()
    store.put([about("carts expire"), about("carts are saved")])

    first, again = told(store, now), told(store, now)

    assert first == again == fresh(store, now)
    assert store.load(NAME)


def test_a_new_a_changed_and_an_erased_memory_are_counted_at_once(store, clock):
    now = clock.now()
    one, two = about("carts expire"), about("carts are saved")
    store.put([one])
    before = told(store, now)

    store.put([two])
    assert told(store, now) == fresh(store, now) != before
    store.put([two.replace(state=State.FORGOTTEN)])
    assert told(store, now) == fresh(store, now) == before
    store.erase([one.id])
    assert store.load(NAME) is None
    assert told(store, now) == fresh(store, now) != before


def test_a_page_that_is_rewritten_leaves_it_as_it_is(store, clock):
    page = a_block("what is being done")
    store.put([about("carts expire"), page])
    told(store, clock.now())

    store.put([reworded(page, "what is being done now")])

    assert store.load(NAME)
    store.put([a_block("another page", label="other")])
    assert store.load(NAME) is None


def test_a_memory_that_ceases_or_begins_to_hold_is_noticed(store, clock):
    now = clock.now()
    later = now + timedelta(hours=1)
    ends = about("carts expire").replace(
        validity=Validity(valid_from=now - timedelta(days=1), valid_to=later)
    )
    store.put([ends, about("carts are saved")])

    assert store.next_change(now) == later
    assert told(store, now) != told(store, later) == fresh(store, later)
    assert told(store, now) == fresh(store, now)  # also when time steps back
    assert store.next_change(later) is None
