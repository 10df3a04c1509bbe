"""What HTTP adds to the shapes: a status for every code, the form of a problem, pages and steps.

The codes and words are those of `tacit.errors`; nothing here knows of a web framework.
"""

from __future__ import annotations

from tacit.interfaces import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Object = dict[str, Any]

STATUS = {
    "invalid": 400,
    "denied": 403,
    "not_found": 404,
    "conflict": 409,
    "internal": 500,
    "unavailable": 503,
}
# Statuses that say more than their code does, and the code they belong to.
CLOSER = {
    401: "denied",
    405: "invalid",
    406: "invalid",
    408: "unavailable",
    411: "invalid",
    412: "conflict",
    413: "invalid",
    415: "invalid",
    421: "denied",
    422: "invalid",
    429: "unavailable",
    431: "invalid",
    504: "unavailable",
}
TITLES = {
    400: "The request cannot mean anything",
    401: "A token is needed",
    403: "This is not allowed",
    404: "There is no such thing",
    405: "This cannot be done here",
    406: "There is no such form of it",
    408: "The request did not come to its end",
    409: "It clashes with what is there",
    411: "The length is missing",
    412: "It has changed since it was read",
    413: "This is too much at once",
    415: "This is not the form that is read",
    421: "This server is not called so",
    422: "The request is not of the form that is described",
    429: "Too many requests",
    431: "The headers are too long",
    500: "A bug in Tacit",
    503: "It could not be looked or written",
    504: "It took too long",
}
PROBLEM = "application/problem+json"
LINES = "application/x-ndjson"


def code_of(status: int) -> str:
    """Give the code that belongs to a status."""
    known = {number: code for code, number in STATUS.items()} | CLOSER
    return known.get(status, "invalid" if status < 500 else "internal")


def problem(status: int, detail: str, code: str = "", errors: Sequence[Object] = ()) -> Object:
    """Give the body of every answer that is an error, as RFC 9457 describes it."""
    code = code or code_of(status)
    shape = {
        "type": "about:blank",
        "title": TITLES.get(status, "Something is wrong"),
        "status": status,
        "detail": detail,
        "code": code,
        **wire.error(code, detail),
    }
    return shape | ({"errors": [*errors]} if errors else {})


def page(name: str, items: Sequence[Object], following: str | None) -> Object:
    """Give one page of a list, and what to ask for the next with; null where it is the last."""
    return {name: [*items], "next": following}


def step(name: str, count: int) -> Object:
    """Give one line of what long work tells while it goes on."""
    return {"event": "progress", "step": name, "count": count}


def result(shape: Object) -> Object:
    """Give the last line of long work: what came of it."""
    return {"event": "result", "result": shape}


def failure(status: int, detail: str, code: str = "") -> Object:
    """Give the last line of long work that did not end well."""
    return {"event": "error", **problem(status, detail, code)}
