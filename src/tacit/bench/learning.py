"""Does learning come to use the best profile, and does it stay safe on the way?

What each shipped profile finds is computed once, by the product itself. Then sessions are made up
in an order given by a seed, many a day: each asks one of the questions, gets its arm from the
policy, and is worth what that arm finds, but one outcome in five is told wrong. In the middle of it
the world changes: every arm takes over the outcomes of another, so that another one is the best.
The policy, the bandit and the guardrails are those of `tacit.learn`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from math import log, sqrt
from typing import Any

from numpy.random import Generator, default_rng

from tacit.bench.arms import outcomes
from tacit.bench.metrics import mean
from tacit.bench.quality import default_folder, reader_of
from tacit.encode.ports import Embedder
from tacit.errors import NotFound
from tacit.learn.assign import draw
from tacit.learn.bandit import Evidence
from tacit.learn.policy import Policy
from tacit.learn.update import step
from tacit.profile import PROFILES
from tacit.value import Value

NAME = "learning"
SETS = ("agent-sessions", "swe-issues", "beam")
SEEDS = (1, 2, 3, 4, 5)
DAYS = 360
MANY, FEW = 2_000, 200  # sessions a day
FLIPPED = 0.2  # of the outcomes: told wrong
NEAR = 0.01  # of the best: as good as it
TASK = ""
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
ARMS = tuple(f"{profile.name}@{profile.version}" for profile in PROFILES.values())


class World(Value):
    """What each arm would find for each question, before and after it changes."""

    columns: tuple[tuple[int, ...], ...]  # by arm, then by question
    turned: int  # by how many places the arms change over in the middle

    def place(self, arm: int, day: int) -> int:
        """Give whose outcomes an arm has on a day."""
        return (arm + self.turned) % len(ARMS) if day >= DAYS // 2 else arm

    def means(self, day: int) -> list[float]:
        """Give the share of questions each arm answers on a day."""
        return [mean(self.columns[self.place(arm, day)]) for arm in range(len(ARMS))]


def run(
    folder: str | None, embedder: Embedder | None, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Measure one set, by the name of its folder, or all that lie in the folder."""
    started = time.perf_counter()
    sections: dict[str, dict[str, Any]] = {}
    raw: dict[str, Any] = {}
    for name, place in _sets(folder):
        rows = outcomes(name, place, embedder, progress)
        world = world_of([[row[arm] for arm in PROFILES] for row in rows])
        lives = [_told(world, seed, progress, name) for seed in SEEDS]
        sections[name] = _section(world, lives)
        raw[name] = {"outcomes": rows, "lives": lives}
    whole = list(sections.values())
    return {
        "set": NAME,
        "questions": sum(len(one["outcomes"]) for one in raw.values()),
        "seconds": round(time.perf_counter() - started, 1),
        "metrics": {
            "best_arm_share": min(one["policy"]["best_arm_share"] for one in whole),
            "least_of_control": min(one["policy"]["least_of_control"] for one in whole),
        },
        "sections": sections,
        "raw": raw,
    }


def world_of(rows: Sequence[Sequence[int]]) -> World:
    """Make a world whose best arms before its change are as seldom as can be the best after."""
    still = World(columns=tuple(zip(*rows, strict=True)), turned=0)
    means = still.means(0)
    best = {arm for arm, one in enumerate(means) if one >= max(means) - NEAR}

    def kept(turned: int) -> int:
        return sum(1 for arm in best if (arm + turned) % len(means) in best)

    return still.replace(turned=min(range(1, len(means)), key=kept))


def live(world: World, seed: int, sessions: int) -> list[dict[str, Any]]:
    """Live through all days, so many sessions each; give a row a day."""
    policy = Policy(mode="adapt", control=ARMS[0], arms=ARMS, seed=seed, since=BEGIN, moved=BEGIN)
    chance, evidence, days = default_rng(seed), Evidence(), []
    for day in range(DAYS):
        means = world.means(day)
        arms = _drawn(policy, f"{seed}-{day}", sessions)
        for arm in range(len(ARMS)):
            count = sum(1 for one, _ in arms if one == arm)
            total = sum(_rewards(world, arm, day, count, chance))
            evidence.add(TASK, ARMS[arm], day, total, sessions=count)
        mix = policy.mix(TASK)
        expected = sum(share * means[ARMS.index(arm)] for arm, share in mix.items())
        led = [arm for arm, explored in arms if not explored]
        taken = step(policy, evidence, BEGIN + timedelta(days=day + 1))
        days.append(
            {
                "near": mean([float(means[arm] >= max(means) - NEAR) for arm in led]),
                "regret": sum(max(means) - means[arm] for arm, _ in arms),
                "of_control": expected / means[0],
                "rolled_back": sum(one.event == "rolled back" for one in taken.notes),
            }
        )
        policy = taken.policy
    return days


def _drawn(policy: Policy, day: str, sessions: int) -> list[tuple[int, bool]]:
    """Draw the arms of a day's sessions, and which of them explore."""
    lead, tried = policy.lead(TASK), policy.tried(TASK)
    found = (
        draw(
            lead,
            tried,
            policy.explore,
            session=f"{day}-{session}",
            task_type=TASK,
            seed=policy.seed,
        )
        for session in range(sessions)
    )
    places = {arm: place for place, arm in enumerate(ARMS)}
    return [(places[one.arm], one.explored) for one in found]


def by_bound(world: World, seed: int) -> list[float]:
    """Give the regret of each day of UCB1, which has no limits, no control and no discount."""
    chance = default_rng(seed)
    sessions, totals = [0] * len(ARMS), [0.0] * len(ARMS)
    regrets = []
    for day in range(DAYS):
        means, regret = world.means(day), 0.0
        coming = [iter(_rewards(world, arm, day, MANY, chance)) for arm in range(len(ARMS))]
        for _ in range(MANY):
            arm = _highest(sessions, totals)
            sessions[arm] += 1
            totals[arm] += next(coming[arm])
            regret += max(means) - means[arm]
        regrets.append(regret)
    return regrets


def _highest(sessions: list[int], totals: list[float]) -> int:
    """Give the arm whose bound is highest; each is tried once first."""
    if 0 in sessions:
        return sessions.index(0)
    room = 2.0 * log(sum(sessions))
    bounds = [
        total / count + sqrt(room / count) for total, count in zip(totals, sessions, strict=True)
    ]
    return bounds.index(max(bounds))


def _rewards(world: World, arm: int, day: int, count: int, chance: Generator) -> list[int]:
    """Let so many sessions ask any of the questions of an arm; some outcomes are told wrong."""
    column = world.columns[world.place(arm, day)]
    found = chance.choice(column, size=count)
    wrong = chance.random(count) < FLIPPED
    told: list[int] = (found ^ wrong).tolist()
    return told


def _told(world: World, seed: int, progress: Callable[[str], None], name: str) -> dict[str, Any]:
    progress(f"{name}: seed {seed}")
    static = [MANY * (max(m) - m[0]) for m in map(world.means, range(DAYS))]
    return {
        "seed": seed,
        "days": live(world, seed, MANY),
        "few": live(world, seed, FEW),
        "ucb_regret": by_bound(world, seed),
        "static_regret": static,
    }


def _section(world: World, lives: Sequence[dict[str, Any]]) -> dict[str, Any]:
    def each(regrets: list[float]) -> float:
        return round(mean(regrets) / (DAYS * MANY), 4)

    return {
        "arms": {
            "questions": len(world.columns[0]),
            "turned_by": world.turned,
            "before": _by_arm(world, 0),
            "after": _by_arm(world, DAYS - 1),
        },
        "policy": _shares([one["days"] for one in lives]),
        f"with {FEW} a day": _shares([one["few"] for one in lives]),
        "regret a session": {
            "policy": each([sum(day["regret"] for day in one["days"]) for one in lives]),
            "ucb": each([sum(one["ucb_regret"]) for one in lives]),
            "static": each([sum(one["static_regret"]) for one in lives]),
        },
    }


def _shares(lives: Sequence[list[dict[str, Any]]]) -> dict[str, Any]:
    """Give how often the best was used in the last third, and how the control was kept up with."""
    shares = [mean([day["near"] for day in days[DAYS * 2 // 3 :]]) for days in lives]
    before = [mean([day["near"] for day in days[DAYS // 3 : DAYS // 2]]) for days in lives]
    every = [day for days in lives for day in days]
    return {
        "best_arm_share": round(mean(shares), 4),
        "least_of_seeds": round(min(shares), 4),
        "before_the_change": round(mean(before), 4),
        "least_of_control": round(min(day["of_control"] for day in every), 4),
        "arms_rolled_back": sum(day["rolled_back"] for day in every),
    }


def _by_arm(world: World, day: int) -> dict[str, float]:
    return {
        arm.partition("@")[0]: round(one, 3)
        for arm, one in zip(ARMS, world.means(day), strict=True)
    }


def _sets(folder: str | None) -> list[tuple[str, str]]:
    """Give the sets to measure: the one whose folder was given, or those that lie in it."""
    if folder and (name := os.path.basename(os.path.normpath(folder))) in SETS:
        return [(name, folder)]
    places = {
        name: os.path.join(folder, reader_of(name).FOLDER)
        if folder
        else default_folder(reader_of(name).FOLDER)
        for name in SETS
    }
    found = [(name, place) for name, place in places.items() if os.path.isdir(place)]
    if not found:
        raise NotFound(f"none of {', '.join(SETS)} is there; give the folder of one with --data")
    return found
