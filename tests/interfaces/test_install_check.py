"""The doctor runs what hosts would run, and tells what does not answer."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.config import load_settings
from tacit.interfaces.install.check import check_hosts
from tacit.interfaces.install.program import Program

if TYPE_CHECKING:
    from interfaces.conftest import Cli

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a shell")

# Stands in for `tacit`: a hook that ends well, and a server that names two tools.
GOOD = """\
if sys.argv[1] == "hook":
    assert json.load(sys.stdin)["session_id"]
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "tools/list":
        print(json.dumps({"id": asked["id"], "result": {"tools": [{}, {}]}}), flush=True)
    elif "id" in asked:
        print(json.dumps({"id": asked["id"], "result": {}}), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """Give the file of a `tacit` that hosts are told to run."""
    place = tmp_path / "my tools" / "tacit"
    place.parent.mkdir()
    behave(place, GOOD)
    found = Program(words=(str(place),))
    monkeypatch.setattr("tacit.interfaces.install.program.find_program", lambda _environ: found)
    return place


def behave(place: Path, code: str) -> None:
    """Write the program; without site packages, so that nothing but its code runs."""
    text = f'#!/bin/sh\nexec "{sys.executable}" -S "$0.py" "$@"\n'
    place.write_text(text)
    place.chmod(0o755)
    place.with_name("tacit.py").write_text(f"import json, os, sys\n{code}")


def check() -> dict[str, tuple[bool, str]]:
    found = check_hosts(load_settings(os.environ), os.environ)
    return {name: (ok, detail) for name, ok, detail in found}


def test_every_hook_and_server_that_is_connected_is_proved(cli: Cli, program: Path) -> None:
    for host in ("claude", "codex", "gemini", "cursor", "copilot", "opencode"):
        assert cli("init", "--empty", "--host", host, "--yes").status == 0

    checks = check()

    assert set(checks) == {
        f"{host} {what}"
        for host in ("claude", "codex", "gemini", "cursor", "copilot", "opencode")
        for what in ("hook", "server")
    }
    assert all(ok for ok, _ in checks.values()), checks
    assert checks["claude server"][1] == "2 tools"
    assert "claude hook" in [one["name"] for one in cli.json("doctor")["checks"]]


def test_what_is_not_connected_is_not_checked(cli: Cli, program: Path) -> None:
    (Path(os.environ["HOME"]) / ".claude").mkdir(parents=True)
    (Path(os.environ["HOME"]) / ".claude/settings.json").write_text('{"hooks": {}}')

    assert check() == {}


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("sys.exit(3)", "ended with status 3; run: tacit init --host claude"),
        (
            "open(os.environ['TACIT_HOME'] + '/tacit.log', 'w').write('it broke\\n')",
            "wrote to its log: it broke",
        ),
    ],
)
def test_a_hook_that_does_not_work_is_told(
    cli: Cli, program: Path, code: str, complaint: str
) -> None:
    cli("init", "--empty", "--host", "claude", "--yes")
    behave(program, code)

    assert complaint in check()["claude hook"][1]
    assert check()["claude hook"][0] is False
    assert check()["claude server"][0] is False


def test_a_hook_that_hangs_is_told(
    cli: Cli, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tacit.interfaces.install.check.HOOK_SECONDS", 0.2)
    monkeypatch.setattr("tacit.interfaces.install.check.SERVER_SECONDS", 0.2)
    cli("init", "--empty", "--host", "claude", "--yes")
    behave(program, "import signal; signal.pause()")

    checks = check()

    assert "did not end within" in checks["claude hook"][1]
    assert "did not tell its tools within" in checks["claude server"][1]


def test_a_program_that_is_gone_is_told(cli: Cli, program: Path) -> None:
    cli("init", "--empty", "--host", "claude", "--host", "codex", "--yes")
    program.unlink()

    checks = check()

    assert "cannot be run (No such file or directory)" in checks["claude hook"][1]
    assert "ended with status 127" in checks["codex hook"][1]
    assert "cannot be started" in checks["codex server"][1]


def test_what_the_project_says_is_checked_too(
    cli: Cli, program: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for where in ("project", "local"):
        cli("init", "--empty", "--host", "claude", "--where", where, "--yes")
    monkeypatch.setenv("PATH", str(program.parent))

    found = check_hosts(load_settings(os.environ), os.environ, str(folder))

    assert [(name, ok) for name, ok, _ in found] == [
        ("claude (project) hook", True),
        ("claude (project) server", True),
        ("claude (local) hook", True),
        ("claude (local) server", True),
    ]


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        (".gemini/settings.json", "{", "not valid JSON"),
        (".codex/config.toml", "a =", "not valid TOML"),
    ],
)
def test_settings_that_cannot_be_read_are_told(
    program: Path, name: str, text: str, complaint: str
) -> None:
    settings = Path(os.environ["HOME"]) / name
    settings.parent.mkdir(parents=True)
    settings.write_text(text)

    ((_, (ok, detail)),) = check().items()

    assert not ok
    assert complaint in detail
