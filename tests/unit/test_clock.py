"""Times and ids: exact, aware, and always rising."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import NOON, FrozenClock
from strategies import times
from tacit.clock import EPOCH, Clock, aware, from_micros, micros, parse_time, show_time
from tacit.errors import Invalid


class ScriptedClock(Clock):
    """The real clock with the times it is told."""

    def __init__(self, *moments: datetime) -> None:
        super().__init__()
        self._moments = list(moments)

    def now(self) -> datetime:
        """Give the next moment, and the last one for ever."""
        return self._moments.pop(0) if len(self._moments) > 1 else self._moments[0]


def test_now_is_aware_and_in_utc():
    assert Clock().now().utcoffset() == timedelta(0)


def test_an_id_is_a_uuid_of_version_7_that_begins_with_the_time():
    id_ = ScriptedClock(NOON).new_id()

    assert uuid.UUID(id_).version == 7
    assert uuid.UUID(id_).variant == uuid.RFC_4122
    assert str(uuid.UUID(id_)) == id_
    assert int(id_.replace("-", "")[:12], 16) == micros(NOON) // 1000


def test_ids_within_a_millisecond_strictly_rise():
    clock = ScriptedClock(NOON)
    ids = [clock.new_id() for _ in range(10_000)]  # more than a millisecond's counter holds

    assert ids == sorted(set(ids))
    assert {uuid.UUID(id_).version for id_ in ids} == {7}


@given(st.lists(st.integers(-(10**10), 10**10), min_size=2, max_size=50))
def test_ids_strictly_rise_however_the_wall_clock_jumps(jumps):
    clock = ScriptedClock(*[NOON + timedelta(microseconds=jump) for jump in jumps])
    ids = [clock.new_id() for _ in jumps]

    assert ids == sorted(set(ids))


def test_ids_of_two_processes_differ_at_the_same_moment():
    assert ScriptedClock(NOON).new_id() != ScriptedClock(NOON).new_id()


@given(times)
def test_micros_and_back_lose_nothing(moment):
    assert from_micros(micros(moment)) == moment


def test_micros_are_counted_from_1970():
    assert micros(EPOCH) == 0
    assert micros(EPOCH - timedelta(microseconds=1)) == -1
    assert micros(datetime.max.replace(tzinfo=UTC)) == 253402300799999999


@given(times)
def test_a_time_written_and_read_is_the_same(moment):
    assert parse_time(show_time(moment)) == moment


def test_a_time_is_written_in_utc_with_a_z():
    tokyo = timezone(timedelta(hours=9))

    assert show_time(datetime(2026, 1, 31, 9, 30, tzinfo=tokyo)) == "2026-01-31T00:30:00Z"
    assert show_time(NOON.replace(microsecond=5)) == "2026-03-01T12:00:00.000005Z"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
        (" 2026-01-31T09:30Z ", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        ("2026-01-31 09:30", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        ("2026-01-31T09:30+02:00", datetime(2026, 1, 31, 7, 30, tzinfo=UTC)),
    ],
)
def test_dates_and_times_are_read_and_without_a_zone_taken_as_utc(text, expected):
    assert parse_time(text) == expected


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "31.01.2026", "\0"])
def test_what_is_no_time_is_refused_with_an_example(text):
    with pytest.raises(Invalid, match="2026-01-31T09:30Z"):
        parse_time(text)


def test_a_time_before_the_calendar_begins_is_refused():
    with pytest.raises(Invalid):
        parse_time("0001-01-01T00:00+01:00")


def test_a_naive_time_is_refused_and_the_message_shows_how_to_write_it():
    with pytest.raises(Invalid, match="has no zone; write it as 2026-01-31T09:30:00Z"):
        aware(datetime(2026, 1, 31, 9, 30))


def test_the_frozen_clock_stands_still_until_it_is_moved():
    clock = FrozenClock()

    assert clock.now() == clock.now() == NOON
    assert clock.advance(days=1) == clock.now() == NOON + timedelta(days=1)


def test_the_ids_of_the_frozen_clock_rise_and_repeat_from_run_to_run():
    clock, again = FrozenClock(), FrozenClock()
    ids = [clock.new_id(), clock.new_id()]
    clock.set(NOON - timedelta(days=1))
    ids.append(clock.new_id())
    clock.set(NOON + timedelta(days=1))
    ids.append(clock.new_id())

    assert ids == sorted(set(ids))
    assert again.new_id() == ids[0]
    assert {uuid.UUID(id_).version for id_ in ids} == {7}
