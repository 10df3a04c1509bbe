"""`tacit bench time`: what held, what was known when, and whether news comes before old news.

Version facts arrive late and out of order: each is recorded some time after it began to hold,
by a seeded chance, so that world time and system time differ. BEAM asks for values that were
updated in the course of a conversation.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from tacit.bench.case import Ask, read_lines
from tacit.bench.metrics import mean
from tacit.bench.quality import StepClock, default_folder, run_collection
from tacit.bench.sets import beam
from tacit.bench.sets.version_facts import FOLDER, draft_of
from tacit.clock import parse_time
from tacit.encode.ports import Embedder
from tacit.errors import NotFound
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit
from tacit.value import Value

SEED = 7
PROMPT_DAYS, LATE_DAYS, LATE = 3, 120, 0.3  # how long recording takes, and how often very long
RANKED = 50  # hits among which the update is looked for


class Stated(Value):
    """A version that was stated: since when it holds, and when that was recorded."""

    id: str
    line: tuple[str, str, str]  # repository, package and folder: one value at a time
    at: datetime
    recorded: datetime
    record: tuple[tuple[str, str], ...]


def run(
    folder: str | None, embedder: Embedder | None, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Measure both parts; a part whose data is not there is left out and named."""
    sections: dict[str, dict[str, Any]] = {}
    raw: dict[str, Any] = {}
    missing: list[str] = []
    for name, part in (("version facts", versions), ("BEAM updates", updates)):
        try:
            raw[name] = part(folder, embedder, progress)
        except NotFound as absent:
            progress(f"{name}: left out, {absent}")
            missing.append(name)
            continue
        kinds = sorted({row["kind"] for row in raw[name]})
        sections[name] = {
            kind: _figures([row for row in raw[name] if row["kind"] == kind]) for kind in kinds
        }
    if not raw:
        raise NotFound("neither version-facts nor beam is there; give their folder with --data")
    asked = sum(len(rows) for rows in raw.values())
    found = {"set": "time", "questions": asked, "sections": sections, "raw": raw}
    return found | ({"left_out_sets": missing} if missing else {})


def _figures(rows: list[dict[str, Any]]) -> dict[str, Any]:
    right, stale = mean([row["right"] for row in rows]), mean([row["stale"] for row in rows])
    return {"questions": len(rows), "right": round(right, 4), "stale_first": round(stale, 4)}


def versions(
    folder: str | None, embedder: Embedder | None, progress: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Ask what holds, what held, and what was known of it, where facts arrived out of order."""
    place = _place(folder, FOLDER)
    chance = random.Random(SEED)
    stated = [_stated(record, chance) for record in read_lines(place, "facts.jsonl")]
    questions = list(read_lines(place, "questions.jsonl"))
    rows: list[dict[str, Any]] = []
    for repo in sorted({each.line[0] for each in stated}):
        progress(f"time: {repo}")
        mine = sorted((s for s in stated if s.line[0] == repo), key=lambda s: (s.recorded, s.id))
        asked = [question for question in questions if question["repo"] == repo]
        rows += _asked(mine, asked, embedder, chance)
    return rows


def _asked(
    stated: list[Stated],
    questions: list[dict[str, Any]],
    embedder: Embedder | None,
    chance: random.Random,
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    scope, clock = Scope(path="project:bench"), StepClock()
    with tempfile.TemporaryDirectory() as folder:
        store = connect(os.path.join(folder, "bench.db"))
        with Tacit(store, scope=scope, embedder=embedder, clock=clock) as tacit:
            names: dict[str, str] = {}
            for each in stated:
                clock.shown = each.recorded
                (kept,) = tacit.remember_many([draft_of(dict(each.record))])
                names.setdefault(kept.id, each.id)
            last = max(max(each.recorded, each.at) for each in stated)
            clock.shown = last + timedelta(days=1)
            for question in questions:
                rows += _answers(tacit, question, stated, names, clock.shown, chance)
    return rows


def _answers(
    tacit: Tacit,
    question: dict[str, Any],
    stated: list[Stated],
    names: dict[str, str],
    now: datetime,
    chance: random.Random,
) -> Iterator[dict[str, Any]]:
    """Ask a question as it is, and one about a time once more as it was known at a time."""
    line = next(each.line for each in stated if each.id == question["evidence"])
    mine = [each for each in stated if each.line == line]
    as_of = parse_time(question["as_of"]) if question["as_of"] else None
    times: list[tuple[str, dict[str, datetime]]]
    times = [("as-of", {"as_of": as_of})] if as_of else [("current", {})]
    if as_of is not None:
        times.append(("known-at", {"as_of": as_of, "known_at": chance.choice(_moments(mine))}))
    for kind, options in times:
        known_at, at = options.get("known_at", now), as_of or now
        known = [each for each in mine if each.recorded <= known_at]
        held = [each for each in known if each.at <= at]
        wanted = max(held, key=lambda each: (each.at, each.id)).id if held else ""
        hits = tacit.recall(question["question"], limit=5, **options)
        ranked = [names.get(hit.memory.id, "") for hit in hits]
        own = [name for name in ranked if name in {each.id for each in mine}]
        first = ranked[0] if ranked else ""
        yield {
            "id": question["id"],
            "kind": kind,
            "wanted": wanted,
            "ranked": ranked,
            "right": float(first == wanted if wanted else not own),
            "stale": float(first != wanted and first in {each.id for each in mine}),
        }


def _moments(stated: list[Stated]) -> list[datetime]:
    """Give moments at which something of a line was known: just after each recording."""
    return [each.recorded + timedelta(hours=1) for each in stated]


def _stated(record: dict[str, str], chance: random.Random) -> Stated:
    at = parse_time(record["date"])
    days = chance.uniform(0, LATE_DAYS if chance.random() < LATE else PROMPT_DAYS)
    return Stated(
        id=record["id"],
        line=(record["repo"], record["package"], record["scope"]),
        at=at,
        recorded=at + timedelta(days=days),
        record=tuple(record.items()),
    )


def updates(
    folder: str | None, embedder: Embedder | None, progress: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Ask for values that were updated: does the update stand above the original?

    A message that is named as both has no order and is not counted; nor is a question whose
    evidence is not in the set.
    """
    place = _place(folder, beam.FOLDER)
    roles = {
        question["id"]: question["evidence_roles"]
        for question in read_lines(place, "questions.jsonl")
        if question["ability"] == "knowledge_update" and "evidence_roles" in question
    }
    rows: list[dict[str, Any]] = []
    for collection in beam.collections(place):
        steps = tuple(s for s in collection.steps if not isinstance(s, Ask) or s.id in roles)
        progress(f"time: {collection.name}")
        found = run_collection(
            collection.replace(steps=steps),
            limit=RANKED,
            embedder=embedder,
            channels=None,
            profile="default",
        )
        for row in found:
            first, second = (
                {str(turn) for turn in roles[row["id"]][role]}
                for role in ("original_info", "updated_info")
            )
            if first & second:
                continue
            above = _best(row["ranked"], second) < _best(row["ranked"], first)
            stale = bool(row["ranked"]) and row["ranked"][0] in first
            rows.append(row | {"kind": "update", "right": float(above), "stale": float(stale)})
    return rows


def _best(ranked: list[str], names: set[str]) -> int:
    return min((ranked.index(name) for name in names if name in ranked), default=RANKED)


def _place(folder: str | None, name: str) -> str:
    return os.path.join(folder, name) if folder else default_folder(name)
