"""A real server on a port of this machine, in a thread, and a client that knows its address."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import uvicorn

from tacit.interfaces.rest.app import make_app, tokens_of
from tacit.interfaces.rest.house import House, Terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI

    from tacit.interfaces.rest.tokens import Tokens

PATIENCE = 60.0  # seconds; a server that takes longer hangs


class Served(httpx.Client):
    """A client of one server; relative paths lead to it."""

    def __init__(self, app: FastAPI, house: House, tokens: Tokens, port: int) -> None:
        super().__init__(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, trust_env=False)
        self.app, self.house, self.tokens, self.port = app, house, tokens, port

    def ask(self, method: str, path: str, status: int = 200, **options: Any) -> Any:
        """Ask for something that must end with a status, and give the body."""
        answer = self.request(method, path, **options)
        assert answer.status_code == status, answer.text
        return answer.json()

    def remember(self, text: str, **fields: Any) -> Any:
        """Keep one memory and give it."""
        answer = self.post("/memories", json={"text": text, **fields})
        assert answer.is_success, answer.text
        return answer.json()["memories"][0]


@contextmanager
def serving(location: str, **terms: Any) -> Iterator[Served]:
    """Serve a store until the block ends."""
    house = House(location, terms=Terms(**{"page": False} | terms))
    tokens = tokens_of(house)
    app = make_app(house, tokens)
    with running(app) as port, Served(app, house, tokens, port) as client:
        yield client


@contextmanager
def running(app: Any) -> Iterator[int]:
    """Run an app in a thread and give its port."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app, log_config=None, access_log=False, timeout_graceful_shutdown=5, lifespan="on"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive()


def problem_of(answer: httpx.Response) -> Any:
    """Give the problem of an answer that is one."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["error"] == {"code": body["code"], "message": body["detail"]}
    return body
