"""Signals → memories they call up, one function a signal. Knows no confidence.

Each gives ids with a raw score from 0 to 1 and a reason. Only what is indexed is asked: no text
is read, no vector computed, so that a hook may ask.
"""

from __future__ import annotations

from tacit.assemble.signals import RESOLVED
from tacit.model import Facet, FacetType, Kind, Relation, Role
from tacit.text import query_terms
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tacit.assemble.near_files import Near
    from tacit.model import Memory
    from tacit.store.protocol import Filter, Reader

PER_FILE = 60  # memories looked at for one file
PER_TEXT = 20
MOST_READ = 40  # memories of files that are weighed by their age too
NEAR_FILES = 10
SKILLS = 100
EPISODES = 1000  # the latest that tell what is done at which hour
AROUND = 90  # minutes before and after that count as the same time of day
DAY = 24 * 60
HALF_LIFE_DAYS = 90.0
MUCH = 20.0  # rarity in common that is as good as half
# What a file's part in a memory says of how much the memory is about it.
ROLES = {Role.FIXES: 1.0, Role.WRITES: 0.8, Role.ABOUT: 0.8, Role.RAISES: 0.8, Role.READS: 0.3}
PERSONAL = ("preference", "decision", "rule", "convention")  # what is worth knowing of a person
_GENERIC = frozenset(
    "feature feat fix bugfix hotfix bug chore release main master develop dev wip branch test "
    "tests docs refactor claude codex cursor agent issue".split()
)


class Clue(Value):
    """That a signal calls up a memory."""

    score: float  # 0 to 1, comparable within one signal
    why: str


def by_files(
    reader: Reader,
    opened: Sequence[str],
    near: Sequence[Near],
    where: Filter,
    now: datetime,
    read: dict[str, Memory],
) -> dict[str, Clue]:
    """Give what mentions the open files and those likely to follow; `read` takes what was read."""
    parts = {near_one.path: near_one.part for near_one in near[:NEAR_FILES]}
    names = (*opened, *(path for path in parts if path not in opened))
    facets = [Facet(type=FacetType.FILE, name=name) for name in names]
    roles: dict[str, dict[str, float]] = {}
    for id_, mention in reader.mentioning(facets, where, limit=PER_FILE):
        weights = roles.setdefault(id_, {})
        weight = ROLES[mention.role]
        weights[mention.facet.name] = max(weight, weights.get(mention.facet.name, 0.0))
    first = {id_: worth(weights, opened, parts, 0.0) for id_, weights in roles.items()}
    best = sorted(first, key=lambda id_: -first[id_])[:MOST_READ]  # of equals, the newest
    found: dict[str, Clue] = {}
    for memory in reader.get(best):
        read[memory.id] = memory
        days = max(0.0, (now - memory.validity.valid_from).total_seconds() / 86_400)
        score = worth(roles[memory.id], opened, parts, days)
        found[memory.id] = Clue(score=score, why=_about(roles[memory.id], opened, parts))
    return found


def worth(
    weights: Mapping[str, float], opened: Sequence[str], parts: Mapping[str, float], days: float
) -> float:
    """Weigh a memory by the files it is about: those open, those likely to follow, and its age."""
    own = max((weights.get(path, 0.0) for path in opened), default=0.0)
    further = min(1.0, sum(weights[path] * parts.get(path, 0.0) for path in weights))
    fresh: float = 2.0 ** -(days / HALF_LIFE_DAYS)
    return 0.5 * own + 0.35 * further + 0.15 * fresh * max(own, further)


def by_modules(reader: Reader, modules: Sequence[str], where: Filter) -> dict[str, Clue]:
    """Give what is about a module an open file imports."""
    from tacit.model import compact

    named = {compact(module): module for module in modules if len(module) > 1}
    facets = reader.known_names(sorted(named)) if named else []
    facets = [f for f in facets if f.type not in (FacetType.FILE, FacetType.COMMIT)]
    counts = reader.facet_counts(facets)
    found: dict[str, Clue] = {}
    for id_, mention in reader.mentioning(facets, where, limit=PER_TEXT):
        score = 1.0 / (1.0 + counts.get(mention.facet, 1) / PER_TEXT)
        _keep(found, id_, Clue(score=score, why=f"about {mention.facet.name}, which is imported"))
    return found


def by_branch(reader: Reader, branch: str, where: Filter) -> dict[str, Clue]:
    """Give decisions and patterns that speak of what a branch is named after."""
    terms = [term for term in query_terms(branch) if term not in _GENERIC and not term.isdecimal()]
    kinds = where.replace(kinds=(Kind.FACT, Kind.PATTERN, Kind.EPISODE))
    return _by_words(reader, terms, kinds, f"of branch {branch}")


def by_task(reader: Reader, task: str, where: Filter) -> dict[str, Clue]:
    """Give what holds the words of a task."""
    return _by_words(reader, query_terms(task), where, "of the task")


def by_error(reader: Reader, output: str, where: Filter) -> dict[str, Clue]:
    """Give what resolved the same error, then what speaks of one alike."""
    from tacit.encode.failures import read_problem

    problem = read_problem(output)
    if problem is None:
        return {}
    names = [name for name in (problem.signature, problem.type) if name]
    facets = [Facet(type=FacetType.ERROR, name=name) for name in names]
    words = _by_words(reader, query_terms(problem.message), where, "an error alike")
    found = {id_: clue.replace(score=0.5 * clue.score) for id_, clue in words.items()}
    for id_, mention in reader.mentioning(facets, where, limit=PER_TEXT):
        alike = words[id_].score if id_ in words else 0.0
        exact = mention.facet.name.casefold() == problem.signature.casefold()
        fixes = mention.role is Role.FIXES
        score = 0.4 + 0.2 * alike + 0.2 * exact + 0.2 * fixes
        why = RESOLVED if fixes else "met the same error"
        _keep(found, id_, Clue(score=score, why=why))
    return found


def by_hour(reader: Reader, minute: int, where: Filter) -> dict[str, Clue]:
    """Give routines that were run around this time of day, by the share of such days."""
    skills = reader.scan_ids(where.replace(kinds=(Kind.SKILL,)), order="-recorded_at", limit=SKILLS)
    if not skills:
        return {}
    past = where.replace(kinds=(Kind.EPISODE,), at=None, current=False)
    days: dict[str, int] = {}  # episode at this time of day → its day
    for memory in reader.scan(past, order="-valid_from", limit=EPISODES):
        at = memory.validity.valid_from
        if around(at.hour * 60 + at.minute, minute):
            days[memory.id] = at.toordinal()
    active = len(set(days.values()))
    runs: dict[str, set[int]] = {}
    for link in reader.links(skills, (Relation.DERIVED_FROM,)):
        if link.dst in days:
            runs.setdefault(link.src, set()).add(days[link.dst])
    return {
        id_: Clue(
            score=len(on) / (active + 1.0),
            why=f"run around this time on {len(on)} of {active} days",
        )
        for id_, on in runs.items()
        if id_ in skills and len(on) > 1  # once is no habit
    }


def around(one: int, other: int) -> bool:
    """Tell whether two minutes of the day are near each other, midnight being no wall."""
    apart = abs(one - other) % DAY
    return min(apart, DAY - apart) <= AROUND


def by_person(reader: Reader, name: str, where: Filter) -> dict[str, Clue]:
    """Give what somebody who joins wants and has decided, by their own word or of them."""
    names = _names(reader, name)
    found: dict[str, Clue] = {}
    own = where.replace(authors=tuple(names), kinds=(Kind.FACT, Kind.PATTERN, Kind.SKILL))
    for memory in reader.scan(own, order="-recorded_at", limit=PER_FILE):
        score = 1.0 if memory.subtype in PERSONAL else 0.5
        _keep(found, memory.id, Clue(score=score, why=f"said by {name}"))
    people = [Facet(type=FacetType.PERSON, name=each) for each in names]
    for id_, _ in reader.mentioning(people, where, limit=PER_TEXT):
        _keep(found, id_, Clue(score=0.6, why=f"about {name}"))
    return found


def _names(reader: Reader, name: str) -> list[str]:
    """Give the ways a person's name is written in the store, the given one first."""
    from tacit.model import compact

    known = reader.known_names([compact(name)]) if compact(name) else []
    written = (facet.name for facet in known if facet.type is FacetType.PERSON)
    return list(dict.fromkeys((name, name.strip().lstrip("@"), *written)))


def _by_words(reader: Reader, terms: Sequence[str], where: Filter, why: str) -> dict[str, Clue]:
    """Give what holds the words, by how much rarity they have in common.

    Not by the share that is covered: all of "yes, go on" is covered by many and tells nothing.
    """
    if not terms:
        return {}
    from tacit.retrieve.understand import IMAGINED, inverse_frequency

    terms = list(terms)[:PER_FILE]
    counted = reader.count_words(terms)
    total = counted.total + IMAGINED  # in a store of a few memories no word is rare
    rarity = {t: inverse_frequency(total, counted.words.get(t, 0)) for t in terms}
    ids = [match.id for match in reader.match_text(terms, where, limit=PER_TEXT)]
    found: dict[str, Clue] = {}
    for id_, card in reader.cards(ids, where).items():
        held = set(card.words.split())
        told = sum(value for term, value in rarity.items() if term in held)
        found[id_] = Clue(score=told / (told + MUCH), why=why)
    return found


def _about(weights: Mapping[str, float], opened: Sequence[str], parts: Mapping[str, float]) -> str:
    own = [path for path in opened if path in weights]
    if own:
        return f"about {own[0]}"
    nearest = max(weights, key=lambda path: (parts.get(path, 0.0), path))
    return f"about {nearest}, which is likely to follow"


def _keep(found: dict[str, Clue], id_: str, clue: Clue) -> None:
    if id_ not in found or found[id_].score < clue.score:
        found[id_] = clue
