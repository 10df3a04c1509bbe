"""A memory is given to others, or taken back. Pure: the old memory in, the new one out."""

from __future__ import annotations

from tacit.errors import Denied
from tacit.model import Visibility
from tacit.write.clean import hashed_again, redacted_record, secrets_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Memory


def shared(memory: Memory, redacted: bool) -> Memory:
    """Give a memory that others may read; what looks like a secret is refused, or taken out."""
    if memory.visibility is not Visibility.PRIVATE:
        return memory
    if found := secrets_in(memory):
        if not redacted:
            shown = ", ".join(f"{name} {count}" for name, count in sorted(found.items()))
            raise Denied(
                f"{memory.short} holds what looks like a secret ({shown}); look at it with "
                f"tacit show {memory.short}, and share it without with --yes"
            )
        memory = redacted_record(memory)
    return memory.replace(visibility=Visibility.SHARED)


def private_again(memory: Memory, by: str) -> Memory:
    """Give a memory that is its author's alone again; nobody may do that to another's."""
    if memory.author and memory.author != by:
        raise Denied(
            f"{memory.short} was said by {memory.author}; only they can take it back "
            f"(to no longer serve it: tacit forget {memory.short})"
        )
    return hashed_again(memory.replace(visibility=Visibility.PRIVATE, author=memory.author or by))
