"""An agent of ADK that asks its memory, with a scripted model: no key, no network.

    pip install 'tacit[adk]'
    python examples/adk_agent.py

What a user says in one session is added to the memory; an agent in another session loads it.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools import load_memory
from google.genai import types

from tacit.adapters.adk import TacitMemoryService


class Scripted(BaseLlm):
    """Stands in for a language model: it asks its memory when it is asked."""

    model: str = "scripted"

    async def generate_content_async(
        self, llm_request: Any, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        last = llm_request.contents[-1].parts[-1]
        if last.function_response is not None:
            found = last.function_response.response["result"].memories
            known = "; ".join(entry.content.parts[0].text for entry in found)
            part = types.Part(text=f"My memory says: {known}")
        elif "?" in last.text:
            call = types.FunctionCall(name="load_memory", args={"query": last.text})
            part = types.Part(function_call=call)
        else:
            part = types.Part(text="Noted.")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


async def talk(memory: TacitMemoryService) -> None:
    sessions = InMemorySessionService()
    agent = LlmAgent(name="cook", model=Scripted(), tools=[load_memory])
    runner = Runner(agent=agent, app_name="shop", session_service=sessions, memory_service=memory)
    for prompt in ("I never eat peanuts", "Which dishes have no peanuts?"):
        session = await sessions.create_session(app_name="shop", user_id="ana")
        asked = types.Content(role="user", parts=[types.Part(text=prompt)])
        print(f"ana: {prompt}")
        async for event in runner.run_async(
            user_id="ana", session_id=session.id, new_message=asked
        ):
            for part in event.content.parts if event.content else ():
                if part.text:
                    print(f"   agent: {part.text}")
        ended = await sessions.get_session(app_name="shop", user_id="ana", session_id=session.id)
        await memory.add_session_to_memory(ended)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        # In a project of yours: TacitMemoryService.open(project=".").
        TacitMemoryService.open(f"{folder}/memory.db") as memory,
    ):
        asyncio.run(talk(memory))


if __name__ == "__main__":
    main()
