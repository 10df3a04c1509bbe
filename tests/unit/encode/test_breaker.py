"""The breaker's states over time, and an embedder behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.encode.breaker import OPEN_SECONDS, Breaker, Guarded
from tacit.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence


class Patchy:
    """An embedder that fails while it is told to."""

    model = "patchy"
    dimension = 1

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.calls += 1
        if self.error:
            raise self.error
        return [b"\x00\x00\x80?" for _ in texts]


class Clock:
    """Seconds, moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def opened_at(now: float) -> Breaker:
    breaker = Breaker()
    for _ in range(3):
        breaker.failed(now)
    return breaker


def test_three_failures_in_a_minute_open_it() -> None:
    breaker = Breaker()
    breaker.failed(0)
    breaker.failed(30)
    assert breaker.state(30) == "closed"

    breaker.failed(59)
    assert breaker.state(59) == "open"


def test_three_failures_spread_wider_do_not() -> None:
    breaker = Breaker()
    for now in (0, 30, 60, 91):
        breaker.failed(now)

    assert breaker.state(91) == "closed"


def test_it_stays_open_for_five_minutes_and_then_half_opens() -> None:
    breaker = opened_at(0)

    assert breaker.state(299.9) == "open"
    assert breaker.retry_in(100) == 200
    assert breaker.state(300) == "half-open"
    assert breaker.retry_in(300) == 0


def test_three_successes_close_it_and_forget_the_failures() -> None:
    breaker = opened_at(0)
    breaker.succeeded(300)
    breaker.succeeded(301)
    assert breaker.state(301) == "half-open"

    breaker.succeeded(302)
    assert breaker.state(302) == "closed"
    breaker.failed(303)
    breaker.failed(304)
    assert breaker.state(304) == "closed"


def test_one_failure_when_half_open_opens_it_again_for_the_full_time() -> None:
    breaker = opened_at(0)
    breaker.succeeded(300)
    breaker.succeeded(301)
    breaker.failed(302)
    assert breaker.state(302) == "open"
    assert breaker.state(601) == "open"

    breaker.succeeded(602)
    assert breaker.state(602) == "half-open"


def test_late_reports_while_open_change_nothing() -> None:
    breaker = opened_at(0)
    breaker.failed(10)
    breaker.succeeded(11)

    assert breaker.state(299) == "open"
    assert breaker.state(300) == "half-open"


@given(st.lists(st.tuples(st.floats(0, 400), st.booleans()), max_size=30))
def test_it_is_never_open_longer_than_five_minutes_after_the_last_report(
    reports: list[tuple[float, bool]],
) -> None:
    breaker, now = Breaker(), 0.0
    for wait, good in reports:
        now += wait
        (breaker.succeeded if good else breaker.failed)(now)

    assert breaker.state(now + OPEN_SECONDS + 1e-6) != "open"  # sums of floats fall short
    if not reports or all(good for _, good in reports):
        assert breaker.state(now) == "closed"


def test_an_open_breaker_spares_the_embedder_and_says_for_how_long() -> None:
    embedder, clock = Patchy(), Clock()
    guarded = Guarded(embedder, Breaker(), clock)
    embedder.error = RuntimeError("out of memory")
    for _ in range(3):
        with pytest.raises(Unavailable, match="out of memory"):
            guarded.embed(["text"])
    clock.now += 100

    with pytest.raises(Unavailable, match="200 s"):
        guarded.embed(["text"])
    assert embedder.calls == 3


def test_it_heals_by_use() -> None:
    embedder, clock = Patchy(), Clock()
    guarded = Guarded(embedder, opened_at(clock.now), clock)
    clock.now += 300
    for _ in range(3):
        assert guarded.embed(["text"]) == [b"\x00\x00\x80?"]

    assert guarded.breaker.state(clock.now) == "closed"


def test_an_unavailable_embedder_keeps_its_own_message() -> None:
    embedder = Patchy()
    embedder.error = Unavailable("install tacit[fastembed]")

    with pytest.raises(Unavailable, match=r"^install tacit\[fastembed\]$"):
        Guarded(embedder, Breaker()).embed(["text"])


def test_a_caller_s_mistake_is_not_a_failure() -> None:
    embedder = Patchy()
    embedder.error = Invalid("not a text")
    guarded = Guarded(embedder, Breaker())
    for _ in range(5):
        with pytest.raises(Invalid):
            guarded.embed(["text"])

    assert embedder.calls == 5


def test_it_shows_the_embedder_s_model_and_dimension() -> None:
    guarded = Guarded(Patchy(), Breaker())

    assert (guarded.model, guarded.dimension) == ("patchy", 1)
