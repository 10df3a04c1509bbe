"""A hook starts quickly, because it loads only what it needs."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

import pytest

from hook_processes import SOURCE, environment, sample
from tacit.config import load_settings
from tacit.interfaces.hooks.events import EVENTS, WARM
from tacit.interfaces.warm.place import make_socket_path
from tacit.interfaces.warm.server import serve
from tacit.project import resolve_project
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = set(
    "argparse asyncio concurrent.futures dataclasses email hashlib http importlib.metadata inspect "
    "logging mcp numpy onnxruntime openai pathlib pydantic random regex rich shutil socket sqlite3 "
    "ssl subprocess tempfile threading tiktoken tokenizers tomllib tree_sitter typing urllib uuid "
    "yaml tacit_minilm tacit_o200k".split()
)
DUMP = """
import sys
before = set(sys.modules)
from tacit.__main__ import main
status = main(["hook", *sys.argv[1:]])
loaded = set(sys.modules) - before
print("\\n".join(sorted(loaded)), file=sys.stderr)
sys.exit(status)
"""
ALL_OF_CLAUDE = [("claude", event) for event in EVENTS["claude"]]
SOME_OF_OTHERS = [
    ("codex", "PostToolUse"),
    ("gemini", "AfterTool"),
    ("cursor", "sessionStart"),
    ("cursor", "afterFileEdit"),
    ("copilot", "postToolUse"),
]


def loaded(host: str, event: str, folder: Path, environ: dict[str, str]) -> set[str]:
    """Run a hook in a fresh interpreter and give the modules it loaded."""
    ran = subprocess.run(
        [sys.executable, "-c", DUMP, host, event],
        input=json.dumps(sample(host, event, folder)),
        capture_output=True,
        text=True,
        timeout=60,
        env=environ | {"PYTHONPATH": str(SOURCE)},
    )
    assert ran.returncode == 0, ran.stderr
    return set(ran.stderr.split())


@pytest.mark.parametrize(("host", "event"), ALL_OF_CLAUDE + SOME_OF_OTHERS)
def test_nothing_heavy_is_loaded(tmp_path: Path, host: str, event: str) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    environ = environment(tmp_path / "home", XDG_RUNTIME_DIR=str(tmp_path))
    found = loaded(host, event, folder, environ)

    assert found & HEAVY == set()
    assert "tacit.store.sqlite.engine" in found  # it did attend
    assert not (tmp_path / "home" / "tacit.log").exists()
    others = {f"tacit.interfaces.hooks.{name}" for name in EVENTS} - {
        f"tacit.interfaces.hooks.{host}",
        "tacit.interfaces.hooks.claude",  # whose shape others borrow
    }
    assert found & others == set()


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_while_learning_is_on_nothing_heavy_is_loaded_either(tmp_path: Path, event: str) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    environ = environment(tmp_path / "home", XDG_RUNTIME_DIR=str(tmp_path))
    settings = load_settings(environ)
    with Tacit.open(project=str(folder), settings=settings) as tacit:
        tacit.remember("The checkout retries a payment three times", tier="mandate")
        tacit.learn_start(["balanced"])

    assert loaded("claude", event, folder, environ) & HEAVY == set()

    with Tacit.open(project=str(folder), settings=settings) as tacit:
        (record,) = tacit.sessions()
        assert record.profile in ("default@1", "balanced@1")


def test_with_a_warm_process_next_to_nothing_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    with tempfile.TemporaryDirectory(prefix="tw") as place:
        environ = environment(tmp_path / "home", XDG_RUNTIME_DIR=place)
        monkeypatch.setenv("XDG_RUNTIME_DIR", place)
        settings = load_settings(environ)
        path = make_socket_path(settings, resolve_project(str(folder), settings))
        close = serve(path, lambda _request: b"{}")
        try:
            events = [event for event, moment in EVENTS["claude"].items() if moment in WARM]
            for event in events:
                found = loaded("claude", event, folder, environ)
                assert found & (HEAVY | {"apsw", "enum", "json", "re", "datetime"}) == set()
                assert "tacit.model" not in found
        finally:
            close()
    assert not (tmp_path / "home").exists()


def test_an_event_that_is_none_loads_no_store(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", DUMP, "claude", "Nothing"],
        input="{}",
        capture_output=True,
        text=True,
        env=environment(tmp_path / "home") | {"PYTHONPATH": str(SOURCE)},
    )

    assert ran.returncode == 0
    assert not {"apsw", "re", "enum", "json"} & set(ran.stderr.split())
