"""Moving memories: exports are the same bytes again, merges the same either way round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FrozenClock, WordCounter
from tacit.errors import Conflict, Invalid
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit


def fill(tacit, clock, words):
    for number, word in enumerate(words):
        clock.advance(days=1)
        tacit.remember(f"The {word} service runs", session="s", kind="episode", tags=[word])
        tacit.remember(f"Version is {number}", key=f"{word}.version", value=str(number))
    first = tacit.remember(f"{words[0]} is old")
    second = tacit.remember(f"{words[0]} is retired")
    tacit.link(second.id, "elaborates", first.id)
    tacit.edit(first.id, f"{words[0]} is very old")
    tacit.cite([first.id], query_id="q1")


def test_a_second_export_is_equal_to_the_byte(open_tacit, clock):
    source, target = open_tacit("source"), open_tacit("target")
    fill(source, clock, ["auth", "auth", "mail"])
    exported = list(source.export())

    target.import_(exported)

    assert list(target.export()) == exported
    target.import_(exported)
    assert list(target.export()) == exported


def test_a_merge_can_be_repeated_and_done_either_way_round(open_tacit, clock, tmp_path):
    left, right = open_tacit("left"), open_tacit("right")
    left.remember("Both know this"), right.remember("Both know this")
    fill(left, clock, ["auth", "mail"])
    fill(right, clock, ["auth", "search"])
    for name in ("left", "right"):
        {"left": left, "right": right}[name].backup(str(tmp_path / f"{name}-copy.db"))

    left.merge(str(tmp_path / "right-copy.db"))
    right.merge(str(tmp_path / "left-copy.db"))

    assert list(left.export()) == list(right.export())
    once = list(left.export())
    assert left.merge(str(tmp_path / "right-copy.db")).new == 0
    assert list(left.export()) == once


@pytest.mark.one_file
def test_a_merge_keeps_the_words_of_both_and_one_live_copy_of_what_both_say(open_tacit, clock):
    left, right = open_tacit("left"), open_tacit("right")
    left.remember("Both know this"), right.remember("Both know this")
    right.remember("Only right knows that")

    merged = left.merge(right.store.path)

    assert merged.new == 2
    assert merged.duplicates == 1
    clock.advance(seconds=1)
    texts = [memory.text for memory in left.list()]
    assert sorted(texts) == ["Both know this", "Only right knows that"]


@pytest.mark.one_file
def test_values_that_clash_in_a_merge_become_a_contradiction(open_tacit, clock):
    left, right = open_tacit("left"), open_tacit("right")
    for tacit, value in ((left, "blue"), (right, "green")):
        tacit.remember(f"It is {value}", key="colour", value=value, valid_from=clock.now())

    assert left.merge(right.store.path).contradictions == 1


OPS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]),
        st.sampled_from(["fact", "key", "edit", "forget"]),
        st.integers(0, 3),
    ),
    max_size=14,
)


@given(OPS)
def test_any_two_histories_merge_the_same_either_way_round(tmp_path_factory, ops):
    folder = tmp_path_factory.mktemp("merge")
    clock = FrozenClock()
    both = {
        name: Tacit(
            connect(str(folder / f"{name}.db")),
            scope=Scope(path="project:shop"),
            clock=clock,
            counter=WordCounter(),
        )
        for name in ("a", "b")
    }
    for name, op, number in ops:
        clock.advance(hours=1)
        tacit = both[name]
        memories = tacit.list(history=True, order="id")
        if op == "fact":
            tacit.remember(f"Note number {number}")
        elif op == "key":
            tacit.remember(f"It is {number}", key="it", value=str(number % 2))
        elif memories and op == "edit":
            tacit.edit(memories[number % len(memories)].id, f"Changed to {number} by {name}")
        elif memories:
            tacit.forget(memories[number % len(memories)].id)
    for name, tacit in both.items():
        tacit.backup(str(folder / f"{name}-copy.db"))

    both["a"].merge(str(folder / "b-copy.db"))
    both["b"].merge(str(folder / "a-copy.db"))

    exports = [list(tacit.export()) for tacit in both.values()]
    assert exports[0] == exports[1]
    for tacit in both.values():
        tacit.close()


def test_an_import_puts_the_facts_of_a_key_that_both_know_in_order(open_tacit):
    source, target = open_tacit("source"), open_tacit("target")
    target.remember("Tokens are signed with HS256", key="auth.alg", value="HS256")
    source.clock.advance(days=1)
    source.remember("Tokens are signed with RS256", key="auth.alg", value="RS256")

    target.import_(list(source.export()))
    once = list(target.export())
    target.import_(list(source.export()))

    ended, holding = sorted(target.list(history=True), key=lambda m: m.validity.valid_from)
    assert ended.validity.valid_to == holding.validity.valid_from
    assert holding.body.value == "RS256"
    assert list(target.export()) == once


@pytest.mark.parametrize(
    ("lines", "error", "said"),
    [
        ([], Invalid, "empty"),
        (["not json\n"], Invalid, "not a Tacit export"),
        (['{"tacit": 99}\n'], Conflict, "format 99"),
        (['{"tacit": 1}\n', '{"type": "memory"}\n'], Invalid, "line 2"),
        (['{"tacit": 1}\n', '{"type": "dream"}\n'], Invalid, "line 2"),
        (['{"tacit": 1}\n', '{"type": "mem'], Invalid, "cut off"),
    ],
)
def test_a_broken_export_is_refused_with_the_line_and_nothing_comes_in(
    open_tacit, lines, error, said
):
    tacit = open_tacit()

    with pytest.raises(error, match=said):
        tacit.import_(lines)

    assert tacit.status().memories == 0
