"""Resources and prompts: what a person may pull into a conversation by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp.types import INTERNAL_ERROR
from pydantic import Field

from tacit.errors import NotFound
from tacit.interfaces.mcp import fit
from tacit.interfaces.mcp.offer import told

if TYPE_CHECKING:
    from typing import Any

    from mcp.server import MCPServer

    from tacit.interfaces.mcp.late import Late

MARKDOWN = "text/markdown"
Task = Annotated[str, Field(description="what is to be done")]
HANDOFF = """\
Write a handoff for whoever goes on with this task: {task}

Say in short: what was done, what is left to do, what needs testing, known issues, the files that \
matter, decisions with their reasons, and what was tried and did not work. Use only what is known \
from this conversation and from the memory below. Then keep what a later session should know with \
the tool `remember`, one thing per call.

{memory}
"""


def register(app: MCPServer[Any], late: Late) -> None:
    """Offer the resources and prompts."""

    @app.resource("tacit://index", title="What is remembered, by topic", mime_type=MARKDOWN)
    def index() -> str:
        """What is there to know: topics with counts and the most important titles."""
        with told(ResourceError), late.call() as tacit:
            return fit.cut(tacit.index_view().text, tacit.counter)[0]

    @app.resource("tacit://timeline", title="What happened, in order", mime_type=MARKDOWN)
    def timeline() -> str:
        """What happened lately in this project, oldest first."""
        with told(ResourceError), late.call() as tacit:
            return fit.cut(tacit.timeline_view().text, tacit.counter)[0]

    @app.resource("tacit://memory/{ref}", title="One memory", mime_type=MARKDOWN)
    def memory(ref: str) -> str:
        """One memory in full, by its short name."""
        with told(ResourceError), late.call() as tacit:
            try:
                text, left = fit.cut(tacit.get(ref).text, tacit.counter)
            except NotFound as error:
                raise ResourceNotFoundError(str(error)) from error
            return f"{text}\n\n… ({left} characters left)" if left else text

    @app.prompt(title="Brief me on a task")
    def briefing(task: Task) -> str:
        """What the memory knows that bears on a task."""
        with told(_prompt_error), late.call() as tacit:
            return tacit.brief(task).text

    @app.prompt(title="Hand over a task")
    def handoff(task: Task) -> str:
        """Ask for a handoff, with what the memory knows about the task."""
        with told(_prompt_error), late.call() as tacit:
            return HANDOFF.format(task=task, memory=tacit.brief(task, budget_tokens=2_000).text)


def _prompt_error(text: str) -> MCPError:
    return MCPError(INTERNAL_ERROR, text)
