"""Walks the files of a memory and hands their records to the intake, each read as its sort."""

from __future__ import annotations

import re
from functools import partial

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
    lesson_polarity,
    skill_ref,
)
from tacit.exchange.loki.record import digest, moment, plain, text, time_of
from tacit.model import Polarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.codec import Json
    from tacit.draft import Draft
    from tacit.exchange.loki.intake import Intake, Read
    from tacit.exchange.loki.record import Record

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def gather(intake: Intake) -> None:
    """Gather all that the folder holds; what to avoid comes after the patterns it repeats."""
    _episodes(intake)
    _entries(intake, PATTERNS, "patterns", "pattern", patterns.pattern_draft)
    _entries(intake, WARNINGS, "anti_patterns", "lesson", patterns.lesson_draft)
    _entries(intake, FACTS, "facts", "fact", patterns.fact_draft)
    _lessons(intake)
    _skills(intake)
    _blocks(intake)
    _lost(intake)
    if intake.wanted({}):  # they bear no stamp
        _views(intake)
        _listed_links(intake)
    intake.finish()


def gather_lessons(intake: Intake) -> None:
    """Gather lessons alone, from a folder that is no memory but has a folder of them."""
    _lessons(intake)
    intake.finish()


def _episodes(intake: Intake) -> None:
    folder = intake.folder
    for day in folder.names(EPISODES):
        for name in folder.names(f"{EPISODES}/{day}", ".json"):
            path = f"{EPISODES}/{day}/{name}"
            record = folder.json(path)
            if not isinstance(record, dict):
                intake.counts["not a record"] += record is not None
                continue
            when = time_of(day) if _DAY.fullmatch(day) else None
            read = partial(episodes.draft_of, when=when or folder.written(path))
            id_ = text(record, "id") or name.removesuffix(".json")
            intake.take("episode", id_, record, path, read)


def _entries(intake: Intake, path: str, key: str, sort: str, read: Read) -> None:
    value = intake.home(path).json(path)
    if value is None:
        return
    head = value if isinstance(value, dict) else None
    found = head.get(key) if head is not None else value
    _list_file(intake, path, key, sort, found, head, read)


def _list_file(
    intake: Intake, path: str, key: str, sort: str, found: Json, head: Record | None, read: Read
) -> None:
    """Take the records of one file, and keep their order and what stands around them."""
    entries: dict[str, str] = {}  # ref → the document that holds the record
    for entry in _bounded(intake, found):
        if not isinstance(entry, dict):
            intake.counts["not a record"] += 1
            continue
        known = intake.warned_of(entry) if sort == "lesson" else None
        if known is not None:
            intake.counts["said twice"] += 1
            if known not in entries:
                entries[known] = intake.take_again(known, entry, path)
            continue
        ref = intake.take(sort, _id_of(entry, sort), entry, path, read)
        if ref is not None:
            entries.setdefault(ref, ref)
            intake.warn(ref, entry)
    around: Json = None if head is None else {**head, key: None}
    listed: list[Json] = [[ref, name] for ref, name in entries.items()]
    intake.keep_file(path, {"around": around, "key": key, "entries": listed})


def _bounded(intake: Intake, found: Json) -> Sequence[Json]:
    if not isinstance(found, list):
        return ()
    if len(found) > MOST_ENTRIES:
        intake.counts["too many entries"] += len(found) - MOST_ENTRIES
    return found[:MOST_ENTRIES]


def _lessons(intake: Intake) -> None:
    for name in intake.folder.names(LESSONS):
        path = f"{LESSONS}/{name}"
        if name.endswith(".jsonl"):
            _lines(intake, path)
        elif name.endswith(".json"):
            value = intake.folder.json(path)
            key = _key(value, "learnings", "lessons", "entries")
            _entries(intake, path, key, "lesson", patterns.lesson_draft)


def _lines(intake: Intake, path: str) -> None:
    """Read a file of JSON lines, its first one a header that tells the version."""
    polarity = lesson_polarity(path)
    lines = intake.folder.lines(path)
    headed = bool(lines) and "version" in lines[0] and not text(lines[0], "description")
    found: list[Json] = list(lines[headed:])
    head = lines[0] if headed else None
    sort = "lesson" if polarity is Polarity.AVOID else "advice"
    read = partial(patterns.lesson_draft, polarity=polarity)
    if lines:
        _list_file(intake, path, "", sort, found, head, read)


def _skills(intake: Intake) -> None:
    folder = intake.folder
    names = [n for n in folder.names("skills") if n.endswith((".md", ".json"))]
    for stem in dict.fromkeys(name.rpartition(".")[0] for name in names):
        markdown = folder.text(f"skills/{stem}.md")
        value = folder.json(f"skills/{stem}.json")
        record = value if isinstance(value, dict) else None
        if markdown is None and record is None:
            intake.counts["not a record"] += value is not None
            continue
        path = f"skills/{stem}.{'md' if record is None else 'json'}"
        id_ = text(record or {}, "id") or f"skill-{stem}"
        read = partial(skills.draft_of, markdown=markdown)
        ref = intake.take("skill", id_, record or {}, path, read, skill_ref(intake.prefix, stem))
        if ref is not None:
            intake.also(ref, stem)
            if markdown is not None:
                intake.keep(f"{ref}#md", {"path": f"skills/{stem}.md", "text": markdown})


def _blocks(intake: Intake) -> None:
    for folder in blocks.FOLDERS:
        names = intake.folder.names(folder)
        for name in names:
            stem, _, ending = name.rpartition(".")
            path = f"{folder}/{name}"
            if ending == "md" and f"{stem}.json" in names:  # says the same in words
                twin = intake.folder.text(path) if intake.wanted({}) else None
                if twin is not None:
                    intake.keep_file(path, {"text": twin})
            elif ending in ("md", "json"):
                _block(intake, path, folder, stem)
    _block(intake, blocks.CONTINUITY, "", "continuity")


def _block(intake: Intake, path: str, folder: str, stem: str) -> None:
    home = intake.home(path)
    content = home.json(path) if path.endswith(".json") else home.text(path)
    if not isinstance(content, dict | str):
        intake.counts["not a record"] += content is not None
        return
    record = content if isinstance(content, dict) else {}
    label = blocks.label_of(folder, stem, record) if folder else stem
    when = home.written(path)

    def read(_record: Record, ref: str) -> Draft:
        return blocks.draft_of(label, content, ref, when)

    intake.take("block", label, record, path, read)


def _lost(intake: Intake) -> None:
    home = intake.home(LOST)
    key = _key(home.json(LOST), "tasks", "items", "dead_letter", "entries", "failed")
    _entries(intake, LOST, key, "lost", partial(episodes.lost_draft, when=home.written(LOST)))


def _views(intake: Intake) -> None:
    for path in VIEWS:
        if (value := intake.folder.json(path)) is not None:
            intake.keep_file(path, {"value": value})
            intake.counts["view"] += 1


def _listed_links(intake: Intake) -> None:
    value = intake.folder.json(LINKS)
    if value is not None:
        intake.keep_file(LINKS, {"value": value})
        entries: list[Json] = list(links.listed(value))
        found = (entry for entry in _bounded(intake, entries) if isinstance(entry, dict))
        intake.links += [links.said_by(entry) for entry in found]


def _id_of(entry: Record, sort: str) -> str:
    told = text(entry, "id", "task_id") if sort == "lost" else text(entry, "id")
    if told:
        return told
    said: Record = {name: value for name, value in entry.items() if not moment(entry, name)}
    return f"{sort}-{digest(plain(said) or plain(entry))}"


def _key(value: Json, *names: str) -> str:
    """Give the field that holds the records of a file; the first where none does."""
    held = value if isinstance(value, dict) else {}
    return next((name for name in names if isinstance(held.get(name), list)), names[0])
