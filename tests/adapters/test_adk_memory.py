"""ADK's own InMemoryMemoryService beside ours, and a runner on ours.

google-adk brings some fifty packages, so it is no dependency of the tests; where it is absent
these are skipped, and the report of pytest says so.
"""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opened_memory import ROOT, a_memory, memory_aside, printed_by

from tacit import Invalid
from tacit.model import Kind

pytest.importorskip("google.adk", reason="google-adk is not installed: ADK's adapter is not tested")

from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.memory import InMemoryMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.sessions.session import Session
from google.adk.tools import load_memory
from google.genai import types

from tacit.adapters.adk import TacitMemoryService

KEY = "AKIA" + "IOSFODNN7EXAMPLQ"
ANA = {"app_name": "shop", "user_id": "ana"}
SAYINGS = ["peanuts make Ana ill", "Ben rides a horse", "Cem repairs clocks", "rain all day"]


@pytest.fixture
def tacit(tmp_path):
    with a_memory(str(tmp_path / "memory.db")) as opened:
        yield opened


def content(text, role="user"):
    return types.Content(role=role, parts=[types.Part(text=text)])


def event(text, id_="e1", author="user", at=1_767_268_800.0):
    return Event(id=id_, author=author, timestamp=at, content=content(text))


def session(*events, id_="s1", user="ana"):
    return Session(id=id_, app_name="shop", user_id=user, events=list(events))


def found(service, query, **whose):
    response = asyncio.run(service.search_memory(**ANA | whose, query=query))
    return response.memories


def test_what_was_said_in_a_session_is_found_and_recalled(tacit):
    service = TacitMemoryService(tacit)
    asyncio.run(service.add_session_to_memory(session(event("I never eat peanuts"))))

    (entry,) = found(service, "who eats no peanuts?")

    assert entry.content == content("I never eat peanuts")
    assert (entry.id, entry.author, entry.timestamp) == ("e1", "user", "2026-01-01T12:00:00Z")
    (hit,) = tacit.recall("peanuts")
    assert (hit.memory.kind, hit.memory.subtype) == (Kind.EPISODE, "user")
    assert hit.memory.validity.valid_from.year == 2026


def test_a_user_finds_nothing_of_another_nor_of_another_application(tacit):
    service = TacitMemoryService(tacit)
    asyncio.run(service.add_session_to_memory(session(event("I never eat peanuts"))))

    assert found(service, "peanuts", user_id="ben") == []
    assert found(service, "peanuts", app_name="bank") == []
    assert found(service, "peanuts", user_id="an") == []


operations = st.lists(
    st.one_of(
        st.tuples(
            st.just("session"),
            st.sampled_from(["s1", "s2"]),
            st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), min_size=1, max_size=4),
        ),
        st.tuples(
            st.just("events"),
            st.sampled_from(["s1", "s2", None]),
            st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), min_size=1, max_size=2),
        ),
        st.tuples(
            st.just("delete"),
            st.sampled_from(["s1", "s2", None]),
            st.tuples(st.integers(0, 1), st.integers(0, 3)),
        ),
    ),
    min_size=2,
    max_size=6,
)


@settings(max_examples=60)
@given(operations)
def test_beside_theirs_ours_knows_the_same(told):
    with memory_aside(embedder=None) as tacit:
        ours, theirs = TacitMemoryService(tacit), InMemoryMemoryService()
        for what, name, given_ in told:
            for service in (ours, theirs):
                asyncio.run(apply(service, what, name, given_))
        for saying in SAYINGS:
            word = max(saying.split(), key=len)
            assert (saying in said(found(ours, word))) == (saying in said(found(theirs, word)))


async def apply(service, what, name, given_):
    if what == "delete":
        await service.delete_memory(**ANA, memory_id=an_id(name, *given_))
        return
    events = [event(SAYINGS[n], id_=an_id(name, number, n)) for number, n in given_]
    events = list({each.id: each for each in events}.values())
    if what == "session":
        await service.add_session_to_memory(session(*events, id_=name))
    else:
        await service.add_events_to_memory(**ANA, events=events, session_id=name)


def an_id(session_id, number, saying):
    """Give an id that belongs to one event of one session, as ADK makes them."""
    return f"e{number}-{session_id}-{saying}"


def said(entries):
    return {entry.content.parts[0].text for entry in entries}


def test_what_is_deleted_stays_gone(tacit):
    service = TacitMemoryService(tacit)
    told = session(event("I never eat peanuts"), event("I like rain", "e2"))
    asyncio.run(service.add_session_to_memory(told))
    asyncio.run(service.delete_memory(**ANA, memory_id="e1"))
    asyncio.run(service.delete_memory(**ANA))
    asyncio.run(service.delete_memory(**ANA, memory_id="never there"))
    asyncio.run(service.add_session_to_memory(told))

    assert found(service, "peanuts") == []
    assert [memory.text for memory in tacit.list(history=True)] == ["I like rain"]


def test_who_says_the_same_twice_at_one_moment_said_it_twice(tacit):
    service = TacitMemoryService(tacit)
    asyncio.run(service.add_session_to_memory(session(event("No peanuts"))))
    asyncio.run(
        service.add_events_to_memory(
            **ANA, events=[event("No peanuts", "e2"), event("No peanuts", "e3")], session_id="s1"
        )
    )
    asyncio.run(service.delete_memory(**ANA, memory_id="e1"))

    assert sorted(entry.id for entry in found(service, "peanuts")) == ["e2", "e3"]


def test_an_entry_of_ones_own_is_kept_with_what_is_noted_of_it(tacit):
    service = TacitMemoryService(tacit)
    entry = MemoryEntry(content=content("Ana is allergic to peanuts"), custom_metadata={"by": "qa"})
    asyncio.run(service.add_memory(**ANA, memories=[entry], custom_metadata={"ttl": "6000s"}))

    (kept,) = found(service, "allergic to what?")

    assert kept.custom_metadata == {"by": "qa", "ttl": "6000s"}
    assert kept.id
    with pytest.raises(Invalid, match="not str"):
        asyncio.run(service.add_memory(**ANA, memories=["text"]))


def test_what_has_no_text_is_not_kept(tacit):
    call = types.Part(function_call=types.FunctionCall(name="look", args={}))
    silent = Event(id="e1", author="cook", content=types.Content(role="model", parts=[call]))
    asyncio.run(TacitMemoryService(tacit).add_session_to_memory(session(silent, Event(author="x"))))

    assert tacit.list() == []
    assert tacit.store.documents("adk:") == []


def test_with_redact_a_secret_is_in_no_record(tacit):
    service = TacitMemoryService(tacit, redact=True)
    asyncio.run(service.add_session_to_memory(session(event(f"staging opens with {KEY}"))))

    (entry,) = found(service, "what opens staging?")
    assert KEY not in entry.content.parts[0].text


class Scripted(BaseLlm):
    """Asks its memory first, then says what it found."""

    model: str = "scripted"

    async def generate_content_async(self, llm_request, stream=False):
        last = llm_request.contents[-1].parts[-1]
        if last.function_response is None:
            call = types.FunctionCall(name="load_memory", args={"query": "peanuts"})
            part = types.Part(function_call=call)
        else:
            part = types.Part(text=f"I know: {last.function_response.response}")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def test_an_agent_loads_what_another_session_said(tacit):
    service = TacitMemoryService(tacit)
    asyncio.run(service.add_session_to_memory(session(event("I never eat peanuts"))))

    async def ask():
        sessions = InMemorySessionService()
        agent = LlmAgent(name="cook", model=Scripted(), tools=[load_memory])
        runner = Runner(
            agent=agent, app_name="shop", session_service=sessions, memory_service=service
        )
        opened = await sessions.create_session(**ANA)
        asked = runner.run_async(
            user_id="ana", session_id=opened.id, new_message=content("What may I eat?")
        )
        return [each async for each in asked]

    last = asyncio.run(ask())[-1]
    assert "I never eat peanuts" in last.content.parts[0].text


def test_a_service_that_was_opened_here_is_closed_here(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    with TacitMemoryService.open(project=str(tmp_path)) as service:
        asyncio.run(service.add_session_to_memory(session(event("I never eat peanuts"))))
    with TacitMemoryService.open(project=str(tmp_path)) as service:
        assert len(found(service, "peanuts")) == 1


def test_the_example_loads_what_another_session_said(tmp_path):
    assert "agent: My memory says: I never eat peanuts" in printed_by("adk_agent.py", tmp_path)


def test_every_block_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/howto/adk.md").read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "page"}
    for block in re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(block, "adk.md", "exec", dont_inherit=True), names)

    assert "memory" in names
