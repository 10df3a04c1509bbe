"""What files state about a project is said in whole sentences, with the line they stand in."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from tacit.encode.project_facts import project_facts, range_in_words
from tacit.ingest.project_files import read_project_files

MAY = datetime(2025, 5, 1, tzinfo=UTC)
JUNE = datetime(2025, 6, 1, tzinfo=UTC)


@pytest.fixture
def state(tmp_path):
    """Write files; give what is stated: key → text with its source."""

    def state_files(files, tags=()):
        for path, text in files.items():
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        found = project_facts(read_project_files(str(tmp_path), sorted(files), Counter(), tags))
        return {fact.key: f"{fact.text} ({fact.source})" for fact in found}

    return state_files


def test_a_manifest_says_what_the_project_is_and_runs_on(state):
    found = state(
        {
            "pyproject.toml": '[project]\nname = "shop"\ndescription = "Sells things"\nrequires-python = ">=3.10"\n',
            "src/shop/__init__.py": "",
            "tests/test_shop.py": "",
            "docs/index.md": "",
        }
    )

    assert found["project.what"] == "shop: Sells things (pyproject.toml:3)"
    assert found["python.requires"].startswith("Supports Python 3.10 and newer")
    assert found["python.requires"].endswith("(pyproject.toml:4)")
    assert found["project.layout"] == (
        "Source in src/shop, tests in tests, documents in docs (src/shop)"
    )


def test_without_a_description_the_readme_says_it_but_not_its_badges_and_advertisements(state):
    readme = """# shop

[![build](x.svg)](x) ![a](b.png)

> Sponsored: buy our other thing today.

Become a sponsor of this project on our page.

**Shop** is a small [server](x) for selling things. It is fast.
"""
    found = state({"go.mod": "module example.com/me/shop/v2\n\ngo 1.21\n", "README.md": readme})

    assert found["project.what"] == ("Shop is a small server for selling things. (README.md:9)")
    assert found["go.requires"].endswith("(go.mod:3)")


def test_what_it_is_stands_behind_the_news_and_in_front_of_the_rest(state):
    readme = """# Kiln

We're excited to announce the release of Kiln 2! It is better.

Baking is how modern bread is made.

Kiln is an oven for modern bread: it is hot.
"""

    assert state({"README.md": readme})["project.what"].startswith("Kiln is an oven for modern")


def test_a_manifest_for_packagers_says_nothing_of_the_language_it_runs_on(state):
    found = state(
        {
            "package.json": '{"name": "chart", "engines": {"node": ">=20"}}',
            "composer.json": '{"name": "me/chart", "require": {"php": ">=5.3"}}',
            "src/chart.ts": "",
        }
    )

    assert "node.requires" in found
    assert "php.requires" not in found


@pytest.mark.parametrize(
    ("names", "newest"),
    [
        (["v0.4.0", "kiln-v0.8.1", "kiln-core-v0.9.0", "kiln-extra-v1.2.0"], "0.8.1"),
        (["parent-5.3.1", "parent-5.4.0", "try-7"], "5.4.0"),
    ],
)
def test_tags_of_the_whole_project_are_told_from_those_of_its_parts(state, names, newest):
    found = state({"README.md": "# x\n"}, tuple((name, MAY) for name in names))

    assert f"is {newest} of" in found["project.release"]


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (">=3.10", "3.10 and newer"),
        (">=3.10,<4.0", "3.10 and newer, below 4.0"),
        (">= 18", "18 and newer"),
        ("^3.9", "3.9 and newer, below 4"),
        ("1.70", "1.70 and newer"),
        ("^18.0.0 || >=20", "^18.0.0 || >=20"),
        (">=3.8,!=3.9.0", "3.8 and newer, not 3.9.0"),
    ],
)
def test_a_range_is_said_as_one_would_say_it(wanted, words):
    assert range_in_words(wanted) == words


def test_the_newest_release_is_so_by_the_order_of_versions_and_pre_releases_stand_apart(state):
    tags = (
        ("v1.9", JUNE),
        ("v1.10", MAY),
        ("v2.0rc1", JUNE),
        ("ui@9.0.0", JUNE),
        ("nightly", JUNE),
    )

    found = state({"package.json": '{"name": "shop", "version": "2.0.0-rc.1"}'}, tags)

    assert "1.10 of 2025-05-01 (tag v1.10)" in found["project.release"]
    assert found["project.prerelease"] == "The newest pre-release is 2.0rc1 (tag v2.0rc1)"
    assert found["project.version"] == "The version under way is 2.0.0-rc.1 (package.json:1)"
    assert found["project.tags"].startswith("Release tags look like v1.10, with a leading v")


def test_without_tags_a_changelog_that_dates_it_or_the_manifest_says_the_newest_release(state):
    changes = "# Changes\n\n## 3.0.0\n\nUnreleased\n\n## 2.1.0 (2025-05-01)\n\n- a\n\n## 2.0\n"

    found = state({"CHANGES.md": changes, "shop/__init__.py": '__version__ = "2.0"\n'})

    assert "2.1.0 of 2025-05-01 (CHANGES.md:7)" in found["project.release"]
    assert found["changelog"] == "Releases are noted in CHANGES.md (CHANGES.md)"


def test_fragments_are_where_a_change_is_noted(state):
    found = state(
        {"pyproject.toml": '[tool.towncrier]\ndirectory = "news"\n', "CHANGELOG.md": "# Changes\n"}
    )

    assert found["changelog"] == (
        "A change is noted as a fragment of its own in news (towncrier), which becomes"
        " CHANGELOG.md (pyproject.toml:2)"
    )


def test_ci_says_which_versions_it_runs(state):
    workflow = """jobs:
  test:
    strategy:
      matrix:
        go: [21, 22]
    steps:
      - uses: actions/setup-go@v5
        with:
          go-version: 1.${{ matrix.go }}.x
"""
    found = state({".github/workflows/ci.yml": workflow})

    assert found["go.ci"] == "CI runs Go 1.21, 1.22 (.github/workflows/ci.yml:5)"


@pytest.mark.parametrize(
    ("path", "text", "sentence"),
    [
        (
            "pyproject.toml",
            '[tool.ruff.lint.flake8-tidy-imports]\nban-relative-imports = "all"\n',
            "Relative imports (with leading dots) are banned: modules import each other by absolute"
            " name (ruff: lint.flake8-tidy-imports.ban-relative-imports = all) (pyproject.toml:2)",
        ),
        (
            "ruff.toml",
            '[lint.isort]\nrequired-imports = ["import a"]\n',
            "Every Python file begins with the import `import a` (ruff: lint.isort.required-imports"
            " = import a) (ruff.toml:2)",
        ),
        (
            "pytest.ini",
            "[pytest]\nfilterwarnings =\n    error\n    ignore::X\n",
            "Warnings fail the tests: a warning is turned into an error (pytest: filterwarnings ="
            " error, ignore::X) (pytest.ini:2)",
        ),
        (
            ".coveragerc",
            "[report]\nfail_under = 95\n",
            "The build fails when less than 95% of the code is covered by tests (95% coverage)"
            " (coverage: report.fail_under = 95) (.coveragerc:2)",
        ),
        (
            ".editorconfig",
            "[*.js]\nindent_style = tab\nend_of_line = lf\n",
            "Files *.js: indented with tabs, lines end with lf (editorconfig: indent_style = tab,"
            " end_of_line = lf) (.editorconfig:2)",
        ),
        (
            ".eslintrc.json",
            '{"rules": {"indent": ["error", 2], "semi": ["off"]}}',
            "Code is indented by 2 spaces (indent) (eslint: indent: error, 2) (.eslintrc.json:1)",
        ),
        (
            ".npmrc",
            "package-lock=false\n",
            "npm writes no lock file: package-lock.json is not kept in this repository (npmrc:"
            " package-lock = false) (.npmrc:1)",
        ),
        (
            "Cargo.toml",
            '[lints.rust]\nunsafe_code = "forbid"\n',
            "The lint rust::unsafe_code is forbidden (lints: rust::unsafe_code = forbid)"
            " (Cargo.toml:2)",
        ),
        (
            "scripts/check",
            "set -e\ncoverage report --fail-under=90\n",
            "The build fails when less than 90% of the code is covered by tests (--fail-under=90,"
            " 90% coverage) (scripts/check:2)",
        ),
    ],
)
def test_what_a_tool_is_configured_to_enforce_is_a_sentence(state, path, text, sentence):
    assert sentence in state({path: text}).values()


def test_a_switched_off_setting_and_a_warning_say_nothing(state):
    found = state(
        {
            "pyproject.toml": "[tool.mypy]\nstrict = false\n",
            ".eslintrc.json": '{"rules": {"eqeqeq": "warn"}}',
            "pytest.ini": "[pytest]\nfilterwarnings = error::UserWarning\n",
        }
    )

    assert found == {}


def test_a_comment_in_ci_that_gives_a_reason_is_kept_and_a_version_is_not(state):
    workflow = """jobs:
  build:
    steps:
      # the cache must be off because the runner of Macs fails to restore it
      - run: make
      - uses: a/b@c0ffee # v1.2.3
"""
    found = state({".github/workflows/ci.yml": workflow})

    assert list(found.values()) == [
        "In CI (ci, job build): the cache must be off because the runner of Macs fails to restore"
        " it (.github/workflows/ci.yml:5)"
    ]
