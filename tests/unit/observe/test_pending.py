"""Sessions that hooks have seen: the host's own transcript where there is one, else the events."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from builders import START
from tacit.body import Episode
from tacit.draft import Draft
from tacit.happening import Happening, Moment
from tacit.model import Kind
from tacit.observation import Tool
from tacit.observe.streams import gather_pending, outcome_of
from tacit.record import SessionRecord
from tacit.session.capture import capture

ASKED = "Make the checkout retry a payment three times"


def a_record(**fields):
    return SessionRecord(id="claude:s1", host="claude", started=START, seen=START, **fields)


def seen(store, *happenings):
    for number, told in enumerate(happenings):
        told = told.replace(call=f"c{number}")
        capture(store, told, "claude:s1", told.target, START)


def happened(moment, **fields):
    return Happening(moment=moment, host="claude", session="s1", **fields)


@pytest.fixture
def captured(store):
    seen(
        store,
        happened(Moment.PROMPT, text=ASKED),
        happened(
            Moment.POST_TOOL, tool=Tool.EDIT, name="Edit", target="src/a.py", before="1", after="3"
        ),
        happened(Moment.POST_TOOL, tool=Tool.SHELL, name="Bash", target="make test", output="ok"),
        happened(Moment.TURN_END, text="It now retries three times."),
    )
    return store


def test_captured_events_become_the_drafts_of_a_session(captured):
    gathered = gather_pending(captured, a_record(), Counter())

    [episode] = [draft for draft in gathered.drafts if draft.kind is Kind.EPISODE]
    assert ASKED in episode.text
    assert "src/a.py" in str(episode)
    assert gathered.seen == 1


def test_the_transcript_of_the_host_is_preferred(captured, tmp_path):
    path = tmp_path / "s1.jsonl"
    line = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "s1",
        "cwd": "/shop",
        "timestamp": "2026-03-01T12:00:00Z",
        "message": {"role": "user", "content": "Rebuild the search index every night instead"},
    }
    answer = line | {
        "type": "assistant",
        "uuid": "u2",
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": "The index is rebuilt every night."}],
        },
    }
    path.write_text(f"{json.dumps(line)}\n{json.dumps(answer)}\n", encoding="utf-8")

    gathered = gather_pending(captured, a_record(transcript=str(path)), Counter())

    told = str(gathered.drafts)
    assert "search index" in told
    assert ASKED not in told


@pytest.mark.parametrize("content", ["", "garbage\n", '{"type": "user", "sessionId": "other"}\n'])
def test_a_transcript_that_tells_nothing_of_the_session_is_passed_over(captured, tmp_path, content):
    path = tmp_path / "s1.jsonl"
    path.write_text(content, encoding="utf-8")

    gathered = gather_pending(captured, a_record(transcript=str(path)), Counter())

    assert ASKED in str(gathered.drafts)


def test_a_transcript_that_is_gone_is_no_error(captured):
    gathered = gather_pending(captured, a_record(transcript="/nowhere/s1.jsonl"), Counter())

    assert ASKED in str(gathered.drafts)


def test_a_session_of_which_nothing_was_seen_is_worth_nothing(store):
    assert gather_pending(store, a_record(), Counter()).drafts == ()


@pytest.mark.parametrize(
    ("outcomes", "told"),
    [
        ((), "unknown"),
        (("unknown",), "unknown"),
        (("success", "failure"), "failure"),
        (("failure", "success", "unknown"), "success"),
    ],
)
def test_a_session_went_as_its_last_task_that_has_an_outcome(outcomes, told):
    drafts = tuple(
        Draft(text="task", kind=Kind.EPISODE, body=Episode(goal="task", outcome=outcome))
        for outcome in outcomes
    )

    assert outcome_of((Draft(text="a fact"), *drafts)) == told
