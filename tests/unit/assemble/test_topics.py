"""What a store is about: facets rolled up to topics, counted, found again by name."""

from __future__ import annotations

import pytest

from builders import DAY, START, a_facet, a_fact, a_mention
from tacit.assemble.topics import find_topic, members, topic_name, topic_of, topics
from tacit.model import FacetType, State
from tacit.store.protocol import Filter

NOW = Filter(at=START + 10 * DAY, current=True)
TAG, TOPIC, ENTITY, FILE = FacetType.TAG, FacetType.TOPIC, FacetType.ENTITY, FacetType.FILE


def about(*mentions, **fields):
    return a_fact(mentions=tuple(a_mention(name, type_) for type_, name in mentions), **fields)


def counts(found):
    return {topic.name: topic.memories for topic in found}


@pytest.mark.parametrize(
    ("type_", "name", "topic"),
    [
        (TAG, "Auth", "auth"),
        (TOPIC, "payments", "payments"),
        (ENTITY, "auth.jwt_alg", "auth"),
        (ENTITY, "PostgreSQL", "postgresql"),
        (FILE, "src/store/engine.py", "src/store"),
        (FILE, "Makefile", ""),
        (FILE, "../x.py", ""),
        (FILE, "a/" * 40 + "x.py", ""),
        (TAG, "decision", ""),
        (TAG, "branch main", ""),
        (TAG, "x" * 41, ""),
        (TAG, "2026", ""),
        (TAG, "会话", "会话"),
        (TOPIC, "a, b", "a b"),
        (FacetType.SYMBOL, "get_user", ""),
        (FacetType.ERROR, "KeyError", ""),
    ],
)
def test_a_facet_belongs_to_one_topic_or_none(type_, name, topic):
    assert topic_name(a_facet(name, type_)) == topic


def test_facets_of_one_topic_are_counted_together_and_a_memory_once(store):
    store.put(
        [
            about((TAG, "auth"), (ENTITY, "auth.jwt_alg")),
            about((ENTITY, "auth.session")),
            about((TAG, "payments")),
        ]
    )

    assert counts(topics(store, NOW)) == {"auth": 2, "payments": 1}


def test_the_topic_of_most_memories_comes_first_then_the_name_decides(store):
    store.put([about((TAG, "b")), about((TAG, "zz")), about((TAG, "zz")), about((TAG, "aa"))])

    assert [topic.name for topic in topics(store, NOW)] == ["zz", "aa"]


def test_folders_are_topics_where_there_are_few_others(store):
    store.put([about((FILE, "src/auth/a.py"), (FILE, "src/auth/b.py")), about((TAG, "cart"))])

    assert counts(topics(store, NOW)) == {"cart": 1, "src/auth": 1}

    store.put([about((TAG, f"tag {number % 30}x")) for number in range(60)])

    assert "src/auth" not in counts(topics(store, NOW))


def test_what_is_not_served_is_no_topic(store):
    store.put([about((TAG, "secret"), state=State.FORGOTTEN), about((TAG, "auth"))])

    assert counts(topics(store, NOW)) == {"auth": 1}
    assert find_topic(store, "secret", NOW) is None


def test_a_topic_is_found_by_its_name_in_any_case(store):
    newest = about((TAG, "Auth"), recorded_at=START + DAY)
    store.put([about((ENTITY, "auth.jwt_alg")), newest])

    found = find_topic(store, " AUTH ", NOW)

    assert (found.name, found.memories, found.last) == ("auth", 2, START + DAY)
    assert find_topic(store, "nothing", NOW) is None
    assert find_topic(store, "", NOW) is None


def test_a_folder_is_found_as_a_topic_however_many_others_there_are(store):
    store.put([about((FILE, "src/auth/a.py"))] + [about((TAG, f"tag {n}x")) for n in range(40)])

    assert find_topic(store, "src/auth", NOW).memories == 1


def test_a_name_too_rare_or_too_long_for_an_index_is_found_all_the_same(store):
    store.put([about((TAG, "x" * 41)), about((TAG, "decision"))])

    assert find_topic(store, "x" * 41, NOW).memories == 1
    assert find_topic(store, "decision", NOW).memories == 1


def test_the_members_of_a_topic_come_newest_first(store):
    old = about((TAG, "auth"), valid_from=START)
    new = about((ENTITY, "auth.x"), valid_from=START + DAY)
    store.put([new, old, about((TAG, "cart"))])

    facets = find_topic(store, "auth", NOW).facets

    assert members(store, facets, NOW, limit=9) == [new, old]
    assert members(store, facets, NOW, limit=1) == [new]


def test_the_topic_of_a_memory_is_one_that_the_index_names(store):
    both = about((FILE, "src/auth/a.py"), (TAG, "decision"), (ENTITY, "auth.jwt_alg"))
    store.put([both])

    assert topic_of(both) == "auth"
    assert topic_of(both) in counts(topics(store, NOW))
    assert topic_of(about((FILE, "src/auth/a.py"))) == "src/auth"
    assert topic_of(a_fact()) == ""
