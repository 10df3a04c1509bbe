"""How much is too much, what is not a request, and what the server writes down about it."""

from __future__ import annotations

import io
import json
import logging
import re
from typing import TYPE_CHECKING

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_server import Served, problem_of, serving

from tacit.errors import Busy, Conflict, Corrupt, Denied, Invalid, NotFound, Unavailable
from tacit.interfaces import wire_http
from tacit.interfaces.rest import journal
from tacit.interfaces.rest.limits import MINUTE, Rates
from tacit.interfaces.rest.problems import told
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator

SECRET = "giraffe-7741"


def test_a_body_that_is_too_long_is_refused(location: str):
    with serving(location, body_bytes=1_000) as server:
        told_ = server.post("/memories", json={"text": "x" * 1_000})
        streamed = server.post(
            "/memories",
            content=iter([b'{"text": "', b"x" * 600, b"y" * 600, b'"}']),
            headers={"content-type": "application/json"},
        )
        allowed = server.post("/memories", json={"text": "short enough"})

    assert problem_of(told_)["status"] == problem_of(streamed)["status"] == 413
    assert allowed.status_code == 201


def test_a_body_that_does_not_come_to_its_end_is_not_waited_for(location: str):
    import socket

    with serving(location, seconds=0.05) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as talk:
            talk.sendall(
                b"POST /memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
                b"Content-Type: application/json\r\n\r\n{"
            )
            said = talk.recv(4_096).decode()
        alive = server.get("/healthz")

    assert said.startswith("HTTP/1.1 408 ")
    assert '"code": "unavailable"' in said
    assert alive.status_code == 200


def test_a_caller_that_asks_too_often_waits(location: str):
    with serving(location, per_minute=5) as server:
        answers = [server.get("/healthz") for _ in range(7)]

    assert [one.status_code for one in answers] == [200] * 5 + [429] * 2
    assert problem_of(answers[-1])["code"] == "unavailable"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= MINUTE


@given(
    st.integers(1, 50),
    st.lists(st.floats(0, 5, allow_nan=False), min_size=1, max_size=200),
)
def test_nobody_ever_gets_more_than_a_bucket_and_what_has_flowed_in(per_minute, pauses):
    rates, now, allowed = Rates(per_minute), 0.0, 0
    for pause in pauses:
        now += pause
        allowed += rates.wait("ana", now) == 0.0

    assert allowed <= per_minute * (1 + now / MINUTE) + 1
    assert allowed >= min(per_minute, len(pauses))


def test_callers_do_not_wait_for_each_other():
    rates = Rates(1)

    assert rates.wait("ana", 0.0) == 0.0
    assert rates.wait("ana", 0.0) == pytest.approx(MINUTE)
    assert rates.wait("bob", 0.0) == 0.0
    assert rates.wait("ana", MINUTE) == 0.0


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/memories/nothing2", 404),
        ("DELETE", "/memories", 405),
        ("POST", "/status", 405),
        ("POST", "/memories", 422),
        ("GET", "/memories?limit=0", 422),
        ("GET", "/memories?colour=red", 422),
        ("GET", "/memories?since=tomorrow", 400),
    ],
)
def test_what_is_wrong_with_a_request_is_a_problem(
    server: Served, method: str, path: str, status: int
):
    answer = server.request(method, path)

    assert problem_of(answer)["status"] == status
    if status == 405:
        assert answer.headers["allow"] == {"/memories": "GET, POST", "/status": "GET"}[path]


@pytest.mark.parametrize(
    "body",
    [b"{", b"null", b'"x"', b'{"text": 1}', b'{"text": "\\ud800"}', b'{"text": "x", "why": 1}'],
)
def test_a_body_that_is_not_as_described_is_told_where(server: Served, body: bytes):
    answer = server.post("/memories", content=body, headers={"content-type": "application/json"})

    problem = problem_of(answer)
    assert problem["status"] in (400, 422)
    assert all({"where", "message"} == set(one) for one in problem.get("errors", []))
    assert server.ask("GET", "/memories")["memories"] == []


def test_a_bug_tells_its_name_and_nothing_it_met(location: str, monkeypatch, caplog):
    def broken(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr(Tacit, "index_view", broken)
    with serving(location) as server:
        answer = server.get("/index")

    assert problem_of(answer)["code"] == "internal"
    assert "ZeroDivisionError" in answer.text
    assert SECRET not in answer.text


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Invalid("x"), 400),
        (Denied("x"), 403),
        (NotFound("x"), 404),
        (Conflict("x"), 409),
        (Unavailable("x"), 503),
        (Corrupt("x"), 503),
        (Busy("x"), 503),
        (TimeoutError(), 504),
        (RecursionError(), 400),
        (UnicodeEncodeError("utf-8", "x", 0, 1, "no"), 400),
        (OSError(28, "No space left on device"), 503),
        (KeyError("x"), 500),
    ],
)
def test_every_error_has_its_status(error: Exception, status: int):
    assert told(error).status == status


def test_every_status_that_is_used_has_a_code_and_a_title():
    for status in {*wire_http.STATUS.values(), *wire_http.CLOSER}:
        shape = wire_http.problem(status, "x")
        assert shape["code"] in wire_http.STATUS
        assert shape["title"] != "Something is wrong"
    assert wire_http.code_of(418) == "invalid"
    assert wire_http.code_of(599) == "internal"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Give what the server's log says."""
    stream = io.StringIO()
    before = {name: logging.getLogger(name) for name in journal.OURS}
    states = {n: (list(log.handlers), log.propagate, log.level) for n, log in before.items()}
    journal.switch_on(stream)
    yield stream
    for name, (handlers, propagate, level) in states.items():
        log = logging.getLogger(name)
        log.handlers[:], log.propagate = handlers, propagate
        log.setLevel(level)


def test_the_log_names_routes_and_tokens_and_holds_no_word_of_anybody(location: str, written):
    with serving(location) as server:
        token = server.tokens.add("ci", "admin")
        mine = {"Authorization": f"Bearer {token}"}
        body = {"text": f"The code is {SECRET}", "author": SECRET}
        id_ = server.post("/memories", json=body, headers=mine).json()["memories"][0]["id"]
        server.get("/recall", params={"query": SECRET}, headers=mine)
        server.get(f"/memories/{SECRET}", headers=mine)
        server.get(f"/memories/{id_}/why", headers=mine)
        server.get("/memories", headers={"Authorization": f"Bearer tacit_{SECRET}"})
        server.post("/login", data={"token": token})
        server.get(f"/{SECRET}", headers=mine)
        answer = server.get("/status", headers=mine)

    text = written.getvalue()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("POST", "/memories", 201),
        ("GET", "/recall", 200),
        ("GET", "/memories/{ref}", 404),
        ("GET", "/memories/{ref}/why", 200),
        ("GET", "none", 401),
        ("POST", "/login", 303),
        ("GET", "none", 404),
        ("GET", "/status", 200),
    ]
    assert {line["caller"] for line in lines} == {"ci", ""}
    assert lines[-1]["request"] == answer.headers["x-request-id"]
    assert SECRET not in text
    assert token not in text


def test_a_bug_is_logged_with_its_place_and_without_its_words(location: str, written, monkeypatch):
    def broken(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr(Tacit, "index_view", broken)
    with serving(location) as server:
        server.get("/index")

    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    (bug,) = [line for line in lines if "error" in line]
    assert bug["error"] == "ZeroDivisionError"
    assert "broken" in bug["where"][-1]
    assert SECRET not in written.getvalue()


def test_numbers_are_there_for_prometheus(server: Served):
    server.remember("Tokens live a day")
    server.post("/recall", json={"query": "tokens"})

    text = server.get("/metrics").text

    found = dict(re.findall(r"^(\w+(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE))
    assert found['tacit_memories{kind="fact"}'] == "1.0"
    assert found["tacit_retrieval_duration_seconds_count"] == "1.0"
    name = 'tacit_http_requests_total{method="POST",route="/memories",status="201"}'
    assert found[name] == "1.0"
    assert float(found["tacit_db_bytes"]) > 0


def test_a_server_says_that_it_lives_and_can_answer(server: Served):
    assert server.ask("GET", "/healthz")["status"] == "ok"
    assert server.ask("GET", "/readyz")["status"] == "ok"


def test_a_store_that_cannot_be_opened_is_told_and_looked_for_again(folder):
    place = folder / "shop.db"
    place.mkdir()
    with serving_later(str(place)) as server:
        broken = server.get("/readyz")
        alive = server.get("/healthz")
        place.rmdir()
        well = server.get("/readyz")

    assert problem_of(broken)["code"] == "unavailable"
    assert (alive.status_code, well.status_code) == (200, 200)


def serving_later(location: str):
    """Serve a store that cannot be opened yet."""
    from contextlib import contextmanager

    from rest_server import running

    from tacit.interfaces.rest.app import make_app
    from tacit.interfaces.rest.house import House, Terms
    from tacit.interfaces.rest.tokens import Tokens

    @contextmanager
    def block() -> Iterator[httpx.Client]:
        app = make_app(House(location, terms=Terms(page=False)), Tokens(location + ".tokens"))
        with running(app) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
            yield client

    return block()
