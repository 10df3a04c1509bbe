"""Shell commands: what program a line runs, and what it is good for. Pure.

A line as agents type it (`cd app && mise run test 2>&1 | tail -30`) is reduced to the command
that matters (`mise run test`), so that the same command is the same at every run.
"""

from __future__ import annotations

import re

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
_WRAPPERS = frozenset("sudo time nice nohup command exec env timeout".split())
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
_PURPOSES = (
    ("format", re.compile(r"\b(?:fmt|format|gofmt|goimports|prettier|black|rustfmt|isort)\b")),
    (
        "lint",
        re.compile(
            r"\b(?:lint|eslint|ruff|flake8|pylint|golangci-lint|clippy|mypy|pyright|tsc|typecheck|vet|rubocop|shellcheck|staticcheck)\b|^cargo check\b"
        ),
    ),
    (
        "test",
        re.compile(
            r"\b(?:test|tests|pytest|unittest|jest|vitest|mocha|rspec|phpunit|ctest|nextest|tox|nox|check|e2e|spec)\b"
        ),
    ),
    (
        "install",
        re.compile(
            r"(?<![\w-])(?:install|setup|bootstrap)(?![\w-])|^(?:npm|pnpm|yarn|bun|uv|poetry|cargo|go|dotnet|composer|deno|pdm) (?:add|sync|restore|ci|get|i)$"
        ),
    ),
    ("deploy", re.compile(r"\b(?:deploy|release|publish|apply|rollout|ship)\b")),
    ("migrate", re.compile(r"\b(?:migrate|migration|migrations|alembic|seed)\b")),
    (
        "build",
        re.compile(
            r"\b(?:build|compile|webpack|tsup|assemble|package|generate|codegen)\b|(?<!^)\bbundle$|^make$|^vite$"
        ),
    ),
    ("run", re.compile(r"(?<![\w-])(?:run|start|serve|dev|up|runserver|preview)(?![\w-])")),
)
_QUOTED = r"'[^']*'?|\"(?:\\.|[^\"\\])*\"?"
_TOKEN = re.compile(
    rf"\\.|{_QUOTED}|\|\||&&|\d?[<>]&[\d-]?|&>>?|\|&?|[;\n&]|[^\\'\"|;&\n<>\d]+|.", re.S
)
_ENDS = frozenset(("&&", "||", ";", "\n", "&"))
_SCRIPTED = re.compile(r"<<|\$\(")
_TRAILING = re.compile(r"\s*(?:\d?>&\d|\d?>>?\s*\S+|&>>?\s*\S+|<\s*\S+)\s*$")
_ASSIGNMENT = re.compile(r"^(?:export\s+)?[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|\S*)(?:\s+|$)")
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
    words = _bare(line)
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


def _bare(line: str) -> list[str]:
    """Give the words of a command without the variables it is given and what it is wrapped in."""
    before = ""
    while before != line:
        before = line
        line = _ASSIGNMENT.sub("", line)
        first, _, rest = line.partition(" ")
        if first in _WRAPPERS:
            line = re.sub(
                r"^(?:\s*-\S+)*\s*(?:\d\S*\s+)?" if first == "timeout" else r"^\s+", "", rest
            )
    return line.split()


def _stem(words: list[str]) -> str:
    """Give program and subcommand, without options and what they are used on; empty for a snippet."""
    program = words[0].rsplit("/", 1)[-1]
    plain = [word for word in words[1:] if not word.startswith("-")]
    if _INTERPRETERS.match(program):
        return _interpreted(words)
    if program in _FETCH_AND_RUN and plain:
        return f"{words[0]} {_stem(words[words.index(plain[0], 1) :])}"
    if program in _SUBCOMMANDS or words[0] in _SUBCOMMANDS:
        if program in _RUN_OTHERS and len(plain) > 1 and plain[0] in ("run", "exec"):
            inner = _stem(words[words.index(plain[1], words.index(plain[0], 1) + 1) :])
            return f"{words[0]} {plain[0]} {inner}" if inner else ""
        more = plain[1:2] if plain[:1] and plain[0] in _RUNNERS else []
        if program in _TWO_WORDS:
            more = _named(plain[1:2])
        return " ".join([words[0], *plain[:1], *more])
    return " ".join([words[0], *_named(words[1:2])]) if _OWN.match(words[0]) else words[0]


def _interpreted(words: list[str]) -> str:
    """Give what an interpreter runs: a module, or a script and its subcommand."""
    if words[1:2] == ["-m"] and len(words) > 2:
        return f"{words[0]} -m {words[2]}"
    scripts = [place for place, word in enumerate(words) if place and not word.startswith("-")]
    if not scripts or {"-c", "-e", "-p", "-"} & set(words[1 : scripts[0] + 1]):
        return ""
    first = scripts[0]
    return " ".join([words[0], words[first], *_named(words[first + 1 : first + 2])])


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
    return next((name for name, pattern in _PURPOSES if pattern.search(said)), "")
