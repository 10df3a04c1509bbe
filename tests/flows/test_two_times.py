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


@settings(max_examples=50)
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


@settings(max_examples=25)
@given(st.lists(saying, min_size=1, max_size=7))
def test_two_values_overlap_only_where_their_clash_is_on_record(history):
    clock = FrozenClock(day(SYSTEM))
    with tempfile.TemporaryDirectory() as folder, opened(folder, clock) as tacit:
        for start, value, trust in history:
            tell(tacit, start, value, trust)
            clock.advance(days=1)
        recorded = {frozenset((clash.a, clash.b)) for clash in tacit.store.contradictions()}
        for world in range(WORLD + 2):
            holding = tacit.list(as_of=day(world), keys=[KEY])
            assert len({memory.body.value for memory in holding}) == len(holding)
            for one in holding:
                for other in holding:
                    assert one is other or frozenset((one.id, other.id)) in recorded


@settings(max_examples=25)
@given(st.lists(saying, min_size=1, max_size=6))
def test_saying_all_of_it_a_second_time_leaves_what_holds_as_it_is(history):
    clock = FrozenClock(day(SYSTEM))
    with tempfile.TemporaryDirectory() as folder, opened(folder, clock) as tacit:
        for _ in range(2):
            for start, value, trust in history:
                tell(tacit, start, value, trust)
                clock.advance(days=1)
        for world in range(WORLD + 2):
            found = {memory.body.value for memory in tacit.list(as_of=day(world), keys=[KEY])}
            assert found == modelled(history, world)


@settings(max_examples=25)
@given(st.lists(saying, min_size=1, max_size=7))
def test_all_at_once_is_as_one_by_one(history):
    clock = FrozenClock(day(SYSTEM))
    with tempfile.TemporaryDirectory() as folder, opened(folder, clock) as tacit:
        tacit.remember_many(
            {
                "text": f"Tokens are signed with {value}",
                "key": KEY,
                "value": value,
                "valid_from": day(start),
                "trust": trust,
            }
            for start, value, trust in history
        )
        for world in range(WORLD + 2):
            found = {memory.body.value for memory in tacit.list(as_of=day(world), keys=[KEY])}
            assert found == modelled(history, world)
