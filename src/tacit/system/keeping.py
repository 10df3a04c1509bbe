"""Keeping by way of the facade: the store as a whole, its copies, its vectors, other formats."""

from __future__ import annotations

from tacit.errors import Invalid, NotFound
from tacit.system.writing import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from tacit.encode.ports import Embedder
    from tacit.exchange.loki.metrics import Work
    from tacit.observe.importing import ImportReport
    from tacit.store.backups import Backup
    from tacit.store.transfer import Imported
    from tacit.value import Value


class Keeping(Writing):
    """What acts on the whole store."""

    def export(self) -> Iterator[str]:
        """Give the project's store as lines of JSON, without loss."""
        from tacit.store.transfer import export_lines

        return export_lines(self.store)

    def import_(
        self,
        lines: Iterable[str],
        *,
        distrust: bool = False,
        progress: Callable[[int], None] = lambda _count: None,
    ) -> Imported:
        """Bring an export in; what is there already stays as it is.

        Where both know a key, its facts are put in order, as at a merge. With `distrust` it is a
        stranger's word: nothing in it binds, is pinned or confirmed, what gives orders waits for
        a person, and of use and history nothing is believed.
        """
        from tacit.store.protocol import EVERYTHING
        from tacit.store.transfer import import_lines
        from tacit.write.clean import redacted_record
        from tacit.write.distrust import distrusted
        from tacit.write.merge import settle_lines

        self._require("import")

        def doubted(value: Value) -> Value | None:
            found = distrusted(value)
            return None if found is None else redacted_record(found)

        clean = self._said(doubted if distrust else redacted_record)
        with self.store.transaction():
            empty = not self.store.count(EVERYTHING)
            brought = import_lines(self.store, lines, clean=clean, progress=progress)
            if brought.new and not empty:
                settle_lines(self.store)
        return brought

    def _said(self, clean: Callable[[Value], Value | None]) -> Callable[[Value], Value | None]:
        """Give what cleans a record and leaves no more of it than the asker's role may say."""
        from tacit.roles import allows
        from tacit.write.brought import may_bind, signed
        from tacit.write.standing import unbound_record

        asker = self.store.asker()
        if asker.alone:
            return clean
        for_others, binding = allows(asker.role, "edit", own=False), may_bind(self.store)

        def said(value: Value) -> Value | None:
            found = clean(value)
            if found is None:
                return None
            found = signed(found, asker.member, always=not for_others)
            return found if binding else unbound_record(found)

        return said

    def import_from(
        self,
        path: str,
        format: str | None = None,  # noqa: A002 - the word people use for it
        *,
        project: str = "",
        dry_run: bool = False,
        progress: Callable[[int], None] = lambda _count: None,
    ) -> ImportReport:
        """Bring in another memory's file or folder; importing it again changes nothing.

        Without a format it is found by looking into it. Of a memory that holds several
        projects only one is taken: the one named, else the present one's folder.
        """
        from tacit.exchange.formats import detect, format_named
        from tacit.observe.importing import ImportReport, import_path
        from tacit.store.transfer import text_lines

        chosen = format_named(format or detect(path), reads=True)
        if chosen.name == "tacit":
            with open(path, "rb") as file:
                found = self.import_(text_lines(file), progress=progress)
            return ImportReport(
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
        from tacit.observe.importing import give
        from tacit.retrieve.ask import filter_of

        chosen = format_named(format, writes=True)
        if chosen.name == "tacit":
            raise Invalid("the lines of the format tacit are given by export()")
        now = self.clock.now()
        where = filter_of(now, None, None, {"evidence": None} | filters, history=chosen.all_of_it)
        more = {"work": self._work()} if chosen.name == "loki" else {}
        return give(self.store, list(self.store.scan(where)), chosen, path, now=now, **more)

    def _work(self) -> Work:
        """Give what was asked of this memory and what came of it."""
        from tacit.exchange.loki.metrics import Work
        from tacit.learn.usage import Log, closed, preferences

        usage = [one for store in self._stores() for one in store.usage()]
        log = Log(self.store.queries(), usage, self.store.sessions())
        return Work(
            queries=closed(log),
            sessions=tuple(log.sessions.values()),
            preferences=preferences(log),
        )

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

        self._require("load a backup")
        keep = new_path(make_folder(self._backup_folder()), self.store.path, self.clock.now())
        self.store.fill_from(path, keep=keep)
        return keep

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

    def _chosen(self, embedder: Embedder | str | None) -> Embedder:
        from tacit.encode.embedding import open_embedder

        chosen = open_embedder(embedder) if isinstance(embedder, str) else embedder or self.embedder
        if chosen is None:
            raise NotFound("there is no embedder; name one with TACIT_EMBEDDER or in config.toml")
        return chosen

    def _backup_folder(self) -> str:
        from tacit.config import backup_dir

        if self.settings is None:
            raise Invalid("there is no folder for backups; open Tacit by convention or give a path")
        return backup_dir(self.settings)
