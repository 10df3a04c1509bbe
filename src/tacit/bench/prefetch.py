"""How much of what is needed next is known ahead: `tacit bench prefetch`.

Chronological: each history is replayed, and a file that is opened is answered from what came
before. Recall of the files needed, from the open file alone and with the words of the task; the
precision of the past commits predicted; how true the confidences are; and two floors in the same
run, plain counts of what changed together and the files changed most.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from tacit.assemble.near_files import Near, near_files
from tacit.assemble.recollect import ROLES, worth
from tacit.bench.case import read_lines
from tacit.bench.metrics import hit_at, mean, recall_at
from tacit.bench.quality import default_folder
from tacit.bench.sets import agent_sessions, git_history
from tacit.bench.sets.git_history import Opening
from tacit.clock import parse_time
from tacit.encode.cochange import ChangeSets, related
from tacit.errors import NotFound
from tacit.model import Role
from tacit.observation import Change, Commit
from tacit.text import query_terms

FIRST = 10
COMMITS = 50  # past ones of the open file that are chosen from
BINS = 10
FLOORS = ("counted together", "changed most", "decayed pairs")


class Answer:
    """One opening answered in one way: files in order, and what was claimed of each."""

    def __init__(self, opening: Opening, ranked: Sequence[str], sure: Sequence[float] = ()) -> None:
        self.opening, self.ranked, self.sure = opening, list(ranked), list(sure)

    def figures(self) -> dict[str, float]:
        """Give recall and hits of the needed files."""
        needed = self.opening.needed
        return {
            "recall@5": recall_at(self.ranked, needed, 5),
            "recall@10": recall_at(self.ranked, needed, 10),
            "hit@5": hit_at(self.ranked, needed, 5),
        }


def run(folder: str | None, output: str | None, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure the histories and the sessions, whichever are there."""
    started = time.perf_counter()
    sections: dict[str, dict[str, Any]] = {}
    answers: dict[str, list[Answer]] = {}
    missing: list[str] = []
    for name, replay in (
        (git_history.FOLDER, _histories),
        (agent_sessions.FOLDER, _sessions),
    ):
        place = place_of(folder, name)
        if place is None:
            missing.append(f"{name} is not there")
            continue
        for part, ways in replay(place):
            progress(f"{name} {part}: {len(ways['tacit'])} openings")
            for way, given in ways.items():
                answers.setdefault(f"{name}: {way}", []).extend(given)
                sections.setdefault(f"{name}: {part}", {})[way] = _figures(given)
    if not answers:
        raise NotFound(f"{'; '.join(missing)}; give the sets' folder with --data")
    curves = {way: reliability(given) for way, given in answers.items() if given and given[0].sure}
    result = {
        "set": "prefetch",
        "openings": sum(len(given) for way, given in answers.items() if way.endswith(": tacit")),
        "seconds": round(time.perf_counter() - started, 1),
        "left_out_sets": missing,
        "metrics": _pooled(answers),
        "sections": {**sections, **_shown(curves)},
        "reliability": curves,
        "raw": [_raw(way, one) for way, given in answers.items() for one in given],
    }
    if output:
        from tacit.bench.plot import draw_reliability

        os.makedirs(output, exist_ok=True)
        draw_reliability(curves, os.path.join(output, "prefetch.png"))
    return result


def place_of(folder: str | None, name: str) -> str | None:
    """Find a set: the folder itself, one within it, or the default."""
    if folder is None:
        places = [default_folder(name)]
    else:
        own = os.path.basename(os.path.normpath(folder)) == name
        places = [folder] if own else [os.path.join(folder, name)]
    return next((place for place in places if os.path.isdir(place)), None)


def _histories(folder: str) -> Iterator[tuple[str, dict[str, list[Answer]]]]:
    for repository, steps in git_history.repositories(folder):
        yield repository, _replayed(steps)


def _replayed(steps: Sequence[Commit | Opening]) -> dict[str, list[Answer]]:
    """Answer the openings of one history, each from the commits before it."""
    sets, past = ChangeSets(), _Past()
    ways: dict[str, list[Answer]] = {"tacit": [], "tacit, with the task": [], "tacit, commits": []}
    ways |= {floor: [] for floor in FLOORS}
    for step in steps:
        if isinstance(step, Commit):
            sets.add_commit(step)
            past.add(step)
            continue
        near = near_files(sets, [step.opened], step.at, limit=FIRST)
        told = near_files(sets, [step.opened], step.at, limit=FIRST, terms=query_terms(step.task))
        ways["tacit"].append(_answer(step, near))
        ways["tacit, with the task"].append(_answer(step, told))
        counted, hot = past.ranked(step.opened)
        decayed = [one.path for one in related(sets, step.opened, FIRST)]
        for floor, ranked in zip(FLOORS, (counted, hot, decayed), strict=True):
            ways[floor].append(Answer(step, ranked))
        if step.useful:
            found = past.commits(step, near)
            wanted = step.replace(needed=step.useful)
            ways["tacit, commits"].append(
                Answer(wanted, [n for n, _ in found], [s for _, s in found])
            )
    return {way: given for way, given in ways.items() if given}


def _answer(opening: Opening, near: Sequence[Near]) -> Answer:
    return Answer(opening, [one.path for one in near], [one.confidence for one in near])


class _Past:
    """The commits before, as plainly as they can be kept: what the floors know."""

    def __init__(self) -> None:
        self.commits_of: dict[str, list[Commit]] = {}
        self.together: dict[str, Counter[str]] = {}
        self.changes: Counter[str] = Counter()

    def add(self, commit: Commit) -> None:
        paths = {change.path for change in commit.changes}
        self.changes.update(paths)
        for path in paths:
            self.commits_of.setdefault(path, []).append(commit)
            self.together.setdefault(path, Counter()).update(paths - {path})

    def ranked(self, opened: str) -> tuple[list[str], list[str]]:
        """Give what was changed with a file most often, and what is changed most at all."""
        hot = [path for path in _most(self.changes, FIRST + 1) if path != opened]
        return _most(self.together.get(opened, Counter()), FIRST), hot[:FIRST]

    def commits(self, opening: Opening, near: Sequence[Near]) -> list[tuple[str, float]]:
        """Give the past commits of the open file, as the product weighs memories by their files."""
        from tacit.assemble.near_weights import MEMORY_TABLES, sure

        parts = {one.path: one.part for one in near}
        found = []
        for commit in self.commits_of.get(opening.opened, [])[-COMMITS:]:
            weights = {change.path: ROLES[Role.WRITES] for change in commit.changes}
            days = max(0.0, (opening.at - commit.at).total_seconds() / 86_400)
            score = worth(weights, [opening.opened], parts, days)
            found.append((commit.sha[:12], sure(score, MEMORY_TABLES["file"])))
        return sorted(found, key=lambda pair: -pair[1])[:5]


def _most(counts: Counter[str], number: int) -> list[str]:
    return sorted(counts, key=lambda path: (-counts[path], path))[:number]


def _sessions(folder: str) -> Iterator[tuple[str, dict[str, list[Answer]]]]:
    """Answer each session from the files that earlier ones touched."""
    episodes = list(read_lines(folder, "episodes.jsonl"))
    cases = sorted(read_lines(folder, "cases.jsonl"), key=lambda case: int(case["at"]))
    sets, past = ChangeSets(), _Past()
    ways: dict[str, list[Answer]] = {"tacit": [], "tacit, others only": []}
    ways |= {FLOORS[0]: [], FLOORS[1]: []}
    done = 0
    for case in cases:
        for episode in episodes[done : case["at"]]:
            _touch(sets, past, episode)
        done = max(done, case["at"])
        if not case["known_files"] or not case["opened"]:
            continue
        opening = Opening(
            id=case["id"],
            at=parse_time(case["started"]),
            opened=case["opened"],
            task=case["query"],
            needed=frozenset(case["known_files"]),
        )
        near = near_files(sets, [opening.opened], opening.at, limit=FIRST)
        # An open file that is changed later was needed, and is at hand: it goes first everywhere.
        at_hand = [opening.opened]
        ways["tacit"].append(Answer(opening, at_hand + [one.path for one in near]))
        for floor, ranked in zip(FLOORS, past.ranked(opening.opened), strict=False):
            ways[floor].append(Answer(opening, at_hand + ranked))
        if others := opening.needed - {opening.opened}:
            ways["tacit, others only"].append(_answer(opening.replace(needed=others), near))
    yield "sessions", ways


def _touch(sets: ChangeSets, past: _Past, episode: dict[str, Any]) -> None:
    at: datetime = parse_time(episode["ended"] or episode["started"])
    landed = list((episode["commit"] or {}).get("files", ()))
    changed = list(dict.fromkeys([*episode["files_edited"], *landed]))
    touched = list(dict.fromkeys([*changed, *episode["files_read"]]))
    sets.add(at, changed, led_by=touched)
    changes = tuple(Change(path=path) for path in touched)
    past.add(Commit(sha=episode["id"], at=at, author="", subject="", changes=changes))


def reliability(answers: Sequence[Answer]) -> dict[str, Any]:
    """Give, for each tenth of confidence, what was claimed and what came true; and the error."""
    claimed: list[list[float]] = [[] for _ in range(BINS)]
    true: list[list[float]] = [[] for _ in range(BINS)]
    for answer in answers:
        for path, sure in zip(answer.ranked, answer.sure, strict=True):
            place = min(BINS - 1, int(sure * BINS))
            claimed[place].append(sure)
            true[place].append(float(path in answer.opening.needed))
    total = sum(len(values) for values in claimed) or 1
    rows = [
        {"claimed": round(mean(c), 3), "true": round(mean(t), 3), "number": len(c)}
        for c, t in zip(claimed, true, strict=True)
        if c
    ]
    error = sum(abs(row["claimed"] - row["true"]) * row["number"] for row in rows) / total
    return {"error": round(error, 4), "rows": rows}


def _figures(answers: Sequence[Answer]) -> dict[str, float]:
    rows = [answer.figures() for answer in answers]
    shown = {name: round(mean([row[name] for row in rows]), 4) for name in rows[0]}
    if len(answers[0].opening.useful) and answers[0].opening.needed == answers[0].opening.useful:
        precise = [len(a.opening.needed & set(a.ranked[:5])) / 5 for a in answers]
        shown = {"precision@5": round(mean(precise), 4), "hit@5": shown["hit@5"]}
    return {"openings": len(answers), **shown}


def _pooled(answers: dict[str, list[Answer]]) -> dict[str, float]:
    return {
        f"{way}, {name}": value
        for way, given in answers.items()
        for name, value in _figures(given).items()
        if name != "openings" and (": tacit" in way or name != "hit@5")
    }


def _shown(curves: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        f"reliability of {way} (error {curve['error']})": {
            f"claimed {row['claimed']:.2f}": {"true": row["true"], "number": row["number"]}
            for row in curve["rows"]
        }
        for way, curve in curves.items()
    }


def _raw(way: str, answer: Answer) -> dict[str, Any]:
    return {
        "way": way,
        "case": answer.opening.id,
        "ranked": answer.ranked,
        "confidence": [round(sure, 4) for sure in answer.sure],
        **answer.figures(),
    }
