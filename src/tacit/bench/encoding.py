"""What is made of real sessions: how many episodes, fixes, statements, commands, and how sure.

Counted is what the rules give before the gate sees it. Of the aider runs it is known whether
hidden tests passed, so there the outcome that was inferred can be compared with the truth.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Any

from tacit.bench.case import read_lines
from tacit.bench.quality import default_folder
from tacit.bench.sets import agent_sessions, aider_episodes
from tacit.body import OUTCOMES, Episode
from tacit.draft import Draft
from tacit.encode.episodes import session_drafts
from tacit.encode.fixes import Fixed, find_fixes
from tacit.encode.routines import routine_drafts, run_of
from tacit.encode.tasks import cut_tasks
from tacit.errors import NotFound
from tacit.ingest import claude
from tacit.observation import Session
from tacit.value import Value

STATEMENTS = ("preference", "convention", "correction", "decision", "question")


class Encoded(Value):
    """One record of a set: the session it was read as, and the drafts made of it."""

    session: Session
    drafts: tuple[Draft, ...]
    resolved: bool | None = None  # the truth, where a set has it


def run(data: str | None, progress: Callable[[str], None]) -> dict[str, Any]:
    """Count what each set becomes; sets that are not there are left out and named."""
    started = time.perf_counter()
    sets: dict[str, dict[str, Any]] = {}
    left_out: list[str] = []
    for name, reader in READERS.items():
        folder = os.path.join(data, name) if data else default_folder(name)
        if not os.path.isdir(folder):
            left_out.append(f"{folder} is not there")
            continue
        progress(f"encoding: {name}")
        sets[name] = count(list(reader(folder)))
    if not sets:
        raise NotFound(f"{'; '.join(left_out)}; give the folder of both with --data")
    return {
        "set": "encoding",
        "seconds": round(time.perf_counter() - started, 1),
        "left_out_sets": left_out,
        "sections": sets,
    }


def of_agent_sessions(folder: str) -> Iterator[Encoded]:
    """Give the sessions of the agents' host, with the drafts of their commits too."""
    for episode in read_lines(folder, "episodes.jsonl"):
        lines = BytesIO(agent_sessions.transcript(episode))
        drafts = tuple(agent_sessions.drafts_of(episode))
        for session in claude.read_lines(lines, episode["id"], Counter()):
            yield Encoded(session=session, drafts=drafts)


def of_aider(folder: str) -> Iterator[Encoded]:
    """Give the runs of aider."""
    for one in aider_episodes.runs(folder):
        drafts = tuple(session_drafts(one.session))
        yield Encoded(session=one.session, drafts=drafts, resolved=one.resolved)


READERS: dict[str, Callable[[str], Iterator[Encoded]]] = {
    agent_sessions.FOLDER: of_agent_sessions,
    aider_episodes.FOLDER: of_aider,
}


def count(encoded: Sequence[Encoded]) -> dict[str, Any]:
    """Count what sessions became: row by row, in the order of the path a session takes."""
    drafts = [draft for one in encoded for draft in one.drafts]
    episodes = [(d.source_ref, d.body) for d in drafts if isinstance(d.body, Episode)]
    worked = [(ref, body) for ref, body in episodes if not ref.startswith("git:")]
    fixes = [f for one in encoded for task in cut_tasks(one.session) for f in find_fixes(task)]
    of_sessions = [draft for draft in drafts if not draft.source_ref.startswith("git:")]
    subtypes = Counter(draft.subtype for draft in of_sessions)
    commands = [draft.text for draft in of_sessions if draft.subtype == "command"]
    said = {name: subtypes[name] for name in STATEMENTS if subtypes[name]}
    skills = routine_drafts(run_of(ref, body) for ref, body in worked)
    return {
        "sessions": {"read": len(encoded), "events": sum(len(e.session.events) for e in encoded)},
        "episodes": {"of sessions": len(worked), "of commits": len(episodes) - len(worked)},
        "errors": _errors(fixes, subtypes["error-fix"]),
        "statements": {"all": sum(said.values()), **said},
        "commands": {"all": len(commands), "different": len(set(commands))},
        "skills": {"all": len(skills)},
        "outcomes": _shares([body.outcome for _, body in worked]),
        **_against_truth(encoded),
    }


def _errors(fixes: Sequence[Fixed], kept: int) -> dict[str, int]:
    solved = [fix for fix in fixes if fix.resolution]
    return {
        "met": len(fixes),
        "with a fix": len(solved),
        "with a telling fix": sum(fix.telling for fix in solved),
        "of these slips": sum(fix.telling and fix.slip for fix in solved),
        "patterns": kept,
    }


def _shares(outcomes: Sequence[str]) -> dict[str, float]:
    met = Counter(outcomes)
    return {name: round(met[name] / max(len(outcomes), 1), 3) for name in OUTCOMES if met[name]}


def _against_truth(encoded: Sequence[Encoded]) -> dict[str, dict[str, Any]]:
    """Compare the outcome of each run's last episode with what hidden tests said."""
    judged: list[tuple[str, bool]] = []
    for one in encoded:
        outcomes = [d.body.outcome for d in one.drafts if isinstance(d.body, Episode)]
        if one.resolved is not None and outcomes:
            judged.append((outcomes[-1], one.resolved))
    if not judged:
        return {}
    sure = [(said, true) for said, true in judged if said in ("success", "failure")]
    right = sum((said == "success") == true for said, true in sure)
    good = [true for said, true in sure if said == "success"]
    bad = [true for said, true in sure if said == "failure"]
    return {
        "truth": {
            "runs": len(judged),
            "resolved": sum(true for _, true in judged),
            "judged": len(sure),
            "accuracy": round(right / max(len(sure), 1), 3),
            "always failure": round(sum(not true for _, true in sure) / max(len(sure), 1), 3),
            "success, resolved": f"{sum(good)} of {len(good)}",
            "failure, unresolved": f"{len(bad) - sum(bad)} of {len(bad)}",
        }
    }
