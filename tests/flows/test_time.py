"""Facts that change: what holds, what held, what was known, and who may end whose word."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tacit.errors import Invalid, NotFound

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


def held(tacit, **options):
    return [memory.body.value for memory in tacit.list(keys=["auth.alg"], **options)]


def test_every_earlier_word_is_ended_not_only_the_last_of_those_that_clash(tacit, clock):
    clock.set(JUN)
    remember(tacit, "RS256", at=JAN)
    remember(tacit, "none", at=JAN.replace(day=9), trust="web")
    remember(tacit, "ES256", at=MAR)

    assert held(tacit) == ["ES256"]


def test_a_fact_that_was_said_again_comes_back_after_one_that_arrives_late(tacit, clock):
    clock.set(JAN)
    remember(tacit, "RS256", at=JAN)
    clock.set(JUN)
    remember(tacit, "RS256", at=MAR)
    clock.set(JUN.replace(day=2))
    remember(tacit, "ES256", at=JAN.replace(day=20))

    assert held(tacit) == ["RS256"]
    assert held(tacit, as_of=JAN.replace(day=25)) == ["ES256"]
    assert held(tacit, as_of=JAN.replace(day=25), known_at=JUN) == ["RS256"]


def test_a_persons_word_for_the_same_value_is_not_ended_by_an_agents(tacit, clock):
    clock.set(JUN)
    remember(tacit, "RS256", at=JAN, trust="agent")
    remember(tacit, "RS256", at=MAR, trust="human")
    remember(tacit, "none", at=MAR.replace(day=9), trust="agent")

    assert sorted(held(tacit)) == ["RS256", "none"]
    assert len(tacit.contradictions()) == 1


def test_an_end_that_was_set_wrongly_can_be_set_right_and_what_was_known_stays(tacit, clock):
    clock.set(JAN)
    kept = remember(tacit, "RS256", at=JAN)
    clock.set(MAR)
    tacit.set(kept.short, valid_to="2026-02-01")
    clock.set(JUN)
    moved = tacit.set(kept.short, valid_from=JAN.replace(day=9), valid_to="")

    assert moved.retired_at is None
    assert held(tacit, as_of=JAN) == []
    assert held(tacit, as_of=MAR) == ["RS256"]
    assert held(tacit, as_of=MAR, known_at=MAR) == []
    assert held(tacit, as_of=JAN, known_at=JAN) == ["RS256"]


def test_a_fact_that_is_moved_or_restored_takes_its_place_in_the_line(tacit, clock):
    clock.set(JUN)
    gone = remember(tacit, "HS256", at=MAR)
    tacit.forget(gone.short)
    first = remember(tacit, "RS256", at=JAN)
    tacit.restore(gone.short)

    assert held(tacit) == ["HS256"]
    assert held(tacit, as_of=JAN) == ["RS256"]
    tacit.set(first.short, valid_from=MAR.replace(day=20), valid_to="")
    assert held(tacit) == ["RS256"]


def test_what_was_known_is_judged_by_how_memories_were_then(tacit, clock):
    clock.set(JAN)
    firm = tacit.remember("Deploys need two reviews", tier="guardrail")
    tacit.remember("Deploys happen on Fridays", tags=["deploys"])
    clock.set(MAR)
    tacit.set(firm.short, tier="reference")
    for number in range(5):
        tacit.remember(f"Deploys of service {number} are slow")

    assert tacit.list(tiers=["guardrail"]) == []
    assert [m.short for m in tacit.list(tiers=["guardrail"], known_at=JAN)] == [firm.short]
    found = tacit.recall("deploys need reviews", tiers=["guardrail"], known_at=JAN)
    assert [hit.memory.tier for hit in found] == ["guardrail"]


def test_what_was_put_away_since_does_not_use_up_the_limit(tacit, clock):
    clock.set(JAN)
    for number in range(6):
        tacit.remember(f"The release number {number} went well", kind="episode")
    for memory in tacit.list(limit=3):
        tacit.forget(memory.short)
    clock.set(MAR)
    tacit.edit(tacit.list(order="valid_from", limit=1)[0].short, "The release went badly")

    known = tacit.list(known_at=JAN, limit=3)
    assert len(known) == 3
    assert all(memory.state == "active" for memory in known)
    assert len(tacit.timeline(known_at=JAN, limit=3, kinds=["episode"])) == 3
    assert len(tacit.recall("release went well", known_at=JAN, limit=3)) == 3
    assert not any("badly" in m.text for m in tacit.list(known_at=JAN))


def test_a_memory_can_be_shown_as_it_stood(tacit, clock):
    clock.set(JAN)
    kept = tacit.remember("We deploy on Fridays")
    clock.set(MAR)
    tacit.edit(kept.short, "We deploy on Mondays")
    clock.set(JUN)

    assert tacit.get(kept.short, known_at=JAN).text == "We deploy on Fridays"
    then = tacit.why(kept.short, known_at=JAN)
    assert [entry.op for entry in then.history] == ["remember"]
    with pytest.raises(NotFound, match="was not known at"):
        tacit.get(kept.short, known_at=JAN.replace(year=2025))
    with pytest.raises(Invalid, match="future"):
        tacit.why(kept.short, known_at=JUN.replace(year=2099))
