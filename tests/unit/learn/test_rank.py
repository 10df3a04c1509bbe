"""Weights are learnt from what was wanted, judged on what they were not learnt from."""

from __future__ import annotations

import random

import pytest

from builders import a_fact
from tacit.learn.gain import gain_of
from tacit.learn.rank import (
    LEAST_QUESTIONS,
    WEIGHTS,
    Asked,
    fit,
    folds,
    learn,
    parts_of,
    reciprocal_rank,
    score_all,
)
from tacit.learn.written import NUMBERS
from tacit.model import Facet, FacetType, Mention, Role
from tacit.profile import DEFAULT
from tacit.retrieve.query import Hit, Parts

TEXT, VECTOR, COVERED = (list(WEIGHTS).index(name) for name in ("text", "vector", "covered"))


def questions(number: int, telling: int, *, groups: int = 10, seed: int = 1) -> list[Asked]:
    """Make questions whose wanted candidate is best in one part alone; the others are noise."""
    chance = random.Random(seed)
    made = []
    for place in range(number):
        rows = [[chance.random() for _ in WEIGHTS] for _ in range(8)]
        rows[3][telling] = 1.5
        made.append(
            Asked(
                group=f"g{place % groups}",
                parts=tuple(tuple(row) for row in rows),
                wanted=tuple(one == 3 for one in range(8)),
            )
        )
    return made


@pytest.mark.parametrize("part", [TEXT, VECTOR, COVERED])
def test_the_part_that_tells_what_is_wanted_gains_weight(part):
    name = list(WEIGHTS)[part]
    learnt = learn(questions(60, part), DEFAULT)

    assert learnt.validated
    assert getattr(learnt.profile, name) > getattr(DEFAULT, name)
    assert learnt.gain is not None
    assert learnt.gain.after > learnt.gain.before


def test_the_same_questions_give_the_same_weights():
    assert learn(questions(60, TEXT), DEFAULT) == learn(questions(60, TEXT), DEFAULT)


def test_no_weight_is_below_zero_or_beyond_its_bounds_and_the_sum_stays():
    fitted = fit(questions(80, COVERED), DEFAULT, strength=0.001)

    for name in WEIGHTS:
        assert NUMBERS[name][0] <= getattr(fitted, name) <= NUMBERS[name][1]
    whole = [sum(getattr(one, name) for name in WEIGHTS) for one in (DEFAULT, fitted)]
    assert whole[1] == pytest.approx(whole[0], abs=0.01)


def test_only_the_weights_are_changed():
    fitted = fit(questions(40, TEXT), DEFAULT)
    weights = {name: getattr(DEFAULT, name) for name in WEIGHTS}

    assert fitted != DEFAULT
    assert fitted.replace(**weights) == DEFAULT


def test_the_harder_the_present_weights_hold_on_the_less_they_move():
    moved = [
        sum(
            abs(getattr(fit(questions(40, TEXT), DEFAULT, strength), name) - getattr(DEFAULT, name))
            for name in WEIGHTS
        )
        for strength in (0.1, 1.0, 100.0)
    ]

    assert moved[0] > moved[1] > moved[2]


def test_too_few_questions_or_groups_are_refused_with_what_is_needed():
    few = learn(questions(LEAST_QUESTIONS - 1, TEXT), DEFAULT)
    alone = learn(questions(60, TEXT, groups=2), DEFAULT)

    assert few.refused.endswith("30 of 5 are needed")
    assert "60 questions of 2 groups" in alone.refused
    assert few.profile == DEFAULT
    assert not few.validated


def test_what_gains_nothing_on_others_is_refused():
    chance = random.Random(3)
    noise = [
        one.replace(wanted=tuple(chance.sample([True] + [False] * 7, 8)))
        for one in questions(60, TEXT)
    ]
    best = fit(noise, DEFAULT)  # there is nothing in it to learn
    learnt = learn([one for one in noise if reciprocal_rank(one, DEFAULT) == 1.0] * 6, DEFAULT)

    assert best != DEFAULT
    assert learnt.refused == "other questions than those learnt from gain nothing by it"
    assert learnt.profile == DEFAULT


def test_questions_of_one_group_are_never_on_both_sides():
    asked = questions(60, TEXT, groups=7)

    for rest, held in folds(asked, sorted({one.group for one in asked})):
        assert not {one.group for one in rest} & {one.group for one in held}
        assert len(rest) + len(held) == 60


def test_the_parts_of_hits_times_the_weights_give_the_scores_again():
    parts = [
        Parts(text=0.5, vector=0.2, human=0.3, unverified=-0.1, coverage=0.8, cosine=0.4),
        Parts(text=0.1, vector=0.5, facets=0.15, factor=0.5, coverage=0.2, cosine=0.6),
    ]
    hits = [Hit(memory=a_fact(), score=one.score, parts=one) for one in parts]
    rows = parts_of(hits, DEFAULT, {})

    assert score_all(rows, DEFAULT) == pytest.approx([hit.score for hit in hits])
    heavier = score_all(rows, DEFAULT.replace(covered=1.0, cosine=0.5))
    assert heavier[0] - hits[0].score == pytest.approx(0.8 + 0.2)


def test_the_files_a_hit_is_about_count_by_their_number_even_where_they_weighed_nothing():
    one = Parts(text=0.5, vector=0.2)
    hits = [Hit(memory=a_fact(), score=one.score, parts=one) for _ in range(2)]
    files = tuple(
        Mention(facet=Facet(type=FacetType.FILE, name=f"src/{n}.py"), role=Role.WRITES)
        for n in range(5)
    )
    plain, about = parts_of(hits, DEFAULT, {hits[1].memory.id: files})
    gained = score_all([plain, about], DEFAULT.replace(files=0.4))

    assert score_all([plain, about], DEFAULT) == pytest.approx([0.7, 0.7])
    assert gained == pytest.approx([0.7, 0.9])


def test_words_alone_take_the_weight_of_vectors_as_they_do_in_a_recall():
    one = Parts(text=1.0, coverage=0.8)
    rows = parts_of([Hit(memory=a_fact(), score=one.score, parts=one)], DEFAULT, {})

    assert score_all(rows, DEFAULT) == pytest.approx([1.0])
    assert score_all(rows, DEFAULT.replace(text=0.2, vector=0.3)) == pytest.approx([0.5])


def test_a_gain_says_how_sure_it_is():
    sure = gain_of([0.0] * 40, [1.0] * 40, [str(n) for n in range(40)])
    unsure = gain_of([0.0, 1.0] * 20, [1.0, 0.0] * 20, [str(n) for n in range(40)])

    assert (sure.mean, sure.low, sure.high) == (1.0, 1.0, 1.0)
    assert unsure.low < 0 < unsure.high
