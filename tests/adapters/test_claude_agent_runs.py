"""The real SDK runs its real agent against a scripted model, and Tacit keeps the session."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from opened_memory import a_memory

from tacit.clock import Clock

sdk = pytest.importorskip("claude_agent_sdk")
EXAMPLES = Path(__file__).parents[2] / "examples"
AGENT = Path(sdk.__file__).parent / "_bundled" / "claude"
pytestmark = pytest.mark.skipif(
    not AGENT.exists() or platform.system() == "Windows",
    reason="this build of claude-agent-sdk brings no agent that runs here",
)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import scripted_model

    return scripted_model


def options(home: Path, folder: Path, url: str, **more: Any) -> Any:
    """Let the agent talk to the script, with a home of its own."""
    env = {
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(home),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    return sdk.ClaudeAgentOptions(cwd=folder, env=env, setting_sources=[], **more)


async def run(prompt: str, chosen: Any) -> str:
    session = ""
    async for message in sdk.query(prompt=prompt, options=chosen):
        if isinstance(message, sdk.ResultMessage):
            session = message.session_id
    return session


def test_a_session_is_kept_line_by_line_and_resumed_from_the_store_alone(
    tmp_path: Path, scripted: Any
) -> None:
    from tacit.adapters.claude_agent import TacitSessionStore

    asked: list[dict[str, Any]] = []

    def answer(request: dict[str, Any]) -> Any:
        asked.append(request)
        return scripted.text("Noted.")

    work = tmp_path / "shop"
    work.mkdir()

    async def talk(url: str, store: TacitSessionStore) -> Any:
        first = options(tmp_path / "one", work, url, session_store=store)
        session = await run("From now on we never round before tax.", first)
        key = {"project_key": _key(work), "session_id": session}
        kept = await store.load(key)
        second = options(tmp_path / "two", work, url, session_store=store, resume=session)
        assert await run("And shipping?", second) == session
        return session, kept, await store.load(key), await store.observe()

    with (
        a_memory(str(tmp_path / "shop.db"), clock=Clock()) as tacit,
        scripted.scripted_model(answer) as url,
    ):
        store = TacitSessionStore(tacit, observe=False)
        session, kept, later, new = asyncio.run(talk(url, store))

        on_disk = _lines(tmp_path / "one", session)
        assert [line for line in kept if "uuid" in line] == [
            line for line in on_disk if "uuid" in line
        ]
        assert later[: len(kept)] == kept
        assert len(later) > len(kept)
        assert "never round before tax" in str(asked[-1]["messages"])
        assert new > 0
        assert "never round before tax" in tacit.recall("when do we round?")[0].memory.text


def test_the_example_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "claude_agent.py")],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env=os.environ
        | {
            "HOME": str(tmp_path),
            "TACIT_EMBEDDER": "off",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        },
    )

    assert done.returncode == 0, done.stderr
    assert "tacit: We never round before tax." in done.stdout
    assert "We have spoken before" in done.stdout


def _key(folder: Path) -> str:
    return str(sdk.project_key_for_directory(folder))


def _lines(home: Path, session: str) -> list[dict[str, Any]]:
    (file,) = home.glob(f"projects/*/{session}.jsonl")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
