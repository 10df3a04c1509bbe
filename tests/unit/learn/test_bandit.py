"""The bandit finds the best arm, follows a change, and begins from what is known."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from numpy.random import default_rng

from fakes import NOON
from tacit.learn.bandit import Evidence, Posterior, chances, posterior
from tacit.learn.policy import Policy
from tacit.learn.sequential import Count
from tacit.learn.update import step

ARMS = ("a@1", "b@1", "c@1", "d@1")


def begun(**fields: object) -> Policy:
    return Policy(mode="adapt", control="a@1", arms=ARMS, seed=4, since=NOON, moved=NOON).replace(
        **fields
    )


def lived(policy: Policy, worth: dict[str, float], days: int, *, first: int = 0, evidence=None):
    """Let forty sessions a day get their arms and go as well as those do; give what came of it."""
    chance, evidence, led = Random(9), evidence or Evidence(), []
    for day in range(first, first + days):
        for session in range(40):
            found = policy.assigned(f"{day}-{session}", "review")
            evidence.add("review", found.arm, day, float(chance.random() < worth[found.arm]))
            if not found.explored:
                led.append(found.arm)
        policy = step(policy, evidence, NOON + timedelta(days=day + 1)).policy
    return policy, evidence, led


def test_the_best_arm_is_chosen_in_more_than_four_of_five_sessions():
    _, _, led = lived(begun(), {"a@1": 0.5, "b@1": 0.45, "c@1": 0.7, "d@1": 0.55}, 90)

    last = led[-len(led) // 3 :]
    assert last.count("c@1") / len(last) > 0.8


def test_the_lead_follows_when_another_arm_becomes_the_best():
    policy, evidence, _ = lived(begun(), {"a@1": 0.5, "b@1": 0.4, "c@1": 0.8, "d@1": 0.5}, 60)
    assert policy.lead("review")["c@1"] > 0.8

    turned = {"a@1": 0.5, "b@1": 0.8, "c@1": 0.4, "d@1": 0.5}
    policy, _, led = lived(policy, turned, 90, first=60, evidence=evidence)

    assert policy.lead("review")["b@1"] > 0.8
    assert led[-300:].count("b@1") / 300 > 0.8


def test_a_session_counts_less_with_each_day():
    days = [(0, Count(sessions=10, total=10.0)), (10, Count(sessions=10, total=0.0))]

    whole = posterior(days, 10, discount=1.0)
    fading = posterior(days, 10, discount=0.9)

    assert (whole.good, whole.bad) == (11.0, 11.0)
    assert fading.good == pytest.approx(1.0 + 10 * 0.9**10)
    assert fading.mean < whole.mean
    assert fading.weight < whole.weight


def test_what_is_known_from_elsewhere_counts_and_fades_too():
    warm = posterior([], 0, discount=0.9, known=(8.0, 2.0))

    assert (warm.good, warm.bad) == (9.0, 3.0)
    assert posterior([], 100, discount=0.9, known=(8.0, 2.0)).weight < 0.01
    started = step(
        begun(known={"d@1": (40.0, 2.0)}), _tried_once(), NOON + timedelta(days=1)
    ).policy
    lead = started.lead("review")
    assert max(set(lead) - {"a@1"}, key=lambda arm: lead[arm]) == "d@1"


def test_chances_are_those_of_being_the_best_and_the_same_for_the_same_seed():
    believed = {"a@1": Posterior(good=80, bad=20), "b@1": Posterior(good=20, bad=80)}
    found = chances(believed, default_rng(1))

    assert found == chances(believed, default_rng(1))
    assert found["a@1"] > 0.99
    even = chances({"a@1": Posterior(), "b@1": Posterior()}, default_rng(1))
    assert even["a@1"] == pytest.approx(0.5, abs=0.05)


def test_each_type_of_task_learns_for_itself():
    evidence = _tried_once()
    for _ in range(200):
        evidence.add("debugging", "b@1", 0, 1.0)
    policy = step(begun(), evidence, NOON + timedelta(days=1)).policy

    debugging, review = policy.lead("debugging"), policy.lead("review")
    assert max(set(debugging) - {"a@1"}, key=lambda arm: debugging[arm]) == "b@1"
    assert review["b@1"] < debugging["b@1"]


def _tried_once() -> Evidence:
    evidence = Evidence()
    for arm in ARMS:
        evidence.add("review", arm, 0, 1.0)
    return evidence
