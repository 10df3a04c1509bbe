"""Profiles are bred: judged by replay, the better ones have children, generation by generation.

New genomes are first judged on a quarter of the training cases; the better half goes on, so most
of the time is spent on what is promising. The champion has to prove itself on sessions that
played no part in finding it. Chance comes from the seed and the number of the generation alone:
what was interrupted goes on as if nothing had happened.
"""

from __future__ import annotations

import random

from tacit.errors import Conflict, Invalid
from tacit.learn.fitness import Figures, figures, front, more_worth, worth
from tacit.learn.genome import Genome, changes, cross, mutate, reverted, scatter
from tacit.learn.replay import (
    SHARE,
    Gain,
    Replayed,
    better_score,
    compare,
    limits,
    total,
    tried,
)
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.learn.replay import Answer, Case, Tried

GENERATIONS, POPULATION, SEED = 8, 12, 1
LEAST_SESSIONS = 10  # in training and in validation each: fewer prove nothing
MOST_CASES = 150  # of each; more sessions are drawn evenly
ELITE = 2  # go on unchanged
TOURNAMENT = 3  # of so many drawn, the best becomes a parent
RUNGS = (0.25, 0.5, 1.0)  # shares of the training cases; each time the better half goes on
NEWCOMERS = 2  # a generation has so many without parents among it, to look around
TRIES = 10  # to find a child that was not judged yet


class Plan(Value):
    """What decides the course of an evolution, together with its cases."""

    seed: int = SEED
    population: int = POPULATION

    def __post_init__(self) -> None:
        if not 4 <= self.population <= 200:
            raise Invalid(f"a population of {self.population} is not between 4 and 200")


class Judged(Value):
    """A genome, what it gave on all training cases, and what that is worth."""

    genome: Genome
    figures: Figures
    fitness: float
    changed: int  # parts that differ from the profile it began with

    @property
    def order(self) -> tuple[float, int, str]:
        """What puts the best first; of equals, the one that changes least."""
        return -self.fitness, self.changed, self.genome.key


class Verdict(Value):
    """How a champion did on sessions that played no part in finding it."""

    worth: Gain
    score: Gain
    base: Figures
    champion: Figures

    @property
    def won(self) -> bool:
        """Whether it is worth more, surely, and finds no less."""
        return self.worth.shown and self.champion.finds_no_less(self.base)


class Evolution(Value):
    """Where an evolution stands."""

    plan: Plan
    base: str  # the profile it began with, by name and version
    origin: Genome
    until: datetime  # nothing that was logged later is looked at
    generation: int = 0
    population: tuple[Genome, ...] = ()
    judged: tuple[Judged, ...] = ()
    best: tuple[float, ...] = ()  # fitness of the best, by generation
    asked: int = 0  # recalls that were made
    tokens: int = 0  # of all they would have handed over
    seconds: float = 0.0
    champion: Judged | None = None
    verdict: Verdict | None = None
    proved: tuple[str, ...] = ()  # champions that were put to the proof
    limits: tuple[str, ...] = ()

    @property
    def front(self) -> list[Judged]:
        """What no other beats in quality, tokens and time at once, best quality first."""
        every = [*self.judged, *((self.champion,) if self.champion else ())]
        places = front([one.figures.axes for one in every])
        return sorted((every[place] for place in places), key=lambda one: -one.figures.score)

    @property
    def start(self) -> Judged | None:
        """The profile it began with, as it was judged in training."""
        return next((one for one in self.judged if not one.changed), None)


class Trials:
    """Asks each case once of genomes that answer alike, however often it is wanted."""

    def __init__(self, answer: Callable[[Genome, Case], Answer]) -> None:
        self._answer = answer
        self._rows: dict[tuple[str, str], Tried] = {}

    def rows(self, genome: Genome, cases: Sequence[Case]) -> list[Tried]:
        """Give what a genome does in each of the cases."""
        for case in cases:
            place = (genome.answering, case.id)
            if place not in self._rows:
                self._rows[place] = tried(case, self._answer(genome, case))
        return [self._rows[genome.answering, case.id] for case in cases]

    @property
    def asked(self) -> int:
        """How many questions were really asked."""
        return len(self._rows)

    @property
    def tokens(self) -> int:
        """What all the answers together would have handed over."""
        return sum(row.tokens for row in self._rows.values())


def split(cases: Sequence[Case], seed: int) -> tuple[list[Case], list[Case]]:
    """Give the cases to train on and those to prove it on: whole sessions, drawn by the seed.

    Both are in the order of the draw, so that any beginning of them is an even sample.
    """
    by_session: dict[str, list[Case]] = {}
    for case in cases:
        by_session.setdefault(case.session, []).append(case)
    names = sorted(by_session)
    if len(names) < 2 * LEAST_SESSIONS:
        raise Conflict(
            f"there are {len(names)} sessions with a question whose answer was used; evolution "
            f"needs {2 * LEAST_SESSIONS}, half of them to prove what it finds"
        )
    random.Random(f"sessions {seed}").shuffle(names)  # noqa: S311 - repeatable on purpose
    half = len(names) // 2
    parts = (names[:half], names[half:])
    training, validation = (
        [case for name in part for case in by_session[name]][:MOST_CASES] for part in parts
    )
    return training, validation


def begin(plan: Plan, origin: Genome, *, base: str, until: datetime) -> Evolution:
    """Give an evolution before its first generation: the profile in use and variants of it."""
    chance = _chance(plan, 0)
    population = [origin]
    while len(population) < plan.population:
        population.append(_fresh(lambda: scatter(origin, chance), population))
    return Evolution(plan=plan, base=base, origin=origin, until=until, population=tuple(population))


def advance(state: Evolution, training: Sequence[Case], trials: Trials) -> Evolution:
    """Live through one generation: judge, and breed the next."""
    known = {one.genome: one for one in state.judged}
    new = [one for one in dict.fromkeys(state.population) if one not in known]
    judged = sorted((*state.judged, *_judge(new, state, training, trials)), key=_order)
    return state.replace(
        generation=state.generation + 1,
        population=_bred(state, judged),
        judged=tuple(judged),
        best=(*state.best, judged[0].fitness),
    )


def crown(state: Evolution, training: Sequence[Case], trials: Trials) -> Evolution:
    """Choose the champion: the worthiest that finds no less, with each needless change undone."""
    start = state.start
    assert start is not None, "the first generation judges the profile in use"
    able = [one for one in state.judged if one.figures.finds_no_less(start.figures)]
    best = min(able, key=_order)
    for name in changes(best.genome, state.origin):
        plainer = reverted(best.genome, state.origin, name)
        other = _judgement(plainer, state, training, trials)
        if other.fitness >= best.fitness and other.figures.finds_no_less(start.figures):
            best = other
    return state.replace(champion=best)


def prove(state: Evolution, validation: Sequence[Case], trials: Trials) -> Evolution:
    """Hold the champion against the profile in use, on sessions neither was chosen by.

    Each further champion that is put to the proof makes the interval wider: whoever tries often
    wins once by luck.
    """
    assert state.champion is not None, "a champion is crowned first"
    if not state.champion.changed:
        return state.replace(verdict=None, limits=limits(validation))
    genomes = (state.origin, state.champion.genome)
    base, other = (
        Replayed(profile=one.key, rows=tuple(trials.rows(one, validation))) for one in genomes
    )
    proved = tuple(dict.fromkeys((*state.proved, state.champion.genome.key)))
    share = 1.0 - (1.0 - SHARE) / len(proved)
    seed = state.plan.seed
    verdict = Verdict(
        worth=compare(base, other, seed=seed, worth=more_worth, share=share),
        score=compare(base, other, seed=seed, worth=better_score, share=share),
        base=figures(base.total),
        champion=figures(other.total),
    )
    return state.replace(verdict=verdict, proved=proved, limits=limits(validation))


def _judge(
    new: Sequence[Genome], state: Evolution, training: Sequence[Case], trials: Trials
) -> list[Judged]:
    """Judge genomes on more and more cases, and give those that came through to all of them."""
    alive = list(new)
    for share in RUNGS:
        cases = training[: max(1, round(share * len(training)))]
        marks = [_judgement(genome, state, cases, trials) for genome in alive]
        if share == RUNGS[-1]:
            return marks
        marks.sort(key=_order)
        alive = [one.genome for one in marks[: max(ELITE, (len(marks) + 1) // 2)]]
        if state.origin in new and state.origin not in alive:
            alive.append(state.origin)
    return []


def _judgement(genome: Genome, state: Evolution, cases: Sequence[Case], trials: Trials) -> Judged:
    sums = total(trials.rows(genome, cases))
    baseline = total(trials.rows(state.origin, cases))
    return Judged(
        genome=genome,
        figures=figures(sums),
        fitness=worth(sums, baseline),
        changed=len(changes(genome, state.origin)),
    )


def _bred(state: Evolution, judged: Sequence[Judged]) -> tuple[Genome, ...]:
    """Give the next generation: the best unchanged, their children, and newcomers."""
    chance = _chance(state.plan, state.generation + 1)
    population = [one.genome for one in judged[:ELITE]]
    known = [one.genome for one in judged]
    children = state.plan.population - len(population) - NEWCOMERS
    for _ in range(children):
        child = _fresh(lambda: _child(judged, state.plan, chance), [*population, *known])
        population.append(child)
    for _ in range(NEWCOMERS):
        population.append(_fresh(lambda: scatter(state.origin, chance), [*population, *known]))
    return tuple(population)


def _child(judged: Sequence[Judged], plan: Plan, chance: random.Random) -> Genome:
    able = judged[: plan.population]

    def parent() -> Genome:
        drawn = [chance.choice(able) for _ in range(TOURNAMENT)]
        return min(drawn, key=_order).genome

    return mutate(cross(parent(), parent(), chance), chance)


def _fresh(make: Callable[[], Genome], known: Sequence[Genome]) -> Genome:
    """Give one that is not known, if a few tries find it."""
    made = make()
    for _ in range(TRIES):
        if made not in known:
            break
        made = make()
    return made


def _chance(plan: Plan, generation: int) -> random.Random:
    return random.Random(f"generation {generation} of {plan.seed}")  # noqa: S311 - repeatable


def _order(one: Judged) -> tuple[float, int, str]:
    return one.order
