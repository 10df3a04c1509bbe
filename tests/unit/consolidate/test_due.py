"""A cycle is due when something is new since the last one, or it was left undone."""

from __future__ import annotations

import pytest

from batches import a_room
from builders import DAY, a_fact, a_mention, reworded
from fakes import NOON
from tacit.consolidate.cycle import CYCLE, cycle
from tacit.consolidate.due import due
from tacit.model import State
from tacit.retrieve.made_topics import topic_memories
from tacit.store.protocol import Filter

TEXTS = ["Refunds go through the ledger", "A refund needs two signatures", "Refunds are grey"]


@pytest.fixture
def cared_for(store):
    """Give a store in which a cycle has just made a topic."""
    mention = (a_mention("refund"),)
    store.put([a_fact(text, valid_from=NOON - DAY, mentions=mention) for text in TEXTS])
    cycle(a_room(store))
    assert topic_memories(store, Filter())
    return store


def test_nothing_is_due_in_an_empty_store(store):
    assert not due(store)


def test_a_store_without_a_cycle_is_due_one(store):
    store.put([a_fact()])

    assert due(store)


def test_after_a_cycle_nothing_is_due_though_it_has_made_topics(cared_for):
    assert not due(cared_for)


def test_what_is_new_or_says_something_else_makes_one_due(cared_for):
    new = a_fact("Deploys need two reviews", valid_from=NOON)
    cared_for.put([new])
    assert due(cared_for)
    cycle(a_room(cared_for, now=NOON + DAY))
    assert not due(cared_for)

    cared_for.put([reworded(new, "Deploys need three reviews")])

    assert due(cared_for)


def test_what_only_went_makes_none_due(cared_for):
    (one, *_) = cared_for.scan(Filter())

    cared_for.put([one.replace(state=State.FORGOTTEN)])

    assert not due(cared_for)


def test_one_that_was_left_undone_is_due(cared_for):
    cared_for.save(CYCLE, '{"now": "…"}')

    assert due(cared_for)
