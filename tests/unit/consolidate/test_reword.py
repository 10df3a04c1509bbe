"""A language model may word what a cycle made; what it made stays true to its sources."""

from __future__ import annotations

import json

import pytest

from batches import a_room, run
from builders import DAY, a_fact, a_mention, reworded
from fakes import NOON
from tacit.consolidate.reword import reword
from tacit.consolidate.topics import topics
from tacit.encode.ports import Completion
from tacit.errors import Unavailable
from tacit.retrieve.made_topics import topic_memories
from tacit.store.protocol import Filter
from tacit.write.history import change

TEXTS = [
    "Refunds go through the ledger",
    "A refund needs two signatures",
    "Refunds over a year old are refused",
    "The refund button is grey at night",
]


class Wording:
    """A model that answers with the same words, or gives up after some answers."""

    name = "wording"

    def __init__(self, *, answers: int = 99, **forms: str) -> None:
        self.forms, self.left, self.asked = forms, answers, 0

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Completion:
        if not self.left:
            raise Unavailable("nobody answers")
        self.left -= 1
        self.asked += 1
        return Completion(text=json.dumps(self.forms))


@pytest.fixture
def room(store):
    room = a_room(store)
    mention = (a_mention("refund"),)
    store.put([a_fact(text, valid_from=NOON - DAY, mentions=mention) for text in TEXTS])
    run(room, topics)
    return room


def the_topic(room):
    [topic] = topic_memories(room.store, Filter())
    return topic


def test_short_forms_are_worded_and_the_full_text_stays(room):
    before = the_topic(room)
    model = Wording(title="How refunds work", hint="Refunds: ledger, signatures.")

    assert reword(room, model) == 1

    after = the_topic(room)
    assert (after.levels.title, after.levels.hint) == (
        "How refunds work",
        "Refunds: ledger, signatures.",
    )
    assert (after.levels.full, after.levels.summary) == (before.levels.full, before.levels.summary)
    last = room.store.revisions([after.id])[-1]
    assert (last.op, last.note) == ("reword", "worded by wording")


def test_the_same_text_is_not_worded_twice_and_a_new_one_is(room):
    model = Wording(title="How refunds work")
    reword(room, model)

    assert (reword(room, model), model.asked) == (0, 1)

    topic = the_topic(room)
    change(
        room.store,
        [topic.id],
        lambda m: reworded(m, "Refunds, told anew"),
        op="renew",
        by="x",
        at=NOON,
    )
    assert (reword(room, model), model.asked) == (1, 2)


def test_what_a_model_invents_is_dropped(room):
    before = the_topic(room)

    assert reword(room, Wording(title="Refunds after 90 days")) == 0
    assert the_topic(room).levels == before.levels


def test_a_model_that_gives_up_leaves_all_as_it_was(room):
    before = the_topic(room)

    assert reword(room, Wording(answers=0, title="How refunds work")) == 0
    assert the_topic(room) == before
