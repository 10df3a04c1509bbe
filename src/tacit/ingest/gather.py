"""The events of one session as a reader finds them: cleaned, each once, in order, bounded.

Readers know their host's lines; this knows what becomes of them. Whatever is kept has been
cleaned, ids and names too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tacit.fence import MOST_CITED, cited_in
from tacit.ingest.noise import (
    is_continuation,
    words_of_prompt,
    words_of_result,
    words_of_summary,
)
from tacit.ingest.reading import clean_text, digest, moment, parse_json, plain_id, word
from tacit.ingest.tool_names import is_own
from tacit.ingest.tools import uses
from tacit.observation import Event, Session, What

LONGEST_RESULT = 2000  # characters kept of what a tool printed
MOST_EVENTS = 50_000  # of one session
MOST_CHARS = 32 << 20  # of one session's events together
_UNSEEN = Event(id="", what=What.CALL)


class Gathering:
    """One session in the making.

    A reader sets `at` and `side` for the line it reads: when it was written, and whether it is
    a subagent's. Of events without a key the id is made of their words.
    """

    def __init__(self, host: str, name: object, counts: Counter[str]) -> None:
        self.host = host
        self.id = plain_id(name, counts) or "unknown"
        self.counts = counts
        self.at: object = None
        self.side = False
        self.folder = ""
        self.about: dict[str, str] = {}
        self.events: list[Event] = []
        self._ids: set[str] = set()
        self._own: set[str] = set()
        self._calls: dict[str, Event] = {}
        self._made: Counter[str] = Counter()
        self._chars = 0
        self._cited: dict[str, None] = {}

    def tell(self, **known: object) -> None:
        """Take what a line says of the session itself; what is known already stays."""
        for name, value in known.items():
            if value and not self.about.get(name):
                self.about[name] = word(value, self.counts, 1000 if name == "folder" else 200)
        self.folder = self.about.get("folder", "")

    def prompt(
        self, text: str, key: object = "", *, by_host: bool = False, summary: bool = False
    ) -> None:
        """Add what stands in the person's name, if it is theirs; a summary is the host's."""
        if not text.strip():
            return
        if summary or is_continuation(text):
            self.say(What.SUMMARY, words_of_summary(text), key)
        elif self.side:  # the agent's words; the call that handed them on has them
            self.counts["left out: subagent prompt"] += 1
        elif by_host or not (words := words_of_prompt(text)):
            self.counts["left out: host noise"] += 1
        else:
            self.say(What.PROMPT, words, key)

    def say(self, what: What, text: str, key: object = "") -> None:
        """Add words of a person, the agent or the host."""
        if what is What.REPLY and len(self._cited) < MOST_CITED:
            self._cited |= dict.fromkeys(cited_in(text))
        kept = clean_text(text, self.counts)
        if kept:
            own = plain_id(key, self.counts) or self._made_id(what, kept)
            self._add(Event(id=own, what=what, text=kept))

    def call(self, name: object, given: object, call: object) -> None:
        """Add a call of a tool; a patch of several files is one event for each."""
        called = word(name, self.counts) or "unknown"
        key = plain_id(call, self.counts)
        if is_own(called):  # what it gives back is memory already
            self._own.add(key)
            self.counts["call of our own tools"] += 1
            return
        parsed = parse_json(given) if isinstance(given, str) else given
        arguments = parsed if isinstance(parsed, dict) else {"input": given}
        first, *more = uses(called, arguments, self.folder, self.counts)
        made = key or self._made_id(What.CALL, f"{called}\n{first.target}\n{first.after}")
        for n, use in enumerate((first, *more)):
            self._add(use.replace(id=f"{made}.{n}" if n else made, name=called, call=made))
        if len(self._calls) < MOST_EVENTS:
            self._calls[made] = first.replace(name=called, target="" if more else first.target)

    def knows_call(self, call: object) -> bool:
        """Tell whether a call was seen."""
        return plain_id(call, self.counts) in self._calls

    def result(self, call: object, text: object, *, failed: bool = False) -> None:
        """Add what a tool gave back; the tool is known from its call."""
        key = plain_id(call, self.counts)
        if key in self._own:
            return
        words = words_of_result(text) if isinstance(text, str) else ""
        kept = clean_text(words, self.counts, LONGEST_RESULT)
        of = self._calls.get(key, _UNSEEN)
        event = Event(
            id=f"{key}.result" if key else self._made_id(What.RESULT, kept),
            what=What.RESULT,
            text=kept,
            tool=of.tool,
            name=of.name,
            call=key,
            target=of.target,
            failed=failed,
        )
        self._add(event)

    def rejected(self, call: object, reason: str = "") -> None:
        """Add that the person did not let a call happen; their reason is a prompt."""
        self.result(call, "The call was rejected.", failed=True)
        if words := words_of_prompt(reason):
            self.say(What.PROMPT, words, f"{call}.said" if call else "")

    def _add(self, event: Event) -> None:
        self.add(event.replace(at=moment(self.at), side=self.side))

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
            cited=tuple(self._cited),
            **self.about,
        )

    def _made_id(self, what: What, text: str) -> str:
        """Name an event by its words: wherever it stands in the file, the name is the same."""
        name = digest(what.value, text)
        self._made[name] += 1
        return f"{name}.{self._made[name]}" if self._made[name] > 1 else name
