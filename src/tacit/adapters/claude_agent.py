"""The session store of the Claude Agent SDK: transcripts kept by Tacit, and learnt from.

    options = ClaudeAgentOptions(session_store=TacitSessionStore.open(project="."))

The SDK hands over every line of a transcript as it is written, and resumes a session from what is
kept. Tacit observes the same lines, in a thread of its own, so memories are made of a session
while it runs; what could not be observed waits and is tried again with the next lines.
"""

from __future__ import annotations

import json
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from tacit.adapters.holder import Holder
from tacit.adapters.missing import missing
from tacit.adapters.transcripts import Key, Transcripts
from tacit.errors import NotFound, TacitError

try:
    from anyio.to_thread import run_sync
    from claude_agent_sdk import SessionStore, fold_session_summary
except ImportError as error:
    raise missing("the session store", "claude-agent", error) from error

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from claude_agent_sdk import (
        SessionKey,
        SessionListSubkeysKey,
        SessionStoreEntry,
        SessionStoreListEntry,
        SessionSummaryEntry,
    )

    from tacit.adapters.transcripts import Entry
    from tacit.system import Tacit

__all__ = ["TacitSessionStore"]

FAMILY = "claude-agent"
HOST = "claude"  # as which the sessions are observed: they are those of Claude Code
_log = logging.getLogger(__name__)


class TacitSessionStore(Holder, SessionStore):
    """Transcripts of the SDK's sessions, kept in a memory that learns from them."""

    def __init__(
        self, tacit: Tacit, *, observe: bool = True, redact: bool = False, erase: bool = False
    ) -> None:
        """Keep transcripts in a memory that is open.

        Without `observe` nothing is learnt from them until `observe()` is called. With `redact`
        no secret is kept in them either, and a resumed session reads placeholders. With `erase`
        what was learnt from a session goes when the session is deleted.
        """
        self.tacit = tacit
        self._transcripts = Transcripts(tacit, FAMILY, redact=redact)
        mode = tacit.settings.write if tacit.settings is not None else "auto"
        self._by_itself = observe and mode not in ("manual", "off")
        self._erases = erase
        self._worker: ThreadPoolExecutor | None = None
        self._turn, self._one_at_a_time = Lock(), Lock()
        self._queued = False

    @classmethod
    def open(
        cls,
        location: str | None = None,
        *,
        project: str | None = None,
        scope: str | None = None,
        observe: bool = True,
        redact: bool = False,
        erase: bool = False,
    ) -> Self:
        """Open a memory as `Tacit.open` does, and keep transcripts in it; `close` closes it."""
        from tacit.system import Tacit

        tacit = Tacit.open(location, project=project, scope=scope)
        store = cls(tacit, observe=observe, redact=redact, erase=erase)
        store.opened_here = True
        return store

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Keep entries; one whose `uuid` is there already is left out."""
        if entries:
            await run_sync(self._append, key, cast("list[Entry]", entries))

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """Give all entries of a transcript; None where none ever came."""
        found = await run_sync(self._transcripts.load, _key(key))
        return cast("list[SessionStoreEntry] | None", found)

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        """Give the sessions of a project and when each was last added to."""
        found = await run_sync(self._transcripts.sessions, project_key)
        return [{"session_id": each["session"], "mtime": each["mtime"]} for each in found]

    async def list_session_summaries(self, project_key: str) -> list[SessionSummaryEntry]:
        """Give the summary of each session of a project."""
        found = await run_sync(self._transcripts.sessions, project_key)
        return [each["summary"] | {"mtime": each["mtime"]} for each in found]

    async def delete(self, key: SessionKey) -> None:
        """Remove a session with all its parts, or one part of it."""
        await run_sync(self._delete, _key(key))

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """Give the parts of a session, such as its subagents."""
        return await run_sync(self._transcripts.parts, key["project_key"], key["session_id"])

    async def observe(self) -> int:
        """Make memories of all that was appended so far; give how many are new."""
        return await run_sync(self._observe)

    def close(self) -> None:
        """Wait for what is being observed, and close the memory if it was opened here."""
        if self._worker is not None:
            self._worker.shutdown()
        super().close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await run_sync(self.close)

    def _append(self, key: SessionKey, entries: list[Entry]) -> None:
        def fold(before: Entry | None, new: list[Entry]) -> Entry:
            summary = cast("SessionSummaryEntry | None", before)
            told = fold_session_summary(summary, key, cast("list[SessionStoreEntry]", new))
            return cast("Entry", told)

        new = self._transcripts.append(_key(key), entries, fold)
        if new and self._by_itself:
            self._observe_soon()

    def _delete(self, key: Key) -> None:
        self._transcripts.delete(key)
        if self._erases and not key.part:
            learnt = self.tacit.list(history=True, parts_of=f"{HOST}:{key.session}", evidence=None)
            self.tacit.erase([memory.id for memory in learnt])

    def _observe_soon(self) -> None:
        """Let the thread of this store observe, once for all that comes before it begins."""
        with self._turn:
            if self._queued:
                return
            self._queued = True
            if self._worker is None:
                self._worker = ThreadPoolExecutor(1, "tacit-observe")
            self._worker.submit(self._observe_by_itself)

    def _observe_by_itself(self) -> None:
        with self._turn:
            self._queued = False
        try:
            self._observe()
        except Exception as error:  # the end of a thread: it waits, the next lines try again
            unforeseen = not isinstance(error, TacitError)
            _log.warning("sessions could not be observed yet: %s", error, exc_info=unforeseen)

    def _observe(self) -> int:
        new = 0
        with self._one_at_a_time:
            for waiting in self._transcripts.waiting():
                entries = self._transcripts.whole(waiting.project, waiting.session)
                if self._is_of_this_project(entries):
                    lines = "".join(f"{json.dumps(entry)}\n" for entry in entries)
                    report = self.tacit.observe_stream(BytesIO(lines.encode()), waiting.session)
                    new += report.new
                self._transcripts.done(waiting)
        return new

    def _is_of_this_project(self, entries: list[Entry]) -> bool:
        """Tell whether a session ran in the project whose memory this is; one store has but one.

        A memory that was opened by its place alone learns from all sessions it is handed; one of
        a project passes over a session that does not say where it ran.
        """
        if self.tacit.project is None or self.tacit.settings is None:
            return True
        from tacit.project import resolve_project

        folder = next((e["cwd"] for e in entries if e.get("cwd")), "")
        if not isinstance(folder, str) or not folder:
            return False
        try:
            return resolve_project(folder, self.tacit.settings).id == self.tacit.project.id
        except NotFound:  # it ran elsewhere, or the folder is gone: its path has to tell
            root = self.tacit.project.root
            return folder == root or folder.startswith(root + os.sep)


def _key(given: SessionKey) -> Key:
    fields: dict[str, Any] = dict(given)
    return Key(
        project=fields["project_key"],
        session=fields["session_id"],
        part=fields.get("subpath") or "",
    )
