"""An arm is drawn by a hash: stable for a session, even over many, and in the shares asked for."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from tacit.learn.assign import draw, explored, mixed, unit

ARMS = ("default@1", "seed@1", "static@1", "balanced@1")
EVEN = dict.fromkeys(ARMS, 0.25)
# The value a chi-squared sum with three degrees of freedom passes once in a thousand times.
RARE = 16.27


def drawn(session: str, task_type: str = "", seed: int = 1, explore: float = 0.1):
    lead = {"seed@1": 1.0}
    tried = explored("default@1", ARMS)
    return draw(lead, tried, explore, session=session, task_type=task_type, seed=seed)


@pytest.mark.parametrize("named", ["claude:{}", "019a{:032x}", "{}"])
@pytest.mark.parametrize("seed", [0, 7])
def test_arms_are_drawn_evenly_over_many_sessions(named, seed):
    sessions = 20_000
    counts = Counter(
        draw(EVEN, EVEN, 0.1, session=named.format(n), task_type="review", seed=seed).arm
        for n in range(sessions)
    )

    expected = sessions / len(ARMS)
    assert sum((counts[arm] - expected) ** 2 / expected for arm in ARMS) < RARE


def test_a_session_draws_the_same_however_often_it_is_asked():
    for n in range(200):
        assert drawn(f"s{n}", "debugging") == drawn(f"s{n}", "debugging")


def test_another_type_of_task_and_another_seed_draw_apart():
    many = range(2_000)
    plain = [unit(f"1\0\0s{n}") for n in many]
    others = [unit(f"1\0review\0s{n}") for n in many]
    seeded = [unit(f"2\0\0s{n}") for n in many]

    for other in (others, seeded):
        alike = sum((a < 0.5) == (b < 0.5) for a, b in zip(plain, other, strict=True))
        assert 0.45 < alike / len(plain) < 0.55


def test_a_tenth_explores_and_half_of_it_is_the_control():
    found = [drawn(f"s{n}") for n in range(20_000)]

    exploring = [one.arm for one in found if one.explored]
    assert 0.09 < len(exploring) / len(found) < 0.11
    assert 0.45 < exploring.count("default@1") / len(exploring) < 0.55
    assert {one.arm for one in found if not one.explored} == {"seed@1"}


def test_the_mix_is_what_is_drawn():
    lead, tried = {"seed@1": 0.6, "balanced@1": 0.4}, explored("default@1", ARMS)
    mix = mixed(lead, tried, 0.1)
    counts = Counter(
        draw(lead, tried, 0.1, session=str(n), task_type="", seed=3).arm for n in range(20_000)
    )

    assert sum(mix.values()) == pytest.approx(1.0)
    for arm in ARMS:
        assert counts[arm] / 20_000 == pytest.approx(mix[arm], abs=0.012)


def test_an_arm_without_a_share_is_never_drawn():
    lead = {"seed@1": 0.0, "balanced@1": 1.0}
    found = {draw(lead, lead, 0.1, session=str(n), task_type="", seed=3).arm for n in range(500)}

    assert found == {"balanced@1"}


def test_drawing_and_the_policy_load_nothing_a_hook_should_not():
    heavy = {"numpy", "random", "hashlib", "typing", "dataclasses", "re", "json", "datetime"}
    code = (
        "import sys; before = set(sys.modules); import tacit.learn.policy, tacit.learn.serving; "
        "print(*sorted(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert set(ran.stdout.split()) & heavy == set()
