"""The command line in process: its own data directory, a folder to stand in, light models."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from builders import a_fact, a_pattern, an_episode
from fakes import HashEmbedder, WordCounter
from tacit.__main__ import main
from tacit.model import Polarity, Tier
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.model import Memory


class Ran(NamedTuple):
    """What one run of the command line gave."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Cli:
    """Runs command lines in process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *argv: str, stdin: str | bytes | None = None) -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin or b""
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        self._capsys.readouterr()
        status = main(list(argv))
        out, err = self._capsys.readouterr()
        return Ran(status, out, err)

    def json(self, *argv: str, stdin: str | bytes | None = None) -> Any:
        """Run with `--json`, which must go well, and give what was printed."""
        ran = self(*argv, "--json", stdin=stdin)
        assert ran.status == 0, ran
        return ran.json

    def keep(self, text: str, *argv: str) -> str:
        """Remember a text and give its short name."""
        return self("remember", text, *argv, "--quiet").out.strip()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in the folder of a project, with a data directory beside it."""
    for name in [name for name in os.environ if name.startswith("TACIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # for those started from here
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)  # the developer's own sessions are not ours to read
    monkeypatch.setenv("HOME", str(tmp_path / "ana"))
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.setenv("TACIT_USER", "ana")
    monkeypatch.setattr("tacit.encode.tokens.open_counter", WordCounter)
    place = tmp_path / "shop"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def cli(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Give a command line that has no store yet."""
    return Cli(capsys, monkeypatch)


@pytest.fixture
def seeded(folder: Path) -> list[Memory]:
    """Fill the project's store with memories whose short names are known."""
    memories = [
        a_fact("Sign tokens with RS256", key="auth.jwt_alg", value="RS256", short="abcd2345"),
        a_pattern("Do not retry refunds", polarity=Polarity.AVOID, short="wxyz6723"),
        an_episode("Moved the shop to Postgres 16", short="pgpg2222"),
        a_fact("Deploys need two reviews", tier=Tier.MANDATE, short="depl3333"),
    ]
    with Tacit.open() as tacit:
        tacit.store.put([memory.replace(scope=tacit.scope) for memory in memories])
    return memories


@pytest.fixture
def embedding(monkeypatch: pytest.MonkeyPatch, folder: Path) -> HashEmbedder:
    """Switch vectors on, with an embedder that needs no model."""
    embedder = HashEmbedder()
    monkeypatch.setattr("tacit.encode.embedding.open_embedder", lambda *_args, **_options: embedder)
    return embedder
