"""The events of one session as a reader finds them: cleaned, each once, in order, bounded.

Readers know their host's lines; this knows what becomes of them. Whatever is kept has been
cleaned, ids and names too.
"""

from __future__ import annotations

from tacit.fence import MOST_CITED, cited_in
from tacit.ingest.noise import words_of_result
from tacit.ingest.raw import digest, keep, moment, plain_id, word
from tacit.ingest.reading import LONGEST_TEXT
from tacit.ingest.tool_names import is_own
from tacit.ingest.tools import uses
from tacit.observation import Event, Session, What

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from tacit.observation import Tool

LONGEST_RESULT = 2000  # characters kept of what a tool printed
MOST_EVENTS = 50_000  # of one session
MOST_CHARS = 32 << 20  # of one session's events together


class Gathering:
    """One session in the making."""

    def __init__(self, host: str, name: object, counts: Counter[str]) -> None:
        self.host = host
        self.id = plain_id(name, counts) or "unknown"
        self.counts = counts
        self.folder = self.branch = self.agent = self.author = self.title = ""
        self.events: list[Event] = []
        self._ids: set[str] = set()
        self._own: set[str] = set()
        self._calls: dict[str, tuple[Tool, str, str]] = {}
        self._made: dict[str, int] = {}
        self._chars = 0
        self._cited: dict[str, None] = {}

    def tell(self, **known: object) -> None:
        """Take what a line says of the session itself; what is known already stays."""
        for name, value in known.items():
            if value and not getattr(self, name):
                setattr(self, name, word(value, self.counts, 1000 if name == "folder" else 200))

    def say(
        self,
        what: What,
        text: str,
        *,
        key: object = "",
        at: object = None,
        side: bool = False,
    ) -> None:
        """Add words of a person, the agent or the host; without a key its id is made of the words."""
        if what is What.REPLY and len(self._cited) < MOST_CITED:
            self._cited |= dict.fromkeys(cited_in(text))
        kept = keep(text, self.counts, LONGEST_TEXT)
        if not kept:
            return
        own = plain_id(key, self.counts) or self._made_id(what, kept)
        self.add(Event(id=own, what=what, at=moment(at), text=kept, side=side))

    def call(
        self, name: object, given: object, *, call: object, at: object = None, side: bool = False
    ) -> None:
        """Add a call of a tool; a patch of several files is one event for each."""
        called = word(name, self.counts) or "unknown"
        if is_own(called):  # what it gives back is memory already
            self._own.add(plain_id(call, self.counts))
            self.counts["call of our own tools"] += 1
            return
        key = plain_id(call, self.counts)
        arguments = given if isinstance(given, dict) else {"input": given}
        done = uses(called, arguments, self.folder, self.counts)
        made = key or self._made_id(What.CALL, f"{called}\n{done[0].target}\n{done[0].after}")
        for n, use in enumerate(done):
            event = Event(
                id=f"{made}.{n}" if n else made,
                what=What.CALL,
                at=moment(at),
                text=use.text,
                tool=use.tool,
                name=called,
                call=made,
                target=use.target,
                before=use.before,
                after=use.after,
                side=side,
            )
            self.add(event)
        if len(self._calls) < MOST_EVENTS:
            self._calls[made] = (done[0].tool, called, done[0].target if len(done) == 1 else "")

    def result(
        self,
        call: object,
        text: str,
        *,
        failed: bool = False,
        at: object = None,
        side: bool = False,
    ) -> None:
        """Add what a tool gave back; the tool is known from its call."""
        key = plain_id(call, self.counts)
        if key in self._own:
            return
        kept = keep(words_of_result(text), self.counts, LONGEST_RESULT)
        tool, name, target = self._calls.get(key, (None, "", ""))
        event = Event(
            id=f"{key}.result" if key else self._made_id(What.RESULT, kept),
            what=What.RESULT,
            at=moment(at),
            text=kept,
            tool=tool,
            name=name,
            call=key,
            target=target,
            failed=failed,
            side=side,
        )
        self.add(event)

    def add(self, event: Event) -> None:
        """Add an event once, up to the bounds."""
        if event.id in self._ids:
            self.counts["repeated event"] += 1
            return
        size = len(event.text) + len(event.target) + len(event.before) + len(event.after)
        if len(self.events) >= MOST_EVENTS or self._chars + size > MOST_CHARS:
            self.counts["event beyond the bound"] += 1
            return
        self._chars += size
        self._ids.add(event.id)
        self.events.append(event)

    def knows_call(self, call: object) -> bool:
        """Tell whether a call was seen."""
        return plain_id(call, self.counts) in self._calls

    def session(self) -> Iterator[Session]:
        """Give the session, where anything happened in it."""
        if not self.events:
            self.counts["empty session"] += 1
            return
        yield Session(
            id=self.id,
            host=self.host,
            source=f"{self.host}:{self.id}",
            events=tuple(self.events),
            folder=self.folder,
            branch=self.branch,
            agent=self.agent,
            author=self.author,
            title=self.title,
            cited=tuple(self._cited),
        )

    def _made_id(self, what: What, text: str) -> str:
        """Name an event by its words: wherever it stands in the file, the name is the same."""
        name = digest(what.value, text)
        n = self._made[name] = self._made.get(name, 0) + 1
        return f"{name}.{n}" if n > 1 else name
