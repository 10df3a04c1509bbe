"""Watching: sources are read, what they say is extracted, sifted and written, step by step.

Each source is written in batches, each batch whole or not at all; the mark of a source is
moved only when all of it is in the store. So a run that is killed goes on where it was, and a
second run over unchanged sources changes nothing.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from tacit.draft import Draft
from tacit.encode.cochange import CHANGES, WORDS, ChangeSets, sets_from_json
from tacit.encode.embedding import Nearness
from tacit.encode.facets import find_mentions
from tacit.errors import Invalid
from tacit.model import Anchor, FacetType, Kind, Role, Scope, State
from tacit.observe.card import MARK as CARD_MARK
from tacit.observe.card import gather_card
from tacit.observe.sources import GATHERERS, Gathered, Project, Report, SourceReport, routines
from tacit.store.protocol import Filter
from tacit.write.doubt import mark_unverified, sha_of
from tacit.write.ended import end_parts, end_versions
from tacit.write.erased import erased
from tacit.write.gate import Gate
from tacit.write.remember import Written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.protocol import Store

Write = Callable[[Sequence[Draft]], Written]
Progress = Callable[[str, int], None]

BATCH = 500
MARK = "watermark:"


class Watcher:
    """Writes what is observed into one store."""

    def __init__(
        self,
        store: Store,
        write: Write,
        *,
        now: datetime,
        scope: Scope,
        scopes: tuple[Scope, ...] = (),  # to be named where projects share a store
        review: bool,
        near: Nearness | None = None,
    ) -> None:
        self._store, self._write, self._now = store, write, now
        self.scope, self.scopes = scope, scopes
        self._review, self._near = review, near
        self.refused: Counter[str] = Counter()
        self.redacted: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.candidates = 0

    def keep(self, gathered: Gathered, rules: Sequence[str]) -> SourceReport:
        """Sift and write what a source gave; then end what it no longer says."""
        started = time.perf_counter()
        gate = Gate(self._store, rules, self._now, self._near, erased(self._store))
        new = renewed = refused = 0
        for start in range(0, len(gathered.drafts), BATCH):
            batch = gathered.drafts[start : start + BATCH]
            kept, turned_away = gate.sift(batch, stated=gathered.stated)
            refused += len(turned_away)
            self.refused.update(refusal.reason for refusal in turned_away)
            for written in self._written(self._reviewed(kept)):
                new += written.new
                renewed += written.renewed
                self.redacted.update(written.redacted)
                self._count(written)
        return SourceReport(
            source=gathered.source,
            seen=gathered.seen,
            drafts=len(gathered.drafts),
            new=new,
            renewed=renewed,
            refused=refused,
            ended=self._end(gathered),
            seconds=time.perf_counter() - started,
        )

    def _written(self, drafts: Sequence[Draft]) -> Iterator[Written]:
        """Write drafts at once; one that cannot be kept does not keep the others out."""
        if not drafts:
            return
        try:
            yield self._write(drafts)
        except Invalid:
            if len(drafts) == 1:
                self.refused["invalid"] += 1
                return
            half = len(drafts) // 2
            yield from self._written(drafts[:half])
            yield from self._written(drafts[half:])

    def _reviewed(self, drafts: Sequence[Draft]) -> list[Draft]:
        """Let what machines found wait for a person, where that is asked for."""
        if not self._review:
            return list(drafts)
        return [
            given
            if given.evidence or _kind(given) in (Kind.RESOURCE, Kind.BLOCK)
            else given.replace(state=State.CANDIDATE)
            for given in drafts
        ]

    def _count(self, written: Written) -> None:
        for memory in written.fresh:
            self.kinds[f"{memory.kind} {memory.subtype}".strip()] += 1
            self.candidates += memory.state is State.CANDIDATE

    def _end(self, gathered: Gathered) -> int:
        made = {given.source_ref for given in gathered.drafts}
        ended = sum(self._end_parts(one, made) for one in gathered.whole)
        if gathered.held:
            ended += end_versions(self._store, gathered.held, now=self._now, scopes=self.scopes)
        return ended + sum(self._end_parts(one, set()) for one in gathered.gone)

    def _end_parts(self, source: str, keep: set[str]) -> int:
        return end_parts(self._store, source, keep=keep, now=self._now, scopes=self.scopes)


def observe_project(
    watcher: Watcher,
    store: Store,
    project: Project,
    *,
    now: datetime,
    only: Iterable[str] = (),
    progress: Progress = lambda _what, _count: None,
) -> Report:
    """Read the sources of a project, all or some, and keep what is new."""
    chosen = list(only) or list(GATHERERS)
    unknown = [name for name in chosen if name not in GATHERERS]
    if unknown:
        raise Invalid(f"there is no source {unknown[0]!r}; there are {', '.join(GATHERERS)}")
    left_out: Counter[str] = Counter()
    rules: list[str] = []
    reports: list[SourceReport] = []
    for name in chosen:
        started = time.perf_counter()
        mark_name = f"{MARK}{name}:{watcher.scope.path}"  # projects may share a store
        mark = store.load(mark_name) or ""
        gathered = GATHERERS[name](project, mark, left_out, progress)
        rules += gathered.rules
        if name == "sessions":
            drafts = anchored(gathered.drafts, project.root, now)
            gathered = gathered.replace(drafts=drafts)
        report = watcher.keep(gathered, rules)
        with store.transaction():  # what was counted, and how far it was read, go together
            keep_changes(store, watcher.scope, gathered)
            if gathered.mark != mark:
                store.save(mark_name, gathered.mark)
        reports.append(report.replace(seconds=time.perf_counter() - started))
        if name == "sessions" and gathered.seen:
            reports.append(watcher.keep(routines(store), rules))
    if {"documents", "manifests", "commands"} & set(chosen):
        where = Filter(at=now, current=True, scopes=watcher.scopes)
        gathered_card = gather_card(store, project, watcher.scope, where, left_out)
        if gathered_card is not None:
            reports.append(watcher.keep(gathered_card, rules))
            store.save(f"{CARD_MARK}{watcher.scope.path}", gathered_card.mark)
    doubted = mark_unverified(store, project.root, now, watcher.scopes)
    return report_of(watcher, reports, left_out, unverified=doubted)


def report_of(
    watcher: Watcher,
    sources: Sequence[SourceReport],
    left_out: Counter[str],
    *,
    unverified: int = 0,
) -> Report:
    """Put together what became of all sources."""
    redacted = Counter(watcher.redacted)
    for name, number in left_out.items():
        if name.startswith("redacted: "):
            redacted[name.removeprefix("redacted: ")] += number
    return Report(
        sources=tuple(sources),
        kinds=dict(watcher.kinds.most_common()),
        refused=dict(watcher.refused.most_common()),
        redacted=dict(redacted.most_common()),
        left_out={n: c for n, c in left_out.most_common() if c and not n.startswith("redacted: ")},
        unverified=unverified,
        candidates=watcher.candidates,
    )


def _kind(given: Draft) -> Kind:
    return Kind(given.body.kind) if given.body is not None else given.kind


FRESH = timedelta(days=1)
MOST = 5  # files of one memory


def anchored(drafts: Iterable[Draft], root: str, now: datetime) -> tuple[Draft, ...]:
    """Give the drafts, those that are fresh and speak of files with their anchors."""
    shas: dict[str, str] = {}
    return tuple(_anchored(given, root, shas) if _fresh(given, now) else given for given in drafts)


def _fresh(given: Draft, now: datetime) -> bool:
    kind = Kind(given.body.kind) if given.body is not None else given.kind
    if given.anchors or kind not in (Kind.FACT, Kind.PATTERN) or given.valid_from is None:
        return False
    return now - given.valid_from <= FRESH


def _anchored(given: Draft, root: str, shas: dict[str, str]) -> Draft:
    paths = dict.fromkeys(
        mention.facet.name
        for mention in (*given.mentions, *find_mentions(given.text))
        if mention.facet.type is FacetType.FILE and mention.role is not Role.READS
    )
    found: list[Anchor] = []
    for path in paths:
        if path not in shas:
            inside = not os.path.isabs(path) and ".." not in path.split("/")
            shas[path] = sha_of(os.path.join(root, path)) if inside else ""
        if shas[path]:
            found.append(Anchor(path=path, sha=shas[path]))
    return given.replace(anchors=tuple(found[:MOST])) if found else given


def keep_changes(store: Store, scope: Scope, gathered: Gathered) -> None:
    """Add new commits to those that were counted, or count all anew; keep documents."""
    documents = list(gathered.documents)
    if gathered.commits:
        sets = ChangeSets() if gathered.anew else _kept(store, scope)
        for commit in gathered.commits:
            sets.add_commit(commit)
        documents += zip((CHANGES, WORDS), sets.to_json(), strict=True)
    for name, text in documents:
        if store.load(f"{name}:{scope.path}") != text:
            store.save(f"{name}:{scope.path}", text)


def _kept(store: Store, scope: Scope) -> ChangeSets:
    changes, words = (store.load(f"{name}:{scope.path}") or "" for name in (CHANGES, WORDS))
    return sets_from_json(changes, words)
