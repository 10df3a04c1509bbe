"""Profiles are kept by version, adopted and taken back; what is written reads back the same."""

from __future__ import annotations

import pytest

from fakes import NOON
from tacit.errors import Conflict, Invalid, NotFound
from tacit.learn.log import noted
from tacit.learn.profiles import adopt, adoptions, find, in_use, keep, known, rollback
from tacit.learn.written import NUMBERS, dumps, loads, read, written
from tacit.profile import CHOICES, DEFAULT, PROFILES, Profile


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_a_profile_that_is_written_reads_back_the_same(profile):
    assert loads(dumps(profile)) == profile


def test_every_field_is_a_name_a_choice_a_number_or_told_apart():
    others = {"name", "version", "kinds", "named_alone"}

    assert set(Profile._fields) == others | set(CHOICES) | set(NUMBERS)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"name": "mine", "txt": 1}, "no field 'txt'"),
        ({"text": 0.5}, "needs a name"),
        ({"name": "mine", "text": 2}, "text is 2; it must be from 0 to 1"),
        ({"name": "mine", "text": True}, "text is a number"),
        ({"name": "mine", "pool": 1.5}, "whole number"),
        ({"name": "mine", "layers": 5}, "layers is 5; use one of 2, 3, 4"),
        ({"name": "mine", "retrieval": 3}, "retrieval is text"),
        ({"name": "mine", "named_alone": 1}, "true or false"),
        ({"name": "mine", "kinds": {"cat": 1.0}}, "no kind 'cat'"),
        ({"name": "mine", "kinds": [1]}, "kinds gives a factor"),
        ({"name": "mine", "near_miss": 0.3}, "near_miss"),
    ],
)
def test_what_no_profile_may_hold_is_refused_by_name(given, told):
    with pytest.raises(Invalid, match=told):
        read(given)


def test_what_is_no_json_object_is_refused():
    for text in ("[1]", "{", '"default"'):
        with pytest.raises(Invalid):
            loads(text)


def test_a_change_is_the_next_version_and_the_same_again_is_none(store):
    second = keep(store, DEFAULT.replace(text=0.6))
    again = keep(store, DEFAULT.replace(text=0.6))
    mine = keep(store, DEFAULT.replace(name="mine"))

    assert (second.version, again, mine.version) == (2, second, 1)
    assert find(store, "default") == second
    assert find(store, "default@1") == DEFAULT
    assert [one.name for one in known(store)[-2:]] == ["default", "mine"]
    assert written(second)["text"] == 0.6


def test_what_is_not_there_is_told_with_what_is(store):
    with pytest.raises(NotFound, match="there are default, seed"):
        find(store, "other")
    with pytest.raises(NotFound, match="no version 7; it has 1"):
        find(store, "seed@7")
    with pytest.raises(Invalid, match="name@version"):
        find(store, "seed@new")
    with pytest.raises(Invalid, match="no name of a profile"):
        keep(store, DEFAULT.replace(name="a/b"))


def test_going_back_gives_what_was_in_use_before_step_by_step(store):
    second = keep(store, DEFAULT.replace(text=0.6))
    assert in_use(store) == DEFAULT

    adopt(store, second, at=NOON, by="ana", why="a try")
    adopt(store, PROFILES["seed"], at=NOON)
    assert in_use(store) == PROFILES["seed"]

    assert rollback(store, at=NOON).ref == "default@2"
    assert in_use(store) == second
    assert rollback(store, at=NOON, why="enough").ref == "default@1"
    assert in_use(store) == DEFAULT
    assert adoptions(store) == []
    with pytest.raises(Conflict, match="nothing was ever changed"):
        rollback(store, at=NOON)
    told = [(one.event, one.subject, one.why) for one in noted(store)]
    assert told == [
        ("rolled back", "default@1", "enough"),
        ("rolled back", "default@2", ""),
        ("adopted", "seed@1", ""),
        ("adopted", "default@2", "a try"),
    ]
