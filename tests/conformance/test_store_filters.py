"""Which memories a filter means, and the orders of a scan."""

from datetime import timedelta, timezone

import pytest

from builders import (
    DAY,
    START,
    a_block,
    a_facet,
    a_fact,
    a_mention,
    a_pattern,
    a_resource,
    a_skill,
    an_episode,
    reworded,
)
from tacit.errors import Invalid
from tacit.model import FacetType, Kind, Polarity, Role, Scope, State, Tier
from tacit.store.protocol import EVERY_STATE, Filter


def found(store, **asked):
    """Give the ids of a scan."""
    return [memory.id for memory in store.scan(Filter(**asked))]


def test_without_a_filter_only_active_memories_are_meant(store):
    states = {state: a_fact(state=state) for state in State}
    store.put(list(states.values()))

    assert found(store) == [states[State.ACTIVE].id]


def test_states_are_chosen_one_by_one_or_all(store):
    states = {state: a_fact(state=state) for state in State}
    store.put(list(states.values()))

    assert found(store, states=(State.FORGOTTEN,)) == [states[State.FORGOTTEN].id]
    assert len(found(store, states=EVERY_STATE)) == 4
    assert len(found(store, states=())) == 4


def test_kinds_are_told_apart(store):
    every = [a_fact(), an_episode(), a_pattern(), a_skill(), a_resource(), a_block()]
    store.put(every)

    for memory in every:
        assert found(store, kinds=(memory.kind,)) == [memory.id]
    assert found(store, kinds=(Kind.SKILL, Kind.FACT)) == [every[0].id, every[3].id]


def test_tiers_are_told_apart(store):
    every = [a_fact(tier=tier) for tier in Tier]
    store.put(every)

    for memory in every:
        assert found(store, tiers=(memory.tier,)) == [memory.id]


def test_polarities_are_told_apart(store):
    every = [a_pattern(polarity=polarity) for polarity in Polarity]
    store.put(every)

    for memory in every:
        assert found(store, polarities=(memory.polarity,)) == [memory.id]


def test_scopes_mean_exactly_those_paths(store):
    project, agent = a_fact(scope="project:shop"), a_fact(scope="project:shop/agent:ana")
    other = a_fact(scope="project:shopping")
    store.put([project, agent, other])

    assert found(store, scopes=(Scope(path="project:shop"),)) == [project.id]
    assert found(store, scopes=agent.scope.chain) == [project.id, agent.id]
    assert found(store, scopes=(Scope(path="team:nobody"),)) == []
    assert found(store, scopes=(Scope(path="team:nobody"), other.scope)) == [other.id]


def test_a_memory_that_moves_to_another_scope_is_found_there_only(store):
    fact = a_fact(scope="project:shop")
    store.put([fact])

    store.put([fact.replace(scope=Scope(path="team:web"))])

    assert found(store, scopes=(Scope(path="project:shop"),)) == []
    assert found(store, scopes=(Scope(path="team:web"),)) == [fact.id]


def test_ids_sessions_authors_keys_and_hashes_mean_exactly_those(store):
    mine = a_fact("mine", session="s1", author="ana", key="shop.cache", value="redis")
    other = a_fact("other", session="s2", author="ben", key="shop.queue", value="redis")
    store.put([mine, other])

    assert found(store, sessions=("s1",)) == [mine.id]
    assert found(store, authors=("ana", "nobody")) == [mine.id]
    assert found(store, keys=("shop.cache",)) == [mine.id]
    assert found(store, hashes=(mine.hash,)) == [mine.id]
    assert found(store, sessions=("s",)) == []
    assert found(store, ids=(other.id, "missing")) == [other.id]
    assert found(store, exclude=(other.id, "missing")) == [mine.id]


def test_what_had_ceased_to_hold_by_a_moment_can_be_meant_alone(store):
    ended, put_away = (
        a_fact(valid_to=START + DAY, state=state) for state in (State.ACTIVE, State.ARCHIVED)
    )
    store.put([a_fact(), ended, put_away, a_fact(valid_to=START + 3 * DAY)])

    assert found(store, ended=START + DAY) == [ended.id]
    assert found(store, ended=START + 2 * DAY, states=EVERY_STATE) == [ended.id, put_away.id]
    assert found(store, ended=START) == []
    assert store.scan_ids(Filter(ended=START + 9 * DAY))[0] == ended.id


def test_those_in_doubt_can_be_meant_alone(store):
    sure, doubted = a_fact(), a_fact(unverified=True)
    store.put([sure, doubted])

    assert found(store, unverified=True) == [doubted.id]
    assert found(store) == [sure.id, doubted.id]


def test_subtypes_are_meant_or_not_meant(store):
    plain, commit, topic = a_fact(), a_fact(subtype="commit"), a_fact(subtype="topic")
    store.put([plain, commit, topic])

    assert found(store, subtypes=("commit", "topic")) == [commit.id, topic.id]
    assert found(store, without=("topic",)) == [plain.id, commit.id]
    assert found(store, without=("topic", "commit", "other")) == [plain.id]


def test_all_facets_asked_for_must_be_mentioned_in_any_role(store):
    both = a_fact(mentions=(a_mention("redis"), a_mention("pool", role=Role.FIXES)))
    one = a_fact(mentions=(a_mention("redis"),))
    tool = a_fact(mentions=(a_mention("redis", FacetType.TOOL),))
    store.put([both, one, tool])

    assert found(store, facets=(a_facet("Redis"),)) == [both.id, one.id]
    assert found(store, facets=(a_facet("redis"), a_facet("pool"))) == [both.id]
    assert found(store, facets=(a_facet("unknown"),)) == []


def test_parts_of_a_filter_are_all_required(store):
    wanted = a_pattern(tier=Tier.GUARDRAIL, session="s1")
    store.put([wanted, a_pattern(session="s1"), a_pattern(tier=Tier.GUARDRAIL), a_fact()])

    asked = {"kinds": (Kind.PATTERN,), "tiers": (Tier.GUARDRAIL,), "sessions": ("s1",)}
    assert found(store, **asked) == [wanted.id]
    assert found(store, **asked, states=(State.ARCHIVED,)) == []


@pytest.mark.parametrize("current", [False, True])
def test_at_means_what_holds_at_that_moment(store, current):
    past = a_fact("past", valid_from=START, valid_to=START + DAY)
    still = a_fact("still", valid_from=START + DAY)
    store.put([past, still])

    assert found(store, at=START - timedelta(microseconds=1)) == []
    assert found(store, at=START) == [past.id]
    assert found(store, at=START + DAY - timedelta(microseconds=1)) == [past.id]
    assert found(store, at=START + DAY, current=current) == [still.id]
    assert found(store) == [past.id, still.id]


def test_at_takes_any_time_zone(store):
    fact = a_fact(valid_from=START)
    store.put([fact])

    in_tokyo = START.astimezone(timezone(timedelta(hours=9)))

    assert found(store, at=in_tokyo) == [fact.id]


def test_current_still_means_what_ends_in_the_future(store):
    announced = a_fact(valid_to=START + 9 * DAY, retired_at=START + DAY)
    over = [a_fact(valid_to=START + DAY, retired_at=START + 2 * DAY) for _ in range(5)]
    store.put([announced, *over])

    assert found(store, at=START + 3 * DAY, current=True) == [announced.id]


def test_known_at_means_what_had_been_recorded_then(store):
    early = a_fact("early", recorded_at=START)
    late = a_fact("late", valid_from=START, recorded_at=START + 2 * DAY)
    store.put([early, late])

    assert found(store, known_at=START - DAY) == []
    assert found(store, known_at=START) == [early.id]
    assert found(store, known_at=START + 2 * DAY) == [early.id, late.id]


def test_known_at_opens_again_what_was_closed_later(store):
    closed = a_fact(valid_from=START, valid_to=START + 5 * DAY, retired_at=START + 6 * DAY)
    store.put([closed])

    after_its_end = START + 7 * DAY
    assert found(store, at=after_its_end) == []
    assert found(store, at=after_its_end, known_at=START + 5 * DAY) == [closed.id]
    assert found(store, at=after_its_end, known_at=START + 6 * DAY) == []


def test_known_at_asks_nothing_of_the_state_which_is_that_of_today(store):
    forgotten = a_fact(state=State.FORGOTTEN)
    store.put([forgotten])

    assert found(store, known_at=START) == [forgotten.id]


def test_since_and_until_bound_the_beginning_without_the_end(store):
    days = [a_fact(valid_from=START + n * DAY) for n in range(4)]
    store.put(days)

    assert found(store, since=START + DAY) == [day.id for day in days[1:]]
    assert found(store, until=START + DAY) == [days[0].id]
    assert found(store, since=START + DAY, until=START + 3 * DAY) == [days[1].id, days[2].id]


def test_an_empty_range_is_refused():
    with pytest.raises(Invalid, match="empty"):
        Filter(since=START, until=START)


@pytest.mark.parametrize("order", ["id", "recorded_at", "valid_from"])
def test_scan_follows_the_order_asked_for_in_both_directions(store, order):
    first = a_fact(id="a", valid_from=START + 3 * DAY, recorded_at=START + 6 * DAY)
    second = a_fact(id="b", valid_from=START + DAY, recorded_at=START + 5 * DAY)
    third = a_fact(id="c", valid_from=START + 2 * DAY, recorded_at=START + 4 * DAY)
    expected = {"id": "abc", "recorded_at": "cba", "valid_from": "bca"}[order]
    store.put([third, first, second])

    forwards = [memory.id for memory in store.scan(Filter(), order=order)]
    backwards = [memory.id for memory in store.scan(Filter(), order=f"-{order}")]

    assert forwards == store.scan_ids(Filter(), order=order, limit=9) == list(expected)
    assert backwards == store.scan_ids(Filter(), order=f"-{order}", limit=9) == [*expected[::-1]]


@pytest.mark.parametrize("order", ["recorded_at", "valid_from"])
def test_scan_settles_ties_by_id(store, order):
    same = [a_fact(id=letter) for letter in "cab"]
    store.put(same)

    assert [memory.id for memory in store.scan(Filter(), order=order)] == ["a", "b", "c"]
    assert [memory.id for memory in store.scan(Filter(), order=f"-{order}")] == ["c", "b", "a"]


def test_scan_stops_at_its_limit(store):
    facts = [a_fact() for _ in range(5)]
    store.put(facts)

    assert list(store.scan(Filter(), limit=2)) == facts[:2]
    assert list(store.scan(Filter(), order="-id", limit=2)) == facts[:2:-1]
    assert list(store.scan(Filter(), limit=0)) == []
    assert store.scan_ids(Filter(), order="-id", limit=2) == [facts[4].id, facts[3].id]


def test_scan_gives_many_memories_whole_and_in_order(store):
    facts = [a_fact(f"fact {n}", mentions=(a_mention(f"thing {n}"),)) for n in range(1_200)]
    store.put(facts)

    assert list(store.scan(Filter())) == facts


def test_a_scan_gives_what_was_there_when_it_began(place):
    store, other = place(), place()
    facts = [a_fact(f"fact {n}", mentions=(a_mention(f"thing {n}"),)) for n in range(1_200)]
    store.put(facts)

    scan = store.scan(Filter())
    first = next(scan)
    other.put([reworded(facts[-1], "changed").replace(mentions=(a_mention("other"),))])
    store.put([reworded(facts[-2], "changed").replace(mentions=())])
    other.erase([facts[-3].id])

    assert [first, *scan] == facts
