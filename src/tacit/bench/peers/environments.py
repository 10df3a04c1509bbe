"""One virtual environment for each peer, made by an interpreter that can run it.

A peer that cannot be installed here is told with its reason; nothing is guessed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.config import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tacit.bench.peers.catalogue import Peer

INSTALL_TIMEOUT_S = 1800
PROBE_TIMEOUT_S = 60
STAMP = "installed.json"  # written last: an environment without it is half made

PROBE = "import ensurepip, sqlite3, venv; db = sqlite3.connect(':memory:')"
PROBE_EXTENSIONS = f"{PROBE}; db.enable_load_extension(True)"


@dataclass(frozen=True, slots=True)
class Ready:
    """A peer's environment can be used."""

    peer: Peer
    python: Path


@dataclass(frozen=True, slots=True)
class NotReady:
    """A peer cannot be measured here, and why."""

    peer: Peer
    reason: str


def default_directory() -> Path:
    """Where environments are kept when nobody says otherwise: with the user's stores."""
    return Path(load_settings(os.environ).home) / "peers"


def set_up(peers: Iterable[Peer], directory: Path) -> Iterator[Ready | NotReady]:
    """Make what is missing or outdated under `directory`; one answer a peer, as it is known."""
    for peer in peers:
        found = find(peer, directory)
        yield found if isinstance(found, Ready) else _install(peer, directory)


def find(peer: Peer, directory: Path) -> Ready | NotReady:
    """Look for a peer's environment without making one."""
    if peer.python is not None:
        return Ready(peer, peer.python)
    home = directory / (peer.lodges_with or peer.name)
    try:
        stamp = json.loads((home / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return NotReady(peer, f"not set up in {directory}; run setup --peer {peer.name}")
    if stamp != _wanted(peer):
        return NotReady(peer, f"set up with other versions; run setup --peer {peer.name}")
    return Ready(peer, _python_of(home))


def _install(peer: Peer, directory: Path) -> Ready | NotReady:
    interpreter = _interpreter(loads_extensions=peer.loads_extensions)
    if interpreter is None:
        lack = "load SQLite extensions" if peer.loads_extensions else "make environments"
        return NotReady(peer, f"not measurable here: no interpreter that can {lack}")
    home = directory / (peer.lodges_with or peer.name)
    python = _python_of(home)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    steps = [[interpreter, "-m", "venv", "--clear", str(home)], [*pip, *peer.requirements]]
    if peer.alone:
        steps.append([*pip, "--no-deps", *peer.alone])
    directory.mkdir(parents=True, exist_ok=True)
    for step in steps:
        if reason := _failure(step, INSTALL_TIMEOUT_S):
            return NotReady(peer, f"not measurable here: {reason}")
    (home / STAMP).write_text(json.dumps(_wanted(peer)), encoding="utf-8")
    return Ready(peer, python)


def _interpreter(*, loads_extensions: bool) -> str | None:
    """Find an interpreter, ours first; many are built without SQLite extensions."""
    named = (sys.executable, "/usr/bin/python3", shutil.which("python3"))
    for candidate in dict.fromkeys(path for path in named if path):
        probe = PROBE_EXTENSIONS if loads_extensions else PROBE
        if not _failure([candidate, "-c", probe], PROBE_TIMEOUT_S):
            return candidate
    return None


def _failure(command: list[str], timeout_s: float) -> str:
    """Run a command and give the last line of its complaint, or nothing when it went well."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"exit status {done.returncode}"


def _wanted(peer: Peer) -> list[str]:
    return [*peer.requirements, *peer.alone]


def _python_of(home: Path) -> Path:
    return home / "Scripts" / "python.exe" if os.name == "nt" else home / "bin" / "python"
