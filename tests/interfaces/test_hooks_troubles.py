"""What goes wrong beside an answer costs no answer, and is told in the log."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from builders import a_fact
from hook_processes import environment, run_hook
from tacit.config import load_settings, project_store_path
from tacit.happening import Happening, Moment
from tacit.interfaces.hooks.events import BOUNDARIES, EMPTY, EVENTS
from tacit.interfaces.hooks.serving import answerer
from tacit.interfaces.warm.call import Call
from tacit.project import resolve_project
from tacit.session.worker import STALE_SECONDS, lock_path
from tacit.system import Tacit
from tacit.system.attending import MOST_TROUBLES

if TYPE_CHECKING:
    from pathlib import Path

    from hook_processes import Ended

GOAL = "make the signing of tokens work with the new key"
FAILED = {"tool_name": "Bash", "tool_input": {"command": "make sign"}, "error": "no such key"}
DAMAGED = """
import sys, apsw
apsw.Connection(sys.argv[1]).execute(
    "INSERT OR REPLACE INTO document (name, json) VALUES ('dead_letters', 'torn')"
)
"""


class Place:
    """A project with a memory, and the hooks of one session in it."""

    def __init__(self, folder: Path) -> None:
        self.home, self.folder = folder / "home", folder / "shop"
        self.folder.mkdir()
        self.environ = environment(
            self.home, XDG_RUNTIME_DIR=str(folder / "none"), TACIT_EMBEDDER="off"
        )
        self.settings = load_settings(self.environ)
        self.project = resolve_project(str(self.folder), self.settings)
        self.store = project_store_path(self.settings, self.project.id)
        with self.opened() as tacit:
            tacit.store.put([a_fact("Sign tokens with RS256", scope=tacit.scope)])

    def opened(self) -> Tacit:
        return Tacit.open(project=str(self.folder), settings=self.settings)

    def told(self, **fields: Any) -> bytes:
        return json.dumps({"session_id": "s1", "cwd": str(self.folder)} | fields).encode()

    def hook(self, event: str, **fields: Any) -> Ended:
        return run_hook("claude", event, stdin=self.told(**fields), environ=self.environ)

    def damage_dead_letters(self) -> None:
        """Make unreadable what keeps failing, and nothing else."""
        subprocess.run([sys.executable, "-c", DAMAGED, self.store], check=True)

    @property
    def noted(self) -> list[str]:
        log = self.home / "tacit.log"
        return log.read_text("utf-8").splitlines() if log.exists() else []


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def a_file_in_the_way(place: Place) -> None:
    (place.home / "working").write_text("in the way")


def a_mark_that_cannot_be_taken_away(place: Place) -> None:
    lock = lock_path(place.settings, place.project.id)
    os.makedirs(lock)
    os.utime(lock, (0, STALE_SECONDS))


@pytest.mark.parametrize("cause", [a_file_in_the_way, a_mark_that_cannot_be_taken_away])
def test_a_process_that_cannot_be_started_is_told_in_the_log(place: Place, cause: Any) -> None:
    place.environ["TACIT_WORKER"] = "on"
    cause(place)

    ended = place.hook("SessionEnd", reason="exit")

    assert (ended.status, ended.out, ended.err) == (0, "", "")
    (line,) = place.noted
    assert "hook claude SessionEnd: no process was started" in line
    assert "tacit observe --pending" in line
    assert str(place.home / "working") in line


@pytest.mark.parametrize("event", BOUNDARIES)
@pytest.mark.parametrize("host", EVENTS)
def test_the_end_of_a_task_or_a_phase_starts_one_in_the_words_of_any_host(
    place: Place, host: str, event: str
) -> None:
    a_file_in_the_way(place)  # so that none is left behind
    place.environ["TACIT_WORKER"] = "on"

    ended = run_hook(host, event, stdin=place.told(), environ=place.environ)

    assert (ended.status, ended.out.strip(), ended.err) == (0, EMPTY.get(host, ""), "")
    (line,) = place.noted
    assert f"hook {host} {event}: no process was started" in line


def test_a_failure_that_cannot_be_noted_is_told_in_the_log(place: Place) -> None:
    place.hook("UserPromptSubmit", prompt=GOAL)
    place.damage_dead_letters()

    ended = place.hook("PostToolUseFailure", **FAILED)

    assert (ended.status, ended.err) == (0, "")
    (line,) = place.noted
    assert "hook claude PostToolUseFailure: tool_failed was not noted" in line
    assert "what keeps failing cannot be read" in line


def test_a_warm_process_tells_it_too_and_only_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_HOME", str(place.home))
    place.damage_dead_letters()
    with place.opened() as tacit:
        answer = answerer(tacit)
        calls = [("UserPromptSubmit", {"prompt": GOAL}), ("PostToolUseFailure", FAILED)]
        calls.append(("UserPromptSubmit", {"prompt": "and now the refunds of the shop"}))
        answers = [
            answer(
                Call(
                    host="claude", event=event, folder=str(place.folder), data=place.told(**fields)
                ).packed()
            )
            for event, fields in calls
        ]

    assert None not in answers
    (line,) = place.noted
    assert "hook claude PostToolUseFailure: tool_failed was not noted" in line


def test_who_never_takes_the_troubles_keeps_the_last_of_them(place: Place) -> None:
    with place.opened() as tacit:
        place_of = {"host": "claude", "session": "s1", "folder": str(place.folder)}
        tacit.attend(Happening(moment=Moment.PROMPT, text=GOAL, **place_of))
        tacit.settings = place.settings.replace(worker=True)
        a_file_in_the_way(place)
        for _ in range(MOST_TROUBLES + 3):
            tacit.attend(Happening(moment=Moment.SESSION_END, **place_of))

        assert len(tacit.take_troubles()) == MOST_TROUBLES
        assert tacit.take_troubles() == ()
