"""What proved helpful in one project and may help in others: proposals for the wider scope.

A pattern is proposed when it surely helped more often than not and did so in at least two
sessions. What is private, holds what looks like a secret, or is anchored to files of its project
stays where it is; the reason is told. A copy says by its source what it was made from.
"""

from __future__ import annotations

from tacit.draft import Draft
from tacit.interval import at_least
from tacit.model import Kind, Origin, State, Tier, Trust, UsageEvent
from tacit.store.protocol import EVERYTHING, Filter
from tacit.value import Value
from tacit.write.clean import secrets_in
from tacit.write.crossing import is_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.model import Memory, Scope
    from tacit.store.protocol import Store

LIFTED = (Kind.PATTERN, Kind.SKILL)  # what works elsewhere too; facts are of their project
HELPED_SHARE = 0.5  # more often than not, for sure
LEAST_SESSIONS = 2
MOST = 1_000  # proposals looked for


class Proposal(Value):
    """A memory that may help elsewhere: how often it helped, and what keeps it, if anything."""

    memory: Memory
    helped: int
    hurt: int
    sessions: int
    kept_back: str = ""  # why it stays; empty: it may be lifted

    @property
    def why(self) -> str:
        """Say what it did to be proposed."""
        tried = self.helped + self.hurt
        return f"helped {self.helped} of {tried} times, in {self.sessions} sessions"


def proposals(
    store: Store, wider: Store | None, scopes: tuple[Scope, ...], now: datetime
) -> list[Proposal]:
    """Give what may be lifted, the most helpful first, and what would be but for a rule.

    What was lifted before is not proposed again, whatever became of the copy.
    """
    helped, hurt, sessions = _use(store)
    proved = [
        id_
        for id_, times in helped.items()
        if at_least(times, times + hurt.get(id_, 0)) >= HELPED_SHARE
        and len(sessions[id_]) >= LEAST_SESSIONS
    ][:MOST]
    if not proved:
        return []
    where = Filter(kinds=LIFTED, ids=tuple(proved), at=now, current=True, scopes=scopes)
    there = set()
    if wider is not None:
        refs = tuple(source_of(id_) for id_ in proved)
        copies = wider.scan(EVERYTHING.replace(sources=refs))
        there = {copy.source_ref for copy in copies}
    found = [
        Proposal(
            memory=memory,
            helped=helped[memory.id],
            hurt=hurt.get(memory.id, 0),
            sessions=len(sessions[memory.id]),
            kept_back=_kept_back(memory),
        )
        for memory in store.scan(where)
        if memory.scope.type != "user" and source_of(memory.id) not in there
    ]
    return sorted(found, key=lambda one: (bool(one.kept_back), -one.helped, one.memory.id))


def copied(memory: Memory, scope: Scope, *, accepted: bool) -> Draft:
    """Give the copy for a wider scope: no more binding than any, served once a person said so."""
    said = accepted or bool(memory.confirmed_by) or memory.trust is Trust.HUMAN
    return Draft(
        text=memory.text,
        kind=memory.kind,
        body=memory.body,
        title=memory.levels.title,
        subtype=memory.subtype,
        polarity=memory.polarity,
        tier=Tier.REFERENCE,
        state=State.ACTIVE if said else State.CANDIDATE,
        confidence=memory.confidence,
        importance=memory.importance,
        temporal=memory.temporal,
        scope=scope,
        author=memory.author,
        origin=Origin.CONSOLIDATED,
        trust=memory.trust,
        source_ref=source_of(memory.id),
        learn_tokens=memory.learn_tokens,
    )


def source_of(id_: str) -> str:
    """Name the source of a copy: the memory it was made from."""
    return f"memory:{id_}"


def _kept_back(memory: Memory) -> str:
    if is_private(memory):
        return "it is private"
    if secrets_in(memory):
        return "it holds what looks like a secret"
    if memory.anchors:
        return "it speaks of files of this project"
    return ""


def _use(store: Store) -> tuple[dict[str, int], dict[str, int], dict[str, set[str]]]:
    """Give how often each memory helped and hurt, and in which sessions it helped."""
    session = {query.id: query.session or query.id for query in store.queries()}
    helped: dict[str, int] = {}
    hurt: dict[str, int] = {}
    sessions: dict[str, set[str]] = {}
    for one in store.usage():
        if one.event is UsageEvent.HELPED:
            helped[one.memory_id] = helped.get(one.memory_id, 0) + 1
            place = session.get(one.query_id, one.query_id)
            sessions.setdefault(one.memory_id, set()).add(place)
        elif one.event is UsageEvent.HURT:
            hurt[one.memory_id] = hurt.get(one.memory_id, 0) + 1
    return helped, hurt, sessions
