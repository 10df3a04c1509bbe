"""Cursor: a conversation in workspaces, several events for one use of a tool, snake_case out."""

from __future__ import annotations

from tacit.happening import Happening, Moment
from tacit.interfaces.hooks.claude import told_of_tool
from tacit.interfaces.hooks.payload import LONGEST_TEXT, number, text
from tacit.plain_json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.happening import Answer

# A prompt's hook can stop it or let it pass, nothing else; those named after one tool are
# not listened to.
CONTEXT = ("sessionStart", "postToolUse", "postToolUseFailure")
_NAMES = {
    "beforeShellExecution": "Shell",
    "afterShellExecution": "Shell",
    "beforeReadFile": "Read",
    "afterFileEdit": "Edit",
}
_TOOL = (Moment.PRE_TOOL, Moment.POST_TOOL, Moment.TOOL_FAILED)


def read(moment: Moment, event: str, payload: dict[str, Any], folder: str) -> Happening | None:
    """Understand what the host told."""
    fields: dict[str, Any] = {
        "text": text(payload, "prompt", "text", "summary", most=LONGEST_TEXT),
        "cause": text(payload, "reason", "trigger", "status"),
    }
    if event in _NAMES:
        moment, fields = _told_of_one_tool(moment, _NAMES[event], payload)
    elif moment in _TOOL:
        moment, fields = told_of_tool(moment, payload | _result(payload))
    elif moment is Moment.PROMPT and not fields["text"]:
        return None
    elif moment is Moment.SESSION_START:
        fields["cause"] = "startup"
    used = number(payload.get("context_usage_percent"))
    return Happening(
        moment=moment,
        host="cursor",
        event=event,
        session=text(payload, "conversation_id", "session_id"),
        folder=folder,
        agent=text(payload, "subagent_id", "agent_id"),
        model=text(payload, "model"),
        transcript=text(payload, "transcript_path", most=4000),
        context_used=used / 100 if used is not None and 0 <= used <= 100 else None,
        **fields,
    )


def answer(_moment: Moment, event: str, said: Answer) -> str:
    """Say it in this host's words."""
    speaks = said.context and event in CONTEXT
    return dumps({"additional_context": said.context} if speaks else {})


def _told_of_one_tool(
    moment: Moment, name: str, payload: dict[str, Any]
) -> tuple[Moment, dict[str, Any]]:
    """Read an event that is about one tool, whose arguments stand among its own fields."""
    from tacit.interfaces.hooks.calls import asked, came

    fields = asked(name, payload)
    if moment is Moment.POST_TOOL:
        fields["output"], failed = came(fields["tool"], {"output": payload.get("output")})
        moment = Moment.TOOL_FAILED if failed else moment
    return moment, fields


def _result(payload: dict[str, Any]) -> dict[str, Any]:
    """Give what a tool of an MCP server gave back under the name the others have for it."""
    found = payload.get("result_json")
    return {"tool_response": found} if found else {}
