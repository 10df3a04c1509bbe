"""Which episodes are the same sort of work done again: likeness, happenings, cohesion. Pure.

Words alone make nothing alike. Two episodes belong together when their goals mean the same, no
number, name, denial or opposite sets them apart, and they touched the same things: files,
commands, errors. How near two goals are in meaning is handed in.
"""

from __future__ import annotations

from math import log

from tacit.body import Episode
from tacit.encode.routines import run_of
from tacit.model import Facet, FacetType, Role
from tacit.observation import Tool
from tacit.pattern import pattern
from tacit.text import content_words, squash, stem
from tacit.value import Value
from tacit.write.cover import coverage, told
from tacit.write.likeness import read
from tacit.write.vetoes import RULES, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.model import Memory, Scope

    # How near the meaning of two goals is, 0 to 1.
    Near = Callable[[str, str], float]
    # What an episode touched: the type of a facet and its normal form.
    Thing = tuple[str, str]

LEAST_WORDS = 2  # with meaning, for a goal to be compared: "ok, do it" is none
RETOLD_WORDS = 8  # a goal this long, word for word again within a day, is the same one retold
RETOLD_SECONDS = 86_400
COMMIT_CHARS = 7  # of a commit's id; sessions print it short
FEW = 5  # episodes; what no more have touched is rare in the smallest store
RARE = 0.1  # of all episodes; what no more have touched says what an episode is about
SHARED = 0.1  # weight of what two episodes share, where something rare is among it
MUCH = 0.5  # weight from which it need not be rare
_COMPLAINT = pattern(r"(?i)\b(?:fail(?:s|ed|ing|ures?)?|refus\w+|lack\w*)\b")
# Statements are set apart by these; of goals they say only how somebody asked: "speed it up".
_WORDING = ("direction", "order", "swap")
_UNDOES = frozenset(
    stem(word)
    for word in "remove delete drop disable revert undo stop uninstall rollback deprecate".split()
)
_REFERENCE = pattern(r"^[a-z]+:\S+$")  # an artifact such as commit:1a2b3c4
_BRANCH = "branch "  # how the tag begins that names where it was done


class Work(Value):
    """An episode as it is compared with others."""

    id: str
    names: tuple[str, ...]  # what it was about: the goal as asked, the title as committed
    things: frozenset[Thing]  # what it touched
    outcome: str
    scope: Scope
    session: str
    commits: frozenset[str]
    at: datetime


class Frequency(Value):
    """How many episodes touched each thing, and how many episodes there are."""

    counts: dict[Thing, int]  # grows as things are asked for
    total: int

    def weight(self, thing: Thing) -> float:
        """Give how much a thing says about an episode: the less, the more have touched it."""
        return log(1 + self.total / max(1, self.counts.get(thing, 1)))

    def rare(self, thing: Thing) -> bool:
        """Tell whether few have touched it."""
        return self.counts.get(thing, 1) <= max(FEW, RARE * self.total)


def work_of(memory: Memory) -> Work | None:
    """Read an episode; None for anything else, and where it names no goal."""
    body = memory.body
    if not isinstance(body, Episode):
        return None
    titles = (body.goal, memory.levels.title.rstrip("…"))
    names = [name for name in titles if len(content_words(name)) >= LEAST_WORDS]
    if len(names) == 2 and squash(names[0]).startswith(squash(names[1])):
        names.pop()  # the title is only the beginning of the goal
    if not names:
        return None
    shas = [ref.partition(":")[2] for ref in body.artifacts if ref.startswith("commit:")]
    return Work(
        id=memory.id,
        names=tuple(names),
        things=_things(memory, body),
        outcome=body.outcome,
        scope=memory.scope,
        session=memory.session,
        commits=frozenset(sha[:COMMIT_CHARS] for sha in (*shas, body.commit) if sha),
        at=memory.validity.valid_from,
    )


def _things(memory: Memory, body: Episode) -> frozenset[Thing]:
    """Give what was touched: what was only read, or where it was done, says little."""
    named = [m for m in memory.mentions if m.facet.type is FacetType.FILE]
    written = [m for m in named if m.role is Role.WRITES]
    # A file that is merely named in the text is no more than a word, where it is known what was changed.
    files = written or [m for m in named if m.role is not Role.READS]
    found = {mention.facet for mention in files}
    found |= {m.facet for m in memory.mentions if m.facet.type in (FacetType.TOOL, FacetType.ERROR)}
    tags = [m.facet for m in memory.mentions if m.facet.type is FacetType.TAG]
    found |= {tag for tag in tags if not tag.norm.startswith(_BRANCH)}
    paths = [a.target for a in body.actions if a.action in (Tool.EDIT, Tool.WRITE) and not a.error]
    paths += [name for name in body.artifacts if not _REFERENCE.match(name)]
    found |= {Facet(type=FacetType.FILE, name=path) for path in paths if path.strip()}
    found |= {Facet(type=FacetType.TOOL, name=step) for step in run_of("", body).steps}
    return frozenset((facet.type.value, facet.norm) for facet in found)


def same_happening(one: Work, other: Work) -> bool:
    """Tell whether two episodes tell of one happening: a session and its commit, or a session retold."""
    if one.session and one.session == other.session:
        return True
    if one.commits & other.commits:
        return True
    again = squash(one.names[0]) == squash(other.names[0])
    near = abs((one.at - other.at).total_seconds()) < RETOLD_SECONDS
    return again and near and len(content_words(one.names[0])) >= RETOLD_WORDS


def happenings(works: Sequence[Work]) -> list[list[Work]]:
    """Put together what tells of one happening; evidence is counted by these."""
    groups: list[list[Work]] = []
    for work in sorted(works, key=lambda each: (each.at, each.id)):
        mine = [group for group in groups if any(same_happening(work, each) for each in group)]
        joined = [each for group in mine for each in group]
        groups = [group for group in groups if group not in mine]
        groups.append([*joined, work])
    return groups


def count_happenings(memories: Sequence[Memory]) -> int:
    """Count the happenings some episodes tell of; those without a goal are told apart by session."""
    works = [work_of(memory) or memory.session or memory.id for memory in memories]
    groups = happenings([work for work in works if isinstance(work, Work)])
    sessions = {work.session for group in groups for work in group}
    return len(groups) + len({name for name in works if isinstance(name, str)} - sessions)


def place(one: Work, other: Work, common: Frequency) -> float:
    """Give the share of what both touched in what either did, by weight; 0 where it says nothing."""
    shared = one.things & other.things
    if not shared:
        return 0.0
    weight = sum(common.weight(thing) for thing in sorted(shared))
    whole = sum(common.weight(thing) for thing in sorted(one.things | other.things))
    share = weight / whole
    rare = any(common.rare(thing) for thing in shared)
    return share if share >= MUCH or (rare and share >= SHARED) else 0.0


def meaning(one: Work, other: Work, near: Near | None) -> float:
    """Give how near the goals are, 0 to 1: the nearest of their names that nothing sets apart."""
    pairs = [(a, b) for a in one.names for b in other.names if _comparable(a, b)]
    return max((near(a, b) if near else overlap(a, b) for a, b in pairs), default=0.0)


def _comparable(goal: str, other: str) -> bool:
    """Tell whether two goals are worth asking a model for: they share a word, and nothing parts them."""
    return bool(told(goal).words & told(other).words) and not set_apart(goal, other)


def set_apart(goal: str, other: str) -> bool:
    """Tell whether a number, name, denial or opposite makes two goals different ones."""
    found = sorted((read(_COMPLAINT.sub("", text)) for text in (goal, other)), key=_text)
    reasons = [reason for rule in RULES if (reason := rule(found[0], found[1]))]
    undoes = [bool(_UNDOES & reading.stems) for reading in found]
    return undoes[0] != undoes[1] or any(reason.split()[0] not in _WORDING for reason in reasons)


def _text(reading: Reading) -> str:
    return reading.text


def overlap(goal: str, other: str) -> float:
    """Give the share of words two goals have in common, the smaller of both ways."""
    one, two = told(goal), told(other)
    return min(coverage(one, two), coverage(two, one))


def likeness(goal: float, things: float) -> float:
    """Give how sure it is that two episodes are alike: each sign takes from the doubt of the other."""
    return 1.0 - (1.0 - goal) * (1.0 - things)


def confidence(cohesion: float, supporting: int, contradicting: int) -> float:
    """Give how far a pattern is to be believed; evidence is counted in distinct happenings."""
    share = (supporting + 2) / (supporting + contradicting + 2.5)
    return round(min(1.0, cohesion) * share, 3)
