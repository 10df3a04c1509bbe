"""What must hold throughout a store, checked record by record. Nothing is changed.

The checks read by way of the store's protocol alone, so they are the same for every engine.
Each finding names what is wrong and what to do about it.
"""

from __future__ import annotations

from tacit.errors import TacitError
from tacit.model import Kind, Revision, State
from tacit.store.index_text import search_text
from tacit.store.protocol import EVERYTHING, SERVED
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tacit.model import Contradiction, Link, Memory
    from tacit.store.protocol import Store
    from tacit.system import Tacit

    Check = tuple[str, bool, str]

NAMED = 3  # findings told one by one; of more the number is enough
SAMPLED = 500  # memories looked up by their own words
REINDEX = "export, and import into a new store"


class Held(Value):
    """All records of a store that are held against each other."""

    store: Store
    memories: dict[str, Memory]
    histories: dict[str, list[Revision]]
    links: tuple[Link, ...]
    contradictions: tuple[Contradiction, ...]


def examine_deeply(tacit: Tacit) -> list[Check]:
    """Check every store that is open; a check that cannot be made is a finding too."""
    report: list[Check] = []
    for store in tacit._stores():
        where = "" if store is tacit.store else "your own store: "
        held = _held(store)
        for name, check in CHECKS:
            try:
                found = list(check(held))
            except TacitError as error:
                found = [str(error)]
            report.append((f"{where}{name}", not found, _told(held, name, found)))
    return report


def _told(held: Held, name: str, found: list[str]) -> str:
    if not found:
        return f"{_counts(held, name):,} looked at, nothing wrong"
    more = f"; and {len(found) - NAMED:,} more" if len(found) > NAMED else ""
    return "; ".join(found[:NAMED]) + more


def _counts(held: Held, name: str) -> int:
    several = {
        "histories": sum(map(len, held.histories.values())),
        "links": len(held.links),
        "contradictions": len(held.contradictions),
    }
    return several.get(name, len(held.memories))


def _held(store: Store) -> Held:
    histories: dict[str, list[Revision]] = {}
    for revision in store.revisions(None):
        histories.setdefault(revision.memory.id, []).append(revision)
    return Held(
        store=store,
        memories={memory.id: memory for memory in store.scan(EVERYTHING)},
        histories=histories,
        links=tuple(store.links(None)),
        contradictions=tuple(store.contradictions()),
    )


def _hashes(held: Held) -> Iterator[str]:
    from tacit.write.clean import hashed_again

    for memory in held.memories.values():
        if hashed_again(memory).hash != memory.hash:
            yield (
                f"{memory.short}: its hash is not that of its text; write the text again with: "
                f"tacit edit {memory.short}"
            )


def _shorts(held: Held) -> Iterator[str]:
    seen: dict[str, str] = {}
    for memory in held.memories.values():
        if other := seen.get(memory.short):
            yield (
                f"{memory.id} and {other} have the same short name {memory.short}; export and "
                "import into a new store"
            )
        seen[memory.short] = memory.id


def _lines(held: Held) -> Iterator[str]:
    """Of one key, scope and audience only one value holds at a time, but for a recorded clash."""
    from tacit.write.identity import audience
    from tacit.write.settle import value_of

    known = {frozenset((record.a, record.b)) for record in held.contradictions}
    lines: dict[tuple[str, str, str], list[Memory]] = {}
    for memory in held.memories.values():
        if memory.key and memory.kind is Kind.FACT and memory.state in SERVED:
            name = memory.key, memory.scope.path, audience(memory)
            lines.setdefault(name, []).append(memory)
    for line in lines.values():
        line.sort(key=lambda memory: (memory.validity.valid_from, memory.id))
        for place, one in enumerate(line):
            for other in line[place + 1 :]:
                if not one.validity.holds(other.validity.valid_from):
                    continue
                clash = value_of(one) != value_of(other)
                if clash and frozenset((one.id, other.id)) not in known:
                    yield (
                        f"{one.short} and {other.short} both say what {one.key} is at the same "
                        "time; run: tacit consolidate"
                    )


def _histories(held: Held) -> Iterator[str]:
    for id_, history in held.histories.items():
        memory = held.memories.get(id_)
        if memory is None:
            yield f"there is a history of {id_} but no such memory; run: tacit erase {id_} --yes"
            continue
        numbers = {revision.memory.rev for revision in history}
        whole = range(min(numbers), max(numbers) + 1)
        if missing := sorted(set(whole) - numbers):
            yield (
                f"{memory.short}: revision {missing[0]} is missing from its history; restore a "
                "backup with: tacit backup load"
            )
        if memory.rev > max(numbers):
            yield (
                f"{memory.short} is at revision {memory.rev}, its history ends at {max(numbers)}; "
                "merge with a backup: tacit merge BACKUP"
            )
    for memory in held.memories.values():
        if memory.rev > 1 and memory.id not in held.histories:
            yield (
                f"{memory.short} is at revision {memory.rev} and has no history; merge with a "
                "backup: tacit merge BACKUP"
            )


def _links(held: Held) -> Iterator[str]:
    for link in held.links:
        for end in (link.src, link.dst):
            if end not in held.memories:
                yield f"a link {link.relation} leads to {end}, which is not there; restore a backup"


def _contradictions(held: Held) -> Iterator[str]:
    for record in held.contradictions:
        for side in (record.a, record.b):
            if side not in held.memories:
                yield (
                    f"contradiction {record.id[:12]} names {side}, which is not there; "
                    f"settle it with: tacit resolve {record.id[:12]} both"
                )


def _mentions(held: Held) -> Iterator[str]:
    """What a memory mentions is what its history says, and can be found from the other side."""
    facets = {m.facet for memory in held.memories.values() for m in memory.mentions}
    counted = held.store.facet_counts(list(facets))
    for memory in held.memories.values():
        last = [r.memory for r in held.histories.get(memory.id, ()) if r.memory.rev == memory.rev]
        if last and all(then.mentions != memory.mentions for then in last):
            yield f"{memory.short} mentions other things than its history says; {REINDEX}"
        elif any(not counted[mention.facet] for mention in memory.mentions):
            yield f"{memory.short} is not found by what it mentions; {REINDEX}"


def _index(held: Held) -> Iterator[str]:
    """What is searched is what the memories say: all by their cards, some by a search."""
    cards = held.store.cards(list(held.memories), EVERYTHING)
    for memory in held.memories.values():
        card = cards.get(memory.id)
        if card is None or card.words != search_text(memory):
            yield f"{memory.short} is indexed by other words than it has; {REINDEX}"
    step = max(1, len(held.memories) // SAMPLED)
    for memory in list(held.memories.values())[::step]:
        words = list(dict.fromkeys(search_text(memory).split()))[:1]
        where = EVERYTHING.replace(ids=(memory.id,))
        if words and not held.store.match_text(words, where, limit=1):
            yield f"{memory.short} is not found by its own words; {REINDEX}"


def _vectors(held: Held) -> Iterator[str]:
    """A vector is of the text as it is now; those of an older text are made again."""
    for model in held.store.stats().vectors:
        waiting = held.store.count_unembedded(model)
        if waiting:
            yield (
                f"{waiting:,} memories have no vector of {model} for their present text; run: "
                "tacit reembed --pending"
            )


def _times(held: Held) -> Iterator[str]:
    for memory in held.memories.values():
        if memory.state is State.ACTIVE and memory.retired_at and not memory.validity.valid_to:
            yield (
                f"{memory.short} is retired but has no end; give it one with: tacit edit "
                f"{memory.short} --set valid_to=…"
            )


CHECKS: Iterable[tuple[str, Callable[[Held], Iterator[str]]]] = (
    ("hashes", _hashes),
    ("short names", _shorts),
    ("facts of one key", _lines),
    ("histories", _histories),
    ("links", _links),
    ("contradictions", _contradictions),
    ("mentions", _mentions),
    ("index of words", _index),
    ("vectors and texts", _vectors),
    ("times", _times),
)
