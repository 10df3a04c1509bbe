"""The SDK's own SQLiteSession beside ours, a runner on ours, and what becomes a memory."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack

import pytest
from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.items import ModelResponse
from agents.memory import Session, SessionSettings, SQLiteSession
from agents.models.interface import Model
from agents.usage import Usage
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from opened_memory import a_memory, memory_aside, printed_by, refusal_of

from tacit import Denied, Invalid
from tacit.adapters.openai_agents import TacitSession, spoken
from tacit.config import load_settings
from tacit.model import Kind

KEY = "AKIA" + "IOSFODNN7EXAMPLQ"
USER = {"role": "user", "content": "I never eat peanuts"}
REPLY = {
    "type": "message",
    "role": "assistant",
    "id": "msg_1",
    "content": [{"type": "output_text", "text": "Noted: no peanuts", "annotations": []}],
}
CALL = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"a": "peanuts"}'}
DONE = {"type": "function_call_output", "call_id": "c1", "output": "42 peanuts"}
texts = st.text(max_size=6)
items = st.sampled_from([USER, REPLY, CALL, DONE]) | st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system"]), "content": texts}
)


@pytest.fixture
def tacit(tmp_path):
    with a_memory(str(tmp_path / "memory.db")) as opened:
        yield opened


class Beside(RuleBasedStateMachine):
    """Two sessions each of theirs and ours, that are told the same."""

    @initialize(limit=st.none() | st.integers(1, 3), some=st.lists(items, min_size=2, max_size=5))
    def begin(self, limit, some):
        self.stack = ExitStack()
        tacit = self.stack.enter_context(memory_aside())
        told = SessionSettings(limit=limit)
        self.pairs = [
            (TacitSession(name, tacit, session_settings=told), self.theirs(name, told))
            for name in ("one", "one#2")
        ]
        self.add(0, some)
        self.add(1, some[::-1])
        self.add(1, [])

    def theirs(self, name, told):
        session = SQLiteSession(name, session_settings=told)
        self.stack.callback(session.close)
        return session

    def teardown(self):
        if hasattr(self, "stack"):
            self.stack.close()

    def both(self, number, method, *given):
        ours, theirs = (
            asyncio.run(getattr(session, method)(*given)) for session in self.pairs[number]
        )
        assert json.dumps(ours) == json.dumps(theirs)

    @rule(number=st.integers(0, 1), some=st.lists(items, min_size=1, max_size=4))
    def add(self, number, some):
        self.both(number, "add_items", some)

    @rule(number=st.integers(0, 1), limit=st.none() | st.integers(-1, 4))
    def get(self, number, limit):
        self.both(number, "get_items", limit)

    @rule(number=st.integers(0, 1))
    def pop(self, number):
        self.both(number, "pop_item")

    @rule(number=st.integers(0, 1))
    def clear(self, number):
        self.both(number, "clear_session")


TestBeside = Beside.TestCase
TestBeside.settings = settings(max_examples=20, stateful_step_count=15)


class Scripted(Model):
    """Says what it was told to, and remembers what it was asked."""

    def __init__(self, *outputs):
        self.outputs = list(outputs)
        self.asked = []

    async def get_response(self, system_instructions, input, *given, **named):  # noqa: A002 - the SDK's name
        self.asked.append(input)
        return ModelResponse(output=self.outputs.pop(0), usage=Usage(), response_id=None)

    def stream_response(self, *given, **named):
        raise NotImplementedError


def message(text):
    part = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(
        id="m", type="message", role="assistant", status="completed", content=[part]
    )


def run(model, prompt, session, *tools):
    set_tracing_disabled(True)
    agent = Agent(name="cook", model=model, tools=list(tools))
    asyncio.run(Runner.run(agent, prompt, session=session))


def test_a_runner_goes_on_where_another_ended(tacit):
    @function_tool
    def look(dish: str) -> str:
        return f"{dish} has peanuts"

    call = ResponseFunctionToolCall(
        type="function_call", call_id="c1", name="look", arguments='{"dish": "satay"}'
    )
    first = Scripted([call], [message("Do not eat the satay.")])
    run(first, "I never eat peanuts. May I eat satay?", TacitSession("ana", tacit), look)
    second = Scripted([message("Rice is fine.")])
    run(second, "And rice?", TacitSession("ana", tacit))

    (asked,) = second.asked
    kinds = [item.get("type", item.get("role")) for item in asked]
    assert kinds == ["user", "function_call", "function_call_output", "message", "user"]
    assert asked[2]["output"] == "satay has peanuts"
    assert asked[-1]["content"] == "And rice?"
    said = [hit.memory.text for hit in tacit.recall("who may not eat peanuts?")]
    assert "I never eat peanuts. May I eat satay?" in said


def test_ours_is_a_session_of_the_sdk(tacit):
    assert isinstance(TacitSession("ana", tacit), Session)


def test_what_is_said_is_an_episode_and_the_rest_a_record_alone(tacit):
    asyncio.run(TacitSession("ana", tacit).add_items([USER, CALL, DONE, REPLY]))

    kept = sorted(tacit.list(), key=lambda memory: memory.id)

    assert [(m.kind, m.subtype, m.text) for m in kept] == [
        (Kind.EPISODE, "user", "I never eat peanuts"),
        (Kind.EPISODE, "assistant", "Noted: no peanuts"),
    ]
    assert {memory.session for memory in kept} == {"openai-agents:ana"}
    assert ("follows", kept[0].id) in [
        (relation, other.id) for relation, other in tacit.why(kept[1].id).links
    ]


def test_what_is_popped_or_cleared_is_not_remembered(tacit):
    session = TacitSession("ana", tacit)
    asyncio.run(session.add_items([USER, REPLY]))

    assert asyncio.run(session.pop_item()) == REPLY
    assert [memory.text for memory in tacit.list()] == ["I never eat peanuts"]
    asyncio.run(session.clear_session())

    assert tacit.list(history=True) == []
    assert tacit.store.documents("openai-agents:") == []


def test_who_says_the_same_twice_said_it_twice(tacit):
    session = TacitSession("ana", tacit)
    asyncio.run(session.add_items([USER, USER]))
    assert len(tacit.list()) == 2
    asyncio.run(session.pop_item())

    assert [memory.text for memory in tacit.list()] == ["I never eat peanuts"]


def test_without_remember_nothing_becomes_a_memory(tacit):
    asyncio.run(TacitSession("ana", tacit, remember=False).add_items([USER, REPLY]))

    assert tacit.list() == []


def test_a_secret_is_in_the_item_but_in_no_memory(tacit):
    session = TacitSession("ana", tacit)
    item = {"role": "user", "content": f"use {KEY} for staging"}
    asyncio.run(session.add_items([item]))

    assert asyncio.run(session.get_items()) == [item]
    assert KEY not in tacit.list()[0].text


def test_with_redact_a_secret_is_not_in_the_item_either(tacit):
    session = TacitSession("ana", tacit, redact=True)
    output = {"type": "function_call_output", "call_id": KEY, "output": f"key: {KEY}"}
    asyncio.run(session.add_items([output]))

    (item,) = asyncio.run(session.get_items())
    assert KEY not in item["output"]
    assert item["call_id"] == KEY  # it must fit its call, and is the SDK's own


def test_items_of_many_tasks_are_all_there_and_those_of_one_stay_together(tacit):
    session = TacitSession("ana", tacit)

    async def talk():
        await asyncio.gather(
            *(session.add_items([{"n": n, "part": part} for part in (1, 2)]) for n in range(12))
        )
        return await session.get_items()

    found = asyncio.run(talk())

    assert sorted(item["n"] for item in found) == sorted([*range(12), *range(12)])
    assert all(
        a["n"] == b["n"] and (a["part"], b["part"]) == (1, 2)
        for a, b in zip(found[::2], found[1::2], strict=True)
    )


def test_a_write_that_has_begun_is_finished_before_its_cancellation_is_told(tacit):
    session = TacitSession("ana", tacit)

    async def give_up():
        task = asyncio.create_task(session.add_items([USER]))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await session.get_items()

    assert asyncio.run(give_up()) == [USER]


def test_a_conversation_is_there_when_it_is_opened_again(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    with TacitSession.open("ana", project=str(tmp_path)) as session:
        asyncio.run(session.add_items([USER]))
    with TacitSession.open("ana", project=str(tmp_path)) as session:
        assert asyncio.run(session.get_items()) == [USER]


def test_what_cannot_be_kept_is_refused(tacit, tmp_path):
    with pytest.raises(Invalid, match="needs an id"):
        TacitSession("", tacit)
    with pytest.raises(Invalid, match="not JSON"):
        asyncio.run(TacitSession("ana", tacit).add_items([USER, {"role": object()}]))
    assert asyncio.run(TacitSession("ana", tacit).get_items()) == []

    told = load_settings({"TACIT_HOME": str(tmp_path), "TACIT_WRITE": "off"})
    with (
        a_memory(str(tmp_path / "memory.db"), settings=told) as read_only,
        pytest.raises(Denied, match="write = 'off'"),
    ):
        asyncio.run(TacitSession("ana", read_only).add_items([USER]))


@pytest.mark.parametrize(
    "item",
    ["text", {"role": "system", "content": "be kind"}, CALL, {"role": "user", "content": 7}],
)
def test_nobody_speaks_in_what_is_no_message(item):
    assert spoken(item)[1] == ""


def test_the_example_goes_on_and_recalls(tmp_path):
    printed = printed_by("openai_agent.py", tmp_path)

    assert "agent: I was handed 3 items, the first: 'I never eat peanuts'" in printed
    assert "agent: My memory says: I never eat peanuts" in printed


def test_without_the_sdk_the_error_says_what_to_install():
    assert refusal_of("openai_agents", "agents").endswith("pip install 'tacit[openai-agents]'")
