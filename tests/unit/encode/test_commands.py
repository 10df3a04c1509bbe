"""Shell lines: the commands that matter, their stems, and what they are for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.commands import LONGEST, read_commands


@pytest.mark.parametrize(
    ("typed", "line", "stem", "purpose"),
    [
        ("cd app && mise run test 2>&1 | tail -30", "mise run test", "mise run test", "test"),
        ("go test ./... -run 'TestA|TestB' -v", "go test ./... -run 'TestA|TestB' -v", "go test", "test"),
        ('go test -run "a; b && c" | grep x', 'go test -run "a; b && c"', "go test", "test"),
        ("CI=1 NAME='a b' uv run pytest -q > out.txt", "CI=1 NAME='a b' uv run pytest -q", "uv run pytest", "test"),
        ("uv run python -m pytest", "uv run python -m pytest", "uv run python -m pytest", "test"),
        ("timeout 60 pytest -x", "timeout 60 pytest -x", "pytest", "test"),
        ("python manage.py test shop", "python manage.py test shop", "python manage.py test", "test"),
        (".venv/bin/pytest tests", ".venv/bin/pytest tests", ".venv/bin/pytest", "test"),
        ("(cd web && npm test)", "npm test", "npm test", "test"),
        ("npx playwright test", "npx playwright test", "npx playwright test", "test"),
        ("env A=1 make build", "env A=1 make build", "make build", "build"),
        ("make", "make", "make", "build"),
        ("make deploy", "make deploy", "make deploy", "deploy"),
        ("cargo build --release", "cargo build --release", "cargo build", "build"),
        ("npm run test:unit", "npm run test:unit", "npm run test:unit", "test"),
        ("npm ci", "npm ci", "npm ci", "install"),
        ("bundle install", "bundle install", "bundle install", "install"),
        ("bundle exec rspec", "bundle exec rspec", "bundle exec rspec", "test"),
        ("ruff check .", "ruff check .", "ruff check", "lint"),
        ("ruff format .", "ruff format .", "ruff format", "format"),
        ("cargo check", "cargo check", "cargo check", "lint"),
        ("go run ./cmd/shop list", "go run ./cmd/shop list", "go run ./cmd/shop", "run"),
        ("docker compose up -d", "docker compose up -d", "docker compose up", "run"),
        ("sleep 3 & make serve", "make serve", "make serve", "run"),
        ("poetry run python manage.py migrate", "poetry run python manage.py migrate", "poetry run python manage.py migrate", "migrate"),
        ("git push -u origin topic", "git push -u origin topic", "git push", "push"),
        ("gh pr create --fill", "gh pr create --fill", "gh pr create", "push"),
        ("echo y | npx create-shop", "npx create-shop", "npx create-shop", ""),
        ("npm run storybook", "npm run storybook", "npm run storybook", ""),
        ("git add -A", "git add -A", "git add", ""),
        ("git check-ref-format x", "git check-ref-format x", "git check-ref-format", ""),
        ("gh run view 12", "gh run view 12", "gh run view", ""),
        ("gh api repos/a/b --jq '.[] | .id'", "gh api repos/a/b --jq '.[] | .id'", "gh api", ""),
        ("kubectl get pods", "kubectl get pods", "kubectl get", ""),
        ("tools/test-farm/farm.sh stop-all", "tools/test-farm/farm.sh stop-all", "tools/test-farm/farm.sh stop-all", ""),
        ("./farm.sh /tmp/x", "./farm.sh /tmp/x", "./farm.sh", ""),
        ("go build \\\n  ./cmd/shop", "go build ./cmd/shop", "go build", "build"),
    ],
)  # fmt: skip
def test_one_command_is_read(typed, line, stem, purpose):
    [command] = read_commands(typed)

    assert (command.line, command.stem, command.purpose) == (line, stem, purpose)


def test_commands_keep_their_order_and_looking_around_is_left_out():
    typed = "git status; npm run lint && npm test || true\nls -la && git push"

    assert [command.stem for command in read_commands(typed)] == [
        "npm run lint",
        "npm test",
        "git push",
    ]


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "ls -la | head",
        "git log --oneline | cat",
        "cat <<'EOF' > a.txt\nmake test\nEOF",
        "docker compose exec db psql <<'SQL'\nselect 1\nSQL",
        "npm test -- $(cat list.txt)",
        "python - <<'EOF'\nimport shop\nEOF",
        "python -c 'import shop; shop.test()'",
        "VERSION=$(git describe) make release",
        "for f in *.go; do gofmt -w $f; done",
        "if make test; then make deploy; fi",
        "# make test",
        "X=1",
        "make " + "x" * LONGEST,
        " && ".join(f"make target-number-{n}" for n in range(60)),
    ],
)
def test_scripts_and_looking_around_give_nothing(typed):
    assert read_commands(typed) == ()


@pytest.mark.parametrize(
    "typed",
    [
        "git add -A && git commit -m \"$(cat <<'EOF'\nKeep the cart\n\nIt was lost; see make test\nEOF\n)\"",
        "git add -A && git commit -am 'Keep the cart; it was lost && more | less'",
        "git add -A && git commit -m '" + "long " * 100 + "'",
    ],
)
def test_a_commit_is_a_commit_however_its_message_is_written(typed):
    commands = read_commands(typed)

    assert [command.line for command in commands] == ["git add -A", "git commit"]
    assert commands[-1].purpose == "commit"


def test_the_same_command_has_the_same_stem_at_every_run():
    lines = [
        "go test ./a -v",
        "cd b && go test -run X ./b | tail",
        "FOO=1 go test ./... > log 2>&1",
    ]

    assert {command.stem for line in lines for command in read_commands(line)} == {"go test"}


@settings(max_examples=80)
@given(
    st.text(max_size=300)
    | st.lists(
        st.sampled_from(["git", "commit", "-m", '"', "'", "\\", "|", "&&", "\n", "$(", "<<", "npx", "timeout", "python", "-", "uv run", "make", "A=", "sudo"]),
        max_size=30,
    ).map(" ".join)
)  # fmt: skip
def test_any_line_is_read_without_error_and_within_bounds(typed):
    commands = read_commands(typed)

    assert commands == read_commands(typed)
    for command in commands:
        assert command.stem
        assert 0 < len(command.line) <= LONGEST
