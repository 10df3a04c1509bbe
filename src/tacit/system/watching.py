"""Watching by way of the facade: read what is there and keep what is worth keeping."""

from __future__ import annotations

import os
from contextlib import contextmanager

from tacit.errors import Denied, Invalid, NotFound
from tacit.model import Facet, FacetType, Kind, State
from tacit.system.reading import MOST_LISTED, Reading
from tacit.system.writing import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO, Self

    from tacit.draft import Draft
    from tacit.encode.tasks import Credit
    from tacit.model import Memory
    from tacit.observation import Session
    from tacit.observe.pipeline import Watcher
    from tacit.observe.sources import Gathered, Report


class Watching(Writing, Reading):
    """What learns from work that is being done."""

    def observe(
        self,
        root: str | None = None,
        *,
        only: Iterable[str] = (),
        dry_run: bool = False,
        progress: Callable[[str, int], None] = lambda _what, _count: None,
    ) -> Report:
        """Read what the project holds and keep what is new: documents, history, past sessions.

        What has not changed since the last time is not read again. A dry run does all of it in
        a copy that is thrown away.
        """
        from tacit.observe.pipeline import observe_project
        from tacit.observe.sources import Project
        from tacit.observe.streams import incognito

        place = root or (self.project.root if self.project else "")
        if not place:
            raise Invalid("there is no project to observe; open one by its folder, or give a root")
        if dry_run:
            with self._rehearsal() as copy:
                return copy.observe(place, only=only, progress=progress).replace(dry_run=True)
        return observe_project(
            self._watcher(),
            self.store,
            Project(place, os.environ, incognito(self.store), self._encode),
            now=self.clock.now(),
            only=only,
            progress=progress,
        )

    def observe_file(self, path: str, *, ask_model: bool = False, dry_run: bool = False) -> Report:
        """Read sessions of any known host or an export of issues, and keep what they are worth.

        With `ask_model` the language model of the settings adds candidates, which wait for a
        person; whoever asks is there, so the model may be asked.
        """
        from collections import Counter

        from tacit.observe.streams import gather_file, incognito

        if dry_run:
            with self._rehearsal() as copy:
                return copy.observe_file(path).replace(dry_run=True)
        counts: Counter[str] = Counter()
        model = self.language_model if ask_model else None
        if ask_model and model is None:
            raise NotFound("there is no language model; name one with TACIT_LLM or in config.toml")
        before, self.session_is_alive = self.session_is_alive, lambda: ask_model
        try:
            gathered = gather_file(path, counts, model, incognito(self.store), self._encode)
        finally:
            self.session_is_alive = before
        return self._observed(gathered, counts)

    def observe_stream(self, file: BinaryIO, name: str = "stdin") -> Report:
        """Read sessions, or pieces of them, from a stream; pieces of one session add up."""
        from collections import Counter

        from tacit.ingest.sessions import read_stream, without
        from tacit.observe.streams import gather_stream, incognito

        counts: Counter[str] = Counter()
        sessions = without(read_stream(file, name, counts), incognito(self.store), counts)
        gathered = gather_stream(self.store, sessions, self.clock.now(), self._encode)
        return self._observed(gathered, counts)

    def observe_pending(self) -> Report:
        """Make memories of the sessions hooks have seen, and credit what those were handed.

        A session that never told its end is credited too, once it was not seen for a day.
        """
        from collections import Counter

        from tacit.assemble.bypass import tally_bypass
        from tacit.assemble.own_record import tally_predictions
        from tacit.observe.sources import Gathered
        from tacit.observe.streams import gather_pending
        from tacit.session.credit import cite, settle, settle_abandoned

        counts: Counter[str] = Counter()
        whole = self._observed(Gathered(source="sessions"), counts)
        for record in reversed(self.store.sessions(pending=True)):
            gathered = gather_pending(self.store, record, counts, self._encode)
            whole = whole.joined(self._observed(gathered, counts))
            now = self.clock.now()
            current = self.store.session(record.id) or record
            outcome = current.outcome if current.told else gathered.outcome
            named = self._reader().shorts(gathered.cited) if gathered.cited else {}
            current = cite(self.store, current, list(named.values()), current.seen)
            if current.ended:
                settle(self.store, current, outcome, now)
            # What happened meanwhile waits for the next time.
            still = current.seen > record.seen
            self.store.put_session(current.replace(pending=still, outcome=outcome))
        settle_abandoned(self.store, self.clock.now())
        if whole.new or counts:
            tally_predictions(self.store)
        if self.settings is not None and self.settings.bypass:
            tally_bypass(self.store, self.clock.now())
        return whole

    def candidates(self) -> list[Memory]:
        """Give what waits for a person: found by machines, not yet served; oldest first."""
        from tacit.store.protocol import Filter

        where = Filter(states=(State.CANDIDATE,), evidence=None)
        return list(self.store.scan(where, order="recorded_at", limit=MOST_LISTED))

    def accept(self, ref: str, *, by: str = "") -> Memory:
        """Confirm a candidate: it is served from now on, and a person's word stands behind it."""
        store, memory = self._find(ref)
        self._require("accept", memory, store)
        who = by or (self.settings.user if self.settings else "") or "person"
        return self._change(
            store,
            memory.id,
            lambda old: old.replace(state=State.ACTIVE, confirmed_by=who, evidence=False),
            op="accept",
            by=who,
        )

    def refused(self) -> dict[str, tuple[int, str]]:
        """Give what the gate refused so far: by reason how many, and an example."""
        from tacit.observe.pipeline import refusals_of

        return refusals_of(self.store, self.scope)

    def unverified(self) -> int:
        """Count the memories whose files have changed since they were seen to hold."""
        from tacit.write.doubt import unverified_now

        if self.project is None:
            return 0
        found = unverified_now(self.store, self.project.root, self._own())
        return sum(changed for _, changed in found)

    def _watcher(self) -> Watcher:
        from tacit.encode.embedding import Nearness
        from tacit.observe.pipeline import Watcher

        mode = self.settings.write if self.settings else "auto"
        if mode in ("manual", "off"):
            raise Denied(f"the setting write = {mode!r} keeps Tacit from observing")
        return Watcher(
            self.store,
            self.write,
            now=self.clock.now(),
            scope=self.scope,
            scopes=self._own(),
            review=mode == "review",
            near=Nearness(self.embedder) if self.embedder else None,
        )

    def _encode(self, session: Session, history: Credit | None = None) -> list[Draft]:
        """Make drafts of a session, by whom the settings name and as finely as the profile says."""
        from tacit.encode.episodes import session_drafts

        encode = self._part("encode_by", session_drafts)
        return encode(session, history, self.profile.granularity)

    @contextmanager
    def _rehearsal(self) -> Iterator[Self]:
        """Give the same memory on a copy of the store that is thrown away."""
        from tempfile import TemporaryDirectory

        from tacit.store.connect import connect

        with TemporaryDirectory(prefix="tacit-") as folder:
            path = os.path.join(folder, "copy.db")
            self.store.backup(path)
            copy = type(self)(
                connect(path),
                scope=self.scope,
                clock=self.clock,
                embedder=self._embedder,
                counter=self._counter,
                profile=self._profile,
                settings=self.settings,
                project=self.project,
            )
            with copy:
                yield copy

    def _observed(self, gathered: Gathered, counts: Counter[str]) -> Report:
        from tacit.observe.pipeline import anchored, report_of

        watcher = self._watcher()
        rules = self.list(kinds=(Kind.FACT,), facets=(Facet(type=FacetType.TAG, name="rule"),))
        statements = [memory.text.rpartition(" (")[0] for memory in rules]
        if self.project is not None:
            drafts = anchored(gathered.drafts, self.project.root, self.clock.now())
            gathered = gathered.replace(drafts=drafts)
        source = watcher.keep(gathered, statements)
        return report_of(watcher, [source], counts)
