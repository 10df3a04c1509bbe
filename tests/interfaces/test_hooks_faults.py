"""Whatever is wrong with the memory, a hook ends well, in time, and says nothing wrong."""

from __future__ import annotations

import array
import fcntl
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from builders import a_fact
from hook_processes import (
    ALL_OF_CLAUDE,
    SOME_OF_OTHERS,
    SOURCE,
    environment,
    run_hook,
    run_hooks,
    sample,
)
from processes import python, said, stopped
from tacit.config import load_settings, project_store_path
from tacit.interfaces.hooks.events import EMPTY, EVENTS, WARM
from tacit.interfaces.warm.place import make_socket_path
from tacit.project import resolve_project
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hook_processes import Ended

EVERY = ALL_OF_CLAUDE + SOME_OF_OTHERS
FEW = [("claude", "SessionStart"), ("claude", "UserPromptSubmit"), ("claude", "PostToolUse")]
FEW += [("cursor", "sessionStart"), ("gemini", "AfterTool")]

ASKING = [(host, event) for host, event in EVERY if EVENTS[host][event] in WARM]
LATE = "gave up after"

HOLD = """
import sys, apsw
connection = apsw.Connection(sys.argv[1])
if sys.argv[2] == "alone":
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
connection.execute("BEGIN IMMEDIATE")
connection.execute("CREATE TABLE IF NOT EXISTS held (x); INSERT INTO held VALUES (1)")
print("ready", flush=True)
sys.stdin.read()
"""


class Shop:
    """A project with a memory, as files: its folder, its data directory, its store."""

    def __init__(self, place: Path) -> None:
        self.home = place / "home"
        self.folder = place / "shop"
        self.folder.mkdir()
        self.environ = environment(self.home, XDG_RUNTIME_DIR=str(place / "no-runtime"))
        settings = load_settings(self.environ)
        self.project = resolve_project(str(self.folder), settings)
        self.store = Path(project_store_path(settings, self.project.id))

    def noted(self, what: str) -> int:
        """Give how many lines the log has, all of which must say this.

        Those whom a busy machine left no time may say so instead.
        """
        lines = self._lines()
        assert all(what in line or LATE in line for line in lines), lines
        return len(lines)

    def noted_nothing(self) -> bool:
        """Tell whether all went well, but for those whom a busy machine left no time."""
        return all(LATE in line for line in self._lines())

    def _lines(self) -> list[str]:
        path = self.home / "tacit.log"
        return path.read_text("utf-8").splitlines() if path.exists() else []


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """Give a project whose memory has something to say."""
    made = Shop(tmp_path)
    with Tacit.open(
        project=str(made.folder), settings=load_settings(made.environ).replace(embedder="off")
    ) as tacit:
        tacit.store.put([a_fact("Sign tokens with RS256", scope=tacit.scope)])
    return made


def is_nothing(ended: Ended) -> bool:
    return ended.out == EMPTY.get(ended.host, "")


def assert_harmless(ended: list[Ended], *, silent: bool = True) -> None:
    """Assert that hooks ended well and said nothing, or at least nothing wrong."""
    for each in ended:
        assert each.status == 0, each
        assert each.err == "", each
        if silent:
            assert is_nothing(each), each
        elif each.out:
            assert isinstance(json.loads(each.out), dict), each


def test_all_goes_well_where_nothing_is_wrong(shop: Shop) -> None:
    ended = run_hooks(EVERY, shop.folder, shop.environ)

    assert_harmless(ended, silent=False)
    assert shop.noted_nothing()


def test_a_store_that_is_made_new_is_no_trouble(tmp_path: Path) -> None:
    shop = Shop(tmp_path)

    assert_harmless(run_hooks(EVERY, shop.folder, shop.environ), silent=False)
    assert shop.noted_nothing()


@pytest.mark.parametrize("how", ["writes", "alone"])
def test_a_store_that_another_process_holds(shop: Shop, how: str) -> None:
    holder = python("-c", HOLD, shop.store, how)
    try:
        assert said(holder) == "ready"
        ended = run_hooks(EVERY, shop.folder, shop.environ, at_once=len(EVERY))
    finally:
        stopped(holder)

    assert_harmless(ended, silent=how == "alone")
    if how == "alone":
        assert shop.noted(LATE) == len(EVERY)


def test_a_store_whose_writer_was_killed(shop: Shop) -> None:
    holder = python("-c", HOLD, shop.store, "writes")
    assert said(holder) == "ready"
    holder.send_signal(signal.SIGKILL)
    stopped(holder)

    assert_harmless(run_hooks(FEW, shop.folder, shop.environ), silent=False)
    assert shop.noted_nothing()


def test_a_store_that_is_no_store(shop: Shop) -> None:
    shop.store.write_bytes(b"not a database at all" * 1000)

    assert_harmless(run_hooks(EVERY, shop.folder, shop.environ))
    assert shop.noted("Corrupt") == len(EVERY)


def test_a_store_of_which_half_is_missing(shop: Shop) -> None:
    data = shop.store.read_bytes()
    for beside in shop.store.parent.glob("*-wal"):
        beside.unlink()
    shop.store.write_bytes(data[: len(data) // 2] + os.urandom(5000))

    assert_harmless(run_hooks(FEW, shop.folder, shop.environ), silent=False)


def test_a_store_of_a_newer_version(shop: Shop) -> None:
    raised = "import sys, apsw; apsw.Connection(sys.argv[1]).execute('PRAGMA user_version = 999')"
    subprocess.run([sys.executable, "-c", raised, shop.store], check=True)

    assert_harmless(run_hooks(EVERY, shop.folder, shop.environ))
    assert shop.noted("schema 999") == len(EVERY)


def test_a_data_directory_that_cannot_be_made(shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    environ = environment(tmp_path / "file" / "home")

    assert_harmless(run_hooks(EVERY, shop.folder, environ))


def test_no_home_at_all(shop: Shop) -> None:
    environ = {name: text for name, text in shop.environ.items() if name != "TACIT_HOME"}

    assert_harmless(run_hooks(EVERY, shop.folder, environ))


def test_settings_that_say_nothing_sensible(shop: Shop) -> None:
    (shop.home / "config.toml").write_text("= = [")

    assert_harmless(run_hooks(FEW, shop.folder, shop.environ))
    assert shop.noted("config.toml") == len(FEW)


@pytest.mark.parametrize(
    "told",
    [b"", b"\0\xff garbage", b'{"cwd": "/nowhere/at/all", "prompt": "x"}', b"x" * (9 << 20)],
    ids=["empty", "garbage", "a folder that is not there", "huge"],
)
def test_what_a_host_should_not_write(shop: Shop, told: bytes) -> None:
    events = EVERY if len(told) < 1000 else FEW

    assert_harmless(run_hooks(events, shop.folder, shop.environ, stdin=told))
    assert shop.noted("hook") == len(events)


def test_a_host_that_never_closes_standard_input(shop: Shop) -> None:
    reading, writing = os.pipe()
    try:
        os.write(writing, b'{"cwd": "/')
        ended = run_hooks(EVERY, shop.folder, shop.environ, at_once=len(EVERY), stdin=reading)
    finally:
        os.close(reading)
        os.close(writing)

    assert_harmless(ended)
    assert shop.noted(LATE) == len(EVERY)


def test_a_person_who_presses_control_c(shop: Shop) -> None:
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "tacit", "hook", "cursor", "sessionStart"],
        stdin=reading,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shop.environ | {"PYTHONPATH": str(SOURCE)},
    )
    os.write(writing, b"{")
    while _unread(reading):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    os.close(reading)
    os.close(writing)

    assert (process.returncode, out, err) == (0, b"{}", b"")


def test_a_host_that_does_not_listen(shop: Shop) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [sys.executable, "-m", "tacit", "hook", "cursor", "sessionStart"],
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=shop.environ | {"PYTHONPATH": str(SOURCE)},
    )
    told = json.dumps(sample("cursor", "sessionStart", shop.folder)).encode()
    _, err = process.communicate(told, timeout=30)
    os.close(writing)

    assert (process.returncode, err) == (0, b"")


def test_a_disk_that_takes_nothing_more(shop: Shop) -> None:
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    ended = run_hooks(EVERY, shop.folder, shop.environ, before=full)

    assert_harmless(ended, silent=False)


def test_a_log_that_cannot_be_written(shop: Shop) -> None:
    (shop.home / "tacit.log").symlink_to("/dev/full")

    assert_harmless(run_hooks(FEW, shop.folder, shop.environ, stdin=b"garbage"))


def test_a_clock_that_went_back(shop: Shop) -> None:
    with Tacit.open(str(shop.store), scope=f"project:{shop.project.id}") as tacit:
        later = a_fact("Written tomorrow", scope=tacit.scope)
        ahead = later.replace(recorded_at=later.recorded_at.replace(year=2990))
        tacit.store.put([ahead])

    assert_harmless(run_hooks(FEW, shop.folder, shop.environ), silent=False)
    assert shop.noted_nothing()


@pytest.fixture
def runtime(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Give the path where hooks look for a warm process."""
    with tempfile.TemporaryDirectory(prefix="tw") as place:
        shop.environ["XDG_RUNTIME_DIR"] = place
        monkeypatch.setenv("XDG_RUNTIME_DIR", place)
        yield make_socket_path(load_settings(shop.environ), shop.project)


@pytest.mark.parametrize("what", ["dead", "hung", "full"])
def test_a_warm_process_that_is_none(shop: Shop, runtime: str, what: str) -> None:
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(runtime)
        if what != "dead":
            other.listen(50 if what == "hung" else 0)  # and never accepts
        ended = run_hooks(ASKING, shop.folder, shop.environ)

    assert_harmless(ended, silent=False)
    assert shop.noted_nothing()


@pytest.mark.parametrize(
    "stuck",
    [
        "import _thread; lock = _thread.allocate_lock(); lock.acquire(); lock.acquire()",
        "import os; os.read(os.pipe()[0], 1)",
        "import apsw; apsw.Connection(':memory:').execute("
        "'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n'"
        ").fetchall()",
        "\nwhile True: pass",
    ],
    ids=["a lock", "a read", "a query", "a loop"],
)
def test_the_deadline_holds_whatever_the_main_thread_waits_for(tmp_path: Path, stuck: str) -> None:
    code = (
        "from tacit.interfaces.hooks.watch import Watch\n"
        "watch = Watch(0.2, '{}', lambda: 'last words', lambda: open('noted', 'w').close())\n"
        + stuck
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        timeout=30,
        env=environment(tmp_path) | {"PYTHONPATH": str(SOURCE)},
    )

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"last words", b"")
    assert (tmp_path / "noted").exists()


def test_last_words_that_do_not_come_are_done_without(tmp_path: Path) -> None:
    code = (
        "import time\nfrom tacit.interfaces.hooks.watch import Watch\n"
        "Watch(0.1, '{}', lambda: time.sleep(60) or 'late', lambda: None)\ntime.sleep(60)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        timeout=30,
        env=environment(tmp_path) | {"PYTHONPATH": str(SOURCE)},
    )

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"{}", b"")


def test_a_session_that_starts_without_its_store_is_told_what_the_last_one_was(shop: Shop) -> None:
    start = [("claude", "SessionStart")]
    (first,) = run_hooks(start, shop.folder, shop.environ)
    holder = python("-c", HOLD, shop.store, "alone")
    try:
        assert said(holder) == "ready"
        (held,) = run_hooks(start, shop.folder, shop.environ)
    finally:
        stopped(holder)
    shop.store.write_bytes(b"not a database at all" * 1000)
    (damaged,) = run_hooks(start, shop.folder, shop.environ)
    (unwanted,) = run_hooks(start, shop.folder, shop.environ | {"TACIT_INJECT": "off"})

    assert "RS256" in first.out
    assert held.out == first.out
    assert damaged.out == first.out
    assert unwanted.out == ""


def test_skipping_touches_nothing(tmp_path: Path) -> None:
    environ = environment(tmp_path / "home", TACIT_SKIP="1")
    ended = [
        run_hook(host, event, stdin=b"{}", environ=environ)
        for host, event in [("claude", "SessionStart"), ("gemini", "BeforeAgent")]
    ]

    assert_harmless(ended)
    assert not (tmp_path / "home").exists()


def _unread(pipe: int) -> int:
    """Give how many bytes of a pipe nobody has read yet."""
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]
