"""Configuration is read key by key, with the line and the comment of each key."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.ingest.project_files import is_settings, read_project_files, read_settings
from tacit.observation import Setting


@pytest.fixture
def read(tmp_path):
    """Write one file and give its settings by key."""

    def read_file(name, text, counts=None):
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        found = read_settings(str(tmp_path), [name], Counter() if counts is None else counts)
        return {one.key if one.key[-1:] != ("[]",) else (*one.key, one.value): one for one in found}

    return read_file


TOML = '''
[tool.lint]  # of the shop
"line.length" = 90
rules.strict = true
text = """
[tool.other]
line = 1
"""
ignore = [
  "A1",  # it's a # name
  # B2 is slow
  "B2",
]
[[tool.lint.per]]
files = "a"
[[tool.lint.per]]
files = "b"  # only b
[tool.other]
line = 2
'''


def test_toml_has_the_line_and_the_comment_of_each_key_and_item(read):
    found = read("pyproject.toml", TOML)

    assert {key: (one.value, one.line, one.comment) for key, one in found.items()} == {
        ("tool", "lint", "line.length"): (90, 3, ""),
        ("tool", "lint", "rules", "strict"): (True, 4, ""),
        ("tool", "lint", "text"): ("[tool.other]\nline = 1\n", 5, ""),
        ("tool", "lint", "ignore"): (("A1", "B2"), 9, ""),
        ("tool", "lint", "ignore", "[]", "A1"): ("A1", 10, "it's a # name"),
        ("tool", "lint", "ignore", "[]", "B2"): ("B2", 12, "B2 is slow"),
        ("tool", "lint", "per", "0", "files"): ("a", 15, ""),
        ("tool", "lint", "per", "1", "files"): ("b", 17, "only b"),
        ("tool", "other", "line"): (2, 19, ""),
    }


def test_ini_has_sections_lists_and_keys_without_a_section(read):
    assert read(".npmrc", "; exact\nsave-exact=true\n")[("save-exact",)] == Setting(
        path=".npmrc", key=("save-exact",), value="true", line=2, comment="exact"
    )
    found = read("setup.cfg", "[flake8]\nignore =\n    E1\n    W2\nmax-line-length = 99\n")
    assert found[("flake8", "ignore")].value == ("E1", "W2")
    assert found[("flake8", "ignore", "[]", "W2")].line == 4
    assert found[("flake8", "max-line-length")].line == 5


def test_yaml_and_json_with_comments_have_lines_too(read):
    found = read(
        ".github/workflows/ci.yml", "jobs:\n  a:\n    # needed on Mac\n    env:\n      X: 1\n"
    )
    assert found[("jobs", "a", "env")].comment == "needed on Mac"
    assert found[("jobs", "a", "env", "X")].line == 5

    found = read("tsconfig.json", '{\n\t// all of it\n\t"strict": true,\n\t"lib": ["a", "b"],\n}\n')
    assert (found[("strict",)].line, found[("strict",)].comment) == (3, "all of it")
    assert found[("lib",)].value == ("a", "b")


def test_rules_of_a_script_are_read_where_they_are_plain_data(read):
    text = "export default [\n  other(),\n  { rules: {\n    'no-console': ['error', 'x'], // quiet\n  } },\n  { rules: { ...base } },\n];\n"

    found = read("eslint.config.js", text)

    one = found[("rules", "no-console")]
    assert (one.value, one.line, one.comment) == (("error", "x"), 4, "quiet")


def test_version_files_name_a_version(read):
    assert read(".nvmrc", "v20.1\n")[()].value == "20.1"
    assert read(".tool-versions", "# x\nnodejs 20\n")[("nodejs",)].line == 2


def test_only_the_root_project_and_its_workflows_are_read():
    assert is_settings("pyproject.toml")
    assert is_settings(".github/workflows/ci.yaml")
    assert not is_settings("examples/a/pyproject.toml")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "a = " + "[" * 50_000),
        ("package.json", "[" * 50_000),
        (".eslintrc.yml", "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n"),
        ("setup.cfg", "no section\n[a\n"),
        (".rubocop.yml", "a: !!python/name:os.system x\n"),
    ],
)
def test_what_is_broken_or_a_bomb_is_counted_and_ends_nothing(read, name, text):
    assert len(read(name, text)) < 50


def test_texts_are_those_that_say_what_a_project_is(tmp_path):
    for name in ("README.md", "CHANGES.rst", "other.md"):
        (tmp_path / name).write_text("text")

    found = read_project_files(str(tmp_path), ["README.md", "CHANGES.rst", "other.md"], Counter())

    assert dict(found.texts) == {"README.md": "text", "CHANGES.rst": "text"}


@given(
    st.sampled_from(
        ["pyproject.toml", "setup.cfg", "package.json", ".golangci.yml", "eslint.config.js"]
    ),
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    "[a]\n",
                    "a = 1\n",
                    "rules: {",
                    "}",
                    "- x\n",
                    "#c\n",
                    '"""',
                    "'",
                    "a:\n",
                    "[[b]]\n",
                ]
            ),
            st.text(max_size=6),
        ),
        max_size=20,
    ),
)
@settings(max_examples=100, deadline=None)
def test_any_text_is_read_without_failing(name, parts):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text("".join(parts), encoding="utf-8", newline="")
        for one in read_settings(folder, [name], Counter()):
            assert one.line >= 0
