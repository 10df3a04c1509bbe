"""What memories are about: facets, mentions and their counts."""

from builders import DAY, START, a_facet, a_fact, a_mention
from tacit.model import FacetType, Role, State
from tacit.store.protocol import EVERYTHING, Filter


def test_roles_and_counts_of_mentions_survive(store):
    fact = a_fact(
        mentions=(
            a_mention("pool.py", FacetType.FILE, role=Role.READS, count=2),
            a_mention("pool.py", FacetType.FILE, role=Role.WRITES, count=7),
        )
    )
    store.put([fact])

    assert store.get([fact.id])[0].mentions == fact.mentions


def test_facet_counts_count_memories_not_mentions(store):
    redis, pool = a_facet("redis"), a_facet("pool")
    store.put(
        [
            a_fact(mentions=(a_mention("redis", count=5), a_mention("redis", role=Role.FIXES))),
            a_fact(mentions=(a_mention("Redis"),)),
        ]
    )

    assert store.facet_counts([redis, pool]) == {redis: 2, pool: 0}
    assert store.facet_counts([]) == {}


def test_facets_of_different_types_are_different_things(store):
    store.put([a_fact(mentions=(a_mention("click", FacetType.TOOL),))])

    entity, tool = a_facet("click"), a_facet("click", FacetType.TOOL)
    assert store.facet_counts([entity, tool]) == {entity: 0, tool: 1}


def test_files_symbols_and_commits_keep_their_case(store):
    store.put([a_fact(mentions=(a_mention("Makefile", FacetType.FILE),))])

    upper, lower = a_facet("Makefile", FacetType.FILE), a_facet("makefile", FacetType.FILE)
    assert store.facet_counts([upper, lower]) == {upper: 1, lower: 0}


def test_known_names_gives_the_facets_whose_compact_form_is_a_name(store):
    store.put(
        [
            a_fact(mentions=(a_mention("Redis"), a_mention("redis", FacetType.TOOL))),
            a_fact(mentions=(a_mention("Connection  Pool"),)),
            a_fact(mentions=(a_mention("get_user", FacetType.SYMBOL),)),
            a_fact(mentions=(a_mention("src/Auth/login.py", FacetType.FILE),)),
        ]
    )

    assert set(store.known_names(["redis", "nothing"])) == {
        a_facet("redis"),
        a_facet("redis", FacetType.TOOL),
    }
    assert store.known_names(["connectionpool"]) == [a_facet("connection pool")]
    assert store.known_names(["getuser"]) == [a_facet("get_user", FacetType.SYMBOL)]
    assert store.known_names(["loginpy"]) == [a_facet("src/Auth/login.py", FacetType.FILE)]
    assert store.known_names(["Redis"]) == []
    assert store.known_names([]) == []


def test_a_name_nobody_mentions_any_more_is_not_known(store):
    fact = a_fact(mentions=(a_mention("redis"),))
    store.put([fact])

    store.put([fact.replace(mentions=())])

    assert store.known_names(["redis"]) == []
    assert store.facet_counts([a_facet("redis")]) == {a_facet("redis"): 0}
    assert store.stats().facets == 0


def test_mentioning_gives_the_newest_first_and_a_limit_per_facet(store):
    redis = [a_fact(f"r{n}", mentions=(a_mention("redis"),)) for n in range(3)]
    pool = [a_fact(f"p{n}", mentions=(a_mention("pool"),)) for n in range(3)]
    store.put([*redis, *pool])

    found = store.mentioning([a_facet("redis"), a_facet("pool")], Filter(), limit=2)

    assert found == [
        (redis[2].id, a_mention("redis")),
        (redis[1].id, a_mention("redis")),
        (pool[2].id, a_mention("pool")),
        (pool[1].id, a_mention("pool")),
    ]


def test_mentioning_tells_how_the_facet_as_it_was_asked_for_is_mentioned(store):
    fact = a_fact(
        mentions=(a_mention("REDIS", count=3), a_mention("redis", role=Role.FIXES, count=2))
    )
    store.put([fact])

    assert store.mentioning([a_facet("Redis")], Filter(), limit=9) == [
        (fact.id, a_mention("Redis", count=3)),
        (fact.id, a_mention("Redis", role=Role.FIXES, count=2)),
    ]


def test_mentions_gives_what_each_of_the_memories_mentions(store):
    both = a_fact(mentions=(a_mention("Redis", count=2), a_mention("pool", FacetType.TOPIC)))
    other, bare = a_fact(mentions=(a_mention("redis"),)), a_fact()
    store.put([both, other, bare])

    assert store.mentions([both.id, bare.id, "missing"]) == {both.id: both.mentions}
    assert store.mentions([other.id]) == {other.id: other.mentions}
    assert store.mentions([]) == {}


def test_mentioning_respects_the_filter_before_the_limit(store):
    wanted = a_fact(mentions=(a_mention("redis"),), session="s1")
    others = [a_fact(mentions=(a_mention("redis"),), valid_from=START + DAY) for _ in range(50)]
    store.put([wanted, *others])

    found = store.mentioning([a_facet("redis")], Filter(sessions=("s1",)), limit=1)

    assert found == [(wanted.id, a_mention("redis"))]


def test_mentioning_leaves_out_what_is_not_served(store):
    store.put([a_fact(mentions=(a_mention("redis"),), state=State.FORGOTTEN)])

    assert store.mentioning([a_facet("redis")], Filter(), limit=9) == []
    assert len(store.mentioning([a_facet("redis")], EVERYTHING, limit=9)) == 1
    assert store.mentioning([a_facet("unknown")], EVERYTHING, limit=9) == []
    assert store.mentioning([], EVERYTHING, limit=9) == []
