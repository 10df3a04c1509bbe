"""The pass that finds what cannot both hold."""

from __future__ import annotations

import pytest

from builders import DAY, a_fact
from fakes import NOON, WordCounter
from tacit.consolidate.contradict import contradict
from tacit.consolidate.resolve import resolve
from tacit.consolidate.room import BATCH, BY, Room, Rules
from tacit.model import Relation, Resolution, Scope, State, Tier, Trust
from tacit.write.history import change

SCOPE = Scope(path="project:shop")
YES = "Deploys of the shop run on Fridays"
NO = "Deploys of the shop never run on Fridays"


class CountingJudge:
    """Finds every pair as likely as it was told, and counts what it is asked."""

    name = "counting"
    threshold = 0.5

    def __init__(self, sure: float = 0.99) -> None:
        self.sure, self.asked = sure, 0

    def judge(self, pairs):
        self.asked += len(pairs)
        return [self.sure] * len(pairs)


@pytest.fixture
def room(store):
    return Room(store=store, now=NOON, scope=SCOPE, counter=WordCounter(), rules=Rules())


def run(room, mark=""):
    """Run the pass from a mark to its end; give what it counted and the last mark."""
    counts: dict[str, int] = {}
    while True:
        done = contradict(room, mark)
        mark = done.mark
        for name, number in done.counts.items():
            counts[name] = counts.get(name, 0) + number
        if not done.more:
            return counts, mark


def versions(*starts, **fields):
    """Give facts of one key that start then, each with a value of its own."""
    return [
        a_fact(
            f"Postgres is at {value}",
            key="db.version",
            value=str(value),
            valid_from=NOON + start * DAY,
            **fields,
        )
        for value, start in enumerate(starts, 14)
    ]


def test_two_that_cannot_both_hold_are_recorded_and_both_stay(room):
    old, new = a_fact(YES), a_fact(NO, valid_from=NOON - DAY)
    room.store.put([old, new])

    counts, _ = run(room)

    (record,) = room.store.contradictions()
    assert counts == {"judged": 1, "opened": 1}
    assert (record.a, record.b, record.hashes) == (old.id, new.id, (old.hash, new.hash))
    assert (record.open, record.detected_at, bool(record.note)) == (True, NOON, True)
    assert record.suggestion is Resolution.B_WINS
    assert room.store.get([old.id, new.id]) == [old, new]


def test_a_second_scan_asks_no_judge(room):
    judge = CountingJudge(0.0)
    room = room.replace(judge=judge)
    room.store.put([a_fact(f"The {what} of the shop is green") for what in ("door", "roof")])
    run(room)
    first = judge.asked

    counts, mark = run(room)  # from the beginning, as if never marked
    later, _ = run(room, mark)

    assert (first, judge.asked, counts, later) == (1, 1, {}, {})


def test_a_text_that_changed_is_judged_anew(room):
    judge = CountingJudge(0.0)
    room = room.replace(judge=judge)
    one, other = a_fact(YES), a_fact(YES.replace("shop", "shops"))
    room.store.put([one, other])
    _, mark = run(room)
    room.store.put([one.replace(hash="0" * 32)])

    counts, _ = run(room, mark)

    assert (judge.asked, counts) == (2, {"judged": 1})


def test_a_judge_may_find_what_rules_do_not(room):
    one, other = (
        a_fact("The shop opens at dawn each day"),
        a_fact("The shop opens at dusk each day"),
    )
    room.store.put([one, other])

    counts, _ = run(room.replace(judge=CountingJudge(0.999)))

    assert counts == {"judged": 1, "opened": 1}


def test_what_was_found_not_to_contradict_is_not_opened_again(room):
    one, other = a_fact(YES), a_fact(NO)
    room.store.put([one, other])
    _, mark = run(room)
    (record,) = room.store.contradictions()
    resolve(room.store, record.id, Resolution.BOTH_VALID, now=NOON)
    change(room.store, [one.id], lambda m: m.replace(importance=0.7), op="set", by="ana", at=NOON)

    run(room)
    run(room, mark)

    (record,) = room.store.contradictions()
    assert record.resolution is Resolution.BOTH_VALID


def test_facts_of_one_key_are_settled_in_the_order_they_began(room):
    facts = versions(-9, -5, -1)
    room.store.put(reversed(facts))

    counts, _ = run(room)

    oldest, older, newest = room.store.get([fact.id for fact in facts])
    assert counts == {"settled": 2}
    assert (oldest.validity.valid_to, oldest.retired_at) == (older.validity.valid_from, NOON)
    assert older.validity.valid_to == newest.validity.valid_from
    assert newest.validity.valid_to is None
    records = room.store.contradictions()
    assert {(r.resolution, r.resolved_by, r.resolved_at) for r in records} == {
        (Resolution.B_WINS, BY, NOON)
    }
    links = room.store.links([facts[1].id], (Relation.SUPERSEDES,))
    assert {(link.src, link.dst) for link in links} == {
        (older.id, oldest.id),
        (newest.id, older.id),
    }
    history = room.store.revisions([oldest.id])
    assert [(r.op, r.by) for r in history][1:] == [("resolve", BY)]
    assert history[1].note == "db.version: 15 took the place of 14"
    assert run(room) == ({}, run(room)[1])


def test_what_takes_a_mandates_place_binds_as_much(room):
    old, new = versions(-9, -5)
    room.store.put([old.replace(tier=Tier.MANDATE, pinned=True), new])

    run(room)

    (stands,) = room.store.get([new.id])
    assert (stands.tier, stands.pinned) == (Tier.MANDATE, True)


@pytest.mark.parametrize(
    ("first", "second"),
    [({}, {"trust": Trust.AGENT}), ({"valid_from": NOON - DAY}, {"valid_from": NOON - DAY})],
    ids=["weaker", "same start"],
)
def test_what_rules_may_not_settle_stays_open(room, first, second):
    old, new = versions(-9, -5)
    old, new = _with(old, first), _with(new, second)
    room.store.put([old, new])

    counts, _ = run(room)

    (record,) = room.store.contradictions()
    assert (counts, record.open, record.suggestion) == ({"opened": 1}, True, None)
    assert room.store.get([old.id, new.id]) == [old, new]
    assert run(room)[0] == {}


def test_two_spellings_of_one_value_do_not_clash(room):
    one, other = versions(-9, -9)
    room.store.put([_valued(one, "v15"), _valued(other, "V15")])

    assert run(room)[0] == {}


def test_what_waits_for_review_ends_nothing_until_it_is_served(room):
    old, new = versions(-9, -5)
    room.store.put([old, new.replace(state=State.CANDIDATE)])

    waiting, mark = run(room)
    room.store.put([new])
    served, _ = run(room, mark)

    assert (waiting, served) == ({}, {"settled": 1})


def test_other_scopes_are_left_alone(room):
    mine = Scope(path="project:shop")
    theirs = Scope(path="project:bakery")
    room.store.put([a_fact(text, scope=theirs) for text in (YES, NO)])

    assert run(room.replace(scopes=(mine,)))[0] == {}
    assert run(room.replace(scopes=(theirs,)))[0] == {"judged": 1, "opened": 1}


def test_batches_are_bounded_and_what_comes_out_does_not_depend_on_them(room, tmp_path):
    facts = [a_fact(f"Counter {n} of the till is closed") for n in range(BATCH + 5)]
    room.store.put([*facts, a_fact(YES), a_fact(NO)])

    first = contradict(room, "")
    rest = contradict(room, first.mark)

    assert (first.more, rest.more) == (True, False)
    assert [(r.a, r.b) for r in room.store.contradictions() if "Deploys" in _text(room, r)] != []


def _text(room, record):
    return room.store.get([record.a])[0].text


def _with(memory, fields):
    if "valid_from" in fields:
        return memory.replace(validity=memory.validity.replace(**fields))
    return memory.replace(**fields)


def _valued(memory, value):
    return memory.replace(body=memory.body.replace(value=value))


def test_items_of_a_list_are_not_at_odds_with_each_other(room):
    room.store.put([a_fact(f"Shard {number} of the shop keeps its orders") for number in range(9)])

    counts, _ = run(room)

    assert counts.get("judged", 0) > 9
    assert room.store.contradictions() == []


def test_what_rules_alone_have_judged_is_judged_once_more_when_a_judge_comes(room):
    room.store.put([a_fact(text) for text in ("The shop opens at dawn", "The shop opens at dusk")])
    alone, mark = run(room)
    judge = CountingJudge(0.999)
    room = room.replace(judge=judge)

    first, mark = run(room, mark)
    second, mark = run(room, mark)
    anew, _ = run(room)

    assert (alone, first) == ({"judged": 1}, {"judged": 1, "opened": 1})
    assert (second, anew, judge.asked) == ({}, {}, 1)
    (record,) = room.store.contradictions()
    assert record.detector == "judge"


def test_what_a_judge_doubts_but_rules_object_to_is_not_judged_for_ever(room):
    room.store.put([a_fact(YES), a_fact(NO)])
    _, mark = run(room)
    (record,) = room.store.contradictions()
    judge = CountingJudge(0.1)
    room = room.replace(judge=judge)

    for _ in range(3):
        _, mark = run(room, mark)
    run(room)

    assert judge.asked == 1
    assert room.store.contradictions() == [record]


def test_what_was_settled_stays_so_when_a_judge_comes(room):
    room.store.put([a_fact(YES), a_fact(NO)])
    _, mark = run(room)
    (record,) = room.store.contradictions()
    resolve(room.store, record.id, Resolution.BOTH_VALID, now=NOON)

    counts, _ = run(room.replace(judge=CountingJudge(0.999)), mark)

    assert counts == {"judged": 1}
    assert [each.open for each in room.store.contradictions()] == [False]


def test_a_judge_that_was_away_is_asked_about_what_came_meanwhile(room):
    judge = CountingJudge(0.0)
    with_judge = room.replace(judge=judge)
    door = "The door of the shop is green"
    room.store.put([a_fact(door), a_fact(door.replace("door", "roof"))])
    _, mark = run(with_judge)
    assert judge.asked == 1
    room.store.put([a_fact(door.replace("door", "sign"))])

    alone, mark = run(room, mark)
    back, mark = run(with_judge, mark)
    again, _ = run(with_judge, mark)

    assert (alone, back, again) == ({"judged": 2}, {"judged": 2}, {})
    assert judge.asked == 3


def test_a_mark_of_old_is_read(room):
    room.store.put([a_fact(YES), a_fact(NO)])
    number = room.store.changed(0, limit=BATCH)[-1][0]

    assert run(room, str(number))[0] == {}
    assert run(room.replace(judge=CountingJudge(0.0)), str(number))[0] == {"judged": 1, "opened": 1}


def test_a_judge_that_comes_is_asked_batch_by_batch(room):
    room.store.put([a_fact(f"Counter {n} of the till is closed") for n in range(BATCH + 5)])
    _, mark = run(room)
    room = room.replace(judge=CountingJudge(0.0))

    first = contradict(room, mark)
    half = room.judge.asked
    rest, _ = run(room, first.mark)

    assert first.more
    assert 0 < half < room.judge.asked
    assert run(room)[0] == {}
    assert rest["judged"] == room.judge.asked - half
