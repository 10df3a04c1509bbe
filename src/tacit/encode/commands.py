"""Shell commands: what program a line runs, and what it is good for. Pure.

A line as agents type it (`cd app && mise run test 2>&1 | tail -30`) is reduced to the command
that matters (`mise run test`), so that the same command is the same at every run.
"""

from __future__ import annotations

import re

from tacit.value import Value

LONGEST = 160  # characters; a longer line is a script, not a command to remember

# Only shows something: worth nothing as a memory, and never the step of a routine.
_LOOKING = frozenset(
    "cat ls cd pwd echo head tail wc find grep rg ag sed awk less more which whereis file stat du df tree "
    "sort uniq cut tr xargs printf true false sleep date env export set unset test kill pkill ps top lsof jobs "
    "history man type alias clear touch mkdir rm cp mv ln chmod chown diff cmp tee read source . [ [[ jq yq".split()
)
_LOOKING_GIT = frozenset(
    "status log diff show branch remote rev-parse ls-files blame reflog config stash fetch cat-file describe".split()
)
_WRAPPERS = frozenset("sudo time nice nohup command exec env".split())
_SUBCOMMANDS = frozenset(
    "git go npm pnpm yarn bun cargo docker kubectl uv poetry pip mise make just task gh terraform rails rake mix "
    "dotnet gradle ./gradlew mvn bazel deno composer bundle helm aws gcloud az flyctl vercel".split()
)
_RUNNERS = frozenset("run exec tool x compose".split())

_PURPOSES = (
    ("commit", re.compile(r"^git commit\b")),
    ("push", re.compile(r"^git push\b|^gh pr create\b")),
    (
        "test",
        re.compile(
            r"\b(?:test|tests|pytest|unittest|jest|vitest|mocha|rspec|phpunit|ctest|nextest|tox|nox|check|e2e|spec)\b"
        ),
    ),
    (
        "lint",
        re.compile(
            r"\b(?:lint|eslint|ruff|flake8|pylint|golangci-lint|clippy|mypy|pyright|tsc|typecheck|vet|rubocop|shellcheck|staticcheck)\b"
        ),
    ),
    ("format", re.compile(r"\b(?:fmt|format|gofmt|prettier|black|rustfmt|isort)\b")),
    (
        "build",
        re.compile(
            r"\b(?:build|compile|make|webpack|vite|tsup|bundle|assemble|package|generate|codegen)\b"
        ),
    ),
    ("install", re.compile(r"\b(?:install|sync|ci|restore|get|setup|bootstrap|add)\b")),
    ("deploy", re.compile(r"\b(?:deploy|release|publish|apply|rollout|ship)\b")),
    ("run", re.compile(r"\b(?:run|start|serve|dev|up|runserver|preview)\b")),
    ("migrate", re.compile(r"\b(?:migrate|migration|upgrade|alembic|prisma|seed)\b")),
)
_SEPARATOR = re.compile(r"\s*(?:&&|\|\||;|\n)\s*")
_TRAILING = re.compile(r"\s*(?:\d?>&\d|\d?>>?\s*\S+|&>\s*\S+|<\s*\S+)\s*$")
_ASSIGNMENT = re.compile(r"^(?:export\s+)?[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|\S*)(?:\s+|$)")


class Command(Value):
    """A command that does something: as typed without pipes, its stem, and what it is for."""

    line: str
    stem: str  # program and subcommand: `go test`, `mise run lint`
    purpose: str  # test, lint, build, … or empty


def read_commands(typed: str) -> tuple[Command, ...]:
    """Give the commands of a shell line that do something, in order; looking around is left out."""
    if len(typed) > 4 * LONGEST or "<<" in typed or "$(" in typed:
        return ()
    found: list[Command] = []
    for part in _SEPARATOR.split(typed.strip()):
        command = _read(part)
        if command is not None:
            found.append(command)
    return tuple(found)


def _read(part: str) -> Command | None:
    line = part.split("|", 1)[0].strip()
    while (stripped := _TRAILING.sub("", line)) != line:
        line = stripped
    line = line.strip("() ")
    bare = line
    while match := _ASSIGNMENT.match(bare):
        bare = bare[match.end() :]
    words = bare.split()
    while words and words[0] in _WRAPPERS:
        words = words[1:]
    if not words or len(line) > LONGEST or not re.match(r"[\w./~@-]+$", words[0]):
        return None
    program = words[0].rsplit("/", 1)[-1]
    if program in _LOOKING or (program == "git" and words[1:2] and words[1] in _LOOKING_GIT):
        return None
    stem = _stem(words)
    return Command(line=" ".join(line.split()), stem=stem, purpose=_purpose(stem))


def _stem(words: list[str]) -> str:
    """Give program and subcommand, without options and what they are used on."""
    kept = [words[0]]
    rest = [word for word in words[1:] if not word.startswith("-")]
    program = words[0].rsplit("/", 1)[-1]
    if program.startswith("python") and words[1:2] == ["-m"] and len(words) > 2:
        return f"{words[0]} -m {words[2]}"
    if program in _SUBCOMMANDS or words[0] in _SUBCOMMANDS:
        kept += rest[: 2 if rest and rest[0] in _RUNNERS else 1]
    elif program in ("npx", "bunx", "uvx", "pnpx"):
        kept += rest[:1]
    return " ".join(kept)


def _purpose(stem: str) -> str:
    words = stem.replace(":", " ").replace("_", " ")
    return next((name for name, pattern in _PURPOSES if pattern.search(words)), "")
