"""Connecting: links between memories that were written without being compared.

A note gets those it belongs to, by the same measure as at write. The rest is said by structure
alone: work that goes on with a branch follows what was done on it before; a skill requires
another that ends in what it needs; work that wrote a file affects what is anchored to it.
"""

from __future__ import annotations

from tacit.body import Episode, Skill
from tacit.consolidate.near import Near, rarest
from tacit.consolidate.room import BATCH, Done
from tacit.model import Facet, FacetType, Kind, Link, Origin, Relation, Role, State
from tacit.store.protocol import EVERYTHING, Filter
from tacit.text import query_terms
from tacit.write.cover import coverage, differs, missing_hard, told
from tacit.write.relate import MOST, NEAR, NOTES, choose_related, related_where, relates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Memory

LIVING = (State.ACTIVE, State.CANDIDATE)
MOST_TO = 12  # notes that one may be related to; a hub would be about everything
MOST_FILES = 8  # of a piece of work that are looked up
CANDIDATES = 8
COVERED = 0.8  # of what a skill needs that another must say it ends in
TRUNKS = ("branch main", "branch master", "branch trunk", "branch develop", "branch HEAD")


def connect(room: Room, mark: str) -> Done:
    """Link what is new, or says something else since the mark, to what it belongs to."""
    changed = room.store.changed(int(mark or 0), limit=BATCH)
    found = room.store.get([id_ for _, id_ in changed])
    notes = [memory for memory in found if _live(room, memory)]
    new = _new(room, list(_proposed(room, notes)))
    room.store.link(new)
    last = str(changed[-1][0]) if changed else mark
    return Done(mark=last, more=len(changed) == BATCH, counts={"links_created": len(new)})


def _live(room: Room, memory: Memory) -> bool:
    linked = (*NOTES, Kind.EPISODE)
    held = memory.retired_at is None and memory.state in LIVING
    return memory.kind in linked and held and room.seen(memory)


def _proposed(room: Room, notes: Sequence[Memory]) -> Iterator[Link]:
    """Give the links that could be said of some notes, whether they are there or not."""
    for note, other, weight in _related(room, [note for note in notes if relates(note)]):
        yield _link(room, note.id, Relation.RELATED_TO, other.id, weight)
    for note in notes:
        if isinstance(note.body, Skill):
            yield from _needs(room, note, note.body)
        if isinstance(note.body, Episode):
            yield from _goes_on(room, note)
            yield from _affects(room, note, note.body)


def _related(room: Room, notes: Sequence[Memory]) -> Iterator[tuple[Memory, Memory, float]]:
    """Give the notes that some belong to: by meaning, or without it by their rarest words."""

    def where(note: Memory) -> Filter:
        return related_where(note, max(room.now, note.recorded_at))

    near = Near(room, notes, where, limit=CANDIDATES, floor=NEAR)
    for note in notes:
        others = near.of(note)
        if others is None:
            words = rarest(room.store, note.text)
            found = room.store.match_text(words, where(note), limit=CANDIDATES)
            others = {match.id: 0.0 for match in found}
        for each in choose_related(room.store, note, others):
            yield note, each.memory, each.weight


def _needs(room: Room, note: Memory, body: Skill) -> Iterator[Link]:
    """Give whose end a skill needs to begin, and who needs its own end."""
    said = " ".join((*body.prerequisites, *body.exit))
    if not said:
        return
    where = Filter(states=LIVING, kinds=(Kind.SKILL,), scopes=(note.scope,), exclude=(note.id,))
    ids = [m.id for m in room.store.match_text(query_terms(said), where, limit=CANDIDATES)]
    for other in room.store.get(ids):
        if other.retired_at is None and isinstance(other.body, Skill):
            if ends_in_need(body, other.body):
                yield _link(room, note.id, Relation.REQUIRES, other.id)
            if ends_in_need(other.body, body):
                yield _link(room, other.id, Relation.REQUIRES, note.id)


def ends_in_need(skill: Skill, other: Skill) -> bool:
    """Tell whether something a skill needs is what another ends in."""
    for need in skill.prerequisites:
        claim = told(need)
        for end in other.exit:
            held = told(end)
            covered = claim.words and coverage(claim, held) >= COVERED
            if covered and not (differs(claim, held) or missing_hard(claim, held, end, whole=True)):
                return True
    return False


def _goes_on(room: Room, note: Memory) -> Iterator[Link]:
    """Give what was last done on a branch of its own before a session went on with it."""
    branches = [m.facet for m in note.mentions if _is_branch(m.facet)]
    where = EVERYTHING.replace(
        kinds=(Kind.EPISODE,),
        scopes=(note.scope,),
        until=note.validity.valid_from,
        exclude=(note.id,),
    )
    ids = [id_ for id_, _ in room.store.mentioning(branches, where, limit=CANDIDATES)]
    before = [other for other in room.store.get(ids) if other.session != note.session]
    if before:
        last = max(before, key=lambda other: (other.validity.valid_from, other.id))
        yield _link(room, note.id, Relation.FOLLOWS, last.id)


def _is_branch(facet: Facet) -> bool:
    branch = facet.type is FacetType.TAG and facet.name.startswith("branch ")
    return branch and facet.name not in TRUNKS


def _affects(room: Room, note: Memory, body: Episode) -> Iterator[Link]:
    """Give the notes anchored to files that the work wrote, known before it."""
    paths = [m.facet.name for m in note.mentions if m.role is Role.WRITES]
    paths += [a.target for a in body.actions if a.action in ("edit", "write") and not a.error]
    root = f"{room.root.rstrip('/')}/" if room.root else ""
    inside = dict.fromkeys(path.removeprefix(root) for path in paths if path)
    facets = [Facet(type=FacetType.FILE, name=path) for path in list(inside)[:MOST_FILES]]
    where = Filter(states=LIVING, kinds=NOTES, scopes=(note.scope,), anchored=True)
    ids = [id_ for id_, _ in room.store.mentioning(facets, where, limit=MOST)]
    known = [
        other
        for other in room.store.get(list(dict.fromkeys(ids)))
        if other.retired_at is None
        and other.validity.valid_from < note.validity.valid_from
        and any(anchor.path in inside for anchor in other.anchors)
    ]
    for other in sorted(known, key=lambda each: each.id)[:MOST]:
        yield _link(room, note.id, Relation.AFFECTS, other.id)


def _link(room: Room, src: str, relation: Relation, dst: str, weight: float = 1.0) -> Link:
    return Link(
        src=src,
        dst=dst,
        relation=relation,
        weight=weight,
        origin=Origin.CONSOLIDATED,
        valid_from=room.now,
    )


def _new(room: Room, proposed: Sequence[Link]) -> list[Link]:
    """Give the links that are not there yet, neither way round, a few for each memory."""
    ends = sorted({end for link in proposed for end in (link.src, link.dst)})
    known = room.store.links(ends)
    there = {(link.src, link.relation, link.dst) for link in known}
    follows = {link.src for link in known if link.relation is Relation.FOLLOWS}
    related: dict[str, int] = {}
    for link in known:
        if link.relation is Relation.RELATED_TO:
            for end in (link.src, link.dst):
                related[end] = related.get(end, 0) + 1
    new: list[Link] = []
    for link in proposed:
        back = link.dst, link.relation, link.src
        if (link.src, link.relation, link.dst) in there or back in there:
            continue
        if link.relation is Relation.RELATED_TO:
            if related.get(link.src, 0) >= MOST or related.get(link.dst, 0) >= MOST_TO:
                continue
            for end in (link.src, link.dst):
                related[end] = related.get(end, 0) + 1
        elif link.relation is Relation.FOLLOWS and link.src in follows:
            continue
        there.add((link.src, link.relation, link.dst))
        new.append(link)
    return new
