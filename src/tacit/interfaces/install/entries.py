"""What is written for each host: its hooks and its MCP server, in the host's own words.

The command of a hook is the same in every version: hosts ask their user again when it changes.
Tacit keeps deadlines of its own well below the ones given here, which are the host's last
resort.
"""

from __future__ import annotations

import re

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.interfaces.install.program import Program

SERVER = "tacit"  # the name of the MCP server


class Hook(Value):
    """One event a host is to tell, and how long it may wait for the answer."""

    event: str
    seconds: int
    matcher: str = ""
    background: bool = False


_TOOLS = "Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|Read"
HOOKS: dict[str, tuple[Hook, ...]] = {
    "claude": (
        Hook(event="SessionStart", seconds=5, matcher="startup|resume|clear|compact|fork"),
        Hook(event="UserPromptSubmit", seconds=3),
        Hook(event="PreToolUse", seconds=3, matcher="Bash|PowerShell|Edit|MultiEdit|Write"),
        Hook(event="PostToolUse", seconds=30, matcher=_TOOLS, background=True),
        Hook(event="PostToolUseFailure", seconds=3, matcher=_TOOLS),
        Hook(event="Stop", seconds=5),
        Hook(event="SubagentStart", seconds=3),
        Hook(event="SubagentStop", seconds=5),
        Hook(event="PreCompact", seconds=5),
        Hook(event="PostCompact", seconds=5),
        Hook(event="SessionEnd", seconds=5),
    ),
    # A hook in the background is left out by Codex, with a warning. Of its events the request
    # for a permission says nothing a memory could keep.
    "codex": (
        Hook(event="SessionStart", seconds=5, matcher="startup|resume|clear|compact"),
        Hook(event="UserPromptSubmit", seconds=3),
        Hook(event="PreToolUse", seconds=3, matcher="Bash|apply_patch"),
        Hook(event="PostToolUse", seconds=3, matcher="Bash|apply_patch"),
        Hook(event="Stop", seconds=5),
        Hook(event="SubagentStart", seconds=3),
        Hook(event="SubagentStop", seconds=5),
        Hook(event="PreCompact", seconds=5),
        Hook(event="PostCompact", seconds=5),
        Hook(event="SessionEnd", seconds=3),
    ),
    "gemini": (
        Hook(event="SessionStart", seconds=5),
        Hook(event="BeforeAgent", seconds=3),
        Hook(event="AfterTool", seconds=3),
        Hook(event="AfterAgent", seconds=5),
        Hook(event="PreCompress", seconds=5),
        Hook(event="SessionEnd", seconds=5),
    ),
    # What a tool gave is told once, by postToolUse: no second event of shell or edit.
    "cursor": (
        Hook(event="sessionStart", seconds=5),
        Hook(event="beforeSubmitPrompt", seconds=3),
        Hook(event="postToolUse", seconds=3),
        Hook(event="postToolUseFailure", seconds=3),
        Hook(event="stop", seconds=5),
        Hook(event="subagentStop", seconds=5),
        Hook(event="preCompact", seconds=5),
        Hook(event="sessionEnd", seconds=5),
    ),
    # In capitals Copilot speaks as Claude Code does. Before a tool it takes any failure for a
    # no, so nothing of ours is there.
    "copilot": (
        Hook(event="SessionStart", seconds=5),
        Hook(event="UserPromptSubmit", seconds=3),
        Hook(event="PostToolUse", seconds=3),
        Hook(event="PostToolUseFailure", seconds=3),
        Hook(event="Stop", seconds=5),
        Hook(event="SubagentStart", seconds=3),
        Hook(event="SubagentStop", seconds=5),
        Hook(event="PreCompact", seconds=5),
        Hook(event="SessionEnd", seconds=5),
    ),
}

_HOOK = re.compile(r"(?:^|[\\/\s'\"])tacit(?:\.exe)?['\"]?\s+hook\s+\w+", re.IGNORECASE)
_SERVE = re.compile(r"(?:^|[\\/\s'\"])tacit(?:\.exe)?['\"]?\s+mcp(?:\s|$)", re.IGNORECASE)


def hook_values(host: str, program: Program) -> dict[str, dict[str, Any]]:
    """Give, for each event of a host, the element that goes into the event's list."""
    return {hook.event: _SHAPES[host](hook, program) for hook in HOOKS[host]}


def server_value(host: str, program: Program) -> dict[str, Any]:
    """Give the MCP server's entry in a host's settings."""
    command, *arguments = (*program.words, "mcp")
    if host == "opencode":
        return {"type": "local", "command": [command, *arguments], "enabled": True}
    plain: dict[str, Any] = {"command": command, "args": arguments}
    if host == "claude":
        return {"type": "stdio", **plain}
    return {"type": "local", **plain, "tools": ["*"]} if host == "copilot" else plain


def is_our_hook(handler: object) -> bool:
    """Tell whether a handler runs `tacit hook`, of this or an older Tacit."""
    return any(_HOOK.search(line) for line in _lines(handler))


def is_our_server(entry: object) -> bool:
    """Tell whether an MCP entry runs `tacit mcp`."""
    return any(_SERVE.search(line) for line in _lines(entry))


def _lines(entry: object) -> list[str]:
    """Give the command lines an entry names, in whichever form."""
    if not isinstance(entry, dict):
        return []
    arguments = entry.get("args")
    more = (
        [word for word in arguments if isinstance(word, str)] if isinstance(arguments, list) else []
    )
    found = [entry.get(name) for name in ("command", "commandWindows", "bash", "powershell")]
    lines = [" ".join(map(str, line)) if isinstance(line, list) else line for line in found]
    return [" ".join([line, *more]) for line in lines if isinstance(line, str)]


def _claude(hook: Hook, program: Program) -> dict[str, Any]:
    command, *more = program.words
    handler: dict[str, Any] = {
        "type": "command",
        "command": command,
        "args": [*more, "hook", "claude", hook.event],
        "timeout": hook.seconds,
    }
    if hook.background:
        handler["async"] = True
    return _group(hook, handler)


def _codex(hook: Hook, program: Program) -> dict[str, Any]:
    line = program.shell("hook", "codex", hook.event)
    return _group(hook, {"type": "command", "command": line, "timeout": hook.seconds})


def _gemini(hook: Hook, program: Program) -> dict[str, Any]:
    line = program.shell("hook", "gemini", hook.event)
    milliseconds = hook.seconds * 1000
    handler = {"name": "tacit", "type": "command", "command": line, "timeout": milliseconds}
    return _group(hook, handler)


def _cursor(hook: Hook, program: Program) -> dict[str, Any]:
    return {"command": program.shell("hook", "cursor", hook.event), "timeout": hook.seconds}


def _copilot(hook: Hook, program: Program) -> dict[str, Any]:
    words = ("hook", "copilot", hook.event)
    return {
        "type": "command",
        "bash": program.bash(*words),
        "powershell": program.powershell(*words),
        "timeoutSec": hook.seconds,
    }


def _group(hook: Hook, handler: dict[str, Any]) -> dict[str, Any]:
    matcher = {"matcher": hook.matcher} if hook.matcher else {}
    return {**matcher, "hooks": [handler]}


_SHAPES = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
    "cursor": _cursor,
    "copilot": _copilot,
}
