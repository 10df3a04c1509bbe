"""An agent of Pydantic AI with a memory, and a scripted model: no key, no network.

    pip install 'tacit[pydantic-ai]'
    python examples/pydantic_ai_agent.py

In the first conversation the model remembers what the user decides; in the second it is briefed
with it and cites it, and Tacit credits that.
"""

from __future__ import annotations

import re
import tempfile

from pydantic_ai import Agent
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tacit.adapters.pydantic_ai import TacitMemory


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Stand in for a language model."""
    parts = [part for message in messages for part in message.parts]
    seen = " ".join(str(part.content) for part in parts if hasattr(part, "content"))
    if isinstance(parts[-1], ToolReturnPart):
        return ModelResponse(parts=[TextPart(f"Noted. {parts[-1].content}")])
    prompt = [part.content for part in parts if isinstance(part, UserPromptPart)][-1]
    if "From now on" in str(prompt):
        given = {"text": "Tokens are signed with ES256", "key": "auth.alg", "value": "ES256"}
        return ModelResponse(parts=[ToolCallPart("remember", given)])
    cited = re.search(r"\[R:\w+\] [^\n]*ES256", seen)
    told = f"With ES256. Applied: {cited[0].split()[0]}" if cited else "I do not know."
    return ModelResponse(parts=[TextPart(told)])


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        # In a project of yours: TacitMemory.open(project=".").
        TacitMemory.open(f"{folder}/memory.db") as memory,
    ):
        agent = Agent(FunctionModel(scripted), capabilities=[memory])
        for prompt in (
            "How are tokens signed?",
            "From now on tokens are signed with ES256",
            "How are tokens signed?",
        ):
            print(f"user: {prompt}\n   agent: {agent.run_sync(prompt).output}")
        (fact,) = memory.tacit.list(keys=["auth.alg"])
        print(f"\ntacit why: {fact.text} {memory.tacit.why(fact.id).usage}")


if __name__ == "__main__":
    main()
