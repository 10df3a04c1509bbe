"""Who may come in: by which name, from which page, with which token. For every route there is."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from fastapi import FastAPI, WebSocket
from rest_server import Served, problem_of, running, serving
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tacit.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from tacit.interfaces.rest.addresses import host_of, is_loopback, may_be_called
from tacit.interfaces.rest.guard import COOKIE, Guard
from tacit.interfaces.rest.house import Terms
from tacit.interfaces.rest.login import Visits
from tacit.interfaces.rest.scopes import OPEN, QUESTIONS, needed
from tacit.interfaces.rest.serve import check
from tacit.interfaces.rest.tokens import SCOPES, Token, Tokens, path_for

if TYPE_CHECKING:
    from collections.abc import Iterator

FOREIGN = ["evil.example.com", "127.0.0.1.evil.example.com", "localhost.evil.example.com", ""]
ORIGINS = ["https://evil.example.com", "null", "http://localhost:1", "file://", "http://127.0.0.1"]


@pytest.fixture
def guarded(location: str) -> Iterator[tuple[Served, dict[str, str]]]:
    """Serve with a token of each scope."""
    with serving(location) as server:
        yield server, {scope: server.tokens.add(scope, scope) for scope in SCOPES}


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def operations(app: FastAPI) -> list[tuple[str, str]]:
    """Give every method and path an app answers, however deep its route lies."""
    found: set[tuple[str, str]] = set()
    for path, methods in app.openapi()["paths"].items():
        found |= {(method.upper(), path) for method in methods}
    waiting: list[Any] = list(app.routes)
    while waiting:
        route = waiting.pop()
        inner = getattr(route, "original_router", None) or getattr(route, "app", None)
        waiting += getattr(inner, "routes", [])
        if path := getattr(route, "path", None):
            found |= {(method, path) for method in getattr(route, "methods", None) or ["POST"]}
    return sorted(found)


def filled(path: str) -> str:
    return re.sub(r"\{[^}]+\}", "abcd2345", path)


def test_every_route_needs_a_token_once_there_is_one(guarded):
    server, _ = guarded
    answered = {
        (method, path): server.request(method, filled(path)).status_code
        for method, path in operations(server.app)
    }

    assert len(answered) > 80
    assert {path for (_, path), status in answered.items() if status != 401} == set(OPEN)


def test_every_route_that_changes_something_needs_more_than_reading(guarded):
    server, secrets = guarded
    refused = set()
    for method, path in operations(server.app):
        if method in ("GET", "HEAD"):
            continue
        answer = server.request(method, filled(path), headers=bearer(secrets["read"]))
        if answer.status_code == 403 and "needs the scope" in answer.text:
            refused.add(path)

    every = {path for method, path in operations(server.app) if method not in ("GET", "HEAD")}
    assert every - refused == {*QUESTIONS, "/login", "/logout"}


def test_what_cannot_be_undone_needs_all_rights(guarded):
    server, secrets = guarded
    whole = set()
    for method, path in operations(server.app):
        answer = server.request(method, filled(path), headers=bearer(secrets["write"]))
        if answer.status_code == 403 and "needs the scope admin" in answer.text:
            whole.add((method, path))

    assert whole == {
        ("POST", "/erase"),
        ("POST", "/blocks/{label}/erase"),
        ("POST", "/import"),
        ("POST", "/mem0/reset"),
        ("DELETE", "/mem0/memories"),
    }


@pytest.mark.parametrize(("scope", "may"), [("read", False), ("write", True), ("admin", True)])
def test_a_scope_may_what_those_below_it_may(guarded, scope: str, may: bool):
    server, secrets = guarded

    read = server.get("/recall?query=x", headers=bearer(secrets[scope]))
    written = server.post("/memories", json={"text": "x y z"}, headers=bearer(secrets[scope]))

    assert read.status_code == 200
    assert written.is_success == may


def test_a_change_is_put_down_to_the_token_it_was_made_with(guarded):
    server, secrets = guarded
    asked = {"json": {"text": "Tokens live a day"}, "headers": bearer(secrets["write"])}
    id_ = server.post("/memories", **asked).json()["memories"][0]["id"]
    server.post(f"/memories/{id_}/forget", headers=bearer(secrets["admin"]))

    history = server.get(f"/memories/{id_}/history", headers=bearer(secrets["read"])).json()

    assert history["history"][-1]["by"] == "admin"


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer tacit_x", "Basic dGFjaXQ6eA=="])
def test_what_is_no_token_opens_nothing(guarded, header: str):
    server, _ = guarded

    answer = server.get("/memories", headers={"Authorization": header})

    assert problem_of(answer)["status"] == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_token_is_taken_away_from_a_server_that_runs(guarded):
    server, secrets = guarded
    assert server.get("/memories", headers=bearer(secrets["read"])).status_code == 200

    server.tokens.revoke("read")

    assert server.get("/memories", headers=bearer(secrets["read"])).status_code == 401


def test_a_file_of_tokens_that_cannot_be_read_lets_nobody_in(guarded):
    server, secrets = guarded
    Path(server.tokens.path).write_text("{}")

    answer = server.get("/memories", headers=bearer(secrets["admin"]))

    assert problem_of(answer)["code"] == "unavailable"


@pytest.mark.parametrize("host", FOREIGN)
@pytest.mark.parametrize(
    "path", ["/memories", "/mcp", "/metrics", "/healthz", "/nowhere", "/login"]
)
def test_a_server_that_is_called_by_another_name_does_not_answer(
    server: Served, host: str, path: str
):
    answer = server.get(path, headers={"Host": host})

    assert problem_of(answer)["status"] == 421


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("path", ["/memories", "/mcp", "/healthz"])
def test_a_page_of_another_site_is_not_answered(server: Served, origin: str, path: str):
    answer = server.post(path, headers={"Origin": origin})

    assert problem_of(answer)["status"] == 403
    assert "access-control-allow-origin" not in answer.headers


def test_what_another_site_loads_by_itself_is_not_answered(server: Served):
    loaded = server.get("/memories", headers={"Sec-Fetch-Site": "cross-site"})
    followed = server.get(
        "/memories", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    )

    assert problem_of(loaded)["status"] == 403
    assert followed.status_code == 200


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "[::1]", "127.0.0.1"])
def test_this_machine_has_several_names(server: Served, host: str):
    answer = server.get(
        "/memories",
        headers={"Host": f"{host}:{server.port}", "Origin": f"http://{host.lower()}:{server.port}"},
    )

    assert answer.status_code == 200


def test_a_name_may_be_added(location: str):
    with serving(location, names=("memory.example.com",)) as server:
        assert server.get("/memories", headers={"Host": "memory.example.com"}).status_code == 200


def test_a_header_that_is_there_twice_is_refused(server: Served):
    request = server.build_request("GET", "/memories")
    headers = [*request.headers.raw, (b"Origin", b"http://a"), (b"Origin", b"http://b")]

    answer = server.send(httpx.Request("GET", request.url, headers=headers))

    assert problem_of(answer)["status"] == 400


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[tuple[int, Tokens, Visits]]:
    """Serve a web socket behind the door."""
    app, tokens, visits = FastAPI(), Tokens(str(tmp_path / "tokens.json")), Visits()
    app.add_middleware(Guard, terms=Terms(), tokens=tokens, visits=visits)

    @app.websocket("/ui/socket")
    async def socket(connection: WebSocket) -> None:
        await connection.accept()
        await connection.send_text("hello")
        await connection.close()

    with running(app) as port:
        yield port, tokens, visits


def heard(port: int, **headers: str) -> str:
    """Connect by web socket and give what it says first."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    host = named.pop("Host", f"127.0.0.1:{port}")
    with connect(
        f"ws://{host}/ui/socket",
        sock=_to(port),
        additional_headers=named,
        proxy=None,
    ) as connection:
        return str(connection.recv())


def _to(port: int) -> Any:
    import socket

    return socket.create_connection(("127.0.0.1", port))


def test_a_web_socket_passes_the_door_like_any_request(echo):
    port, tokens, visits = echo
    mine = f"http://127.0.0.1:{port}"

    assert heard(port) == "hello"
    assert heard(port, Origin=mine) == "hello"
    for wrong in ({"Origin": "https://evil.example.com"}, {"Host": "evil.example.com"}):
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            heard(port, **wrong)

    secret = tokens.add("ana", "admin")
    tokens.add("bot", "write")
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        heard(port, Origin=mine)
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        heard(port, Cookie=f"{COOKIE}={visits.begin('bot')}")
    assert heard(port, Authorization=f"Bearer {secret}") == "hello"
    assert heard(port, Origin=mine, Cookie=f"{COOKIE}={visits.begin('ana')}") == "hello"
    tokens.revoke("ana")
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        heard(port, Cookie=f"{COOKIE}={visits.begin('ana')}")


def test_a_person_shows_a_token_once_and_a_cookie_stands_for_it(guarded):
    server, secrets = guarded
    door = server.get("/ui")
    assert (door.status_code, door.headers["location"]) == (303, "/login?next=/ui")
    assert 'name="token"' in server.get("/login?next=/ui").text
    wrong = server.post("/login", data={"token": "tacit_x", "next": "/ui"})

    entered = server.post("/login", data={"token": secrets["admin"], "next": "/ui/timeline"})

    assert (wrong.status_code, "set-cookie" in wrong.headers) == (401, False)
    assert (entered.status_code, entered.headers["location"]) == (303, "/ui/timeline")
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert secrets["admin"] not in cookie
    assert server.get("/memories").status_code == 200
    server.post("/logout")
    assert server.get("/memories").status_code == 401


@pytest.mark.parametrize("next_", ["https://evil.example.com", "//evil.example.com", "/\\evil", ""])
def test_the_door_leads_nowhere_else(guarded, next_: str):
    server, secrets = guarded

    entered = server.post("/login", data={"token": secrets["admin"], "next": next_})

    assert entered.headers["location"] == "/ui"


def test_the_page_needs_all_rights(guarded):
    server, secrets = guarded

    refused = server.get("/ui", headers=bearer(secrets["write"]))

    assert problem_of(refused)["status"] == 403
    assert needed("websocket", "GET", "/ui/socket") == needed("http", "GET", "/") == "admin"


def test_a_route_nobody_thought_of_is_guarded():
    assert needed("http", "GET", "/new") == "read"
    assert needed("http", "PURGE", "/new") == "write"
    assert needed("http", "POST", "/healthz/x") == "write"
    assert needed("http", "POST", "/new/erase") == "admin"


def test_nobody_else_reaches_a_server_that_needs_no_token(tmp_path: Path):
    tokens = Tokens(str(tmp_path / "tokens.json"))
    for host in ("0.0.0.0", "::", "", "192.168.1.4", "example.com"):
        with pytest.raises(Denied, match="--add-token"):
            check(Terms(host=host), tokens)
    for host in ("127.0.0.1", "localhost", "::1", "127.9.9.9"):
        check(Terms(host=host), tokens)
    tokens.add("ana", "read")
    check(Terms(host="0.0.0.0"), tokens)


def test_a_server_that_can_be_reached_stays_closed_when_the_last_token_goes(location: str):
    with serving(location, host="0.0.0.0") as server:
        answer = server.get("/memories")

    assert problem_of(answer)["status"] in (401, 421)


def test_tokens_are_kept_hashed_for_their_owner_alone(tmp_path: Path):
    tokens = Tokens(path_for(str(tmp_path), "shop.db"))
    secret = tokens.add("ana", "write")
    file = Path(tokens.path)

    assert secret not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    found = Tokens(tokens.path).find(secret)
    assert found is not None
    assert (found.name, found.scope) == ("ana", "write")
    assert tokens.find(secret + "x") is None
    assert tokens.find("") is None


def test_tokens_have_names_of_their_own(tmp_path: Path):
    tokens = Tokens(str(tmp_path / "tokens.json"))
    assert not tokens
    tokens.add("ana", "read")
    with pytest.raises(Conflict, match="already"):
        tokens.add("ana", "admin")
    with pytest.raises(Invalid, match="scope"):
        tokens.add("bot", "owner")
    for name in ("", " x", "a\nb", "x" * 65):
        with pytest.raises(Invalid, match="no name"):
            tokens.add(name, "read")
    with pytest.raises(NotFound, match="bot"):
        tokens.revoke("bot")
    tokens.revoke("ana")
    assert tokens.all() == []


def test_a_broken_file_of_tokens_is_reported(tmp_path: Path):
    path = tmp_path / "tokens.json"
    for text in ("", "[]", '{"tokens": [{"name": "ana"}]}'):
        path.write_text(text)
        with pytest.raises(Unavailable, match="not a file of tokens"):
            Tokens(str(path)).all()
    path.write_text('{"tokens": [{"name": "a", "scope": "owner", "hash": "", "made_at": ""}]}')
    with pytest.raises(Unavailable, match="upgrade"):
        bool(Tokens(str(path)))


def test_scopes_rise():
    made = [Token(name=scope, scope=scope, hash="", made_at="") for scope in SCOPES]

    assert [[token.allows(scope) for scope in SCOPES] for token in made] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_a_visit_ends_and_there_are_never_too_many(monkeypatch: pytest.MonkeyPatch):
    from tacit.interfaces.rest import login

    visits, now = Visits(), [0.0]
    monkeypatch.setattr(login, "monotonic", lambda: now[0])
    first = visits.begin("ana")
    now[0] = login.LASTS - 1.0
    assert visits.of(first) == "ana"
    now[0] = login.LASTS + 1.0
    assert visits.of(first) == ""
    cookies = [visits.begin("ana") for _ in range(login.MOST + 1)]
    assert (visits.of(cookies[0]), visits.of(cookies[-1])) == ("", "ana")


def test_names_are_compared_as_a_browser_would():
    assert host_of("[::1]:80") == ("::1", "80")
    assert host_of("Example.COM.") == ("example.com", "")
    assert is_loopback("[::1]")
    assert not is_loopback("localhost.example.com")
    assert not may_be_called("0.0.0.0", ("0.0.0.0",))
    assert may_be_called("memory.example.com:8080", ("memory.example.com",))
