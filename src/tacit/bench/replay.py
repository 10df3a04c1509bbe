"""`tacit bench replay`: a scripted agent lives through real sessions, with a memory and without.

Sessions come in the order they began. Before one begins, the store holds what the product
made of every session that had ended by then, and nothing else; what the agent did earlier in
the same session is in its own context and is handed over in neither arm. Both arms are the
same script (`scripted_agent`); only what memory hands over differs, by hooks or when asked.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from io import BytesIO
from typing import Any

from tacit.bench import replayed
from tacit.bench.case import read_lines
from tacit.bench.handing import Asking, Handed, Told
from tacit.bench.heeding import Call, calls_of, heed
from tacit.bench.quality import StepClock, default_folder
from tacit.bench.scripted_agent import Tree, Walk, files_in, look, tells, walk
from tacit.bench.sets.agent_sessions import FOLDER, drafts_of, transcript
from tacit.bench.unasked import concerns
from tacit.clock import parse_time
from tacit.encode.failures import read_problem
from tacit.encode.fixes import find_fixes
from tacit.encode.ports import Embedder
from tacit.encode.tasks import cut_tasks
from tacit.happening import Happening, Moment
from tacit.ingest import claude
from tacit.ingest.tool_names import tool_of
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit
from tacit.value import Value

_LOOKS = ("Read", "Grep", "Glob", "LS")  # a failed look is no error of the work


class Met(Value):
    """An error as an episode met it: what it said, and what resolved it where that was seen."""

    session: str
    message: str
    resolution: str = ""


class Known:
    """What the world looked like before an episode: files, changes, errors met."""

    def __init__(self) -> None:
        self.changed: Counter[str] = Counter()
        self.own: defaultdict[str, set[str]] = defaultdict(set)
        self.met: defaultdict[str, list[Met]] = defaultdict(list)
        self.kept: defaultdict[str, list[str]] = defaultdict(list)  # session → memories of it
        # call → the sessions in which it failed, and how
        self.failed: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)

    def tree(self) -> Tree:
        """Give the files as they were known then."""
        return Tree(changed=self.changed)

    def take(self, episode: dict[str, Any]) -> None:
        """Add an episode that has ended."""
        edited = set(edited_files(episode))
        seen = {path for path in episode.get("files_read") or () if _inside(path)}
        self.changed.update(edited)
        for path in seen - edited:
            self.changed.setdefault(path, 0)
        self.own[episode["session"]] |= edited | seen
        for call in calls_of(episode):
            if call.failed:
                self.failed[call.key].append((episode["session"], call.signature))
        fixes = _resolutions(episode)
        for signature, (_error, message) in problems(episode).items():
            met = Met(session=episode["session"], message=message)
            self.met[signature].append(met.replace(resolution=fixes.get(signature, "")))


def run(
    data: str | None,
    *,
    embedder: Embedder | None,
    channels: Sequence[str] | None,
    profile: str,
    progress: Callable[[str], None],
) -> dict[str, Any]:
    """Replay all sessions; give the figures of both arms and what happened in each episode."""
    started = time.perf_counter()
    if channels and "vector" not in channels:
        embedder = None
    episodes = list(read_lines(data or default_folder(FOLDER), "episodes.jsonl"))
    raw: dict[str, list[dict[str, Any]]] = {"asking": [], "hooks": []}
    with tempfile.TemporaryDirectory() as folder:
        store, clock = connect(os.path.join(folder, "replay.db")), StepClock()
        scope = Scope(path="project:replay")
        with Tacit(store, scope=scope, embedder=embedder, profile=profile, clock=clock) as tacit:
            tacit.light = embedder is None
            ways: dict[str, Asking | Told] = {
                "asking": Asking(tacit, channels),
                "hooks": Told(tacit),
            }
            for number, (episode, known) in enumerate(_lived(tacit, clock, episodes)):
                if number % 40 == 0:
                    progress(f"replay: {number} of {len(episodes)} episodes")
                cold = number < len(episodes) // 4
                for name, way in ways.items():
                    raw[name].append(_replay(episode, known, way) | {"cold": cold})
    return {
        "set": "replay",
        "profile": profile,
        "channels": list(channels) if channels else "all",
        "episodes": len(episodes),
        "seconds": round(time.perf_counter() - started, 1),
        "metrics": {
            f"{name}: {figure}": value
            for name, rows in raw.items()
            for figure, value in replayed.metrics(rows).items()
        },
        "sections": {
            f"{name}: {section}": table
            for name, rows in raw.items()
            for section, table in replayed.sections(rows).items()
        },
        "raw": raw,
    }


def edited_files(episode: dict[str, Any]) -> list[str]:
    """Give the project's files an episode changed, by its actions and by its commit."""
    commit = episode["commit"] or {}
    acted = [a["target"] for a in episode["actions"] if a["tool"] in ("Edit", "Write")]
    paths = [*(episode.get("files_edited") or acted), *(commit.get("files") or ())]
    return list(dict.fromkeys(path for path in paths if path and _inside(path)))


def problems(episode: dict[str, Any]) -> dict[str, tuple[dict[str, Any], str]]:
    """Give an episode's errors and their messages by signature, each once, as first met."""
    found: dict[str, tuple[dict[str, Any], str]] = {}
    for error in episode["errors"]:
        problem = read_problem(error["text"])
        if problem is not None and problem.signature:
            found.setdefault(problem.signature, (error, problem.message))
    return found


def _lived(
    tacit: Tacit, clock: StepClock, episodes: Sequence[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any], Known]]:
    """Give the episodes as they began, each with only what had ended by then remembered."""
    known = Known()
    waiting = sorted(episodes, key=_ended)
    for episode in sorted(episodes, key=lambda one: (_started(one), _ended(one))):
        while waiting and _ended(waiting[0]) <= _started(episode):
            past = waiting.pop(0)
            clock.shown = _ended(past)
            known.take(past)
            if drafts := drafts_of(past):
                kept = tacit.remember_many(drafts)
                known.kept[past["session"]] += [memory.id for memory in kept]
                if tacit.embedder is not None:
                    tacit.reembed()
        clock.shown = _started(episode)
        yield episode, known


def _replay(episode: dict[str, Any], known: Known, handing: Asking | Told) -> dict[str, Any]:
    """Live through one episode: the start, the first prompt, known errors; then count."""
    task = next(iter(episode["prompts"]), "")
    own = tuple(known.kept[episode["session"]])
    tree, ours = known.tree(), known.own[episode["session"]]
    start = handing.hand(_happening(episode, Moment.SESSION_START), own)
    asked = handing.hand(_happening(episode, Moment.PROMPT, text=task), own)
    needed = [path for path in edited_files(episode) if path in known.changed]
    without = look(task, tree, needed, own=ours)
    with_ = look(
        task,
        tree,
        needed,
        own=ours,
        handed=(*asked.files, *files_in(f"{asked.text}\n{start.text}", tree)),
        follow=lambda found: handing.near(found, task, own),
    )
    errors = list(_errors(episode, known, handing, own, f"{start.text}\n{asked.text}"))
    given = (*start.memories, *asked.memories)
    moments: dict[str, list[Handed]] = {"before a tool": [], "at an error": []}
    again = _heeded(episode, known, handing, own, f"{start.text}\n{asked.text}", moments)
    return {
        "id": episode["id"],
        "session": episode["session"],
        "opening": not ours,
        "task": task[:200],
        "needed": needed,
        "without": _row(walk(without, needed)) if needed else None,
        "with": _row(walk(with_, needed)) if needed else None,
        "handed": [memory.short for memory in given],
        "about_needed": sum(concerns(memory, needed) for memory in given),
        "moments": {
            name: _about(handed, needed)
            for name, handed in (
                {"at the start": [start], "at a prompt": [asked]} | moments
            ).items()
        },
        "again": again,
        "tokens": {
            "start": start.tokens,
            "prompt": asked.tokens,
            "errors": sum(error["tokens"] for error in errors),
        },
        "errors": errors,
    }


def _errors(
    episode: dict[str, Any], known: Known, handing: Asking | Told, own: tuple[str, ...], told: str
) -> Iterator[dict[str, Any]]:
    """Give the errors that others met before: what was handed before the step, and after it."""
    for signature, (error, _message) in problems(episode).items():
        earlier = [met for met in known.met[signature] if met.session != episode["session"]]
        if not earlier:
            continue
        used = {"name": error["tool"] or "", "target": error["target"] or ""}
        ahead = handing.hand(_happening(episode, Moment.PRE_TOOL, **used), own)
        failed = _happening(episode, Moment.TOOL_FAILED, **used, output=error["text"])
        after = handing.hand(failed, own)
        before = f"{told}\n{ahead.text}"
        said = [text for met in earlier for text in (met.resolution, met.message) if text]
        yield {
            "signature": signature,
            "sort": _sort(error["tool"] or ""),
            "fix_seen": any(met.resolution for met in earlier),
            "before": any(tells(before, text) for text in said),
            "fix_before": any(tells(before, met.resolution) for met in earlier),
            "at": any(tells(after.text, text) for text in said),
            "fix_at": any(tells(after.text, met.resolution) for met in earlier),
            "tokens": ahead.tokens + after.tokens,
            "said": said,
            "text_before": before,
            "text_at": after.text,
        }


def _happening(
    episode: dict[str, Any],
    moment: Moment,
    *,
    text: str = "",
    name: str = "",
    target: str = "",
    output: str = "",
) -> Happening:
    return Happening(
        moment=moment,
        host="claude",
        session=episode["id"],
        text=text,
        tool=tool_of(name) if name else None,
        name=name,
        target=target,
        output=output,
        at=_started(episode),
    )


def _resolutions(episode: dict[str, Any]) -> dict[str, str]:
    lines = BytesIO(transcript(episode))
    return {
        fix.problem.signature: fix.resolution
        for session in claude.read_lines(lines, episode["id"], Counter())
        for task in cut_tasks(session)
        for fix in find_fixes(task)
        if fix.resolution and fix.telling  # "changed x.go" is told by every text about x.go
    }


def _heeded(
    episode: dict[str, Any],
    known: Known,
    handing: Asking | Told,
    own: tuple[str, ...],
    told: str,
    moments: dict[str, list[Handed]],
) -> dict[str, int]:
    """Live through the calls of an episode, heeding what is handed over before and at failures."""

    def ahead(call: Call) -> str:
        used = {"name": call.tool, "target": call.target}
        handed = handing.hand(_happening(episode, Moment.PRE_TOOL, **used), own)
        moments["before a tool"].append(handed)
        return handed.text

    def after(call: Call) -> str:
        used = {"name": call.tool, "target": call.target, "output": call.output}
        handed = handing.hand(_happening(episode, Moment.TOOL_FAILED, **used), own)
        moments["at an error"].append(handed)
        return handed.text

    calls = list(calls_of(episode))
    return heed(calls, known.failed, episode["session"], told=told, ahead=ahead, after=after)


def _about(handed: Sequence[Handed], needed: Sequence[str]) -> tuple[int, int]:
    """Give how many memories were handed over, and how many concern a needed file."""
    memories = [memory for one in handed for memory in one.memories]
    return len(memories), sum(concerns(memory, needed) for memory in memories)


def _row(walked: Walk) -> dict[str, Any]:
    return {name: getattr(walked, name) for name in (*replayed.FIGURES, "looked")}


def _sort(tool: str) -> str:
    return "looks" if tool in _LOOKS else "commands" if tool == "Bash" else "edits and other tools"


def _inside(path: str) -> bool:
    return not path.startswith(("~", "/", ".."))


def _started(episode: dict[str, Any]) -> datetime:
    return parse_time(episode["started"])


def _ended(episode: dict[str, Any]) -> datetime:
    return parse_time(episode["ended"] or episode["started"])
