"""What each host tells is understood, and it is answered in words its own schema allows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.happening import Answer, Happening, Moment
from tacit.interfaces.hooks.events import EMPTY, EVENTS
from tacit.interfaces.hooks.hosts import LONGEST_ANSWER, read, write
from tacit.interfaces.hooks.payload import parse
from tacit.interfaces.install.entries import HOOKS

FOLDER = "/home/ana/shop"
ANSWER = Answer(
    context="<tacit-memory>\n- [M:abcd2345] Sign tokens with RS256 – always\n</tacit-memory>",
    notice="Tacit: 1 memory",
)
GOLDEN = [
    pytest.param(host, case, id=f"{host}-{number}-{case['event']}")
    for host in EVENTS
    for number, case in enumerate(
        json.loads(Path(__file__).with_name("hooks").joinpath(f"{host}.json").read_text("utf-8"))
    )
]
ALL_EVENTS = [(host, event) for host, events in EVENTS.items() for event in events]

# The keys a host's schema knows; Codex and Gemini fail or warn on any other.
UNIVERSAL = {"continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason"}
SPECIFIC = {"hookEventName", "additionalContext"}


def told(happening: Happening | None) -> dict[str, Any] | None:
    """Give the fields that say something."""
    if happening is None:
        return None
    missing = object()
    fields = {name: getattr(happening, name) for name in Happening._fields}
    return {n: v for n, v in fields.items() if v != Happening._defaults.get(n, missing)}


@pytest.mark.parametrize(("host", "case"), GOLDEN)
def test_what_a_host_writes_is_understood_and_answered_in_its_words(
    host: str, case: dict[str, Any]
) -> None:
    happening = read(host, case["event"], case["stdin"], FOLDER)

    assert told(happening) == case["happening"]
    said = write(host, case["event"], ANSWER) if happening else EMPTY.get(host, "")
    assert said == case["stdout"]


def test_there_is_a_sample_of_every_event_of_every_host() -> None:
    seen = {(param.values[0], param.values[1]["event"]) for param in GOLDEN}

    assert seen == set(ALL_EVENTS)


def test_every_event_that_is_installed_is_understood() -> None:
    installed = {(host, hook.event) for host, hooks in HOOKS.items() for hook in hooks}

    assert installed <= set(ALL_EVENTS)


@pytest.mark.parametrize(("host", "event"), ALL_EVENTS)
def test_an_answer_obeys_the_closed_schema_of_its_host(host: str, event: str) -> None:
    moment = EVENTS[host][event]
    said = write(host, event, ANSWER)
    found = json.loads(said) if said else {}

    assert said.isascii()
    if host in EMPTY:
        assert said  # JSON and nothing else, also when there is nothing to say
    if host == "cursor":
        assert set(found) <= {"additional_context"}
        assert not (found and moment in ("prompt", "pre_tool", "turn_end"))
        return
    if host == "copilot" and event[0].islower():
        assert set(found) <= {"additionalContext"}
        assert not (found and moment in ("prompt", "pre_tool", "turn_end"))
        return
    assert set(found) <= {*UNIVERSAL, "hookSpecificOutput"}
    assert not set(found) & {"continue", "stopReason", "suppressOutput", "decision", "reason"}
    specific = found.get("hookSpecificOutput")
    if specific is not None:
        assert set(specific) == SPECIFIC
        assert specific["hookEventName"] == event


@pytest.mark.parametrize(("host", "event"), ALL_EVENTS)
def test_no_answer_makes_an_agent_go_on_or_speaks_where_nobody_listens(
    host: str, event: str
) -> None:
    said = write(host, event, ANSWER)

    if EVENTS[host][event] in ("turn_end", "subagent_end"):
        assert "dditional" not in said
        assert "followup" not in said
    if EVENTS[host][event] in ("pre_compact", "post_compact", "session_end"):
        assert said == EMPTY.get(host, "")


@pytest.mark.parametrize(("host", "event"), ALL_EVENTS)
def test_nothing_to_say_is_the_word_of_the_host_for_nothing(host: str, event: str) -> None:
    assert write(host, event, Answer()) == EMPTY.get(host, "")


@pytest.mark.parametrize("host", list(EVENTS))
def test_what_is_too_long_is_cut_at_a_line_and_its_fence_closed(host: str) -> None:
    event = next(event for event, moment in EVENTS[host].items() if moment == "session_start")
    lines = "\n".join(f"- [R:abcd{n:04}] a line of memory" for n in range(1000))
    fields = json.loads(
        write(host, event, Answer(context=f"<tacit-memory>\n{lines}\n</tacit-memory>"))
    )
    fields = fields.get("hookSpecificOutput", fields)
    context = fields.get("additionalContext") or fields["additional_context"]

    assert len(context) <= LONGEST_ANSWER
    assert context.endswith(" a line of memory\n</tacit-memory>")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
NAMES = st.sampled_from(
    sorted({name for param in GOLDEN for name in param.values[1]["stdin"]} | {"edits", "command"})
)


@settings(max_examples=100, deadline=None)
@given(where=st.sampled_from(ALL_EVENTS), payload=st.dictionaries(NAMES, VALUES, max_size=8))
def test_a_field_of_any_type_breaks_nothing(
    where: tuple[str, str], payload: dict[str, Any]
) -> None:
    host, event = where
    happening = read(host, event, payload, FOLDER)

    if happening is None:
        assert EVENTS[host][event] == "prompt"
        return
    assert happening.folder == FOLDER
    for name in ("session", "text", "name", "target", "before", "after", "output", "agent"):
        assert isinstance(getattr(happening, name), str)
    assert isinstance(happening.moment, Moment)


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_an_object_or_nothing(data: bytes) -> None:
    assert parse(data) is None or isinstance(parse(data), dict)


@settings(max_examples=60, deadline=None)
@given(payload=st.dictionaries(st.text(max_size=8), VALUES, max_size=4))
def test_json_is_read_as_json_reads_it(payload: dict[str, Any]) -> None:
    written = json.dumps(payload)

    assert repr(parse(written.encode())) == repr(json.loads(written))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"[]",
        b"{",
        b'{"a": 1} x',
        b"nan",
        b'{"a":' * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
    ids=["empty", "space", "list", "open", "trailing", "word", "deep", "huge number"],
)
def test_what_is_no_object_is_nothing(data: bytes) -> None:
    assert parse(data) is None


def test_a_mark_of_byte_order_is_no_part_of_the_object() -> None:
    assert parse(b'\xef\xbb\xbf{"a": "b"}\r\n') == {"a": "b"}


def test_a_long_output_keeps_both_ends_at_whole_lines() -> None:
    lines = "\n".join(f"line {n}" for n in range(5000))
    happening = read(
        "claude",
        "PostToolUse",
        {"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_response": {"stdout": lines}},
        FOLDER,
    )

    assert happening is not None
    assert len(happening.output) <= 8000
    assert happening.output.startswith("line 0\n")
    assert happening.output.endswith("\nline 4999")
    assert all(line in {"[…]", *lines.split("\n")} for line in happening.output.split("\n"))
