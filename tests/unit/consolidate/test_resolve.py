"""How a contradiction ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import DAY, START, a_contradiction, a_fact
from fakes import NOON
from tacit.consolidate.resolve import ended, merged_draft, read_resolution, resolve, suggest
from tacit.errors import Conflict, Invalid, NotFound
from tacit.model import Origin, Relation, Resolution, State, Tier, Trust, Validity
from tacit.store.protocol import Filter

MOMENT = timedelta(microseconds=1)


@pytest.fixture
def clash(store):
    """Give an older and a newer memory that contradict each other, and the record of it."""
    old, new = a_fact("Sign with RS256"), a_fact("Sign with ES256", valid_from=START + 9 * DAY)
    store.put([old, new])
    record = a_contradiction(old, new, note="algorithm")
    store.add_contradictions([record])
    return old, new, record


def test_the_older_one_that_loses_held_until_the_newer_began(store, clash):
    old, new, record = clash

    settled = resolve(
        store, record.id, Resolution.B_WINS, now=NOON, by="ana", note="since the audit"
    )

    (lost,) = store.get([old.id])
    assert lost.validity == Validity(valid_from=START, valid_to=START + 9 * DAY)
    assert (lost.retired_at, lost.state) == (NOON, State.ACTIVE)
    assert store.get([new.id]) == [new]
    (link,) = store.links([old.id], (Relation.SUPERSEDES,))
    assert (link.src, link.dst, link.origin) == (new.id, old.id, Origin.HUMAN)
    last = store.revisions([old.id])[-1]
    assert (last.op, last.by, last.note) == ("resolve", "ana", "since the audit")
    assert settled.resolved_at == NOON
    assert store.contradictions() == [settled]


def test_what_held_is_told_for_each_time(store, clash):
    old, new, record = clash
    resolve(store, record.id, Resolution.B_WINS, now=NOON)

    def held(day):
        return [memory.id for memory in store.scan(Filter(at=START + day * DAY))]

    assert (held(0), held(8), held(9), held(30)) == ([old.id], [old.id], [new.id], [new.id])


def test_the_newer_one_that_loses_never_held(store, clash):
    old, new, record = clash

    resolve(store, record.id, Resolution.A_WINS, now=NOON)

    (lost,) = store.get([new.id])
    assert lost.validity.valid_to == new.validity.valid_from + MOMENT
    assert lost.retired_at == NOON
    assert [m.id for m in store.scan(Filter(at=START + 20 * DAY))] == [old.id]


def test_without_a_reason_given_the_history_tells_the_one_found(store, clash):
    old, _, record = clash
    resolve(store, record.id, Resolution.B_WINS, now=NOON)

    assert store.revisions([old.id])[-1].note == f"contradiction {record.id[:8]}: algorithm"


def test_when_both_hold_nothing_changes_but_the_record(store, clash):
    old, new, record = clash

    settled = resolve(store, record.id, Resolution.BOTH_VALID, now=NOON, by="ana", note="staging")

    assert store.get([old.id, new.id]) == [old, new]
    assert (settled.open, settled.resolution_note) == (False, "staging")


def test_the_same_end_twice_is_one_and_another_is_refused(store, clash):
    _, _, record = clash
    first = resolve(store, record.id, Resolution.A_WINS, now=NOON, by="ana")
    revisions = store.revisions(None)

    again = resolve(store, record.id, Resolution.A_WINS, now=NOON + DAY, by="bob", note="yes")
    with pytest.raises(Conflict, match="was settled as a_wins by ana; it stays so"):
        resolve(store, record.id, Resolution.B_WINS, now=NOON + DAY)

    assert again == first
    assert store.revisions(None) == revisions


def test_a_side_that_had_ended_stays_as_it_was(store):
    old, new = a_fact("yes"), a_fact("no", valid_from=START + 5 * DAY)
    old = old.replace(
        validity=Validity(valid_from=START, valid_to=START + DAY), retired_at=START + DAY
    )
    record = a_contradiction(old, new)
    store.put([old, new])
    store.add_contradictions([record])

    resolve(store, record.id, Resolution.B_WINS, now=NOON)

    assert store.get([old.id]) == [old]


def test_both_go_into_a_third(store, clash):
    old, new, record = clash
    third = a_fact("Sign with ES256, check RS256 too", valid_from=NOON)

    def merged(a, b):
        assert [m.id for m in store.scan(Filter(at=NOON))] == []  # both have ended by now
        store.put([third])
        return third

    settled = resolve(store, record.id, Resolution.MERGED, now=NOON, merged=merged)

    assert (settled.resolution, settled.merged_into) == (Resolution.MERGED, third.id)
    assert {m.validity.valid_to for m in store.get([old.id, new.id])} == {NOON}
    links = {(link.relation, link.dst) for link in store.links([third.id])}
    assert links == {
        (relation, side.id)
        for relation in (Relation.SUPERSEDES, Relation.DERIVED_FROM)
        for side in (old, new)
    }


@pytest.mark.parametrize("into", ["nothing", "itself"])
def test_a_merge_that_cannot_be_changes_nothing(store, clash, into):
    old, new, record = clash
    merged = (lambda _a, b: b) if into == "itself" else None

    with pytest.raises(Invalid):
        resolve(store, record.id, Resolution.MERGED, now=NOON, merged=merged)

    assert store.contradictions() == [record]
    assert store.get([old.id, new.id]) == [old, new]


def test_there_must_be_such_a_contradiction(store):
    with pytest.raises(NotFound, match="tacit contradictions --all"):
        resolve(store, "1f0e3c", Resolution.A_WINS, now=NOON)


def test_resolutions_are_read_in_full_and_in_short():
    assert [read_resolution(word) for word in ("a", "b_wins", "both", "merged")] == list(Resolution)
    with pytest.raises(Invalid, match="use one of a_wins, b_wins, both_valid, merged"):
        read_resolution("c")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({}, {"valid_from": START + DAY}, Resolution.B_WINS),
        ({"valid_from": START + DAY}, {}, Resolution.A_WINS),
        ({"trust": Trust.AGENT}, {"valid_from": START + DAY}, Resolution.B_WINS),
        ({}, {"valid_from": START + DAY, "trust": Trust.AGENT}, None),
        ({}, {}, None),
        ({"trust": Trust.AGENT}, {}, Resolution.B_WINS),
    ],
)
def test_the_newer_one_is_suggested_unless_its_word_weighs_less(one, other, expected):
    assert suggest(a_fact("yes", **one), a_fact("no", **other)) is expected


def test_what_comes_of_both_is_as_firm_as_the_resolver_may_make_it():
    bound, free = a_fact("yes", tier=Tier.MANDATE), a_fact("no", trust=Trust.AGENT, pinned=True)

    by_person = merged_draft(bound, free, "both", by="ana", source="resolve:1")
    by_agent = merged_draft(bound, free, "both", by="agent", source="resolve:1")

    assert (by_person.tier, by_person.trust, by_person.author) == (Tier.MANDATE, Trust.HUMAN, "ana")
    assert (by_agent.tier, by_agent.trust, by_agent.pinned) == (Tier.REFERENCE, Trust.AGENT, True)


def test_facts_of_one_key_keep_it():
    one, other = (a_fact(f"at {n}", key="db.version", value=n) for n in ("15", "16"))

    made = merged_draft(one, other, "16, in CI 15", by="ana", source="resolve:1")

    assert (made.key, made.value) == ("db.version", "16, in CI 15")


MOMENTS = st.integers(-10_000, 10_000).map(lambda n: NOON + n * MOMENT)


@given(start=MOMENTS, winner=MOMENTS, now=MOMENTS)
def test_an_end_is_never_before_its_beginning(start, winner, now):
    memory = a_fact("yes", valid_from=start, recorded_at=NOON - DAY)

    lost = ended(memory, winner, now)

    assert lost.validity.valid_to is not None
    assert lost.validity.valid_to == max(winner, start + MOMENT)
    assert lost.retired_at == max(now, memory.recorded_at)
