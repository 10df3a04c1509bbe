"""Weights learnt from one's own use: kept as a version, adopted only when told and proved."""

from __future__ import annotations

import pytest

from proved import used
from tacit.learn.log import noted
from tacit.learn.profiles import in_use, rollback
from tacit.learn.rank import WEIGHTS
from tacit.learn.wanted import asked_again, told_by
from tacit.model import Usage, UsageEvent
from tacit.profile import DEFAULT
from tacit.record import Chosen, QueryRecord
from tacit.system import Tacit

THINGS = "alpha bravo charlie delta echo foxtrot golf hotel india juliet".split()


@pytest.fixture
def worked(open_tacit, clock) -> Tacit:
    """Give a memory in which what names the thing was used, and what a person said was not."""
    tacit = open_tacit()
    pairs = []
    for thing in THINGS:
        wanted = tacit.remember(
            f"{thing} exports are written by the nightly job to disk", trust="tool"
        )
        other = tacit.remember(f"{thing} exports are written by the nightly job")
        pairs.append((thing, wanted.id, other.id))
    clock.advance(days=1)
    for turn in range(4):
        for place, (thing, wanted, other) in enumerate(pairs):
            used(
                tacit, 10 * turn + place, f"{thing} exports written nightly job disk", wanted, other
            )
            clock.advance(hours=1)
    return tacit


def test_weights_follow_what_was_used_and_are_kept_as_a_version(worked):
    found = worked.learn_rank()

    assert found.kept == "ranked@1"
    assert not found.adopted
    assert in_use(worked.store) == DEFAULT
    assert found.learnt.gain is not None
    assert found.learnt.gain.after > found.learnt.gain.before
    assert found.learnt.profile.human < DEFAULT.human
    assert worked.learn_rank().kept == "ranked@1"  # the same again is no new version


def test_what_is_proved_is_adopted_when_told_and_can_be_taken_back(worked, clock):
    asked = "alpha exports written nightly job disk"
    before = [hit.memory.id for hit in worked.recall(asked, profile=DEFAULT)]
    found = worked.learn_rank(adopt=True)

    assert found.adopted
    assert in_use(worked.store).name == "ranked"
    assert "held-out questions" in noted(worked.store)[0].why
    rollback(worked.store, at=clock.now())
    assert in_use(worked.store) == DEFAULT
    assert [hit.memory.id for hit in worked.recall(asked, profile=DEFAULT)] == before


def test_with_too_little_use_nothing_is_kept_and_the_need_is_told(open_tacit):
    tacit = open_tacit()
    found = tacit.learn_rank(adopt=True)

    assert "30 of 5 are needed" in found.learnt.refused
    assert (found.kept, found.adopted) == ("", False)
    assert noted(tacit.store) == []


def test_what_became_of_a_memory_later_does_not_tell_the_answer(worked):
    first, *_, last = sorted(
        asked_again(worked.store, worked.recall, DEFAULT), key=lambda one: int(one.group[1:])
    )
    place = list(WEIGHTS).index("used")

    assert len({row[place] for row in first.parts}) == 1  # nothing had been used by then
    assert len({row[place] for row in last.parts}) == 2


def test_what_hurt_was_not_wanted_and_what_was_not_judged_tells_nothing(clock):
    at = clock.now()
    chosen = tuple(Chosen(memory=name) for name in ("a", "b", "c", "d"))
    query = QueryRecord(id="q", at=at, text="how?", selected=chosen)
    silent = query.replace(id="r", text="")
    events = [
        Usage(query_id=id_, memory_id=memory, event=event, at=at)
        for id_ in ("q", "r")
        for memory, event in (
            ("a", UsageEvent.CITED),
            ("b", UsageEvent.CITED),
            ("b", UsageEvent.HURT),
            ("c", UsageEvent.IGNORED),
            ("d", UsageEvent.LOADED),
        )
    ]

    (told,) = told_by([query, silent], events)

    assert (told.used, told.passed) == ({"a"}, {"b", "c"})


def test_without_weight_what_is_measured_as_such_adds_nothing(worked):
    for hit in worked.recall("alpha exports written nightly job disk"):
        assert (hit.parts.covered, hit.parts.near) == (0.0, 0.0)
        assert hit.parts.coverage > 0
