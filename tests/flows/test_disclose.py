"""Little first, more on request: index, timeline, expand, topics, and the account of it all."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from builders import a_fact, a_mention, an_episode
from processes import unwatched
from tacit.encode.tokens import O200k
from tacit.errors import Conflict, Invalid, NotFound
from tacit.model import FacetType, State, UsageEvent
from tacit.store.connect import connect

if TYPE_CHECKING:
    from tacit.system import Tacit


@pytest.fixture
def filled(tacit: Tacit) -> Tacit:
    """Give a Tacit that knows about auth and payments."""
    tacit.remember("Sign tokens with RS256", tags=("auth",), learn_tokens=800)
    tacit.remember("Refresh tokens live thirty days in Redis", tags=("auth",), learn_tokens=300)
    tacit.remember("Refunds are never retried", tags=("payments",), files=("src/pay/refund.py",))
    tacit.remember("Moved the checkout to Postgres", kind="episode", files=("src/shop/cart.py",))
    return tacit


def usage(tacit, event=UsageEvent.EXPANDED):
    return [one for one in tacit.store.usage() if one.event is event]


def test_the_index_names_what_can_be_expanded(filled):
    view = filled.index_view()

    assert view.memories == 4
    for topic in view.topics:
        assert len(filled.expand(f"topic:{topic.name}").memories) == topic.memories


def test_the_views_write_nothing_outside_a_session(filled):
    filled.index_view()
    filled.timeline_view()

    assert filled.store.queries() == []


def test_a_memory_is_expanded_by_id_short_name_and_citation(filled):
    memory = filled.list(limit=1)[0]

    for ref in (memory.id, memory.short, f"[R:{memory.short}]", memory.short[:6]):
        assert [one.memory for one in filled.expand(ref).memories] == [memory]


def test_what_is_named_twice_is_shown_once(filled):
    memory = filled.recall("RS256")[0].memory

    expanded = filled.expand([memory.short, "topic:auth", memory.id])

    assert len(expanded.memories) == 2


def test_a_facet_of_any_type_is_a_pointer(filled):
    by_file = filled.expand("file:src/pay/refund.py")
    by_folder = filled.expand("file:src/pay/")
    by_tag = filled.expand("tag:payments")

    assert by_file.text == by_folder.text == by_tag.text
    assert "Refunds are never retried" in by_file.text


def test_a_memory_that_came_from_elsewhere_is_found_by_the_name_it_had_there(filled):
    kept = filled.remember("Use the outbox", source_ref="loki:sem-001")
    skill = filled.remember("Release it", kind="skill", source_ref="loki:skill:release")

    assert filled.expand("sem-001").memories[0].memory.id == kept.id
    assert filled.expand("skill:release").memories[0].memory.id == skill.id
    for name, memory in (("sem-001", kept), ("[skill: release]", skill)):
        assert filled.get(name) == filled.why(name).memory == memory
        assert filled.show(name) == memory.text
    assert filled.cite(["[sem-001]"])
    assert filled.link("skill:release", "derived_from", "sem-001")
    filled.forget("sem-001")
    assert filled.get("sem-001").state is State.FORGOTTEN
    assert filled.restore("sem-001").state is State.ACTIVE


def test_a_name_that_several_memories_had_elsewhere_names_none_of_them(filled):
    first = filled.remember("Use the outbox", source_ref="loki:sem-001")
    second = filled.remember("Use the inbox", source_ref="sem-001")

    with pytest.raises(Conflict, match=r"could be any of \S+, \S+; name one"):
        filled.erase(["sem-001"])
    filled.forget(second.id)
    assert filled.get("sem-001").id == first.id
    with pytest.raises(NotFound, match="sem-002"):
        filled.get("sem-002")
    with pytest.raises(Invalid, match="skill:other"):
        filled.get("skill:other")


def test_an_anchor_brings_its_neighbours(open_tacit, clock):
    tacit = open_tacit()
    kept = []
    for number in range(5):
        clock.advance(days=1)
        kept.append(tacit.remember(f"Step number {number} of the move", kind="episode").id)

    around = tacit.expand(kept[2], before=1, after=1)

    assert [one.memory.id for one in around.memories] == kept[1:4]


def test_a_budget_leaves_out_and_names_what_does_not_fit(filled):
    everything = filled.expand("topic:auth")
    part = filled.expand("topic:auth", budget_tokens=everything.tokens - 1)

    assert part.tokens < everything.tokens
    assert len(part.memories) + len(part.omitted) == 2
    assert set(part.omitted) <= {one.memory.short for one in everything.memories}


def test_expanding_is_remembered_under_one_query(filled):
    expanded = filled.expand("topic:auth", session="s1")

    events = usage(filled)
    assert {one.query_id for one in events} == {expanded.query_id}
    assert {one.memory_id for one in events} == {one.memory.id for one in expanded.memories}
    (record,) = filled.store.queries("s1")
    assert (record.id, record.kind, record.read_tokens) == (
        expanded.query_id,
        "expand",
        expanded.tokens,
    )


def test_hints_cost_looking_and_not_reading(filled):
    expanded = filled.expand("topic:auth", level="hint", session="s1")

    (record,) = filled.store.queries("s1")
    assert (record.scan_tokens, record.read_tokens) == (expanded.tokens, 0)


@pytest.mark.parametrize(
    ("ref", "options", "error"),
    [
        ("topic:nothing", {}, NotFound),
        ("tag:nothing", {}, NotFound),
        ("zzzzzzzz", {}, NotFound),
        ("shape:round", {}, Invalid),
        ("topic:auth", {"level": "loud"}, Invalid),
        ("topic:auth", {"budget_tokens": 0}, Invalid),
        ("topic:auth", {"limit": 0}, Invalid),
    ],
)
def test_what_cannot_be_expanded_is_refused(filled, ref, options, error):
    with pytest.raises(error):
        filled.expand(ref, **options)
    assert usage(filled) == []


def test_topics_are_loaded_as_far_as_a_question_needs(filled):
    nothing = filled.load_topics("kubernetes ingress", cut=0.9)
    lines = filled.load_topics("refresh tokens redis")
    full = filled.load_topics("refresh tokens expiry", session="s1")

    assert (nothing.exit, lines.exit, full.exit) == ("nothing", "timeline", "full")
    assert full.memories
    (record,) = filled.store.queries("s1")
    assert (record.scan_tokens, record.read_tokens) == (full.scan_tokens, full.read_tokens)
    assert {one.query_id for one in usage(filled, UsageEvent.LOADED)} == {
        lines.query_id,
        full.query_id,
    }


def test_an_empty_question_is_refused(filled):
    with pytest.raises(Invalid):
        filled.load_topics("  ")


def test_the_account_of_a_session_adds_up_what_was_handed_over(filled):
    index = filled.index_view(session="s1")
    timeline = filled.timeline_view(session="s1")
    expanded = filled.expand("topic:auth", session="s1")
    filled.expand("topic:payments", session="other")

    account = filled.economics("s1")

    assert account.queries == 3
    assert account.scan_tokens == index.tokens + timeline.tokens
    assert account.read_tokens == expanded.tokens
    assert account.breakdown.index_tokens == index.tokens
    assert account.breakdown.timeline_tokens == timeline.tokens
    assert account.full_load.tokens == sum(m.levels.tokens[0] for m in filled.list())
    assert account.no_memory.tokens == 1_100
    assert filled.economics().queries == 4


def test_what_was_only_shown_saves_no_learning(filled):
    filled.timeline_view(session="s1")

    account = filled.economics("s1")

    assert (account.used, account.no_memory.tokens) == (0, 0)
    assert account.bypass


def test_what_another_session_used_is_not_this_ones_saving(filled):
    filled.expand("topic:auth", level="hint", session="s1")
    before = filled.economics("s1").no_memory.tokens
    filled.expand("topic:payments", session="s2")
    filled.load_topics("refunds retried", session="s1")

    account = filled.economics("s1")

    assert (account.shown, account.used) == (3, 2)
    assert account.no_memory.tokens == before


def test_a_memory_returns_more_the_more_often_it_is_cited(filled):
    memory = filled.recall("RS256")[0].memory
    filled.expand(memory.id)
    before = filled.roi()[0]
    filled.cite([memory.id])
    filled.cite([memory.id], event="helped")

    after = filled.roi()[0]

    assert (before.used, before.saved) == (0, -before.read_tokens)
    assert (after.used, after.saved) == (2, 1_600 - after.read_tokens)
    assert filled.roi(session="s1") == []


def test_an_unknown_session_is_not_found(filled):
    with pytest.raises(NotFound):
        filled.economics("never")


def test_what_is_erased_leaves_the_index_and_the_account(filled):
    expanded = filled.expand("topic:payments", session="s1")

    filled.erase([one.memory.id for one in expanded.memories])

    assert "payments" not in filled.index_view().text
    assert "src/pay" not in filled.index_view().text
    assert filled.roi() == []


def test_a_forgotten_topic_is_not_named(filled):
    for one in filled.expand("topic:payments").memories:
        filled.forget(one.memory.id)

    assert "payments" not in filled.index_view().text
    with pytest.raises(NotFound):
        filled.expand("topic:payments")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anything")
def test_a_store_that_may_only_be_read_is_expanded_all_the_same(filled, open_tacit, tmp_path):
    filled.close()
    os.chmod(tmp_path / "shop.db", 0o400)

    again = open_tacit()

    assert again.expand("topic:auth").query_id == ""


def test_both_stores_are_seen(open_tacit, tmp_path):
    user = connect(str(tmp_path / "ana.db"))
    user.put([a_fact("I like tabs", mentions=(a_mention("style", FacetType.TAG),))])
    tacit = open_tacit(user_store=user)
    tacit.remember("The shop uses spaces", tags=("style",))

    assert "style 2" in tacit.index_view().text
    assert len(tacit.expand("topic:style").memories) == 2
    assert len(list(user.usage())) == 1


def test_the_caps_hold_in_a_store_of_thousands(open_tacit):
    tacit, counter = open_tacit(), O200k()
    tacit.store.put(
        [
            an_episode(
                f"Did the thing {number} " + "with many words and more " * 9,
                mentions=(a_mention(f"subject {number % 700} of things", FacetType.TOPIC),),
                state=State.ACTIVE if number % 9 else State.ARCHIVED,
            )
            for number in range(3_000)
        ]
    )

    index, timeline = tacit.index_view(), tacit.timeline_view()

    assert counter.count(index.text) <= index.tokens <= 100
    assert counter.count(timeline.text) <= timeline.tokens <= 500
    assert index.more
    assert timeline.more


LIGHT = """
import sys
from tacit.system import Tacit
with Tacit.open(sys.argv[1]) as tacit:
    tacit.index_view(); tacit.timeline_view(); tacit.expand("topic:auth")
print(*sorted(sys.modules))
"""


@pytest.mark.one_file
def test_the_views_load_nothing_heavy(tmp_path, open_tacit):
    open_tacit("light").remember("Sign tokens with RS256", tags=("auth",))

    ran = subprocess.run(
        [sys.executable, "-c", LIGHT, str(tmp_path / "light.db")],
        capture_output=True,
        text=True,
        timeout=120,
        env=unwatched() | {"TACIT_HOME": str(tmp_path / "home")},
    )

    assert ran.returncode == 0, ran.stderr
    heavy = {"numpy", "typing", "dataclasses", "inspect", "tiktoken", "argparse", "rich", "pathlib",
             "subprocess", "asyncio", "logging", "onnxruntime"}  # fmt: skip
    assert heavy & set(ran.stdout.split()) == set()
