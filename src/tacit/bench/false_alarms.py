"""How often memory cries wolf: contradictions found in stores that real work has filled.

Sessions and histories are read the way the product reads them, in the order they happened; then
the pass runs once over each store. Real work seldom denies itself, so nearly all that is found
there is false: how many are found is counted, and some are given to be read. The pretended
projects of the junk sets come with changes of what is known, which must be found.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.bench import gate_quality
from tacit.bench.case import read_lines
from tacit.bench.quality import StepClock
from tacit.bench.sets import agent_sessions, git_history
from tacit.clock import parse_time
from tacit.consolidate.contradict import contradict
from tacit.consolidate.pairs import claims, statement
from tacit.consolidate.room import Room, Rules
from tacit.consolidate.vectors import vectors_of
from tacit.draft import Draft
from tacit.encode.commits import commit_drafts
from tacit.encode.ports import Embedder, Judge
from tacit.errors import NotFound
from tacit.model import Contradiction, Kind, Origin, Scope, Trust
from tacit.observation import Commit
from tacit.observe.pipeline import BATCH
from tacit.store.connect import connect
from tacit.store.protocol import Filter
from tacit.system import Tacit
from tacit.write.gate import Gate

if TYPE_CHECKING:
    from tacit.store.protocol import Store

SHOWN = 30
SEED = 7
PRETENDED = datetime(2026, 1, 1, tzinfo=UTC)
# What is written at one moment, whether a person or a program stated it, and what it is.
Step = tuple[datetime, bool, Sequence[Draft]]


def false_alarms(
    data: Path,
    *,
    embedder: Embedder | None = None,
    judge: Judge | None = None,
    progress: Callable[[str], None] = lambda _text: None,
) -> dict[str, Any]:
    """Fill stores from the sets in a folder, run the pass over each, and give what it found."""
    started = time.perf_counter()
    sections: dict[str, dict[str, Any]] = {}
    found: list[dict[str, Any]] = []
    for name, steps in _stores(data):
        progress(f"false alarms: {name}")
        row, records = _run(steps, embedder, judge)
        sections[name] = row
        found += [{"store": name, **record} for record in records]
    if not sections:
        raise NotFound(f"neither sessions nor histories are in {data}; give their folder")
    chosen = random.Random(SEED).sample(found, min(SHOWN, len(found)))
    return {
        "set": "false alarms",
        "embedder": embedder.model if embedder else "off",
        "judge": judge.name if judge else "rules alone",
        "seconds": round(time.perf_counter() - started, 1),
        "metrics": _metrics(list(sections.values())),
        "sections": {
            "stores": sections,
            "changes": {"junk sets": changes(embedder, judge)},
            "to read": {str(number): record for number, record in enumerate(chosen, 1)},
        },
        "raw": {"found": found},
    }


def changes(embedder: Embedder | None, judge: Judge | None) -> dict[str, Any]:
    """Give how many changes of what pretended projects know are found, and what else is."""
    wanted = got = others = memories = judged = 0
    for name, folder in gate_quality.SETS.items():
        if name == "final":  # kept for a last measurement
            continue
        known = list(read_lines(folder, "known.jsonl"))
        keepers = [row for row in read_lines(folder, "candidates.jsonl") if row["keep"]]
        texts = {
            frozenset((known[row["of"]]["text"], row["text"]))
            for row in keepers
            if row.get("of") is not None
        }
        steps: list[Step] = [
            (PRETENDED.replace(month=month), True, [_draft(row) for row in rows])
            for month, rows in ((1, known), (2, keepers))
        ]
        row, records = _run(steps, embedder, judge)
        pairs = [frozenset((record["a"], record["b"])) for record in records]
        hits = sum(pair in texts for pair in pairs)
        wanted, got, others = wanted + len(texts), got + hits, others + len(pairs) - hits
        memories, judged = memories + row["memories"], judged + row["judged"]
    return {
        "memories": memories,
        "judged": judged,
        "changes": wanted,
        "found": got,
        "others found": others,
    }


def _stores(data: Path) -> Iterator[tuple[str, Iterable[Step]]]:
    sessions = data / agent_sessions.FOLDER
    if sessions.is_dir():
        yield agent_sessions.FOLDER, _sessions(sessions)
    histories = data / git_history.FOLDER
    if histories.is_dir():
        for name, steps in git_history.repositories(str(histories)):
            commits = [step for step in steps if isinstance(step, Commit)]
            yield name, _commits(commits)


def _sessions(folder: Path) -> Iterator[Step]:
    for episode in read_lines(str(folder), "episodes.jsonl"):
        ended = parse_time(episode["ended"] or episode["started"])
        yield ended, False, agent_sessions.drafts_of(episode)


def _commits(commits: Sequence[Commit]) -> Iterator[Step]:
    for start in range(0, len(commits), BATCH):
        batch = commits[start : start + BATCH]
        yield max(commit.at for commit in batch), True, commit_drafts(batch, Counter())


def _run(
    steps: Iterable[Step], embedder: Embedder | None, judge: Judge | None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Fill a store step by step as an observation does, run the pass, give figures and finds."""
    with tempfile.TemporaryDirectory() as folder:
        store, clock = connect(f"{folder}/alarms.db"), StepClock()
        scope = Scope(path="project:bench")
        with Tacit(store, scope=scope, embedder=embedder, clock=clock) as tacit:
            for at, stated, drafts in steps:
                clock.shown = at
                gate = Gate(store, [], at)
                for start in range(0, len(drafts), BATCH):
                    kept, _ = gate.sift(drafts[start : start + BATCH], stated=stated)
                    if kept:
                        tacit.write(kept)
            room = Room(
                store=store,
                now=clock.now(),
                scope=scope,
                counter=tacit.counter,
                rules=Rules(),
                embedder=embedder,
                judge=judge,
            )
            return _scanned(room)


def _scanned(room: Room) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    memories = list(room.store.scan(Filter()))
    claiming = [memory for memory in memories if claims(memory, room.now)]
    vectors_of(room, claiming)  # no others are compared
    counts, mark, more = Counter[str](), "", True
    started = time.perf_counter()
    while more:
        with room.store.transaction(durable=False):
            done = contradict(room, mark)
        counts.update(done.counts)
        mark, more = done.mark, done.more
    records = [record for record in room.store.contradictions() if record.open]
    row = {
        "memories": len(memories),
        "claims": len(claiming),
        **{name: counts[name] for name in ("judged", "settled", "opened")},
        "open": len(records),
        "open per 1,000": _per_1000(len(records), len(memories)),
        "seconds": round(time.perf_counter() - started, 2),
    }
    return row, [_shown(room.store, record) for record in records]


def _shown(store: Store, record: Contradiction) -> dict[str, Any]:
    a, b = store.get([record.a, record.b])
    return {
        "detector": record.detector,
        "score": round(record.score, 3),
        "note": record.note,
        "a": statement(a),
        "b": statement(b),
    }


def _metrics(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    memories = sum(row["memories"] for row in rows)
    found = sum(row["open"] for row in rows)
    return {
        "memories": memories,
        "open": found,
        "open per 1,000": _per_1000(found, memories),
        "judged per 1,000": _per_1000(sum(row["judged"] for row in rows), memories),
    }


def _per_1000(number: int, memories: int) -> float:
    return round(1000 * number / max(memories, 1), 2)


def _draft(row: dict[str, Any]) -> Draft:
    return Draft(
        text=row["text"],
        kind=Kind(row["kind"]),
        subtype=row["subtype"] or "",
        origin=Origin.EXTRACTED,
        trust=Trust(row["trust"]),
        source_ref=row["source_ref"] or "",
    )
