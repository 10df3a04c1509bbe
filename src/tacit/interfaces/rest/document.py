"""The OpenAPI document: what each route needs, and the one form of everything that goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.openapi.utils import get_openapi

from tacit import __version__
from tacit.interfaces.rest import told
from tacit.interfaces.rest.problems import listed
from tacit.interfaces.rest.scopes import needed
from tacit.interfaces.wire_http import PROBLEM

if TYPE_CHECKING:
    from typing import Any

    from fastapi import FastAPI
    from fastapi.routing import APIRoute

TITLE = "Tacit"
ABOUT = """\
Memory for coding agents: what was decided, learnt and done, found again when it matters.

The verbs, shapes and errors are those of the command line and of MCP. Errors are
`application/problem+json` with a stable `code`. Reads have an `ETag`; writes take `If-Match`
where they change one thing, and an `Idempotency-Key` that holds for a day. Long work is told line
by line where `Accept` is `application/x-ndjson`. Where tokens are set up each request needs one,
with the scope `read`, `write` or `admin`."""
TAGS = {
    "memories": "Keep, read, change and put away.",
    "questions": "Recall, briefings, predictions, views, and why.",
    "staying true": "Cycles, contradictions, and what waits for a person.",
    "sessions": "What agents were handed, and why.",
    "at hand": "Blocks, ledgers, handoffs, and what is being done now.",
    "files": "Memory as files that a hash makes safe to change.",
    "the store": "What it holds, what it cost, all of it out and in.",
    "the facade": "Every method of the Python API by name, for Tacit's own client.",
    "context": "The context interface of the first design.",
    "loki-mode": "The interface of loki-mode.",
    "mem0": "The interface of mem0's own server.",
    "health": "How the server is.",
}
# Any request can meet these: the door, the limits, the form, a bug, a busy store.
ALWAYS = (400, 401, 403, 408, 413, 421, 422, 429, 500, 503, 504)
NAMED = (404, 409)  # where something is named
WRITES = (409, 412)
METHODS = ("get", "put", "post", "delete", "patch")
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "the same key with the same request is done once and told as often as asked",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}
NO_KEY = ("/consolidate", "/import", "/api/memory/consolidate", "/mem0/configure", "/mem0/reset")


def name_of(route: APIRoute) -> str:
    """Give the name of an operation, by which generated clients call it."""
    tag = str(route.tags[0]) if route.tags else "door"
    return f"{tag}_{route.name}".replace(" ", "_").replace("-", "_")


def add_to(app: FastAPI) -> None:
    """Let the app tell of itself as described here."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # how FastAPI is told


def _document(app: FastAPI) -> dict[str, Any]:
    made = get_openapi(
        title=TITLE,
        version=__version__,
        description=ABOUT,
        routes=app.routes,
        tags=[{"name": name, "description": words} for name, words in TAGS.items()],
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    parts = made.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    problem = told.Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= problem.pop("$defs", {}) | {"Problem": problem}
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    parts["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "made with: tacit serve --add-token NAME --allow read|write|admin",
        }
    }
    for path, methods in made["paths"].items():
        for method in METHODS:
            if method in methods:
                _complete(path, method, methods[method])
    return made


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    """Add to one operation what all of them have in common."""
    scope = needed("http", method.upper(), path)
    writes = method != "get" and scope != "read"
    operation["security"] = [{"token": []}] if scope else []
    operation["x-scope"] = scope
    if writes and path not in NO_KEY:
        operation.setdefault("parameters", []).append(KEY)
    responses = operation["responses"]
    statuses = [*ALWAYS, *NAMED, *(WRITES if writes else ())]
    for status, words in listed(sorted(set(statuses))).items():
        content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        responses[status] = {"description": words, "content": content}
    if method == "get":
        responses["304"] = {"description": "The one that asks has it already"}
    for status, response in responses.items():
        if status.startswith("2"):
            _headers(response, tagged=method == "get")


def _headers(response: dict[str, Any], *, tagged: bool) -> None:
    text = {"schema": {"type": "string"}}
    headers = response.setdefault("headers", {})
    headers["X-Request-Id"] = {"description": "named in the log of the server", **text}
    if tagged:
        headers["ETag"] = {"description": "for If-None-Match and If-Match", **text}
