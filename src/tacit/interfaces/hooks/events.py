"""The table of all hosts: which event of each is which moment, and how long it may take.

Plain words instead of `Moment`, since a call that is handed to a warm process needs no more.
"""

from __future__ import annotations

_CLAUDE = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "pre_tool",
    "PostToolUse": "post_tool",
    "PostToolUseFailure": "tool_failed",
    "Stop": "turn_end",
    "StopFailure": "turn_end",
    "PreCompact": "pre_compact",
    "PostCompact": "post_compact",
    "SubagentStart": "subagent_start",
    "SubagentStop": "subagent_end",
    "SessionEnd": "session_end",
}
_NOT_IN_CODEX = ("PostToolUseFailure", "StopFailure")

EVENTS: dict[str, dict[str, str]] = {
    "claude": _CLAUDE,
    "codex": {event: moment for event, moment in _CLAUDE.items() if event not in _NOT_IN_CODEX},
    "gemini": {
        "SessionStart": "session_start",
        "BeforeAgent": "prompt",
        "BeforeTool": "pre_tool",
        "AfterTool": "post_tool",
        "AfterAgent": "turn_end",
        "PreCompress": "pre_compact",
        "SessionEnd": "session_end",
    },
    "cursor": {
        "sessionStart": "session_start",
        "beforeSubmitPrompt": "prompt",
        "preToolUse": "pre_tool",
        "beforeShellExecution": "pre_tool",
        "beforeMCPExecution": "pre_tool",
        "beforeReadFile": "pre_tool",
        "postToolUse": "post_tool",
        "afterShellExecution": "post_tool",
        "afterMCPExecution": "post_tool",
        "afterFileEdit": "post_tool",
        "postToolUseFailure": "tool_failed",
        "afterAgentResponse": "turn_end",
        "stop": "turn_end",
        "preCompact": "pre_compact",
        "subagentStart": "subagent_start",
        "subagentStop": "subagent_end",
        "sessionEnd": "session_end",
    },
    "copilot": {
        "sessionStart": "session_start",
        "userPromptSubmitted": "prompt",
        "preToolUse": "pre_tool",
        "postToolUse": "post_tool",
        "postToolUseFailure": "tool_failed",
        "agentStop": "turn_end",
        "preCompact": "pre_compact",
        "subagentStart": "subagent_start",
        "subagentStop": "subagent_end",
        "sessionEnd": "session_end",
        # In capitals it speaks as Claude Code does.
        **{event: moment for event, moment in _CLAUDE.items() if event != "StopFailure"},
    },
}

# What no host tells by itself: a program that runs agents tells it in the words of any host.
BOUNDARIES = ("task_end", "phase_end", "idle")

# What a host is told when there is nothing to tell; the others take no words for that.
EMPTY = {"gemini": "{}", "cursor": "{}"}

# Of the moments that may be handed to a warm process. The start of a session may not: its text
# must not depend on who is running.
WARM = ("prompt", "pre_tool", "post_tool", "tool_failed")

DEADLINE_SECONDS = {"session_start": 2.0, "session_end": 0.8}
USUAL_SECONDS = 1.0


def moment_of(host: str, event: str) -> str:
    """Give the moment an event of a host is; empty when it is none of ours."""
    if host in EVENTS and event in BOUNDARIES:
        return event
    return EVENTS.get(host, {}).get(event, "")


def deadline(moment: str) -> float:
    """Give the seconds within which a hook must have ended."""
    return DEADLINE_SECONDS.get(moment, USUAL_SECONDS)
