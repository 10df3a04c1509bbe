"""What hosts tell becomes events: clean, cut, known again, and never what Tacit said."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import START
from secret_samples import SAMPLES
from tacit.fence import fenced
from tacit.happening import Happening, Moment
from tacit.observation import Tool, What
from tacit.session.capture import MOST_OUTPUT, MOST_WORDS, capture, events_of, said_in


def happened(moment, **fields):
    return Happening(moment=moment, host="claude", session="s1", **fields)


@pytest.mark.parametrize(
    ("moment", "what"),
    [
        (Moment.PROMPT, What.PROMPT),
        (Moment.TURN_END, What.REPLY),
        (Moment.SUBAGENT_END, What.REPLY),
        (Moment.POST_COMPACT, What.SUMMARY),
    ],
)
def test_words_become_one_event(moment, what):
    [event] = events_of(happened(moment, text="Retry the payment"), "", START)

    assert (event.what, event.text, event.at) == (what, "Retry the payment", START)


@pytest.mark.parametrize(
    ("moment", "failed"), [(Moment.POST_TOOL, False), (Moment.TOOL_FAILED, True)]
)
def test_a_use_of_a_tool_becomes_a_call_and_its_result(moment, failed):
    told = happened(
        moment, tool=Tool.EDIT, name="Edit", call="c1", before="a", after="b", output="done"
    )

    call, result = events_of(told, "src/a.py", START)

    assert (call.what, call.target, call.before, call.after) == (What.CALL, "src/a.py", "a", "b")
    assert (result.what, result.text, result.failed) == (What.RESULT, "done", failed)
    assert call.call == result.call == "c1"


@pytest.mark.parametrize(
    "told",
    [
        happened(Moment.PROMPT, text="  "),
        happened(Moment.PROMPT, text="Run the nightly job", asked=False),
        happened(Moment.PROMPT, text=fenced("[M:abcd2345] Rule")),
        happened(Moment.PROMPT, text="<system-reminder>be brief</system-reminder>"),
        happened(Moment.PRE_TOOL, tool=Tool.SHELL, target="ls"),
        happened(Moment.SESSION_START),
        happened(Moment.SESSION_END),
        happened(Moment.POST_TOOL, tool=Tool.OTHER, name="mcp__tacit__recall", output="a memory"),
    ],
)
def test_what_nobody_said_or_did_is_no_event(told):
    assert events_of(told, told.target, START) == []


def test_what_is_told_twice_is_kept_once_and_in_order(store):
    first = happened(Moment.PROMPT, text="One", at=START)
    second = happened(Moment.TURN_END, text="Two", at=START)

    counts = [capture(store, told, "claude:s1", "", START) for told in (first, second, first)]

    assert counts == [1, 1, 0]
    assert [json.loads(one.json)["text"] for one in store.observed("claude:s1")] == ["One", "Two"]


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_a_secret_is_in_no_event_and_in_no_goal(sample):
    told = [
        happened(Moment.PROMPT, text=sample.text),
        happened(Moment.TURN_END, text=sample.text),
        happened(
            Moment.POST_TOOL,
            tool=Tool.WRITE,
            name="Write",
            before=sample.text,
            after=sample.text,
            output=sample.text,
        ),
    ]

    events = [event for one in told for event in events_of(one, sample.text, START)]

    assert not any(sample.secret in str(event) for event in events)
    assert sample.secret not in said_in(told[0])


@given(st.text(max_size=300), st.sampled_from(Moment), st.sampled_from(Tool))
def test_any_text_at_any_moment_is_taken(text, moment, tool):
    told = happened(moment, text=text, tool=tool, target=text, output=text, before=text, after=text)

    events_of(told, text, START)


def test_long_texts_are_cut():
    [event] = events_of(happened(Moment.PROMPT, text="word " * 50_000), "", START)
    _, result = events_of(happened(Moment.POST_TOOL, output="line\n" * 50_000), "", START)

    assert len(event.text) <= MOST_WORDS
    assert len(result.text) <= MOST_OUTPUT


def test_what_a_host_puts_around_a_prompt_is_not_the_persons_word():
    told = happened(Moment.PROMPT, text="Fix it<system-reminder>secretly</system-reminder>")

    assert said_in(told) == "Fix it"
