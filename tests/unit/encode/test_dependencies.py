"""Manifests become keyed facts that agree with what commits say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.dependencies import (
    dependency_drafts,
    dependency_keys,
    version_draft,
    versions_of,
)
from tacit.encode.project_facts import fact_drafts
from tacit.model import Anchor, Tier, Trust
from tacit.observation import Commit, Dependency, ProjectFact, Topic

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


def test_folders_are_kept_apart():
    drafts = dependency_drafts(
        [
            a_dependency(package="redis"),
            a_dependency(package="redis", manifest="api/pyproject.toml"),
        ]
    )

    assert {draft.key for draft in drafts} == {"dependency redis", "dependency redis in api"}


def test_a_dependency_is_a_sentence_with_its_range_its_place_and_its_reason():
    (draft,) = dependency_drafts(
        [a_dependency(wanted=">=0.20", locked=True, line=7, why="0.19 loses cookies on redirects")]
    )

    assert draft.text == (
        "Depends on the library httpx >=0.20, locked at 0.27.0 (pyproject.toml:7)."
        " Why: 0.19 loses cookies on redirects"
    )


def test_a_fact_holds_since_its_manifest_was_changed_and_is_anchored_to_it():
    (draft,) = dependency_drafts(
        [a_dependency()], since={"pyproject.toml": AT}, shas={"pyproject.toml": "b" * 40}
    )

    assert draft.valid_from == AT
    assert draft.anchors == (Anchor(path="pyproject.toml", sha="b" * 40),)
    assert (draft.source_ref, draft.renews) == ("manifest:pyproject.toml#httpx", True)


def test_what_has_no_version_is_named_together():
    bare = [a_dependency(package=name, version="", dev=True) for name in ("ruff", "tox")]

    (draft,) = dependency_drafts([*bare, a_dependency(package=" ")])

    assert draft.text == "Developed with ruff, tox, in any version (pyproject.toml)"
    assert draft.key == ""


def test_the_keys_that_hold_are_those_of_all_dependencies():
    assert set(dependency_keys([a_dependency(version=""), a_dependency(package="A_b")])) == {
        "dependency httpx",
        "dependency a-b",
    }


def test_what_configuration_enforces_is_a_guardrail_and_the_rest_a_fact_of_the_project():
    enforced = ProjectFact(
        topic=Topic.RULE,
        text="One import a line",
        source="pyproject.toml:9",
        key="ruff.single",
        why="merges stay small",
    )
    stated = ProjectFact(
        topic=Topic.RELEASE, text="The newest release is 2.0", source="tag 2.0", at=AT
    )

    rule, release = fact_drafts([enforced, stated], shas={"pyproject.toml": "b" * 40})

    assert rule.text == "One import a line (pyproject.toml:9). Why: merges stay small"
    assert (rule.subtype, rule.tier, rule.trust) == ("rule", Tier.GUARDRAIL, Trust.REPOSITORY)
    assert rule.anchors == (Anchor(path="pyproject.toml", sha="b" * 40),)
    assert (release.subtype, release.tier, release.valid_from) == ("project", Tier.REFERENCE, AT)


DEPENDENCIES = st.lists(
    st.builds(
        Dependency,
        package=st.sampled_from(["a", "A", "a_b", "a-b", ""]),
        version=st.sampled_from(["1.0", "==1.0", ">=1", "", "*"]),
        manifest=st.sampled_from(["x", "d/x", "d/y"]),
        ecosystem=st.sampled_from(["pypi", "npm"]),
        locked=st.booleans(),
        dev=st.booleans(),
    ),
    max_size=12,
)


@given(DEPENDENCIES)
@settings(max_examples=100, deadline=None)
def test_no_key_is_given_two_values_and_reading_again_gives_the_same(dependencies):
    drafts = dependency_drafts(dependencies)

    keyed = [draft.key for draft in drafts if draft.key]
    assert len(set(keyed)) == len(keyed)
    assert len({draft.source_ref for draft in drafts}) == len(drafts)
    assert drafts == dependency_drafts(dependencies)
