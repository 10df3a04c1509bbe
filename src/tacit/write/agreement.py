"""Do two stores agree on what one gave the other? Counted and hashed, record by record.

A record counts as arrived when the other store has the same, or has gone on from it: the
record is then in its history. How a memory is named for short, and what its lines cost with
that name, belongs to each store and is not compared; nor is how firmly it stands, where one store
may not say that to the other.
"""

from __future__ import annotations

import json
from hashlib import blake2b

from tacit.codec import to_json
from tacit.errors import Conflict
from tacit.model import Contradiction, Link, Memory, Revision, Usage, Visibility
from tacit.value import Value
from tacit.write.standing import unbound_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from tacit.store.protocol import Store

MOST_NAMED = 3
NAMES = {
    Memory: "memory",
    Revision: "revision",
    Link: "link",
    Usage: "usage",
    Contradiction: "contradiction",
}


class Agreed(Value):
    """One type of record: how many were given, how many went on there, and the hash of the rest."""

    type: str
    count: int
    later: int
    hash: str


def plain(value: Value) -> Any:
    """Give a record as JSON, without what each store may name in its own way."""
    data: Any = to_json(value)
    memory = data.get("memory") if isinstance(value, Revision) else data
    if isinstance(value, (Memory, Revision)):
        del memory["short"]
        del memory["levels"]["tokens"]
    return data


def agree(given: Iterable[Value], other: Store, *, standing: bool = True) -> tuple[Agreed, ...]:
    """Compare what was given with what another store has; `Conflict` when something is not there."""
    as_compared = _as_it_is if standing else unbound_record
    sorted_out: dict[str, list[Value]] = {name: [] for name in NAMES.values()}
    for value in map(as_compared, given):
        if type(value) in NAMES:
            sorted_out[NAMES[type(value)]].append(value)
    ids = [value.id for value in sorted_out["memory"] if isinstance(value, Memory)]
    there = _There(other, ids, as_compared)
    return tuple(_compared(name, values, there) for name, values in sorted_out.items() if values)


class _There:
    """What the other store has, by what each record is known by."""

    def __init__(
        self, store: Store, ids: Sequence[str], as_compared: Callable[[Value], Value]
    ) -> None:
        memories = {memory.id: memory for memory in store.get(ids)}
        revisions = store.revisions(list(memories))
        self._private = {
            id_ for id_, memory in memories.items() if memory.visibility is Visibility.PRIVATE
        }
        self._stood = {(each.memory.id, _line(as_compared(each.memory))) for each in revisions}
        self._found: dict[str, dict[Any, Value]] = {
            "memory": {_name(value): as_compared(value) for value in memories.values()},
            "revision": {_name(value): as_compared(value) for value in revisions},
            "link": {_name(value): value for value in store.links(None)},
            "usage": {_name(value): value for value in store.usage()},
            "contradiction": {_name(value): value for value in store.contradictions()},
        }

    def has(self, name: str, value: Value) -> tuple[bool, bool]:
        """Tell whether a record is there, and whether the other store has gone on from it."""
        if _owner(value) in self._private:
            return True, True  # its owner took it back, and there it is out of reach
        found = self._found[name].get(_name(value))
        if found is None:
            return False, False
        same = _line(found) == _line(value)
        if same or not isinstance(value, Memory):
            return True, not same
        return (value.id, _line(value)) in self._stood, True


def _compared(name: str, values: Sequence[Value], there: _There) -> Agreed:
    ours, missing, later = [], [], 0
    for value in values:
        arrived, went_on = there.has(name, value)
        if not arrived:
            missing.append(_shown(value))
        elif went_on:
            later += 1
        else:
            ours.append(_line(value))
    if missing:
        shown = ", ".join(missing[:MOST_NAMED]) + (", …" if len(missing) > MOST_NAMED else "")
        raise Conflict(
            f"the stores do not agree: of {len(values):,} records of type {name} "
            f"{len(missing):,} did not arrive ({shown}); merge again, and run tacit doctor --deep "
            "on both if it stays so"
        )
    digest = blake2b("\n".join(sorted(ours)).encode(), digest_size=8).hexdigest()
    return Agreed(type=name, count=len(values), later=later, hash=digest)


def _as_it_is(value: Value) -> Value:
    return value


def _line(value: Value) -> str:
    return json.dumps(plain(value), sort_keys=True, ensure_ascii=False)


def _name(value: Value) -> tuple[object, ...]:
    """Give what a record is known by, whatever it says."""
    match value:
        case Memory():
            return (value.id,)
        case Revision():
            return (value.memory.id, value.memory.rev, value.at, value.by, value.op)
        case Link():
            return (value.src, value.relation, value.dst)
        case Usage():
            return (value.memory_id, value.event, value.query_id)
        case Contradiction():
            return (value.a, value.b, value.hashes)
    raise TypeError(f"no name for {type(value).__name__}")


def _owner(value: Value) -> str:
    return value.memory.id if isinstance(value, Revision) else getattr(value, "id", "")


_shown: Callable[[Value], str] = lambda value: " ".join(map(str, _name(value)[:2]))  # noqa: E731
