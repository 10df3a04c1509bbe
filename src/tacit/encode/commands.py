"""Shell commands: what program a line runs, and what it is good for. Pure.

A line as agents type it (`cd app && mise run test 2>&1 | tail -30`) is reduced to the command
that matters (`mise run test`), so that the same command is the same at every run.
"""

from __future__ import annotations

import re
from itertools import dropwhile

from tacit.value import Value

LONGEST = 160  # characters; a longer line is a script, not a command to remember
LONGEST_READ = 4000

# Only shows something: worth nothing as a memory, and never the step of a routine.
_LOOKING = frozenset(
    "cat ls cd pwd echo head tail wc find grep rg ag sed awk less more which whereis file stat du df tree "
    "sort uniq cut tr xargs printf true false sleep date env export set unset test kill pkill ps top lsof jobs "
    "history man type alias clear touch mkdir rm cp mv ln chmod chown diff cmp tee read source . [ [[ jq yq pushd popd wait".split()
)
_LOOKING_GIT = frozenset(
    "status log diff show branch remote rev-parse ls-files blame reflog config stash fetch cat-file describe".split()
)
_SCRIPTING = frozenset("if then else elif fi for while until do done case esac function".split())
_SUBCOMMANDS = frozenset(
    "git go npm pnpm yarn bun cargo docker kubectl uv poetry pip pip3 mise make just task gh terraform rails rake mix "
    "dotnet gradle ./gradlew mvn bazel deno composer bundle helm aws gcloud az flyctl fly vercel ruff biome playwright "
    "prisma next vite nx turbo ng expo wrangler flask alembic hatch pdm pipenv brew cdk pulumi".split()
)
_TWO_WORDS = frozenset("gh aws gcloud az".split())  # a noun, then a verb
_RUNNERS = frozenset("run exec tool x compose".split())
_RUN_OTHERS = frozenset("uv poetry pipenv hatch pdm bundle pnpm".split())  # `uv run pytest`
_FETCH_AND_RUN = frozenset("npx bunx uvx pnpx".split())
_SCRIPT_RUNNERS = frozenset("npm pnpm yarn bun mise deno task just composer".split())
_OWN = re.compile(r"(?!.*bin/).*/")  # a script of the project; it may have subcommands
_INTERPRETERS = re.compile(r"^(?:python[\d.]*|node|ruby|php|perl|bash|sh|zsh|tsx|ts-node)$")

# The first that a stem names. Before them come commits and pushes, see `_purpose`.
_PURPOSES = {
    "format": r"\b(?:fmt|format|gofmt|goimports|prettier|black|rustfmt|isort)\b",
    "lint": r"\b(?:lint|eslint|ruff|flake8|pylint|golangci-lint|clippy|mypy|pyright|tsc|typecheck|vet|rubocop|shellcheck|staticcheck)\b|^cargo check\b",
    "test": r"\b(?:test|tests|pytest|unittest|jest|vitest|mocha|rspec|phpunit|ctest|nextest|tox|nox|check|e2e|spec)\b",
    "install": r"(?<![\w-])(?:install|setup|bootstrap)(?![\w-])|^(?:npm|pnpm|yarn|bun|uv|poetry|cargo|go|dotnet|composer|deno|pdm) (?:add|sync|restore|ci|get|i)$",
    "deploy": r"\b(?:deploy|release|publish|apply|rollout|ship)\b",
    "migrate": r"\b(?:migrate|migration|migrations|alembic|seed)\b",
    "build": r"\b(?:build|compile|webpack|tsup|assemble|package|generate|codegen)\b|(?<!^)\bbundle$|^make$|^vite$",
    "run": r"(?<![\w-])(?:run|start|serve|dev|up|runserver|preview)(?![\w-])",
}
_QUOTED = r"'[^']*'?|\"(?:\\.|[^\"\\])*\"?"
_TOKEN = re.compile(
    rf"\\.|{_QUOTED}|\|\||&&|\d?[<>]&[\d-]?|&>>?|\|&?|[;\n&]|[^\\'\"|;&\n<>\d]+|.", re.S
)
_ENDS = frozenset(("&&", "||", ";", "\n", "&"))
_SCRIPTED = re.compile(r"<<|\$\(")
_TRAILING = re.compile(r"\s*(?:\d?>&\d|\d?>>?\s*\S+|&>>?\s*\S+|<\s*\S+)\s*$")
# The variables a command is given and what it is wrapped in.
_BEFORE = re.compile(
    r"^(?:(?:export\s+)?[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|\S*)(?:\s+|$)|"
    r"(?:sudo|time|nice|nohup|command|exec|env)\s+|timeout(?:\s+-\S+)*\s+(?:\d\S*\s+)?)+"
)
_MESSAGE = re.compile(r"\s+(?:-\w*m\b|--message\b|-F\b).*", re.S)


class Command(Value):
    """A command that does something: as typed without pipes, its stem, and what it is for."""

    line: str
    stem: str  # program and subcommand: `go test`, `mise run lint`
    purpose: str  # test, lint, build, … or empty


def read_commands(typed: str) -> tuple[Command, ...]:
    """Give the commands of a shell line that do something, in order; looking around is left out."""
    scripted = _SCRIPTED.search(typed, 0, LONGEST_READ)
    pipelines = _pipelines(typed[: scripted.start() if scripted else LONGEST_READ])
    # What a script is handed to is no command, but a commit's message is often written so.
    unfinished = pipelines.pop() if scripted else []
    if sum(len(part) for parts in pipelines for part in parts) > 4 * LONGEST:
        return ()
    found: list[Command] = []
    for pipeline in pipelines:
        if any(part.split()[:1] and part.split()[0] in _SCRIPTING for part in pipeline):
            return ()
        command = next((one for one in map(_read, pipeline) if one is not None), None)
        if command is not None:
            found.append(command)
    if unfinished and (last := _read(unfinished[-1])) and last.purpose == "commit":
        found.append(last)
    return tuple(found)


def _pipelines(typed: str) -> list[list[str]]:
    """Cut a line at what joins its commands; quotes and continued lines are kept whole."""
    pipelines = [[""]]
    for token in _TOKEN.findall(typed.replace("\\\n", " ").strip()):
        if token in _ENDS:
            pipelines.append([""])
        elif token in ("|", "|&"):
            pipelines[-1].append("")
        else:
            pipelines[-1][-1] += token
    return pipelines


def _read(part: str) -> Command | None:
    line = part.strip()
    while (stripped := _TRAILING.sub("", line)) != line:
        line = stripped
    line = line.strip("(){} ")
    words = _BEFORE.sub("", line).split()
    if not words or not re.match(r"[\w./~@-]+$", words[0]):
        return None
    program = words[0].rsplit("/", 1)[-1]
    if program in _LOOKING or (program == "git" and words[1:2] and words[1] in _LOOKING_GIT):
        return None
    stem = _stem(words)
    purpose = _purpose(stem) if stem else ""
    line = " ".join((_MESSAGE.sub("", line) if purpose == "commit" else line).split())
    if not stem or len(line) > LONGEST:
        return None
    return Command(line=line, stem=stem, purpose=purpose)


def _stem(words: list[str]) -> str:
    """Give program and subcommand, without options and what they are used on; empty for a snippet."""
    program = words[0].rsplit("/", 1)[-1]
    rest = _from_plain(words[1:])
    if _INTERPRETERS.match(program):
        options = words[1 : len(words) - len(rest)]
        if options == ["-m"]:
            return " ".join([words[0], "-m", *rest[:1]])
        snippet = not rest or {"-c", "-e", "-p", "-"} & set(options)
        return "" if snippet else " ".join([words[0], rest[0], *_named(rest[1:2])])
    if program in _FETCH_AND_RUN and rest:
        return f"{words[0]} {_stem(rest)}"
    if program in _RUN_OTHERS and rest[:1] in (["run"], ["exec"]) and _from_plain(rest[1:]):
        inner = _stem(_from_plain(rest[1:]))
        return f"{words[0]} {rest[0]} {inner}" if inner else ""
    if program in _SUBCOMMANDS or words[0] in _SUBCOMMANDS:
        first, *more = [word for word in rest if not word.startswith("-")] or [""]
        known = _named(more[:1]) if program in _TWO_WORDS else more[: first in _RUNNERS]
        return " ".join([words[0], first, *known]).strip()
    return " ".join([words[0], *_named(words[1:2])]) if _OWN.match(words[0]) else words[0]


def _from_plain(words: list[str]) -> list[str]:
    """Give the words from the first that is no option."""
    return list(dropwhile(lambda word: word.startswith("-"), words))


def _named(words: list[str]) -> list[str]:
    """Give the words that can be names of subcommands, and not what those work on."""
    return [word for word in words if re.match(r"[a-z][\w:-]*$", word)]


def _purpose(stem: str) -> str:
    words = [word.rsplit("/", 1)[-1] for word in stem.split()]
    if words[:1] == ["git"]:
        return {"commit": "commit", "push": "push"}.get(words[-1], "")
    if words[:1] == ["gh"]:
        return "push" if words[1:] == ["pr", "create"] else ""
    if len(words) > 2 and words[0] in _SCRIPT_RUNNERS and words[1] == "run":
        del words[1]  # `npm run storybook` is not how to run it
    if "/" in stem.split()[0] and words[0] not in _SUBCOMMANDS and len(words) > 1:
        del words[0]  # a script is for what it is told: `./manage.py test`
    said = " ".join(words).replace(":", " ").replace("_", " ")
    return next((name for name, source in _PURPOSES.items() if re.search(source, said)), "")
