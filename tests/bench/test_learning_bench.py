"""The figures of learning: the product's own classes, a changing world, the same for a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.bench import learning
from tacit.bench.arms import outcomes
from tacit.bench.case import Ask, Collection, Remember
from tacit.bench.plot import draw_learning
from tacit.draft import Draft
from tacit.errors import NotFound
from tacit.profile import PROFILES

if TYPE_CHECKING:
    from pathlib import Path

NAMES = list(PROFILES)


def rows(best: str, count: int = 40) -> list[dict[str, int]]:
    """Give outcomes in which one arm answers all questions and the others half."""
    return [{name: int(name == best or n % 2) for name in NAMES} for n in range(count)]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch):
    """Let a life be short."""
    monkeypatch.setattr(learning, "DAYS", 90)
    monkeypatch.setattr(learning, "MANY", 60)
    monkeypatch.setattr(learning, "FEW", 20)
    monkeypatch.setattr(learning, "SEEDS", (1, 2))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch):
    """Put made-up outcomes where the product would be asked."""
    monkeypatch.setattr(learning, "outcomes", lambda *_: rows("review"))


def test_the_best_arm_is_used_before_and_after_the_world_changes(short, asked, tmp_path: Path):
    (tmp_path / "beam").mkdir()
    result = learning.run(str(tmp_path / "beam"), None, lambda _text: None)

    found = result["sections"]["beam"]
    assert result["metrics"]["best_arm_share"] > 0.5
    assert found["policy"]["least_of_control"] >= 0.8
    assert found["arms"]["before"]["review"] == 1.0
    assert found["arms"]["after"]["review"] == 0.5
    assert found["regret a session"]["policy"] < found["regret a session"]["static"]
    draw_learning(result["raw"], str(tmp_path / "learning.png"))
    assert (tmp_path / "learning.png").stat().st_size > 0


def test_the_same_seed_lives_the_same_life(short):
    world = learning.world_of([[row[name] for name in NAMES] for row in rows("seed")])

    assert learning.live(world, 3, 20) == learning.live(world, 3, 20)
    assert learning.live(world, 3, 20) != learning.live(world, 4, 20)
    assert learning.by_bound(world, 3) == learning.by_bound(world, 3)


def test_every_shipped_profile_is_asked_each_chosen_question(monkeypatch: pytest.MonkeyPatch):
    drafts = tuple(Draft(text=f"Rule {n}: part {n} of the house is kept dry") for n in range(4))
    asks = tuple(
        Ask(
            id=str(n), category="plain", query=f"part {n} of the house", wanted=frozenset({f"r{n}"})
        )
        for n in range(4)
    )
    names = tuple(f"r{n}" for n in range(4))
    one = Collection(name="house", steps=(Remember(drafts=drafts, names=names), *asks))
    reader = type("Reader", (), {"collections": staticmethod(lambda _folder: [one])})
    monkeypatch.setattr("tacit.bench.arms.reader_of", lambda _name: reader)

    found = outcomes("house", "", None, lambda _text: None)

    assert [set(row) for row in found] == [set(NAMES)] * 4
    assert all(row["default"] == 1 for row in found)


def test_a_folder_without_any_of_the_sets_is_told(tmp_path: Path):
    with pytest.raises(NotFound, match="agent-sessions"):
        learning.run(str(tmp_path), None, lambda _text: None)
