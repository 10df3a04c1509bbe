"""What forgetting saves and what it costs: `tacit bench forgetting`.

Histories and sessions are lived through in the order of time by two stores side by side: one is
consolidated once a day on which something happens, the other never forgets. Each case is asked of
both. What is served and useful is cited, what is served and not useful is ignored. Reported are
the tokens served by default, the recall of both, and of what was forgotten how much was needed
after that.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, datetime
from typing import Any

from tacit.bench.case import Ask, Remember
from tacit.bench.metrics import mean, paired_interval, recall_at
from tacit.bench.prefetch import place_of
from tacit.bench.quality import StepClock
from tacit.bench.sets import agent_sessions, git_history
from tacit.consolidate.forget import forget
from tacit.consolidate.merge import merge
from tacit.consolidate.room import Room, Rules
from tacit.consolidate.tiers import promote
from tacit.encode.commits import commit_drafts
from tacit.errors import NotFound
from tacit.model import Kind, Level, Memory, Scope, State, Usage, UsageEvent
from tacit.observation import Commit
from tacit.store.connect import connect
from tacit.store.protocol import Filter
from tacit.system import Tacit

LIMIT = 10
EVERY = 1  # days between two cycles
STRETCH = 12  # five weeks of sessions become more than a year
CARE = (("merge", merge), ("promote", promote), ("forget", forget))  # compact only counts
SCOPE = Scope(path="project:bench")

Steps = Sequence[Remember | Ask]
Outcome = tuple[list[dict[str, Any]], dict[str, Any]]  # each case, and what all came to


class Lived:
    """One store that lives through the steps, with or without consolidation."""

    def __init__(self, folder: str, name: str, *, cared: bool) -> None:
        self.clock = StepClock()
        self.store = connect(os.path.join(folder, f"{name}.db"))
        self.tacit = Tacit(self.store, scope=SCOPE, clock=self.clock)
        self.names: dict[str, str] = {}
        self.marks: dict[str, str] = {}
        self.counts: Counter[str] = Counter()
        self.away: dict[str, Memory] = {}  # what is archived or forgotten, by id
        self.cared, self.day = cared, date.min

    def take(self, step: Remember) -> None:
        """Keep what a step brings."""
        for memory, name in zip(self.tacit.remember_many(step.drafts), step.names, strict=True):
            self.names.setdefault(memory.id, name)

    def answer(self, ask: Ask, at: datetime) -> tuple[list[str], int]:
        """Answer a case and record what became of the answer; give its names and its tokens."""
        passed_over = [id_ for id_, name in self.names.items() if name in ask.passed_over]
        hits = self.tacit.recall(ask.query, limit=LIMIT, exclude=passed_over, **dict(ask.options))
        served = [(hit.memory, hit.level if self.cared else Level.FULL) for hit in hits]
        self.store.add_usage(
            [
                Usage(query_id=ask.id, memory_id=memory.id, event=event, at=at)
                for memory, _ in served
                for event in _events(self.names[memory.id] in ask.wanted)
            ]
        )
        ranked = list(dict.fromkeys(self.names[memory.id] for memory, _ in served))
        return ranked, sum(memory.levels.token_count(level) for memory, level in served)

    def begin(self, at: datetime) -> None:
        """Set the clock; once a day care for the store first."""
        self.clock.shown = at
        if self.cared and (at.date() - self.day).days >= EVERY:
            self.day = at.date()
            self._care(at)

    def _care(self, at: datetime) -> None:
        room = Room(
            store=self.store, now=at, scope=SCOPE, counter=self.tacit.counter, rules=Rules()
        )
        before = sum(self.counts.values())
        with self.store.transaction():
            for name, run in CARE:
                more = True
                while more:
                    done = run(room, self.marks.get(name, ""))
                    self.marks[name], more = done.mark, done.more
                    self.counts.update(done.counts)
        if sum(self.counts.values()) > before:
            away = Filter(states=(State.ARCHIVED, State.FORGOTTEN))
            self.away = {memory.id: memory for memory in self.store.scan(away)}


def _events(useful: bool) -> tuple[UsageEvent, ...]:
    used = (UsageEvent.CITED, UsageEvent.HELPED) if useful else (UsageEvent.IGNORED,)
    return (UsageEvent.LOADED, *used)


def run(
    folder: str | None, progress: Callable[[str], None], *, parts: str | None, most: int | None
) -> dict[str, Any]:
    """Live through the histories and the sessions, whichever are there, the first `most` steps."""
    started = time.perf_counter()
    rows: list[dict[str, Any]] = []
    figures: dict[str, dict[str, Any]] = {}
    missing: list[str] = []
    chosen = parts.split(",") if parts else list(PARTS)
    lives: dict[str, Steps] = {}
    for name in chosen:
        place = place_of(folder, name)
        if place is None:
            missing.append(f"{name} is not there")
            continue
        lives |= {f"{name}: {part}": steps[:most] for part, steps in PARTS[name](place)}
    if not lives:
        raise NotFound(f"{'; '.join(missing)}; give the sets' folder with --data")
    for part, (asked, found) in zip(lives, _at_once(list(lives.values())), strict=True):
        figures[part] = found
        rows += [{"part": part, **row} for row in asked]
        progress(f"{part}: {len(asked)} cases")
    return {
        "set": "forgetting",
        "questions": len(rows),
        "seconds": round(time.perf_counter() - started, 1),
        "left_out_sets": missing,
        "metrics": _pooled(rows, list(figures.values())),
        "sections": {"by part": figures},
        "raw": rows,
    }


def _at_once(lives: Sequence[Steps]) -> Iterator[Outcome]:
    """Live through several at once, each in a process of its own; give them in order."""
    if len(lives) == 1:
        yield live(lives[0])
        return
    with ProcessPoolExecutor(min(len(lives), os.cpu_count() or 1)) as pool:
        yield from pool.map(live, lives)


def live(steps: Steps) -> Outcome:
    """Live through steps twice at once; give each case and what it came to."""
    rows: list[dict[str, Any]] = []
    fates = Fates()
    with tempfile.TemporaryDirectory() as folder:
        caring = Lived(folder, "caring", cared=True)
        keeping = Lived(folder, "keeping", cared=False)
        for step in steps:
            assert step.at is not None, "both sets have times"
            for lived in (caring, keeping):
                lived.begin(step.at)
            if isinstance(step, Remember):
                caring.take(step)
                keeping.take(step)
                continue
            fates.meet(caring, step)
            row: dict[str, Any] = {"case": step.id, "at": str(step.at)}
            for name, lived in (("caring", caring), ("keeping", keeping)):
                ranked, tokens = lived.answer(step, step.at)
                row[name] = recall_at(ranked, step.wanted, LIMIT)
                row[f"{name}_tokens"] = tokens
            rows.append(row)
        fates.note(caring)
        figures = {"memories": caring.store.stats().memories, **caring.counts, **fates.figures()}
        for lived in (caring, keeping):
            lived.tacit.close()
    return rows, _compared(rows) | figures


class Fates:
    """What was put away, and what of it a later case wanted."""

    def __init__(self) -> None:
        self.forgotten: dict[str, Memory] = {}
        self.needed: set[str] = set()
        self.wanted = self.archived = 0

    def note(self, lived: Lived) -> dict[str, str]:
        """Take down what is put away now; give the names of it that cases may want."""
        away = lived.away
        gone = {id_: m for id_, m in away.items() if m.state is State.FORGOTTEN}
        self.forgotten |= gone
        return {id_: lived.names[id_] for id_, m in away.items() if m.kind is Kind.EPISODE}

    def meet(self, lived: Lived, ask: Ask) -> None:
        """Tell what a case wants that is put away, with all that was made of the same record."""
        named = self.note(lived)
        self.wanted += len(ask.wanted)
        served = {name for id_, name in lived.names.items() if id_ not in lived.away}
        missed = {id_ for id_, name in named.items() if name in ask.wanted - served}
        self.archived += len({named[id_] for id_ in missed})
        self.needed |= missed & self.forgotten.keys()

    def figures(self) -> dict[str, Any]:
        """Give how much was forgotten, and the shares that were wanted all the same."""
        ended = sum(m.validity.valid_to is not None for m in self.forgotten.values())
        return {
            "reached forgotten": len(self.forgotten),
            "of them superseded": ended,
            "needed after it": len(self.needed),
            "wanted": self.wanted,
            "wanted while put away": self.archived,
        }


def _compared(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    tokens, all_tokens = (sum(row[f"{n}_tokens"] for row in rows) for n in ("caring", "keeping"))
    return {
        "cases": len(rows),
        "recall@10": round(mean([row["caring"] for row in rows]), 4),
        "never forgetting": round(mean([row["keeping"] for row in rows]), 4),
        "tokens": tokens,
        "never forgetting, tokens": all_tokens,
        "tokens saved": round(1 - tokens / all_tokens, 4) if all_tokens else 0.0,
    }


def _pooled(rows: Sequence[dict[str, Any]], parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    def total(name: str) -> int:
        return sum(part[name] for part in parts)

    forgotten = total("reached forgotten")
    low, high = paired_interval([row["caring"] - row["keeping"] for row in rows])
    return _compared(rows) | {
        "difference, 95 %": f"{low:+.4f} to {high:+.4f}",
        "reached forgotten": forgotten,
        "needed after it": total("needed after it"),
        "false forgetting": round(total("needed after it") / forgotten, 4) if forgotten else 0.0,
        "wanted while put away": round(total("wanted while put away") / total("wanted"), 4),
    }


def _histories(folder: str) -> Iterator[tuple[str, Steps]]:
    for repository, steps in git_history.repositories(folder):
        yield repository, [made for step in steps for made in _step(step)]


def _step(step: Commit | git_history.Opening) -> list[Remember | Ask]:
    if isinstance(step, Commit):
        drafts = commit_drafts([step], Counter())
        names = (step.sha[:12],) * len(drafts)
        return [Remember(drafts=tuple(drafts), names=names, at=step.at)] if drafts else []
    if not step.useful:
        return []
    return [
        Ask(
            id=step.id,
            category="opening",
            query=step.task,
            wanted=step.useful,
            options=(("files", (step.opened,)),),
            at=step.at,
        )
    ]


def _sessions(folder: str) -> Iterator[tuple[str, Steps]]:
    for collection in agent_sessions.collections(folder):
        first = next(step.at for step in collection.steps if step.at)
        steps = [
            step.replace(at=first + STRETCH * (step.at - first))
            for step in collection.steps
            if step.at
        ]
        yield collection.name, [_own_id(step) for step in steps]


def _own_id(step: Remember | Ask) -> Remember | Ask:
    """A case is asked in two ways, each of which is a query of its own."""
    return step.replace(id=f"{step.id}:{step.category}") if isinstance(step, Ask) else step


PARTS: dict[str, Callable[[str], Iterator[tuple[str, Steps]]]] = {
    agent_sessions.FOLDER: _sessions,
    git_history.FOLDER: _histories,
}
