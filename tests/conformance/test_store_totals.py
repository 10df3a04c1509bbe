"""What a store is about, in numbers: frequent facets, how many memories, what all would cost."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import DAY, START, a_facet, a_fact, a_mention, an_episode
from tacit.model import FacetType, Kind, Role, Scope, State
from tacit.store.joined import Joined
from tacit.store.protocol import EVERY_STATE, Filter, Frequent

NOW = START + 10 * DAY
SERVED_NOW = Filter(at=NOW, current=True)
TOPICS = (FacetType.TOPIC, FacetType.TAG)


def about(*names, **fields):
    return a_fact(mentions=tuple(a_mention(name, FacetType.TOPIC) for name in names), **fields)


def named(found):
    return [(one.facet.name, one.memories) for one in found]


def test_the_facets_most_memories_mention_come_first(store):
    store.put([about("auth", "cart"), about("auth"), about("auth", "zoo"), about("cart")])

    assert named(store.frequent(TOPICS, SERVED_NOW, limit=9)) == [
        ("auth", 3),
        ("cart", 2),
        ("zoo", 1),
    ]
    assert named(store.frequent(TOPICS, SERVED_NOW, limit=1)) == [("auth", 3)]


def test_only_facets_of_the_types_asked_for_count(store):
    store.put([a_fact(mentions=(a_mention("auth", FacetType.TAG), a_mention("redis")))])

    assert named(store.frequent(TOPICS, SERVED_NOW, limit=9)) == [("auth", 1)]
    assert store.frequent([], SERVED_NOW, limit=9) == []


def test_a_memory_counts_once_however_it_mentions_a_facet(store):
    mentions = (
        a_mention("pool.py", FacetType.FILE, role=Role.READS, count=4),
        a_mention("pool.py", FacetType.FILE, role=Role.WRITES),
    )
    store.put([a_fact(mentions=mentions)])

    assert named(store.frequent([FacetType.FILE], SERVED_NOW, limit=9)) == [("pool.py", 1)]


def test_a_facet_tells_when_the_newest_memory_that_mentions_it_was_recorded(store):
    store.put([about("auth", recorded_at=START), about("auth", recorded_at=START + DAY)])
    store.put([about("auth", recorded_at=START + 2 * DAY, state=State.FORGOTTEN)])

    assert store.frequent(TOPICS, SERVED_NOW, limit=9) == [
        Frequent(facet=a_facet("auth", FacetType.TOPIC), memories=2, last=START + DAY)
    ]


def test_what_is_not_served_now_does_not_count(store):
    store.put(
        [
            about("auth"),
            about("auth", state=State.FORGOTTEN),
            about("auth", valid_to=START + DAY),
            about("auth", valid_from=NOW + DAY),
            about("auth", valid_to=NOW + DAY),
            about("gone", state=State.ARCHIVED),
        ]
    )

    assert named(store.frequent(TOPICS, SERVED_NOW, limit=9)) == [("auth", 2)]
    assert store.count(SERVED_NOW) == 2
    assert named(store.frequent(TOPICS, Filter(states=EVERY_STATE), limit=9))[0] == ("auth", 5)
    assert store.count(Filter(states=EVERY_STATE)) == 6


def test_any_filter_narrows_what_counts(store):
    shop, bank = Scope(path="project:shop"), Scope(path="project:bank")
    store.put([about("auth", scope=shop), about("auth", "pay", scope=bank)])

    inside = Filter(at=NOW, current=True, scopes=(bank,))

    assert named(store.frequent(TOPICS, inside, limit=9)) == [("auth", 1), ("pay", 1)]
    assert store.count(inside) == 1
    assert store.count(Filter(kinds=(Kind.EPISODE,))) == 0


def test_full_tokens_adds_up_what_all_that_fits_would_cost(store):
    store.put(
        [a_fact("one two three"), an_episode("four five"), a_fact("six", state=State.FORGOTTEN)]
    )

    assert store.full_tokens(SERVED_NOW) == 5
    assert store.full_tokens(Filter(kinds=(Kind.EPISODE,))) == 2
    assert store.full_tokens(Filter(ids=("missing",))) == 0


def test_a_group_of_facets_reaches_each_memory_once(store):
    store.put(
        [about("auth", "jwt"), about("jwt"), about("cart"), about("jwt", state=State.ARCHIVED)]
    )
    auth, jwt, cart = (a_facet(name, FacetType.TOPIC) for name in ("auth", "JWT", "cart"))

    groups = [(auth, jwt), (cart,), (a_facet("nobody"),), ()]

    assert store.reach(groups, SERVED_NOW) == [2, 1, 0, 0]
    assert store.reach(groups, Filter(states=EVERY_STATE)) == [3, 1, 0, 0]
    assert store.reach([], SERVED_NOW) == []


def test_an_empty_store_counts_nothing(store):
    assert store.frequent(tuple(FacetType), SERVED_NOW, limit=9) == []
    assert (store.count(SERVED_NOW), store.full_tokens(SERVED_NOW)) == (0, 0)


def test_stores_read_as_one_add_up(place, tmp_path):
    from tacit.store.connect import connect

    one, other = place(), connect(str(tmp_path / "other.db"))
    one.put([about("auth", recorded_at=START), about("cart")])
    other.put([about("auth", recorded_at=START + DAY)])

    joined = Joined([one, other])

    assert joined.frequent(TOPICS, SERVED_NOW, limit=9) == [
        Frequent(facet=a_facet("auth", FacetType.TOPIC), memories=2, last=START + DAY),
        Frequent(facet=a_facet("cart", FacetType.TOPIC), memories=1, last=START),
    ]
    assert joined.count(SERVED_NOW) == 3
    assert joined.reach([(a_facet("auth", FacetType.TOPIC),)], SERVED_NOW) == [2]
    assert joined.full_tokens(SERVED_NOW) == one.full_tokens(SERVED_NOW) + other.full_tokens(
        SERVED_NOW
    )
    other.close()


lives = st.tuples(
    st.sampled_from(State),
    st.integers(-3, 3),
    st.none() | st.integers(1, 5),
    st.sets(st.sampled_from(["auth", "cart", "pay"])),
)


@given(st.lists(lives, max_size=12))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_counting_agrees_with_reading(store, drawn):
    store.erase([memory.id for memory in store.scan(Filter(states=EVERY_STATE))])
    memories = [
        about(
            *names,
            state=state,
            valid_from=NOW + start * DAY,
            valid_to=None if length is None else NOW + (start + length) * DAY,
        )
        for state, start, length, names in drawn
    ]
    store.put(memories)

    live = list(store.scan(SERVED_NOW))

    assert store.count(SERVED_NOW) == len(live)
    counts = dict.fromkeys(("auth", "cart", "pay"), 0)
    for memory in live:
        for mention in memory.mentions:
            counts[mention.facet.name] += 1
    found = dict(named(store.frequent(TOPICS, SERVED_NOW, limit=9)))
    assert found == {name: number for name, number in counts.items() if number}
