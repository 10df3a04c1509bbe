"""Everything that goes wrong, as a problem in JSON: one function decides status and words."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import compile_path

from tacit.errors import Busy, TacitError
from tacit.interfaces import wire_http

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from fastapi import FastAPI
    from starlette.requests import Request

SHOWN = 10  # of the places where a request is not as described
RETRY = {"retry-after": "1"}
MET = "tacit_problem"  # where a problem is left that others would take for a broken body


class Problem(Exception):
    """An answer that is an error in the words of HTTP rather than of memory: 412, 413, 429."""

    def __init__(
        self, status: int, detail: str, headers: Mapping[str, str] | None = None, code: str = ""
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.code = status, detail, code
        self.headers = dict(headers or {})


def told(error: BaseException) -> Problem:
    """Give the problem an error is to the one who asked; a bug tells nothing of what it met."""
    match error:
        case Problem():
            return error
        case TacitError():
            headers = RETRY if isinstance(error, Busy) else None
            return Problem(wire_http.STATUS[error.code], str(error), headers, error.code)
        case TimeoutError():
            return Problem(504, "the answer took too long; ask for less, or try again", RETRY)
        case UnicodeError() | RecursionError():
            return Problem(400, "the request holds text or nesting that cannot be kept")
        case OSError():
            reason = (error.strerror or type(error).__name__).lower()
            return Problem(503, f"the server cannot read or write a file: {reason}")
        case _:
            return Problem(500, f"unexpected {type(error).__name__}; see the log of the server")


def answer(problem: Problem) -> Response:
    """Give the answer for a problem."""
    return _response(
        problem.status,
        wire_http.problem(problem.status, problem.detail, problem.code),
        problem.headers,
    )


def add_to(app: FastAPI) -> None:
    """Let the app answer in this form whatever is raised."""

    @app.exception_handler(TacitError)
    @app.exception_handler(Problem)
    @app.exception_handler(TimeoutError)
    @app.exception_handler(OSError)
    @app.exception_handler(UnicodeError)
    @app.exception_handler(RecursionError)
    async def known(_request: Request, error: Exception) -> Response:
        return answer(told(error))

    @app.exception_handler(Exception)
    async def unknown(_request: Request, error: Exception) -> Response:
        return answer(told(error))

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        if (problem := request.scope.get(MET)) is not None:
            return answer(problem)
        detail = error.detail if error.detail != _phrase(error.status_code) else ""
        detail = detail or wire_http.TITLES.get(error.status_code, "something is wrong").lower()
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        if error.status_code == 405:
            headers["allow"] = ", ".join(allowed(app, request.url.path))
        return answer(Problem(error.status_code, detail, headers))

    @app.exception_handler(RequestValidationError)
    async def malformed(_request: Request, error: RequestValidationError) -> Response:
        errors = [_place(one) for one in error.errors()[:SHOWN]]
        first = f"{errors[0]['where']}: {errors[0]['message']}" if errors else "not as described"
        return _response(422, wire_http.problem(422, first, errors=errors), {})


def allowed(app: FastAPI, path: str) -> list[str]:
    """Give what can be done at a path: all of it, where several routes share the path."""
    found: set[str] = set()
    for pattern, methods in app.openapi()["paths"].items():
        if compile_path(pattern)[0].match(path):
            found |= {method.upper() for method in methods}
    return sorted(found)


def _place(error: Any) -> dict[str, str]:
    """Tell where something is wrong and what, never what was sent."""
    where = ".".join(str(part) for part in error.get("loc", ()))
    return {"where": where or "body", "message": str(error.get("msg", "not as described"))}


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _response(status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> Response:
    data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    return Response(data, status, {**headers}, wire_http.PROBLEM)


def listed(statuses: Sequence[int]) -> dict[str, str]:
    """Give what each status means, for the document of the API."""
    return {str(status): wire_http.TITLES[status] for status in statuses}
