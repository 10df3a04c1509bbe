"""`tacit serve` as a process: where it listens, whom it lets in, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from processes import PATIENCE
from tacit.interfaces.rest.house import House
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Cli


@contextmanager
def started(folder: Path, *argv: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server on a free port and give it with its address."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "tacit", "serve", "--port", "0", "--json", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.stderr.read() if process.stderr else ""
        yield process, json.loads(line)["url"]
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=PATIENCE)


def test_a_server_that_is_told_to_end_keeps_what_it_has_acknowledged(folder: Path):
    acknowledged: list[str] = []
    told = threading.Event()

    def write(url: str) -> None:
        with httpx.Client(base_url=url, trust_env=False) as client:
            for number in range(10_000):
                try:
                    answer = client.post("/memories", json={"text": f"rule {number} of the shop"})
                except httpx.HTTPError:
                    return
                if answer.status_code == 201:
                    acknowledged.append(answer.json()["memories"][0]["id"])
                if len(acknowledged) == 20:
                    told.set()

    with started(folder, "--no-page") as (process, url):
        writers = [threading.Thread(target=write, args=(url,)) for _ in range(2)]
        for writer in writers:
            writer.start()
        assert told.wait(PATIENCE)
        process.send_signal(signal.SIGTERM)
        for writer in writers:
            writer.join(PATIENCE)
        status = process.wait(PATIENCE)
        errors = process.stderr.read() if process.stderr else ""

    assert status in (0, -signal.SIGTERM), errors
    assert "Traceback" not in errors
    with Tacit.open() as tacit:
        kept = {memory.id for memory in tacit.list()}
    assert len(acknowledged) >= 20
    assert set(acknowledged) <= kept


def test_a_server_logs_lines_of_json_on_standard_error(folder: Path):
    with started(folder, "--no-page") as (process, url):
        httpx.get(f"{url}/healthz", trust_env=False)
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
        lines = process.stderr.read().splitlines() if process.stderr else []

    told = [json.loads(line) for line in lines]
    assert [one["route"] for one in told if one["event"] == "request"] == ["/healthz"]


def test_a_server_with_a_page_leads_people_to_it(folder: Path):
    pytest.importorskip("nicegui")
    with (
        started(folder) as (_, url),
        httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE) as client,
    ):
        door = client.get("/")
        page = client.get(door.headers["location"], follow_redirects=True)

    assert door.status_code in (302, 303, 307)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")


def test_nobody_can_be_let_in_from_elsewhere_without_a_token(cli: Cli):
    ran = cli("serve", "--host", "0.0.0.0", "--port", "0")

    assert ran.status == 5
    assert "--add-token" in ran.err


def test_a_place_that_is_taken_is_told(cli: Cli, server_socket: int):
    ran = cli("serve", "--port", str(server_socket), "--no-page")

    assert ran.status == 6
    assert "--port" in ran.err


@pytest.fixture
def server_socket() -> Iterator[int]:
    """Take a port and give it."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken.getsockname()[1]


def test_tokens_are_made_listed_and_taken_away(cli: Cli):
    made = cli.json("serve", "--add-token", "ci", "--allow", "write")
    plain = cli("serve", "--add-token", "ana")
    listed = cli.json("serve", "--tokens")["tokens"]
    shown = cli("serve", "--tokens")
    left = cli.json("serve", "--revoke-token", "ci")["tokens"]

    assert (made["name"], made["scope"], made["token"][:6]) == ("ci", "write", "tacit_")
    assert plain.out.startswith("tacit_")
    assert "not shown again" in plain.err
    assert [(one["name"], one["scope"]) for one in listed] == [("ana", "read"), ("ci", "write")]
    assert "ana" in shown.out
    assert made["token"] not in shown.out
    assert [one["name"] for one in left] == ["ana"]
    assert "there is no token" in cli("serve", "--revoke-token", "ana").err
    assert cli("serve", "--revoke-token", "ana").status == 3


@pytest.mark.parametrize(
    "argv",
    [
        ("--allow", "read"),
        ("--add-token", "x", "--allow", "owner"),
        ("--per-minute", "0"),
        ("--port", "70000"),
        ("--tools", "nothing"),
        ("--spans", "ftp://x"),
    ],
)
def test_what_cannot_be_is_refused(cli: Cli, argv: tuple[str, ...]):
    assert cli("serve", *argv).status == 2


def test_tokens_belong_to_the_server_of_one_store(cli: Cli, folder: Path):
    cli.json("serve", "--add-token", "ci")

    assert cli.json("--store", str(folder / "other.db"), "serve", "--tokens")["tokens"] == []


def test_tokens_are_not_part_of_what_leaves_a_store(cli: Cli):
    token = cli.json("serve", "--add-token", "ci")["token"]
    cli.keep("Tokens live a day")

    out = cli("export", "-").out

    assert "ci" not in [word for line in out.splitlines() for word in _words(json.loads(line))]
    assert token not in out


def _words(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [w for k, v in value.items() for w in (k, *_words(v))]
    if isinstance(value, list):
        return [w for v in value for w in _words(v)]
    return [value] if isinstance(value, str) else []


def test_a_house_that_closes_takes_no_more_work(folder: Path):
    from tacit.errors import Unavailable

    house = House(str(folder / "shop.db"))
    with house.tacit() as tacit:
        tacit.remember("Tokens live a day")

    assert house.close()
    with pytest.raises(Unavailable, match="shutting down"), house.tacit():
        pass
    assert house.close() in (True, False)


def test_a_house_waits_for_work_that_has_begun(folder: Path, monkeypatch):
    from tacit.interfaces.rest import house as module

    monkeypatch.setattr(module, "PATIENCE", 0.01)
    house, go_on, in_it = House(str(folder / "shop.db")), threading.Event(), threading.Event()

    def work() -> None:
        with house.tacit():
            in_it.set()
            go_on.wait(30)

    thread = threading.Thread(target=work)
    thread.start()
    assert in_it.wait(30)
    assert not house.close()
    go_on.set()
    thread.join(30)
    house.late.close()


def test_spans_tell_what_was_done_and_no_word_of_it(folder: Path):
    argv = ("--spans", "console", "--no-page")
    with started(folder, *argv) as (process, url):
        with httpx.Client(base_url=url, trust_env=False) as client:
            client.post("/memories", json={"text": "giraffes are tall"})
            client.post("/recall", json={"query": "giraffes"})
            client.get("/memories/nothing2/why")
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        text = process.stderr.read() if process.stderr else ""

    assert '"name": "upsert_memory"' in text
    assert '"gen_ai.operation.name": "search_memory"' in text
    assert '"gen_ai.memory.record.count": 1' in text
    assert "giraffes" not in text
