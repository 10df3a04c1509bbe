"""Manifests become keyed facts that agree with what commits say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.dependencies import MOST_COMMANDS, command_draft, dependency_drafts
from tacit.encode.versions import version_draft, versions_of
from tacit.model import Anchor
from tacit.observation import Commit, Dependency

AT = datetime(2025, 3, 1, tzinfo=UTC)


def a_dependency(**fields) -> Dependency:
    """Give a dependency on httpx."""
    defaults = {"package": "httpx", "version": "0.27.0", "manifest": "pyproject.toml"}
    return Dependency(**({"ecosystem": "pypi"} | defaults | fields))


def test_a_manifest_and_a_commit_speak_of_one_thing():
    commit = Commit(
        sha="a" * 40, at=AT, author="bot", subject="Bump Type_Fest from 4.0 to 4.1 in /web"
    )

    (stated,) = [version_draft(commit, version) for version in versions_of(commit)]
    (read,) = dependency_drafts(
        [a_dependency(package="type-fest", version="4.1", manifest="web/package.json")]
    )

    assert (read.key, read.value) == (stated.key, stated.value) == (
        "dependency type-fest in web",
        "4.1",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("==1.2", "1.2"),
        ("=1.2", "1.2"),
        ("v1.2", "1.2"),
        (">=1.2,<2", ">=1.2,<2"),
        ("^1.2", "^1.2"),
    ],
)
def test_an_exact_version_is_bare_and_a_range_stays_as_it_is_written(written, value):
    (draft,) = dependency_drafts([a_dependency(version=written)])

    assert draft.value == value


def test_a_locked_version_goes_before_a_range_and_an_exact_one_too():
    asked = a_dependency(version=">=0.20")
    locked = a_dependency(locked=True)
    pinned = a_dependency(version="==0.26", manifest="requirements.txt")

    assert [d.value for d in dependency_drafts([asked, locked, pinned])] == ["0.27.0"]
    assert [d.value for d in dependency_drafts([asked, pinned])] == ["0.26"]


def test_folders_are_kept_apart_and_so_are_namesakes_of_other_ecosystems():
    drafts = dependency_drafts(
        [
            a_dependency(package="redis"),
            a_dependency(package="redis", manifest="package.json", ecosystem="npm"),
            a_dependency(package="redis", manifest="api/pyproject.toml"),
        ]
    )

    assert {draft.key for draft in drafts} == {
        "dependency redis (pypi)",
        "dependency redis (npm)",
        "dependency redis in api",
    }


def test_a_runtime_is_no_dependency():
    (draft,) = dependency_drafts(
        [a_dependency(package="python", version=">=3.11", ecosystem="runtime")]
    )

    assert (draft.key, draft.value, draft.subtype) == ("runtime python", ">=3.11", "runtime")
    assert draft.source_ref == "manifest:pyproject.toml#runtime:python"


def test_a_fact_holds_since_its_manifest_was_changed_and_is_anchored_to_it():
    (draft,) = dependency_drafts(
        [a_dependency()], since={"pyproject.toml": AT}, shas={"pyproject.toml": "b" * 40}
    )

    assert draft.valid_from == AT
    assert draft.anchors == (Anchor(path="pyproject.toml", sha="b" * 40),)
    assert (draft.source_ref, draft.renews) == ("manifest:pyproject.toml#httpx", True)


def test_what_has_no_version_says_nothing():
    assert dependency_drafts([a_dependency(version=""), a_dependency(package=" ")]) == []


def test_commands_are_one_fact_a_manifest():
    draft = command_draft("Makefile", [("make check", "ruff check ."), ("make run", "")], "c" * 40)

    assert draft.text == "Commands of Makefile:\nmake check: ruff check .\nmake run"
    assert (draft.subtype, draft.source_ref) == ("commands", "manifest:Makefile#commands")
    assert draft.anchors == (Anchor(path="Makefile", sha="c" * 40),)
    assert command_draft("Makefile", []) is None


def test_very_many_commands_are_cut_and_it_is_said_how_many():
    commands = [(f"make t{number}", "") for number in range(MOST_COMMANDS + 3)]

    assert command_draft("Makefile", commands).text.endswith("and 3 more")


DEPENDENCIES = st.lists(
    st.builds(
        Dependency,
        package=st.sampled_from(["a", "A", "a_b", "a-b", ""]),
        version=st.sampled_from(["1.0", "==1.0", ">=1", "", "*"]),
        manifest=st.sampled_from(["x", "d/x", "d/y"]),
        ecosystem=st.sampled_from(["pypi", "npm", "runtime"]),
        locked=st.booleans(),
        dev=st.booleans(),
    ),
    max_size=12,
)


@given(DEPENDENCIES)
@settings(max_examples=100, deadline=None)
def test_no_key_is_given_two_values_and_reading_again_gives_the_same(dependencies):
    drafts = dependency_drafts(dependencies)

    assert len({draft.key for draft in drafts}) == len(drafts)
    assert drafts == dependency_drafts(dependencies)
