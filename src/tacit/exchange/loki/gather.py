"""One folder of a loki-mode memory, gathered: drafts, the records they came from, and links.

Every record is kept as a document under the source of its draft, every file of many records
as the order they had, so that the way back loses nothing.
"""

from __future__ import annotations

import json
import re

from tacit.draft import LinkTo
from tacit.exchange.loki import blocks, episodes, links, patterns, skills
from tacit.exchange.loki.folder import MOST_ENTRIES
from tacit.exchange.loki.names import (
    EPISODES,
    FACTS,
    LESSONS,
    LINKS,
    LOST,
    PATTERNS,
    VIEWS,
    WARNINGS,
    document,
    lesson_polarity,
    ref_of,
    skill_ref,
)
from tacit.exchange.loki.record import digest, moment, plain, text, time_of
from tacit.model import Polarity, Relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.codec import Json
    from tacit.draft import Draft
    from tacit.exchange.loki.folder import Folder
    from tacit.exchange.loki.links import Said
    from tacit.exchange.loki.record import Record

    Read = Callable[[Record, str], Draft | None]

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Gathering:
    """Gathers a folder; `beside` is where CONTINUITY.md and the queue are."""

    def __init__(
        self, folder: Folder, beside: Folder, prefix: str, wanted: Callable[[Record], bool]
    ) -> None:
        self._folder, self._beside = folder, beside
        self._prefix, self._wanted = prefix, wanted
        self._counts = folder.counts
        self.drafts: dict[str, Draft] = {}
        self.documents: dict[str, str] = {}
        self._sorts: dict[str, str] = {}  # ref → what sort of record has it
        self._refs: dict[str, str] = {}  # id as the files say it → ref
        self._ids: dict[str, str] = {}  # and back
        self._warned: dict[str, str] = {}  # a warning's form → ref
        self._links: list[Said] = []
        self._files: list[str] = []

    def all(self) -> None:
        """Gather all that the folder holds; what to avoid comes after the patterns it repeats."""
        self._episodes()
        self._entries(PATTERNS, "patterns", "pattern", patterns.pattern_draft)
        self._entries(WARNINGS, "anti_patterns", "lesson", patterns.lesson_draft)
        self._entries(FACTS, "facts", "fact", patterns.fact_draft)
        self._lessons()
        self._skills()
        self._blocks()
        self._lost()
        self._views()
        self._listed_links()
        self._join()
        self._keep("manifest", {"files": list(self._files), "refs": list(self.drafts)})

    def lessons(self) -> None:
        """Gather lessons alone, from a folder that is no memory but has a folder of them."""
        self._lessons()
        self._keep("manifest", {"files": list(self._files), "refs": list(self.drafts)})

    # Records

    def _take(
        self, sort: str, id_: str, record: Record, path: str, read: Read, ref: str = ""
    ) -> str | None:
        """Take one record in; give its ref, or None where there is nothing in it to keep."""
        if not self._wanted(record):
            self._counts["of another namespace"] += 1
            return None
        ref = self._free(ref or ref_of(self._prefix, id_), sort)
        draft = read(record, ref)
        if draft is None:
            self._counts["empty"] += 1
            return None
        if ref in self.drafts:
            self._counts["same id again"] += 1
        else:
            self._counts[draft.body.kind if draft.body else draft.kind.value] += 1
        self.drafts[ref] = self._dated(draft, path)
        self._sorts[ref] = sort
        self._refs.setdefault(id_, ref)
        self._ids[ref] = id_
        self._links += links.embedded(record, id_)
        self._keep_as(ref, {"path": path, "record": record})
        return ref

    def _free(self, ref: str, sort: str) -> str:
        """Give a ref that no record of another sort has."""
        return ref if self._sorts.get(ref, sort) == sort else f"{ref}#{sort}"

    def _dated(self, draft: Draft, path: str) -> Draft:
        """Nothing happened after it was written down, whatever a wrong clock says."""
        written = self._home(path).written(path)
        if draft.valid_from and written and draft.valid_from > written:
            self._counts["dated after its file"] += 1
            return draft.replace(valid_from=written)
        return draft

    def _home(self, path: str) -> Folder:
        return self._beside if path in (LOST, blocks.CONTINUITY) else self._folder

    # Files

    def _episodes(self) -> None:
        for day in self._folder.names(EPISODES):
            for name in self._folder.names(f"{EPISODES}/{day}", ".json"):
                path = f"{EPISODES}/{day}/{name}"
                record = self._folder.json(path)
                if not isinstance(record, dict):
                    self._counts["not a record"] += record is not None
                    continue
                when = time_of(day) if _DAY.fullmatch(day) else None
                when = when or self._folder.written(path)
                id_ = text(record, "id") or name.removesuffix(".json")
                self._take(
                    "episode",
                    id_,
                    record,
                    path,
                    lambda r, ref, at=when: episodes.draft_of(r, ref, at),
                )

    def _entries(self, path: str, key: str, sort: str, read: Read) -> None:
        value = self._home(path).json(path)
        if value is None:
            return
        found = value.get(key) if isinstance(value, dict) else value
        self._list_file(path, key, sort, found, value if isinstance(value, dict) else None, read)

    def _list_file(
        self, path: str, key: str, sort: str, found: Json, head: Record | None, read: Read
    ) -> None:
        """Take the records of one file, and keep their order and what stands around them."""
        entries: dict[str, str] = {}  # ref → the document that holds the record
        for entry in self._bounded(found):
            if not isinstance(entry, dict):
                self._counts["not a record"] += 1
                continue
            known = self._known_warning(sort, entry)
            if known is not None:
                self._counts["said twice"] += 1
                if known not in entries:
                    entries[known] = f"{known}#{document(path)}"
                    self._keep_as(entries[known], {"path": path, "record": entry})
                    self._links += links.embedded(entry, self._ids[known])
                continue
            ref = self._take(sort, _id_of(entry, sort), entry, path, read)
            if ref is not None:
                entries.setdefault(ref, ref)
                self._remember_warning(ref, entry)
        around: Json = None if head is None else {**head, key: None}
        listed: list[Json] = [[ref, name] for ref, name in entries.items()]
        self._file(path, {"around": around, "key": key, "entries": listed})

    def _bounded(self, found: Json) -> Sequence[Json]:
        if not isinstance(found, list):
            return ()
        if len(found) > MOST_ENTRIES:
            self._counts["too many entries"] += len(found) - MOST_ENTRIES
        return found[:MOST_ENTRIES]

    def _known_warning(self, sort: str, entry: Record) -> str | None:
        if sort != "lesson":
            return None
        forms = patterns.same_lesson(entry)
        return next((self._warned[form] for form in forms if form in self._warned), None)

    def _remember_warning(self, ref: str, entry: Record) -> None:
        if self.drafts[ref].polarity is Polarity.AVOID:
            for form in patterns.same_lesson(entry):
                self._warned.setdefault(form, ref)

    def _lessons(self) -> None:
        for name in self._folder.names(LESSONS):
            path = f"{LESSONS}/{name}"
            if name.endswith(".json"):
                value = self._folder.json(path)
                key = next((k for k in ("learnings", "lessons", "entries") if _has(value, k)), "")
                found = value.get(key) if isinstance(value, dict) else value
                head = value if isinstance(value, dict) else None
                if value is not None:
                    self._list_file(
                        path, key or "learnings", "lesson", found, head, patterns.lesson_draft
                    )
            elif name.endswith(".jsonl"):
                self._lines(path)

    def _lines(self, path: str) -> None:
        """Read a file of JSON lines, its first one a header that tells the version."""
        polarity = lesson_polarity(path)
        lines = self._folder.lines(path)
        headed = bool(lines) and "version" in lines[0] and not text(lines[0], "description")
        entries: list[Json] = list(lines[headed:])
        self._list_file(
            path,
            "",
            "lesson" if polarity is Polarity.AVOID else "advice",
            entries,
            lines[0] if headed else None,
            lambda record, ref: patterns.lesson_draft(record, ref, polarity),
        )

    def _skills(self) -> None:
        stems = dict.fromkeys(
            name.rpartition(".")[0]
            for name in self._folder.names("skills")
            if name.endswith((".md", ".json"))
        )
        for stem in stems:
            markdown = self._folder.text(f"skills/{stem}.md")
            value = self._folder.json(f"skills/{stem}.json")
            record = value if isinstance(value, dict) else None
            if markdown is None and record is None:
                self._counts["not a record"] += value is not None
                continue
            path = f"skills/{stem}.{'md' if record is None else 'json'}"
            ref = self._take(
                "skill",
                text(record or {}, "id") or f"skill-{stem}",
                record or {},
                path,
                lambda r, ref, md=markdown: skills.draft_of(r, md, ref),
                skill_ref(self._prefix, stem),
            )
            if ref is not None and markdown is not None:
                self._refs.setdefault(stem, ref)
                self._keep_as(f"{ref}#md", {"path": f"skills/{stem}.md", "text": markdown})

    def _blocks(self) -> None:
        for folder in blocks.FOLDERS:
            names = self._folder.names(folder)
            for name in names:
                stem, _, ending = name.rpartition(".")
                path = f"{folder}/{name}"
                if ending == "md" and f"{stem}.json" in names:  # says the same in words
                    twin = self._folder.text(path) if self._wanted({}) else None
                    if twin is not None:
                        self._file(path, {"text": twin})
                elif ending in ("md", "json"):
                    self._block(path, folder, stem)
        self._block(blocks.CONTINUITY, "", "continuity")

    def _block(self, path: str, folder: str, stem: str) -> None:
        home = self._home(path)
        content = home.json(path) if path.endswith(".json") else home.text(path)
        if not isinstance(content, dict | str):
            self._counts["not a record"] += content is not None
            return
        record = content if isinstance(content, dict) else None
        label = blocks.label_of(folder, stem, record) if folder else stem
        when = home.written(path)
        self._take(
            "block",
            label,
            record or {},
            path,
            lambda _r, ref: blocks.draft_of(label, content, ref, when),
        )

    def _lost(self) -> None:
        value = self._beside.json(LOST)
        names = ("tasks", "items", "dead_letter", "entries", "failed")
        key = next((name for name in names if _has(value, name)), "tasks")
        when = self._beside.written(LOST)
        if value is not None:
            self._entries(
                LOST, key, "lost", lambda record, ref: episodes.lost_draft(record, ref, when)
            )

    def _views(self) -> None:
        for path in VIEWS if self._wanted({}) else ():
            if (value := self._folder.json(path)) is not None:
                self._file(path, {"value": value})
                self._counts["view"] += 1

    def _listed_links(self) -> None:
        value = self._folder.json(LINKS) if self._wanted({}) else None
        if value is None:
            return
        self._file(LINKS, {"value": value})
        entries: list[Json] = list(links.listed(value))
        self._links += [links.said_by(e) for e in self._bounded(entries) if isinstance(e, dict)]

    # Links

    def _join(self) -> None:
        """Give every draft its links; one that another end says is turned round."""
        joined: dict[str, dict[tuple[str, str], LinkTo]] = {}
        for said in self._links:
            if not said.known:
                self._counts["link not understood"] += 1
                continue
            src, relation, dst = said.key
            src, dst = self._ref(src), self._ref(dst)
            if src not in self.drafts:
                self._counts["link from nowhere"] += 1
                continue
            to = LinkTo(relation=Relation(relation), source_ref=dst, weight=said.weight)
            joined.setdefault(src, {}).setdefault((relation, dst), to)
        for src, found in joined.items():
            self.drafts[src] = self.drafts[src].replace(links=tuple(found.values()))
            for (relation, dst), _ in found.items():
                if relation == Relation.SUPERSEDES:
                    self._end(self.drafts[src], dst)

    def _end(self, newer: Draft, older: str) -> None:
        """What was replaced held until then, where both times are known."""
        old = self.drafts.get(older)
        if old is None or old.body is None or getattr(old.body, "key", ""):
            return  # of a fact with a key the line of its values decides
        if old.valid_from and newer.valid_from and old.valid_from < newer.valid_from:
            self.drafts[older] = old.replace(valid_to=newer.valid_from)

    def _ref(self, id_: str) -> str:
        return self._refs.get(id_) or ref_of(self._prefix, id_)

    # Documents

    def _file(self, path: str, value: Record) -> None:
        self._files.append(path)
        self._keep(path, value)

    def _keep(self, path: str, value: Record) -> None:
        self._keep_as(ref_of(self._prefix, "", document(path)), value)

    def _keep_as(self, name: str, value: Record) -> None:
        self.documents[name] = json.dumps(value, ensure_ascii=False)


def _id_of(entry: Record, sort: str) -> str:
    told = text(entry, "id", "task_id") if sort == "lost" else text(entry, "id")
    if told:
        return told
    said = {name: value for name, value in entry.items() if not moment(entry, name)}
    return f"{sort}-{digest(plain(said) or plain(entry))}"


def _has(value: Json, key: str) -> bool:
    return isinstance(value, dict) and isinstance(value.get(key), list)
