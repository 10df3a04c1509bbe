"""Values to JSON and back: without loss, and telling where a document is wrong."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import START, a_fact, a_link, a_mention, a_revision, a_skill
from strategies import bodies, links, memories, revisions, usages
from tacit.body import BODIES, Episode, Fact
from tacit.codec import body_from_json, from_json, to_json
from tacit.errors import Invalid
from tacit.model import Link, Memory, Mention, Revision, Trust, Usage

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def through_text(value):
    """Give a value's JSON as it comes back from a file."""
    return json.loads(json.dumps(to_json(value)))


@settings(max_examples=60)
@given(memories())
def test_every_memory_comes_back_from_json(memory):
    assert from_json(Memory, through_text(memory)) == memory


@given(bodies)
def test_every_body_comes_back_by_its_kind(body):
    assert body_from_json(through_text(body)) == body


@given(links())
def test_every_link_comes_back_from_json(link):
    assert from_json(Link, through_text(link)) == link


@given(usages)
def test_every_usage_event_comes_back_from_json(usage):
    assert from_json(Usage, through_text(usage)) == usage


@settings(max_examples=30)
@given(revisions)
def test_every_revision_comes_back_from_json(revision):
    assert from_json(Revision, through_text(revision)) == revision


@settings(max_examples=30)
@given(memories())
def test_writing_what_was_read_gives_the_same_json(memory):
    once = to_json(memory)

    assert to_json(from_json(Memory, once)) == once


def test_a_field_that_has_its_default_is_left_out():
    assert to_json(a_mention("redis")) == {"facet": {"type": "entity", "name": "redis"}}
    assert to_json(Episode(goal="ship")) == {"goal": "ship", "kind": "episode"}


def test_times_are_written_as_people_write_them():
    assert to_json(a_link(a_fact(), a_fact()))["valid_from"] == "2026-01-01T09:00:00Z"


@pytest.mark.parametrize("data", [None, [], "text", 1])
def test_what_is_no_object_is_refused(data):
    with pytest.raises(Invalid, match="memory: expected an object, got"):
        from_json(Memory, data)


def changed(memory, *path, to):
    """Give a memory's JSON with one field changed."""
    data = through_text(memory)
    place = data
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = to
    return data


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (("id",), 7, "memory.id: expected str, got int"),
        (("id",), None, "memory.id: expected str, got nothing"),
        (("rev",), "2", "memory.rev: expected int, got str"),
        (("rev",), True, "memory.rev: expected int, got bool"),
        (("rev",), 1.5, "memory.rev: expected int, got float"),
        (("pinned",), 1, "memory.pinned: expected bool, got int"),
        (("confidence",), "high", "memory.confidence: expected float, got str"),
        (("confidence",), 2, "confidence 2.0 is not between 0 and 1"),
        (("confidence",), float("nan"), "memory.confidence: expected a finite number"),
        (("confidence",), 10**400, "memory.confidence: expected a finite number"),
        (("tier",), "law", "memory.tier: 'law' is none of mandate, guardrail, reference"),
        (("tier",), ["mandate"], "memory.tier: .* is none of"),
        (("recorded_at",), 12, "memory.recorded_at: expected str, got int"),
        (("recorded_at",), "soon", "'soon' is not a date or time"),
        (("levels", "tokens"), 3, "memory.levels.tokens: expected a list, got int"),
        (("levels", "tokens"), [1, 2], "memory.levels.tokens: expected 4 items, got 2"),
        (("levels", "tokens"), [1, 2, 3, "4"], "memory.levels.tokens: expected int, got str"),
        (("levels",), {"full": "text"}, r"memory.levels: Levels\(\) needs 'summary'"),
        (("body",), {"kind": "rumour"}, "memory.body: kind 'rumour' is unknown; use one of epi"),
        (("body",), {"goal": "none"}, "memory.body: kind None is unknown"),
        (("body",), "fact", "memory.body: kind None is unknown"),
        (("body",), {"kind": ["fact"]}, "memory.body: kind .* is unknown"),
        (("body", "steps"), [{"name": "x"}, {"name": 3}], r"memory.body.steps\[1\].name: expected"),
        (("mentions",), [{"role": "about"}], r"memory.mentions\[0\]: Mention\(\) needs 'facet'"),
        (("mentions",), ["redis"], r"memory.mentions\[0\]: expected an object, got str"),
        (("surprise",), 1, "memory: unknown field 'surprise'"),
        (("scope", "path"), "planet:earth", "scope 'planet:earth' is not of the form"),
    ],
)
def test_a_document_that_is_wrong_is_refused_and_the_place_is_named(path, to, message):
    data = changed(a_skill(mentions=(a_mention("redis"),)), *path, to=to)

    with pytest.raises(Invalid, match=message):
        from_json(Memory, data)


def test_a_field_that_must_be_given_is_missed_by_name():
    data = through_text(a_fact())
    del data["short"]

    with pytest.raises(Invalid, match=r"memory: .*needs 'short'"):
        from_json(Memory, data)


def test_the_place_can_be_named_by_the_caller():
    with pytest.raises(Invalid, match="line 7: expected an object"):
        from_json(Memory, 3, "line 7")


def test_whole_numbers_are_read_where_fractions_are_meant():
    assert from_json(Memory, changed(a_fact(), "importance", to=1)).importance == 1.0


def test_a_kind_that_disagrees_with_its_own_body_is_impossible():
    fact = Fact(key="shop.cache", value="redis")

    for kind in BODIES:
        if kind != "fact":
            with pytest.raises(Invalid, match="unknown field"):
                body_from_json(to_json(fact) | {"kind": kind})


def test_what_the_model_refuses_is_refused_when_read():
    data = changed(a_fact(), "trust", to=Trust.TOOL.value) | {"tier": "mandate"}

    with pytest.raises(Invalid, match="until a person confirms it"):
        from_json(Memory, data)


@given(json_values)
def test_any_json_at_all_is_read_or_refused(data):
    for cls in (Memory, Link, Mention, Usage, Revision):
        with suppress(Invalid):
            from_json(cls, data)


@settings(max_examples=200)
@given(st.data(), json_values)
def test_any_field_replaced_by_any_json_is_read_or_refused(data, value):
    document = through_text(a_revision(a_skill(mentions=(a_mention("redis"),), valid_to=None)))
    place, name = document, data.draw(st.sampled_from(sorted(document)))
    while isinstance(place[name], dict) and data.draw(st.booleans()):
        place = place[name]
        name = data.draw(st.sampled_from(sorted(place)))
    place[name] = value

    try:
        read = from_json(Revision, document)
    except Invalid:
        return
    assert from_json(Revision, through_text(read)) == read


def test_a_start_is_not_confused_with_its_zone():
    data = changed(a_fact(), "validity", "valid_from", to="2026-01-01T18:00:00+09:00")

    assert from_json(Memory, data).validity.valid_from == START
