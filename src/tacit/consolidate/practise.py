"""The pass `practise`: commands that went well in the same order more than once become a skill.

The steps are those of a routine (`encode.routines`), which observing looks for in the sessions
it reads; here every episode is compared with all that ran the same commands, however long ago.
"""

from __future__ import annotations

from collections import Counter

from tacit.body import Episode, Skill
from tacit.consolidate.clusters import confidence, count_happenings
from tacit.consolidate.evidence import weakest
from tacit.consolidate.room import BATCH, Done
from tacit.encode.routines import (
    LEAST_OK,
    LEAST_RUNS,
    LEAST_STEPS,
    MOST_STEPS,
    Run,
    routine_drafts,
    run_of,
)
from tacit.model import Facet, FacetType, Kind, Origin, Relation, State
from tacit.store.protocol import EVERY_STATE, Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.consolidate.room import Room
    from tacit.draft import Draft
    from tacit.model import Memory

    Steps = tuple[str, ...]

PREFIX = "consolidate:practise:"
LEAST_WELL = 2  # happenings that ended well
CANDIDATES = 50  # episodes that ran a command, the latest
RUNS = (State.ACTIVE, State.ARCHIVED)


def practise(room: Room, mark: str) -> Done:
    """Take one batch of new and changed episodes."""
    changed = room.store.changed(int(mark or 0), limit=BATCH)
    counts: Counter[str] = Counter()
    seen = _Seen(room)
    for memory in room.store.get([id_ for _, id_ in changed]):
        runs = room.seen(memory) and memory.retired_at is None and memory.state in RUNS
        if runs and len(steps := steps_of(memory)) >= LEAST_STEPS:
            counts.update(_take(room, seen, memory, steps))
    return Done(
        mark=str(changed[-1][0]) if changed else mark,
        more=len(changed) == BATCH,
        counts={name: count for name, count in counts.items() if count},
    )


class _Seen:
    """The steps of episodes, each read once in a batch."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._steps: dict[str, Steps] = {}

    def steps(self, ids: Sequence[str]) -> dict[str, Steps]:
        missing = [id_ for id_ in ids if id_ not in self._steps]
        self._steps |= {m.id: steps_of(m) for m in self._room.store.get(missing)}
        return {id_: self._steps.get(id_, ()) for id_ in ids}


def steps_of(memory: Memory) -> Steps:
    """Give the commands of an episode that did something and went well, in order."""
    body = memory.body
    return run_of(memory.source_ref, body).steps if isinstance(body, Episode) else ()


def stretches(steps: Steps, other: Steps) -> set[Steps]:
    """Give the stretches of different steps that two runs share, the longest only."""
    if len(set(steps) & set(other)) < LEAST_STEPS:
        return set()
    found = _windows(steps) & _windows(other)
    return {one for one in found if not any(_within(one, two) for two in found - {one})}


def _windows(steps: Steps) -> set[Steps]:
    sizes = range(LEAST_STEPS, MOST_STEPS + 1)
    windows = {steps[at : at + size] for size in sizes for at in range(len(steps) - size + 1)}
    return {window for window in windows if len(set(window)) == len(window)}


def _within(steps: Steps, other: Steps) -> bool:
    """Tell whether steps stand together in others."""
    places = range(len(other) - len(steps) + 1)
    return any(other[at : at + len(steps)] == steps for at in places)


def much_the_same(steps: Steps, other: Steps) -> bool:
    """Tell whether most steps of the shorter are in the other: it is the same skill."""
    return len(set(steps) & set(other)) >= min(len(steps), len(other)) - 1


def _take(room: Room, seen: _Seen, memory: Memory, steps: Steps) -> Counter[str]:
    """Let an episode count for the skills it practised, and make those it shares with others."""
    counts: Counter[str] = Counter()
    skills = _skills(room, memory, steps)
    for skill in skills:
        if _within(_steps(skill), steps):
            counts.update(_practised(room, skill, memory))
    known = [_steps(skill) for skill in skills]
    others = seen.steps(_others(room, memory, steps))
    for window, ids in _repeated(steps, others):
        if any(much_the_same(window, other) for other in known):
            continue
        members = [memory, *room.store.get(ids)]
        if _worth(members):
            known.append(window)
            counts.update(_learn(room, window, members))
    return counts


def _repeated(steps: Steps, others: dict[str, Steps]) -> list[tuple[Steps, list[str]]]:
    """Give the stretches of a run that others hold too, those that cover most first."""
    windows = {window for other in others.values() for window in stretches(steps, other)}
    support = [
        (window, [id_ for id_, other in others.items() if _within(window, other)])
        for window in windows
    ]
    return sorted(support, key=lambda each: (-len(each[0]) * len(each[1]), each[0]))


def _others(room: Room, memory: Memory, steps: Steps) -> list[str]:
    """Give the episodes that ran at least so many of the same commands as make a skill."""
    where = Filter(
        kinds=(Kind.EPISODE,),
        states=RUNS,
        scopes=(memory.scope,),
        exclude=(memory.id,),
        evidence=None,  # what ran counts, whether or not it is a memory
    )
    met = Counter(id_ for id_, _ in room.store.mentioning(_tools(steps), where, limit=CANDIDATES))
    return sorted(id_ for id_, times in met.items() if times >= LEAST_STEPS)


def _skills(room: Room, memory: Memory, steps: Steps) -> list[Memory]:
    """Give the skills that are routines of these commands."""
    where = Filter(
        kinds=(Kind.SKILL,), states=EVERY_STATE, scopes=(memory.scope,), subtypes=("routine",)
    )
    found = {id_ for id_, _ in room.store.mentioning(_tools(steps), where, limit=CANDIDATES)}
    return [skill for skill in room.store.get(sorted(found)) if skill.retired_at is None]


def _tools(steps: Steps) -> list[Facet]:
    return [Facet(type=FacetType.TOOL, name=step) for step in dict.fromkeys(steps)]


def _steps(skill: Memory) -> Steps:
    body = skill.body
    return tuple(step.command for step in body.steps) if isinstance(body, Skill) else ()


def _well(members: Iterable[Memory]) -> list[Memory]:
    return [m for m in members if isinstance(m.body, Episode) and m.body.outcome == "success"]


def _worth(members: Sequence[Memory]) -> bool:
    well, runs = count_happenings(_well(members)), count_happenings(members)
    return well >= LEAST_WELL and well >= LEAST_OK * runs


def _learn(room: Room, steps: Steps, members: Sequence[Memory]) -> Counter[str]:
    draft = _draft(room, steps, members)
    [written] = room.write([draft], seed=f"{draft.source_ref}:{members[0].scope.path}").memories
    links = room.link_sources(written, members)
    return Counter(skills_created=written.source_ref == draft.source_ref, links_created=links)


def _practised(room: Room, skill: Memory, memory: Memory) -> Counter[str]:
    """Count a run of a skill that is there; what observing made is its own to count."""
    links = room.store.links([skill.id], (Relation.DERIVED_FROM,))
    ids = {link.dst for link in links if link.src == skill.id} | {memory.id}
    members = [m for m in room.store.get(sorted(ids)) if m.kind is Kind.EPISODE]
    if skill.source_ref.startswith(PREFIX):
        draft = _draft(room, _steps(skill), members)
        room.write([draft], seed=f"{draft.source_ref}:{skill.scope.path}")
    return Counter(links_created=room.link_sources(skill, [memory]))


def _draft(room: Room, steps: Steps, members: Sequence[Memory]) -> Draft:
    """Say a routine as observing would, with the runs that are known of it."""
    same = [Run(source_ref=str(n), steps=steps, ok=True) for n in range(LEAST_RUNS)]
    [form] = routine_drafts(same)
    runs, well = count_happenings(members), count_happenings(_well(members))
    sure = confidence(1.0, well, max(0, runs - well))
    active = sure >= room.rules.pattern_confidence
    body = form.body
    return form.replace(
        body=body.replace(runs=runs, ok=min(well, runs)) if isinstance(body, Skill) else body,
        confidence=sure,
        state=State.ACTIVE if active else State.CANDIDATE,
        valid_from=max(memory.validity.valid_from for memory in members),
        scope=members[0].scope,
        origin=Origin.CONSOLIDATED,
        trust=weakest(members),
        source_ref=PREFIX + ">".join(steps),
        links=(),
        basis="",
    )
