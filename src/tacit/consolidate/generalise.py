"""The pass `generalise`: episodes that are alike become a pattern, with all of them as evidence.

Each episode that is new or changed is compared with all others by look-ups, however long ago
they were. It joins the pattern it fits, or founds one with what it is alike to. Failures found
nothing; where they fit a pattern they count against it.
"""

from __future__ import annotations

from collections import Counter

from tacit.consolidate.alike import Look
from tacit.consolidate.clusters import (
    confidence,
    happenings,
    same_happening,
    work_of,
)
from tacit.consolidate.evidence import Evidence, pattern_draft
from tacit.consolidate.room import BATCH, BY, Done
from tacit.model import Kind, Link, Origin, Polarity, Relation, State, Tier, Trust
from tacit.store.protocol import Filter
from tacit.text import query_terms
from tacit.write.history import change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.clusters import Work
    from tacit.consolidate.room import Room
    from tacit.model import Memory

PREFIX = "consolidate:generalise:"
LEAST = 2  # happenings a pattern needs
FITS = 0.5  # of a pattern's happenings, that an episode is alike to when it belongs to it
NEAREST = 10  # patterns that a new one is compared with
MOST_COMPARED = 12  # happenings of a pattern, the latest, that cohesion is taken from


def generalise(room: Room, mark: str) -> Done:
    """Take one batch of new and changed episodes."""
    changed = room.store.changed(int(mark or 0), limit=BATCH)
    found = room.store.get([id_ for _, id_ in changed])
    episodes = [m for m in found if m.kind is Kind.EPISODE and room.seen(m) and not m.retired_at]
    look, counts = Look(room, episodes), Counter[str]()
    for memory in episodes:
        counts["episodes_processed"] += 1
        counts.update(_take(room, look, memory))
    return Done(
        mark=str(changed[-1][0]) if changed else mark,
        more=len(changed) == BATCH,
        counts={name: count for name, count in counts.items() if count},
    )


def _take(room: Room, look: Look, memory: Memory) -> Counter[str]:
    """Let an episode join a pattern or found one."""
    work = work_of(memory)
    taken = _patterns(room, [memory.id])
    if taken:
        return _renew(room, look, taken[0], []) if work else Counter()
    if work is None or memory.state is not State.ACTIVE or work.outcome not in _COUNTED:
        return Counter()
    alike = look.alike(memory, work)
    for known in _patterns(room, [other.id for other, _ in alike]):
        if _fits(look, work, look.works(_source_ids(room, known))):
            return _renew(room, look, known, [memory])
    if work.outcome != "success":
        return Counter()
    return _found(room, look, memory, work, [other for other, _ in alike])


_COUNTED = ("success", "failure")


def _found(room: Room, look: Look, memory: Memory, work: Work, alike: list[Work]) -> Counter[str]:
    """Make a pattern of an episode and those it is alike to, as far as they are so among them."""
    chosen = [work]
    free = [w for w in alike if w.outcome == "success" and not _patterns(room, [w.id])]
    for other in free:
        if _fits(look, other, chosen):
            chosen.append(other)
    if len(happenings(chosen)) < LEAST:
        return Counter()
    members = room.store.get([each.id for each in chosen])
    first, second = sorted(members, key=lambda m: (m.validity.valid_from, m.id))[:2]
    source = f"{PREFIX}{first.id}+{second.id}"
    if known := _similar(room, look, members, source):
        return _renew(room, look, known, members)
    return _write(room, look, source, members)


def _similar(room: Room, look: Look, members: list[Memory], source: str) -> Memory | None:
    """Give a pattern that says already what these episodes would, by whomever it was made."""
    said = pattern_draft(_evidence(look, members), source, State.CANDIDATE).text
    where = Filter(
        at=room.now,
        states=(State.ACTIVE, State.CANDIDATE),
        kinds=(Kind.PATTERN,),
        polarities=(Polarity.DO, Polarity.NEUTRAL),
        scopes=(members[0].scope,),
    )
    ids = [match.id for match in room.store.match_text(query_terms(said), where, limit=NEAREST)]
    found = [m for m in room.store.get(ids) if m.source_ref != source and look.same(said, m.text)]
    return min(found, key=lambda memory: memory.id, default=None)


def _fits(look: Look, work: Work, members: Sequence[Work]) -> bool:
    """Tell whether an episode is alike to most of the other happenings of a cluster."""
    others = [
        group
        for group in happenings([m for m in members if m.outcome == "success"])
        if not any(same_happening(work, each) for each in group)
    ]
    near = [group for group in others if any(look.likeness(work, each) for each in group)]
    return bool(members) and len(near) >= FITS * len(others)


def _patterns(room: Room, ids: Sequence[str]) -> list[Memory]:
    """Give the patterns that were made of episodes here, those that still hold first."""
    links = room.store.links(ids, (Relation.DERIVED_FROM, Relation.CONTRADICTS))
    wanted = set(ids)
    found = [
        link.src if link.relation is Relation.DERIVED_FROM else link.dst
        for link in links
        if (link.dst if link.relation is Relation.DERIVED_FROM else link.src) in wanted
    ]
    patterns = [
        memory
        for memory in room.store.get(list(dict.fromkeys(found)))
        if memory.kind is Kind.PATTERN
        and memory.polarity is not Polarity.AVOID
        and memory.origin is not Origin.EXTRACTED  # that one was made of a single episode
    ]
    return sorted(patterns, key=lambda m: m.retired_at is not None)


def _source_ids(room: Room, known: Memory) -> list[str]:
    """Give what is linked to a pattern as being for or against it; it may be more than episodes."""
    links = room.store.links([known.id], (Relation.DERIVED_FROM, Relation.CONTRADICTS))
    return sorted({link.dst if link.src == known.id else link.src for link in links})


def _sources(room: Room, known: Memory) -> list[Memory]:
    return [m for m in room.store.get(_source_ids(room, known)) if m.kind is Kind.EPISODE]


def _renew(room: Room, look: Look, known: Memory, more: list[Memory]) -> Counter[str]:
    """Bring a pattern up to date with its episodes and some more."""
    members = list({m.id: m for m in (*_sources(room, known), *more)}.values())
    if known.retired_at is not None or known.state is State.FORGOTTEN:
        return Counter()  # merged into another, or put away by a person: nothing new of it
    if not known.source_ref.startswith(PREFIX):
        links = _link(room, known, members)
        return Counter(patterns_merged=bool(links), links_created=links)
    return _write(room, look, known.source_ref, members, known)


def _write(
    room: Room, look: Look, source: str, members: list[Memory], known: Memory | None = None
) -> Counter[str]:
    found = _evidence(look, members)
    state = _state(room, found)
    if known is None:
        [written] = room.write([pattern_draft(found, source, state)], seed=source).memories
        links = _link(room, written, members)
        fresh = written.source_ref == source
        merged = not fresh and links > 0
        return Counter(patterns_created=fresh, patterns_merged=merged, links_created=links)
    renewed = known
    if found.supporting and not _held(known):
        [renewed] = room.write([pattern_draft(found, source, state)], seed=source).memories
    if not _held(known):
        [renewed] = _believe(room, renewed, found, state)
    links = _link(room, known, members)
    return Counter(patterns_merged=renewed != known or links > 0, links_created=links)


def _evidence(look: Look, members: Sequence[Memory]) -> Evidence:
    """Count the evidence and how well it hangs together."""
    by_id = {memory.id: memory for memory in members}
    works = [work for memory in members if (work := work_of(memory)) is not None]
    groups = happenings(works)
    good = [group for group in groups if any(each.outcome == "success" for each in group)]
    bad = [
        group
        for group in groups
        if group not in good and any(each.outcome == "failure" for each in group)
    ]
    cohesion = look.cohesion(good[-MOST_COMPARED:])
    return Evidence(
        groups=tuple(tuple(by_id[each.id] for each in group) for group in good),
        supporting=len(good),
        contradicting=len(bad),
        confidence=confidence(cohesion, len(good), len(bad)),
    )


def _state(room: Room, found: Evidence) -> State:
    sure = found.supporting >= LEAST and found.confidence >= room.rules.pattern_confidence
    return State.ACTIVE if sure and found.trust not in (Trust.TOOL, Trust.WEB) else State.CANDIDATE


def _held(memory: Memory) -> bool:
    """Tell whether a pattern is a person's by now, and not to be touched."""
    return memory.pinned or bool(memory.confirmed_by) or memory.tier is Tier.MANDATE


def _believe(room: Room, memory: Memory, found: Evidence, state: State) -> list[Memory]:
    """Set how far a pattern is believed, and whether it waits."""

    def alter(old: Memory) -> Memory:
        waits = old.state in (State.ACTIVE, State.CANDIDATE)
        return old.replace(confidence=found.confidence, state=state if waits else old.state)

    note = f"{found.supporting} for it, {found.contradicting} against"
    return change(room.store, [memory.id], alter, op="generalise", by=BY, at=room.now, note=note)


def _link(room: Room, known: Memory, members: Sequence[Memory]) -> int:
    """Link a pattern to the episodes for it, and those against it to the pattern."""
    wanted = [link for memory in members if (link := _link_of(room, known, memory)) is not None]
    relations = (Relation.DERIVED_FROM, Relation.CONTRADICTS)
    there = {(k.src, k.relation, k.dst): k for k in room.store.links([known.id], relations)}
    ends = {memory.id for memory in members}
    stale = [
        link
        for name, link in there.items()
        if ends & {link.src, link.dst}
        and link.origin is Origin.CONSOLIDATED
        and name not in {(k.src, k.relation, k.dst) for k in wanted}
    ]
    new = [link for link in wanted if (link.src, link.relation, link.dst) not in there]
    room.store.unlink(stale)
    room.store.link(new)
    return len(new)


def _link_of(room: Room, known: Memory, memory: Memory) -> Link | None:
    outcome = getattr(memory.body, "outcome", "")
    ends = {"success": (known.id, memory.id), "failure": (memory.id, known.id)}.get(outcome)
    if ends is None:
        return None
    relation = Relation.DERIVED_FROM if outcome == "success" else Relation.CONTRADICTS
    return Link(
        src=ends[0], dst=ends[1], relation=relation, origin=Origin.CONSOLIDATED, valid_from=room.now
    )
