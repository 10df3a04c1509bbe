"""A set as a history: nothing is known too early, and the same seed breeds the same champion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.bench.case import Ask, Collection, Remember
from tacit.bench.evolve import _section, bred, run
from tacit.bench.history import History
from tacit.draft import Draft
from tacit.errors import NotFound
from tacit.model import Kind
from tacit.profile import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TWENTY = 20
BEFORE = 10


def kept(text: str, name: str, kind: Kind) -> Remember:
    return Remember(drafts=(Draft(text=text, kind=kind),), names=(name,))


def a_collection() -> Collection:
    """Give questions each answered by a fact that stands behind ten episodes with more words."""
    steps: list[Remember | Ask] = []
    for number in range(TWENTY):
        word = "bcdfghjklmnpqrstvwxz"[number] * 3
        for place in range(BEFORE):
            text = f"zop{word} zit{word} zal{word} attempt number {place}"
            steps.append(kept(text, f"e{number}-{place}", Kind.EPISODE))
        steps.append(kept(f"Ask Ana before zit{word} goes out", f"f{number}", Kind.FACT))
        query = f"zop{word} zit{word} zal{word}"
        wanted = frozenset({f"f{number}", f"later{number}"})
        steps.append(Ask(id=f"q{number}", category="plain", query=query, wanted=wanted))
        steps.append(kept(f"{query} said later, of use too late", f"later{number}", Kind.FACT))
    return Collection(name="made up", steps=tuple(steps))


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    made = History(str(tmp_path), None)
    made.take(a_collection(), lambda ask: ask.id)
    yield made
    made.close()


def test_a_question_is_answered_from_its_past_alone(history: History) -> None:
    eager = DEFAULT.replace(name="eager", kinds=(("fact", 5.0),))

    for case in history.cases:
        found = history.answer(eager, case)
        assert f"f{case.id[1:]}" in found.ids
        assert not any(name.startswith("later") for name in found.ids if name[5:] == case.id[1:])
        assert found.tokens > 0


def test_the_same_seed_gives_the_same_figures_on_the_other_half(history: History) -> None:
    def sections() -> dict[str, object]:
        state = bred(history, 1, lambda _told: None, generations=2, population=8)
        return _without_time(_section(state))

    assert sections() == sections()


def test_the_cost_is_told_beside_the_gain(history: History) -> None:
    told: list[str] = []
    section = _section(bred(history, 1, told.append, generations=2, population=8))

    assert [line.split(": ")[1] for line in told] == [
        "generation 1",
        "generation 2",
    ]
    assert section["cost"]["questions asked"] > 0 < section["cost"]["tokens"]
    assert section["default, where it was bred"]["questions"] == TWENTY // 2
    assert "verdict" in section or section["gain, other half"]["sessions"] == TWENTY // 2


def test_a_set_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="swe-issues"):
        run(str(tmp_path), None, 1, lambda _text: None)


def _without_time(section: dict[str, dict[str, object]]) -> dict[str, object]:
    measured = ("ms", "seconds")
    return {
        part: {name: value for name, value in row.items() if name not in measured}
        for part, row in section.items()
    }
