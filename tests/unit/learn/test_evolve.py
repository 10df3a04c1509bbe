"""Breeding: the same seed gives the same champion, and luck is not taken for merit."""

from __future__ import annotations

import pytest

from asked_before import made_up_cases, right_from
from fakes import NOON
from tacit.errors import Conflict, Invalid
from tacit.learn.evolve import Plan, Trials, advance, begin, crown, prove, split
from tacit.learn.evolved import read, written
from tacit.learn.genome import genome_of
from tacit.learn.replay import Answer
from tacit.plain_json import dumps, loads
from tacit.profile import DEFAULT

ORIGIN = genome_of(DEFAULT)
EASY = right_from(0.6)  # the default has .5


def lived(generations, answer=EASY, seed=1, state=None, cases=None):
    """Live through generations; give where it stands and what was asked."""
    training, validation = split(cases or made_up_cases(), seed)
    plan = Plan(seed=seed, population=12)
    state = state or begin(plan, ORIGIN, base="default@1", until=NOON)
    trials = Trials(answer)
    while state.generation < generations:
        state = advance(state, training, trials)
    return prove(crown(state, training, trials), validation, trials), trials


def test_the_same_seed_gives_the_same_evolution_and_another_seed_another():
    one, other, different = lived(3)[0], lived(3)[0], lived(3, seed=2)[0]

    assert one == other
    assert one.population != different.population


def test_what_was_stopped_and_read_back_goes_on_as_if_nothing_had_happened():
    training, _ = split(made_up_cases(), 1)
    plan = Plan(seed=1, population=12)
    stopped = advance(begin(plan, ORIGIN, base="default@1", until=NOON), training, Trials(EASY))

    resumed = read(loads(dumps(written(stopped))))

    assert resumed == stopped
    assert lived(4, state=resumed)[0] == lived(4)[0]


def test_the_champion_keeps_only_the_changes_that_are_worth_something():
    state, _ = lived(4)

    assert state.champion.changed == 1
    assert state.champion.genome.numbers[0] >= 0.6
    assert state.champion.genome.numbers[1:] == ORIGIN.numbers[1:]
    assert state.verdict.won
    assert state.verdict.score.mean == 1.0


def test_where_nothing_is_better_there_is_no_verdict_and_the_champion_is_what_is_in_use():
    state, _ = lived(2, answer=right_from(0.0))

    assert state.champion.genome == ORIGIN
    assert state.verdict is None


def test_what_helps_in_training_alone_does_not_win():
    training, _ = split(made_up_cases(), 1)
    lucky = {case.id for case in training}

    def answer(genome, case):
        right = case.id in lucky and genome.numbers[0] >= 0.6
        return Answer(ids=("right",) if right else (), tokens=100, looked=100)

    state, _ = lived(4, answer=answer)

    assert state.champion.changed
    assert not state.verdict.won


def test_what_spares_tokens_by_finding_less_is_no_champion():
    def answer(genome, _case):
        less = genome.numbers[0] < 0.5
        return Answer(ids=() if less else ("right",), tokens=0 if less else 100, looked=100)

    cases = [case.replace(wanted=("right", "b", "c", "d")) for case in made_up_cases()]
    state, _ = lived(4, answer=answer, cases=cases)

    assert any(one.figures.tokens == 0 for one in state.judged)
    assert state.judged[0].fitness > state.start.fitness
    assert state.champion.figures.score >= state.start.figures.score


def test_a_genome_is_asked_each_question_once_and_bad_ones_only_some():
    asked = []

    def answer(genome, case):
        asked.append((genome, case.id))
        return EASY(genome, case)

    _, trials = lived(3, answer=answer)

    assert len(asked) == len({(genome.answering, case) for genome, case in asked}) == trials.asked
    genomes = {genome.answering for genome, _ in asked}
    assert len(asked) < len(genomes) * len(made_up_cases()) / 2


def test_training_and_validation_share_no_session():
    training, validation = split(made_up_cases(40), 3)

    assert {case.session for case in training} & {case.session for case in validation} == set()
    assert (len(training), len(validation)) == (20, 20)


def test_the_front_holds_the_best_of_each_and_the_champion_is_not_beaten():
    state, _ = lived(3)

    best = max(one.figures.score for one in state.judged)
    assert state.front[0].figures.score == best
    assert state.best == tuple(sorted(state.best))


def test_each_further_champion_needs_a_clearer_proof():
    state, _ = lived(3)
    again = state.replace(proved=("another", "a third"))
    _, validation = split(made_up_cases(), 1)

    assert state.verdict.worth.share == pytest.approx(0.95)
    proved = prove(again, validation, Trials(EASY))
    assert proved.verdict.worth.share == pytest.approx(1 - 0.05 / 3)


def test_too_few_sessions_are_refused_and_so_is_a_population_that_cannot_breed():
    with pytest.raises(Conflict, match=r"there are 19 sessions .* needs 20"):
        split(made_up_cases(19), 1)
    with pytest.raises(Invalid, match="population of 2"):
        Plan(population=2)
