"""Tacit's entries in a host's JSON settings: put in once, kept up to date, taken out again.

An entry is known by what it runs, so those of an older Tacit are found too. What others wrote
is neither moved nor changed.
"""

from __future__ import annotations

from tacit.errors import Conflict, Invalid
from tacit.interfaces.install.entries import SERVER, is_our_hook, is_our_server
from tacit.interfaces.install.spans import find, read_spans
from tacit.interfaces.install.splice import cut, inside, put, refill, swap
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.interfaces.install.spans import Node

    Path = tuple[str, ...]

_CHANGES_MAX = 10_000  # more changes than a settings file can have parts
_FIRM = ("type", "command", "args")  # of a server; all else the user may have set otherwise


class Wanted(Value):
    """What a settings file is to hold of Tacit's."""

    hooks: dict[str, dict[str, Any]] = {}
    servers: Path | None = None  # where the MCP servers are
    server: dict[str, Any] = {}
    version: int | None = None


def connect(text: str, wanted: Wanted) -> str:
    """Give the text with all that is wanted in it, and nothing else changed."""
    text = text if text.strip("\ufeff \t\r\n") else text.strip(" \t\r\n") + "{}\n"
    if read_spans(text).kind != "object":
        raise Invalid("it holds no object")
    if wanted.version is not None and find(read_spans(text), ("version",)) is None:
        text = put(text, (), wanted.version, "version")
    if wanted.hooks:
        text = _tidy(text, wanted)
        for event, value in wanted.hooks.items():
            text = _add_hook(text, event, value)
    if wanted.servers is not None:
        text = _add_server(text, wanted.servers, wanted.server)
    return text


def disconnect(text: str, servers: Path | None, blanks: dict[Path, str]) -> str:
    """Give the text without Tacit's entries; `blanks` are the containers that were empty."""
    for _ in range(_CHANGES_MAX):
        root = read_spans(text)
        found = _our_hooks(root) or _our_server(root, servers)
        if not found:
            break
        text = _cut_out(text, found[0], blanks)
    for path, inner in blanks.items():
        if inside(text, path) is not None:
            text = refill(text, path, inner)
    return text


def blanks_of(text: str, wanted: Wanted) -> dict[Path, str]:
    """Give the containers of a text which are empty and will be filled, with their inside."""
    paths: set[Path] = {(), ("hooks",), *(("hooks", event) for event in wanted.hooks)}
    servers = wanted.servers or ()
    paths |= {servers[:length] for length in range(1, len(servers) + 1)}
    found = {path: inside(text, path) for path in sorted(paths)}
    return {path: inner for path, inner in found.items() if inner is not None}


def is_bare(text: str) -> bool:
    """Tell whether nothing is left but what every file of its kind has."""
    value = read_spans(text).value()
    return (
        isinstance(value, dict)
        and set(value) <= {"version"}
        and "//" not in text
        and "/*" not in text
    )


def _tidy(text: str, wanted: Wanted) -> str:
    """Take out what an older Tacit wrote and what stands there twice."""
    for _ in range(_CHANGES_MAX):
        root = read_spans(text)
        seen: set[str] = set()
        for path in _our_hooks(root):
            event, element = path[1].key, path[2]
            right = event in wanted.hooks
            if not right or len(path) > 3 or event in seen:
                text = _cut_out(text, path, {("hooks", event): ""} if right else {})
                break
            seen.add(event)
            if element.value() != wanted.hooks[event]:
                text = swap(text, element, wanted.hooks[event])
                break
        else:
            return text
    return text


def _add_hook(text: str, event: str, value: dict[str, Any]) -> str:
    root = read_spans(text)
    if any(path[1].key == event for path in _our_hooks(root)):
        return text
    hooks = _expect(root, ("hooks",), "object")
    if hooks is None:
        return put(text, (), {event: [value]}, "hooks")
    if _expect(root, ("hooks", event), "array") is None:
        return put(text, ("hooks",), [value], event)
    return put(text, ("hooks", event), value)


def _add_server(text: str, servers: Path, server: dict[str, Any]) -> str:
    root = read_spans(text)
    for length in range(1, len(servers) + 1):
        if _expect(root, servers[:length], "object") is None:
            nested: dict[str, Any] = {SERVER: server}
            for key in reversed(servers[length:]):
                nested = {key: nested}
            return put(text, servers[: length - 1], nested, servers[length - 1])
    path = (*servers, SERVER)
    there = find(root, path)
    if there is None:
        return put(text, servers, server, SERVER)
    if not is_our_server(there.value()):
        raise Conflict(f"{'.'.join(path)} is there already and does not run Tacit; rename it")
    for key in _FIRM:
        entry = find(read_spans(text), path)
        part = entry.member(key) if entry else None
        if key in server and part is None:
            text = put(text, path, server[key], key)
        elif part is not None and key in server and part.value() != server[key]:
            text = swap(text, part, server[key])
    return text


def _expect(root: Node, path: Path, kind: str) -> Node | None:
    node = find(root, path)
    if node is not None and node.kind != kind:
        raise Invalid(f"{'.'.join(path)} is no {kind}")
    return node


def _our_hooks(root: Node) -> list[list[Node]]:
    """Give the way to each handler of ours: hooks, event, element.

    Where others stand in the same element, the way goes on: its list, the handler.
    """
    hooks = root.member("hooks")
    found: list[list[Node]] = []
    if hooks is None or hooks.kind != "object":
        return found
    for event in hooks.parts:
        for element in event.parts if event.kind == "array" else ():
            inner = element.member("hooks")
            handlers = (element,) if inner is None else inner.parts
            ours = [part for part in handlers if is_our_hook(part.value())]
            if inner is None or len(inner.parts) == 1:
                found += [[hooks, event, element] for _ in ours]
            else:
                found += [[hooks, event, element, inner, part] for part in ours]
    return found


def _our_server(root: Node, servers: Path | None) -> list[list[Node]]:
    if servers is None:
        return []
    nodes = [find(root, servers[:length]) for length in range(1, len(servers) + 1)]
    entry = find(root, (*servers, SERVER))
    if entry is None or not is_our_server(entry.value()):
        return []
    return [[*(node for node in nodes if node), entry]]


def _cut_out(text: str, way: list[Node], blanks: dict[Path, str]) -> str:
    """Cut out the last node of a way, and what is above it if that leaves it empty."""
    nodes = [read_spans(text), *way]
    paths = [tuple(node.key for node in way[:length]) for length in range(len(nodes))]
    target = len(nodes) - 1
    while target > 1 and len(nodes[target - 1].parts) == 1 and paths[target - 1] not in blanks:
        target -= 1
    return cut(text, nodes[target - 1], nodes[target])
