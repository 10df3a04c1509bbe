"""Values for tests: every field has a default, so a test names only what it is about.

Ids and shorts follow from a counter that `conftest.py` sets back before each test: the first
memory a test makes is always the same one, and later ones sort behind it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import count

from tacit.body import Block, Body, Episode, Fact, Pattern, Resource, Skill, Step
from tacit.model import (
    Anchor,
    Contradiction,
    Facet,
    FacetType,
    Levels,
    Link,
    Memory,
    Mention,
    Relation,
    Revision,
    Role,
    Scope,
    Usage,
    UsageEvent,
    Validity,
)
from tacit.store.protocol import Observed, Vector

START = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)
SHOP = Scope(path="project:shop")
ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"

_numbers = count(1)


def reset_ids() -> None:
    """Begin again with the first id."""
    global _numbers
    _numbers = count(1)


def an_id(number: int | None = None) -> str:
    """Give an id in the form of a UUIDv7; later ones sort behind earlier ones."""
    number = next(_numbers) if number is None else number
    return f"019b0000-0000-7000-8000-{number:012x}"


def short_for(id_: str) -> str:
    """Give eight letters that follow from the id."""
    number = int.from_bytes(blake2b(id_.encode(), digest_size=8).digest(), "big")
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(8))


def levels_of(text: str) -> Levels:
    """Give levels cut from the text, with the number of words for tokens."""
    summary, hint, title = text[:400], text[:100], text[:50]
    tokens = (len(text.split()), len(summary.split()), len(hint.split()), len(title.split()))
    return Levels(full=text, summary=summary, hint=hint, title=title, tokens=tokens)


def hash_of(text: str) -> str:
    """Give a content hash: the same text has the same."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def a_memory(
    body: Body,
    text: str,
    *,
    id: str | None = None,  # noqa: A002 - the name of the field
    scope: Scope | str = SHOP,
    valid_from: datetime = START,
    valid_to: datetime | None = None,
    recorded_at: datetime | None = None,
    mentions: tuple[Mention, ...] = (),
    **fields: object,
) -> Memory:
    """Make a memory of any kind; `recorded_at` is `valid_from`, mentions may come in any order."""
    id_ = id or an_id()
    defaults: dict[str, object] = {
        "short": short_for(id_),
        "levels": levels_of(text),
        "hash": hash_of(text),
    }
    return Memory(
        id=id_,
        body=body,
        scope=scope if isinstance(scope, Scope) else Scope(path=scope),
        validity=Validity(valid_from=valid_from, valid_to=valid_to),
        recorded_at=recorded_at or valid_from,
        mentions=tuple(sorted(mentions, key=lambda m: (m.facet.type, m.facet.norm, m.role))),
        **defaults | fields,
    )


def a_fact(
    text: str = "The shop keeps its sessions in Redis.",
    *,
    key: str = "",
    value: str = "",
    **fields: object,
) -> Memory:
    """Make a fact; with a key it has one value at a time."""
    return a_memory(Fact(key=key, value=value), text, **fields)


def an_episode(
    text: str = "Moved the checkout to the new payment service.",
    *,
    outcome: str = "success",
    **fields: object,
) -> Memory:
    """Make an episode."""
    return a_memory(Episode(goal=text[:200], outcome=outcome), text, **fields)


def a_pattern(
    text: str = "Retry a timed out request with growing pauses.", **fields: object
) -> Memory:
    """Make a pattern."""
    return a_memory(Pattern(trigger="a request times out", do=text), text, **fields)


def a_skill(text: str = "Release a new version of the shop.", **fields: object) -> Memory:
    """Make a skill."""
    steps = (Step(name="run the tests", command="make check"), Step(name="tag the commit"))
    return a_memory(Skill(trigger="a release is due", steps=steps), text, **fields)


def a_resource(
    text: str = "Payments are described in the handbook.",
    *,
    uri: str = "https://shop.example/handbook",
    **fields: object,
) -> Memory:
    """Make a resource."""
    return a_memory(Resource(uri=uri, mime="text/html"), text, **fields)


def a_block(
    text: str = "Next: wire the refund button.", *, label: str = "continuity", **fields: object
) -> Memory:
    """Make a block."""
    return a_memory(Block(label=label), text, **fields)


def reworded(memory: Memory, text: str) -> Memory:
    """Give the memory with another text and what follows from it."""
    return memory.replace(levels=levels_of(text), hash=hash_of(text))


def a_facet(
    name: str = "redis",
    type: FacetType = FacetType.ENTITY,  # noqa: A002 - the name of the field
) -> Facet:
    """Make a facet, an entity unless told."""
    return Facet(type=type, name=name)


def a_mention(
    name: str = "redis",
    type: FacetType = FacetType.ENTITY,  # noqa: A002 - the name of the field
    *,
    role: Role = Role.ABOUT,
    count: int = 1,
) -> Mention:
    """Make a mention of an entity, or of another type of facet."""
    return Mention(facet=a_facet(name, type), role=role, count=count)


def an_anchor(path: str = "src/cart.py", held: str = "def total(): ...") -> Anchor:
    """Make an anchor to a file that held a text."""
    return Anchor(path=path, sha=hash_of(held))


def a_link(
    src: Memory, dst: Memory, relation: Relation = Relation.RELATED_TO, **fields: object
) -> Link:
    """Link two memories."""
    return Link(src=src.id, dst=dst.id, relation=relation, **{"valid_from": START} | fields)


def a_vector(memory: Memory, data: bytes, **fields: object) -> Vector:
    """Make the vector of a memory's present text."""
    return Vector(memory_id=memory.id, data=data, **{"text_hash": memory.hash} | fields)


def a_revision(memory: Memory, **fields: object) -> Revision:
    """Make the history entry of a memory as it is now."""
    return Revision(memory=memory, **{"at": START, "by": "ana", "op": "edit"} | fields)


def a_usage(memory: Memory | str, event: UsageEvent = UsageEvent.CITED, **fields: object) -> Usage:
    """Make a usage event of a memory in the query `q1`."""
    id_ = memory if isinstance(memory, str) else memory.id
    return Usage(memory_id=id_, event=event, **{"query_id": "q1", "at": START} | fields)


def a_contradiction(one: Memory, other: Memory, **fields: object) -> Contradiction:
    """Make the record that two memories cannot both hold."""
    a, b = sorted((one, other), key=lambda memory: memory.id)
    defaults: dict[str, object] = {
        "id": an_id(),
        "detector": "key",
        "score": 0.9,
        "hashes": (a.hash, b.hash),
        "detected_at": START,
    }
    return Contradiction(a=a.id, b=b.id, **defaults | fields)


def an_observed(source: str = "chat:s1#1", *, session: str = "", **fields: object) -> Observed:
    """Make something seen in a session, by default the one that its source is a part of."""
    defaults: dict[str, object] = {"at": START, "json": f'{{"seen": "{source}"}}'}
    return Observed(
        source=source, session=session or source.rpartition("#")[0], **defaults | fields
    )
