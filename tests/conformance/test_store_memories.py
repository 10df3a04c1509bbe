"""Memories go in and come out: put, get, shorts, resolve, erase."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import (
    START,
    a_block,
    a_contradiction,
    a_fact,
    a_link,
    a_mention,
    a_pattern,
    a_resource,
    a_revision,
    a_skill,
    a_usage,
    a_vector,
    an_episode,
    an_id,
    levels_of,
    reworded,
)
from fakes import pack
from strategies import PHRASES, memories
from tacit.errors import Conflict
from tacit.model import FacetType, Role
from tacit.store.protocol import EVERYTHING, Filter
from tacit.text import query_terms


def test_get_keeps_the_order_asked_and_leaves_out_missing_ids(store):
    fact, episode = a_fact(), an_episode()
    store.put([fact, episode])

    assert store.get([episode.id, "missing", fact.id]) == [episode, fact]


def test_a_store_without_memories_gives_nothing(store):
    assert store.get(["missing"]) == []
    assert store.get([]) == []
    assert list(store.scan(EVERYTHING)) == []


def test_putting_nothing_changes_nothing(store):
    store.put([])

    assert list(store.scan(EVERYTHING)) == []


def test_every_kind_comes_back_as_it_was(store):
    kinds = [a_fact(), an_episode(), a_pattern(), a_skill(), a_resource(), a_block()]
    store.put(kinds)

    assert store.get([memory.id for memory in kinds]) == kinds


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(memories(ids=st.integers(1, 9).map(an_id)), max_size=4, unique_by=lambda m: m.id))
def test_every_field_of_every_memory_survives(store, some):
    store.put(some)

    assert store.get([memory.id for memory in some]) == some


@pytest.mark.parametrize("phrase", PHRASES)
def test_text_in_every_script_survives_to_the_letter(store, phrase):
    fact = a_fact(phrase, author=phrase, mentions=(a_mention(phrase, FacetType.SYMBOL),))
    store.put([fact])

    assert store.get([fact.id])[0].text == phrase
    assert store.get([fact.id])[0].author == phrase


def test_a_text_of_a_million_characters_survives(store):
    fact = a_fact("lorem ipsum dolor sit amet, 会话 " * 31_250)
    store.put([fact])

    assert store.get([fact.id]) == [fact]


def test_thousands_of_memories_go_through_one_call(store):
    facts = [a_fact(f"fact number {n}") for n in range(2_000)]
    store.put(facts)

    assert store.get([fact.id for fact in reversed(facts)]) == facts[::-1]


def test_put_replaces_every_field_of_the_memory_with_the_same_id(store):
    old = a_fact(mentions=(a_mention("redis"), a_mention("python", FacetType.TOOL)))
    new = a_pattern("Use the pool.", id=old.id, scope="team:web", mentions=(a_mention("pool"),))
    store.put([old])

    store.put([new])

    assert store.get([old.id]) == [new]
    assert list(store.scan(EVERYTHING)) == [new]


def test_putting_the_same_memory_again_changes_nothing(store):
    fact = a_fact(mentions=(a_mention("redis", count=3),))
    store.put([fact])

    store.put([fact])

    assert store.get([fact.id]) == [fact]


def test_the_last_of_two_with_one_id_in_one_call_wins(store):
    first = a_fact("first", mentions=(a_mention("redis"), a_mention("pool")))
    last = reworded(first, "last").replace(mentions=(a_mention("redis"),))

    store.put([first, last])

    assert store.get([first.id]) == [last]


def test_each_memory_keeps_its_own_spelling_of_a_facet(store):
    first = a_fact(mentions=(a_mention("Redis"),))
    second = a_fact(mentions=(a_mention("REDIS"), a_mention("redis", role=Role.FIXES)))
    store.put([first])
    store.put([second])

    assert store.get([first.id, second.id]) == [first, second]


def test_a_replaced_text_is_found_by_its_new_words_only(store):
    old = a_fact("sessions live in redis")
    store.put([old])

    store.put([reworded(old, "sessions live in postgres")])

    assert store.match_text(query_terms("redis"), Filter(), limit=5) == []
    assert [m.id for m in store.match_text(query_terms("postgres"), Filter(), limit=5)] == [old.id]


def test_shorts_tells_which_are_taken_and_by_whom(store):
    fact, other = a_fact(short="abcdefgh"), a_fact(short="bcdefghi")
    store.put([fact, other])

    assert store.shorts(["abcdefgh", "zzzzzzzz"]) == {"abcdefgh": fact.id}
    assert store.shorts([]) == {}


def test_a_short_that_another_memory_has_is_refused_and_nothing_is_written(store):
    store.put([a_fact(short="abcdefgh")])
    fresh, clash = a_fact("fresh"), a_fact("clash", short="abcdefgh")

    with pytest.raises(Conflict, match="short"):
        store.put([fresh, clash])

    assert store.get([fresh.id, clash.id]) == []


def test_resolve_finds_by_the_beginning_of_an_id_or_a_short(store):
    one = a_fact(id="0190aaaa-0000-7000-8000-000000000001", short="kxyzabcd")
    two = a_fact(id="0190aabb-0000-7000-8000-000000000002", short="kxzzabcd")
    store.put([one, two])

    assert store.resolve("0190aa", limit=9) == [one.id, two.id]
    assert store.resolve("0190aaaa", limit=9) == [one.id]
    assert store.resolve("kxz", limit=9) == [two.id]
    assert store.resolve(two.id, limit=9) == [two.id]
    assert store.resolve("nobody", limit=9) == []


def test_resolve_gives_each_id_once_and_no_more_than_the_limit(store):
    both = a_fact(id="abc-1", short="abcdefgh")
    store.put([both, a_fact(id="abc-2", short="zzzzzzzz"), a_fact(id="abc-3", short="yyyyyyyy")])

    assert store.resolve("abc", limit=9) == ["abc-1", "abc-2", "abc-3"]
    assert store.resolve("abc", limit=2) == ["abc-1", "abc-2"]


@pytest.mark.parametrize("prefix", ["%", "_", "*", "'", "\\"])
def test_resolve_takes_the_prefix_letter_by_letter(store, prefix):
    store.put([a_fact(short="abcdefgh")])

    assert store.resolve(prefix, limit=9) == []


def test_erase_counts_what_was_there(store):
    one, two = a_fact(), a_fact()
    store.put([one, two])

    assert store.erase([one.id, "missing", one.id]) == 1
    assert store.erase([one.id]) == 0
    assert store.get([one.id, two.id]) == [two]


def test_erase_leaves_no_trace_of_a_memory(store):
    gone = a_fact("the vault opens with sesame", mentions=(a_mention("vault"),))
    stays = a_fact("something else")
    store.put([gone, stays])
    store.link([a_link(gone, stays), a_link(stays, gone)])
    store.put_vectors("hash-64", [a_vector(gone, pack([1]))])
    store.add_revisions([a_revision(gone)])
    store.add_usage([a_usage(gone)])
    store.add_contradictions([a_contradiction(gone, stays)])

    store.erase([gone.id])

    assert store.get([gone.id]) == []
    assert store.match_text(query_terms("vault sesame"), EVERYTHING, limit=9) == []
    assert store.match_vector("hash-64", pack([1]), EVERYTHING, limit=9) == []
    assert store.compare_vector("hash-64", pack([1]), [gone.id]) == {}
    assert store.count_words(query_terms("sesame")).words == {}
    assert store.cards([gone.id], EVERYTHING) == {}
    assert store.links(None) == []
    assert store.known_names(["vault"]) == []
    assert store.revisions(None) == []
    assert list(store.usage()) == []
    assert store.contradictions() == []
    assert store.shorts([gone.short]) == {}
    assert store.get([stays.id]) == [stays]


def test_a_memory_made_after_an_erasure_inherits_nothing(store):
    gone = a_fact("the vault opens with sesame", mentions=(a_mention("vault"),))
    store.put([gone])
    store.put_vectors("hash-64", [a_vector(gone, pack([1]))])
    assert len(store.match_vector("hash-64", pack([1]), EVERYTHING, limit=9)) == 1
    store.erase([gone.id])

    fresh = a_fact("lunch is at noon")
    store.put([fresh])

    assert store.get([fresh.id]) == [fresh]
    assert store.match_vector("hash-64", pack([1]), EVERYTHING, limit=9) == []
    assert store.compare_vector("hash-64", pack([1]), [fresh.id]) == {}
    assert store.unembedded("hash-64", limit=9) == [fresh]


def test_an_erased_memory_can_be_put_again(store):
    fact = a_fact("sessions live in redis", valid_from=START)
    store.put([fact])
    store.erase([fact.id])

    store.put([fact])

    assert store.get([fact.id]) == [fact]
    assert len(store.match_text(query_terms("redis"), Filter(), limit=9)) == 1


def test_a_memory_may_have_empty_levels_below_its_full_text(store):
    bare = levels_of("text").replace(summary="", hint="", title="", tokens=(1, 0, 0, 0))
    fact = a_fact("text", levels=bare)
    store.put([fact])

    assert store.get([fact.id]) == [fact]
