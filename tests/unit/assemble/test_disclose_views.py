"""The index and the timeline: what they tell, and that they never cost more than they may."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import DAY, START, a_block, a_fact, a_link, a_memory, a_mention, an_episode
from fakes import WordCounter
from strategies import PHRASES
from tacit.assemble.disclose import (
    INDEX_TOKENS,
    TIMELINE_TOKENS,
    entry,
    index_view,
    read_context,
    timeline_view,
)
from tacit.body import Episode, Fact
from tacit.encode.tokens import O200k
from tacit.model import FacetType, Relation, State, Tier
from tacit.store.protocol import EVERY_STATE, Filter

NOW = Filter(at=START + 1000 * DAY, current=True)
COUNTER = O200k()


def tagged(*names, **fields):
    return a_fact(mentions=tuple(a_mention(name, FacetType.TAG) for name in names), **fields)


def test_the_index_names_the_topics_with_their_counts(store):
    store.put([tagged("auth"), tagged("auth", "payments"), tagged("payments"), tagged("auth")])

    view = index_view(store, NOW)

    assert view.text == (
        "Memory index: 4 memories. To read about one of these: expand topic:NAME\n"
        "auth 3, payments 2\n"
    )
    assert (view.memories, view.more) == (4, False)
    assert [topic.name for topic in view.topics] == ["auth", "payments"]


def test_an_index_of_nothing_says_so(store):
    assert index_view(store, NOW).text == "Memory index: nothing is kept yet.\n"


def test_an_index_without_topics_still_counts(store):
    store.put([a_fact()])

    assert index_view(store, NOW).text.startswith("Memory index: 1 memory. ")


def test_topics_that_have_no_room_are_hinted_at(store):
    store.put([tagged(*(f"subject{number:03}" for number in range(60)))])

    view = index_view(store, NOW)

    assert view.more
    assert view.text.endswith(", and more\n")
    assert COUNTER.count(view.text) <= INDEX_TOKENS


def test_a_name_that_is_too_long_does_not_keep_shorter_ones_out(store):
    store.put([tagged("ω" * 40, "会" * 40, "auth")])

    assert "auth 1" in index_view(store, NOW).text


def test_the_text_is_the_same_with_and_without_a_tokenizer_and_the_count_is_exact_with_one(store):
    store.put([tagged("auth", "qzxvj"), an_episode("Moved the checkout"), a_block()])

    for view in (index_view, timeline_view):
        bound, exact = view(store, NOW), view(store, NOW, counter=COUNTER)
        assert bound.text == exact.text
        assert exact.tokens == COUNTER.count(exact.text) <= bound.tokens
    assert index_view(store, NOW, counter=WordCounter()).tokens == 16


def test_the_views_do_not_change_with_the_time_of_day(store):
    store.put([tagged("auth"), an_episode("Moved the checkout")])
    later = NOW.replace(at=NOW.at + timedelta(hours=7))

    assert index_view(store, NOW).text == index_view(store, later).text
    assert timeline_view(store, NOW).text == timeline_view(store, later).text


names = st.one_of(
    st.text(min_size=1, max_size=50).filter(lambda name: name.strip() and name.isprintable()),
    st.sampled_from(PHRASES),
    st.from_regex(r"[a-z]{2,9}(/[a-z]{2,9}){0,3}", fullmatch=True),
)
types = st.sampled_from([FacetType.TAG, FacetType.TOPIC, FacetType.ENTITY, FacetType.FILE])
texts = st.one_of(
    st.sampled_from(PHRASES),
    st.text(min_size=1, max_size=300).filter(lambda text: bool(text.strip())),
    st.lists(st.sampled_from(PHRASES), min_size=1, max_size=6).map("\n".join),
).filter(lambda text: "\0" not in text)


def a_topic(name, members):
    """Make a topic of a cycle, with links from its members."""
    title = f"{name[:42]} ({len(members)})"
    topic = a_block(f"{title}: …", label="topic", subtype="topic", state=State.ARCHIVED)
    topic = topic.replace(levels=topic.levels.replace(title=title))
    return topic, [a_link(each, topic, Relation.ELABORATES) for each in members]


@given(
    st.lists(st.tuples(names, types), min_size=1, max_size=40, unique=True),
    st.lists(names, min_size=1, max_size=15),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_index_with_topics_of_a_cycle_costs_more_either(store, drawn, named):
    store.erase([memory.id for memory in store.scan(Filter(states=EVERY_STATE))])
    members = [a_fact(mentions=(a_mention(name, type_),)) for name, type_ in drawn]
    made = [a_topic(name, members) for name in named]
    store.put([*members, *(topic for topic, _ in made)])
    store.link([link for _, links in made for link in links])

    view = index_view(store, NOW)

    assert COUNTER.count(view.text) <= view.tokens <= INDEX_TOKENS
    assert view.text.count("\n") <= 3
    assert view.more or (len(view.made) == len(named))


def test_topics_of_a_cycle_that_have_no_room_are_hinted_at(store):
    members = [tagged("auth") for _ in range(3)]
    made = [a_topic(f"subject number {number:03}", members) for number in range(20)]
    store.put([*members, *(topic for topic, _ in made)])
    store.link([link for _, links in made for link in links])

    view = index_view(store, NOW)

    assert view.text.endswith("Also: auth 3, and more\n")
    assert 2 <= len(view.made) < 12
    assert view.more


@given(st.lists(st.tuples(names, types), min_size=1, max_size=80, unique=True))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_index_costs_more_than_a_hundred_tokens(store, drawn):
    store.erase([memory.id for memory in store.scan(Filter(states=EVERY_STATE))])
    store.put([a_fact(mentions=(a_mention(name, type_),)) for name, type_ in drawn])

    view = index_view(store, NOW)

    assert COUNTER.count(view.text) <= view.tokens <= INDEX_TOKENS
    assert view.text.count("\n") <= 2


@given(
    st.lists(st.tuples(texts, st.sampled_from(["success", "failure", "unknown"])), max_size=30),
    st.lists(st.tuples(texts, texts), max_size=15),
    st.none() | texts,
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_timeline_costs_more_than_five_hundred_tokens(store, done, decided, page):
    store.erase([memory.id for memory in store.scan(Filter(states=EVERY_STATE))])
    store.put([an_episode(text, outcome=outcome) for text, outcome in done])
    store.put([a_memory(Fact(why=why), text, subtype="decision") for text, why in decided])
    if page is not None:
        store.put([a_block(f"## Goal\n{page}\n## Blockers\n- {page}\n## Next\n- {page}")])

    view = timeline_view(store, NOW)

    assert COUNTER.count(view.text) <= view.tokens <= TIMELINE_TOKENS
    assert len(view.actions) + len(view.decisions) <= view.text.count("\n")


def test_the_timeline_tells_what_goes_on_what_was_decided_and_what_was_done(store):
    store.put(
        [
            an_episode("Moved the checkout to Postgres", short="aaaa2222"),
            an_episode("Tried to drop Redis", outcome="failure", valid_from=START + DAY, short="bbbb2222"),
            a_memory(
                Fact(why="the bank charges twice"),
                "Never retry refunds",
                tier=Tier.MANDATE,
                short="cccc2222",
            ),
            a_block("# Continuity\n\n## Goal\nShip refunds\n\n## Blockers\n- no test bank\n\n## Next\n- wire the button\n- docs\n"),
        ]
    )  # fmt: skip

    assert timeline_view(store, NOW).text == (
        "Now: Ship refunds\n"
        "Blocked by: no test bank\n"
        "Next: wire the button; docs\n"
        "Decided:\n"
        "[M:cccc2222] 2026-01-01 Never retry refunds (the bank charges twice)\n"
        "Done:\n"
        "[R:bbbb2222] 2026-01-02 failure: Tried to drop Redis\n"
        "[R:aaaa2222] 2026-01-01 success: Moved the checkout to Postgres\n"
    )


def test_a_timeline_of_nothing_is_empty(store):
    store.put([a_fact(), an_episode(state=State.FORGOTTEN), a_block("no headings")])

    view = timeline_view(store, NOW)

    assert (view.text, view.tokens, view.more) == ("", 0, False)


def test_decisions_have_all_the_room_where_no_work_is_told(store):
    decided = [
        a_memory(Fact(), f"Decided on plan number {n}", subtype="decision") for n in range(12)
    ]
    store.put(decided)
    alone = timeline_view(store, NOW)

    store.put([an_episode(f"Did the thing number {n} " + "and more words " * 4) for n in range(40)])
    beside = timeline_view(store, NOW)

    assert len(alone.decisions) == 12
    assert 0 < len(beside.decisions) < 12
    assert beside.actions
    assert beside.more


def test_an_old_decision_that_is_tagged_as_one_is_told_behind_many_facts(store):
    old = a_memory(
        Fact(),
        "Keep orders in Postgres",
        subtype="decision",
        mentions=(a_mention("decision", FacetType.TAG),),
    )
    store.put([old, *(a_fact(f"fact {n}", valid_from=START + DAY) for n in range(150))])

    assert [one.memory.id for one in timeline_view(store, NOW).decisions] == [old.id]


def test_an_entry_has_about_ten_words_all_of_them_from_the_source():
    text = "Moved the checkout of the shop to the new payment service and removed the old one"
    told = entry(a_memory(Episode(goal=text, outcome="partial"), text))

    assert told.action == "Moved the checkout of the shop to the new payment ..."
    assert told.outcome == "partial"
    assert set(told.action.split()) - {"..."} <= set(text.split())


@pytest.mark.parametrize(
    ("page", "focus", "blocked", "upcoming"),
    [
        ("## Current State\nbusy\n## Active Blockers\nNone\n## Next Up\n* a\n* b", "busy", (), ("a", "b")),
        ("# Goal\nfix it\n# Other\nnoise\n# Blocked by\n- x", "fix it", ("x",), ()),
        ("just words", "", (), ()),
        ("", "", (), ()),
    ],
)  # fmt: skip
def test_pages_of_other_writers_are_read_too(page, focus, blocked, upcoming):
    context = read_context(page)

    assert (context.focus, context.blocked_by, context.next_up) == (focus, blocked, upcoming)


def test_what_continuity_does_not_tell_comes_from_the_plan(store):
    store.put(
        [
            a_block("## Goal\nShip refunds"),
            a_block("## Goal\nOther\n## Next\n- step two", label="plan"),
            a_block("## Goal\nignored", label="persona"),
        ]
    )

    context = timeline_view(store, NOW).context

    assert (context.focus, context.next_up) == ("Ship refunds", ("step two",))
