"""What speaks for a pattern, and what a pattern says: the words its episodes share. Pure."""

from __future__ import annotations

from collections import Counter

from tacit.body import Episode, Pattern
from tacit.consolidate.clusters import work_of
from tacit.consolidate.gist import gist, most_central
from tacit.draft import Draft
from tacit.encode.routines import run_of
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Visibility
from tacit.text import shorten
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.consolidate.clusters import Thing
    from tacit.model import Memory, State, Trust

HALF = 0.5  # of the happenings, that what a pattern names was part of
MOST_FILES = 5
MOST_STEPS = 6
GOAL_CHARS = 160
_SIGNS = ("file", "error", "tool")  # facets that tell when a pattern applies


class Evidence(Value):
    """The happenings that support a pattern, oldest first, and how many speak against it."""

    groups: tuple[tuple[Memory, ...], ...]
    supporting: int
    contradicting: int
    confidence: float

    @property
    def sources(self) -> tuple[Memory, ...]:
        """All episodes that support it."""
        return tuple(memory for group in self.groups for memory in group)

    @property
    def trust(self) -> Trust:
        """Whose word it is: the weakest of all."""
        return weakest(self.sources)


def weakest(memories: Iterable[Memory]) -> Trust:
    """Give the trust of the one whose word weighs least."""
    return min((memory.trust for memory in memories), key=lambda trust: trust.authority)


def pattern_draft(found: Evidence, source: str, state: State) -> Draft:
    """Say what the episodes share: what was asked, what was done, where, and what they agree on."""
    goals = [_goals(group) for group in found.groups]
    goal = shorten(most_central(goals), GOAL_CHARS).rstrip(".")
    files, steps = _shared(found, FacetType.FILE)[:MOST_FILES], _steps(found)[:MOST_STEPS]
    done = "; ".join(filter(None, (_listed("change", files), _listed("run", steps))))
    accounts = ["\n".join(memory.text for memory in group) for group in found.groups]
    agreed = gist(accounts, said=[name for group in goals for name in group])
    authors = {memory.author for memory in found.sources}
    return Draft(
        text="\n".join(filter(None, (f"{goal}: {done}" if done else goal, agreed))),
        kind=Kind.PATTERN,
        subtype="repeated",
        title=shorten(goal, 50),
        hint=shorten(f"{shorten(goal, 60)} → {done}", 140) if done else "",
        body=Pattern(trigger=goal, conditions=_conditions(found), do=done, why=agreed),
        state=state,
        confidence=found.confidence,
        importance=0.6,
        valid_from=max(memory.validity.valid_from for memory in found.groups[-1]),
        scope=found.sources[0].scope,
        visibility=_visibility(found.sources),
        author=authors.pop() if len(authors) == 1 else "",
        origin=Origin.CONSOLIDATED,
        trust=found.trust,
        source_ref=source,
        mentions=tuple(
            Mention(facet=Facet(type=FacetType(type_), name=name))
            for type_, name in _touched(found)
        ),
        renews=True,
    )


def _goals(group: Sequence[Memory]) -> list[str]:
    works = [work_of(memory) for memory in group]
    return [name for work in works if work for name in work.names]


def _shared(found: Evidence, type_: FacetType) -> list[str]:
    """Give the names of what most happenings touched, those that more of them did first."""
    return [name for type_of, name in _touched(found) if type_of == type_.value]


def _touched(found: Evidence) -> list[Thing]:
    counts: Counter[Thing] = Counter()
    for group in found.groups:
        works = [work_of(memory) for memory in group]
        counts.update({thing for work in works if work for thing in work.things})
    least = max(2, HALF * len(found.groups))
    most = [(-count, thing) for thing, count in counts.items() if count >= least]
    return [thing for _, thing in sorted(most)]


def _steps(found: Evidence) -> list[str]:
    """Give the commands most happenings ran, in the order the latest that ran them did."""
    shared = set(_shared(found, FacetType.TOOL))
    runs = [
        [step for step in run_of("", memory.body).steps if step in shared]
        for memory in reversed(found.sources)
        if isinstance(memory.body, Episode)
    ]
    return list(dict.fromkeys(max(runs, key=lambda run: len(set(run)), default=[])))


def _conditions(found: Evidence) -> tuple[str, ...]:
    """Give what holds of all happenings: the phase, the error, the file, the tool."""
    held = [set(_signs(group)) for group in found.groups]
    shared = set.intersection(*held) if held else set()
    return tuple(sorted(shared))


def _signs(group: Sequence[Memory]) -> Iterable[str]:
    for memory in group:
        if isinstance(memory.body, Episode) and memory.body.phase:
            yield f"phase {memory.body.phase}"
        work = work_of(memory)
        for type_, name in work.things if work else ():
            if type_ in _SIGNS:
                yield f"{type_} {name}"


def _listed(verb: str, names: Sequence[str]) -> str:
    return f"{verb} {', '.join(f'`{name}`' for name in names)}" if names else ""


def _visibility(memories: Sequence[Memory]) -> Visibility:
    private = any(memory.visibility is Visibility.PRIVATE for memory in memories)
    return Visibility.PRIVATE if private else memories[0].visibility
