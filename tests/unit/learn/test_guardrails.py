"""What learning may not do: move quickly, stop exploring, or keep what falls below the control."""

from __future__ import annotations

from datetime import timedelta

import pytest

from fakes import NOON
from tacit.clock import show_time
from tacit.learn import policy as policies
from tacit.learn.bandit import Evidence
from tacit.learn.guardrails import distance, has_fallen, limited
from tacit.learn.policy import Policy
from tacit.learn.sequential import Count
from tacit.learn.update import step

ARMS = ("a@1", "b@1", "c@1")
DAY = timedelta(days=1)


def begun(**fields: object) -> Policy:
    return Policy(mode="adapt", control="a@1", arms=ARMS, seed=4, since=NOON, moved=NOON).replace(
        **fields
    )


def seen(**counts: tuple[int, int]) -> Evidence:
    """Give evidence of one day: how many sessions of an arm, and how many went well."""
    evidence = Evidence()
    for arm, (sessions, well) in counts.items():
        evidence.add("", f"{arm}@1", 0, float(well), sessions=sessions)
    return evidence


def test_the_mix_moves_by_at_most_a_twentieth_a_day():
    policy, evidence = begun(), seen(a=(400, 100), b=(400, 390), c=(400, 100))
    for day in range(1, 30):
        after = step(policy, evidence, NOON + day * DAY).policy
        assert distance(policy.mix(""), after.mix("")) <= 0.05 + 1e-5
        policy = after

    assert policy.lead("")["b@1"] > 0.95


def test_what_was_missed_is_not_made_up_for():
    after = step(begun(), seen(a=(400, 100), b=(400, 390)), NOON + 90 * DAY).policy

    assert distance(begun().mix(""), after.mix("")) == pytest.approx(0.05, abs=1e-5)


def test_within_hours_the_mix_does_not_move_and_in_half_a_day_by_half():
    evidence = seen(a=(400, 100), b=(400, 390))

    assert step(begun(), evidence, NOON + DAY / 8).policy == begun()
    half = step(begun(), evidence, NOON + DAY / 2).policy
    assert distance(begun().mix(""), half.mix("")) == pytest.approx(0.025, abs=1e-5)


def test_however_sure_it_is_a_tenth_explores_and_the_control_is_always_among_it():
    policy = begun(leads={"": {"b@1": 1.0}})

    assert policy.mix("")["b@1"] == pytest.approx(0.925)
    assert policy.mix("")["a@1"] == pytest.approx(0.05)
    assert policy.mix("")["c@1"] == pytest.approx(0.025)


def test_an_arm_that_surely_falls_below_its_control_is_rolled_back_with_a_note():
    policy = begun(leads={"": {"a@1": 0.2, "b@1": 0.8}})
    taken = step(policy, seen(a=(300, 240), b=(300, 90)), NOON + DAY / 8)

    assert taken.policy.lead("") == {"a@1": 1.0}
    assert taken.policy.mix("").get("b@1", 0.0) == 0.0
    (noted,) = taken.notes
    assert (noted.event, noted.subject) == ("rolled back", "b@1")
    assert "30% of 300 sessions" in noted.why


def test_what_fell_is_let_in_again_when_its_time_is_over():
    fallen = step(begun(), seen(a=(300, 240), b=(300, 90)), NOON + DAY / 8).policy
    assert "b@1" not in fallen.open_arms("")

    later = step(fallen, Evidence(), NOON + 29 * DAY)

    assert "b@1" in later.policy.open_arms("")
    assert [one.event for one in later.notes] == ["let in"]


@pytest.mark.parametrize(
    ("arm", "control", "fell"),
    [
        ((300, 90), (300, 240), True),
        ((300, 220), (300, 240), False),  # below, but within the guardrail
        ((30, 0), (300, 240), False),  # too few
        ((300, 0), (30, 30), False),  # too few to hold it against
        ((60, 30), (60, 48), False),  # not sure
    ],
)
def test_a_fall_must_be_large_sure_and_beside_the_control(arm, control, fell):
    mine, theirs = (Count(sessions=n, total=float(well)) for n, well in (arm, control))

    assert has_fallen(mine, theirs, most=0.2, least=50) is fell


def test_a_fall_of_the_whole_world_is_none_of_the_arm():
    """Everything got worse at once: the control says so."""
    taken = step(begun(), seen(a=(500, 100), b=(500, 100)), NOON + DAY / 8)

    assert taken.notes == ()


def test_what_was_before_the_present_stretch_neither_hides_a_fall_nor_makes_one():
    evidence = seen(a=(300, 240), b=(300, 290))
    evidence.add("", "a@1", 30, 240.0, sessions=300)
    evidence.add("", "b@1", 30, 90.0, sessions=300)

    taken = step(begun(moved=NOON + 31 * DAY), evidence, NOON + 31 * DAY)

    assert [one.event for one in taken.notes] == ["rolled back"]
    old = step(begun(moved=NOON + 31 * DAY), seen(a=(300, 240), b=(300, 90)), NOON + 31 * DAY)
    assert old.notes == ()


def test_a_comparison_moves_nothing_but_takes_out_what_falls():
    policy = begun(mode="compare")
    taken = step(policy, seen(a=(300, 240), b=(300, 90), c=(300, 299)), NOON + DAY)

    assert taken.policy.leads == {}
    assert taken.policy.mix("") == {"a@1": 0.5, "c@1": 0.5}
    assert policy.mix("") == pytest.approx(dict.fromkeys(ARMS, 1 / 3))


def test_going_towards_a_mix_stops_at_the_limit():
    assert limited({"a": 1.0}, {"b": 1.0}, 0.25) == {"a": 0.75, "b": 0.25}
    assert limited({"a": 1.0}, {"a": 0.9, "b": 0.1}, 0.25) == pytest.approx({"a": 0.9, "b": 0.1})


def test_a_policy_that_is_written_reads_back_the_same():
    policy = begun(
        leads={"review": {"b@1": 0.5, "a@1": 0.5}},
        barred={"": {"c@1": show_time(NOON)}},
        known={"b@1": (3.0, 1.5)},
    )

    assert policies.loads(policies.dumps(policy)) == policy


@pytest.mark.parametrize(
    "fields", [{"mode": "on"}, {"explore": 0.0}, {"discount": 1.1}, {"least": 0}, {"shift": 1.0}]
)
def test_a_policy_without_sense_is_refused(fields):
    with pytest.raises(policies.Invalid):
        Policy(**fields)


def test_versions_are_kept_up_to_a_number_and_going_back_takes_one_each(store, monkeypatch):
    monkeypatch.setattr(policies, "MOST_KEPT", 5)
    for seed in range(1, 9):
        policies.change(store, begun(seed=seed))

    assert policies.load(store).version == 8
    assert [policies.go_back(store).seed for _ in range(5)] == [7, 6, 5, 4, 3]
    assert policies.load(store).paused
    with pytest.raises(policies.Conflict):
        policies.go_back(store)
