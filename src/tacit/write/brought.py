"""What a member may bring into a team's store: as much as their role may say there.

The database lets everybody who writes put rows. That nobody speaks in another's name, changes
another's word or settles a contradiction without the role for it is held here for merges, as the
facade holds it for single acts.
"""

from __future__ import annotations

from tacit.model import Contradiction, Link, Memory, Revision
from tacit.roles import allows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.store.protocol import Store
    from tacit.value import Value


def may_bind(store: Store) -> bool:
    """Tell whether who asks may say in this store how binding something is."""
    asker = store.asker()
    return asker.alone or allows(asker.role, "set", own=False)


def brought(store: Store, records: Iterable[Value]) -> list[Value]:
    """Give the records that who asks may bring; what nobody signed is theirs."""
    asker = store.asker()
    if asker.alone:
        return list(records)
    values = [signed(value, asker.member) for value in records]
    if allows(asker.role, "edit", own=False):
        return values
    memories = [value for value in values if isinstance(value, Memory)]
    there = {memory.id: memory for memory in store.get([memory.id for memory in memories])}
    foreign = {m.id for m in memories if there.get(m.id, m).author != asker.member}
    missing = foreign - there.keys()
    return [value for value in values if not _anothers(value, foreign, missing)]


def signed(value: Value, member: str, *, always: bool = False) -> Value:
    """Put a member's name under what nobody signed; or under all of it."""
    memory = value.memory if isinstance(value, Revision) else value
    if not isinstance(memory, Memory) or (memory.author and not always):
        return value
    memory = memory.replace(author=member)
    return value.replace(memory=memory) if isinstance(value, Revision) else memory


def _anothers(value: Value, foreign: set[str], missing: set[str]) -> bool:
    """Tell whether a record is another's word, or hangs on one that is left out."""
    match value:
        case Memory():
            return value.id in foreign
        case Revision():
            return value.memory.id in foreign
        case Link():
            return bool({value.src, value.dst} & missing)
        case Contradiction():
            return value.resolution is not None or bool({value.a, value.b} & missing)
    return False
