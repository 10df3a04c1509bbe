"""An agent of the OpenAI Agents SDK that remembers, with a scripted model: no key, no network.

    pip install 'tacit[openai-agents]'
    python examples/openai_agent.py

Two runs in one session: the second is handed what was said in the first. Then another session
recalls it by a tool.
"""

from __future__ import annotations

import asyncio
import tempfile
from typing import Any

from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from tacit import Tacit
from tacit.adapters.openai_agents import TacitSession


class Scripted(Model):
    """Stands in for a language model."""

    async def get_response(self, *given: Any, **named: Any) -> ModelResponse:
        items = named["input"]
        last = items[-1]
        if last.get("type") == "function_call_output":
            return said(f"My memory says: {last['output']}")
        if "remember" in last["content"]:
            call = ResponseFunctionToolCall(
                type="function_call",
                call_id="c1",
                name="recall",
                arguments='{"question": "what is said about peanuts?"}',
            )
            return ModelResponse(output=[call], usage=Usage(), response_id=None)
        return said(f"I was handed {len(items)} items, the first: {items[0]['content']!r}")

    def stream_response(self, *given: Any, **named: Any) -> Any:
        raise NotImplementedError


def said(text: str) -> ModelResponse:
    part = ResponseOutputText(type="output_text", text=text, annotations=[])
    message = ResponseOutputMessage(
        id="m", type="message", role="assistant", status="completed", content=[part]
    )
    return ModelResponse(output=[message], usage=Usage(), response_id=None)


async def talk(tacit: Tacit) -> None:
    @function_tool
    async def recall(question: str) -> str:
        """Find what was said in earlier conversations."""
        hits = await asyncio.to_thread(tacit.recall, question, limit=1)
        return "; ".join(hit.memory.text for hit in hits)

    agent = Agent(name="cook", model=Scripted(), tools=[recall])
    for conversation, prompt in (
        ("monday", "I never eat peanuts"),
        ("monday", "What can I cook?"),
        ("friday", "Do you remember what I do not eat?"),
    ):
        # In place of SQLiteSession(conversation, "chat.db").
        session = TacitSession(conversation, tacit)
        result = await Runner.run(agent, prompt, session=session)
        print(f"{conversation}: {prompt}\n   agent: {result.final_output}")


def main() -> None:
    set_tracing_disabled(True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Tacit.open(f"{folder}/memory.db") as tacit,  # of yours: Tacit.open(project=".")
    ):
        asyncio.run(talk(tacit))


if __name__ == "__main__":
    main()
