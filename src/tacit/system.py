"""The facade `Tacit`: wires the stages together and holds no logic of its own.

A `Tacit` reads from a project's store and, where there is one, from the user's own; it
writes to the one the memory belongs to. Every method takes plain arguments, so the command
line, hooks and servers are thin.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from tacit.clock import Clock
from tacit.errors import Denied, Invalid, NotFound
from tacit.model import (
    Facet,
    FacetType,
    Kind,
    Level,
    Link,
    Memory,
    Relation,
    Scope,
    State,
    Usage,
    UsageEvent,
)
from tacit.profile import named
from tacit.store.protocol import SERVED
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime
    from types import TracebackType
    from typing import Any, BinaryIO, Self

    from tacit.config import Settings
    from tacit.draft import Draft
    from tacit.encode.llm.guard import Guarded
    from tacit.encode.ports import Embedder, Reranker, TokenCounter
    from tacit.model import Contradiction, Revision
    from tacit.observe.bring import BroughtReport
    from tacit.observe.gathered import Gathered, Report
    from tacit.observe.pipeline import Watcher
    from tacit.project import Project
    from tacit.retrieve.query import Hit, Recalled
    from tacit.store.backups import Backup
    from tacit.store.protocol import Reader, Stats, Store
    from tacit.store.transfer import Imported
    from tacit.write.merge import Merged
    from tacit.write.remember import Written

MOST_LISTED = 100_000


class Explained(Value):
    """All that is known about one memory: what it says, whence, when, and what became of it."""

    memory: Memory
    history: tuple[Revision, ...]
    links: tuple[tuple[str, Memory], ...]  # the relation as read from this memory, and the other
    usage: dict[str, int]
    contradictions: tuple[Contradiction, ...]
    status: str  # why it is or is not served now


class Tacit:
    """A memory: remember, recall, and always able to say why and since when."""

    def __init__(
        self,
        store: Store,
        *,
        scope: Scope,
        user_store: Store | None = None,
        user_location: str = "",
        visible: tuple[Scope, ...] = (),
        clock: Clock | None = None,
        embedder: Embedder | Callable[[], Embedder | None] | None = None,
        reranker: Reranker | None = None,
        counter: TokenCounter | None = None,
        profile: str = "default",
        settings: Settings | None = None,
        project: Project | None = None,
    ) -> None:
        """Wire the given parts; `Tacit.open` finds them by convention.

        An embedder may be given as a function that opens it when it is first needed.
        """
        self.settings = settings
        self.project = project
        self.store = store
        self.scope = scope
        self.user_store = user_store
        self._user_location = user_location
        self._visible = visible  # where several projects share a store; empty: all of it
        self.clock = clock or Clock()
        self.profile = named(profile)
        self._embedder = embedder
        self.reranker = reranker
        self._counter = counter
        self._language_model: Guarded | None = None
        # Whoever runs a session sets it; a language model is never asked without one.
        self.session_is_alive: Callable[[], bool] = lambda: False

    @classmethod
    def open(
        cls,
        location: str | None = None,
        *,
        project: str | None = None,
        scope: str | None = None,
        settings: Settings | None = None,
        create: bool = True,
    ) -> Self:
        """Open a store by path or URL, or the store of the project a folder belongs to.

        With neither, the project of the present folder. Settings come from the environment
        and the settings file unless given.
        """
        from tacit.opening import open_parts

        return cls(**open_parts(location, project, scope, settings, create=create))

    @property
    def embedder(self) -> Embedder | None:
        """The embedder in use; opened when it is first asked for."""
        if callable(self._embedder):
            self._embedder = self._embedder()
        return self._embedder

    @property
    def counter(self) -> TokenCounter:
        """The token counter; opened when it is first asked for."""
        if self._counter is None:
            from tacit.encode.tokens import open_counter

            self._counter = open_counter()
        return self._counter

    @property
    def language_model(self) -> Guarded | None:
        """The optional language model behind its guard; None when it is off."""
        if self._language_model is None and self.settings is not None:
            from tacit.opening import open_language_model

            self._language_model = open_language_model(
                self.settings,
                self.store,
                clock=self.clock,
                counter=self.counter,
                alive=lambda: self.session_is_alive(),
            )
        return self._language_model

    def close(self) -> None:
        """Close the files; nothing that was acknowledged waits for this."""
        for store in self._stores():
            store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Writing

    def remember(self, text: str = "", **fields: Any) -> Memory:
        """Keep one memory and give it back, or the one that says the same already.

        Fields are those of `Draft`: kind, key, value, tier, valid_from, tags, files, …
        """
        from tacit.draft import draft

        return self.write([draft(text, **fields)]).memories[0]

    def remember_many(self, items: Iterable[str | Draft | dict[str, Any]]) -> list[Memory]:
        """Keep many in one transaction: all of them or none. Texts, drafts or dicts of fields."""
        from tacit.draft import Draft, draft

        drafts: list[Draft] = []
        for item in items:
            if isinstance(item, Draft):
                drafts.append(item)
            elif isinstance(item, dict):
                drafts.append(draft(**item))
            else:
                drafts.append(draft(item))
        return list(self.write(drafts).memories)

    def write(self, drafts: Sequence[Draft]) -> Written:
        """Keep drafts and tell all that changed: new, reinforced, closed, redacted."""
        from tacit.write.remember import Writer

        if self.settings is not None and self.settings.write == "off":
            raise Denied("the setting write = 'off' keeps anything from being written")
        scopes = {(given.scope or self.scope).type for given in drafts}
        if len({type_ == "user" for type_ in scopes}) > 1:
            raise Invalid("a batch goes to one store; write the user's own memories apart")
        personal = bool(drafts) and (drafts[0].scope or self.scope).type == "user"
        store = self._personal() if personal else self.store
        writer = Writer(
            store,
            clock=self.clock,
            scope=self.scope,
            counter=self.counter,
            embedder=self.embedder,
        )
        return writer.write(drafts)

    def edit(self, ref: str, text: str, *, by: str = "") -> Memory:
        """Give a memory a new text; the old one stays in its history."""
        from tacit.write.change import rewritten
        from tacit.write.reembed import embed_now

        store, memory = self._find(ref)
        edited = self._change(
            store, memory.id, lambda old: rewritten(old, text, self.counter), op="edit", by=by
        )
        embed_now(store, [edited], self.embedder)
        return edited

    def set(self, ref: str, *, by: str = "", **fields: Any) -> Memory:
        """Change tier, importance, confidence, polarity, pinned, state or temporal class."""
        from tacit.write.change import altered

        store, memory = self._find(ref)
        return self._change(store, memory.id, lambda old: altered(old, fields), op="set", by=by)

    def forget(self, ref: str, *, by: str = "") -> Memory:
        """No longer serve a memory; it is kept and can be restored."""
        store, memory = self._find(ref)
        return self._change(
            store, memory.id, lambda old: old.replace(state=State.FORGOTTEN), op="forget", by=by
        )

    def restore(self, ref: str, *, by: str = "") -> Memory:
        """Serve a forgotten or archived memory again."""
        store, memory = self._find(ref)
        return self._change(
            store, memory.id, lambda old: old.replace(state=State.ACTIVE), op="restore", by=by
        )

    def erase(self, refs: Sequence[str]) -> int:
        """Remove memories for good, with their history and every trace in the indexes."""
        from tacit.encode.llm.cache import Cache
        from tacit.write.erased import remember_erased

        found = [self._find(ref) for ref in refs]  # all are there, or nothing is erased
        Cache(self.store).clear()  # a model's answers may quote what is to be gone
        gone = 0
        for store in self._stores():
            mine = [memory for owner, memory in found if owner is store]
            remember_erased(store, (memory.source_ref for memory in mine))
            gone += store.erase([memory.id for memory in mine])
        return gone

    def link(self, src: str, relation: str, dst: str, *, weight: float = 1.0) -> Link:
        """Relate two memories; the inverse can be read from the other end."""
        try:
            named_relation = Relation(relation)
        except ValueError:
            raise Invalid(
                f"relation {relation!r} is unknown; use one of {', '.join(Relation)}"
            ) from None
        store, one = self._find(src)
        other_store, other = self._find(dst)
        if store is not other_store:
            raise Invalid("a link stays within one store; one of these is the user's own")
        link = Link(
            src=one.id,
            dst=other.id,
            relation=named_relation,
            weight=weight,
            valid_from=self.clock.now(),
        )
        store.link([link])
        return link

    def cite(self, refs: Sequence[str], *, event: str = "cited", query_id: str = "") -> int:
        """Record that memories were used; this is what teaches Tacit which ones help."""
        if event not in tuple(UsageEvent):
            raise Invalid(f"event {event!r} is unknown; use one of {', '.join(UsageEvent)}")
        now = self.clock.now()
        for ref in refs:
            store, memory = self._find(ref)
            used = Usage(
                query_id=query_id or self.clock.new_id(),
                memory_id=memory.id,
                event=UsageEvent(event),
                at=now,
            )
            store.add_usage([used])
        return len(refs)

    # Watching

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
        from tacit.observe.gather import Project
        from tacit.observe.pipeline import observe_project

        place = root or (self.project.root if self.project else "")
        if not place:
            raise Invalid("there is no project to observe; open one by its folder, or give a root")
        if dry_run:
            with self._rehearsal() as copy:
                return copy.observe(place, only=only, progress=progress).replace(dry_run=True)
        return observe_project(
            self._watcher(),
            self.store,
            Project(place, os.environ),
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

        from tacit.observe.files import gather_file

        if dry_run:
            with self._rehearsal() as copy:
                return copy.observe_file(path).replace(dry_run=True)
        counts: Counter[str] = Counter()
        model = self.language_model if ask_model else None
        if ask_model and model is None:
            raise NotFound("there is no language model; name one with TACIT_LLM or in config.toml")
        before, self.session_is_alive = self.session_is_alive, lambda: ask_model
        try:
            gathered = gather_file(path, counts, model)
        finally:
            self.session_is_alive = before
        return self._observed(gathered, counts)

    def observe_stream(self, file: BinaryIO, name: str = "stdin") -> Report:
        """Read sessions, or pieces of them, from a stream; pieces of one session add up."""
        from collections import Counter

        from tacit.ingest.sessions import read_stream
        from tacit.observe.stream import gather_stream

        counts: Counter[str] = Counter()
        sessions = read_stream(file, name, counts)
        return self._observed(gather_stream(self.store, sessions, self.clock.now()), counts)

    def candidates(self) -> list[Memory]:
        """Give what waits for a person: found by machines, not yet served; oldest first."""
        from tacit.store.protocol import Filter

        where = Filter(states=(State.CANDIDATE,))
        return list(self.store.scan(where, order="recorded_at", limit=MOST_LISTED))

    def accept(self, ref: str, *, by: str = "") -> Memory:
        """Confirm a candidate: it is served from now on, and a person's word stands behind it."""
        store, memory = self._find(ref)
        who = by or (self.settings.user if self.settings else "") or "person"
        return self._change(
            store,
            memory.id,
            lambda old: old.replace(state=State.ACTIVE, confirmed_by=who),
            op="accept",
            by=who,
        )

    # Reading

    def recall(self, query: str, **options: Any) -> list[Hit]:
        """Find what is relevant, best first; nothing relevant gives an empty list."""
        return list(self.recall_explained(query, **options).hits)

    def recall_explained(
        self,
        query: str,
        *,
        limit: int = 10,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        channels: Sequence[str] | None = None,
        files: Sequence[str] = (),
        profile: str | None = None,
        rerank: bool = False,
        vector: bytes | None = None,
        **filters: Any,
    ) -> Recalled:
        """As `recall`, with what each channel gave, what was cut and what was missing."""
        from tacit.retrieve.ask import ask
        from tacit.retrieve.recall import recall

        now = self.clock.now()
        asked = ask(
            query,
            now=now,
            limit=limit,
            as_of=as_of,
            known_at=known_at,
            channels=channels,
            files=files,
            profile=named(profile) if profile else self.profile,
            rerank=rerank,
            vector=vector,
            filters=self._seen(filters),
        )
        embedder = self.embedder if "vector" in asked.channels else None
        return recall(asked, self._reader(), embedder=embedder, reranker=self.reranker, now=now)

    def timeline(
        self,
        *,
        anchor: str | None = None,
        before: int = 3,
        after: int = 3,
        limit: int | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        **filters: Any,
    ) -> list[Memory]:
        """Give memories by when they held, oldest first: the latest, or those around an anchor.

        What was superseded since is part of it, unless a time is asked about with `as_of`.
        """
        from tacit.retrieve.ask import filter_of
        from tacit.retrieve.timeline import around, latest

        filters = {"states": SERVED} | filters
        now = self.clock.now()
        where = filter_of(now, as_of, known_at, filters, history=as_of is None)
        if anchor is None:
            return latest(self._reader(), where, limit=limit)
        if where.since or where.until or limit is not None:
            raise Invalid("give an anchor or a range, not both")
        return around(self._reader(), self.get(anchor), where, before=before, after=after)

    def get(self, ref: str) -> Memory:
        """Give one memory by id, short name or citation such as [M:abcd2345]."""
        return self._find(ref)[1]

    def show(self, ref: str, level: str = "full") -> str:
        """Give the text of a memory at a level of detail."""
        if level not in tuple(Level):
            raise Invalid(f"level {level!r} is unknown; use one of {', '.join(Level)}")
        return self.get(ref).levels.text(Level(level))

    def why(self, ref: str) -> Explained:
        """Tell all about a memory: source, history, links, use, and why it is or is not served."""
        from tacit.retrieve.explain import explain

        store, memory = self._find(ref)
        history, links, usage, clashes, status = explain(store, memory, self.clock.now())
        return Explained(
            memory=memory,
            history=tuple(history),
            links=tuple(links),
            usage=usage,
            contradictions=tuple(clashes),
            status=status,
        )

    def contradictions(self) -> list[Contradiction]:
        """Give the open contradictions."""
        return self._reader().contradictions()

    # The stores

    def export(self) -> Iterator[str]:
        """Give the project's store as lines of JSON, without loss."""
        from tacit.store.transfer import export_lines

        return export_lines(self.store)

    def import_(
        self, lines: Iterable[str], *, progress: Callable[[int], None] = lambda _count: None
    ) -> Imported:
        """Bring an export in; what is there already stays as it is."""
        from tacit.store.transfer import import_lines
        from tacit.write.clean import redacted_record

        return import_lines(self.store, lines, clean=redacted_record, progress=progress)

    def import_from(
        self,
        path: str,
        format: str | None = None,  # noqa: A002 - the word people use for it
        *,
        project: str = "",
        dry_run: bool = False,
        progress: Callable[[int], None] = lambda _count: None,
    ) -> BroughtReport:
        """Bring in another memory's file or folder; importing it again changes nothing.

        Without a format it is found by looking into it. Of a memory that holds several
        projects only one is taken: the one named, else the present one's folder.
        """
        from tacit.exchange.formats import detect, format_named
        from tacit.observe.bring import BroughtReport, import_path

        chosen = format_named(format or detect(path), reads=True)
        if chosen.name == "tacit":
            with open(path, encoding="utf-8-sig") as lines:
                found = self.import_(lines, progress=progress)
            return BroughtReport(
                format="tacit",
                read=found.read,
                redacted={},
                memories=found.read["memory"],
                new=found.new,
            )
        return import_path(
            path,
            chosen,
            store=self.store,
            write=self.write,
            counter=lambda: self.counter,
            now=self.clock.now(),
            project=project or (self.project.root if self.project else ""),
            dry_run=dry_run,
            progress=progress,
        )

    def export_to(self, format: str, path: str, **filters: Any) -> int:  # noqa: A002 - as above
        """Write memories in another format; give how many it holds.

        Without filters it is what holds now, or for a format without loss all there is.
        """
        from tacit.exchange.formats import format_named
        from tacit.observe.bring import give
        from tacit.retrieve.ask import filter_of

        chosen = format_named(format, writes=True)
        if chosen.name == "tacit":
            raise Invalid("the lines of the format tacit are given by export()")
        now = self.clock.now()
        where = filter_of(now, None, None, filters, history=chosen.all_of_it)
        return give(self.store, list(self.store.scan(where)), chosen, path, now=now)

    def merge(self, location: str) -> Merged:
        """Take in another store; repeating it changes nothing, and either way round is the same."""
        from tacit.store.connect import connect
        from tacit.store.transfer import records
        from tacit.write.clean import redacted_record
        from tacit.write.merge import merge

        other = connect(location, create=False)
        try:
            return merge(self.store, ((name, redacted_record(v)) for name, v in records(other)))
        finally:
            other.close()

    def backup(self, path: str | None = None) -> str:
        """Copy the project's store to a new file while it is in use; give the file's path."""
        from tacit.config import make_folder
        from tacit.store.backups import new_path

        if path is None:
            folder = make_folder(self._backup_folder())
            path = new_path(folder, self.store.path, self.clock.now())
        self.store.backup(path)
        return path

    def backups(self) -> list[Backup]:
        """Give the backups of the project's store, newest first."""
        from tacit.store.backups import find_backups

        return find_backups(self._backup_folder(), self.store.path)

    def load_backup(self, path: str) -> str:
        """Put a backup in the place of all that is here; give where the present store is kept."""
        from tacit.config import make_folder
        from tacit.store.backups import new_path

        keep = new_path(make_folder(self._backup_folder()), self.store.path, self.clock.now())
        self.store.fill_from(path, keep=keep)
        return keep

    def status(self) -> Stats:
        """Give what the project's store holds, in numbers."""
        return self.store.stats()

    def unverified(self) -> int:
        """Count the memories whose files have changed since they were seen to hold."""
        from tacit.write.doubt import unverified_now

        if self.project is None:
            return 0
        found = unverified_now(self.store, self.project.root, self._own())
        return sum(changed for _, changed in found)

    def doctor(self) -> list[tuple[str, bool, str]]:
        """Prove each path end to end: (what, whether it works, detail)."""
        from tacit.doctor import examine

        return examine(self)

    def reembed(
        self,
        embedder: Embedder | str | None = None,
        *,
        pending: bool = False,
        progress: Callable[[int], None] = lambda _n: None,
    ) -> int:
        """Give every memory a vector; with another embedder, switch to it when all are done.

        With `pending` no switch is made: only what is missing is filled in.
        """
        from tacit.write.reembed import embed_pending, switch

        chosen = self._chosen(embedder)
        if pending:
            return sum(embed_pending(store, chosen, progress=progress) for store in self._stores())
        spec = embedder if isinstance(embedder, str) else ""
        done = sum(switch(s, chosen, spec=spec, progress=progress) for s in self._stores())
        self._embedder = chosen
        return done

    def pending(self, embedder: Embedder | str | None = None) -> int:
        """Count the memories that wait for a vector; 0 when there is no embedder at all."""
        from tacit.write.reembed import count_pending

        if embedder is None and self.embedder is None:
            return 0
        model = self._chosen(embedder).model
        return sum(count_pending(store, model) for store in self._stores())

    # Small change

    def _watcher(self) -> Watcher:
        from tacit.encode.nearness import Nearness
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

    @contextmanager
    def _rehearsal(self) -> Iterator[Tacit]:
        """Give the same memory on a copy of the store that is thrown away."""
        from tempfile import TemporaryDirectory

        from tacit.store.connect import connect

        with TemporaryDirectory(prefix="tacit-") as folder:
            path = os.path.join(folder, "copy.db")
            self.store.backup(path)
            copy = Tacit(
                connect(path),
                scope=self.scope,
                clock=self.clock,
                embedder=self._embedder,
                counter=self._counter,
                settings=self.settings,
                project=self.project,
            )
            with copy:
                yield copy

    def _observed(self, gathered: Gathered, counts: Counter[str]) -> Report:
        from tacit.encode.rule_text import rule_statements
        from tacit.observe.anchors import anchored
        from tacit.observe.pipeline import report_of

        watcher = self._watcher()
        rules = self.list(kinds=(Kind.RESOURCE,), facets=(Facet(type=FacetType.TAG, name="rule"),))
        statements = [s.text for memory in rules for s in rule_statements(memory.text)]
        if self.project is not None:
            drafts = anchored(gathered.drafts, self.project.root, self.clock.now())
            gathered = gathered.replace(drafts=drafts)
        source = watcher.keep(gathered, statements)
        return report_of(watcher, [source], counts)

    def _chosen(self, embedder: Embedder | str | None) -> Embedder:
        from tacit.encode.embed import open_embedder

        chosen = open_embedder(embedder) if isinstance(embedder, str) else embedder or self.embedder
        if chosen is None:
            raise NotFound("there is no embedder; name one with TACIT_EMBEDDER or in config.toml")
        return chosen

    def _backup_folder(self) -> str:
        from tacit.config import backup_dir

        if self.settings is None:
            raise Invalid("there is no folder for backups; open Tacit by convention or give a path")
        return backup_dir(self.settings)

    def _seen(self, filters: dict[str, Any]) -> dict[str, Any]:
        """Add what may be seen from here, unless scopes are named."""
        return filters if filters.get("scopes") else filters | {"scopes": self._visible}

    def _own(self) -> tuple[Scope, ...]:
        """Give the scopes that are this project's alone; none need be named where all are."""
        return (self.scope,) if self._visible else ()

    def _stores(self) -> list[Store]:
        return [self.store] + ([self.user_store] if self.user_store else [])

    def _reader(self) -> Reader:
        if self.user_store is None:
            return self.store
        from tacit.store.joined import Joined

        return Joined(self._stores())

    def _personal(self) -> Store:
        """Give the user's own store; the first memory of a user's own makes it."""
        if self.user_store is None:
            from tacit.store.connect import connect

            if not self._user_location:
                raise NotFound(
                    "a single store has no place for a user's own memories; open by project"
                )
            self.user_store = connect(self._user_location)
        return self.user_store

    def _change(
        self, store: Store, id_: str, alter: Callable[[Memory], Memory], *, op: str, by: str
    ) -> Memory:
        from tacit.write.history import change

        return change(store, [id_], alter, op=op, by=by, at=self.clock.now())[0]

    def _find(self, ref: str) -> tuple[Store, Memory]:
        from tacit.retrieve.refs import find

        return find(self._stores(), ref)

    # Last: below it, `list` means this method to a type checker.

    def list(
        self,
        *,
        limit: int | None = None,
        order: str = "-recorded_at",
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        history: bool = False,
        **filters: Any,
    ) -> list[Memory]:
        """Give memories without a query, newest first; `history` also those that are past."""
        from tacit.retrieve.ask import filter_of
        from tacit.retrieve.past import as_known

        if limit is not None and limit < 1:
            raise Invalid(f"limit {limit} is not above 0")
        seen = self._seen(filters)
        where = filter_of(self.clock.now(), as_of, known_at, seen, history=history)
        reader = self._reader()
        found = reader.scan(where, order=order, limit=min(limit or MOST_LISTED, MOST_LISTED))
        return as_known(reader, list(found), where)
