"""Long work over HTTP: told step by step, stopped when nobody listens, whole or not at all."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from rest_server import Served, problem_of, serving

from tacit.errors import Invalid
from tacit.interfaces.rest import work as working
from tacit.interfaces.rest.house import House, Terms
from tacit.interfaces.rest.problems import Problem
from tacit.interfaces.rest.work import Work
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

LINES = {"Accept": "application/x-ndjson"}


def filled(location: str) -> list[str]:
    texts = [f"The shop has a rule number {number} about cart {number}" for number in range(30)]
    with Tacit.open(location) as tacit:
        tacit.remember_many(texts)
    return texts


def test_a_cycle_tells_its_steps_and_then_what_it_did(location: str):
    filled(location)
    with serving(location) as server:
        only = {"only": ["merge", "promote", "forget"]}
        whole = server.ask("POST", "/consolidate", json={"dry_run": True} | only)
        with server.stream("POST", "/consolidate", headers=LINES, json=only) as answer:
            told = [json.loads(line) for line in answer.iter_lines()]
        again = server.ask("POST", "/consolidate", json=only)

    *steps, last = told
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert {step["event"] for step in steps} == {"progress"}
    assert {"merge", "forget"} <= {step["step"] for step in steps}
    assert last["event"] == "result"
    assert last["result"]["passes"] == whole["passes"]
    assert (whole["dry_run"], last["result"]["dry_run"], again["finished"]) == (True, False, True)


def test_a_dry_run_changes_nothing_and_one_pass_may_be_run_alone(location: str):
    filled(location)
    with serving(location) as server:
        before = server.ask("GET", "/memories?limit=200")
        report = server.ask("POST", "/consolidate", json={"dry_run": True, "only": ["merge"]})
        assert server.ask("GET", "/memories?limit=200") == before

    assert list(report["passes"]) == ["merge"]


def test_all_of_a_store_goes_out_and_comes_in_without_loss(location: str, folder: Path):
    texts = filled(location)
    with serving(location) as server:
        out = server.get("/export").content
        listed = server.ask("GET", "/memories?limit=200")["memories"]
    with serving(str(folder / "other.db")) as server:
        found = server.ask("POST", "/import", content=out)
        again = server.ask("POST", "/import", content=out)
        assert server.ask("GET", "/memories?limit=200")["memories"] == listed
        assert server.get("/export").content == out

    assert (found["new"], again["new"]) == (len(texts), 0)


def test_an_import_tells_how_far_it_is(location: str, folder: Path):
    filled(location)
    with serving(location) as server:
        out = server.get("/export").content
    with serving(str(folder / "other.db")) as server:
        answer = server.post("/import", content=out, headers=LINES)

    told = [json.loads(line) for line in answer.text.splitlines()]
    assert told[-1]["event"] == "result"
    assert told[-1]["result"]["new"] == 30


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_a_broken_import_changes_nothing(server: Served, accept: str):
    server.remember("Tokens live a day")
    broken = server.get("/export").content + b'{"memory": \n'

    answer = server.post("/import", content=broken, headers={"Accept": accept})

    last = json.loads(answer.text.splitlines()[-1])
    assert (last["code"], last["status"]) == ("invalid", 400)
    assert server.post("/import", content=b"\xff\xfe\n").json()["code"] == "invalid"
    assert len(server.ask("GET", "/memories")["memories"]) == 1


def house_in(folder: Path, **terms: Any) -> House:
    return House(str(folder / "shop.db"), terms=Terms(page=False, **terms))


def test_work_that_takes_too_long_is_given_up_by_who_asked_and_still_done(folder: Path):
    house, done = house_in(folder, seconds=0.05, threads=1), threading.Event()
    work, go_on = Work(house), threading.Event()

    def slow(tacit: Tacit) -> None:
        go_on.wait(30)
        tacit.remember("Tokens live a day")
        done.set()

    with pytest.raises(TimeoutError):
        asyncio.run(work.run(slow))
    go_on.set()

    assert done.wait(30)
    assert house.close()
    with Tacit.open(str(folder / "shop.db")) as tacit:
        assert len(tacit.list()) == 1


def test_what_finds_the_queue_full_is_refused_at_once(folder: Path, monkeypatch):
    monkeypatch.setitem(working.MOST, "quick", 2)
    house, go_on = house_in(folder, threads=1), threading.Event()

    async def many() -> list[Any]:
        work = Work(house)
        begun = [asyncio.ensure_future(work.run(lambda _t: go_on.wait(30))) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await work.run(lambda _t: None)
        go_on.set()
        await asyncio.gather(*begun)
        assert await work.run(lambda _t: "free again") == "free again"
        return [refused.value.status, refused.value.headers]

    assert asyncio.run(many()) == [503, {"retry-after": "1"}]


def test_a_stream_ends_when_nobody_listens(folder: Path, monkeypatch):
    monkeypatch.setattr(working, "BEAT", 0.01)
    house, ended = house_in(folder), threading.Event()

    def endless(_tacit: Tacit, say: Any) -> None:
        try:
            while True:
                say(b"on and on\n")
        finally:
            ended.set()

    async def listen() -> bytes:
        async for chunk in (stream := Work(house).stream(endless)):
            await stream.aclose()
            return chunk
        return b""

    assert asyncio.run(listen()) == b"on and on\n"
    assert ended.wait(30)


def test_half_a_stream_is_not_taken_for_a_whole_one(folder: Path):
    def breaks(_tacit: Tacit, say: Any) -> None:
        say(b"half")
        raise Invalid("here it broke")

    async def listen() -> list[bytes]:
        stream = Work(house_in(folder)).stream(breaks)
        heard = [await anext(stream)]
        with pytest.raises(Invalid, match="here it broke"):
            await anext(stream)
        return heard

    assert asyncio.run(listen()) == [b"half"]


def test_a_request_that_takes_too_long_is_told_so(location: str, monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(Tacit, "index_view", lambda *_a, **_o: go_on.wait(30))
    with serving(location, seconds=0.05) as server:
        answer = server.get("/index")
        go_on.set()

    assert problem_of(answer)["status"] == 504
    assert answer.headers["retry-after"] == "1"
