"""Versions in the subjects of commits: what states one, what only looks like it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.dependencies import (
    Version,
    dependency_key,
    version_draft,
    version_in,
    versions_of,
)
from tacit.observation import Change, Commit

AT = datetime(2025, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("subject", "package", "new", "scope"),
    [
        ("Bump httpx from 0.26.0 to 0.27.0", "httpx", "0.27.0", "/"),
        ("chore(deps): bump jose from 5.2.4 to 5.3.0 in /web", "jose", "5.3.0", "/web"),
        ("build(deps-dev): bump @types/node from 20.1 to 20.2 in /a/b in the x group across 1 directory (#12)", "@types/node", "20.2", "/a/b"),
        ("chore(deps): bump ruff from 0.4 to 0.5 in the all group", "ruff", "0.5", "/"),
        ("[Security] Bump urllib3 from 1.26.3 to 1.26.4", "urllib3", "1.26.4", "/"),
        ("chore bump hono from 4.8.9 to 4.9.6 in /docs", "hono", "4.9.6", "/docs"),
        ("Bump coverage[toml] from 7.2.2 to 7.2.7", "coverage[toml]", "7.2.7", "/"),
        ("Bump actions/checkout from 3 to 4", "actions/checkout", "4", "/"),
        ("chore(deps): update dependency eslint to v9.1.0", "eslint", "v9.1.0", "/"),
        ("Update actions/cache action to v4", "actions/cache", "v4", "/"),
        ("Update jinja2 requirement from >=2.0 to >=3.1 in /docs", "jinja2", ">=3.1", "/docs"),
        ("Upgrade mkdocs to 1.3.0 to mend the build", "mkdocs", "1.3.0", "/"),
        ("Pin markdown==3.3.7", "markdown", "3.3.7", "/"),
        ("upgrade to Python 3.12", "Python", "3.12", "/"),
        ("Release 1.2.3", "", "1.2.3", "/"),
        ("v2.0.0-rc.1", "", "2.0.0-rc.1", "/"),
        ("chore(release): 4.0.1 (#99)", "", "4.0.1", "/"),
        ("Bump version from 1.0.0 to 1.1.0", "", "1.1.0", "/"),
        ("Bump version number to 0.12.1", "", "0.12.1", "/"),
    ],
)  # fmt: skip
def test_a_stated_version_is_read(subject, package, new, scope):
    assert version_in(subject) == Version(package=package, new=new, scope=scope)


@pytest.mark.parametrize(
    "subject",
    [
        "bump timeout from 30 to 60",
        "Update the limit to 5",
        "Update README to reflect the 1.0 release",
        "Upgrade Python type checker",
        "Bump the python group with 6 updates",
        "Add 3 tests for release 2",
        "Fix regression in 1.2.3 parser",
        "Update copyright year to 2.025",
        "Pin dependencies",
        "",
    ],
)
def test_a_number_that_is_no_version_is_left_alone(subject):
    assert version_in(subject) is None


@given(st.text(max_size=80))
@settings(max_examples=100, deadline=None)
def test_any_subject_is_read_without_failing(subject):
    version_in(subject)
    version_in(f"Bump {subject} from 1.0 to 2.0")


@given(
    st.from_regex(r"[a-z][a-z0-9-]{1,20}", fullmatch=True),
    st.from_regex(r"[0-9]{1,3}\.[0-9]{1,3}(\.[0-9]{1,3})?", fullmatch=True),
    st.from_regex(r"(/[a-z]{1,8}){1,3}", fullmatch=True),
)
@settings(max_examples=100, deadline=None)
def test_what_a_bot_writes_of_any_package_is_read_back(package, new, folder):
    found = version_in(f"chore(deps): bump {package} from 0.0.1 to {new} in {folder}")

    if found is not None:  # a few words are no packages: "bump version from …"
        assert (found.package, found.new, found.scope) == (package, new, folder)


def test_a_bump_of_a_group_is_read_from_its_list():
    body = "Bumps the web group with 2 updates:\n\nUpdates `react` from 18.1.0 to 18.2.0\nUpdates `vite` from 5.0 to 5.1\n"
    commit = Commit(
        sha="a" * 40, at=AT, author="bot", subject="bump the web group in /ui", body=body
    )

    assert versions_of(commit) == (
        Version(package="react", new="18.2.0", scope="/ui"),
        Version(package="vite", new="5.1", scope="/ui"),
    )


def test_a_version_becomes_a_keyed_fact_that_holds_since_the_commit():
    commit = Commit(
        sha="ab" * 20,
        at=AT,
        author="bot",
        subject="Update dependency Type_Fest to v4.1.0 (#7)",
        changes=(Change(path="package.json"),),
    )

    draft = version_draft(commit, versions_of(commit)[0])

    assert (draft.key, draft.value) == ("dependency type-fest", "4.1.0")
    assert draft.valid_from == AT
    assert draft.source_ref == f"git:{'ab' * 20}#version:Type_Fest"
    assert draft.files == ("package.json",)


def test_the_project_itself_has_a_version_of_its_own():
    commit = Commit(sha="ab" * 20, at=AT, author="Mia", subject="Release v1.4.0")

    draft = version_draft(commit, versions_of(commit)[0])

    assert (draft.key, draft.value) == ("project version", "1.4.0")


def test_keys_agree_however_a_package_and_its_folder_are_written():
    assert dependency_key("Flask_Login[x]", "/web/") == dependency_key("flask-login", "web")
    assert dependency_key("flask", "/") == dependency_key("flask", "") == "dependency flask"
