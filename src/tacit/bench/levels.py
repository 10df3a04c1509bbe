"""How many tokens a shorter level saves, on episodes of real sessions.

An episode goes the whole way: its transcript is read, encoded and written, and the levels are
those that the store holds. Hoped for are ten to one from the full text to the line that stands
for it in a timeline, and twenty to one from the lines of a topic to the topic's own. Topics are
made as a cycle makes them, of all that the sessions left; the line of one is its title.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any

from tacit.bench.encoding import Encoded, of_agent_sessions
from tacit.bench.quality import default_folder
from tacit.bench.sets import agent_sessions
from tacit.body import Episode
from tacit.clock import Clock
from tacit.consolidate.cycle import cycle
from tacit.consolidate.room import Room, Rules
from tacit.consolidate.topics import topic_members, topic_memories
from tacit.encode.tokens import open_counter
from tacit.errors import NotFound
from tacit.model import Level, Memory, Scope
from tacit.store.connect import connect
from tacit.store.protocol import Filter
from tacit.system import Tacit
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.protocol import Store

COUNTER = open_counter()
HOPED = {"full : hint": 10, "timeline : topic": 20}


class Counted(Value):
    """The tokens of one episode: all that was read, its steps, and each level."""

    read: int
    steps: int
    levels: tuple[int, int, int, int]


class Lines(Value):
    """The tokens of one topic: of all its lines in a timeline, and of its own at two levels."""

    timeline: int
    hint: int
    title: int
    members: int


def run(data: str | None, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure the levels of all episodes of the agents' sessions."""
    folder = data or default_folder(agent_sessions.FOLDER)
    if not os.path.isdir(folder):
        raise NotFound(f"{folder} is not there; give the folder of the sessions with --data")
    started = time.perf_counter()
    progress("levels: writing the episodes")
    counted, topics = count(of_agent_sessions(folder))
    return {
        "set": "levels",
        "seconds": round(time.perf_counter() - started, 1),
        "episodes": len(counted),
        "sections": {"tokens of episodes": ratios(counted, topics)},
    }


def count(encoded: Iterable[Encoded]) -> tuple[list[Counted], list[Lines]]:
    """Write what sessions left into a store, make topics of it, and count what each level costs."""
    counter = COUNTER
    found: list[Counted] = []
    with tempfile.TemporaryDirectory() as folder:
        store = connect(os.path.join(folder, "bench.db"))
        with Tacit(store, scope=Scope(path="project:bench"), embedder=None) as tacit:
            for one in encoded:
                drafts = [d for d in one.drafts if d.source_ref.startswith(one.session.source)]
                made = [m for m in tacit.write(drafts).memories if isinstance(m.body, Episode)]
                told = "\n".join(f"{e.target} {e.text}".strip() for e in one.session.events)
                read = counter.count(told) // max(len(made), 1)  # of several tasks each has a part
                found += [_counted(memory, read, counter.count(_steps(memory))) for memory in made]
            lines = topic_lines(store, tacit.scope)
    return found, lines


def topic_lines(store: Store, scope: Scope) -> list[Lines]:
    """Link what a store holds, make its topics and count their lines."""
    now = Clock().now()
    room = Room(store=store, now=now, scope=scope, counter=COUNTER, rules=Rules())
    cycle(room, only=("connect", "topics"))
    lines: list[Lines] = []
    for topic in topic_memories(store, Filter()):
        members = store.get(topic_members(store, topic.id, now))
        _, _, hint, title = _text_tokens(topic)
        timeline = sum(_text_tokens(member)[tuple(Level).index(Level.HINT)] for member in members)
        lines.append(Lines(timeline=timeline, hint=hint, title=title, members=len(members)))
    return lines


def ratios(counted: Sequence[Counted], topics: Sequence[Lines]) -> dict[str, dict[str, Any]]:
    """Give each ratio of neighbouring levels: of the median episode, and of all together."""
    levels = {level.value: [one.levels[i] for one in counted] for i, level in enumerate(Level)}
    full = levels["full"]
    with_steps = [one.steps + tokens for one, tokens in zip(counted, full, strict=True)]
    rows = {
        "read : full": _ratio([one.read for one in counted], full),
        "full : summary": _ratio(full, levels["summary"]),
        "full : hint": _ratio(full, levels["hint"]),
        "full and steps : hint": _ratio(with_steps, levels["hint"]),
        "full : title": _ratio(full, levels["title"]),
        "timeline : topic": _ratio([t.timeline for t in topics], [t.title for t in topics])
        | {
            "topics": len(topics),
            "entries each, median": median([t.members for t in topics] or [0]),
        },
        "timeline : topic's hint": _ratio([t.timeline for t in topics], [t.hint for t in topics]),
    }
    tokens = {name: int(median(values)) for name, values in levels.items() if values}
    return {"tokens, median": tokens, **rows}


def _ratio(large: Sequence[int], small: Sequence[int]) -> dict[str, Any]:
    """Give how many times larger, in the middle and over all."""
    each = [a / max(b, 1) for a, b in zip(large, small, strict=True)]
    return {
        "median": round(median(each or [0.0]), 1),
        "total": round(sum(large) / max(sum(small), 1), 1),
    }


def _counted(memory: Memory, read: int, steps: int) -> Counted:
    assert isinstance(memory.body, Episode)
    return Counted(read=read, steps=steps, levels=_text_tokens(memory))


def _text_tokens(memory: Memory) -> tuple[int, int, int, int]:
    """Count the texts themselves: what a line adds is the same at every level."""
    levels = memory.levels
    texts = (levels.full, levels.summary, levels.hint, levels.title)
    full, summary, hint, title = COUNTER.count_many(texts)
    return full, summary, hint, title


def _steps(memory: Memory) -> str:
    assert isinstance(memory.body, Episode)
    return "\n".join(
        " ".join(part for part in (a.action, a.target, a.result, a.error) if part)
        for a in memory.body.actions
    )
