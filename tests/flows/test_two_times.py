"""World time and system time at once: every moment of both has the answer a plain model gives."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FrozenClock, WordCounter
from tacit.model import Scope, Trust
from tacit.store.connect import connect
from tacit.system import Tacit

START = datetime(2026, 1, 1, tzinfo=UTC)
KEY = "auth.alg"
WORLD, SYSTEM = 8, 30  # days: what is said is about the first, and said after them


def day(number: int) -> datetime:
    return START + timedelta(days=number)


# One saying: from which day of the world, which value, whose word. They come in any order.
saying = st.tuples(
    st.integers(0, WORLD), st.sampled_from(["a", "b", "c"]), st.sampled_from(["human", "agent"])
)


def modelled(said, as_of: int) -> set[str]:
    """Give the values that hold: each until a later start whose word weighs as much."""
    holding = set()
    for start, value, trust in said:
        ends = [
            other
            for other, _, whose in said
            if other > start and Trust(whose).authority >= Trust(trust).authority
        ]
        if start <= as_of and all(as_of < end for end in ends):
            holding.add(value)
    return holding


def opened(folder: str, clock: FrozenClock) -> Tacit:
    path = str(Path(folder) / "two_times.db")
    scope = Scope(path="project:shop")
    return Tacit(connect(path), scope=scope, clock=clock, embedder=None, counter=WordCounter())


def tell(tacit: Tacit, start: int, value: str, trust: str) -> None:
    tacit.remember(
        f"Tokens are signed with {value}",
        key=KEY,
        value=value,
        valid_from=day(start),
        trust=trust,
        author=f"{trust} of day {start}",
    )


@settings(max_examples=120)
@given(st.lists(saying, min_size=1, max_size=7))
def test_every_pair_of_moments_has_the_value_that_held_and_was_known(history):
    clock = FrozenClock()
    with tempfile.TemporaryDirectory() as folder, opened(folder, clock) as tacit:
        for number, (start, value, trust) in enumerate(history):
            clock.set(day(SYSTEM + number))
            tell(tacit, start, value, trust)
        for known in range(len(history)):
            for world in range(WORLD + 2):
                found = tacit.list(as_of=day(world), known_at=day(SYSTEM + known), keys=[KEY])
                values = {memory.body.value for memory in found}

                assert values == modelled(history[: known + 1], world), (known, world)
