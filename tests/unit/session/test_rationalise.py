"""What an agent puts off with an excuse, and what is no excuse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import START
from tacit.fence import CLOSE, NAME
from tacit.model import Kind, State
from tacit.record import SessionRecord
from tacit.session.rationalise import MOST, SUBTYPE, put_off, rationalisations

SAID = (
    "I'll refactor this later.",
    "We can clean the parser up later!",
    "I will add unit tests for it afterwards",
    "Let's revisit the retry loop another time.",
    "I skipped the failing tests for now.",
    "I disabled the lint check for now",
    "The key is hard-coded for now.",
    "For now this is a workaround.",
    "This is good enough for now.",
)
NOT_SAID = (
    "The hook runs later in the pipeline.",
    "You can refactor it later if you like.",
    "Should I refactor this later?",
    "The later tests fix the order of the rows.",
    "I fixed the parser, later lines are read too.",
    "I fixed the bug and all tests pass.",
    "Temporary checkpoints are written for now and then.",
    "Run `# I'll refactor this later` in a shell.",
    "```\n# I'll refactor this later.\n```",
    f"<{NAME}>\nI'll refactor this later.\n{CLOSE}",
    "",
)


def a_record(**fields):
    defaults = {"goal": "Make the checkout retry", "files": ("src/pay.py",), "agent": "opus"}
    return SessionRecord(id="claude:s1", started=START, seen=START, **defaults | fields)


@pytest.mark.parametrize("text", SAID)
def test_a_promise_is_found_among_other_words(text):
    assert put_off(f"All is done. {text}\nThe tests pass.") == [text]


@pytest.mark.parametrize("text", NOT_SAID)
def test_what_promises_nothing_is_left_alone(text):
    assert put_off(text) == []


@given(st.text(max_size=300), st.sampled_from(SAID))
def test_whatever_is_said_no_more_than_a_few_are_taken_and_each_once(text, said):
    found = put_off(f"{text}\n{said}\n{said}\n{text}")

    assert len(found) == len(set(found)) <= MOST


def test_it_becomes_an_episode_about_the_files_at_hand_without_secrets():
    key = "AKIA" + "Q3EGUNIVRZRPGQAV"[:16]
    text = f"I'll refactor the key {key} later. I'll fix it later."

    first, second = rationalisations(text, a_record(), review=False)

    assert (first.kind, first.subtype, first.state) == (Kind.EPISODE, SUBTYPE, State.ACTIVE)
    assert first.files == ("src/pay.py",)
    assert "Make the checkout retry" in first.text
    assert key not in first.text + first.title
    assert first.source_ref.startswith("claude:s1#rationalisation-")
    assert first.source_ref != second.source_ref
    (waiting,) = rationalisations(SAID[0], a_record(), review=True)
    assert waiting.state is State.CANDIDATE
