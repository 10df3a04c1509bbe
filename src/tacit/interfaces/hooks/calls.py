"""What a tool was asked to do and what came of it, as the payloads of all hosts tell it."""

from __future__ import annotations

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
from tacit.interfaces.hooks.payload import LONGEST_CODE, LONGEST_OUTPUT, cut, mapping, text
from tacit.observation import Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST_TARGET = 2000
MOST_BLOCKS = 50  # of an output or an edit in several parts
_OUTPUTS = (
    "output llmContent returnDisplay textResultForLlm text_result_for_llm content text result "
    "error message file"
).split()
_EXITS = ("exit code", "process exited with code", "<exited with exit code")
_FAILED = ("failure", "error", "rejected", "denied", "timeout")
_TARGETS = {
    Tool.SHELL: COMMANDS,
    Tool.READ: PATHS,
    Tool.EDIT: PATHS,
    Tool.WRITE: PATHS,
    Tool.SEARCH: PATTERNS,
    Tool.WEB: ADDRESSES,
    Tool.TASK: TASKS,
    Tool.PLAN: (),
    Tool.ASK: (),
    Tool.OTHER: OTHERS,
}


def asked(name: str, given: object) -> dict[str, Any]:
    """Give the fields of a happening that tell what a tool is to do: tool, target, an edit.

    A patch of several files is told by its first.
    """
    arguments = mapping(given)
    tool = tool_of(name)
    if patch := _patch(tool, arguments, given):
        return {"name": name} | _patched(patch)
    command = arguments.get("command")
    if tool is Tool.EDIT and command in ("view", "create"):  # of the text editor tool
        tool = Tool.READ if command == "view" else Tool.WRITE
    parts = arguments.get("edits")
    edits = parts[:MOST_BLOCKS] if isinstance(parts, list) else [arguments]
    changes = tool in (Tool.EDIT, Tool.WRITE)
    return {
        "tool": tool,
        "name": name,
        "target": _target(tool, arguments),
        "before": _joined(edits, BEFORE) if changes else "",
        "after": _joined(edits, AFTER) if changes else "",
    }


def came(tool: Tool, response: object) -> tuple[str, bool]:
    """Give what a tool gave back and whether that says it failed.

    Words on the error stream alone are no failure: many programs tell their progress there.
    """
    told = mapping(response)
    if told:
        words, failed = _printed(told), _failed(told)
    elif isinstance(response, list):
        words, failed = _blocks(response), False
    else:
        words, failed = response if isinstance(response, str) else "", False
    words = cut(words, LONGEST_OUTPUT)
    return words, failed or (tool is Tool.SHELL and _says_failed(words))


def _target(tool: Tool, arguments: dict[str, Any]) -> str:
    for name in _TARGETS[tool]:
        value = arguments.get(name)
        if isinstance(value, list):  # `bash -lc …` in parts, or several paths
            words = [word for word in value[:MOST_BLOCKS] if isinstance(word, str)]
            if tool is Tool.SHELL:
                wrapped = len(words) == 3 and words[1].lower() in ("-c", "-lc", "-command", "/c")
                value = words[2] if wrapped else " ".join(words)
            else:
                value = words[0] if words else ""
        if isinstance(value, str) and value.strip():
            return cut(value.strip(), LONGEST_TARGET)
    return ""


def _patch(tool: Tool, arguments: dict[str, Any], given: object) -> str:
    """Give the patch a call carries: as its argument, as a command, or as all it was given."""
    if tool not in (Tool.EDIT, Tool.SHELL):
        return ""
    words = [given, *(arguments.get(name) for name in (*PATCHES, "command", "cmd"))]
    words += [word for each in words if isinstance(each, list) for word in each[:MOST_BLOCKS]]
    return next((w for w in words if isinstance(w, str) and "*** Begin Patch" in w), "")


def _patched(patch: str) -> dict[str, Any]:
    """Tell the first file of a patch and the lines that change in it."""
    tool, target, gone, come = Tool.EDIT, "", list[str](), list[str]()
    for line in patch.splitlines():
        verb, mark, path = line.partition(" File: ")
        if mark and verb in ("*** Add", "*** Update", "*** Delete"):
            if target:
                break
            tool = Tool.WRITE if verb == "*** Add" else Tool.EDIT
            target = cut(path.strip(), LONGEST_TARGET)
        elif target and line[:1] in "+-":
            (come if line.startswith("+") else gone).append(line[1:])
    before, after = (cut("\n".join(lines), LONGEST_CODE) for lines in (gone, come))
    return {"tool": tool, "target": target, "before": before, "after": after}


def _joined(edits: list[Any], names: tuple[str, ...]) -> str:
    found = (text(mapping(edit), *names, most=LONGEST_CODE) for edit in edits)
    return cut("\n[…]\n".join(words for words in found if words), LONGEST_CODE)


def _printed(told: dict[str, Any]) -> str:
    streams = [told.get("stdout"), told.get("stderr")]
    words = "\n".join(each.strip("\n") for each in streams if isinstance(each, str) and each)
    for name in _OUTPUTS:
        value = told.get(name)
        if words:
            break
        if isinstance(value, list):
            words = _blocks(value)
        elif isinstance(value, dict):
            words = text(value, "message", "content", "text", most=LONGEST_OUTPUT)
        elif isinstance(value, str):
            words = value
    return words


def _blocks(blocks: list[Any]) -> str:
    """Give the texts of a list of content blocks."""
    found = (
        block if isinstance(block, str) else text(mapping(block), "text", most=LONGEST_OUTPUT)
        for block in blocks[:MOST_BLOCKS]
    )
    return "\n".join(words for words in found if words)


def _failed(told: dict[str, Any]) -> bool:
    codes = [told, mapping(told.get("metadata"))]
    code = next((c for each in codes for n in ("exit_code", "exitCode") if (c := each.get(n))), 0)
    return (
        (isinstance(code, int) and code != 0)
        or any(told.get(name) is True for name in ("interrupted", "is_error", "isError"))
        or told.get("success") is False
        or bool(told.get("error"))
        or any(told.get(name) in _FAILED for name in ("resultType", "result_type", "status"))
    )


def _says_failed(words: str) -> bool:
    """Tell whether a line that a host wrote around an output names an exit code other than 0."""
    lines = words[:400].splitlines()[:6] + words[-400:].splitlines()[-8:]
    for line in lines:
        start = next((exit_ for exit_ in _EXITS if line.lower().startswith(exit_)), "")
        code = line[len(start) :].strip(": >") if start else ""
        if code.removeprefix("-").isdigit():
            return code.strip("-0") != ""
    return False
