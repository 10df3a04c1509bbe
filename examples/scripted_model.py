"""A language model that says what it is told to, on 127.0.0.1: so the examples need no network.

It speaks the Messages API, whole or as a stream. `answer` is a function from a request to the
blocks of content the model gives; a block of type `tool_use` lets it use a tool.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Blocks = list[dict[str, Any]]
Answer = Callable[[dict[str, Any]], Blocks]


@contextmanager
def scripted_model(answer: Answer) -> Iterator[str]:
    """Run the model while the block lasts; give its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            message = _message(asked, answer(asked))
            if asked.get("stream"):
                self._send("text/event-stream", "".join(_events(message)))
            else:
                self._send("application/json", json.dumps(message))

        def do_HEAD(self) -> None:
            self._send("text/plain", "")

        do_GET = do_HEAD  # noqa: N815 - the name the server looks for

        def _send(self, type_: str, text: str) -> None:
            body = text.encode()
            self.send_response(200)
            self.send_header("content-type", type_)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


def text(words: str) -> Blocks:
    """Say something."""
    return [{"type": "text", "text": words}]


def use(tool: str, number: int, **given: Any) -> Blocks:
    """Use a tool."""
    return [{"type": "tool_use", "id": f"toolu_{number}", "name": tool, "input": given}]


def _message(asked: dict[str, Any], content: Blocks) -> dict[str, Any]:
    uses = any(block["type"] == "tool_use" for block in content)
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": asked.get("model", "scripted"),
        "content": content,
        "stop_reason": "tool_use" if uses else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }


def _events(message: dict[str, Any]) -> Iterator[str]:
    """Give a message as the events of a stream."""
    begun = message | {"content": [], "stop_reason": None}
    yield _event("message_start", message=begun)
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = block | {"text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            given = json.dumps(block["input"])
            start = block | {"input": {}}
            delta = {"type": "input_json_delta", "partial_json": given}
        yield _event("content_block_start", index=index, content_block=start)
        yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=end, usage=message["usage"])
    yield _event("message_stop")


def _event(type_: str, **fields: Any) -> str:
    return f"event: {type_}\ndata: {json.dumps({'type': type_} | fields)}\n\n"
