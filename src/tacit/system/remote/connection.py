"""Requests to one server: a connection kept for each thread, time limits, and errors by name.

The standard library's client is enough. What is asked again (a connection that broke, a server
that is busy) is safe to ask again: a question changes nothing, and a change carries a key by
which the server knows it. A server that is not there is told of at once.
"""

from __future__ import annotations

import json
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Lock, local
from urllib.parse import urlsplit
from uuid import uuid4

from tacit.errors import Busy, Conflict, Denied, Invalid, NotFound, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from tacit.errors import TacitError

SECONDS = 90.0  # for an answer; the server itself gives up before
LONG_SECONDS = 3_600.0
CONNECT_SECONDS = 10.0
TRIES = 3
WAITS = (0.2, 1.0)  # seconds before the second and the third try
BUSY = (429, 503)
LINES = "application/x-ndjson"
_ERRORS = {error.code: error for error in (Invalid, NotFound, Conflict, Denied, Unavailable)}


def error_of(code: str, message: str) -> TacitError:
    """Give the error that a server told of; what was a bug there is nothing to act on here."""
    return _ERRORS.get(code, Unavailable)(message)


class Connection:
    """The way to one server; safe from many threads."""

    def __init__(self, location: str, token: str = "") -> None:
        parts = urlsplit(location)
        if not parts.hostname or parts.username or parts.query or parts.fragment:
            raise Invalid(
                "a server is named as http://127.0.0.1:7878; a token goes in token= or TACIT_TOKEN"
            )
        try:
            port = parts.port
        except ValueError:
            raise Invalid(f"{location} has no port that could be asked") from None
        if token and not (token.isascii() and token.isprintable() and " " not in token):
            raise Invalid("this is no token; make one with: tacit serve --add-token")
        self.url = location.rstrip("/")
        self._secure, self._host, self._port = parts.scheme.lower() == "https", parts.hostname, port
        self._path, self._token = parts.path.rstrip("/"), token
        self._mine = local()
        self._open: set[HTTPConnection] = set()
        self._lock = Lock()

    def ask(self, method: str, path: str, body: Any = None, *, seconds: float = SECONDS) -> Any:
        """Send one request and give the JSON of its answer; errors are raised as they were there."""
        data = None if body is None else json.dumps(body).encode()
        headers = self._headers(method)
        for attempt in range(TRIES):
            last = attempt == TRIES - 1
            try:
                status, wait, text = self._once(method, path, data, headers, seconds)
            except (HTTPException, OSError) as error:
                fresh = not getattr(self._mine, "used", False)
                self._drop()
                if last or fresh or isinstance(error, TimeoutError):
                    raise self._away(error) from error
                continue  # it was kept from an earlier request, and closed at the other end since
            if status < 400:
                return self._read(text)
            if status not in BUSY or last:
                raise self._error(status, text, busy=bool(wait))
            time.sleep(WAITS[attempt])
        raise AssertionError("every try ends in an answer or an error")

    def lines(
        self, method: str, path: str, body: bytes | Iterable[bytes] | None, *, told: bool
    ) -> Iterator[str]:
        """Send one request and give the lines of its answer as they come.

        It has a connection of its own. With `told` the answer is asked for line by line.
        """
        connection = self._connect(LONG_SECONDS)
        headers = self._headers(method) | ({"Accept": LINES} if told else {})
        if body is not None and not isinstance(body, bytes):
            headers |= {"Transfer-Encoding": "chunked", "Content-Type": LINES}
        try:
            chunked = "Transfer-Encoding" in headers
            connection.request(method, self._path + path, body, headers, encode_chunked=chunked)
            answer = connection.getresponse()
            if answer.status >= 400:
                raise self._error(answer.status, answer.read(), busy=False)
            for line in answer:
                yield line.decode()
        except (HTTPException, OSError) as error:
            raise self._away(error) from error
        finally:
            connection.close()

    def close(self) -> None:
        """Close what is open, in whichever thread."""
        with self._lock:
            waiting, self._open = self._open, set()
        for connection in waiting:
            connection.close()
        self._mine = local()

    def _once(
        self, method: str, path: str, data: bytes | None, headers: dict[str, str], seconds: float
    ) -> tuple[int, str, bytes]:
        connection: HTTPConnection | None = getattr(self._mine, "connection", None)
        if connection is None:
            connection = self._mine.connection = self._connect(seconds)
            self._mine.used = False
            with self._lock:
                self._open.add(connection)
        if connection.sock is not None:
            connection.sock.settimeout(seconds)
        connection.request(method, self._path + path, data, headers)
        answer: HTTPResponse = connection.getresponse()
        text = answer.read()
        self._mine.used = True
        return answer.status, answer.headers.get("Retry-After", ""), text

    def _connect(self, seconds: float) -> HTTPConnection:
        kind = HTTPSConnection if self._secure else HTTPConnection
        connection = kind(self._host, self._port, timeout=CONNECT_SECONDS)
        try:
            connection.connect()
        except OSError as error:
            raise self._away(error) from error
        connection.sock.settimeout(seconds)
        return connection

    def _drop(self) -> None:
        connection: HTTPConnection | None = getattr(self._mine, "connection", None)
        if connection is not None:
            with self._lock:
                self._open.discard(connection)
            connection.close()
        self._mine.connection = None

    def _headers(self, method: str) -> dict[str, str]:
        found = {"Accept": "application/json"}
        if method != "GET":
            found |= {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}
        return found | ({"Authorization": f"Bearer {self._token}"} if self._token else {})

    def _read(self, text: bytes) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            raise Unavailable(f"{self.url} does not answer as a Tacit server does") from None

    def _error(self, status: int, text: bytes, *, busy: bool) -> TacitError:
        try:
            told = json.loads(text)
            code, detail = str(told["code"]), str(told["detail"])
        except (ValueError, TypeError, KeyError):
            return Unavailable(f"{self.url} answers {status}, and not as a Tacit server does")
        if status == 401:
            detail = f"{detail}; give it in token= or TACIT_TOKEN"
        return Busy(detail) if status == 503 and busy else error_of(code, detail)

    def _away(self, error: Exception) -> Unavailable:
        if isinstance(error, TimeoutError):
            return Unavailable(f"{self.url} did not answer in time; ask for less, or try again")
        if isinstance(error, ConnectionRefusedError):
            return Unavailable(f"there is no server at {self.url}; start one with: tacit serve")
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return Unavailable(f"{self.url} cannot be reached ({str(reason).lower()})")
