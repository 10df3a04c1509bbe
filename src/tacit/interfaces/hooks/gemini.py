"""Gemini CLI: events of its own, and standard output that is JSON or nothing else."""

from __future__ import annotations

from tacit.happening import Happening, Moment
from tacit.interfaces.hooks.claude import told_of_tool
from tacit.interfaces.hooks.payload import LONGEST_TEXT, text
from tacit.plain_json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.happening import Answer

CONTEXT = (Moment.SESSION_START, Moment.PROMPT, Moment.POST_TOOL, Moment.TOOL_FAILED)
_MUTE = (Moment.PRE_COMPACT, Moment.SESSION_END)


def read(moment: Moment, event: str, payload: dict[str, Any], folder: str) -> Happening | None:
    """Understand what the host told."""
    words = "prompt_response" if moment is Moment.TURN_END else "prompt"
    fields: dict[str, Any] = {
        "text": text(payload, words, most=LONGEST_TEXT),
        "cause": text(payload, "source", "reason", "trigger"),
    }
    if moment in (Moment.PRE_TOOL, Moment.POST_TOOL):
        moment, fields = told_of_tool(moment, payload)
    elif moment is Moment.PROMPT and not fields["text"]:
        return None
    return Happening(
        moment=moment,
        host="gemini",
        event=event,
        session=text(payload, "session_id"),
        folder=folder,
        transcript=text(payload, "transcript_path", most=4000),
        **fields,
    )


def answer(moment: Moment, event: str, said: Answer) -> str:
    """Say it in this host's words."""
    fields: dict[str, Any] = {}
    if said.notice and moment not in _MUTE:
        fields["systemMessage"] = said.notice
    if said.context and moment in CONTEXT:
        inside = {"hookEventName": event, "additionalContext": said.context}
        fields["hookSpecificOutput"] = inside
    return dumps(fields)
