"""GitHub Copilot: two spellings. In capitals an event speaks as Claude Code's, else in camelCase."""

from __future__ import annotations

from tacit.happening import Happening, Moment
from tacit.interfaces.hooks import claude
from tacit.interfaces.hooks.payload import LONGEST_TEXT, text
from tacit.plain_json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.happening import Answer

# What is printed for a prompt is dropped.
CONTEXT = (Moment.SESSION_START, Moment.POST_TOOL, Moment.TOOL_FAILED, Moment.SUBAGENT_START)
_SNAKE = {
    "sessionId": "session_id",
    "transcriptPath": "transcript_path",
    "agentName": "agent_name",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolResult": "tool_result",
    "toolCallId": "tool_use_id",
}
_TOOL = (Moment.PRE_TOOL, Moment.POST_TOOL, Moment.TOOL_FAILED)
_CAUSES = {"new": "startup"}


def read(moment: Moment, event: str, payload: dict[str, Any], folder: str) -> Happening | None:
    """Understand what the host told, in either spelling."""
    # Some of its clients mix the two, so both names count wherever one is known.
    payload = {_SNAKE.get(name, name): value for name, value in payload.items()}
    if moment in _TOOL and isinstance(payload.get("error"), dict):
        payload["error"] = text(payload["error"], "message", most=LONGEST_TEXT)
    told = claude.read(moment, event, payload, folder, host="copilot")
    if told is None or moment in _TOOL:
        return told
    if moment is Moment.PROMPT:  # `source` tells of a session here
        return told.replace(asked=True)
    return told.replace(cause=_CAUSES.get(told.cause, told.cause))


def answer(moment: Moment, event: str, said: Answer) -> str:
    """Say it in the spelling of the event; empty when there is nothing to say."""
    if not said.context or moment not in CONTEXT:
        return ""
    if event[:1].isupper():
        inside = {"hookEventName": event, "additionalContext": said.context}
        return dumps({"hookSpecificOutput": inside})
    return dumps({"additionalContext": said.context})
