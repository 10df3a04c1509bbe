"""`tacit bench evolve`: is a profile bred on one half of a set better on the other half?

Sessions are drawn into two halves by the seed. A champion is bred on the first alone and then
held against the default on the second, once. The weights found here are measured, not shipped.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tacit.bench.case import Ask, read_lines
from tacit.bench.history import START, History
from tacit.bench.quality import default_folder, reader_of
from tacit.encode.ports import Embedder
from tacit.learn.evolve import Evolution, Plan, Trials, advance, begin, crown, prove, split
from tacit.learn.fitness import Figures
from tacit.learn.genome import changes, genome_of, profile_of
from tacit.profile import DEFAULT

NAME = "evolve"
SETS = ("swe-issues", "agent-sessions")
GENERATIONS, POPULATION = 5, 12
MOST_TRAINING = 60  # questions it is bred on; the other half is asked as a whole


def run(
    folder: str | None, embedder: Embedder | None, seed: int, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Breed on each set; give what the champion is worth on the other half, and what it cost."""
    sections: dict[str, dict[str, Any]] = {}
    raw: dict[str, Any] = {}
    started = time.perf_counter()
    for name in SETS:
        reader = reader_of(name)
        place = os.path.join(folder, reader.FOLDER) if folder else default_folder(reader.FOLDER)
        with tempfile.TemporaryDirectory() as stores:
            history = History(stores, embedder)
            try:
                sessions = sessions_of(name, place)
                for collection in reader.collections(place):
                    progress(f"{name}: {collection.name}")
                    history.take(collection, sessions)
                state = bred(history, seed, progress)
            finally:
                history.close()
        sections[name] = _section(state)
        raw[name] = {
            "changes": changes(state.champion.genome, state.origin) if state.champion else {},
            "best": list(state.best),
        }
    return {
        "set": NAME,
        "seconds": round(time.perf_counter() - started, 1),
        "sections": sections,
        "raw": raw,
    }


def sessions_of(name: str, folder: str) -> Callable[[Ask], str]:
    """Give which session a question belongs to: its own, where the set knows of none."""
    if name != "agent-sessions":
        return lambda ask: ask.id
    sessions = {one["id"]: one["session"] for one in read_lines(folder, "episodes.jsonl")}
    return lambda ask: str(sessions.get(ask.id, ask.id))


def bred(
    history: History,
    seed: int,
    progress: Callable[[str], None],
    *,
    generations: int = GENERATIONS,
    population: int = POPULATION,
) -> Evolution:
    """Breed on half of the sessions and prove it on the others."""
    training, validation = split(history.cases, seed)
    training = training[:MOST_TRAINING]
    trials = Trials(lambda genome, case: history.answer(profile_of(genome, DEFAULT), case))
    until = max((case.at for case in history.cases), default=START) + timedelta(days=1)
    plan = Plan(seed=seed, population=population)
    state = begin(plan, genome_of(DEFAULT), base=DEFAULT.name, until=until)
    started = time.perf_counter()
    while state.generation < generations:
        state = advance(state, training, trials)
        progress(f"evolve: generation {state.generation}: worth {state.best[-1]:.4f}")
    state = prove(crown(state, training, trials), validation, trials)
    return state.replace(
        asked=trials.asked, tokens=trials.tokens, seconds=time.perf_counter() - started
    )


def _section(state: Evolution) -> dict[str, Any]:
    assert state.champion is not None
    assert state.start is not None
    section: dict[str, Any] = {
        "cost": {
            "generations": state.generation,
            "questions asked": state.asked,
            "tokens": state.tokens,
            "seconds": round(state.seconds, 1),
        },
        "default, where it was bred": _figures(state.start.figures),
        "champion, where it was bred": _figures(state.champion.figures),
    }
    if state.verdict is None:
        return section | {"verdict": {"found": "nothing better than the default"}}
    verdict = state.verdict
    gains = {
        name: {"mean": round(gain.mean, 4), "from": round(gain.low, 4), "to": round(gain.high, 4)}
        for name, gain in (("worth", verdict.worth), ("score", verdict.score))
    }
    return section | {
        "default, other half": _figures(verdict.base),
        "champion, other half": _figures(verdict.champion),
        "gain, other half": gains | {"sessions": verdict.worth.sessions, "proved": verdict.won},
        "changed": {
            name: f"{old} to {new}"
            for name, (old, new) in changes(state.champion.genome, state.origin).items()
        },
    }


def _figures(figures: Figures) -> dict[str, Any]:
    shown = {"score": figures.score, "hit": figures.hit}
    return {name: round(one, 4) for name, one in shown.items()} | {
        "tokens": round(figures.tokens, 1),
        "looked at": round(figures.looked, 1),
        "ms": round(figures.ms, 1),
        "questions": figures.cases,
    }
