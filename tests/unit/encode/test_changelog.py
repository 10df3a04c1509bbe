"""Changelogs, entry by entry: whole, dated, and in the order of versions."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tacit.encode.changelog import changelog_drafts, read_changelog, version_key
from tacit.observation import Document, Sort

KEEP = """# Changelog

## [Unreleased]

## [1.10.0] - 2026-03-02

### Removed

- The `--old` flag
  is gone ([#12](https://x.io/12)).
  - Use `--new`.

### Fixed

- A typo.

## 1.9.0 (2nd March, 2025)

Drop support for Python 3.8.
"""
RST = """Changes
=======

Version 2.0
-----------

Released 2026-01-05

-   Carts are dicts. :issue:`7`

    They were lists.
-   Tills close.
"""
HISTORY = "5.1.0 / 2026-03-31\n==========\n\n  * deps: carts@2\n    - fewer bugs\n  * add tills\n"
NEWS = "Version 3.1 (March 4, 2026)\n\n* Carts roll.\n\nVersion 3.0\n\n* Carts stand.\n"


def a_log(text: str, path: str = "CHANGELOG.md", **fields) -> Document:
    return Document(path=path, text=text, sort=Sort.CHANGELOG, sha="5" * 40, **fields)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "CHANGELOG.md",
            KEEP,
            [
                "In 1.10.0 (2026-03-02), removed: The `--old` flag is gone (#12).\n- Use `--new`.",
                "In 1.10.0 (2026-03-02), fixed: A typo.",
                "In 1.9.0 (2025-03-02): Drop support for Python 3.8.",
            ],
        ),
        (
            "CHANGES.rst",
            RST,
            [
                "In 2.0 (2026-01-05): Carts are dicts. #7 They were lists.",
                "In 2.0 (2026-01-05): Tills close.",
            ],
        ),
        (
            "History.md",
            HISTORY,
            [
                "In 5.1.0 (2026-03-31): deps: carts@2\n- fewer bugs",
                "In 5.1.0 (2026-03-31): add tills",
            ],
        ),
        ("NEWS", NEWS, ["In 3.1 (2026-03-04): Carts roll.", "In 3.0: Carts stand."]),
        ("docs/releases/4.2.md", "# News\n\n- Carts roll.\n", ["In 4.2: Carts roll."]),
    ],
)
def test_each_entry_is_whole_and_says_its_release(path, text, expected):
    drafts = list(changelog_drafts([a_log(text, path)]))

    assert [draft.text for draft in drafts] == expected
    assert {draft.subtype for draft in drafts} == {"change"}


def test_what_changes_what_one_does_is_a_memory_and_the_rest_is_evidence():
    weighty = {draft.text: not draft.evidence for draft in changelog_drafts([a_log(KEEP)])}

    assert list(weighty.values()) == [True, False, True]


def test_an_entry_holds_since_its_release_and_names_its_issues():
    first = next(changelog_drafts([a_log(KEEP)]))

    assert first.valid_from == datetime(2026, 3, 2, tzinfo=UTC)
    assert [mention.facet.name for mention in first.mentions] == ["12"]


def test_what_weighed_years_ago_is_evidence():
    old = "\n## 0.1.0 - 2019-01-01\n\n### Removed\n\n- The old till.\n"

    last = list(changelog_drafts([a_log(KEEP + old)]))[-1]

    assert last.evidence


def test_lines_are_those_of_the_file():
    (entry,) = read_changelog(a_log("## 1.0\n\n- a\n", first_line=5))

    assert (entry.line, entry.release.line) == (7, 5)


def test_versions_are_in_the_order_people_mean():
    versions = ["1.10.0", "1.9.0", "1.10.0rc1", "2.0-final.3-x", "1.9.x"]

    assert sorted(versions, key=version_key)[-1] == "2.0-final.3-x"
    assert version_key("1.9.0") < version_key("1.10.0rc1") < version_key("1.10.0")
