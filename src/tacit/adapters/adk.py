"""The memory of Google's Agent Development Kit, `google.adk.memory.BaseMemoryService`, by Tacit.

    memory = TacitMemoryService.open(project=".")  # in place of InMemoryMemoryService()
    runner = Runner(…, memory_service=memory)

An event with text is a record of what was said, exact, and an episode that every recall finds.
A search of ADK is a recall within one application and user; with nothing relevant it is empty.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tacit.adapters.holder import Holder
from tacit.adapters.missing import missing
from tacit.adapters.records import Record, Records
from tacit.adapters.said import turn
from tacit.adapters.threads import in_thread
from tacit.clock import parse_time, show_time
from tacit.errors import Invalid

try:  # google-adk is no dependency of the tests, so a type checker does not find it either
    from google.adk.memory import base_memory_service, memory_entry  # type: ignore[import-not-found,import-untyped,unused-ignore]
    from google.genai import types  # type: ignore[import-not-found,import-untyped,unused-ignore]
except ModuleNotFoundError as error:
    raise missing("the memory service for ADK", "adk", error) from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Self

    from tacit.system import Tacit

FAMILY = "adk"
SAID, GONE = "said", "gone"  # what is known, and the ids of what was deleted and stays so
MOST_FOUND = 10
_NO_TEXT = frozenset(("id", "name", "mime_type", "role", "file_uri", "thought_signature"))


class TacitMemoryService(Holder, base_memory_service.BaseMemoryService):  # type: ignore[misc,unused-ignore]
    """What ADK remembers, kept in a project's memory."""

    def __init__(self, tacit: Tacit, *, limit: int = MOST_FOUND, redact: bool = False) -> None:
        """Keep events in a memory that is open; a search gives at most `limit`.

        With `redact` no secret is kept in records either.
        """
        self.tacit = tacit
        self._limit = limit
        self._records = Records(tacit, FAMILY, redact=redact)

    @classmethod
    def open(
        cls,
        location: str | None = None,
        *,
        project: str | None = None,
        scope: str | None = None,
        limit: int = MOST_FOUND,
        redact: bool = False,
    ) -> Self:
        """Open a memory as `Tacit.open` does, and keep events in it; `close` closes it."""
        from tacit.system import Tacit

        service = cls(
            Tacit.open(location, project=project, scope=scope), limit=limit, redact=redact
        )
        service.opened_here = True
        return service

    async def add_session_to_memory(self, session: Any) -> None:
        """Keep the events of a session, in place of those that were kept of it before."""
        place = (session.app_name, session.user_id, session.id)
        await in_thread(self._keep, place, list(map(_of_event, session.events)), True)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Any],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep some events beside those that are kept already."""
        noted = dict(custom_metadata or {})
        told = [_of_event(event) | {"custom_metadata": noted} for event in events]
        await in_thread(self._keep, (app_name, user_id, session_id or ""), told, False)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[Any],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep entries as they are; one without an id is given one."""
        noted = dict(custom_metadata or {})
        told = [self._of_entry(entry, noted) for entry in memories]
        await in_thread(self._keep, (app_name, user_id, ""), told, False)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> Any:
        """Give what is known of a user that bears on a question, best first."""
        found = await in_thread(self._search, (app_name, user_id), query)
        return base_memory_service.SearchMemoryResponse(memories=found)

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Remove an entry; it stays gone when its session is added again."""
        if memory_id:
            await in_thread(self._delete, app_name, user_id, memory_id)

    def _keep(self, place: Sequence[str], told: Sequence[dict[str, Any]], whole: bool) -> None:
        app, user, session = place
        with self._records.change() as change:
            gone = self._records.under((GONE, app, user))
            fresh = {self._name(place, held["id"]): held for held in told if _text(held).strip()}
            kept = {n: h for n, h in fresh.items() if self._gone(app, user, h["id"]) not in gone}
            if whole:
                before = self._records.under((SAID, *place))
                change.drop([name for name in before if name not in kept])
            change.keep([self._record(name, session, held) for name, held in kept.items()])

    def _record(self, name: str, session: str, held: dict[str, Any]) -> Record:
        held = self._records.cleaned(held, but=_NO_TEXT)
        said = turn(
            _text(held),
            session=f"{FAMILY}:{session}",
            speaker=held["author"],
            at=min(_moment(held), self.tacit.clock.now()),  # what is yet to come is not served
        )
        return Record(name=name, held=held, draft=said)

    def _search(self, place: Sequence[str], query: str) -> list[Any]:
        ranked = self._records.ranked(query, (SAID, *place), limit=self._limit)
        found = map(self._records.load, ranked)
        return [_entry(held) for held in found if held is not None]

    def _delete(self, app: str, user: str, id_: str) -> None:
        with self._records.change() as change:
            there = self._records.under((SAID, app, user))
            if change.drop([name for name, held in there.items() if held["id"] == id_]):
                change.keep([Record(name=self._gone(app, user, id_), held=True)])

    def _name(self, place: Iterable[str], id_: str) -> str:
        return self._records.name((SAID, *place), id_)

    def _gone(self, app: str, user: str, id_: str) -> str:
        return self._records.name((GONE, app, user), id_)

    def _of_entry(self, entry: Any, noted: dict[str, object]) -> dict[str, Any]:
        if not isinstance(entry, memory_entry.MemoryEntry):
            raise Invalid(f"a memory of ADK is a MemoryEntry, not {type(entry).__name__}")
        return {
            "id": entry.id or self.tacit.clock.new_id(),
            "author": entry.author or "",
            "timestamp": entry.timestamp or show_time(self.tacit.clock.now()),
            "content": _plain(entry.content),
            "custom_metadata": entry.custom_metadata | noted,
        }


def _of_event(event: Any) -> dict[str, Any]:
    at = datetime.fromtimestamp(event.timestamp, UTC)
    return {
        "id": event.id,
        "author": event.author or "",
        "timestamp": show_time(at),
        "content": _plain(event.content),
        "custom_metadata": {},
    }


def _moment(held: dict[str, Any]) -> datetime:
    """Give when it was said, to the millisecond; the rest is by its id.

    Two that say the same at one moment would be one memory.
    """
    apart = timedelta(microseconds=crc32(held["id"].encode("utf-8", "replace")) % 1_000)
    at = parse_time(held["timestamp"])
    return at.replace(microsecond=at.microsecond // 1_000 * 1_000) + apart


def _plain(content: Any) -> dict[str, Any]:
    if content is None:
        return {}
    held: dict[str, Any] = content.model_dump(mode="json", exclude_none=True)
    return held


def _text(held: dict[str, Any]) -> str:
    parts = held["content"].get("parts") or ()
    return "\n".join(part["text"] for part in parts if part.get("text"))


def _entry(held: dict[str, Any]) -> Any:
    return memory_entry.MemoryEntry(
        id=held["id"],
        author=held["author"] or None,
        timestamp=held["timestamp"],
        content=types.Content.model_validate(held["content"]),
        custom_metadata=held["custom_metadata"],
    )
