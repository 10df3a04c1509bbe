"""Watching: sources are read, what they say is extracted, sifted and written, step by step.

Each source is written in batches, each batch whole or not at all; the mark of a source is
moved only when all of it is in the store. So a run that is killed goes on where it was, and a
second run over unchanged sources changes nothing.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache

from tacit.body import Episode
from tacit.draft import Draft
from tacit.encode.cochange import CHANGES, WORDS, ChangeSets, sets_from_json
from tacit.encode.embedding import Nearness
from tacit.encode.facets import find_mentions
from tacit.encode.project_card import card_draft, card_lines
from tacit.encode.project_facts import project_facts
from tacit.encode.routines import routine_drafts, run_of
from tacit.errors import Invalid
from tacit.ingest.reading import blob_sha
from tacit.ingest.redaction import redact
from tacit.model import Anchor, FacetType, Kind, Memory, Role, Scope, State, Trust
from tacit.observe.sources import (
    GATHERERS,
    Gathered,
    Progress,
    Project,
    Report,
    SourceReport,
)
from tacit.store.protocol import Filter
from tacit.text import shorten
from tacit.write.doubt import mark_unverified, sha_of
from tacit.write.ended import end_parts, end_versions
from tacit.write.erased import erased
from tacit.write.gate import Gate, Refusal
from tacit.write.remember import Written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.protocol import Reader, Store

Write = Callable[[Sequence[Draft]], Written]

BATCH = 500
MARK = "watermark:"
REFUSED = "refused:"  # the document that counts what was refused of a project
EXAMPLE_CHARS = 100
PUT_AWAY = ("erased", "rejected")
FRESH = timedelta(days=1)  # older memories get no anchors
EPISODES = 2000  # the latest that are looked at for routines
MOST_ANCHORS = 5  # files of one memory

CARD_MADE_OF = ("documents", "manifests", "commands", "git")
CARD_FORM = 2  # another one is made anew everywhere
AGENT_FILES = ("claude.md", "agents.md", "gemini.md", ".cursor", ".claude", "copilot")


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
        self.examples: dict[str, str] = {}
        self.evidence: Counter[str] = Counter()
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
            self._refuse(turned_away)
            for written in written_by(self._write, self._reviewed(kept), self.refused):
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

    def _refuse(self, refusals: Sequence[Refusal]) -> None:
        """Count what is refused by reason, here and in the store, with an example of each."""
        if not refusals:
            return
        examples = {
            # What a person erased or put away is not said again.
            one.reason: ""
            if one.reason in PUT_AWAY
            else shorten(redact(one.text).text, EXAMPLE_CHARS)
            for one in refusals
        }
        counts = Counter(one.reason for one in refusals)
        self.refused.update(counts)
        self.examples = examples | self.examples
        known = refusals_of(self._store, self.scope)
        told = {
            # Where others read the store too, what a member said is not shown to them.
            reason: (known.get(reason, (0, ""))[0] + n, "" if self.scopes else examples[reason])
            for reason, n in counts.items()
        }
        self._store.save(f"{REFUSED}{self.scope.path}", json.dumps(known | told))

    def _count(self, written: Written) -> None:
        for memory in written.fresh:
            counted = self.evidence if memory.evidence else self.kinds
            counted[f"{memory.kind} {memory.subtype}".strip()] += 1
            self.candidates += memory.state is State.CANDIDATE

    def _end(self, gathered: Gathered) -> int:
        made = {given.source_ref for given in gathered.drafts}
        ended = sum(self._end_parts(one, made) for one in gathered.whole)
        if gathered.held:
            ended += end_versions(self._store, gathered.held, now=self._now, scopes=self.scopes)
        return ended + sum(self._end_parts(one, set()) for one in gathered.gone)

    def _end_parts(self, source: str, keep: set[str]) -> int:
        return end_parts(self._store, source, keep=keep, now=self._now, scopes=self.scopes)


def refusals_of(store: Store, scope: Scope) -> dict[str, tuple[int, str]]:
    """Give what was refused so far: by reason how many, and the latest example."""
    kept = json.loads(store.load(f"{REFUSED}{scope.path}") or "{}")
    return {reason: (number, example) for reason, (number, example) in kept.items()}


def drop_examples(store: Store) -> None:
    """Keep only the numbers of what was refused: a text may tell what is to be gone."""
    for name, text in store.documents(REFUSED):
        kept = {reason: (number, "") for reason, (number, _) in json.loads(text).items()}
        store.save(name, json.dumps(kept))


def written_by(write: Write, drafts: Sequence[Draft], refused: Counter[str]) -> Iterator[Written]:
    """Write drafts at once; one that cannot be kept does not keep the others out."""
    try:
        if drafts:
            yield write(drafts)
    except Invalid:
        half = len(drafts) // 2
        if not half:
            refused["invalid"] += 1
            return
        yield from written_by(write, drafts[:half], refused)
        yield from written_by(write, drafts[half:], refused)


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
    project.progress = progress
    rules: list[str] = []
    reports: list[SourceReport] = []
    for name in chosen:
        started = time.perf_counter()
        mark_name = f"{MARK}{name}:{watcher.scope.path}"  # projects may share a store
        mark = store.load(mark_name) or ""
        gathered = GATHERERS[name](project, mark)
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
    if set(CARD_MADE_OF) & set(chosen):
        where = Filter(at=now, current=True, scopes=watcher.scopes)
        card = gather_card(store, project, watcher.scope, where)
        if card is not None:
            reports.append(watcher.keep(card, rules))
            store.save(f"{MARK}card:{watcher.scope.path}", card.mark)
    doubted = mark_unverified(store, project.root, now, watcher.scopes)
    return report_of(watcher, reports, project.counts, unverified=doubted)


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
        evidence=dict(watcher.evidence.most_common()),
        examples=watcher.examples,
        refused=dict(watcher.refused.most_common()),
        redacted=dict(redacted.most_common()),
        left_out={n: c for n, c in left_out.most_common() if c and not n.startswith("redacted: ")},
        unverified=unverified,
        candidates=watcher.candidates,
    )


def _kind(given: Draft) -> Kind:
    return Kind(given.body.kind) if given.body is not None else given.kind


def anchored(drafts: Iterable[Draft], root: str, now: datetime) -> tuple[Draft, ...]:
    """Give the drafts, those that are fresh and speak of files with their anchors."""

    @cache
    def sha(path: str) -> str:
        inside = not os.path.isabs(path) and ".." not in path.split("/")
        return sha_of(os.path.join(root, path)) if inside else ""

    def with_anchors(given: Draft) -> Draft:
        fresh = given.valid_from is not None and now - given.valid_from <= FRESH
        if not fresh or given.anchors or _kind(given) not in (Kind.FACT, Kind.PATTERN):
            return given
        paths = dict.fromkeys(
            mention.facet.name
            for mention in (*given.mentions, *find_mentions(given.text))
            if mention.facet.type is FacetType.FILE and mention.role is not Role.READS
        )
        found = [Anchor(path=path, sha=sha(path)) for path in paths if sha(path)]
        return given.replace(anchors=tuple(found[:MOST_ANCHORS])) if found else given

    return tuple(with_anchors(given) for given in drafts)


def routines(store: Reader) -> Gathered:
    """Commands that were run in the same order again and again, by the episodes of a store."""
    where = Filter(kinds=(Kind.EPISODE,), evidence=None)
    runs = [
        run_of(memory.source_ref, memory.body)
        for memory in store.scan(where, order="-valid_from", limit=EPISODES)
        if isinstance(memory.body, Episode) and memory.body.actions
    ]
    drafts = tuple(routine_drafts(runs))
    return Gathered(source="routines", drafts=drafts, seen=len(runs), stated=True)


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


def gather_card(store: Store, project: Project, scope: Scope, where: Filter) -> Gathered | None:
    """Give the card of a project to be written; None while all it is made of is the same."""

    def kept(subtype: str) -> list[Memory]:
        return list(store.scan(where.replace(subtypes=(subtype,)), order="-valid_from", limit=60))

    rules = [rule for rule in kept("rule") if _is_written_rule(rule)]
    pitfalls = kept("pitfall")
    read = [store.load(f"{MARK}{name}:{scope.path}") or "" for name in CARD_MADE_OF]
    said = [[memory.id, memory.hash] for memory in (*rules, *pitfalls)]
    mark = blob_sha(json.dumps([CARD_FORM, read, said]).encode())
    if mark == store.load(f"{MARK}card:{scope.path}"):
        return None
    lines = card_lines(
        project_facts(project.files),
        project.stated_commands,
        rules=rules,
        pitfalls=pitfalls,
        commits=project.commits,
    )
    draft = card_draft(lines)
    return Gathered(
        source="card", drafts=(draft,) if draft else (), seen=len(lines), mark=mark, stated=True
    )


def _is_written_rule(rule: Memory) -> bool:
    """Tell whether a rule is of a page for people: what tools enforce and hosts load is elsewhere."""
    source = rule.source_ref.lower()
    from_file = rule.trust is Trust.REPOSITORY and not source.startswith("project:")
    return from_file and not any(name in source for name in AGENT_FILES)
