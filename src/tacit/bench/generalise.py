"""What staying true makes of episodes: patterns, warnings and skills, and whether they are right.

Sessions are read as the product reads them and kept in the order they happened. Then the passes
run, three times. Labels of the sets are the truth: the issue of a run of aider, the files a
session really changed. A repeat a week later, in other words, is made up, and so is its near
miss, which differs in what matters.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

from tacit.bench.case import read_lines
from tacit.bench.encoding import READERS
from tacit.bench.quality import StepClock, default_folder
from tacit.bench.sets import agent_sessions, aider_episodes
from tacit.bench.weekly import HELD_OUT, KNOWN, Repeat
from tacit.body import Action, Episode
from tacit.consolidate.alike import Look
from tacit.consolidate.clusters import work_of
from tacit.consolidate.generalise import PREFIX, generalise
from tacit.consolidate.practise import PREFIX as SKILLS
from tacit.consolidate.practise import practise
from tacit.consolidate.room import Room, Rules
from tacit.consolidate.warn import PREFIX as WARNINGS
from tacit.consolidate.warn import warn
from tacit.draft import Draft
from tacit.encode.embedding import Nearness
from tacit.encode.ports import Embedder
from tacit.encode.tokens import open_counter
from tacit.errors import NotFound
from tacit.model import Kind, Memory, Origin, Relation, Scope, State
from tacit.store.connect import connect
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.store.transfer import export_lines
from tacit.system import Tacit
from tacit.write.gate import Gate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.protocol import Store

PASSES = (("generalise", generalise), ("warn", warn), ("practise", practise))
SCOPE = Scope(path="project:bench")
AT_ONCE = 30  # drafts in one write, so that each has its vector at once
PAIRS = 2000  # of episodes of different tasks
SEED = 7
WEEK = timedelta(days=7)
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def run(
    data: str | None, embedder: Embedder | None, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Measure each set that is there, and the repeats that need none."""
    started = time.perf_counter()
    out: dict[str, Any] = {
        "set": "generalise",
        "embedder": embedder.model if embedder else "off",
        "left_out_sets": [],
        "sections": {},
        "raw": {},
    }
    for name in READERS:
        folder = os.path.join(data, name) if data else default_folder(name)
        if not os.path.isdir(folder):
            out["left_out_sets"].append(f"{folder} is not there")
            continue
        progress(f"generalise: {name}")
        out["sections"][name], out["raw"][name] = of_set(name, folder, embedder)
    if not out["sections"]:
        raise NotFound(f"{'; '.join(out['left_out_sets'])}; give the folder of both with --data")
    progress("generalise: a week later")
    out["sections"]["a week later"] = {
        "known": a_week_later(KNOWN, embedder),
        "held out": a_week_later(HELD_OUT, embedder),
    }
    out["seconds"] = round(time.perf_counter() - started, 1)
    return out


def of_set(
    name: str, folder: str, embedder: Embedder | None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Keep a set, run the passes three times, and compare what they made with the labels."""
    labels = dict(LABELS[name](folder))
    with tempfile.TemporaryDirectory() as place:
        store = connect(os.path.join(place, "bench.db"))
        with Tacit(store, scope=SCOPE, embedder=embedder, clock=StepClock()) as tacit:
            _keep(tacit, folder, name, embedder)
            room, marks = _room(store, embedder), dict[str, str]()
            began = time.perf_counter()
            counts = cycle(room, marks)
            seconds = time.perf_counter() - began
            first = "".join(export_lines(store))
            again = [dict(cycle(room, marks)) for _ in range(2)]
            same = first == "".join(export_lines(store))
            unmarked = dict(cycle(room, {}))
            from_scratch = first == "".join(export_lines(store))
            rows = [_row(store, memory) for memory in _made(store, PREFIX)]
            return {
                "counts": dict(counts) | {"seconds": round(seconds, 1)},
                "patterns": _patterns(store) | _purity(store, labels),
                "warnings": _states(_made(store, WARNINGS)),
                "skills": _states(_made(store, SKILLS)),
                "unrelated": _unrelated(room, labels),
                "again": {"counts": again, "equal to the byte": same},
                "without marks": {"counts": unmarked, "equal to the byte": from_scratch},
            }, rows


def cycle(room: Room, marks: dict[str, str]) -> Counter[str]:
    """Run the passes to their end, from these marks on."""
    counts: Counter[str] = Counter()
    for name, run_pass in PASSES:
        more = True
        while more:
            with room.store.transaction():
                done = run_pass(room, marks.get(name, ""))
            marks[name], more = done.mark, done.more
            counts.update(done.counts)
    return counts


def _keep(tacit: Tacit, folder: str, name: str, embedder: Embedder | None) -> None:
    clock = tacit.clock
    assert isinstance(clock, StepClock)
    near = Nearness(embedder) if embedder else None
    for one in READERS[name](folder):
        if not one.drafts:
            continue
        clock.shown = max((d.valid_from for d in one.drafts if d.valid_from), default=None)
        kept, _ = Gate(tacit.store, [], clock.now(), near).sift(one.drafts)
        for start in range(0, len(kept), AT_ONCE):
            tacit.write(kept[start : start + AT_ONCE])


def _room(store: Store, embedder: Embedder | None, now: datetime = START) -> Room:
    return Room(
        store=store,
        now=now,
        scope=SCOPE,
        counter=open_counter(),
        rules=Rules(),
        embedder=embedder,
    )


def _made(store: Store, prefix: str) -> list[Memory]:
    found = store.scan(Filter(states=EVERY_STATE))
    return [memory for memory in found if memory.source_ref.startswith(prefix)]


def _sources(store: Store, memory: Memory) -> list[Memory]:
    links = store.links([memory.id], (Relation.DERIVED_FROM,))
    return store.get(sorted(link.dst for link in links if link.src == memory.id))


def _patterns(store: Store) -> dict[str, Any]:
    made = _made(store, PREFIX)
    evidence = Counter(len(_sources(store, memory)) for memory in made)
    return _states(made) | {"by episodes": dict(sorted(evidence.items()))}


def _states(made: Sequence[Memory]) -> dict[str, Any]:
    active = sum(memory.state is State.ACTIVE for memory in made)
    return {"made": len(made), "active": active, "candidates": len(made) - active}


def _purity(store: Store, labels: dict[str, frozenset[str]]) -> dict[str, Any]:
    """Give how many patterns are made of episodes each two of which share a label."""
    pure = judged = 0
    for memory in _made(store, PREFIX):
        told = {_label(source): labels.get(_label(source)) for source in _sources(store, memory)}
        found = [each for each in told.values() if each]
        if len(found) > 1:
            judged += 1
            pure += all(one & other for one, other in combinations(found, 2))
    return {"judged": judged, "each two share a file": pure}


def _unrelated(room: Room, labels: dict[str, frozenset[str]]) -> dict[str, Any]:
    """Compare successes that changed no file in common; none may be taken for the same work."""
    look, works = Look(room), []
    for memory in room.store.scan(Filter(kinds=(Kind.EPISODE,))):
        work = work_of(memory)
        if work and work.outcome == "success" and labels.get(_label(memory)):
            works.append((labels[_label(memory)], work))
    chance = random.Random(SEED)
    pairs = [chance.sample(works, 2) for _ in range(PAIRS)] if len(works) > 1 else []
    apart = [(a, b) for (one, a), (other, b) in pairs if not one & other]
    same = [(a, b) for a, b in apart if look.likeness(a, b) > 0.0]
    named = [f"{a.names[0]} / {b.names[0]}" for a, b in same]
    return {"pairs": len(apart), "taken for the same": len(same), "which": named}


def _label(memory: Memory) -> str:
    """Name the record of a set that an episode was made of."""
    return memory.source_ref.partition(":")[2].partition("#")[0]


def _of_agent_sessions(folder: str) -> Iterator[tuple[str, frozenset[str]]]:
    for episode in read_lines(folder, "episodes.jsonl"):
        commit = episode["commit"] or {}
        files = frozenset([*(commit.get("files") or ()), *(episode.get("files_edited") or ())])
        yield episode["id"], files
        if commit:
            yield commit["hash"], files


def _of_aider(folder: str) -> Iterator[tuple[str, frozenset[str]]]:
    for episode in read_lines(folder, "episodes.jsonl"):
        yield (
            episode["id"],
            frozenset({f"{episode['repo']}:{path}" for path in episode["gold_files"]}),
        )


LABELS: dict[str, Callable[[str], Iterator[tuple[str, frozenset[str]]]]] = {
    agent_sessions.FOLDER: _of_agent_sessions,
    aider_episodes.FOLDER: _of_aider,
}


def _row(store: Store, memory: Memory) -> dict[str, Any]:
    return {
        "text": memory.text,
        "state": memory.state.value,
        "confidence": memory.confidence,
        "episodes": [
            f"{m.validity.valid_from:%Y-%m-%d} {m.levels.title}" for m in _sources(store, memory)
        ],
    }


def a_week_later(repeats: Sequence[Repeat], embedder: Embedder | None) -> dict[str, Any]:
    """Tell each made-up task, then a week later its repeat and its near miss; count what forms."""
    with tempfile.TemporaryDirectory() as place:
        store = connect(os.path.join(place, "bench.db"))
        clock = StepClock()
        with Tacit(store, scope=SCOPE, embedder=embedder, clock=clock) as tacit:
            marks: dict[str, str] = {}
            ids: dict[str, str] = {}
            for week, told in enumerate((_first, _again, _near_miss)):
                clock.shown = START + week * WEEK
                drafts = [told(number, each) for number, each in enumerate(repeats)]
                for given in drafts:
                    ids[given.source_ref] = tacit.write([given]).memories[0].id
                cycle(_room(store, embedder, clock.shown), marks)
            groups = [{m.id for m in _sources(store, p)} for p in _made(store, PREFIX)]
    names = range(len(repeats))
    formed = [n for n in names if any({ids[f"first:{n}"], ids[f"again:{n}"]} <= g for g in groups)]
    mixed = [n for n in names if any(ids[f"miss:{n}"] in group for group in groups)]
    return {
        "tasks": len(repeats),
        "repeats that formed a pattern": len(formed),
        "near misses taken in": len(mixed),
        "patterns": len(groups),
    }


def _first(number: int, each: Repeat) -> Draft:
    return _episode(f"first:{number}", each.goal, each, START)


def _again(number: int, each: Repeat) -> Draft:
    return _episode(f"again:{number}", each.again, each, START + WEEK)


def _near_miss(number: int, each: Repeat) -> Draft:
    return _episode(f"miss:{number}", each.near_miss, each, START + 2 * WEEK)


def _episode(source: str, goal: str, each: Repeat, at: datetime) -> Draft:
    edits = [Action(action="edit", target=path, result="ok") for path in each.files]
    commands = [Action(action="shell", target=line, result="ok") for line in each.commands]
    return Draft(
        text=goal,
        kind=Kind.EPISODE,
        body=Episode(goal=goal, outcome="success", actions=(*edits, *commands)),
        files=each.files,
        valid_from=at,
        session=source,
        origin=Origin.EXTRACTED,
        source_ref=source,
    )
