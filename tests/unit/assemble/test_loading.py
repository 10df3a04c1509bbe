"""Loading by topic: three ways out, measured, within a budget."""

from __future__ import annotations

import pytest

from builders import DAY, START, a_fact, a_memory, a_mention
from fakes import HashEmbedder, WordCounter
from tacit.assemble.loading import Exit, covered, expand, load_topics, within
from tacit.body import Fact
from tacit.encode.levels import make_levels
from tacit.model import FacetType, Level, State
from tacit.store.protocol import Filter

NOW = Filter(at=START + 10 * DAY, current=True)


def kept(text, *tags, **fields):
    """Make a fact with levels as they are when written."""
    made = a_memory(
        Fact(), text, mentions=tuple(a_mention(t, FacetType.TAG) for t in tags), **fields
    )
    return made.replace(levels=make_levels(text, WordCounter(), short=made.short))


@pytest.fixture
def filled(store):
    store.put(
        [
            kept("Refresh tokens live thirty days in Redis.", "auth"),
            kept("Sign tokens with RS256. " + "Keys rotate on the first Monday of each month. " * 12
                 + "The rotation script is called turnkey.", "auth"),
            kept("Refunds are never retried, since the bank charges twice.", "payments"),
            kept("The bank closes at five on Fridays.", "payments"),
            kept("Coffee is on the third floor.", "office"),
        ]
    )  # fmt: skip
    return store


def test_nothing_is_loaded_where_no_topic_is_near(filled):
    loaded = load_topics(filled, "kubernetes ingress controller", NOW)

    assert loaded.exit is Exit.NOTHING
    assert (loaded.tokens, loaded.text, loaded.topics) == (0, "", ())


def test_the_timeline_is_enough_where_its_lines_hold_the_words(filled):
    loaded = load_topics(filled, "do refresh tokens live in redis?", NOW)

    assert loaded.exit is Exit.TIMELINE
    assert [one.topic.name for one in loaded.topics] == ["auth"]
    assert "Refresh tokens live thirty days" in loaded.text
    assert loaded.read_tokens == 0 < loaded.scan_tokens


def test_the_full_text_is_read_where_the_lines_do_not_tell(filled):
    loaded = load_topics(filled, "sign tokens turnkey rotation", NOW, cut=0.3)

    assert loaded.exit is Exit.FULL
    assert "called turnkey" in loaded.text
    assert loaded.read_tokens == sum(shown.tokens for shown in loaded.memories) > 0
    assert loaded.tokens == loaded.scan_tokens + loaded.read_tokens


def test_all_near_topics_are_collected_and_two_are_read(filled):
    filled.put(
        [kept(f"The bank of topic {n} charges refunds with xenon.", f"extra{n}") for n in range(3)]
    )

    loaded = load_topics(filled, "bank charges refunds xenon quux", NOW, sufficient=1.0)

    assert len(loaded.topics) > 2
    assert loaded.exit is Exit.FULL
    topics = {m.facet.name for shown in loaded.memories for m in shown.memory.mentions}
    assert topics == {one.topic.name for one in loaded.topics[:2]}


@pytest.mark.parametrize("budget", [1, 20, 60, 200])
def test_a_budget_is_never_exceeded_and_what_had_no_room_is_named(filled, budget):
    loaded = load_topics(filled, "sign tokens turnkey rotation", NOW, cut=0.3, budget_tokens=budget)

    assert loaded.tokens <= budget
    if loaded.exit is Exit.FULL:
        assert len(loaded.omitted) + len(loaded.memories) == 2


def test_what_is_not_served_is_not_loaded(store):
    store.put([kept("Refresh tokens live in Redis.", "auth", state=State.FORGOTTEN)])

    assert load_topics(store, "refresh tokens redis", NOW).exit is Exit.NOTHING


def test_vectors_find_what_words_alone_do_not(filled):
    embedder = HashEmbedder()
    without = load_topics(filled, "refunds ingress kubernetes controller", NOW)
    near = load_topics(
        filled, "refunds ingress kubernetes controller", NOW, embedder=embedder, cut=0.2
    )

    assert without.exit is Exit.NOTHING
    assert "payments" in [one.topic.name for one in near.topics]


def test_a_question_is_covered_by_the_weight_of_its_words():
    shares = {"refund": 0.75, "bank": 0.25}

    assert covered(shares, ["refunds are never retried"]) == 0.75
    assert covered(shares, ["refunds", "the bank"]) == 1.0
    assert covered(shares, []) == 0


def test_memories_are_taken_while_they_fit_and_smaller_ones_after_a_large_one():
    small, large, last = a_fact("a b"), a_fact("word " * 50), a_fact("c d e")

    shown, omitted = within([small, large, last], Level.FULL, 10)

    assert [one.memory for one in shown] == [small, last]
    assert omitted == [large.short]
    assert within([large], Level.FULL, None)[1] == []


def test_memories_are_expanded_at_a_level():
    memory = kept("First sentence. " + "More words follow here. " * 40)

    expanded = expand([memory], Level.HINT, None)

    assert memory.levels.hint in expanded.text
    assert expanded.tokens == memory.levels.token_count(Level.HINT)
    assert expanded.text.startswith(f"[R:{memory.short}] ")


def test_what_was_spent_on_lines_is_not_there_for_full_texts(filled):
    asked = {"cut": 0.3, "counter": WordCounter()}
    whole = load_topics(filled, "sign tokens turnkey rotation", NOW, **asked)

    tight = load_topics(
        filled, "sign tokens turnkey rotation", NOW, budget_tokens=whole.read_tokens, **asked
    )

    assert tight.scan_tokens > 0
    assert tight.omitted
    assert tight.tokens <= whole.read_tokens
