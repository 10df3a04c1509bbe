"""A profile is bred from the log of a real store: without a look ahead, adopted only when proved."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from asked_before import HOUR, asked, question_of, sessions_that_used_patterns
from builders import a_fact, a_usage
from fakes import NOON
from tacit.errors import Conflict, Invalid
from tacit.learn.log import noted
from tacit.learn.profiles import in_use, rollback
from tacit.model import UsageEvent
from tacit.profile import DEFAULT

if TYPE_CHECKING:
    from tacit.system import Tacit

FEW = {"generations": 2, "population": 12}


@pytest.fixture
def history(tacit: Tacit) -> Tacit:
    """Give a memory with a history in which patterns were used and episodes were in the way."""
    sessions_that_used_patterns(tacit)
    return tacit


def test_a_replay_knows_nothing_that_was_learnt_or_used_later(tacit: Tacit) -> None:
    early, late = (
        a_fact(f"The payments queue is drained {when}", recorded_at=at).replace(scope=tacit.scope)
        for when, at in (("hourly", NOON - 3 * HOUR), ("nightly", NOON - HOUR))
    )
    tacit.store.put([early, late])
    asked(tacit, 1, "how is the payments queue drained?", early.id, NOON - 2 * HOUR)
    heavy = DEFAULT.replace(name="heavy", used=1.0)

    before = tacit.replay(heavy)
    tacit.store.add_usage(
        [a_usage(late, UsageEvent.HELPED, query_id=f"later-{n}", at=NOON) for n in range(9)]
    )
    again = tacit.replay(heavy)

    assert before.rows[0].score == 1.0
    assert before.rows[0].tokens == early.levels.tokens[0]  # the later fact was not handed over
    assert [row.replace(ms=0.0) for row in again.rows] == [
        row.replace(ms=0.0) for row in before.rows
    ]


def test_what_was_edited_since_is_asked_as_it_stood(tacit: Tacit) -> None:
    kept = tacit.remember("Tokens are signed with RS256")
    tacit.clock.advance(hours=1)
    asked(tacit, 1, "how are tokens signed?", kept.id, tacit.clock.now())
    tacit.clock.advance(days=1)
    tacit.forget(kept.id)

    assert tacit.recall("how are tokens signed?") == []
    assert tacit.replay().total.score == 1.0


def test_what_was_erased_or_not_known_yet_is_no_case(tacit: Tacit) -> None:
    gone = tacit.remember("Carts live in Redis")
    asked(tacit, 1, "where do carts live?", gone.id, NOON)
    later = a_fact("Carts expire at night", recorded_at=NOON + HOUR).replace(scope=tacit.scope)
    tacit.store.put([later])
    asked(tacit, 2, "when do carts expire?", later.id, NOON)
    tacit.clock.set(NOON + timedelta(days=1))
    tacit.erase([gone.id])

    assert tacit.replay().rows == ()


def test_evolution_finds_what_the_sessions_used_and_proves_it(history: Tacit) -> None:
    state = history.evolve(**FEW)

    assert state.start.figures.score == 0.0  # the profile in use never shows the pattern
    assert state.verdict.won
    assert state.champion.figures.score > 0.5
    assert state == history.evolution()
    assert (state.generation, len(state.best)) == (2, 2)
    assert in_use(history.store) == DEFAULT  # nothing is changed by looking


def test_the_champion_is_adopted_as_a_version_and_can_be_taken_back(history: Tacit) -> None:
    history.evolve(**FEW)

    adopted = history.adopt_champion(by="ana")

    assert adopted.ref == "evolved@1" == in_use(history.store).ref == history.profile.ref
    assert history.replay().total.score > 0.5 * 20
    assert noted(history.store)[0].event == "adopted"
    assert "10 questions of 10 sessions" in adopted.why  # those of the proof alone
    rollback(history.store, at=history.clock.now())
    assert in_use(history.store) == DEFAULT


def test_nothing_is_adopted_without_a_proof(history: Tacit) -> None:
    from tacit.learn.evolved import keep

    with pytest.raises(Conflict, match="no champion yet"):
        history.adopt_champion()
    state = history.evolve(**FEW)
    unsure = state.verdict.worth.replace(low=-0.01)
    keep(history.store, state.replace(verdict=state.verdict.replace(worth=unsure)))
    with pytest.raises(Conflict, match="did not prove itself"):
        history.adopt_champion()
    keep(history.store, state.replace(verdict=None))
    with pytest.raises(Conflict, match="found nothing better"):
        history.adopt_champion()
    keep(history.store, state)
    history.profile = DEFAULT.replace(name="mine")
    with pytest.raises(Conflict, match="mine@1 is in use by now"):
        history.adopt_champion()

    assert in_use(history.store) == DEFAULT


def test_where_the_profile_in_use_finds_all_there_is_no_gain_to_adopt(tacit: Tacit) -> None:
    sessions_that_used_patterns(tacit, attempts=0)

    state = tacit.evolve(**FEW)

    assert state.verdict is None
    with pytest.raises(Conflict, match="found nothing better"):
        tacit.adopt_champion()


def test_an_evolution_that_was_killed_goes_on_to_the_same_end(history: Tacit) -> None:
    class Killed(Exception):
        pass

    def kill(state: object) -> None:
        if state.generation == 1:
            raise Killed

    with pytest.raises(Killed):
        history.evolve(**FEW, progress=kill)
    assert history.evolution().generation == 1
    history.clock.advance(days=1)
    asked(history, 99, question_of(0), history.list(limit=1)[0].id, history.clock.now())

    resumed = history.evolve(**FEW)
    history.store.discard(["evolution"])
    history.clock.set(resumed.until)
    whole = history.evolve(**FEW)

    assert resumed.champion.genome == whole.champion.genome
    assert [one.genome for one in resumed.judged] == [one.genome for one in whole.judged]
    assert resumed.verdict.worth == whole.verdict.worth


def test_the_time_it_may_take_ends_it_after_a_generation(history: Tacit) -> None:
    state = history.evolve(generations=50, population=8, seconds=0.0)

    assert state.generation == 1
    assert state.champion is not None
    assert state.asked > 0 < state.tokens


def test_a_log_that_is_too_short_is_refused(tacit: Tacit) -> None:
    sessions_that_used_patterns(tacit, sessions=3)

    with pytest.raises(Conflict, match="3 sessions"):
        tacit.evolve()
    with pytest.raises(Invalid, match="0 generations"):
        tacit.evolve(generations=0)


def test_the_space_is_listed(tacit: Tacit) -> None:
    assert len(tacit.profile_space()) == 243
