"""An agent of Pydantic AI with a scripted model: what it is handed, what it keeps, what it credits."""

from __future__ import annotations

import asyncio
import logging

import pytest
from opened_memory import a_memory, printed_by, refusal_of
from pydantic_ai import Agent, ImageUrl
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel

from tacit import Busy
from tacit.adapters.pydantic_ai import TacitMemory, with_briefing, words_of
from tacit.config import load_settings
from tacit.model import Kind


@pytest.fixture
def tacit(tmp_path):
    with a_memory(str(tmp_path / "memory.db")) as opened:
        yield opened


class Script:
    """A model that says what it was told to, one answer a request, and remembers what it saw."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.seen = []
        self.told = []

    def __call__(self, messages, info):
        self.seen.append(messages)
        self.told.append(info)
        answer = self.answers.pop(0)
        return ModelResponse(parts=[TextPart(answer) if isinstance(answer, str) else answer])

    def agent(self, memory):
        return Agent(FunctionModel(self), capabilities=[memory])

    def prompts(self, request=-1):
        parts = [part for message in self.seen[request] for part in message.parts]
        return [part.content for part in parts if isinstance(part, UserPromptPart)]

    def returned(self, request=-1):
        parts = [part for message in self.seen[request] for part in message.parts]
        return [part.content for part in parts if isinstance(part, ToolReturnPart)]


def run(agent, *prompt, **given):
    """Let an agent run to its end; `run_sync` would leave its event loop open behind it."""
    return asyncio.run(agent.run(*prompt, **given))


def call(name, **given):
    return ToolCallPart(tool_name=name, args=given)


def test_a_prompt_is_briefed_with_what_bears_on_it(tacit):
    known = tacit.remember("Refunds are never retried, the bank books them twice")
    script = Script("Once is enough.")

    result = run(script.agent(TacitMemory(tacit)), "May I retry a refund?")

    briefing, prompt = script.prompts()
    assert f"[R:{known.short}] Refunds are never retried" in briefing
    assert briefing.startswith("<tacit-memory>")
    assert prompt == "May I retry a refund?"
    assert "tacit-memory" not in str(result.all_messages()[0].parts)
    assert "not a message of the user" in (script.told[0].instructions or "")


def test_every_request_of_a_run_holds_the_same_briefing(tacit):
    tacit.remember("Refunds are never retried, the bank books them twice")
    script = Script(call("recall", query="wedding cake"), "Once is enough.")

    run(script.agent(TacitMemory(tacit)), "May I retry a refund?")

    assert script.prompts(0) == script.prompts(1)
    assert len(script.prompts(0)) == 2
    assert script.returned() == ["Nothing relevant is known."]


def test_without_a_budget_or_anything_to_say_the_prompt_stands_alone(tacit):
    script = Script("one", "two")
    run(script.agent(TacitMemory(tacit, remember=False)), "May I retry a refund?")
    tacit.remember("Refunds are never retried, the bank books them twice")
    run(script.agent(TacitMemory(tacit, budget_tokens=0)), "May I retry a refund?")

    assert script.prompts(0) == script.prompts(1) == ["May I retry a refund?"]


def test_a_model_recalls_remembers_and_forgets(tacit):
    old = tacit.remember(
        "Tokens are signed with RS256", key="auth.alg", value="RS256", trust="agent"
    )
    tacit.clock.advance(days=1)
    script = Script(
        call("recall", query="how are tokens signed?", limit=3),
        call("remember", text="Tokens are signed with ES256", key="auth.alg", value="ES256"),
        call("remember", text="The cat sleeps"),
        call("forget", ref="[R:missingx]"),
        "Done.",
    )
    run(script.agent(TacitMemory(tacit, remember=False)), "Use ES256 from now on")

    first, second, third, fourth = script.returned()
    assert f"[R:{old.short}] Tokens are signed with RS256" in first
    assert second.startswith("Remembered as ")
    assert "no memory" in fourth
    (now,) = tacit.list(keys=["auth.alg"])
    assert (now.text, now.trust) == ("Tokens are signed with ES256", "agent")

    cat = third.removeprefix("Remembered as ").removesuffix(".")
    script = Script(call("forget", ref=cat), "Done.")
    run(script.agent(TacitMemory(tacit, remember=False)), "The cat is awake")
    assert script.returned() == ["Forgotten: The cat sleeps"]
    assert "The cat sleeps" not in [memory.text for memory in tacit.list()]


def test_a_model_is_told_of_a_contradiction(tacit):
    said = tacit.remember("Tokens are signed with RS256", key="auth.alg", value="RS256")
    tacit.clock.advance(days=1)
    script = Script(call("remember", text="ES256 it is", key="auth.alg", value="ES256"), "Done.")

    run(script.agent(TacitMemory(tacit, remember=False)), "Sign tokens")

    (answer,) = script.returned()
    assert f"It contradicts {said.short}" in answer


def test_what_was_said_is_an_episode_of_its_conversation(tacit):
    agent = Script("Then once it is.").agent(TacitMemory(tacit))
    result = run(agent, "We never retry refunds")

    kept = sorted(tacit.list(), key=lambda memory: memory.id)

    assert [(m.kind, m.subtype, m.text) for m in kept] == [
        (Kind.EPISODE, "user", "We never retry refunds"),
        (Kind.EPISODE, "assistant", "Then once it is."),
    ]
    assert {memory.session for memory in kept} == {f"pydantic-ai:{result.conversation_id}"}


def test_what_stands_in_the_history_is_not_handed_over_again(tacit):
    script = Script("Noted.", "Once.", "Once.")
    agent = script.agent(TacitMemory(tacit))
    first = run(agent, "We never retry refunds of the bank")

    run(agent, "May I retry refunds of the bank?", message_history=first.all_messages())
    assert all("tacit-memory" not in prompt for prompt in script.prompts())
    run(agent, "May I retry refunds of the bank?")
    assert "We never retry refunds of the bank" in script.prompts()[0]


def test_what_an_answer_cites_is_credited_to_its_briefing(tacit):
    known = tacit.remember("Refunds are never retried, the bank books them twice")
    script = Script(f"Once. Applied: [R:{known.short}] [R:zyxwvuts]")

    run(script.agent(TacitMemory(tacit)), "May I retry a refund?")

    assert tacit.why(known.id).usage["cited"] == 1
    (query,) = tacit.store.queries()
    cited = [each for each in tacit.store.usage() if each.event == "cited"]
    assert [each.query_id for each in cited] == [query.id]


@pytest.mark.parametrize(("mode", "kept"), [("manual", 1), ("off", 0)])
def test_the_settings_say_what_may_be_kept(tmp_path, mode, kept):
    told = load_settings({"TACIT_HOME": str(tmp_path), "TACIT_WRITE": mode})
    script = Script(call("remember", text="The cat sleeps"), "Done.")
    with a_memory(str(tmp_path / "memory.db"), settings=told) as tacit:
        run(script.agent(TacitMemory(tacit)), "The cat sleeps all day")

        assert len(tacit.list()) == kept
    (answer,) = script.returned()
    assert answer.startswith("Remembered" if kept else "The memory cannot be used")


def test_an_agent_goes_on_without_its_memory_and_the_log_says_so(tacit, caplog):
    class Held(TacitMemory):
        def _brief(self, *given):
            raise Busy("held by another process")

        _learn = _brief

    script = Script("Once.")
    with caplog.at_level(logging.WARNING):
        result = run(script.agent(Held(tacit)), "May I retry a refund?")

    assert result.output == "Once."
    assert [record.getMessage() for record in caplog.records] == [
        "there is no briefing: held by another process",
        "what was said is not kept: held by another process",
    ]


def test_runs_of_one_agent_do_not_share_their_briefings(tacit):
    tacit.remember("Refunds are never retried, the bank books them twice")
    memory = TacitMemory(tacit, remember=False)
    script = Script("one", "two")
    agent = script.agent(memory)

    run(agent, "May I retry a refund?")
    run(agent, "wedding cakes with marzipan")

    assert [len(script.prompts(0)), len(script.prompts(1))] == [2, 1]


def test_a_memory_that_was_opened_here_is_closed_here(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    with TacitMemory.open(project=str(tmp_path)) as memory:
        run(Script("Noted.").agent(memory), "We never retry refunds")
    with TacitMemory.open(project=str(tmp_path)) as memory:
        assert len(memory.tacit.list()) == 2
    assert TacitMemory.get_serialization_name() is None


def test_the_words_of_a_prompt_are_its_texts():
    assert words_of(None) == ""
    assert words_of(["look", ImageUrl(url="https://example.com/a.png"), "here"]) == "look\nhere"


def test_a_briefing_without_a_prompt_has_no_place():
    messages = [ModelRequest(parts=[ToolReturnPart("recall", "nothing", "c1")])]

    assert with_briefing(messages, "known") == messages


def test_the_example_knows_in_one_conversation_what_another_decided(tmp_path):
    printed = printed_by("pydantic_ai_agent.py", tmp_path)

    assert "agent: With ES256. Applied: [R:" in printed
    assert "{'cited': 1, 'loaded': 1}" in printed


def test_without_pydantic_ai_the_error_says_what_to_install():
    assert refusal_of("pydantic_ai", "pydantic_ai").endswith("pip install 'tacit[pydantic-ai]'")
