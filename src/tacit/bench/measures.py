"""What `tacit bench` can measure: each name, and how it is called with what was given.

A benchmark is imported when it is called, for most need what the product itself does not.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tacit.bench import ablate, first_reading, gate_quality, paraphrase
from tacit.bench.quality import SETS, default_folder, reader_of, run_set, to_stderr
from tacit.encode.embedding import open_embedder
from tacit.encode.ports import Embedder
from tacit.errors import NotFound

Result = dict[str, Any]
Measure = Callable[[argparse.Namespace], Result]


def measure(name: str, given: argparse.Namespace) -> Result:
    """Measure what this name stands for."""
    return _questions(name, given) if name in SETS else MEASURES[name](given)


def _questions(name: str, given: argparse.Namespace) -> Result:
    folder = given.data or default_folder(reader_of(name).FOLDER)
    if given.ablate:
        return ablate.ablate(name, folder, embedder=_embedder(given), progress=to_stderr)
    return run_set(
        name,
        folder,
        embedder=_embedder(given),
        channels=_names(given.channels) or None,
        profile=given.profile,
        progress=to_stderr,
        store=given.store,
    )


def _paraphrase(given: argparse.Namespace) -> Result:
    folder = given.data or default_folder(paraphrase.FOLDER)
    if not os.path.isdir(folder):
        raise NotFound(f"{folder} is not there; give the set's own folder with --data")
    return paraphrase.run(folder, _embedder(given), to_stderr)


def _junk(given: argparse.Namespace) -> Result:
    return gate_quality.run(given.data, given.sets, _embedder(given), to_stderr)


def _encoding(given: argparse.Namespace) -> Result:
    from tacit.bench import encoding

    return encoding.run(given.data, to_stderr)


def _levels(given: argparse.Namespace) -> Result:
    from tacit.bench import levels

    return levels.run(given.data, to_stderr)


def _bootstrap(given: argparse.Namespace) -> Result:
    return first_reading.run(given.commits, given.work, to_stderr, embed_all=given.embed)


def _replay(given: argparse.Namespace) -> Result:
    from tacit.bench import replay

    return replay.run(
        given.data,
        embedder=_embedder(given),
        channels=_names(given.channels) or None,
        profile=given.profile,
        progress=to_stderr,
    )


def _prefetch(given: argparse.Namespace) -> Result:
    from tacit.bench import prefetch

    return prefetch.run(given.data, given.output, to_stderr)


def _briefing(given: argparse.Namespace) -> Result:
    from tacit.bench import briefing

    names = _names(given.sets) or briefing.sets_in(given.data)
    return briefing.run(given.data, names, _embedder(given), to_stderr, most=given.questions)


def _forgetting(given: argparse.Namespace) -> Result:
    from tacit.bench import forgetting

    return forgetting.run(given.data, to_stderr, parts=given.sets, most=given.steps)


def _contradiction(given: argparse.Namespace) -> Result:
    from tacit.bench import contradiction

    return contradiction.run(given.data, to_stderr)


def _false_alarms(given: argparse.Namespace) -> Result:
    from tacit.bench.false_alarms import false_alarms
    from tacit.encode.pair_models import open_judge

    return false_alarms(
        Path(given.data or default_folder(".")),
        embedder=_embedder(given),
        judge=open_judge(),
        progress=to_stderr,
    )


def _generalise(given: argparse.Namespace) -> Result:
    from tacit.bench import generalise

    return generalise.run(given.data, _embedder(given), to_stderr)


def _time(given: argparse.Namespace) -> Result:
    from tacit.bench import bi_temporal

    return bi_temporal.run(given.data, _embedder(given), to_stderr)


def _probes(given: argparse.Namespace) -> Result:
    from tacit.bench import probes

    return probes.run(given.data, _embedder(given), to_stderr)


def _hooks(given: argparse.Namespace) -> Result:
    from tacit.bench import hooks

    return hooks.run(_sizes(given) or hooks.SIZES, given.embedder, to_stderr)


def _cycle(given: argparse.Namespace) -> Result:
    from tacit.bench import cycles

    return cycles.run(_sizes(given) or cycles.SIZES, given.output, to_stderr)


def _page(given: argparse.Namespace) -> Result:
    from tacit.bench import page

    return page.run(_sizes(given), given.embedder, to_stderr)


def _task_types(given: argparse.Namespace) -> Result:
    from tacit.bench import task_types

    return task_types.run(given.data, _embedder(given), to_stderr)


def _learning(given: argparse.Namespace) -> Result:
    from tacit.bench import learning

    return learning.run(given.data, _embedder(given), to_stderr)


def _strategies(given: argparse.Namespace) -> Result:
    from tacit.bench import strategies

    return strategies.run(given.data, _embedder(given), given.seed, to_stderr)


def _evolve(given: argparse.Namespace) -> Result:
    from tacit.bench import evolve

    return evolve.run(given.data, _embedder(given), given.seed, to_stderr)


def _ranking(given: argparse.Namespace) -> Result:
    from tacit.bench import ranking

    names = _names(given.sets)
    return ranking.run(given.data, _embedder(given), given.work, to_stderr, names=names)


def _repo_questions(given: argparse.Namespace) -> Result:
    from tacit.bench import first_session

    return first_session.ask_questions(given.data, given.repos, to_stderr)


def _first_session(given: argparse.Namespace) -> Result:
    from tacit.bench import first_session

    return first_session.weigh_starts(given.repos, to_stderr)


def _decisions(given: argparse.Namespace) -> Result:
    from tacit.bench import decisions

    return decisions.run(given.data, _names(given.sets), to_stderr)


def _speed(given: argparse.Namespace) -> Result:
    from tacit.bench import databases, speed

    given.sizes = given.sizes or "1000,10000,100000"
    return databases.run(given, to_stderr) if given.store else speed.run(given, to_stderr)


def _serve(given: argparse.Namespace) -> Result:
    from tacit.bench import serve

    size = next(iter(_sizes(given)), serve.SIZE)
    soak = serve.SOAK if given.soak is None else given.soak
    return serve.run(size, serve.SECONDS, soak, given.embedder, to_stderr)


def _faults(given: argparse.Namespace) -> Result:
    from tacit.bench.faults import run as faults

    runs = given.runs or faults.RUNS
    return faults.run(given.store or "sqlite", runs, given.seed, _names(given.only), to_stderr)


def _load(given: argparse.Namespace) -> Result:
    from tacit.bench import load

    store = given.store or "postgres"
    return load.run(store, given.rows, given.users, given.tenants, to_stderr)


# Looked at in `tacit bench all`, beside the sets of questions.
COUNTED: dict[str, Measure] = {
    "paraphrase": _paraphrase,
    "junk": _junk,
    "encoding": _encoding,
    "levels": _levels,
    "bootstrap": _bootstrap,
    "replay": _replay,
    "prefetch": _prefetch,
    "briefing": _briefing,
    "forgetting": _forgetting,
    "contradiction": _contradiction,
    "false-alarms": _false_alarms,
    "generalise": _generalise,
    "time": _time,
    "probes": _probes,
}
MEASURES: dict[str, Measure] = {
    **COUNTED,
    "hooks": _hooks,
    "cycle": _cycle,
    "page": _page,
    "task-types": _task_types,
    "repo-questions": _repo_questions,
    "first-session": _first_session,
    "decisions": _decisions,
    "learning": _learning,
    "strategies": _strategies,
    "evolve": _evolve,
    "ranking": _ranking,
    "speed": _speed,
    "serve": _serve,
    "faults": _faults,
    "load": _load,
}


def _embedder(given: argparse.Namespace) -> Embedder | None:
    return open_embedder(given.embedder, threads=0)


def _names(given: str | None) -> list[str]:
    return given.split(",") if given else []


def _sizes(given: argparse.Namespace) -> list[int]:
    return [int(size) for size in given.sizes.split(",") if size]
