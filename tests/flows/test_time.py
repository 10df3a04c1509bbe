"""Facts that change: what holds, what held, what was known, and who may end whose word."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tacit.errors import Invalid

JAN, MAR, JUN = (datetime(2026, month, 1, tzinfo=UTC) for month in (1, 3, 6))


def remember(tacit, value, *, at, trust="human", **fields):
    return tacit.remember(
        f"Tokens are signed with {value}",
        key="auth.alg",
        value=value,
        valid_from=at,
        trust=trust,
        **fields,
    )


def values(tacit, **options):
    return [hit.memory.body.value for hit in tacit.recall("how are tokens signed", **options)]


def test_a_newer_fact_ends_the_older_one_and_both_can_be_asked_for(tacit, clock):
    clock.set(JUN)
    remember(tacit, "RS256", at=JAN)
    remember(tacit, "ES256", at=MAR)

    assert values(tacit) == ["ES256"]
    assert values(tacit, as_of=datetime(2026, 2, 1, tzinfo=UTC)) == ["RS256"]
    assert values(tacit, as_of=datetime(2025, 2, 1, tzinfo=UTC)) == []


def test_an_older_fact_that_arrives_late_does_not_end_the_newer_one(tacit, clock):
    clock.set(JUN)
    newer = remember(tacit, "ES256", at=MAR)
    late = remember(tacit, "RS256", at=JAN)

    assert values(tacit) == ["ES256"]
    assert tacit.get(late.id).validity.valid_to == newer.validity.valid_from
    assert values(tacit, as_of=datetime(2026, 2, 1, tzinfo=UTC)) == ["RS256"]


def test_a_fact_between_two_others_splits_their_time(tacit, clock):
    clock.set(JUN)
    remember(tacit, "HS256", at=JAN)
    remember(tacit, "ES256", at=JUN)
    remember(tacit, "RS256", at=MAR)

    asked = [values(tacit, as_of=at.replace(day=2))[0] for at in (JAN, MAR)]
    assert [*asked, *values(tacit)] == ["HS256", "RS256", "ES256"]


def test_what_was_known_then_is_not_coloured_by_what_was_learnt_later(tacit, clock):
    clock.set(JAN)
    remember(tacit, "RS256", at=JAN)
    clock.set(JUN)
    remember(tacit, "ES256", at=MAR)

    assert values(tacit, known_at=MAR, as_of=MAR) == ["RS256"]
    assert values(tacit, as_of=MAR.replace(day=2)) == ["ES256"]


def test_a_forgotten_memory_was_known_before_it_was_forgotten(tacit, clock):
    clock.set(JAN)
    kept = remember(tacit, "RS256", at=JAN)
    clock.set(MAR)
    tacit.forget(kept.short)

    assert values(tacit) == []
    assert values(tacit, known_at=JAN) == ["RS256"]


def test_a_weaker_word_does_not_end_a_stronger_one_but_is_recorded_as_a_clash(tacit, clock):
    clock.set(JUN)
    stronger = remember(tacit, "RS256", at=JAN)
    weaker = remember(tacit, "none", at=MAR, trust="web")

    assert sorted(values(tacit)) == ["RS256", "none"]
    (clash,) = tacit.contradictions()
    assert {clash.a, clash.b} == {stronger.id, weaker.id}


def test_two_values_from_the_same_moment_are_a_clash_not_a_succession(tacit, clock):
    clock.set(JUN)
    remember(tacit, "RS256", at=JAN)
    remember(tacit, "ES256", at=JAN)

    assert sorted(values(tacit)) == ["ES256", "RS256"]
    assert len(tacit.contradictions()) == 1


def test_saying_a_fact_again_changes_nothing_but_its_confidence(tacit, clock):
    clock.set(MAR)
    first = remember(tacit, "RS256", at=JAN, confidence=0.5)
    again = tacit.remember("RS256 it is, still", key="auth.alg", value="RS256", valid_from=MAR)

    assert again.id == first.id
    assert again.confidence > first.confidence
    assert tacit.status().memories == 1


def test_a_value_that_comes_back_is_a_new_fact(tacit, clock):
    clock.set(JUN)
    for value, at in (("RS256", JAN), ("ES256", MAR), ("RS256", JUN)):
        remember(tacit, value, at=at)

    assert tacit.status().memories == 3
    assert values(tacit) == ["RS256"]


def test_a_new_value_stands_as_firmly_as_the_one_it_replaces(tacit, clock):
    clock.set(JUN)
    remember(tacit, "RS256", at=JAN, tier="mandate")

    assert remember(tacit, "ES256", at=MAR).tier == "mandate"


def test_a_fact_that_holds_from_a_day_to_come_is_not_served_before(tacit, clock):
    clock.set(JAN)
    remember(tacit, "RS256", at=JAN)
    remember(tacit, "ES256", at=MAR)

    assert values(tacit) == ["RS256"]
    clock.set(JUN)
    assert values(tacit) == ["ES256"]


def test_keys_of_two_scopes_do_not_end_each_other(tacit, clock):
    from tacit.model import Scope

    clock.set(JUN)
    remember(tacit, "RS256", at=JAN)
    remember(tacit, "ES256", at=MAR, scope=Scope(path="project:shop/agent:eng"))

    assert sorted(values(tacit)) == ["ES256", "RS256"]


def test_nobody_knows_what_will_be_known(tacit, clock):
    with pytest.raises(Invalid, match="future"):
        tacit.recall("anything at all", known_at=clock.now().replace(year=2099))


def test_every_change_is_in_the_history(tacit, clock):
    kept = tacit.remember("We deploy on Fridays")
    clock.advance(days=1)
    tacit.edit(kept.short, "We deploy on Mondays", by="mia")
    tacit.set(kept.short, tier="guardrail")
    tacit.forget(kept.short)
    tacit.restore(kept.short)

    history = tacit.why(kept.short).history
    assert [entry.op for entry in history] == ["remember", "edit", "set", "forget", "restore"]
    assert [entry.memory.text for entry in history][:2] == [
        "We deploy on Fridays",
        "We deploy on Mondays",
    ]
    assert [entry.memory.rev for entry in history] == [1, 2, 3, 4, 5]
