"""What is put away: archived when old and of no use, forgotten when still of none after that.

An episode that changed a file stays while it is one of the latest that tell of it: later work on
the file rests on it, though no link says so. Nothing is lost: what is archived or forgotten is found by its name and restored by a person, or
by itself when it is cited again. That a memory was never offered says nothing against it, so it
is never forgotten for that; an old episode is archived all the same. What is pinned, confirmed,
a mandate, a block or of the highest importance is not touched, and a person's own rule is only
proposed. So it is by importance, the usual retention of a profile; by time or by usage nothing
else is asked than how long ago a memory was written, or whether it was used when it was offered.
"""

from __future__ import annotations

from tacit.consolidate.capacity import CAPACITY, make_room
from tacit.consolidate.moves import Move, carry_out, days, histories_of, since, times
from tacit.consolidate.retention import use_of
from tacit.consolidate.room import BATCH, BY, Done
from tacit.consolidate.tiers import CITED_SHARE_LOST, persons_rules
from tacit.interval import at_most
from tacit.model import FacetType, Kind, Origin, Relation, Role, State
from tacit.retrieve.served import exempt
from tacit.store.protocol import Filter
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.consolidate.moves import Since
    from tacit.consolidate.retention import Use
    from tacit.consolidate.room import Room, Rules
    from tacit.model import Link, Memory, Revision

LOOKED_AT = (State.ACTIVE, State.ARCHIVED, State.FORGOTTEN)
PUT_AWAY = (State.ARCHIVED, State.FORGOTTEN)
# What shows that a memory is alive, in the verbs of histories.
RENEWING = ("accept", "edit", "reinforce", "renew", "restore", "set", "verify")
EVIDENCE = (Relation.DERIVED_FROM, Relation.EXAMPLE_OF, Relation.SUPPORTS)
REFERRING = (Kind.FACT, Kind.PATTERN, Kind.SKILL)
LIVE = (State.ACTIVE, State.CANDIDATE)


class Case(Value):
    """A memory and all that its fate depends on."""

    memory: Memory
    use: Use
    written_since: datetime  # when it was last written, said again or restored
    quiet_since: datetime  # the same, or when it was last used
    stands_since: Since  # in its present state
    referred: bool = False  # something live rests on it
    superseded: bool = False
    persons_rule: bool = False


def forget(room: Room, mark: str) -> Done:
    """Put away what is due, one batch in the order of ids; then what is too much."""
    if mark.startswith(CAPACITY):
        return make_room(room, mark)
    where = Filter(states=LOOKED_AT, scopes=room.scopes, after=mark)
    found = list(room.store.scan(where, limit=BATCH))
    counts = carry_out(room, fates(room, found))
    if len(found) == BATCH:
        return Done(mark=found[-1].id, more=True, counts=counts)
    if room.rules.most_memories is not None:
        return Done(mark=CAPACITY, more=True, counts=counts)
    return Done(mark="", more=False, counts=counts)


def fates(room: Room, memories: Sequence[Memory]) -> list[Move]:
    """Give what is due to be archived, forgotten or restored, those proposed among them."""
    by = room.profile.retention
    moves = (fate(case, room.rules, room.now, by) for case in _cases(room, memories))
    return [move for move in moves if move is not None]


def fate(case: Case, rules: Rules, now: datetime, by: str = "importance") -> Move | None:
    """Decide about one memory, by the retention of the profile."""
    if case.memory.state in PUT_AWAY and _wanted_again(case, now):
        return _move(case, State.ACTIVE, "restore", "it was cited after it had been put away")
    if exempt(case.memory, rules.exempt_importance):
        return None
    if case.memory.state is State.ACTIVE:
        why = _no_longer_holds(case, rules, now) or NEEDLESS[by](case, rules, now)
        return _move(case, State.ARCHIVED, "archive", why) if why else None
    if case.memory.state is State.ARCHIVED:
        waited = days(case.stands_since.at, now)
        why = _never_missed(case, by) if waited >= rules.grace else ""
        told = f"{why}; archived for {waited:.0f} days"
        return _move(case, State.FORGOTTEN, "forget", told) if why else None
    return None


def _wanted_again(case: Case, now: datetime) -> bool:
    """Tell whether what this pass put away was cited since, up to now; a person's word stands."""
    stood, cited = case.stands_since, case.use.cited_at
    if stood.by != BY or case.superseded or cited is None:
        return False
    return stood.at < cited <= now


def _no_longer_holds(case: Case, rules: Rules, now: datetime) -> str:
    """Say that a memory ceased to hold long ago; empty when it did not."""
    ended = case.memory.validity.valid_to
    if ended is not None and days(max(ended, case.quiet_since), now) >= rules.grace:
        return f"it ceased to hold {days(ended, now):.0f} days ago"
    return ""


def _no_longer_needed(case: Case, rules: Rules, now: datetime) -> str:
    """Say why a memory that is served is to be archived; empty when it is not."""
    quiet = days(case.quiet_since, now)
    if case.memory.kind is Kind.EPISODE:
        due = quiet >= rules.archive_episode_after and not case.referred
        return f"an episode unused for {quiet:.0f} days that nothing refers to" if due else ""
    due = quiet >= rules.archive_after and case.use.cited < rules.archive_cited_below
    if not due or not case.use.passed_over or case.referred:
        return ""
    return f"{_told(case.use)}, and unused for {quiet:.0f} days"


def _old(case: Case, rules: Rules, now: datetime) -> str:
    """Say that a memory was written long ago; empty when it was not."""
    age = days(case.written_since, now)
    return f"written {age:.0f} days ago" if age >= _lasts(case.memory, rules) else ""


def _lasts(memory: Memory, rules: Rules) -> float:
    episode = memory.kind is Kind.EPISODE
    return rules.archive_episode_after if episode else rules.archive_after


def _unused(case: Case, _rules: Rules, _now: datetime) -> str:
    """Say that a memory is surely not used where it is offered; empty when that is not sure."""
    use = case.use
    surely = use.passed_over and at_most(use.cited, use.offered) < CITED_SHARE_LOST
    return _told(use) if surely else ""


# By what a profile's `retention` asks whether a memory that is served is needed no longer.
NEEDLESS: dict[str, Callable[[Case, Rules, datetime], str]] = {
    "importance": _no_longer_needed,
    "time": _old,
    "usage": _unused,
}


def _never_missed(case: Case, by: str) -> str:
    """Say why a memory that is archived is to be forgotten; empty when it is not."""
    if case.superseded:
        return "something else has taken its place, or it ceased to hold"
    if by == "time":
        return "its time is over"
    rested_on = case.referred and by == "importance"
    return _told(case.use) if case.use.passed_over and not case.use.cited and not rested_on else ""


def _told(use: Use) -> str:
    return f"offered {times(use.offered)}, cited {times(use.cited)}"


def _move(case: Case, state: State, what: str, why: str) -> Move:
    after = case.memory.replace(state=state)
    proposed = case.persons_rule and what != "restore"
    return Move(memory=case.memory, after=after, what=what, why=why, proposed=proposed)


def _cases(room: Room, memories: Sequence[Memory]) -> list[Case]:
    """Read what the fate of memories depends on; only for those whose time may have come."""
    tallies = room.store.tally([memory.id for memory in memories])
    uses = {memory.id: use_of(tallies.get(memory.id, {})) for memory in memories}
    by = room.profile.retention
    due = [m for m in memories if _may_be_due(m, uses[m.id], room.rules, room.now, by)]
    if not due:
        return []
    histories = histories_of(room.store, due)
    rules = persons_rules(room.store, due)
    referred, superseded = _ties(room, due)
    referred |= _latest_of_files(room, due)
    return [
        Case(
            memory=memory,
            use=uses[memory.id],
            written_since=_written_since(memory, histories.get(memory.id, ())),
            quiet_since=_quiet_since(memory, uses[memory.id], histories.get(memory.id, ())),
            stands_since=since(memory, histories.get(memory.id, ()), "state"),
            referred=memory.id in referred,
            superseded=memory.id in superseded,
            persons_rule=memory.id in rules,
        )
        for memory in due
    ]


def _may_be_due(memory: Memory, use: Use, rules: Rules, now: datetime, by: str) -> bool:
    """Tell by what is at hand whether a closer look is needed; most memories need none."""
    if memory.state is State.FORGOTTEN:
        return use.cited_at is not None
    if memory.state is State.ARCHIVED:
        return by == "time" or use.cited_at is not None or use.passed_over or _ended(memory, now)
    if exempt(memory, rules.exempt_importance):
        return False
    if by != "importance" and _ended(memory, now):
        return True
    if by == "time":
        return days(memory.recorded_at, now) >= _lasts(memory, rules)
    if by == "usage":
        return use.passed_over
    quiet = days(max(memory.recorded_at, use.used_at or memory.recorded_at), now)
    if memory.kind is Kind.EPISODE:
        return quiet >= min(rules.archive_episode_after, rules.grace)
    return _ended(memory, now) or (quiet >= rules.archive_after and use.passed_over)


def _ended(memory: Memory, now: datetime) -> bool:
    return memory.validity.valid_to is not None and memory.validity.valid_to <= now


def _written_since(memory: Memory, history: Sequence[Revision]) -> datetime:
    moments = [revision.at for revision in history if revision.op in RENEWING]
    return max([memory.recorded_at, *moments])


def _quiet_since(memory: Memory, use: Use, history: Sequence[Revision]) -> datetime:
    written = _written_since(memory, history)
    return max(written, use.used_at) if use.used_at else written


def _ties(room: Room, memories: Sequence[Memory]) -> tuple[set[str], set[str]]:
    """Give which of the memories something live rests on, and which were superseded."""
    ids = {memory.id for memory in memories}
    superseded = {memory.id for memory in memories if _ended(memory, room.now)}
    links = [link for link in room.store.links(sorted(ids)) if _stands(link, room.now)]
    ends = {id_ for link in links for id_ in (link.src, link.dst)}
    there = {memory.id: memory for memory in room.store.get(sorted(ends))}
    referred: set[str] = set()
    for link in links:
        if link.relation is Relation.SUPERSEDES:
            superseded |= {link.dst} & ids
            continue
        for one, other in ((link.src, link.dst), (link.dst, link.src)):
            if one in ids and other in there and _rests(link, one, there[other], room.now):
                referred.add(one)
    return referred, superseded


def _latest_of_files(room: Room, memories: Sequence[Memory]) -> set[str]:
    """Give the episodes that are among the latest that tell of a file they changed."""
    behind = {
        State.ACTIVE: room.rules.archive_behind,
        State.ARCHIVED: room.rules.forget_behind,
    }
    where = Filter(kinds=(Kind.EPISODE,), states=tuple(behind), scopes=room.scopes)
    latest: set[str] = set()
    for state, limit in behind.items():
        facets = {
            mention.facet
            for memory in memories
            if memory.state is state and memory.kind is Kind.EPISODE
            for mention in memory.mentions
            if mention.facet.type is FacetType.FILE and mention.role is Role.WRITES
        }
        if facets and limit:
            ordered = sorted(facets, key=lambda facet: facet.norm)
            found = room.store.mentioning(ordered, where, limit=limit)
            among = {id_ for id_, mention in found if mention.role is Role.WRITES}
            latest |= among & {memory.id for memory in memories if memory.state is state}
    return latest


def _stands(link: Link, now: datetime) -> bool:
    return link.valid_to is None or link.valid_to > now


def _rests(link: Link, id_: str, other: Memory, now: datetime) -> bool:
    """Tell whether another memory rests on this one: as evidence, or because a person says so."""
    if other.kind not in REFERRING or other.state not in LIVE or _ended(other, now):
        return False
    told = link.origin is Origin.HUMAN and link.dst == id_
    return told or link.relation in EVIDENCE
