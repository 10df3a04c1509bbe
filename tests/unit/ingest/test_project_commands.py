import pytest

from tacit.ingest.project_commands import commands_of
from tacit.observation import ProjectCommand, Purpose


def _commands(files: dict[str, str]) -> dict[Purpose, ProjectCommand]:
    found = commands_of(tuple(files), files.get)
    return {one.purpose: one for one in found}


def _lines(files: dict[str, str]) -> dict[Purpose, str]:
    return {purpose: one.line for purpose, one in _commands(files).items()}


CI = """
on: [push, pull_request]
jobs:
  tests:
    strategy:
      matrix:
        python: ['3.12', '3.11']
        os: [ubuntu-latest, windows-latest]
    steps:
      - uses: actions/checkout@v4
      - run: pip install tox
      - run: tox run -e py${{ matrix.python }}
  lint:
    steps:
      - run: tox run -e style
"""
TOX = """
[tox]
env_list = py3{11,12}, style, docs
[testenv]
commands = pytest {posargs}
[testenv:style]
commands =
    ruff check src
[testenv:docs]
commands = sphinx-build -b html docs build
"""


def test_what_gates_in_ci_comes_before_manifests_guides_and_the_readme():
    files = {
        ".github/workflows/ci.yml": CI,
        "tox.ini": TOX.replace("py3{11,12}", "py3.{11,12}"),
        "CONTRIBUTING.md": "Run the tests:\n\n```sh\npytest -n auto\n```\n",
        "README.md": "Run `python -m unittest` to test.\n",
        "tests/test_units.py": "",
    }

    found = _commands(files)

    test = found[Purpose.TEST]
    assert (test.line, test.source, test.trust) == (
        "tox run -e py3.12",
        ".github/workflows/ci.yml:12",
        4,
    )
    assert "pytest -n auto (CONTRIBUTING.md:4)" in test.others
    assert found[Purpose.LINT].line == "tox run -e style"
    assert found[Purpose.DOCS].line == "tox run -e docs"
    assert found[Purpose.TEST_ONE].line == "tox run -e py3.12 -- tests/test_units.py -k NAME"


@pytest.mark.parametrize(
    ("files", "purpose", "line"),
    [
        ({"go.mod": "module a\n", "a_test.go": ""}, Purpose.TEST, "go test ./..."),
        ({"Cargo.toml": "[package]\n", "src/lib.rs": ""}, Purpose.TEST_ONE, "cargo test NAME"),
        ({"pom.xml": "<p/>", "mvnw": ""}, Purpose.TEST, "./mvnw test"),
        ({"uv.lock": "", "pyproject.toml": ""}, Purpose.SETUP, "uv sync"),
        (
            {"package.json": '{"scripts": {"test": "vitest run"}}', "pnpm-lock.yaml": ""},
            Purpose.TEST,
            "pnpm test",
        ),
        (
            {"package.json": '{"scripts": {"types": "tsc --noEmit"}}'},
            Purpose.TYPES,
            "npm run types",
        ),
        ({"Makefile": "check-all: lint\nlint:\n\truff check .\n"}, Purpose.LINT, "make lint"),
        ({"justfile": "fmt:\n    cargo fmt\n", "Cargo.toml": ""}, Purpose.FORMAT, "just fmt"),
        (
            {"Taskfile.yml": "tasks:\n  test:\n    cmds: [go test ./...]\n", "go.mod": ""},
            Purpose.TEST,
            "task test",
        ),
        (
            {"noxfile.py": "@nox.session\ndef docs(s):\n    s.run('sphinx-build', 'docs')\n"},
            Purpose.DOCS,
            "nox -s docs",
        ),
        (
            {"tasks.py": "@task\ndef test(c):\n    c.run('pytest')\n"},
            Purpose.TEST,
            "invoke test",
        ),
        (
            {"pyproject.toml": '[tool.hatch.envs.types.scripts]\ncheck = "mypy src"\n'},
            Purpose.TYPES,
            "hatch run types:check",
        ),
        (
            {"Rakefile": "RSpec::Core::RakeTask.new(:spec)\n", "Gemfile": ""},
            Purpose.TEST,
            "bundle exec rake spec",
        ),
        ({"script/test": "#!/bin/sh\nset -e\nprove -r t\n"}, Purpose.TEST, "script/test"),
        (
            {
                "scripts/test": "#!/bin/sh\ncoverage run $options -m pytest $@\n",
                "tests/test_a.py": "",
            },
            Purpose.TEST_ONE,
            "scripts/test tests/test_a.py -k NAME",
        ),
        ({"README.md": "    make check\n"}, Purpose.TEST, "make check"),
        (
            {"Makefile": "test:\n\t$(MAKE) unit\nunit:\n\tgo test ./...\n", "go.mod": "module a\n"},
            Purpose.TEST_ONE,
            "go test ./... -run NAME",
        ),
        ({".gitlab-ci.yml": "unit:\n  script:\n    - pytest -q\n"}, Purpose.TEST, "pytest -q"),
        (
            {".circleci/config.yml": "jobs:\n  a:\n    steps:\n      - run: {command: mypy src}\n"},
            Purpose.TYPES,
            "mypy src",
        ),
    ],
)
def test_each_kind_of_project_says_how_it_is_worked_on(
    files: dict[str, str], purpose: Purpose, line: str
):
    assert _lines(files)[purpose] == line


def test_a_matrix_that_names_the_session_gives_each_of_them():
    files = {
        ".github/workflows/ci.yml": (
            "on: pull_request\njobs:\n  all:\n    strategy:\n      matrix:\n        include:\n"
            "          - {job: unit}\n          - {job: mypy}\n    steps:\n"
            "      - run: nox -s ${{ matrix.job }}\n"
        ),
        "noxfile.py": (
            "@nox.session\ndef unit(s):\n    s.run('pytest')\n"
            "@nox.session\ndef mypy(s):\n    s.run('mypy', 'src')\n"
        ),
    }

    found = _lines(files)

    assert (found[Purpose.TEST], found[Purpose.TYPES]) == ("nox -s unit", "nox -s mypy")


def test_a_reusable_workflow_and_a_local_action_are_read_where_they_are_called():
    files = {
        ".github/workflows/ci.yml": (
            "on: push\njobs:\n  t:\n    uses: ./.github/workflows/shared.yml\n"
            "    with: {flags: --slow}\n"
        ),
        ".github/workflows/shared.yml": (
            "on: workflow_call\njobs:\n  t:\n    steps:\n      - uses: ./.github/actions/prepare\n"
            "      - run: pytest ${{ inputs.flags }}\n"
        ),
        ".github/actions/prepare/action.yml": (
            "runs:\n  using: composite\n  steps:\n    - run: pip install -e .\n"
        ),
    }

    found = _commands(files)

    assert found[Purpose.TEST].line == "pytest --slow"
    assert found[Purpose.TEST].trust == 4
    assert found[Purpose.SETUP].source == ".github/actions/prepare/action.yml:4"


def test_other_projects_are_left_alone():
    ci = (
        "on: push\njobs:\n  ours:\n    steps:\n      - run: cargo test\n"
        "      - run: npm test\n        working-directory: site\n"
        "  theirs:\n    steps:\n      - uses: actions/checkout@v4\n"
        "        with: {repository: someone/else}\n      - run: pytest\n"
    )
    files = {".github/workflows/ci.yml": ci, "examples/Makefile": "lint:\n\tflake8\n"}

    assert _lines(files | {"README.md": ""}) == {}  # without a Cargo.toml cargo is not ours
    assert _lines(files | {"Cargo.toml": ""})[Purpose.TEST] == "cargo test"


def test_the_plain_form_is_shown_where_ci_runs_a_variant_of_it():
    files = {
        "package.json": '{"scripts": {"test": "mocha test", "test-ci": "nyc npm test"}}',
        ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: npm run test-ci\n",
    }

    test = _commands(files)[Purpose.TEST]

    assert test.line == "npm test"
    assert test.others == ("npm run test-ci (.github/workflows/ci.yml:5)",)


def test_a_script_that_mends_is_for_formatting_and_one_that_looks_for_checking():
    files = {
        "scripts/check": "#!/bin/sh\nruff format --check src\nmypy src\nruff check src\n",
        "scripts/lint": "#!/bin/sh\nruff check --fix src\nruff format src\n",
        ".github/workflows/ci.yml": "on: push\njobs:\n  a:\n    steps:\n      - run: scripts/check\n",
    }

    found = _lines(files)

    assert found[Purpose.FORMAT] == "scripts/lint"
    assert found[Purpose.LINT] == found[Purpose.TYPES] == "scripts/check"


def test_a_target_that_only_looks_formats_nothing_whatever_it_is_called():
    looks = "fmt:\n\t@test -z $(shell gofmt -l .) || (gofmt -d .; exit 1)\n"

    assert Purpose.FORMAT not in _lines({"Makefile": looks})
    assert _lines({"Makefile": looks})[Purpose.LINT] == "make fmt"
    assert _lines({"Makefile": "fmt:\n\tgofmt -w .\n"})[Purpose.FORMAT] == "make fmt"


def test_how_a_release_is_made_is_a_page_or_what_starts_the_publishing():
    files = {".github/workflows/publish.yml": "on:\n  push:\n    tags: ['*']\njobs: {}\n"}

    assert _lines(files)[Purpose.RELEASE] == "pushing a tag runs .github/workflows/publish.yml"
    assert _lines({"RELEASING.md": "..."})[Purpose.RELEASE] == "see RELEASING.md"


def test_files_that_are_broken_say_nothing():
    files = {
        ".github/workflows/ci.yml": "on: [push\njobs: {",
        "package.json": "{",
        "pyproject.toml": "[tool",
        "noxfile.py": "def (",
        "tox.ini": "no section",
        "Taskfile.yml": "- : :",
    }

    assert _lines(files) == {}
