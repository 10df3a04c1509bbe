"""What the tools of all hosts do, whatever each host calls them and their arguments.

A call becomes one `Use`, or one for each file of a patch. Paths are given within the session's
folder; everything kept is cleaned.
"""

from __future__ import annotations

from itertools import islice

from tacit.ingest.raw import keep
from tacit.ingest.reading import cut_middle, within
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
from tacit.observation import Tool
from tacit.pattern import pattern
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator
    from typing import Any

LONGEST_CODE = 2000  # characters kept of what an edit took out and put in
LONGEST_COMMAND = 2000
LONGEST_TARGET = 400
MOST_FILES = 100  # of one patch
MOST_ARGUMENTS = 50  # shown of a call nobody knows
MOST_DEPTH = 5

_WORDS = ("prompt", "todos", "plan", "questions", "question", "message", "objective", "explanation")
_HOMES = pattern(r"^(?:/home/[^/]+|/Users/[^/]+|/root|[A-Za-z]:/Users/[^/]+)(?=/|$)")
_DRIVE = pattern(r"^[a-z]:(?=/)")
_PATCHED = pattern(r"^\*\*\* (Add|Update|Delete) File: (.+)$")


class Use(Value):
    """What a call does to one thing."""

    tool: Tool
    target: str = ""
    text: str = ""
    before: str = ""
    after: str = ""


def uses(name: str, given: dict[str, Any], folder: str, counts: Counter[str]) -> list[Use]:
    """Give what a call does, at least one use."""
    tool = tool_of(name)
    if patch := _patch_of(tool, given):
        patched = [*_patched(patch, folder, counts)]
        if patched:
            return patched
    if tool is Tool.SHELL:
        command = _command(given)
        target = keep(command, counts, LONGEST_COMMAND)
        return [Use(tool=tool, target=target, text=_clean(given, ("description",), counts))]
    if tool in (Tool.EDIT, Tool.WRITE):
        return [_edit(tool, given, folder, counts)]
    return [_other(tool, given, folder, counts)]


def relative(path: object, folder: str, counts: Counter[str]) -> str:
    """Give a path within the session's folder, however its host writes homes and separators."""
    if isinstance(path, list):
        path = path[0] if path else ""
    if not isinstance(path, str) or not path:
        return ""
    path = keep(path, counts, 4000).removeprefix("file://")  # first: `\n` before a key is a mark
    where = folder.replace("\\", "/")
    path = (
        path.replace("\\", "/") if "\\" in path and ("\\" in folder or path[1:3] == ":\\") else path
    )
    if path.startswith("~/") != where.startswith("~/"):
        path, where = _HOMES.sub("~", path), _HOMES.sub("~", where)
    path, where = (_DRIVE.sub(lambda found: found[0].upper(), each) for each in (path, where))
    inside = "." if path.rstrip("/") == where.rstrip("/") and path else within(path, where)
    return cut_middle(" ".join(inside.split()), LONGEST_TARGET)


def _edit(tool: Tool, given: dict[str, Any], folder: str, counts: Counter[str]) -> Use:
    edits = given.get("edits")
    parts = [e for e in edits if isinstance(e, dict)] if isinstance(edits, list) else [given]
    before = "\n[…]\n".join(text for part in parts if (text := _first(part, BEFORE)))
    after = "\n[…]\n".join(text for part in parts if (text := _first(part, AFTER)))
    command = given.get("command")  # of the text editor tool: view, create, str_replace, insert
    if command == "view":
        tool = Tool.READ
    elif command == "create":
        tool = Tool.WRITE
    return Use(
        tool=tool,
        target=relative(_path(given), folder, counts),
        before=_code(before, counts),
        after=_code(after, counts),
    )


def _other(tool: Tool, given: dict[str, Any], folder: str, counts: Counter[str]) -> Use:
    if tool is Tool.READ:
        return Use(tool=tool, target=relative(_path(given), folder, counts))
    names = {
        Tool.SEARCH: PATTERNS,
        Tool.WEB: ADDRESSES,
        Tool.TASK: TASKS,
        Tool.PLAN: (),
        Tool.ASK: (),
    }.get(tool, OTHERS)
    name = next((name for name in names if isinstance(given.get(name), str) and given[name]), "")
    if name in PATHS:
        target = relative(given[name], folder, counts)
    else:
        target = " ".join(_clean(given, (name,), counts, LONGEST_TARGET).split())
    return Use(tool=tool, target=target, text=_said(tool, given, counts))


def _said(tool: Tool, given: dict[str, Any], counts: Counter[str]) -> str:
    """Give the words of a call that has any: a task, a plan, a question; else its arguments."""
    if tool in (Tool.SEARCH, Tool.WEB):
        return ""
    if tool is Tool.OTHER:
        return _code("\n".join(islice(_arguments(given), MOST_ARGUMENTS)), counts)
    for name in _WORDS:
        value = given.get(name)
        if isinstance(value, str) and value:
            return keep(value, counts, LONGEST_CODE)
        if isinstance(value, list) and value:
            return keep("\n".join(_items(value)), counts, LONGEST_CODE)
    return ""


def _items(values: list[Any]) -> Iterator[str]:
    """Give the steps of a plan or the questions of a form, one a line."""
    for value in values[:50]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            words = next(
                (value[n] for n in ("content", "step", "question", "description") if value.get(n)),
                "",
            )
            status = value.get("status")
            if isinstance(words, str) and words:
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
            import shlex

            return shlex.join(words)
    return ""


def _patch_of(tool: Tool, given: dict[str, Any]) -> str:
    """Give the patch a call carries: as its argument, or as a command `apply_patch`."""
    if tool is Tool.EDIT:
        patch = _first(given, PATCHES)
        return patch if "*** " in patch else ""
    if tool is Tool.SHELL:
        command = given.get("command", given.get("cmd"))
        words: list[Any] = command if isinstance(command, list) else [command]
        texts = [word for word in words if isinstance(word, str)]
        if any("apply_patch" in text[:200] or "applypatch" in text[:200] for text in texts):
            return next((text for text in texts if "*** Begin Patch" in text), "")
    return ""


def _patched(patch: str, folder: str, counts: Counter[str]) -> Iterator[Use]:
    """Give one use for each file of a patch; only the lines that change are kept."""
    path, verb, gone, come, files = "", "", list[str](), list[str](), 0
    for line in [*patch.splitlines(), "*** End Patch"]:
        begins = _PATCHED.match(line)
        if path and (begins or line.startswith("*** End Patch")):
            files += 1
            if files <= MOST_FILES:
                yield _patched_file(verb, path, gone, come, folder, counts)
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


def _patched_file(
    verb: str, path: str, gone: list[str], come: list[str], folder: str, counts: Counter[str]
) -> Use:
    return Use(
        tool=Tool.WRITE if verb == "Add" else Tool.EDIT,
        target=relative(path, folder, counts),
        text="removed" if verb == "Delete" else "",
        before=_code("\n".join(gone), counts),
        after=_code("\n".join(come), counts),
    )


def _path(given: dict[str, Any]) -> object:
    return next((given[name] for name in PATHS if given.get(name)), "")


def _first(given: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((v for name in names if isinstance(v := given.get(name), str) and v), "")


def _clean(
    given: dict[str, Any], names: tuple[str, ...], counts: Counter[str], most: int = LONGEST_CODE
) -> str:
    return keep(_first(given, names), counts, most)


def _code(text: str, counts: Counter[str]) -> str:
    return keep(text, counts, LONGEST_CODE)
