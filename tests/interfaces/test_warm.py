"""A process with a memory open answers the hooks of others, and only those it should."""

from __future__ import annotations

import os
import socket
import stat
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.config import load_settings
from tacit.interfaces.warm.call import MOST_BYTES, Call, unpacked
from tacit.interfaces.warm.client import ask
from tacit.interfaces.warm.place import (
    LONGEST_PATH,
    find_socket,
    is_private,
    make_socket_path,
    runtime_folder,
)
from tacit.interfaces.warm.server import serve
from tacit.project import resolve_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.config import Settings


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a folder whose path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="tw") as folder:
        yield Path(folder)


@pytest.fixture
def chosen(folder: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Give settings with a runtime directory of their own."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(place))
    return load_settings(os.environ)


def test_a_call_is_answered(place: Path) -> None:
    close = serve(f"{place}/s.sock", lambda request: b"heard " + request)
    try:
        assert ask(f"{place}/s.sock", b"one", seconds=5) == b"heard one"
        assert ask(f"{place}/s.sock", b"", seconds=5) == b"heard "
    finally:
        close()


def test_the_socket_is_its_owners_alone_and_goes_with_its_server(place: Path) -> None:
    path = f"{place}/s.sock"
    close = serve(path, lambda _request: b"")

    mode = os.lstat(path).st_mode
    close()
    close()

    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600
    assert not os.path.exists(path)
    assert ask(path, b"one") is None


def test_a_socket_nobody_answers_is_replaced(place: Path) -> None:
    path = f"{place}/s.sock"
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(path)
    dead.close()

    close = serve(path, lambda _request: b"new")
    try:
        assert ask(path, b"", seconds=5) == b"new"
    finally:
        close()


def test_the_socket_of_a_living_process_is_left_to_it(place: Path) -> None:
    path = f"{place}/s.sock"
    first = serve(path, lambda _request: b"first")
    second = serve(path, lambda _request: b"second")
    try:
        assert ask(path, b"", seconds=5) == b"first"
        second()
        assert ask(path, b"", seconds=5) == b"first"
    finally:
        first()


def test_of_many_that_start_together_one_serves(place: Path) -> None:
    path, closers = f"{place}/s.sock", []
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(path)
    dead.close()
    start = threading.Barrier(6)

    def take(number: int) -> None:
        start.wait()
        closers.append(serve(path, lambda _request: b"%d" % number))

    threads = [threading.Thread(target=take, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = {ask(path, b"", seconds=5) for _ in range(6)}
    for close in closers:
        close()

    assert len(answers) == 1
    assert answers != {None}
    assert not os.path.exists(path)


def test_a_closer_leaves_the_socket_that_took_its_place(place: Path) -> None:
    path = f"{place}/s.sock"
    first = serve(path, lambda _request: b"first")
    os.unlink(path)
    second = serve(path, lambda _request: b"second")
    first()
    try:
        assert ask(path, b"", seconds=5) == b"second"
    finally:
        second()


def test_what_goes_wrong_with_one_call_does_not_touch_the_next(place: Path) -> None:
    path = f"{place}/s.sock"

    def answer(request: bytes) -> bytes | None:
        if request == b"bad":
            raise RuntimeError
        return None if request == b"no" else b"good"

    close = serve(path, answer)
    try:
        assert ask(path, b"bad", seconds=5) is None
        assert ask(path, b"no", seconds=5) is None
        with socket.socket(socket.AF_UNIX) as rude:  # connects and goes
            rude.connect(path)
        assert ask(path, b"good", seconds=5) == b"good"
    finally:
        close()


def test_too_much_is_refused_on_both_sides(place: Path) -> None:
    path = f"{place}/s.sock"
    close = serve(path, lambda _request: b"x" * 200_000)
    try:
        assert ask(path, b"small", seconds=5) is None
        assert ask(path, b"x" * (MOST_BYTES + 1), seconds=5) is None
    finally:
        close()


def test_a_server_that_never_answers_costs_only_the_callers_patience(place: Path) -> None:
    path = f"{place}/s.sock"
    hung = socket.socket(socket.AF_UNIX)
    hung.bind(path)
    hung.listen(1)
    started = time.monotonic()

    found = ask(path, b"one", seconds=0.1)
    took = time.monotonic() - started
    hung.close()

    assert found is None
    assert took < 5  # not the absence of any limit


def test_an_answer_of_another_version_is_none(place: Path) -> None:
    path = f"{place}/s.sock"
    other = socket.socket(socket.AF_UNIX)
    other.bind(path)
    other.listen(1)

    def reply() -> None:
        talk, _ = other.accept()
        with talk:
            talk.recv(100)
            talk.sendall(b"tacit-hook 2 ok\nhello")

    thread = threading.Thread(target=reply)
    thread.start()
    found = ask(path, b"one", seconds=5)
    thread.join()
    other.close()

    assert found is None


def test_where_no_socket_can_be_nothing_is_served(place: Path) -> None:
    serve("", lambda _request: b"")()
    serve(f"{place}/missing/s.sock", lambda _request: b"")()
    serve(f"{place}/{'x' * 200}.sock", lambda _request: b"")()

    assert ask(f"{place}/{'x' * 200}.sock", b"") is None


@settings(max_examples=50, deadline=None)
@given(
    host=st.text(max_size=9),
    event=st.text(max_size=9),
    folder=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20),
    data=st.binary(max_size=50),
)
def test_a_call_comes_out_as_it_went_in(host: str, event: str, folder: str, data: bytes) -> None:
    call = Call(host=host, event=event, folder=folder, data=data)

    assert unpacked(call.packed()) == call
    assert unpacked(call.packed() + b"x") is None
    assert unpacked(call.packed()[:-1]) is None


@settings(max_examples=50, deadline=None)
@given(data=st.binary(max_size=60))
def test_any_bytes_are_a_call_or_none(data: bytes) -> None:
    for each in (data, b"tacit-hook 1 " + data):
        found = unpacked(each)
        assert found is None or found.packed() == each or found.data in each


def test_a_hook_finds_the_socket_of_its_project_alone(
    chosen: Settings, folder: Path, place: Path
) -> None:
    path = make_socket_path(chosen, resolve_project(str(folder), chosen))
    assert find_socket(chosen, str(folder)) == ""
    (folder / "inner").mkdir()
    other = folder.with_name("other")
    other.mkdir()

    close = serve(path, lambda _request: b"")
    try:
        assert find_socket(chosen, str(folder)) == path
        assert find_socket(chosen, str(other)) == ""
        # Who must not write, or has another store, is not answered by one who may.
        assert find_socket(chosen.replace(write="off"), str(folder)) == ""
        assert find_socket(chosen.replace(store="/elsewhere.db"), str(folder)) == ""
    finally:
        close()
    assert len(os.fsencode(path)) < LONGEST_PATH
    assert path.startswith(f"{place}/tacit/")


def test_a_folder_that_others_may_enter_is_not_used(
    chosen: Settings, folder: Path, place: Path
) -> None:
    path = make_socket_path(chosen, resolve_project(str(folder), chosen))
    close = serve(path, lambda _request: b"")
    try:
        os.chmod(place / "tacit", 0o755)

        assert not is_private(f"{place}/tacit")
        assert find_socket(chosen, str(folder)) == ""
        assert make_socket_path(chosen, resolve_project(str(folder), chosen)) == ""
    finally:
        close()


def test_a_link_or_a_file_in_the_sockets_place_is_not_asked(
    chosen: Settings, folder: Path, place: Path
) -> None:
    path = Path(make_socket_path(chosen, resolve_project(str(folder), chosen)))
    path.write_text("not a socket")
    assert find_socket(chosen, str(folder)) == ""

    path.unlink()
    path.symlink_to(place / "elsewhere.sock")
    assert find_socket(chosen, str(folder)) == ""


@pytest.mark.parametrize("told", ["", "relative/run", "/run/" + "x" * 120])
def test_without_a_good_runtime_directory_a_folder_of_the_users_own_will_do(told: str) -> None:
    assert runtime_folder({"XDG_RUNTIME_DIR": told}) == f"/tmp/tacit-{os.getuid()}"
