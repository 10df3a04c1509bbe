"""Surroundings for attacks: a victim's project, its store, a server, and real processes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attacks import Victim

from tacit.system import Tacit

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "interfaces"), str(HERE.parent / "interfaces" / "rest")]

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rest_server import Served


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in the folder of a project, with a data directory beside it."""
    for name in [name for name in os.environ if name.startswith("TACIT_")]:
        monkeypatch.delenv(name)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "ana"))
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.setenv("TACIT_USER", "ana")
    place = tmp_path / "shop"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def victim(folder: Path) -> Victim:
    """Give somebody who has no store yet."""
    return Victim(folder)


@pytest.fixture
def location(folder: Path) -> str:
    """Give where the victim's store is."""
    return str(folder.parent / "shop.db")


@pytest.fixture
def memory(location: str) -> Iterator[Tacit]:
    """Open the victim's store."""
    with Tacit.open(location, scope="project:shop") as tacit:
        yield tacit


@pytest.fixture
def server(location: str) -> Iterator[Served]:
    """Serve the victim's store on this machine; no token is needed."""
    from rest_server import serving  # found by the path set above

    with serving(location) as client:
        yield client


@pytest.fixture
def forged(location: str) -> Any:
    """Give a function that writes lines of an export, from a real one with fields replaced."""

    def lines(*changes: dict[str, Any]) -> list[str]:
        place = f"{location}.forge"
        with Tacit.open(place, scope="project:shop") as tacit:
            if not tacit.list():
                tacit.remember("Tokens are signed with RS256")
            head, first, *_ = list(tacit.export())
        record = json.loads(first)
        made = [
            {**record, "id": f"019b0000-0000-7000-8000-{n:012x}", "short": f"forged2{chr(97 + n)}"}
            for n in range(len(changes))
        ]
        return [head, *(json.dumps({**m, **c}) + "\n" for m, c in zip(made, changes, strict=True))]

    return lines
