"""Anthropic's memory tool (`memory_20250818`), kept by Tacit instead of in a folder.

    tool = TacitMemoryTool.open(project=".")  # in place of BetaLocalFilesystemMemoryTool()
    client.beta.messages.tool_runner(..., tools=[tool])

One file is one memory of the scope a `Tacit` was opened with, each edit a revision; what the
commands do and say is in `session.memory_files`. Here is only how the SDK calls it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tacit.adapters.holder import Holder
from tacit.adapters.missing import missing
from tacit.errors import TacitError

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
    from anthropic.types.beta import (
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )
    from anyio.to_thread import run_sync
    from pydantic import ValidationError
except ImportError as error:
    raise missing("the memory tool", "anthropic", error) from error

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from anthropic.types.beta import BetaCacheControlEphemeralParam

    from tacit.session.memory_files import MemoryFiles
    from tacit.system import Tacit

__all__ = ["AsyncTacitMemoryTool", "TacitMemoryTool"]

Given = (
    BetaMemoryTool20250818ViewCommand
    | BetaMemoryTool20250818CreateCommand
    | BetaMemoryTool20250818StrReplaceCommand
    | BetaMemoryTool20250818InsertCommand
    | BetaMemoryTool20250818DeleteCommand
    | BetaMemoryTool20250818RenameCommand
)
COMMANDS: dict[str, type[Given]] = {
    "view": BetaMemoryTool20250818ViewCommand,
    "create": BetaMemoryTool20250818CreateCommand,
    "str_replace": BetaMemoryTool20250818StrReplaceCommand,
    "insert": BetaMemoryTool20250818InsertCommand,
    "delete": BetaMemoryTool20250818DeleteCommand,
    "rename": BetaMemoryTool20250818RenameCommand,
}


class TacitMemoryTool(Holder, BetaAbstractMemoryTool):
    """The tool for a synchronous client."""

    def __init__(
        self, tacit: Tacit, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.tacit = tacit

    @classmethod
    def open(
        cls, location: str | None = None, *, project: str | None = None, scope: str | None = None
    ) -> Self:
        """Open a memory as `Tacit.open` does, and keep the files in it; `close` closes it."""
        from tacit.system import Tacit

        tool = cls(Tacit.open(location, project=project, scope=scope))
        tool.opened_here = True
        return tool

    def call(self, input: object) -> str:  # noqa: A002 - the name the SDK gives it
        """Do what the model asks; what is wrong with it is told to the model."""
        return run(self.tacit, parse(input))

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file with line numbers, or what lies in a folder."""
        return run(self.tacit, command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Make a file."""
        return run(self.tacit, command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Put other words in the place of some."""
        return run(self.tacit, command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Add lines to a file."""
        return run(self.tacit, command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Forget a file or a folder; it can be restored."""
        return run(self.tacit, command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Give a file or a folder another path."""
        return run(self.tacit, command)

    def clear_all_memory(self) -> str:
        """Forget all files of this scope."""
        return said(self.tacit.memory_files.clear)


class AsyncTacitMemoryTool(Holder, BetaAsyncAbstractMemoryTool):
    """The tool for an asynchronous client; the work is done in threads."""

    def __init__(
        self, tacit: Tacit, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.tacit = tacit

    @classmethod
    def open(
        cls, location: str | None = None, *, project: str | None = None, scope: str | None = None
    ) -> Self:
        """Open a memory as `Tacit.open` does, and keep the files in it; `close` closes it."""
        from tacit.system import Tacit

        tool = cls(Tacit.open(location, project=project, scope=scope))
        tool.opened_here = True
        return tool

    async def call(self, input: object) -> str:  # noqa: A002 - the name the SDK gives it
        """Do what the model asks; what is wrong with it is told to the model."""
        return await self._run(parse(input))

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file with line numbers, or what lies in a folder."""
        return await self._run(command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Make a file."""
        return await self._run(command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Put other words in the place of some."""
        return await self._run(command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Add lines to a file."""
        return await self._run(command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Forget a file or a folder; it can be restored."""
        return await self._run(command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Give a file or a folder another path."""
        return await self._run(command)

    async def clear_all_memory(self) -> str:
        """Forget all files of this scope."""
        return await run_sync(said, self.tacit.memory_files.clear)

    async def _run(self, command: Given) -> str:
        return await run_sync(run, self.tacit, command)


def parse(given: object) -> Given:
    """Read what a model sends; say what is missing or of another type."""
    name = given.get("command") if isinstance(given, dict) else None
    if not isinstance(name, str) or name not in COMMANDS:
        raise ToolError(f"Unknown command: {name}. The commands are: {', '.join(COMMANDS)}")
    try:
        return COMMANDS[name].model_validate(given)
    except ValidationError as error:
        wrong = "; ".join(f"{_place(each['loc'])}: {each['msg']}" for each in error.errors())
        raise ToolError(f"The command {name} cannot be read: {wrong}") from error


def run(tacit: Tacit, command: Given) -> str:
    """Do what a command says."""
    return said(_act(tacit.memory_files, command))


def said(act: Callable[[], str]) -> str:
    """Give what an act says; a refusal in the form the SDK hands to the model."""
    try:
        return act()
    except TacitError as error:
        raise ToolError(str(error)) from error


def _act(files: MemoryFiles, given: Given) -> Callable[[], str]:
    match given:
        case BetaMemoryTool20250818ViewCommand():
            return partial(files.view, given.path, given.view_range or ())
        case BetaMemoryTool20250818CreateCommand():
            return partial(files.create, given.path, given.file_text)
        case BetaMemoryTool20250818StrReplaceCommand():
            return partial(files.str_replace, given.path, given.old_str, given.new_str)
        case BetaMemoryTool20250818InsertCommand():
            return partial(files.insert, given.path, given.insert_line, given.insert_text)
        case BetaMemoryTool20250818DeleteCommand():
            return partial(files.delete, given.path)
        case BetaMemoryTool20250818RenameCommand():
            return partial(files.rename, given.old_path, given.new_path)


def _place(path: Any) -> str:
    return ".".join(str(part) for part in path)
