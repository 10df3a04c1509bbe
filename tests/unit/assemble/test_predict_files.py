"""Files near an open one: told by the history, never the open file, always within bounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.assemble.near_files import near_files
from tacit.assemble.near_signs import SHARES, TASK_SHARES, TASK_TRAITS, TRAITS, Signs
from tacit.assemble.near_weights import ALONE, MEMORY_TABLES, WITH_TASK, sure
from tacit.assemble.path_likeness import name_within, parts_of, same_name
from tacit.encode.cochange import (
    MOST_SETS,
    MOST_TOGETHER,
    ChangeSets,
    count_sets,
    sets_from_json,
)
from tacit.observation import Change, Commit
from tacit.text import query_terms

START = datetime(2026, 1, 1, tzinfo=UTC)
NOW = START + timedelta(days=60)


def a_commit(day: float, *paths: str | Change, subject: str = "x") -> Commit:
    """Give a commit of these files."""
    changes = [path if isinstance(path, Change) else Change(path=path) for path in paths]
    at = START + timedelta(days=day)
    return Commit(sha="a" * 40, at=at, author="Mia", subject=subject, changes=tuple(changes))


def near(history: list[Commit], *opened: str, **options: object) -> list[str]:
    return [one.path for one in near_files(count_sets(history), opened, NOW, **options)]


def test_what_changed_together_most_comes_first():
    history = [a_commit(day, "a.py", "b.py") for day in range(3)]
    history += [a_commit(4, "a.py", "c.py"), a_commit(5, "d.py", "e.py")]

    found = near_files(count_sets(history), ["a.py"], NOW)

    assert [one.path for one in found[:2]] == ["b.py", "c.py"]
    assert found[0].confidence > found[1].confidence
    assert (found[0].why, found[1].why) == (
        "changed together in 3 commits",
        "changed together once",
    )


def test_what_changes_with_what_changes_is_found_although_it_never_met():
    history = [a_commit(day, "a.py", "hub.py") for day in range(4)]
    history += [a_commit(day, "hub.py", "far.py") for day in range(4)]
    history += [a_commit(10 + day, f"other{day}.py") for day in range(30)]

    found = near_files(count_sets(history), ["a.py"], NOW)

    assert [one.path for one in found[:2]] == ["hub.py", "far.py"]
    assert found[1].why == "changes with what changes with it"


def test_a_file_without_history_has_its_test_and_its_folder():
    history = [a_commit(1, "tests/test_cart.py"), a_commit(2, "shop/price.py")]
    history += [a_commit(3, f"docs/{number}.md") for number in range(20)]

    found = near_files(count_sets(history), ["shop/cart.py"], NOW, limit=5)

    reasons = {one.path: one.why for one in found}
    assert reasons["tests/test_cart.py"] == "test and source"
    assert reasons["shop/price.py"] == "same folder"


def test_a_renamed_file_keeps_its_past_and_a_removed_one_is_not_named():
    history = [
        a_commit(0, "old.py", "b.py"),
        a_commit(1, "old.py", "gone.py"),
        a_commit(2, Change(path="new.py", old_path="old.py", status="R")),
        a_commit(3, Change(path="gone.py", status="D")),
    ]

    assert near(history, "new.py")[0] == "b.py"
    assert "old.py" not in near(history, "b.py")
    assert "gone.py" not in near(history, "new.py")


def test_the_words_of_a_task_choose_among_files_that_are_as_near():
    history = [a_commit(day, "a.py", "tokens.py", subject="refresh tokens") for day in range(3)]
    history += [a_commit(day, "a.py", "carts.py", subject="empty carts") for day in range(3, 6)]

    assert near(history, "a.py", terms=query_terms("tokens are refreshed late"))[0] == "tokens.py"
    assert near(history, "a.py", terms=query_terms("a cart stays empty"))[0] == "carts.py"


def test_what_is_imported_is_near_without_any_history():
    found = near_files(ChangeSets(), ["a.py"], NOW, imported={"a.py": ["lib/b.py"]})

    assert [(one.path, one.why) for one in found] == [("lib/b.py", "imported")]


def test_of_several_open_files_the_latest_tells_most():
    history = [a_commit(0, "a.py", "x.py"), a_commit(0, "b.py", "y.py")]

    assert near(history, "a.py", "b.py")[:2] == ["x.py", "y.py"]
    assert near(history, "b.py", "a.py")[:2] == ["y.py", "x.py"]


def test_files_that_were_only_read_lead_to_a_set_and_are_not_led_to():
    sets = ChangeSets()
    sets.add(START, ["written.py"], led_by=["read.py", "written.py"])
    kept = sets_from_json(*sets.to_json())

    for each in (sets, kept):
        assert [one.path for one in near_files(each, ["read.py"], NOW)] == ["written.py"]
        assert kept.places[kept.number("read.py")] == [0]
        assert all(one.why == "same folder" for one in near_files(each, ["written.py"], NOW))


def test_a_very_large_commit_tells_nothing_of_what_belongs_together():
    crowd = [f"x{number}.py" for number in range(MOST_TOGETHER + 1)]

    assert count_sets([a_commit(0, *crowd)]).sets == []


def test_only_the_newest_sets_are_kept():
    sets = ChangeSets()
    for number in range(MOST_SETS + 5):
        sets.add(
            START + timedelta(minutes=number), ["a.py", f"{number % 7}.py"], terms=[f"w{number}"]
        )

    kept = sets_from_json(*sets.to_json())

    assert kept.sets[-1][0] == sets.sets[-1][0]
    assert len(kept.sets) == len(kept.terms) == MOST_SETS
    assert kept.terms[f"w{MOST_SETS + 4}"] == [MOST_SETS - 1]


def test_broken_or_foreign_documents_give_no_sets():
    for text in ("", "{", "[]", '{"v": 99, "files": ["a"], "sets": []}', "null"):
        assert sets_from_json(text, text).sets == []


def test_paths_are_alike_by_name_but_for_marks_of_tests():
    alike = ("src/user_api.py", "tests/test_user_api.py", "web/userApi.test.ts", "UserAPI.tsx")
    for one in alike:
        for other in alike:
            assert same_name(parts_of(one), parts_of(other)), (one, other)
    assert [parts_of(path).test for path in alike] == [False, True, True, False]
    assert not same_name(parts_of("a.py"), parts_of("b/a.py"))  # too short to tell
    assert name_within(parts_of("user.py"), parts_of("test_user_api.py"))
    assert parts_of("").name == parts_of("tests/").name == ""


def test_every_sign_has_a_weight_and_tables_rise():
    for weights, shares, traits in (
        (ALONE, SHARES, TRAITS),
        (WITH_TASK, SHARES + TASK_SHARES, TRAITS + TASK_TRAITS),
    ):
        assert tuple(weights.shares) == shares
        assert tuple(weights.traits) == traits
    for table in (ALONE.table, WITH_TASK.table, *MEMORY_TABLES.values()):
        assert list(table) == sorted(table)
        assert [row[1] for row in table] == sorted(row[1] for row in table)
        assert 0 <= sure(-1, table) <= sure(0.5, table) <= sure(2, table) <= 1


PATHS = st.sampled_from(
    ["a.py", "b.py", "src/c.py", "tests/test_c.py", "docs/d.md", "e", " ", "ü/ß.py"]
)
CHANGES = st.builds(Change, path=PATHS, old_path=PATHS, status=st.sampled_from("AMDR"))
HISTORY = st.lists(
    st.builds(
        lambda day, changes, subject: a_commit(day, *changes, subject=subject),
        st.integers(-4_000, 4_000),
        st.lists(CHANGES, max_size=5),
        st.sampled_from(["", "fix tokens", "Add c", "日本語"]),
    ),
    max_size=25,
)


@given(HISTORY, st.lists(PATHS, max_size=4), st.sampled_from(["", "fix c", "…"]), st.integers(1, 9))
@settings(max_examples=80)
def test_any_history_gives_bounded_answers_the_same_each_time(history, opened, task, limit):
    sets = count_sets(history)
    terms = query_terms(task)

    found = near_files(sets, opened, NOW, limit=limit, terms=terms)

    assert found == near_files(count_sets(history), opened, NOW, limit=limit, terms=terms)
    assert len(found) <= limit
    assert not {one.path for one in found} & set(opened)
    assert all(0 <= one.part <= 1 and 0 <= one.confidence <= 1 and one.why for one in found)
    assert [one.part for one in found] == sorted((one.part for one in found), reverse=True)
    assert all(sets.number(one.path) is not None for one in found)


@given(HISTORY)
@settings(max_examples=60)
def test_what_is_kept_answers_as_what_was_counted(history):
    sets = count_sets(history)

    kept = sets_from_json(*sets.to_json())

    assert kept.to_json() == sets_from_json(*kept.to_json()).to_json()
    for path in (path for path in kept.files if path):
        signs, again = Signs(sets, path, NOW), Signs(kept, path, NOW)
        for name in ("turns_16", "days_180"):
            assert {sets.files[f]: s for f, s in signs.shares[name].items()} == {
                kept.files[f]: s for f, s in again.shares[name].items()
            }
