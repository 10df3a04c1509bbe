"""Tacit's table in a TOML file: the MCP server of Codex, among tables that stay as they are.

Works on lines, and proves each result by reading it: a file laid out in a way this does not
foresee is refused, not damaged.
"""

from __future__ import annotations

import re
import tomllib
from json import dumps

from tacit.errors import Conflict, Invalid
from tacit.interfaces.install.entries import SERVER, is_our_server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TABLE = "mcp_servers"
_NAME = rf"""(?:{SERVER}|"{SERVER}"|'{SERVER}')"""
_HEADER = re.compile(rf"[ \t]*\[[ \t]*{TABLE}[ \t]*\.[ \t]*{_NAME}[ \t]*(\.[^\]]*)?\]")
_KEY = re.compile(r"[ \t]*(command|args)[ \t]*=")


def connect_toml(text: str, server: dict[str, Any]) -> str:
    """Give the text with the server in it, and nothing else changed."""
    before = _read(text)
    there = server_of(text)
    if there is None:
        result = _append(text, server)
    elif not isinstance(there, dict) or not is_our_server(there):
        raise Conflict(f"{TABLE}.{SERVER} is there already and does not run Tacit; rename it")
    elif all(there.get(key) == value for key, value in server.items()):
        return text
    else:
        result = _renew(text, server)
    servers = _servers(before) | {SERVER: {**_known(there), **server}}
    return _proved(result, before | {TABLE: servers})


def disconnect_toml(text: str) -> str:
    """Give the text without the server's table and those below it."""
    before = _read(text)
    if not is_our_server(server_of(text)):
        return text
    lines, kept, dropping = text.splitlines(keepends=True), list[str](), False
    for line in lines:
        if line.lstrip().startswith("["):
            dropping = _HEADER.match(line) is not None
            if dropping and kept and not kept[-1].strip():
                kept.pop()  # the empty line put before it
        if not dropping or not line.strip() or line.lstrip().startswith("#"):
            kept.append(line)
    servers = {name: entry for name, entry in _servers(before).items() if name != SERVER}
    rest = {name: value for name, value in before.items() if name != TABLE}
    result = "".join(kept)
    return _proved(result, rest | ({TABLE: servers} if servers or TABLE in _read(result) else {}))


def _append(text: str, server: dict[str, Any]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text.strip("\ufeff") else newline
    if text and not text.endswith("\n"):
        gap += newline
    lines = [f"[{TABLE}.{SERVER}]", *(f"{key} = {_toml(value)}" for key, value in server.items())]
    return text + gap + "".join(line + newline for line in lines)


def _renew(text: str, server: dict[str, Any]) -> str:
    """Write the command anew, where it stands; other keys of the table are the user's."""
    result: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("["):
            header = _HEADER.match(line)
            inside = header is not None and header[1] is None
        key = _KEY.match(line) if inside else None
        if key is None:
            result.append(line)
        else:
            end = line[len(line.rstrip("\r\n")) :]
            result.append(f"{key[0]} {_toml(server[key[1]])}{end}")
    return "".join(result)


def _toml(value: object) -> str:
    """Write a text or a list of texts, as JSON writes them: TOML reads that the same."""
    return dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Invalid(f"not valid TOML: {error}") from error


def _servers(document: dict[str, Any]) -> dict[str, Any]:
    servers = document.get(TABLE, {})
    if not isinstance(servers, dict):
        raise Invalid(f"{TABLE} is no table")
    return servers


def server_of(text: str) -> object:
    """Give the entry of Tacit's name; None when there is none."""
    return _servers(_read(text)).get(SERVER)


def _known(entry: object) -> dict[str, Any]:
    return entry if isinstance(entry, dict) else {}


def _proved(text: str, expected: dict[str, Any]) -> str:
    wrong = Invalid(f"{TABLE} is written in a way that cannot be changed safely")
    try:
        if _read(text) == expected:
            return text
    except Invalid:
        raise wrong from None
    raise wrong
