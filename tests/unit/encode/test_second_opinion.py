"""A language model is asked about what the local judge doubts, and about nothing else."""

import re

import pytest

from tacit.encode.llm.requests import MOST_PAIRS, SecondOpinion
from tacit.encode.ports import Completion
from tacit.errors import Unavailable


class WordJudge:
    """Is sure where a word says so, and in doubt everywhere else."""

    name, threshold = "words", 0.5

    def judge(self, pairs):
        """Give one probability a pair."""
        return [0.95 if "not" in a + b else 0.02 if "and" in a + b else 0.5 for a, b in pairs]


class NumberModel:
    """Says that two statements clash when their numbers differ; keeps what it was asked."""

    name = "numbers"

    def __init__(self):
        self.asked = []

    def complete(self, system, prompt, *, most_tokens):
        """Answer a prompt of numbered pairs."""
        pairs = re.findall(r"(\d+)\.\nA: (.*)\nB: (.*)", prompt)
        self.asked += pairs
        said = [
            f'{{"pair": {n}, "contradiction": {float(re.findall(r"[0-9]+", a) != re.findall(r"[0-9]+", b))}}}'
            for n, a, b in pairs
        ]
        return Completion(text="Here you are:\n[" + ", ".join(said) + "]")


class Silent:
    """Gives an answer nobody can use, or none at all."""

    name = "silent"

    def __init__(self, fails):
        self.fails = fails

    def complete(self, system, prompt, *, most_tokens):
        """Fail, or say something else."""
        if self.fails:
            raise Unavailable("the budget is spent")
        return Completion(text='[{"pair": 1, "contradiction": "surely"}, {"pair": 9}]')


def test_only_what_is_in_doubt_is_asked_and_the_model_decides_it():
    model = NumberModel()
    pairs = [("a not", "b"), ("x 1", "x 2"), ("a and b", "c"), ("y 3", "y 3 too")]

    assert SecondOpinion(WordJudge(), model).judge(pairs) == [0.95, 1.0, 0.02, 0.0]
    assert [(a, b) for _, a, b in model.asked] == [("x 1", "x 2"), ("y 3", "y 3 too")]


def test_which_text_comes_first_does_not_matter():
    judge = SecondOpinion(WordJudge(), NumberModel())

    assert judge.judge([("x 1", "x 2")]) == judge.judge([("x 2", "x 1")])


def test_nothing_in_doubt_asks_nothing():
    model = NumberModel()

    assert SecondOpinion(WordJudge(), model).judge([("a not", "b")]) == [0.95]
    assert model.asked == []


def test_one_call_asks_a_bounded_number():
    model = NumberModel()
    pairs = [(f"x {n}", f"x {n + 1}") for n in range(MOST_PAIRS + 5)]

    said = SecondOpinion(WordJudge(), model).judge(pairs)

    assert len(model.asked) == MOST_PAIRS
    assert said.count(1.0) == MOST_PAIRS
    assert said.count(0.5) == 5


@pytest.mark.parametrize("fails", [True, False])
def test_without_an_answer_the_first_opinion_stands(fails):
    assert SecondOpinion(WordJudge(), Silent(fails)).judge([("x 1", "x 2")]) == [0.5]


def test_without_a_local_judge_the_model_is_asked_about_all():
    model = NumberModel()

    assert SecondOpinion(None, model).judge([("a not 1", "b 2")]) == [1.0]
    assert SecondOpinion(None, model).name == "numbers"
    assert SecondOpinion(WordJudge(), model).name == "words+numbers"
