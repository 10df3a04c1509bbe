"""How a function becomes a tool: the memory is handed in, results and errors are put in shape.

A tool is a plain function whose first argument is the memory. Its docstring is what the agent
reads, so it says when to call it first.
"""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations

from tacit.errors import TacitError
from tacit.fence import fenced
from tacit.interfaces.mcp.late import may_write
from tacit.interfaces.mcp.shapes import Shape

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mcp.server import MCPServer

    from tacit.interfaces.mcp.late import Late

# A memory is closed: nothing a tool does here reaches the world outside.
READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
SETS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
TAKES = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)
EDITS = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False
)


def offer(
    app: MCPServer[Any],
    late: Late,
    function: Callable[..., Shape | str | CallToolResult],
    hints: ToolAnnotations,
    title: str,
    *,
    always: bool = False,
) -> None:
    """Add a function as a tool; one that is `always` loaded is seen without being searched for."""

    @wraps(function)
    def tool(**arguments: Any) -> Any:
        with told(ToolError), late.call() as tacit:
            if not hints.read_only_hint:
                may_write(tacit)
            return _result(function(tacit, **arguments))

    signature = inspect.signature(function, eval_str=True)
    without = list(signature.parameters.values())[1:]  # the memory is ours to give
    vars(tool)["__signature__"] = signature.replace(parameters=without)
    app.add_tool(
        tool,
        title=title,
        description=inspect.getdoc(function),
        annotations=hints,
        meta={"anthropic/alwaysLoad": True} if always else None,
        structured_output=None if issubclass(signature.return_annotation, Shape) else False,
    )


class told:  # noqa: N801  # reads as a word: with told(ToolError)
    """Turns what Tacit raises on purpose into what reaches the agent; a bug stays a bug."""

    def __init__(self, error: Callable[[str], Exception]) -> None:
        self._error = error

    def __enter__(self) -> None:
        """Begin to listen."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Raise what was met in the words of Tacit; anything else goes on as it is."""
        if isinstance(error, TacitError):
            raise self._error(f"{error} ({error.code})") from error
        if isinstance(error, OSError):
            reason = (error.strerror or str(error)).lower()
            where = f"{error.filename}: " if error.filename else ""
            raise self._error(f"{where}{reason} (unavailable)") from error


def _result(given: Shape | str | CallToolResult) -> CallToolResult | str:
    if not isinstance(given, Shape):
        return given
    return CallToolResult(
        # Marked as ours, so that it is not learnt when it comes back in a transcript.
        content=[TextContent(type="text", text=fenced(given.as_text()))],
        structured_content=given.model_dump(mode="json", exclude_defaults=True),
    )
