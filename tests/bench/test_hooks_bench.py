"""Hooks are measured as the processes they are, with what hosts tell, in a home of their own."""

from __future__ import annotations

import json

import pytest

from fakes import HashEmbedder
from tacit.bench import hooks
from tacit.bench.hook_calls import (
    Called,
    call,
    context_in,
    hook_events,
    make_place,
    payload,
    program,
    warm_moments,
)
from tacit.bench.hook_stores import make_store
from tacit.config import load_settings
from tacit.errors import Unavailable
from tacit.interfaces.hooks.events import EVENTS, WARM
from tacit.interfaces.hooks.hosts import read
from tacit.system import Tacit

CALLS = [(host, event) for host, told in EVENTS.items() for event in told]


@pytest.mark.parametrize(("host", "event"), CALLS)
def test_every_host_understands_what_it_is_made_to_tell(host, event):
    moment = EVENTS[host][event]
    told = json.loads(payload(event, moment, "/shop", session="s1", prompt="Repair the cart."))

    happening = read(host, event, told, "/shop")

    assert happening is not None
    assert happening.moment == moment
    assert happening.session == "s1"
    assert happening.text == "Repair the cart." or moment != "prompt"
    assert happening.target or "tool" not in moment


def test_events_are_those_of_the_product():
    assert hook_events() == EVENTS
    assert tuple(warm_moments()) == WARM


def test_nothing_of_the_user_reaches_a_hook_that_is_measured(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_STORE", "/somewhere/else.db")
    monkeypatch.setenv("TACIT_SKIP", "1")

    settings = load_settings(make_place(str(tmp_path), "off").environ)

    assert settings.home == str(tmp_path / "home")
    assert not settings.store
    assert not settings.skip


def test_a_store_holds_rules_facts_episodes_and_errors_and_answers_its_questions(tmp_path):
    place = make_place(str(tmp_path), "off")
    questions = make_store(place, 60, HashEmbedder(), lambda _text: None)

    settings = load_settings(place.environ)
    with Tacit.open(project=place.folder, settings=settings, create=False) as tacit:
        kept = tacit.list(limit=1000)
        found = tacit.recall(questions[0])

    assert {memory.kind for memory in kept} == {"fact", "episode", "pattern"}
    assert {memory.tier for memory in kept} == {"mandate", "guardrail", "reference"}
    assert len(kept) > 60
    assert found


def test_the_words_for_the_agent_are_found_whatever_their_name():
    said = {"hookSpecificOutput": {"hookEventName": "X", "additionalContext": "remember the milk"}}

    assert context_in(json.dumps(said)) == "remember the milk"
    assert context_in('{"additional_context": "a"}') == "a"
    assert context_in("{}") == context_in("") == ""


def test_a_process_that_fails_is_not_a_fast_one(tmp_path):
    place = make_place(str(tmp_path), "off")

    with pytest.raises(Unavailable, match="ended with"):
        call([*program(), "no-such-command"], place)


def test_a_call_is_compared_with_the_idle_process_beside_it():
    took = [Called(ms=ms, cpu_ms=ms / 2, output="") for ms in (40.0, 90.0, 60.0)]
    bare = [Called(ms=ms, cpu_ms=ms / 4, output="") for ms in (10.0, 30.0, 20.0)]

    told = hooks.ratios(took, bare)

    assert (told["least"], told["median"], told["cpu"]) == (4.0, 3.0, 6.0)


def test_the_worst_call_is_held_against_its_bar():
    row = {"host": "claude", "path": "by itself", "size": 10, "median": 2.0, "cpu": 2.5}
    raw = [row | {"event": "A", "least": 1.5}, row | {"event": "B", "least": 3.5}]
    starts = {"x": {"characters": 900, "tokens": 200, "same": True}}
    starts |= {"y": {"characters": 100, "tokens": 300, "same": False}}

    told = hooks.verdicts(raw, starts, {"10": {"p95_ms": 7.0}})

    assert told["by itself, 10, least"] == "3.5 × (claude B; bar 4)"
    assert told["start of a session, characters"] == "900 (bar 9,500)"
    assert told["start of a session, tokens"] == "300 (bar 2,400)"
    assert told["start of a session, same bytes"] is False


def test_every_event_is_measured_both_ways_on_a_store(monkeypatch):
    monkeypatch.setattr("tacit.bench.hooks.SMALL_SIZES", (0,))

    result = hooks.run([30], "off", lambda _text: None, rounds=1, hosts=["gemini"])

    alone = result["sections"]["by itself, 30 memories"]
    warm = result["sections"]["by a warm process, 30 memories"]
    start = result["sections"]["start of a session"]["30, gemini SessionStart"]
    assert len(alone) == len(EVENTS["gemini"])
    assert set(warm) == {"gemini BeforeAgent", "gemini BeforeTool", "gemini AfterTool"}
    assert 0 < start["tokens"] < start["characters"]
    assert start["same"] in (True, False)
    assert alone["gemini SessionStart"]["said"] > 0
