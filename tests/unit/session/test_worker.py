"""The process beside: started once, never two, and it ends by itself having done its work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time

import pytest

from tacit.config import Settings
from tacit.session import worker

NOW = 1_800_000_000.0


@pytest.fixture
def settings(tmp_path):
    return Settings(home=str(tmp_path / "home"), user="ana", embedder="off")


@pytest.fixture
def spawned(monkeypatch):
    """Give what was started; nothing really is."""
    found = []
    monkeypatch.setattr(worker, "_spawn", lambda command, environ: found.append((command, environ)))
    return found


def aged(path, seconds):
    os.utime(path, (NOW - seconds, NOW - seconds))


def test_it_is_started_once_until_it_says_that_it_is_done(settings, spawned):
    assert worker.start(settings, "shop", "/shop", NOW)
    aged(worker.lock_path(settings, "shop"), 1)
    assert not worker.start(settings, "shop", "/shop", NOW)
    assert worker.start(settings, "mail", "/mail", NOW)
    worker.done(settings, "shop")
    assert worker.start(settings, "shop", "/shop", NOW)

    assert len(spawned) == 3
    command, environ = spawned[0]
    assert command[1:] == ["-m", "tacit", "observe", "--pending", "--quiet", "--project", "/shop"]
    assert environ["TACIT_SKIP"] == "1"  # it must not be observed itself


def test_the_mark_of_a_process_that_was_killed_does_not_hold_for_ever(settings, spawned):
    worker.start(settings, "shop", "/shop", NOW)
    aged(worker.lock_path(settings, "shop"), worker.STALE_SECONDS - 1)
    assert not worker.start(settings, "shop", "/shop", NOW)

    aged(worker.lock_path(settings, "shop"), worker.STALE_SECONDS + 1)

    assert worker.start(settings, "shop", "/shop", NOW)


@pytest.mark.parametrize(
    "fields", [{"worker": False}, {"write": "off"}, {"write": "manual"}, {"home": ""}]
)
def test_where_it_is_not_wanted_it_is_not_started(settings, spawned, fields):
    assert not worker.start(settings.replace(**fields), "shop", "/shop", NOW)
    assert spawned == []


def test_a_start_that_fails_leaves_no_mark(settings, monkeypatch):
    def refuse(_command, _environ):
        raise OSError("no more processes")

    monkeypatch.setattr(worker, "_spawn", refuse)

    with pytest.raises(OSError, match="no more"):
        worker.start(settings, "shop", "/shop", NOW)
    assert not os.path.exists(worker.lock_path(settings, "shop"))


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no list of the ended")
def test_whoever_stays_takes_its_end_in(settings, tmp_path, monkeypatch):
    numbers = []
    real = worker._spawn
    monkeypatch.setattr(worker, "_spawn", lambda *given: numbers.append(real(*given)) or numbers[0])
    monkeypatch.setenv("TACIT_HOME", settings.home)
    (tmp_path / "shop").mkdir()

    worker.start(settings, "shop", str(tmp_path / "shop"), NOW, stays=True)

    for thread in threading.enumerate():
        if thread.name == "tacit-worker":
            thread.join(60)
    with pytest.raises(ChildProcessError):  # there is nothing left of it
        os.waitpid(numbers[0], 0)


def test_to_be_done_twice_is_no_error(settings):
    worker.done(settings, "shop")
    worker.done(settings, "shop")


def test_a_real_process_makes_memories_of_a_session_and_takes_its_mark_away(tmp_path):
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    environ = {
        **os.environ,
        "TACIT_HOME": str(tmp_path / "home"),
        "TACIT_EMBEDDER": "off",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    environ.pop("TACIT_SKIP", None)
    script = """
import sys
from tacit.happening import Happening, Moment
from tacit.observation import Tool
from tacit.system import Tacit
folder = sys.argv[1]
with Tacit.open(project=folder) as tacit:
    def tell(moment, **told):
        tacit.attend(Happening(moment=moment, host="claude", session="s1", folder=folder, **told))
    tell(Moment.PROMPT, text="Make the checkout retry a payment three times")
    tell(Moment.POST_TOOL, tool=Tool.EDIT, name="Edit", target="src/a.py", before="1", after="3")
    tell(Moment.POST_TOOL, tool=Tool.SHELL, name="Bash", target="make test", output="12 passed")
    tell(Moment.SESSION_END)
"""
    subprocess.run(
        [sys.executable, "-c", script, str(project)], env=environ, check=True, timeout=60
    )

    def listed():
        command = [sys.executable, "-m", "tacit", "list", "--json", "--project", str(project)]
        done = subprocess.run(command, env=environ, check=True, timeout=60, capture_output=True)
        return json.loads(done.stdout)

    marks = tmp_path / "home" / "working"
    deadline = time.monotonic() + 60
    while os.listdir(marks) and time.monotonic() < deadline:
        found = listed()  # asking takes a while by itself

    found = listed()
    assert os.listdir(marks) == []
    assert "retry a payment" in json.dumps(found)
