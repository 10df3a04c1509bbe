"""An agent with Anthropic's memory tool, whose files are memories of Tacit.

Two conversations: in the first the model writes something down, in the second it looks it up. The
SDK is the real one; the model is a script on 127.0.0.1, so it runs without a network or a key.
Needs: pip install 'tacit[anthropic]'.
"""

from __future__ import annotations

import tempfile
from typing import Any

from anthropic import Anthropic
from scripted_model import Blocks, scripted_model, text, use

from tacit.adapters.memory_tool import TacitMemoryTool

FILE = "/memories/customers/ana.md"


def answer(asked: dict[str, Any]) -> Blocks:
    """Look into the memory first; then write down what is new, or say what is known."""
    question, turns = asked["messages"][0]["content"], len(asked["messages"])
    told = str(asked["messages"][-1]["content"])
    if turns == 1:
        return use("memory", turns, command="view", path="/memories")
    if "Please remember" in question and turns == 3:
        note = "# Ana\n\nShe pays by invoice and wants every letter in Spanish.\n"
        return use("memory", turns, command="create", path=FILE, file_text=note)
    if "How does" in question and turns == 3:
        return use("memory", turns, command="view", path=FILE)
    return text("By invoice, as I noted." if "invoice" in told else "I have made a note of it.")


def ask(client: Anthropic, tool: TacitMemoryTool, question: str) -> None:
    runner = client.beta.messages.tool_runner(
        model="claude-sonnet-5-5",
        max_tokens=1000,
        messages=[{"role": "user", "content": question}],
        tools=[tool],
        thread=False,  # the script remembers nothing: it is sent the whole conversation each time
        max_iterations=5,
    )
    print(f"you:   {question}")
    for message in runner:
        for block in message.content:
            print(f"model: {block.input if block.type == 'tool_use' else block.text}")
    print()


def main(place: str) -> None:
    with (
        scripted_model(answer) as url,
        Anthropic(api_key="none", base_url=url) as client,
        # In place of BetaLocalFilesystemMemoryTool(base_path):
        TacitMemoryTool.open(f"{place}/shop.db") as tool,
    ):
        ask(client, tool, "Please remember: Ana pays by invoice, letters in Spanish.")
        ask(client, tool, "How does Ana pay?")

        # What the model wrote is memory like any other.
        (hit, *_) = tool.tacit.recall("in which language do we write to Ana?")
        print(f"tacit: {hit.memory.source_ref}\n{hit.memory.text}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
