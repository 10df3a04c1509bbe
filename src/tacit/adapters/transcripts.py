"""Transcripts as a host hands them over: entry by entry, kept to the letter, read back whole.

Knows nothing about the host. A transcript belongs to a session of a project and may be a part of
it, such as what a subagent did. Each entry is a record; beside them stands which entries came
(one that has a `uuid` is kept once), when the session last changed, and whether it still waits
to be made into memories.
"""

from __future__ import annotations

from tacit.adapters.records import Records, to_json
from tacit.clock import micros
from tacit.errors import Denied
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from tacit.system import Tacit

    Entry = dict[str, Any]
    Fold = Callable[["Entry | None", list["Entry"]], "Entry"]

# The places of the five sorts of records.
ENTRY, SEEN, PART, SESSION, WAITING = "entry", "seen", "part", "session", "waiting"


class Key(Value):
    """Which transcript is meant; the main one of a session has no part."""

    project: str
    session: str
    part: str = ""


class Waiting(Value):
    """A session that was added to since memories were made of it."""

    project: str
    session: str
    appends: int  # how often; so that what comes meanwhile is not lost


class Transcripts:
    """The transcripts of one family in one scope."""

    def __init__(self, tacit: Tacit, family: str, *, redact: bool = False) -> None:
        self._records = Records(tacit, family, redact=redact)
        self._store, self._clock = tacit.store, tacit.clock
        self._may_write = tacit.settings is None or tacit.settings.write != "off"

    def append(self, key: Key, entries: Sequence[Entry], fold: Fold) -> int:
        """Keep entries behind those that are there; give how many were new.

        `fold` is given the summary of the session so far and the new entries, and gives the
        summary with them; of parts no summary is kept.
        """
        with self._change():
            new = self._keep(key, entries)
            if new:
                now = micros(self._clock.now()) // 1000
                self._stamp(key, new, now, fold)
                self._wait(key)
        return len(new)

    def load(self, key: Key) -> list[Entry] | None:
        """Give all entries in the order they came; None where none ever came."""
        return list(self._records.under(_at(ENTRY, key)).values()) or None

    def whole(self, project: str, session: str) -> list[Entry]:
        """Give the entries of a session, those of its parts behind the main ones."""
        return list(self._records.under((ENTRY, project, session)).values())

    def sessions(self, project: str) -> list[Entry]:
        """Give what is known of each session that has a main transcript."""
        return list(self._records.under((SESSION, project)).values())

    def parts(self, project: str, session: str) -> list[str]:
        """Give the parts of a session besides its main transcript."""
        found = self._records.under((PART, project, session)).values()
        return [part for part in found if part]

    def delete(self, key: Key) -> None:
        """Remove a part; or a session with all its parts."""
        with self._change():
            places: list[tuple[str, ...]]
            if key.part:
                gone = [self._records.name((PART, key.project, key.session), key.part)]
                places = [_at(ENTRY, key), _at(SEEN, key)]
            else:
                gone = [self._records.name((SESSION, key.project), key.session)]
                gone.append(self._records.name((WAITING, key.project), key.session))
                places = [(sort, key.project, key.session) for sort in (ENTRY, SEEN, PART)]
            for place in places:
                gone += self._records.under(place)
            self._store.discard(gone)

    def waiting(self) -> list[Waiting]:
        """Give the sessions that wait to be made into memories."""
        return [Waiting(**held) for held in self._records.under((WAITING,)).values()]

    def done(self, waiting: Waiting) -> None:
        """Let a session wait no more, unless it was added to meanwhile."""
        name = self._records.name((WAITING, waiting.project), waiting.session)
        with self._change():
            held = self._records.load(name)
            if held is not None and held["appends"] == waiting.appends:
                self._store.discard([name])

    def _change(self) -> AbstractContextManager[None]:
        """Let all of a block happen or nothing; the host has a copy, so no disk is waited for."""
        if self._may_write:
            return self._store.transaction(durable=False)
        raise Denied("the setting write = 'off' keeps anything from being written")

    def _keep(self, key: Key, entries: Sequence[Entry]) -> list[Entry]:
        number, new = self._next(key), []
        for entry in entries:
            uuid = entry.get("uuid")
            if isinstance(uuid, str) and uuid:
                seen = self._records.name(_at(SEEN, key), uuid)
                if self._store.load(seen) is not None:
                    continue
                self._store.save(seen, to_json(number))
            kept = self._records.cleaned(entry)
            self._store.save(self._records.name(_at(ENTRY, key), f"{number:012}"), to_json(kept))
            new.append(kept)
            number += 1
        return new

    def _next(self, key: Key) -> int:
        last = self._records.under(_at(ENTRY, key), backwards=True, limit=1)
        return next((int(name.rpartition(":")[2]) + 1 for name in last), 0)

    def _stamp(self, key: Key, new: list[Entry], now_ms: int, fold: Fold) -> None:
        part = self._records.name((PART, key.project, key.session), key.part)
        self._store.save(part, to_json(key.part))
        if key.part:
            return
        name = self._records.name((SESSION, key.project), key.session)
        before = self._records.load(name)
        summary = fold(before["summary"] if before else None, new)
        held = {"session": key.session, "mtime": now_ms, "summary": summary}
        self._store.save(name, to_json(held))

    def _wait(self, key: Key) -> None:
        name = self._records.name((WAITING, key.project), key.session)
        before = self._records.load(name)
        appends = before["appends"] + 1 if before else 1
        waiting = {"project": key.project, "session": key.session, "appends": appends}
        self._store.save(name, to_json(waiting))


def _at(sort: str, key: Key) -> tuple[str, str, str, str]:
    return sort, key.project, key.session, key.part
