"""The page about REST, written from the OpenAPI document; see make_reference."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tacit.interfaces.rest.app import make_app
from tacit.interfaces.rest.document import TAGS
from tacit.interfaces.rest.house import House, Terms
from tacit.interfaces.rest.scopes import CALL, needed
from tacit.interfaces.rest.tokens import Tokens
from tacit.interfaces.wire_http import TITLES
from tacit.system.remote.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator


def rest_page(made: str) -> list[str]:
    """Give the lines of the page."""
    with TemporaryDirectory() as folder:
        place = os.path.join(folder, "memory.db")
        document = make_app(
            House(place, terms=Terms(page=False)), Tokens(f"{place}.json")
        ).openapi()
    lines = [
        "# REST",
        "",
        made,
        "",
        "What `tacit serve` answers, from its OpenAPI document, which it gives itself at "
        "`/openapi.json` with every field of every request and answer.",
        "How to start it, and how tokens work: [Serve the memory over HTTP](../howto/serve.md).",
        "",
        "*Needs* is the scope a token must have, once there are tokens.",
        "Required fields are marked with a star.",
    ]
    for tag, about in TAGS.items():
        rows = list(_rows(document, tag))
        if rows:
            lines += ["", f"## {tag[0].upper()}{tag[1:]}", "", about, ""]
            lines += ["| request | takes | needs | does |", "|---|---|---|---|", *rows]
    return [*lines, *_methods(), *_problems()]


def _rows(document: dict[str, Any], tag: str) -> Iterator[str]:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if tag not in operation.get("tags", ()):
                continue
            scope = needed("http", method.upper(), path) or "nothing"
            scope = "that of the method" if path.startswith(CALL) else scope
            told = operation.get("summary", "")
            does = operation.get("description", told).split("\n\n")[0].replace("\n", " ")
            takes = ", ".join([*_query(operation), *_body(document, operation)])
            yield f"| `{method.upper()} {path}` | {takes} | {scope} | {_cell(does)} |"


def _query(operation: dict[str, Any]) -> list[str]:
    return [
        f"`{one['name']}`{'*' if one.get('required') else ''}"
        for one in operation.get("parameters", ())
        if one["in"] == "query"
    ]


def _body(document: dict[str, Any], operation: dict[str, Any]) -> list[str]:
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" not in content:
        return [f"a body of `{name}`" for name in content]
    schema = content["application/json"]["schema"]
    for _ in range(3):  # by way of names, and of what may be left out
        schema = next(iter(schema.get("anyOf", ())), schema)
        if "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    required = schema.get("required", ())
    return [f"`{name}`{'*' * (name in required)}" for name in schema.get("properties", {})]


def _methods() -> list[str]:
    lines = [
        "",
        "## Methods by name",
        "",
        "`POST /call/{verb}` answers these methods of the [Python API](python.md), with the "
        "arguments they have there.",
        'It is made for `Tacit.open("http://…")`; other programs are better off with the '
        "routes above.",
        "",
        "| needs | methods |",
        "|---|---|",
    ]
    for scope in ("read", "write", "admin"):
        names = [f"`{name}`" for name, verb in VERBS.items() if verb.scope == scope]
        lines.append(f"| {scope} | {', '.join(names)} |")
    return lines


def _problems() -> list[str]:
    rows = [f"| {status} | {title} |" for status, title in sorted(TITLES.items())]
    return [
        "",
        "## What goes wrong",
        "",
        "Every error is `application/problem+json` with a `code` of `invalid`, `not_found`, "
        "`conflict`, `denied`, `unavailable` or `internal`.",
        "",
        "| status | means |",
        "|---|---|",
        *rows,
    ]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
