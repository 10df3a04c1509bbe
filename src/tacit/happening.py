"""What a host tells as it happens, and what is answered: the one shape for all hosts.

A hook turns a host's own words into a `Happening`, a session decides what is worth saying,
and the hook turns the `Answer` into what that host reads. Nothing here knows a host.
"""

from __future__ import annotations

from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.observation import Tool


class Moment(Words):
    """When in a session something happens."""

    SESSION_START = "session_start"
    PROMPT = "prompt"  # a person, or something in their name, speaks to the agent
    PRE_TOOL = "pre_tool"
    POST_TOOL = "post_tool"
    TOOL_FAILED = "tool_failed"
    TURN_END = "turn_end"  # the agent has answered and waits
    PRE_COMPACT = "pre_compact"
    POST_COMPACT = "post_compact"
    SUBAGENT_START = "subagent_start"
    SUBAGENT_END = "subagent_end"
    SESSION_END = "session_end"
    TASK_END = "task_end"  # told by programs that run agents, as are the next two
    PHASE_END = "phase_end"
    IDLE = "idle"


class Happening(Value):
    """One thing a host told, in the words all hosts share; empty where it did not say."""

    moment: Moment
    host: str
    event: str = ""  # the host's own name of the event
    session: str = ""
    folder: str = ""
    cause: str = ""  # of a start: startup, resume, clear, compact, fork; of an end: why
    agent: str = ""  # inside a subagent: which; else empty
    model: str = ""
    transcript: str = ""  # the host's own file of the session
    text: str = ""  # the prompt, the agent's last words, a summary
    asked: bool = True  # of a prompt: a person wrote it, not a timer or a program
    tool: Tool | None = None
    name: str = ""  # the host's own name of the tool
    call: str = ""  # joins what is told before and after one use of a tool
    target: str = ""  # a path, a command, a pattern, an address
    before: str = ""  # of an edit
    after: str = ""  # of an edit or a new file
    output: str = ""  # what the tool gave back, or its error
    context_used: float | None = None  # share of the agent's context, 0 to 1
    at: datetime | None = None
    heard: bool = True  # whether the host hands on to the agent what is said now


class Answer(Value):
    """What is said back: to the agent, and to the person; nothing where both are empty."""

    context: str = ""
    notice: str = ""
