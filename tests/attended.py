"""A project on disk with a memory that attends to a session of an agent, told what happens."""

from __future__ import annotations

import os
from pathlib import Path

from fakes import FrozenClock
from tacit.config import Settings
from tacit.happening import Answer, Happening, Moment
from tacit.observation import Tool
from tacit.system import Tacit


def a_home(folder: Path, **fields: object) -> Settings:
    """Give settings with a home of their own; no model, and no process beside."""
    defaults = {"embedder": "off", "worker": False}
    return Settings(home=str(folder / "home"), user="ana", **defaults | fields)


def a_project(folder: Path) -> Path:
    """Make a folder that is a project."""
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    return folder


def open_project(folder: Path, settings: Settings, clock: FrozenClock) -> Tacit:
    """Open the memory of a project, with a clock that stands still."""
    tacit = Tacit.open(project=str(folder), settings=settings)
    tacit.clock = clock
    return tacit


class Agent:
    """An agent in a session: says what happens, and has read what it was answered."""

    def __init__(self, tacit: Tacit, session: str = "s1", *, host: str = "claude") -> None:
        self.tacit, self.session, self.host = tacit, session, host
        self.key = f"{host}:{session}"
        self.folder = tacit.project.root if tacit.project else ""

    def tell(self, moment: Moment, **fields: object) -> Answer:
        """Tell one thing, a minute after the last."""
        self.tacit.clock.advance(minutes=1)
        defaults = {"host": self.host, "session": self.session, "folder": self.folder}
        return self.tacit.attend(Happening(moment=moment, **defaults | fields))

    def start(self, cause: str = "startup", **fields: object) -> str:
        """Begin, or begin again; give what is said."""
        return self.tell(Moment.SESSION_START, cause=cause, **fields).context

    def asks(self, text: str, **fields: object) -> str:
        """Tell a prompt of a person."""
        return self.tell(Moment.PROMPT, text=text, **fields).context

    def ran(self, command: str, output: str = "ok", *, failed: bool = False) -> str:
        """Tell of a command."""
        moment = Moment.TOOL_FAILED if failed else Moment.POST_TOOL
        return self.tell(
            moment, tool=Tool.SHELL, name="Bash", target=command, output=output
        ).context

    def about_to_edit(self, path: str) -> str:
        """Tell that a file is about to be changed."""
        return self.tell(
            Moment.PRE_TOOL, tool=Tool.EDIT, name="Edit", target=self._path(path)
        ).context

    def edited(self, path: str, before: str = "a", after: str = "b") -> str:
        """Tell that a file was changed."""
        return self.tell(
            Moment.POST_TOOL,
            tool=Tool.EDIT,
            name="Edit",
            target=self._path(path),
            before=before,
            after=after,
            output="done",
        ).context

    def answers(self, text: str = "Done.") -> str:
        """Tell the end of a turn."""
        return self.tell(Moment.TURN_END, text=text).context

    def ends(self) -> str:
        """Tell the end of the session."""
        return self.tell(Moment.SESSION_END, cause="exit").context

    @property
    def record(self):
        """Where the session stands."""
        return self.tacit.store.session(self.key)

    def tally(self, memory) -> dict[str, int]:
        """How often each thing became of a memory."""
        found = self.tacit.store.tally([memory.id]).get(memory.id, {})
        return {event.value: count for event, (count, _) in found.items()}

    def _path(self, path: str) -> str:
        return os.path.join(self.folder, path)


def all_bytes(folder: Path) -> bytes:
    """Give every byte that lies in the files of a folder."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
