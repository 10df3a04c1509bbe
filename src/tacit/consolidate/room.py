"""What a pass works with, and what it says it did."""

from __future__ import annotations

from tacit.clock import Clock, micros
from tacit.config import RULE_KEYS, allowed_rule
from tacit.errors import Invalid
from tacit.model import Link, Origin, Relation
from tacit.profile import DEFAULT
from tacit.retrieve.past import CARE
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from typing import Any

    from tacit.draft import Draft
    from tacit.encode.ports import Embedder, Judge, TokenCounter
    from tacit.model import Memory, Scope
    from tacit.profile import Profile
    from tacit.store.protocol import Store
    from tacit.write.remember import Written

    # One batch of a pass: from a mark (empty: the beginning) to what was done and the next.
    Pass = Callable[["Room", str], "Done"]

BATCH = 50  # memories a batch looks at: others wait for the lock no longer than it writes
OFTEN = 60  # memories that say the same; one more of them tells nothing new
BY = CARE  # who changes memories here, in their histories


class Done(Value):
    """What one batch did, by name, and where the next one begins; `more` says whether to go on.

    A mark outlives the cycle: the next one begins where this one ended. A pass that looks at
    everything each time gives an empty mark with its last batch.
    """

    mark: str
    more: bool
    counts: dict[str, int]


class Rules(Value):
    """The numbers staying true depends on, in days unless told; set in the table `[rules]`."""

    archive_episode_after: float = 30.0  # unless something refers to it
    archive_behind: int = 20  # later episodes of each file it changed, before one is archived
    forget_behind: int = 50
    archive_after: float = 90.0  # others, when offered and hardly used
    archive_cited_below: int = 5
    grace: float = 30.0  # how long what is archived waits before it is forgotten
    exempt_importance: float = 0.9
    pattern_confidence: float = 0.8  # below, a pattern is a candidate
    most_memories: int | None = None  # more are archived, the least worth keeping first
    promote_to_mandate: bool = False  # without asking a person

    def __post_init__(self) -> None:
        for name, (_, least, most) in RULE_KEYS.items():
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise Invalid(f"the rule {name} must be {allowed_rule(name)}")


class Room(Value):
    """All that a pass may use. `now` is the moment the cycle began, also when it is resumed."""

    store: Store
    now: datetime
    scope: Scope
    counter: TokenCounter
    rules: Rules
    profile: Profile = DEFAULT
    embedder: Embedder | None = None
    judge: Judge | None = None
    scopes: tuple[Scope, ...] = ()  # only these; empty: the whole store
    root: str = ""  # of the project; empty where there is none
    # What a pass learned that stays true to the cycle's end and costs time to learn again; a
    # cycle that is resumed begins without it and ends the same.
    kept: dict[str, Any] | None = None

    def write(self, drafts: Sequence[Draft], seed: str) -> Written:
        """Keep drafts at the cycle's moment; ids follow from the seed, so a repeat gives the same."""
        from tacit.write.remember import Writer

        writer = Writer(
            self.store,
            clock=Moment(self.now, seed),
            scope=self.scope,
            counter=self.counter,
            embedder=self.embedder,
            compression=self.profile.compression,
        )
        return writer.write(drafts)

    def link_sources(self, made: Memory, sources: Sequence[Memory]) -> int:
        """Link a memory to those it was made from; give how many of the links are new."""
        links = self.store.links([source.id for source in sources], (Relation.DERIVED_FROM,))
        there = {link.dst for link in links if link.src == made.id}
        new = [
            Link(
                src=made.id,
                dst=source.id,
                relation=Relation.DERIVED_FROM,
                origin=Origin.CONSOLIDATED,
                valid_from=self.now,
            )
            for source in sources
            if source.id not in there
        ]
        self.store.link(new)
        if self.kept is not None and (made.id in (counts := self.kept.setdefault("sources", {}))):
            counts[made.id] += len(new)
        return len(new)

    def count_sources(self, made: Memory) -> int:
        """Count the memories that one was made from; counted once in a cycle, then kept up."""
        counts: dict[str, int] = {} if self.kept is None else self.kept.setdefault("sources", {})
        if made.id not in counts:
            links = self.store.links([made.id], (Relation.DERIVED_FROM,))
            counts[made.id] = sum(link.src == made.id for link in links)
        return counts[made.id]

    def seen(self, memory: Memory) -> bool:
        """Tell whether a memory is among those this cycle is about."""
        return not self.scopes or memory.scope in self.scopes


class Moment(Clock):
    """A clock that stands still; its ids follow from a seed and count on."""

    def __init__(self, now: datetime, seed: str) -> None:
        super().__init__()
        self._now, self._seed, self._count = now, seed, 0

    def now(self) -> datetime:
        """Give the moment it stands at."""
        return self._now

    def new_id(self) -> str:
        """Give the next id: the moment's milliseconds, then a hash of seed and count."""
        from hashlib import blake2b

        self._count += 1
        told = f"{self._seed}\0{self._count}".encode()
        chance = int.from_bytes(blake2b(told, digest_size=10).digest(), "big")
        stamp = micros(self._now) // 1000
        low = chance & ((1 << 62) - 1)
        bits = stamp << 80 | 0x7 << 76 | (chance >> 62 & 0xFFF) << 64 | 0b10 << 62 | low
        digits = f"{bits:032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
