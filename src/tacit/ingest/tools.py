"""What the tools of all hosts do, whatever each host calls them and their arguments.

A call becomes one event, or one for each file of a patch. Paths are given within the session's
folder; everything kept is cleaned.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from tacit.ingest.reading import clean_text, cut_middle, within
from tacit.ingest.tool_names import (
    ADDRESSES,
    AFTER,
    BEFORE,
    COMMANDS,
    OTHERS,
    PATCHES,
    PATHS,
    PATTERNS,
    TASKS,
    tool_of,
)
from tacit.observation import Event, Tool, What

LONGEST_CODE = 2000  # characters kept of what an edit took out and put in
LONGEST_COMMAND = 2000
LONGEST_TARGET = 400
MOST_FILES = 100  # of one patch
MOST_ARGUMENTS = 50  # shown of a call nobody knows
MOST_DEPTH = 5

_WORDS = ("prompt", "todos", "plan", "questions", "question", "message", "objective", "explanation")
_HOMES = re.compile(r"^(?:/home/[^/]+|/Users/[^/]+|/root|[A-Za-z]:/Users/[^/]+)(?=/|$)")
_DRIVE = re.compile(r"^[a-z]:(?=/)")
_PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$")
_ASKED = {Tool.SEARCH: PATTERNS, Tool.WEB: ADDRESSES, Tool.TASK: TASKS, Tool.OTHER: OTHERS}


def uses(name: str, given: dict[str, Any], folder: str, counts: Counter[str]) -> list[Event]:
    """Give what a call does as events without ids, at least one."""
    tool = tool_of(name)
    if patched := [*_patched(_patch_of(tool, given), folder, counts)]:
        return patched
    path = next((given[name] for name in PATHS if given.get(name)), "")
    if tool is Tool.SHELL:
        target = clean_text(_command(given), counts, LONGEST_COMMAND)
        text = clean_text(_first(given, ("description",)), counts, LONGEST_CODE)
        return [_use(tool, target, text)]
    if tool is Tool.READ:
        return [_use(tool, relative(path, folder, counts))]
    if tool in (Tool.EDIT, Tool.WRITE):
        edits = given.get("edits")
        parts = [e for e in edits if isinstance(e, dict)] if isinstance(edits, list) else [given]
        before, after = (
            "\n[…]\n".join(text for part in parts if (text := _first(part, names)))
            for names in (BEFORE, AFTER)
        )
        # The text editor tool does four things: view, create, str_replace, insert.
        command = given.get("command")
        tool = {"view": Tool.READ, "create": Tool.WRITE}.get(str(command), tool)
        return [
            _use(
                tool,
                relative(path, folder, counts),
                before=clean_text(before, counts, LONGEST_CODE),
                after=clean_text(after, counts, LONGEST_CODE),
            )
        ]
    return [_other(tool, given, folder, counts)]


def relative(path: object, folder: str, counts: Counter[str]) -> str:
    """Give a path within the session's folder, however its host writes homes and separators."""
    if isinstance(path, list):
        path = path[0] if path else ""
    path = clean_text(path, counts).removeprefix("file://")  # first: `\n` before a key is a mark
    where = folder.replace("\\", "/")
    if "\\" in path and ("\\" in folder or path[1:3] == ":\\"):
        path = path.replace("\\", "/")
    if path.startswith("~/") != where.startswith("~/"):
        path, where = _HOMES.sub("~", path), _HOMES.sub("~", where)
    path, where = (_DRIVE.sub(lambda found: found[0].upper(), each) for each in (path, where))
    inside = "." if path.rstrip("/") == where.rstrip("/") and path else within(path, where)
    return cut_middle(" ".join(inside.split()), LONGEST_TARGET)


def _use(tool: Tool, target: str, text: str = "", *, before: str = "", after: str = "") -> Event:
    return Event(
        id="", what=What.CALL, tool=tool, target=target, text=text, before=before, after=after
    )


def _other(tool: Tool, given: dict[str, Any], folder: str, counts: Counter[str]) -> Event:
    """Give a call that is neither of a shell nor of files: what it asks, and its words."""
    names = _ASKED.get(tool, ())
    name = next((name for name in names if isinstance(given.get(name), str) and given[name]), "")
    if name in PATHS:
        target = relative(given[name], folder, counts)
    else:
        target = " ".join(clean_text(given.get(name), counts, LONGEST_TARGET).split())
    words = ""
    if tool is Tool.OTHER:
        words = "\n".join(islice(_arguments(given), MOST_ARGUMENTS))
    elif tool not in (Tool.SEARCH, Tool.WEB):
        said = next((given[name] for name in _WORDS if given.get(name)), "")
        words = "\n".join(_items(said)) if isinstance(said, list) else said
    return _use(tool, target, clean_text(words, counts, LONGEST_CODE))


def _items(values: list[Any]) -> Iterator[str]:
    """Give the steps of a plan or the questions of a form, one a line."""
    for value in values[:50]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            words = _first(value, ("content", "step", "question", "description"))
            status = value.get("status")
            if words:
                yield f"[{status}] {words}" if isinstance(status, str) else words


def _arguments(given: object, name: str = "", depth: int = 0) -> Iterator[str]:
    """Give the arguments of a call as `name: value`, a line each; in JSON, escapes hide secrets."""
    inside: Iterable[tuple[object, object]] = ()
    if isinstance(given, dict):
        inside = given.items()
    elif isinstance(given, list):
        inside = enumerate(given)
    else:
        yield f"{name}: {given}"
    for key, item in islice(inside, MOST_ARGUMENTS):
        if depth < MOST_DEPTH:
            yield from _arguments(item, f"{name}.{key}" if depth else str(key), depth + 1)


def _command(given: dict[str, Any]) -> str:
    """Give the command a shell was handed; `bash -lc` around it is no part of it."""
    for name in COMMANDS:
        value = given.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, list) and value:
            words = [part for part in value if isinstance(part, str)]
            if len(words) == 3 and words[1].lower() in ("-c", "-lc", "-command", "/c"):
                return words[2]
            return shlex.join(words)
    return ""


def _patch_of(tool: Tool, given: dict[str, Any]) -> str:
    """Give the patch a call carries: as its argument, or as a command `apply_patch`."""
    if tool is Tool.EDIT:
        return _first(given, PATCHES)
    command = given.get("command", given.get("cmd")) if tool is Tool.SHELL else None
    words = command if isinstance(command, list) else [command]
    texts = [word for word in words if isinstance(word, str)]
    if any("apply_patch" in text[:200] or "applypatch" in text[:200] for text in texts):
        return next((text for text in texts if "*** Begin Patch" in text), "")
    return ""


def _patched(patch: str, folder: str, counts: Counter[str]) -> Iterator[Event]:
    """Give one use for each file of a patch; only the lines that change are kept."""
    path, verb, gone, come, files = "", "", list[str](), list[str](), 0
    for line in [*patch.splitlines(), "*** End Patch"]:
        begins = _PATCHED.match(line)
        if path and (begins or line.startswith("*** End Patch")):
            files += 1
            if files <= MOST_FILES:
                yield _use(
                    Tool.WRITE if verb == "Add" else Tool.EDIT,
                    relative(path, folder, counts),
                    "removed" if verb == "Delete" else "",
                    before=clean_text("\n".join(gone), counts, LONGEST_CODE),
                    after=clean_text("\n".join(come), counts, LONGEST_CODE),
                )
            path, gone, come = "", [], []
        if begins:
            verb, path = begins[1], begins[2].strip()
        elif line.startswith("*** Move to: "):
            path = line.removeprefix("*** Move to: ").strip()
        elif line.startswith("-"):
            gone.append(line[1:])
        elif line.startswith("+"):
            come.append(line[1:])
    if files > MOST_FILES:
        counts["file of a patch beyond the bound"] += files - MOST_FILES


def _first(given: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((v for name in names if isinstance(v := given.get(name), str) and v), "")
