"""The sessions of the OpenAI Agents SDK, `agents.memory.Session`, kept by Tacit.

    session = TacitSession.open("ana-7", project=".")  # in place of SQLiteSession("ana-7", …)
    await Runner.run(agent, "…", session=session)

Every item is a record, in order and to the letter. What the user and the assistant say is a
memory too, so that another session, or another agent of the project, can recall it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tacit.adapters.holder import Holder
from tacit.adapters.missing import missing
from tacit.adapters.records import Record, Records
from tacit.adapters.said import turn
from tacit.adapters.threads import in_thread
from tacit.errors import Invalid

try:
    from agents.memory import SessionSettings
except ModuleNotFoundError as error:
    raise missing("the session for the OpenAI Agents SDK", "openai-agents", error) from error

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any, Self

    from agents.items import TResponseInputItem

    from tacit.system import Tacit

FAMILY = "openai-agents"
DIGITS = 12  # of an item's number, so that the order of names is the order of items
SPEAKERS = ("user", "assistant")
# What stands under these names is no text: changed, it would not be accepted any more.
_NO_TEXT = frozenset("type role status id call_id name encrypted_content signature".split())


class TacitSession(Holder):
    """One conversation, kept in a project's memory."""

    def __init__(
        self,
        session_id: str,
        tacit: Tacit,
        *,
        session_settings: SessionSettings | None = None,
        remember: bool = True,
        redact: bool = False,
    ) -> None:
        """Keep a conversation in a memory that is open.

        Without `remember` items are records alone; with `redact` no secret is kept in them.
        """
        if not session_id:
            raise Invalid("a session needs an id, such as the id of the conversation")
        self.session_id = session_id
        self.session_settings: SessionSettings | None = session_settings or SessionSettings()
        self.tacit = tacit
        self._records = Records(tacit, FAMILY, redact=redact)
        self._remember = remember

    @classmethod
    def open(
        cls,
        session_id: str,
        location: str | None = None,
        *,
        project: str | None = None,
        scope: str | None = None,
        session_settings: SessionSettings | None = None,
        remember: bool = True,
        redact: bool = False,
    ) -> Self:
        """Open a memory as `Tacit.open` does, and a conversation in it; `close` closes it."""
        from tacit.system import Tacit

        tacit = Tacit.open(location, project=project, scope=scope)
        session = cls(
            session_id,
            tacit,
            session_settings=session_settings,
            remember=remember,
            redact=redact,
        )
        session.opened_here = True
        return session

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Give the items in order; with a limit, or one in the settings, the latest."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        return await in_thread(self._get, limit)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items at the end, all of them or none."""
        if items:
            await in_thread(self._add, list(items))

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove the last item with its memory, and give it; None where there is none."""
        return await in_thread(self._pop)

    async def clear_session(self) -> None:
        """Remove all items and what was remembered of them."""
        await in_thread(self._clear)

    def _get(self, limit: int | None) -> list[TResponseInputItem]:
        found = self._records.under(
            self._place, backwards=True, limit=None if limit is None or limit < 0 else limit
        )
        return list(found.values())[::-1]

    def _add(self, items: Sequence[TResponseInputItem]) -> None:
        now = self.tacit.clock.now()
        with self._records.change() as change:
            last = next(iter(self._records.under(self._place, backwards=True, limit=1)), ":-1")
            first = int(last.rpartition(":")[2]) + 1
            # One after the other: two that say the same at one moment would be one memory.
            ages = range(len(items) - 1, -1, -1)
            moments = [now - timedelta(microseconds=age) for age in ages]
            told = enumerate(zip(items, moments, strict=True), first)
            change.keep([self._record(number, item, at) for number, (item, at) in told])

    def _record(self, number: int, item: Any, at: datetime) -> Record:
        held = self._records.cleaned(item, but=_NO_TEXT)
        speaker, words = spoken(held) if self._remember else ("", "")
        session = f"{FAMILY}:{self.session_id}"
        return Record(
            name=self._records.name(self._place, f"{number:0{DIGITS}}"),
            held=held,
            draft=turn(words, session=session, speaker=speaker, at=at),
        )

    def _pop(self) -> TResponseInputItem | None:
        with self._records.change() as change:
            last = self._records.under(self._place, backwards=True, limit=1)
            change.drop(list(last))
        item: TResponseInputItem | None = next(iter(last.values()), None)
        return item

    def _clear(self) -> None:
        with self._records.change() as change:
            change.drop(list(self._records.under(self._place)))

    @property
    def _place(self) -> tuple[str]:
        return (self.session_id,)


def spoken(item: Any) -> tuple[str, str]:
    """Give who speaks in an item and what; nothing for tools, reasoning and instructions."""
    if not isinstance(item, dict) or item.get("role") not in SPEAKERS:
        return "", ""
    content = item.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return item["role"], "\n".join(text for text in texts if isinstance(text, str))
