"""What was seen of a session is kept once, in its order, and not for ever."""

from builders import DAY, START, an_observed

FOREVER = START - 1_000 * DAY
PLENTY = 1 << 30


def sources(store, session="chat:s1"):
    """Give the sources of what was seen of a session."""
    return [one.source for one in store.observed(session)]


def test_nothing_was_seen_of_an_unknown_session(store):
    assert store.observed("chat:s1") == []
    assert store.observe([]) == 0
    assert store.trim_observed(START, keep_bytes=0) == 0


def test_what_was_seen_comes_back_as_it_was(store):
    seen = an_observed(json='{"text": "Größe 会话 👩‍💻 \\u0000 \\"x\\""}')

    assert store.observe([seen]) == 1
    assert store.observed("chat:s1") == [seen]


def test_the_same_source_is_seen_once(store):
    first = an_observed("chat:s1#1", json='"first"')
    again = an_observed("chat:s1#1", json='"again"')

    assert store.observe([first]) == 1
    assert store.observe([again]) == 0
    assert store.observe([again, an_observed("chat:s1#2"), again]) == 1

    assert sources(store) == ["chat:s1#1", "chat:s1#2"]
    assert store.observed("chat:s1")[0] == first


def test_a_source_that_comes_twice_at_once_is_counted_once(store):
    assert store.observe([an_observed(), an_observed()]) == 1
    assert len(store.observed("chat:s1")) == 1


def test_the_order_is_that_of_coming_not_of_time_or_name(store):
    came = [
        an_observed("chat:s1#9", at=START + DAY),
        an_observed("chat:s1#1", at=START + 2 * DAY),
        an_observed("chat:s1#5", at=START),
    ]
    store.observe(came[:2])
    store.observe(came[2:])

    assert store.observed("chat:s1") == came


def test_sessions_are_kept_apart(store):
    mine, other = an_observed("chat:s1#1"), an_observed("chat:s10#1")
    store.observe([mine, other])

    assert store.observed("chat:s1") == [mine]
    assert store.observed("chat:s10") == [other]
    assert store.observed("chat:s") == []


def test_what_was_seen_survives_reopening_and_is_seen_by_others(place):
    store, other = place(), place()
    seen = [an_observed(f"chat:s1#{number}") for number in range(3)]
    store.observe(seen)
    assert other.observed("chat:s1") == seen

    store.close()

    assert place().observed("chat:s1") == seen


def test_what_was_seen_before_a_time_is_dropped(store):
    store.observe([an_observed(f"chat:s1#{n}", at=START + n * DAY) for n in range(4)])

    assert store.trim_observed(START + 2 * DAY, keep_bytes=PLENTY) == 2

    assert sources(store) == ["chat:s1#2", "chat:s1#3"]
    assert store.trim_observed(START + 2 * DAY, keep_bytes=PLENTY) == 0


def test_beyond_so_many_bytes_the_newest_stay(store):
    store.observe([an_observed(f"chat:s{n % 2}#{n}", json="x" * 100) for n in range(6)])

    assert store.trim_observed(FOREVER, keep_bytes=300) == 3

    assert sources(store, "chat:s1") == ["chat:s1#3", "chat:s1#5"]
    assert sources(store, "chat:s0") == ["chat:s0#4"]


def test_bytes_are_those_of_the_text_as_it_is_kept(store):
    store.observe([an_observed(f"chat:s1#{n}", json="会" * 100) for n in range(2)])

    assert store.trim_observed(FOREVER, keep_bytes=600) == 0
    assert store.trim_observed(FOREVER, keep_bytes=599) == 1
    assert sources(store) == ["chat:s1#1"]


def test_a_large_one_takes_all_that_came_before_it_along(store):
    sizes = (10, 500, 10, 10)
    store.observe([an_observed(f"chat:s1#{n}", json="x" * size) for n, size in enumerate(sizes)])

    assert store.trim_observed(FOREVER, keep_bytes=100) == 2
    assert sources(store) == ["chat:s1#2", "chat:s1#3"]
    assert store.trim_observed(FOREVER, keep_bytes=0) == 2
    assert sources(store) == []


def test_age_and_bytes_are_trimmed_together(store):
    days = (0, 9, 9, 9)
    store.observe(
        [an_observed(f"chat:s1#{n}", at=START + d * DAY, json="x" * 10) for n, d in enumerate(days)]
    )

    assert store.trim_observed(START + DAY, keep_bytes=20) == 2
    assert sources(store) == ["chat:s1#2", "chat:s1#3"]


def test_what_was_dropped_may_be_seen_again_and_comes_last(store):
    store.observe([an_observed("chat:s1#1"), an_observed("chat:s1#2", at=START + DAY)])
    store.trim_observed(START + DAY, keep_bytes=PLENTY)

    assert store.observe([an_observed("chat:s1#1"), an_observed("chat:s1#2")]) == 1

    assert sources(store) == ["chat:s1#2", "chat:s1#1"]
