"""What a type of task changes: factors of kinds, shares of a briefing, and what is read first."""

from __future__ import annotations

import pytest

from builders import a_fact, a_pattern, a_resource, a_skill, an_episode
from tacit.errors import Invalid, NotFound
from tacit.model import Kind, Memory, Polarity, Tier
from tacit.profile import BANDS, DEFAULT, STRATEGIES, TASK_TYPES, named, strategy, tuned
from tacit.retrieve.before_task import before_task
from tacit.retrieve.query import Hit, Parts
from tacit.retrieve.sorts import band_of, sort_of
from tacit.retrieve.task import detect

# Episode, fact and pattern, skill, warning: as shares of one.
WEIGHTS = {
    "exploration": (0.6, 0.3, 0.1, 0.0),
    "implementation": (0.15, 0.5, 0.35, 0.0),
    "debugging": (0.4, 0.2, 0.0, 0.4),
    "review": (0.3, 0.5, 0.0, 0.2),
    "refactoring": (0.25, 0.45, 0.3, 0.0),
}


@pytest.mark.parametrize(("task_type", "weights"), WEIGHTS.items())
def test_factors_are_the_weights_scaled_to_the_largest(
    task_type: str, weights: tuple[float, ...]
) -> None:
    one = strategy(task_type)
    kinds = dict(one.kinds)

    scaled = [max(0.1, weight / max(weights)) for weight in weights]
    assert [kinds["episode"], kinds["fact"], kinds["skill"], one.avoid] == pytest.approx(
        scaled, abs=1e-4
    )
    assert kinds["pattern"] == kinds["fact"]


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_no_kind_is_silenced_and_the_bands_share_the_whole(task_type: str) -> None:
    one = strategy(task_type)

    assert min(dict(one.kinds).values()) >= 0.1
    assert one.avoid >= 0.1
    assert max(*dict(one.kinds).values(), one.avoid) == 1.0
    assert tuple(dict(one.bands)) == BANDS
    assert sum(dict(one.bands).values()) == 1000


def test_debugging_gives_more_to_what_is_critical() -> None:
    assert tuple(dict(strategy("debugging").bands).values()) == (375, 312, 188, 125)
    assert tuple(dict(strategy("feature").bands).values()) == (250, 375, 250, 125)


def test_a_strategy_is_found_by_its_activity_too() -> None:
    assert strategy("feature") is strategy("implementation")
    with pytest.raises(NotFound, match="there is no task type 'cooking'"):
        strategy("cooking")


def test_tuning_changes_nothing_but_the_factors() -> None:
    made = tuned(DEFAULT, strategy("debugging"))

    assert made.replace(name=DEFAULT.name, kinds=DEFAULT.kinds, avoid=DEFAULT.avoid) == DEFAULT
    assert made.kind_factor("skill") == 0.1
    assert made.kind_factor("episode") == 1.0


def test_a_weak_strategy_draws_the_factors_towards_one() -> None:
    one = strategy("debugging")

    assert set(dict(tuned(DEFAULT, one, 0.0).kinds).values()) == {1.0}
    assert tuned(DEFAULT, one, 0.5).kind_factor("skill") == 0.55
    with pytest.raises(Invalid, match="not between 0 and 1"):
        tuned(DEFAULT, one, 1.5)


def test_each_type_is_a_profile_that_can_be_named() -> None:
    assert {named(task_type).kinds for task_type in TASK_TYPES} == {
        one.kinds for one in STRATEGIES.values()
    }


def test_a_sort_is_finer_than_a_kind() -> None:
    assert sort_of(a_fact(subtype="decision")) == "decision"
    assert sort_of(a_fact(subtype="version")) == "dependency"
    assert sort_of(a_pattern(polarity=Polarity.AVOID)) == "warning"
    assert sort_of(an_episode(outcome="failure")) == "failure"
    assert sort_of(an_episode()) == "episode"
    assert sort_of(a_resource()) == "document"
    assert sort_of(a_skill()) == "skill"


@pytest.mark.parametrize(
    ("activity", "memory", "band"),
    [
        ("feature", a_fact(subtype="decision"), "critical"),
        ("feature", a_fact(subtype="question"), "critical"),
        ("feature", a_pattern(), "relevant"),
        ("feature", an_episode(), "relevant"),
        ("feature", a_fact(subtype="dependency"), "relevant"),
        ("feature", a_fact(subtype="convention"), "background"),
        ("feature", a_fact(subtype="preference"), "background"),
        ("debugging", a_fact(subtype="error-fix"), "critical"),
        ("debugging", an_episode(outcome="failure"), "critical"),
        ("debugging", a_fact(subtype="decision"), "background"),
        ("review", a_fact(subtype="convention"), "critical"),
        ("refactoring", a_pattern(), "relevant"),
        ("exploration", a_resource(), "critical"),
        ("no such activity", a_pattern(), "relevant"),
    ],
)
def test_what_is_critical_depends_on_what_is_being_done(
    activity: str, memory: Memory, band: str
) -> None:
    assert band_of(memory, activity) == band


@pytest.mark.parametrize("activity", [one.activity for one in STRATEGIES.values()])
def test_what_binds_is_always_critical_and_a_warning_never_in_the_background(
    activity: str,
) -> None:
    assert band_of(a_fact(tier=Tier.MANDATE), activity) == "critical"
    assert band_of(a_pattern(polarity=Polarity.AVOID), activity) != "background"


def test_before_a_task_three_questions_are_asked() -> None:
    held = [
        a_fact("Exports run in a worker."),
        a_pattern("Stream large exports."),
        a_pattern("Do not load an export whole.", polarity=Polarity.AVOID),
        a_pattern("Never retry.", polarity=Polarity.AVOID, tier=Tier.GUARDRAIL),
        a_skill("Profile an export."),
        an_episode("An export ran out of memory.", outcome="failure"),
    ]

    def recall(
        _goal: str,
        *,
        limit: int,
        kinds: tuple[Kind, ...] = tuple(Kind),
        polarities: tuple[Polarity, ...] = tuple(Polarity),
    ) -> list[Hit]:
        found = [m for m in held if m.kind in kinds and m.polarity in polarities]
        return [Hit(memory=memory, score=1.0, parts=Parts()) for memory in found[:limit]]

    found = before_task("the export crashes", detect("the export crashes"), recall)

    assert found.detected.task_type == "debugging"
    assert [m.text for m in found.relevant] == [held[0].text, held[1].text, held[5].text]
    assert {m.text for m in found.avoid} == {held[2].text, held[3].text}
    assert [m.text for m in found.skills] == ["Profile an export."]
    assert found.critical_avoid is not None
    assert [m.text for m in found.critical_avoid] == ["Never retry.", held[2].text]
    built = before_task("add an export", detect("add an export"), recall)
    assert built.critical_avoid is None
    assert len(built.avoid) == 2  # warnings are asked for whatever the task
