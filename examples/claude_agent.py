"""A session of the Claude Agent SDK that leaves memories, and is resumed from Tacit.

The SDK and its agent are the real ones; the model is a script on 127.0.0.1 and all files lie in a
temporary place, so it runs without a network, a key or a trace. Needs: pip install
'tacit[claude-agent]'.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query
from scripted_model import Blocks, scripted_model, text, use

from tacit.adapters.claude_agent import TacitSessionStore


def answer(asked: dict[str, Any]) -> Blocks:
    """Run the tests when work is asked for; say what became of it; count what was said before."""
    last = asked["messages"][-1]["content"]
    prompts = sum(message["role"] == "user" for message in asked["messages"])
    if "And now" in str(last):
        return text(f"We have spoken before: I see {prompts} messages of yours.")
    if "tool_result" in str(last):
        return text("The total is right now: tax is added before it is rounded.")
    return use("Bash", 1, command="echo 4 passed", description="Run the tests")


async def ask(prompt: str, store: TacitSessionStore, **options: Any) -> str:
    """Put a prompt to the agent; give the name of the session."""
    session = ""
    chosen = ClaudeAgentOptions(session_store=store, allowed_tools=["Bash"], **options)
    async for message in query(prompt=prompt, options=chosen):
        if isinstance(message, ResultMessage):
            session = message.session_id
            print(f"you:   {prompt}\nagent: {message.result}\n")
    return session


async def main(place: Path) -> None:
    shop = place / "shop"
    shop.mkdir()
    os.environ["TACIT_HOME"] = str(place / "tacit")
    with scripted_model(answer) as url:

        def offline(name: str) -> dict[str, Any]:
            """Let the agent talk to the script, with a folder of settings of its own."""
            home = str(place / name)
            about = {"HOME": home, "CLAUDE_CONFIG_DIR": home, "ANTHROPIC_BASE_URL": url}
            quiet = {"ANTHROPIC_API_KEY": "none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
            return {"cwd": shop, "env": about | quiet, "setting_sources": []}

        # This line is all there is to it.
        async with TacitSessionStore.open(project=str(shop)) as store:
            session = await ask(
                "Fix the total. We never round before tax.", store, **offline("one")
            )
            await store.observe()
            found = store.tacit.recall("when may we round?")
            print(f"tacit: {found[0].memory.text}\n")

            # Another machine, so to speak: it has nothing but the store.
            await ask("And now?", store, resume=session, **offline("two"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder)))
