"""What is archived, what is forgotten, what never is, and how it comes back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aged import a_room, run, states, use
from builders import (
    DAY,
    START,
    a_block,
    a_fact,
    a_link,
    a_mention,
    a_pattern,
    a_resource,
    a_skill,
    an_episode,
)
from fakes import FrozenClock
from tacit.consolidate.forget import forget
from tacit.consolidate.tiers import promote
from tacit.model import FacetType, Origin, Relation, Role, State, Tier, Trust, Usage, UsageEvent
from tacit.profile import DEFAULT
from tacit.store.sqlite.engine import SqliteStore
from tacit.system import Tacit
from tacit.write.history import change

ACTIVE, ARCHIVED, FORGOTTEN = State.ACTIVE, State.ARCHIVED, State.FORGOTTEN


def after(days):
    return START + days * DAY


# Episodes


def test_an_episode_is_archived_after_thirty_days_unless_something_rests_on_it(store):
    young = an_episode("Young.", valid_from=after(1))
    old, source, example = (an_episode(text) for text in ("Old.", "Source.", "Example."))
    pattern = a_pattern()
    store.put([young, old, source, example, pattern])
    store.link(
        [
            a_link(pattern, source, Relation.DERIVED_FROM, origin=Origin.CONSOLIDATED),
            a_link(example, pattern, Relation.EXAMPLE_OF, origin=Origin.CONSOLIDATED),
        ]
    )

    assert run(a_room(store, after(30)), forget) == {"archived": 1}
    assert states(store, [young, old, source, example]) == [ACTIVE, ARCHIVED, ACTIVE, ACTIVE]
    assert run(a_room(store, after(30)), forget) == {}
    note = store.revisions([old.id])[-1].note
    assert note == "an episode unused for 30 days that nothing refers to"


@pytest.mark.parametrize(
    ("relation", "origin", "state"),
    [
        (Relation.RELATED_TO, Origin.EXTRACTED, ARCHIVED),
        (Relation.FOLLOWS, Origin.EXTRACTED, ARCHIVED),
        (Relation.RELATED_TO, Origin.HUMAN, ACTIVE),
        (Relation.SUPPORTS, Origin.EXTRACTED, ACTIVE),
    ],
)
def test_evidence_and_a_persons_link_hold_an_episode_and_mere_nearness_does_not(
    store, relation, origin, state
):
    episode, fact = an_episode(), a_fact()
    store.put([episode, fact])
    store.link([a_link(fact, episode, relation, origin=origin)])

    run(a_room(store, after(40)), forget)

    assert states(store, [episode]) == [state]


@pytest.mark.parametrize(
    "fields",
    [{"state": State.FORGOTTEN}, {"valid_to": START + DAY}, {"kind": "episode"}],
    ids=["forgotten", "ended", "an episode too"],
)
def test_what_is_not_live_holds_nothing(store, fields):
    fields = dict(fields)
    make = an_episode if fields.pop("kind", "") else a_fact
    episode, other = an_episode(), make("Another.", recorded_at=after(39), **fields)
    store.put([episode, other])
    store.link([a_link(other, episode, Relation.DERIVED_FROM)])

    run(a_room(store, after(40)), forget)

    assert states(store, [episode]) == [ARCHIVED]


def test_an_episode_that_was_cited_lately_stays(store):
    episode = an_episode()
    store.put([episode])
    use(store, episode, after(20), cited=1)

    assert run(a_room(store, after(49)), forget) == {}
    assert run(a_room(store, after(50)), forget) == {"archived": 1}


def test_an_old_episode_that_nobody_was_offered_is_archived_but_never_forgotten(store):
    episode = an_episode()
    store.put([episode])

    run(a_room(store, after(30)), forget)
    run(a_room(store, after(3000)), forget)

    assert states(store, [episode]) == [ARCHIVED]


def test_an_episode_that_was_offered_and_ignored_is_forgotten_after_the_grace_period(store):
    episode = an_episode()
    store.put([episode])
    use(store, episode, after(3), loaded=2, ignored=1)

    run(a_room(store, after(30)), forget)
    assert run(a_room(store, after(59)), forget) == {}
    assert run(a_room(store, after(60)), forget) == {"forgotten": 1}

    assert states(store, [episode]) == [FORGOTTEN]
    assert store.get([episode.id])[0].text == episode.text
    note = store.revisions([episode.id])[-1].note
    assert note == "offered twice, cited never; archived for 30 days"


def changes(number, path, **fields):
    """Make episodes that changed a file, oldest first."""
    mentions = (a_mention(path, FacetType.FILE, role=Role.WRITES),)
    return [an_episode(f"Change {n} of {path}", mentions=mentions, **fields) for n in range(number)]


def test_an_episode_stays_while_it_is_among_the_latest_that_tell_of_a_file_it_changed(store):
    busy = changes(25, "src/cart.py")
    beside = an_episode(
        "About the cart.", mentions=(a_mention("src/cart.py", FacetType.FILE, role=Role.READS),)
    )
    store.put([beside, *busy])

    assert run(a_room(store, after(30)), forget) == {"archived": 6}
    assert states(store, [beside, *busy]) == [ARCHIVED] * 6 + [ACTIVE] * 20
    assert run(a_room(store, after(300)), forget) == {}


def test_an_episode_is_forgotten_only_behind_many_later_ones_of_its_files(store):
    cart, quiet = changes(60, "src/cart.py"), changes(30, "src/quiet.py")
    store.put([*cart, *quiet])
    for episode in (cart[0], cart[20], quiet[0]):
        use(store, episode, loaded=2, ignored=2)
    run(a_room(store, after(30)), forget)
    assert states(store, [cart[0], cart[20], quiet[0]]) == [ARCHIVED] * 3

    assert run(a_room(store, after(60)), forget) == {"forgotten": 1}
    assert states(store, [cart[0], cart[20], quiet[0]]) == [FORGOTTEN, ARCHIVED, ARCHIVED]


# All else


@pytest.mark.parametrize("make", [a_fact, a_pattern, a_skill, a_resource])
def test_what_was_offered_and_hardly_used_is_archived_after_ninety_days(store, make):
    memory = make()
    store.put([memory])
    use(store, memory, after(1), cited=4)
    use(store, memory, after(20), name="later", loaded=3)

    assert run(a_room(store, after(90)), forget) == {}
    assert run(a_room(store, after(91)), forget) == {"archived": 1}
    run(a_room(store, after(900)), forget)

    assert states(store, [memory]) == [ARCHIVED]  # it was of use once: that is not forgotten


@pytest.mark.parametrize(
    "counts",
    [{}, {"cited": 5, "loaded": 9}, {"prefetched": 1, "needed": 1}],
    ids=["never offered", "cited often", "looked at when offered"],
)
def test_what_was_used_or_had_no_chance_stays(store, counts):
    fact = a_fact()
    store.put([fact])
    use(store, fact, **counts)

    assert run(a_room(store, after(900)), forget) == {}


def test_what_was_offered_before_its_last_use_only_had_no_chance_since(store):
    fact = a_fact()
    store.put([fact])
    use(store, fact, after(1), loaded=3)
    use(store, fact, after(2), cited=1)

    assert run(a_room(store, after(900)), forget) == {}


def test_what_was_superseded_is_archived_and_then_forgotten_and_still_answers_at_its_time(store):
    clock = FrozenClock(START)
    tacit = Tacit(store, scope=a_fact().scope, clock=clock)
    old = tacit.remember("Tokens are signed with RS256", key="auth.alg", value="RS256")
    clock.set(after(10))
    new = tacit.remember("Tokens are signed with ES256", key="auth.alg", value="ES256")

    assert run(a_room(store, after(40)), forget) == {"archived": 1}
    assert run(a_room(store, after(70)), forget) == {"forgotten": 1}

    assert states(store, [old, new]) == [FORGOTTEN, ACTIVE]
    clock.set(after(71))
    assert [hit.memory.id for hit in tacit.recall("how are tokens signed?")] == [new.id]
    then = tacit.recall("how are tokens signed?", as_of=after(5))
    assert [hit.memory.id for hit in then] == [old.id]
    assert [memory.id for memory in tacit.list(as_of=after(5))] == [old.id]
    tacit.restore(old.id)
    tacit.forget(old.id, by="ana")
    assert tacit.recall("how are tokens signed?", as_of=after(5)) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"pinned": True},
        {"confirmed_by": "ana"},
        {"importance": 0.9},
        {"tier": Tier.MANDATE, "trust": Trust.AGENT},
    ],
)
@pytest.mark.parametrize("make", [a_fact, an_episode])
def test_what_is_exempt_is_never_put_away(store, make, fields):
    memory, ended = make(**fields), make("Ended.", valid_to=START + DAY, **fields)
    store.put([memory, ended])
    use(store, memory, loaded=50, ignored=50)

    assert run(a_room(store, after(900)), forget) == {}


def test_a_block_is_never_put_away(store):
    block = a_block()
    store.put([block])
    use(store, block, loaded=50)

    assert run(a_room(store, after(900)), forget) == {}


def test_a_persons_own_rule_is_only_proposed(store):
    rule = a_fact("Never push to main.", tier=Tier.GUARDRAIL)
    machines = a_fact("Run the linter.", tier=Tier.GUARDRAIL, trust=Trust.AGENT)
    store.put([rule, machines])
    for memory in (rule, machines):
        use(store, memory, loaded=3, ignored=3)

    assert run(a_room(store, after(90)), forget) == {"archived": 1}
    assert states(store, [rule, machines]) == [ACTIVE, ARCHIVED]


# Coming back


@pytest.mark.parametrize("days", [40, 80], ids=["archived", "forgotten"])
def test_what_is_cited_after_it_was_put_away_is_served_again(store, days):
    episode = an_episode()
    store.put([episode])
    use(store, episode, loaded=1)
    run(a_room(store, after(30)), forget)
    run(a_room(store, after(days)), forget)
    assert states(store, [episode]) != [ACTIVE]
    use(store, episode, after(days + 1), name="again", cited=1)

    assert run(a_room(store, after(days + 2)), forget) == {"restored": 1}
    assert states(store, [episode]) == [ACTIVE]
    assert run(a_room(store, after(days + 2)), forget) == {}


def test_what_a_person_forgot_does_not_come_back_by_a_citation(store):
    fact = a_fact()
    store.put([fact])
    change(
        store,
        [fact.id],
        lambda memory: memory.replace(state=FORGOTTEN),
        op="forget",
        by="ana",
        at=after(1),
    )
    use(store, fact, after(2), cited=1)

    assert run(a_room(store, after(3)), forget) == {}


def test_what_a_person_restored_has_its_time_again(store):
    clock = FrozenClock(after(30))
    episode = an_episode()
    store.put([episode])
    run(a_room(store, after(30)), forget)
    Tacit(store, scope=episode.scope, clock=clock).restore(episode.id, by="ana")

    assert run(a_room(store, after(59)), forget) == {}
    assert run(a_room(store, after(60)), forget) == {"archived": 1}


def test_what_was_put_away_is_found_by_name_but_not_by_asking(store):
    clock = FrozenClock(after(31))
    episode = an_episode("Moved the checkout to the payment service.")
    store.put([episode])
    run(a_room(store, after(30)), forget)
    tacit = Tacit(store, scope=episode.scope, clock=clock)

    assert tacit.recall("moved the checkout") == []
    assert tacit.recall("moved the checkout", as_of=clock.now()) == []
    assert len(tacit.recall("moved the checkout", as_of=after(29))) == 1
    assert tacit.show(episode.short) == episode.text
    assert [m.id for m in tacit.list(states=["archived"])] == [episode.id]


# Too many


def test_beyond_a_number_the_least_worth_keeping_is_archived(store):
    facts = [a_fact(f"Fact {n}", importance=n / 100) for n in range(80)]
    pinned = a_fact("Pinned", importance=0.0, pinned=True)
    used = a_fact("Used", importance=0.1)
    store.put([*facts, pinned, used])
    use(store, used, cited=9, helped=9)
    room = a_room(store, after(1), most_memories=20)

    assert run(room, forget) == {"archived": 62}
    assert states(store, [pinned, used]) == [ACTIVE, ACTIVE]
    assert states(store, facts) == [ARCHIVED] * 62 + [ACTIVE] * 18
    assert run(room, forget) == {}


def test_too_many_that_may_not_be_put_away_stay(store):
    pinned = [a_fact(f"Pinned {n}", pinned=True) for n in range(3)]
    store.put(pinned)

    assert run(a_room(store, after(1), most_memories=1), forget) == {}


# Laws

EVENTS = st.tuples(
    st.integers(0, 9),
    st.sampled_from(list(UsageEvent)),
    st.integers(0, 40),
    st.integers(0, 400),
)
MAKERS = st.sampled_from([a_fact, an_episode, a_pattern, a_skill, a_resource, a_block])
FIELDS = st.fixed_dictionaries(
    {
        "pinned": st.booleans(),
        "confirmed_by": st.sampled_from(["", "", "ana"]),
        "tier": st.sampled_from(list(Tier)),
        "importance": st.sampled_from([0.1, 0.5, 0.95]),
        "trust": st.sampled_from([Trust.HUMAN, Trust.AGENT]),
        "valid_to": st.sampled_from([None, None, START + 5 * DAY]),
    }
)


def filled(folder, made, events):
    """Open a store with memories and what became of them."""
    store = SqliteStore(str(Path(folder) / "laws.db"))
    memories = [make(f"Memory {n}", **fields) for n, (make, fields) in enumerate(made)]
    store.put(memories)
    store.add_usage(
        Usage(
            query_id=f"q{query}",
            memory_id=memories[place % len(memories)].id,
            event=event,
            at=START + timedelta(days=days),
        )
        for place, event, query, days in events
    )
    return store, memories


@settings(max_examples=25)
@given(
    made=st.lists(st.tuples(MAKERS, FIELDS), min_size=1, max_size=10),
    events=st.lists(EVENTS, max_size=60),
    most=st.sampled_from([None, 2]),
)
def test_forgetting_never_touches_what_is_exempt_and_a_second_run_nothing(made, events, most):
    with TemporaryDirectory() as folder:
        store, memories = filled(folder, made, events)
        for days in (30, 90, 120, 500):
            room = a_room(store, after(days), most_memories=most)
            run(room, forget)
            assert run(room, forget) == {}
        for memory, now in zip(memories, store.get([m.id for m in memories]), strict=True):
            exempt = memory.pinned or memory.confirmed_by or memory.tier is Tier.MANDATE
            assert now == memory or not exempt
            assert now.replace(state=memory.state, rev=memory.rev) == memory
        store.close()


@settings(max_examples=25)
@given(
    made=st.lists(st.tuples(MAKERS, FIELDS), min_size=1, max_size=10),
    events=st.lists(EVENTS, max_size=60),
)
def test_restoring_is_the_inverse_of_putting_away(made, events):
    with TemporaryDirectory() as folder:
        store, memories = filled(folder, made, events)
        for days in (40, 130, 500):
            run(a_room(store, after(days)), forget)
        tacit = Tacit(store, scope=memories[0].scope, clock=FrozenClock(after(501)))
        for memory in memories:
            assert tacit.restore(memory.id).replace(rev=memory.rev) == memory
        assert run(a_room(store, after(501)), forget) == {}
        store.close()


@settings(max_examples=25)
@given(
    made=st.lists(st.tuples(MAKERS, FIELDS), min_size=1, max_size=10),
    events=st.lists(EVENTS, max_size=100),
)
def test_tiers_do_not_swing_between_cycles_without_new_use(made, events):
    with TemporaryDirectory() as folder:
        store, memories = filled(folder, made, events)
        for days in (400, 401, 402):
            run(a_room(store, after(days)), promote)
        ops = {}
        for revision in store.revisions(None):
            ops.setdefault(revision.memory.id, set()).add(revision.op)
        assert not any({"promote", "demote"} <= found for found in ops.values())
        assert [m.polarity for m in store.get([m.id for m in memories])] == [
            memory.polarity for memory in memories
        ]
        store.close()


# By time and by usage


def a_room_by(store, now, retention, **rules):
    return a_room(store, now, **rules).replace(
        profile=DEFAULT.replace(name="other", retention=retention)
    )


def test_by_time_age_alone_decides_and_the_exempt_stay(store):
    used, young, held = a_fact("Used."), a_fact("Young.", valid_from=after(30)), a_fact("Held.")
    kept = [a_fact("Pinned.", pinned=True), a_fact("Bound.", tier=Tier.MANDATE)]
    kept.append(a_fact("Confirmed.", confirmed_by="ana"))
    pattern = a_pattern(valid_from=after(90))
    store.put([used, young, held, pattern, *kept])
    store.link([a_link(pattern, held, Relation.DERIVED_FROM, origin=Origin.CONSOLIDATED)])
    use(store, used, after(80), loaded=9, cited=9)

    assert run(a_room_by(store, after(91), "time"), forget) == {"archived": 2}
    assert states(store, [used, held, young]) == [ARCHIVED, ARCHIVED, ACTIVE]
    assert states(store, kept) == [ACTIVE] * 3
    assert store.revisions([used.id])[-1].note == "written 91 days ago"


def test_by_time_what_was_archived_is_forgotten_after_the_grace(store):
    fact = a_fact()
    store.put([fact])

    run(a_room_by(store, after(91), "time"), forget)
    assert run(a_room_by(store, after(100), "time"), forget) == {}
    assert run(a_room_by(store, after(122), "time"), forget) == {"forgotten": 1}


def test_by_time_what_is_cited_after_it_was_put_away_comes_back_and_stays(store):
    fact = a_fact()
    store.put([fact])
    run(a_room_by(store, after(91), "time"), forget)
    use(store, fact, after(92), cited=1)

    assert run(a_room_by(store, after(93), "time"), forget) == {"restored": 1}
    assert run(a_room_by(store, after(94), "time"), forget) == {}


def test_by_usage_only_what_is_surely_not_used_where_it_is_offered_goes(store):
    old, ignored, cited, doubtful = (a_fact(text) for text in ("Old.", "Ignored.", "Cited.", "?"))
    episode = an_episode("Long ago.")
    kept = [a_fact("Pinned.", pinned=True), a_fact("Bound.", tier=Tier.MANDATE)]
    store.put([old, ignored, cited, doubtful, episode, *kept])
    for memory in (ignored, *kept):
        use(store, memory, after(1), loaded=60)
    use(store, cited, after(1), loaded=60)
    use(store, cited, after(0), cited=20)
    use(store, doubtful, after(1), loaded=5)

    assert run(a_room_by(store, after(2), "usage"), forget) == {"archived": 1}
    assert run(a_room_by(store, after(365), "usage"), forget) == {"forgotten": 1}
    assert states(store, [ignored, old, cited, doubtful, episode]) == [FORGOTTEN, *[ACTIVE] * 4]
    assert states(store, kept) == [ACTIVE] * 2


@pytest.mark.parametrize(
    ("retention", "away"),
    [("importance", "Slight."), ("time", "First."), ("usage", "Ignored.")],
)
def test_what_is_too_much_goes_by_the_retention(store, retention, away):
    first = a_fact("First.", importance=0.8, valid_from=after(0))
    ignored = a_fact("Ignored.", importance=0.8, valid_from=after(1))
    slight = a_fact("Slight.", importance=0.0, valid_from=after(2))
    store.put([first, ignored, slight])
    for memory in (first, slight):
        use(store, memory, after(3), loaded=4, cited=1)
    use(store, first, after(3), name="more", cited=5)
    use(store, ignored, after(3), ignored=3)

    run(a_room_by(store, after(4), retention, most_memories=2), forget)

    [gone] = [m for m in store.get([first.id, ignored.id, slight.id]) if m.state is ARCHIVED]
    assert gone.text == away
