"""Contradictions are found, shown and settled through the public API; merged stores agree on them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tacit.consolidate.contradict import contradict
from tacit.consolidate.room import Room, Rules
from tacit.errors import Conflict, Invalid, NotFound
from tacit.model import Resolution, Scope
from tacit.store.protocol import Filter

YES = "Deploys of the shop run on Fridays"
NO = "Deploys of the shop never run on Fridays"


def scan(tacit):
    """Run the pass over a store that one batch holds."""
    room = Room(
        store=tacit.store,
        now=tacit.clock.now(),
        scope=tacit.scope,
        counter=tacit.counter,
        rules=Rules(),
        embedder=tacit.embedder,
    )
    return contradict(room, "").counts


@pytest.fixture
def clash(tacit, clock):
    """Give an older and a newer memory that contradict each other."""
    old = tacit.remember(YES)
    clock.advance(days=3)
    new = tacit.remember(NO)
    clock.advance(days=1)
    scan(tacit)
    return old, new


def keyed(tacit, value, at, **fields):
    return tacit.remember(
        f"Sign with {value}", key="auth.alg", value=value, valid_from=at, **fields
    )


def test_an_open_contradiction_is_critical_and_told_by_why(tacit, clash):
    old, new = clash

    (record,) = tacit.contradictions()

    assert {record.a, record.b} == {old.id, new.id}
    briefed = {item.memory.id: item.band for item in tacit.brief().items}
    assert briefed[old.id] == briefed[new.id] == "critical"
    assert tacit.why(old.short).contradictions == (record,)


def test_what_lost_is_no_longer_served_but_was_so_in_its_time(tacit, clash, clock):
    old, new = clash
    (record,) = tacit.contradictions()
    then = old.validity.valid_from + timedelta(hours=1)

    settled = tacit.resolve(record.id[:6], "b" if record.b == new.id else "a", note="new rule")

    assert settled.resolution_note == "new rule"
    assert [memory.id for memory in tacit.list()] == [new.id]
    assert [memory.id for memory in tacit.list(as_of=then)] == [old.id]
    assert tacit.contradictions() == []
    assert tacit.contradictions(open_only=False) == [settled]
    assert f"superseded by [{new.short}]" in tacit.why(old.short).status
    assert tacit.why(old.short).contradictions == ()
    assert all(item.band != "critical" for item in tacit.brief().items)


def test_what_both_hold_is_not_asked_again_until_a_text_changes(tacit, clash, clock):
    old, _ = clash
    (record,) = tacit.contradictions()
    tacit.resolve(record.id, "both", note="the one is about staging")

    scan(tacit)
    before = tacit.contradictions()
    tacit.edit(old.short, "Deploys of the shops run on Fridays")
    tacit.edit(old.short, YES + ".")
    scan(tacit)

    assert before == []
    assert len(tacit.contradictions()) == 1


def test_both_may_go_into_a_new_memory(tacit, clash):
    old, new = clash
    (record,) = tacit.contradictions()

    settled = tacit.resolve(record.id, "merged", text="Deploys run on Fridays until noon", by="ana")

    (stands,) = tacit.list()
    assert (stands.id, stands.author) == (settled.merged_into, "ana")
    links = {(relation, other.id) for relation, other in tacit.why(stands.short).links}
    assert {(r, m.id) for m in (old, new) for r in ("supersedes", "derived_from")} <= links
    again = tacit.resolve(record.id, "merged", text="Deploys run on Fridays until noon")
    assert again == settled


def test_both_may_go_into_one_that_is_there(tacit, clash):
    third = tacit.remember("Ask Ana before any deploy")
    (record,) = tacit.contradictions()

    tacit.resolve(record.id, "merged", into=third.short)

    assert [memory.id for memory in tacit.list()] == [third.id]


def test_facts_of_one_key_merge_into_a_value_of_that_key(open_tacit, clock):
    tacit = open_tacit()
    start = clock.now()
    keyed(tacit, "RS256", start)
    keyed(tacit, "ES256", start)
    clock.advance(days=1)
    (record,) = tacit.contradictions()

    tacit.resolve(record.id, "merged", text="ES256, and RS256 for old clients")

    (stands,) = tacit.list()
    assert (stands.key, stands.body.value) == ("auth.alg", "ES256, and RS256 for old clients")
    assert tacit.contradictions() == []
    assert scan(tacit) == {}


@pytest.mark.parametrize(
    ("how", "fields", "said"),
    [
        ("merged", {}, "merged needs the text"),
        ("merged", {"text": "x y", "into": "abcd"}, "merged needs the text"),
        ("a", {"text": "x y"}, "merged needs the text"),
        ("nobody", {}, "use one of a_wins"),
    ],
)
def test_what_cannot_be_meant_is_refused(tacit, clash, how, fields, said):
    (record,) = tacit.contradictions()

    with pytest.raises(Invalid, match=said):
        tacit.resolve(record.id, how, **fields)

    assert tacit.contradictions() == [record]


def test_there_must_be_one_contradiction_of_that_name(tacit, clash):
    for name in ("zzz", ""):
        with pytest.raises(NotFound, match="tacit contradictions --all"):
            tacit.resolve(name, "a")


def test_a_name_that_several_have_is_refused(open_tacit, clock):
    tacit = open_tacit()
    for number in range(20):
        for value in ("on", "off"):
            tacit.remember(
                f"Switch {number} is {value}",
                key=f"switch.{number}",
                value=value,
                valid_from=clock.now(),
            )
    first = sorted(record.id[0] for record in tacit.contradictions())
    common = next(letter for letter in first if first.count(letter) > 1)

    with pytest.raises(Conflict, match="could be any of"):
        tacit.resolve(common, "both")


def test_a_side_that_is_forgotten_closes_it_until_it_is_restored(tacit, clash):
    old, _ = clash

    tacit.forget(old.short)
    gone = tacit.contradictions()
    tacit.restore(old.short)

    assert (gone, len(tacit.contradictions())) == ([], 1)


def test_another_projects_contradictions_are_not_seen(open_tacit, clock):
    shop, bakery = Scope(path="project:shop"), Scope(path="project:bakery")
    tacit = open_tacit(visible=(shop,))
    for value in ("RS256", "ES256"):
        keyed(tacit, value, clock.now(), scope=bakery)
    (record,) = tacit.store.contradictions()

    assert tacit.contradictions() == tacit.contradictions(open_only=False) == []
    with pytest.raises(NotFound):
        tacit.resolve(record.id, "both")


@pytest.mark.one_file
@pytest.mark.parametrize("how", list(Resolution)[:3])
@pytest.mark.parametrize("start", ["same", "weaker"])
def test_merged_stores_keep_what_one_of_them_settled(open_tacit, clock, how, start):
    left, right = open_tacit("left"), open_tacit("right")
    keyed(left, "RS256", clock.now())
    later = clock.now() + timedelta(hours=start == "weaker")
    keyed(left, "ES256", later, trust="agent" if start == "weaker" else "human")
    clock.advance(days=1)
    right.merge(left.store.path)
    (record,) = right.contradictions()
    settled = right.resolve(record.id, how, by="ana", note="seen in the code")
    served = [memory.text for memory in right.list(order="id")]
    left.backup(left.store.path + ".copy")

    left.merge(right.store.path)
    right.merge(left.store.path + ".copy")

    for tacit in (left, right):
        assert tacit.contradictions() == []
        assert tacit.contradictions(open_only=False) == [settled]
        assert [memory.text for memory in tacit.list(order="id")] == served
        assert scan(tacit) == {}
    assert list(left.export()) == list(right.export())


@pytest.mark.one_file
def test_of_two_ends_the_first_stands_in_both_stores(open_tacit, clock):
    left, right = open_tacit("left"), open_tacit("right")
    for value in ("RS256", "ES256"):
        keyed(left, value, clock.now())
    right.merge(left.store.path)
    (record,) = left.contradictions()
    clock.advance(hours=1)
    first = left.resolve(record.id, "a")
    clock.advance(hours=1)
    right.resolve(record.id, "both")
    left.backup(left.store.path + ".copy")

    left.merge(right.store.path)
    right.merge(left.store.path + ".copy")

    assert left.contradictions(open_only=False) == right.contradictions(open_only=False) == [first]
    assert list(left.store.scan(Filter())) == list(right.store.scan(Filter()))
