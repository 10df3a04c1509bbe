"""The pass `warn`: each error that was met becomes a pattern to avoid, whatever came of the work.

Errors are the same when their signature is (`encode.failures`), wherever they were met. What
observing has made of an error is not made again: it takes the new evidence. What teaches no fix
waits as a candidate, however often it was met.
"""

from __future__ import annotations

from collections import Counter

from tacit.body import Episode, Failure, Pattern
from tacit.consolidate.clusters import confidence, count_happenings
from tacit.consolidate.evidence import weakest
from tacit.consolidate.room import BATCH, BY, OFTEN, Done
from tacit.draft import Draft
from tacit.encode.failures import read_problem, signature
from tacit.model import (
    Facet,
    FacetType,
    Kind,
    Mention,
    Origin,
    Polarity,
    Relation,
    Role,
    State,
    Tier,
    Trust,
)
from tacit.store.protocol import EVERY_STATE, EVERYTHING, Filter
from tacit.text import query_terms, shorten
from tacit.write.history import change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Memory

PREFIX = "consolidate:warn:"
CANDIDATES = 20
# How far an error is believed to teach something: with a fix that somebody stated, with one that
# was seen and that observing found not worth a memory (a slip, or it tells only where), and with
# none. The latter two wait for a person however often the error is met: three of three that met
# six episodes or more were slips everybody knows or told no fix.
STATED, SEEN, UNSOLVED = 1.0, 0.79, 0.6
TEACHES = (State.ACTIVE, State.ARCHIVED)


def warn(room: Room, mark: str) -> Done:
    """Take the errors of one batch of new and changed episodes."""
    changed = room.store.changed(int(mark or 0), limit=BATCH)
    counts: Counter[str] = Counter()
    for memory in room.store.get([id_ for _, id_ in changed]):
        if room.seen(memory) and memory.retired_at is None and memory.state in TEACHES:
            for sign in errors_of(memory):
                counts.update(_take(room, memory, sign))
    return Done(
        mark=str(changed[-1][0]) if changed else mark,
        more=len(changed) == BATCH,
        counts={name: count for name, count in counts.items() if count},
    )


def errors_of(memory: Memory) -> dict[str, Failure]:
    """Give the errors of an episode by signature; of equal ones that with the longer fix."""
    found: dict[str, Failure] = {}
    for failure in memory.body.errors if isinstance(memory.body, Episode) else ():
        sign = sign_of(failure)
        known = found.get(sign)
        if sign and (known is None or len(failure.resolution) > len(known.resolution)):
            found[sign] = failure
    return found


def sign_of(failure: Failure) -> str:
    """Give what stays the same when the error is met elsewhere; empty when nothing tells."""
    problem = read_problem(failure.message)
    found = problem.signature if problem else signature(failure.type, "")
    return found.rstrip(": ")


def _take(room: Room, memory: Memory, sign: str) -> Counter[str]:
    """Let an episode stand for the warning about one of its errors."""
    known = _known(room, memory, sign)
    if known is None:
        members = [memory]
        draft = _draft(room, members, sign)
        [written] = room.write([draft], seed=f"{draft.source_ref}:{memory.scope.path}").memories
        links = room.link_sources(written, members)
        return Counter(
            anti_patterns_created=written.source_ref == draft.source_ref, links_created=links
        )
    told = errors_of(memory)[sign].resolution and memory.origin is not Origin.EXTRACTED
    if room.count_sources(known) >= OFTEN and not told:
        return Counter(links_created=room.link_sources(known, [memory]))
    members = _sources(room, known, memory)
    if known.state is not State.FORGOTTEN and known.retired_at is None and not _held(known):
        if known.source_ref.startswith(PREFIX):
            room.write(
                [_draft(room, members, sign)], seed=f"{known.source_ref}:{memory.scope.path}"
            )
        _believe(room, known, members, sign)
    return Counter(links_created=room.link_sources(known, [memory]))


def _known(room: Room, memory: Memory, sign: str) -> Memory | None:
    """Give the warning about an error that is there, by whomever it was made."""
    own = EVERYTHING.replace(scopes=(memory.scope,), sources=(PREFIX + sign,))
    found = [m for m in room.store.scan(own) if m.kind is Kind.PATTERN]
    where = Filter(
        states=EVERY_STATE,
        kinds=(Kind.PATTERN,),
        polarities=(Polarity.AVOID,),
        scopes=(memory.scope,),
    )
    ids = [m.id for m in room.store.match_text(query_terms(sign), where, limit=CANDIDATES)]
    links = room.store.links([memory.id], (Relation.DERIVED_FROM,))
    ids += [link.src for link in links if link.dst == memory.id]
    found += [m for m in room.store.get(sorted(set(ids))) if _warns_of(m, sign)]
    return min(found, key=lambda m: (m.retired_at is not None, not _fix(m), m.id), default=None)


def _warns_of(memory: Memory, sign: str) -> bool:
    body = memory.body
    if not isinstance(body, Pattern) or memory.polarity is not Polarity.AVOID:
        return False
    return body.trigger.rstrip(": ") == sign


def _fix(memory: Memory) -> str:
    return memory.body.do if isinstance(memory.body, Pattern) else ""


def _sources(room: Room, known: Memory, memory: Memory) -> list[Memory]:
    """Give the episodes a warning was made of, and one more."""
    links = room.store.links([known.id], (Relation.DERIVED_FROM,))
    ids = {link.dst for link in links if link.src == known.id} | {memory.id}
    return [m for m in room.store.get(sorted(ids)) if m.kind is Kind.EPISODE]


def _draft(room: Room, members: Sequence[Memory], sign: str) -> Draft:
    """Say what fails, why, and what prevents it, in the words of the episode that knows most."""
    told = [(m, errors_of(m)[sign]) for m in members if sign in errors_of(m)]
    memory, failure = min(told, key=lambda each: _telling(*each))
    message = failure.message or failure.type
    named = message if failure.type.lower() in message.lower() else f"{failure.type}: {message}"
    fix = failure.resolution
    sure, state = _belief(room, members, sign)
    error = Facet(type=FacetType.ERROR, name=failure.type or sign)
    return Draft(
        text=f"{named}\nFix: {fix}" if fix else named,
        kind=Kind.PATTERN,
        subtype="error",
        polarity=Polarity.AVOID,
        title=shorten(message, 50),
        hint=f"{shorten(message, 70)} → {shorten(fix, 65)}" if fix else shorten(message, 140),
        body=Pattern(trigger=sign, avoid=failure.type or message, do=fix, why=failure.message),
        state=state,
        confidence=sure,
        valid_from=memory.validity.valid_from,
        scope=memory.scope,
        visibility=memory.visibility,
        author=memory.author,
        origin=Origin.CONSOLIDATED,
        trust=weakest(members),
        source_ref=PREFIX + sign,
        mentions=(Mention(facet=error, role=Role.FIXES if fix else Role.RAISES),),
        renews=True,
    )


def _telling(memory: Memory, failure: Failure) -> tuple[bool, bool, float, str]:
    """Order what is told of an error: first with a fix, stated before seen, then the latest."""
    seen = memory.origin is Origin.EXTRACTED
    return not failure.resolution, seen, -memory.validity.valid_from.timestamp(), memory.id


def _belief(room: Room, members: Sequence[Memory], sign: str) -> tuple[float, State]:
    """Give how sure a warning is, by its best fix and how often it was met, and whether it waits."""
    solved = [m for m in members if sign in errors_of(m) and errors_of(m)[sign].resolution]
    stated = any(memory.origin is not Origin.EXTRACTED for memory in solved)
    worth = STATED if stated else SEEN if solved else UNSOLVED
    sure = confidence(worth, count_happenings(members), 0)
    trusted = weakest(members) not in (Trust.TOOL, Trust.WEB)
    active = trusted and sure >= room.rules.pattern_confidence
    return sure, State.ACTIVE if active else State.CANDIDATE


def _held(memory: Memory) -> bool:
    return memory.pinned or bool(memory.confirmed_by) or memory.tier is Tier.MANDATE


def _believe(room: Room, known: Memory, members: Sequence[Memory], sign: str) -> None:
    """Raise how far a warning is believed with what speaks for it; what observing made never sinks."""
    own = known.source_ref.startswith(PREFIX)
    sure, state = _belief(room, members, sign)
    met = count_happenings(members)

    def alter(old: Memory) -> Memory:
        if not own:
            again = confidence(STATED, met, 0) if met > 1 else 0.0
            return old.replace(confidence=max(old.confidence, again))
        waits = old.state in (State.ACTIVE, State.CANDIDATE)
        return old.replace(confidence=sure, state=state if waits else old.state)

    note = f"met {met} time{'s' * (met != 1)}"
    change(room.store, [known.id], alter, op="warn", by=BY, at=room.now, note=note)
