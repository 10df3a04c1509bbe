"""Claude Code: its fields in, its answer out. Codex and Copilot borrow the shape."""

from __future__ import annotations

from tacit.happening import Happening, Moment
from tacit.interfaces.hooks.payload import LONGEST_OUTPUT, LONGEST_TEXT, text
from tacit.plain_json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.happening import Answer

# What takes additionalContext. Stop takes it too, but it makes the agent go on.
CONTEXT = (
    Moment.SESSION_START,
    Moment.PROMPT,
    Moment.PRE_TOOL,
    Moment.POST_TOOL,
    Moment.TOOL_FAILED,
    Moment.SUBAGENT_START,
)
# What is printed here is thrown away.
MUTE = (Moment.PRE_COMPACT, Moment.POST_COMPACT, Moment.SESSION_END)

_TOOL = (Moment.PRE_TOOL, Moment.POST_TOOL, Moment.TOOL_FAILED)
_WORDS = ("prompt", "compact_summary", "last_assistant_message")


def read(
    moment: Moment, event: str, payload: dict[str, Any], folder: str, host: str = "claude"
) -> Happening | None:
    """Understand what the host told."""
    fields: dict[str, Any] = {
        "text": text(payload, *_WORDS, most=LONGEST_TEXT),
        "cause": text(payload, "source", "reason", "trigger"),
    }
    if moment in _TOOL:
        moment, fields = told_of_tool(moment, payload)
    elif moment is Moment.PROMPT:
        # Timers, programs and the host itself speak in the person's name.
        fields["asked"] = fields["cause"] in ("", "user")
        if not fields["text"]:
            return None
    elif moment is Moment.TURN_END:
        fields["cause"] = text(payload, "error")  # of a turn that ended badly
    return Happening(
        moment=moment,
        host=host,
        event=event,
        session=text(payload, "session_id"),
        folder=folder,
        agent=text(payload, "agent_id", "agent_name"),
        model=text(payload, "model"),
        transcript=text(payload, "agent_transcript_path", "transcript_path", most=4000),
        **fields,
    )


def told_of_tool(moment: Moment, payload: dict[str, Any]) -> tuple[Moment, dict[str, Any]]:
    """Read the use of a tool; one that says it failed is a failure, whatever its event."""
    from tacit.interfaces.hooks.calls import asked, came  # most events need none of it

    fields = asked(text(payload, "tool_name"), payload.get("tool_input"))
    output = text(payload, "error", "error_message", most=LONGEST_OUTPUT)
    if moment is not Moment.PRE_TOOL:
        given = (payload.get(name) for name in ("tool_response", "tool_result", "tool_output"))
        response = next((value for value in given if value), None)
        printed, failed = came(fields["tool"], response)
        moment = Moment.TOOL_FAILED if failed else moment
        fields["output"] = printed or output
    return moment, fields | {"call": text(payload, "tool_use_id")}


def answer(moment: Moment, event: str, said: Answer) -> str:
    """Say it in this host's words; empty when there is nothing to say or nobody listens."""
    fields: dict[str, Any] = {}
    if moment in MUTE:
        return ""
    if said.notice:
        fields["systemMessage"] = said.notice
    if said.context and moment in CONTEXT:
        inside = {"hookEventName": event, "additionalContext": said.context}
        fields["hookSpecificOutput"] = inside
    return dumps(fields) if fields else ""
