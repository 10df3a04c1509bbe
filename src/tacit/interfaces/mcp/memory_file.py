"""The tool `memory` of Anthropic's models over MCP: one tool, six commands, files as memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from mcp.types import CallToolResult, TextContent
from pydantic import Field

from tacit.errors import TacitError
from tacit.interfaces.mcp import fit
from tacit.interfaces.mcp.offer import EDITS, offer
from tacit.system import Tacit

if TYPE_CHECKING:
    from typing import Any

    from mcp.server import MCPServer

    from tacit.interfaces.mcp.late import Late

Command = Literal["view", "create", "str_replace", "insert", "delete", "rename"]
Path = Annotated[str, Field(description="/memories or a path below it")]
FileText = Annotated[str, Field(description="create: the content")]
OldText = Annotated[str, Field(description="str_replace: stands in the file exactly once")]
NewText = Annotated[str, Field(description="str_replace: what takes its place")]
Line = Annotated[int, Field(description="insert: below this line; 0 is the top")]
Lines = Annotated[str, Field(description="insert: what to add")]
Range = Annotated[list[int], Field(description="view: first and last line; -1 is the end")]
OldPath = Annotated[str, Field(description="rename: from")]
NewPath = Annotated[str, Field(description="rename: to")]


def register(app: MCPServer[Any], late: Late) -> None:
    """Offer the tool."""
    offer(app, late, memory, EDITS, "Memory files")


def memory(
    tacit: Tacit,
    command: Command,
    path: Path = "",
    file_text: FileText = "",
    old_str: OldText = "",
    new_str: NewText = "",
    insert_line: Line = -1,
    insert_text: Lines = "",
    view_range: Range = [],  # noqa: B006  # a default of the schema, never changed
    old_path: OldPath = "",
    new_path: NewPath = "",
) -> CallToolResult:
    """View your memory directory /memories before you do anything else in a task.

    Commands: `view` (path, view_range) shows a file with line numbers or what lies in a folder;
    `create` (path, file_text) makes a file; `str_replace` (path, old_str, new_str) edits one;
    `insert` (path, insert_line, insert_text) adds lines; `delete` (path); `rename` (old_path,
    new_path). Files are kept between sessions, each edit with its history, and are found by
    `recall`. Up to 100,000 bytes a file; views are cut at 9,000 tokens.

    Keep progress, decisions and what you learned there, well organised. Do not keep secrets, and
    do not use it for the project's own files.
    """
    files = tacit.memory_files
    commands = {
        "view": lambda: _cut(tacit, files.view(path, view_range)),
        "create": lambda: files.create(path, file_text),
        "str_replace": lambda: files.str_replace(path, old_str, new_str),
        "insert": lambda: files.insert(path, insert_line, insert_text),
        "delete": lambda: files.delete(path),
        "rename": lambda: files.rename(old_path, new_path),
    }
    try:
        return _said(commands[command]())
    except TacitError as error:  # the very words of the reference, which models know
        return _said(str(error), is_error=True)


def _said(text: str, *, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)


def _cut(tacit: Tacit, text: str) -> str:
    """Leave out the last lines of a long view, and say so."""
    shown, left = fit.cut(text, tacit.counter)
    if not left:
        return text
    whole = shown[: shown.rfind("\n")] if "\n" in shown else shown
    return f"{whole}\n… ({len(text) - len(whole)} characters left: view them with view_range)"
