"""A short command starts quickly, because it loads only what it needs."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from interfaces.conftest import Cli

HEAVY = {
    "argcomplete",
    "asyncio",
    "click",
    "dataclasses",
    "email",
    "fastembed",
    "hashlib",
    "http",
    "importlib.metadata",
    "inspect",
    "logging",
    "numpy",
    "onnxruntime",
    "openai",
    "pathlib",
    "pydantic",
    "regex",
    "rich",
    "shtab",
    "shutil",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "tempfile",
    "tiktoken",
    "tokenizers",
    "tomllib",
    "typing",
    "urllib",
    "uuid",
}
DUMP = """
import sys
before = set(sys.modules)
from tacit.__main__ import main
status = main({argv!r})
import json
print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)
sys.exit(status)
"""


def loaded(*argv: str) -> set[str]:
    """Run a command in a fresh interpreter and give the modules it loaded."""
    ran = subprocess.run(
        [sys.executable, "-c", DUMP.format(argv=list(argv))],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    return set(json.loads(ran.stderr.strip().splitlines()[-1]))


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize(
    "argv",
    [
        ["recall", "--channels", "text", "how are tokens signed?"],
        ["recall", "--channels", "text,graph,recency", "how are tokens signed?", "--explain"],
        ["recall", "--channels", "text", "how are tokens signed?", "--json"],
        ["show", "abcd2345"],
        ["list", "--kind", "fact"],
        ["why", "abcd2345"],
        ["timeline", "--since", "7d"],
        ["forget", "abcd2345"],
    ],
    ids=lambda argv: " ".join(argv[:3]),
)
def test_nothing_heavy_is_loaded(monkeypatch: pytest.MonkeyPatch, argv: list[str]) -> None:
    monkeypatch.setenv("TACIT_EMBEDDER", "default")

    assert loaded(*argv) & HEAVY == set()


@pytest.mark.usefixtures("seeded")
def test_recall_by_words_does_not_touch_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_EMBEDDER", "default")

    modules = loaded("recall", "--channels", "text", "how are tokens signed?")

    assert not {"tacit_minilm", "tacit_o200k"} & modules


@pytest.mark.usefixtures("folder")
def test_help_and_version_load_no_command_and_no_store() -> None:
    for argv in (["--help"], ["--version"]):
        modules = loaded(*argv)
        assert "apsw" not in modules
        assert not [name for name in modules if name.startswith("tacit.interfaces.cli.commands")]


def test_only_the_module_of_the_command_is_loaded(cli: Cli) -> None:
    cli("init")

    modules = loaded("list")

    assert {name for name in modules if name.startswith("tacit.interfaces.cli.commands.")} == {
        "tacit.interfaces.cli.commands.read"
    }
