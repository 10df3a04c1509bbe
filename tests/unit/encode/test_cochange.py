"""What changes together: counted with decay, followed through renames, told in few words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.cochange import (
    FACTS_PER_FILE,
    MOST_FACTS,
    MOST_TOGETHER,
    cochange_drafts,
    count_sets,
    is_product,
    related,
)
from tacit.observation import Change, Commit

START = datetime(2025, 1, 1, tzinfo=UTC)


def a_commit(day: float, *paths: str | Change) -> Commit:
    """Give a commit of these files."""
    changes = [path if isinstance(path, Change) else Change(path=path) for path in paths]
    at = START + timedelta(days=day)
    return Commit(sha="a" * 40, at=at, author="Mia", subject="x", changes=tuple(changes))


def near(counted, path):
    return [found.path for found in related(counted, path)]


def test_what_was_changed_together_more_often_is_nearer():
    counted = count_sets(
        [a_commit(0, "a", "b"), a_commit(0, "a", "b"), a_commit(0, "a", "c"), a_commit(0, "d", "e")]
    )

    assert near(counted, "a") == ["b", "c"]
    (nearest,) = related(counted, "a", 1)
    assert (nearest.support, round(nearest.share, 2)) == (2, 0.67)
    assert near(counted, "unknown") == []


def test_what_was_changed_together_lately_is_nearer_than_what_was_long_ago():
    old = [a_commit(0, "a", "b"), a_commit(0, "a", "b")]

    assert near(count_sets([*old, a_commit(10, "a", "c")]), "a") == ["b", "c"]
    assert near(count_sets([*old, a_commit(900, "a", "c")]), "a") == ["c", "b"]


def test_a_commit_of_few_files_tells_more_than_one_of_many():
    crowd = [f"x{number}" for number in range(9)]

    counted = count_sets([a_commit(0, "a", "z", *crowd), a_commit(0, "a", "b")])

    assert near(counted, "a")[0] == "b"


def test_a_commit_of_very_many_files_tells_nothing():
    crowd = [f"x{number}" for number in range(MOST_TOGETHER + 1)]

    assert near(count_sets([a_commit(0, *crowd)]), "x0") == []


def test_a_renamed_file_keeps_what_is_known_and_a_removed_one_is_forgotten():
    counted = count_sets(
        [
            a_commit(0, "a", "b"),
            a_commit(0, "a", "gone"),
            a_commit(1, Change(path="new", old_path="a", status="R")),
            a_commit(2, Change(path="gone", status="D")),
        ]
    )

    assert near(counted, "new") == ["b"]
    assert near(counted, "b") == ["new"]
    assert near(counted, "a") == []
    assert "gone" not in str(cochange_drafts(counted))


def test_facts_are_few_and_say_which_way_the_bond_holds():
    history = [a_commit(day, "src/a.py", "src/b.py") for day in range(5)]
    history += [a_commit(day, "src/a.py") for day in range(5)]

    pair, hot = cochange_drafts(count_sets(history))

    assert pair.text.startswith("When src/b.py changes, src/a.py changes too: in about 100%")
    assert pair.source_ref == "git:cochange#src/a.py|src/b.py"
    assert hot.text == "Files changed most: src/a.py, src/b.py"
    assert (pair.renews, hot.renews) == (True, True)


@pytest.mark.parametrize(
    ("path", "product"),
    [
        ("src/app/cache.py", True),
        ("lib/testing_tools.js", True),
        ("command.go", True),
        ("tests/test_cache.py", False),
        ("command_test.go", False),
        (".github/workflows/ci.yml", False),
        ("docs/index.rst", False),
        ("uv.lock", False),
    ],
)
def test_tests_documents_and_settings_stand_around_the_product(path, product):
    history = [a_commit(day, path, "src/other.py") for day in range(9)]

    assert is_product(path) is product
    assert (
        bool([d for d in cochange_drafts(count_sets(history)) if d.subtype == "co-change"])
        is product
    )


def test_one_more_commit_seldom_changes_a_fact():
    history = [a_commit(0, "a", "b") for _ in range(20)]

    before = cochange_drafts(count_sets(history))

    assert cochange_drafts(count_sets([*history, a_commit(0, "a", "b")])) == before


def test_no_file_fills_the_list_and_no_history_says_nothing():
    history = [a_commit(0, "hub", f"x{number}") for number in range(40) for _ in range(5)]

    drafts = cochange_drafts(count_sets(history))

    assert sum(draft.subtype == "co-change" for draft in drafts) == FACTS_PER_FILE
    assert cochange_drafts(count_sets([])) == []


PATHS = st.sampled_from(["a", "b", "c", "d", "e", " "])
CHANGES = st.builds(Change, path=PATHS, old_path=PATHS, status=st.sampled_from("AMDR"))
HISTORY = st.lists(
    st.builds(
        lambda day, changes: a_commit(day, *changes),
        st.integers(-40_000, 40_000),
        st.lists(CHANGES, max_size=5),
    ),
    max_size=30,
)


@given(HISTORY)
@settings(max_examples=100, deadline=None)
def test_any_history_is_counted_alike_each_time_and_bonds_are_mutual(history):
    counted = count_sets(history)

    drafts = cochange_drafts(counted)

    assert drafts == cochange_drafts(count_sets(history))
    assert len(drafts) <= MOST_FACTS + 1
    for path in "abcde":
        for found in related(counted, path, 10):
            assert 0 <= found.score <= 1
            assert 0 < found.share <= 1
            assert path in {other.path for other in related(counted, found.path, 10)}
