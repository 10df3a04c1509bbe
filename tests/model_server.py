"""A language model on 127.0.0.1 that speaks the real wire formats, and fails on demand.

It answers `/v1/chat/completions` and `/v1/messages` as the providers document them. What it
answers is scripted, one reply a request; the last one is repeated.
"""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Self

CHAT = "/v1/chat/completions"
MESSAGES = "/v1/messages"
SOON = {"retry-after-ms": "1"}  # both SDKs wait as long as this says: no test sleeps


class Reply(NamedTuple):
    """One scripted answer: a text in the format of the path asked, or a fault."""

    text: str = "yes"
    status: int = 200
    headers: Mapping[str, str] = {}
    body: bytes | None = None  # sent as it is, instead of the text in its format
    usage: object = None  # instead of a true one
    promise: int | None = None  # a Content-Length that is not kept
    close: bool = False  # the connection ends before a word is said
    hang: bool = False  # nothing comes until the server is closed
    drip: bool = False  # blanks come one by one until the server is closed
    flood: bool = False  # the same chunk comes until the client has gone


class Asked(NamedTuple):
    """One request as it came, the names of its headers in lower case."""

    path: str
    headers: Mapping[str, str]
    json: dict[str, object]


class ModelServer:
    """Runs while it is entered; `asked` holds what came."""

    def __init__(self, *replies: Reply) -> None:
        self.asked: list[Asked] = []
        self._replies: Sequence[Reply] = replies or (Reply(),)
        self._closing = threading.Event()
        self._turn = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.model = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        """The address without a path, as the anthropic SDK wants it; openai's ends in `/v1`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join(60)
        self._server.server_close()

    def take(self, asked: Asked) -> Reply:
        """Note a request and give the reply it gets."""
        with self._turn:
            self.asked.append(asked)
            return self._replies[min(len(self.asked), len(self._replies)) - 1]

    def wait_for_end(self, seconds: float) -> bool:
        """Wait until the server is closed; tell whether it is."""
        return self._closing.wait(seconds)


class _Server(ThreadingHTTPServer):
    model: ModelServer

    def handle_error(self, *_: object) -> None:
        """Say nothing of clients that have gone: the tests make them go."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer one request by the script."""
        sent = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.model.take(Asked(self.path, headers, sent))
        self.close_connection = True
        if reply.close:
            self.connection.shutdown(socket.SHUT_RDWR)
        elif reply.hang:
            self.server.model.wait_for_end(60)
        elif reply.drip:
            self._pour(b" ", pause=0.01)
        elif reply.flood:
            self._pour(b"x" * 65_536, pause=0)
        else:
            self._say(reply)

    def _say(self, reply: Reply) -> None:
        body = reply.body
        if body is None:
            made = _chat(reply) if self.path == CHAT else _message(reply)
            body = json.dumps(made if reply.status == 200 else _error(reply)).encode()
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("content-type", "application/json")
        length = len(body) if reply.promise is None else reply.promise
        self.send_header("content-length", str(length))
        self.end_headers()
        self.wfile.write(body)

    def _pour(self, chunk: bytes, *, pause: float) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(10**12))
        self.end_headers()
        while not self.server.model.wait_for_end(pause):
            self.wfile.write(chunk)
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def _chat(reply: Reply) -> dict[str, object]:
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1767225600,
        "model": "small",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": reply.text, "refusal": None},
                "logprobs": None,
                "finish_reason": "stop",
            }
        ],
        "usage": usage if reply.usage is None else reply.usage,
    }


def _message(reply: Reply) -> dict[str, object]:
    usage = {
        "input_tokens": 8,
        "cache_creation_input_tokens": 1,
        "cache_read_input_tokens": 2,
        "output_tokens": 3,
    }
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "small",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": reply.text},
        ],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": usage if reply.usage is None else reply.usage,
    }


def _error(reply: Reply) -> dict[str, object]:
    error = {"type": "scripted_error", "message": reply.text, "code": None, "param": None}
    return {"type": "error", "error": error}
