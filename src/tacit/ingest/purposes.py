"""What a command is for: by the tool it runs, by the target it calls, by that target's name."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tacit.ingest.shell_lines import unwrapped, words_of
from tacit.ingest.task_runners import Target
from tacit.ingest.workflows import UNKNOWN
from tacit.observation import Purpose

DEEPEST = 4  # targets that call targets
# The first that matches the command itself, without what it is run within, tells.
TOOLS: tuple[tuple[Purpose, str], ...] = (
    (Purpose.RELEASE, r"twine upload|(?:npm|pnpm|yarn|cargo|uv|poetry|pdm|hatch|flit) publish"
        r"|goreleaser(?: release)?|gem push|semantic-release|changeset publish|np$|release-it"
        r"|mvn .*\b(?:deploy|release:\w+)|\S*gradlew? .*\bpublish\w*|cargo release|mix hex\.publish"),
    (Purpose.SETUP, r"uv sync|(?:uv )?pip3? install\b.*(?:\s-e\b|\s-r\b|--editable|--requirement|--group|\s['\"]?\.\S*)"
        r"|(?:poetry|pdm|pipenv|bundle|composer|rye|shards|conan) (?:install|sync)\b"
        r"|(?:npm|pnpm|yarn|bun) (?:install|ci|i)(?:\s+-\S+)*$|yarn(?: --\S+)*$|mix (?:deps\.get|setup)"
        r"|go mod download|go get (?:-\S+ )*\./\.\.\.|hatch env create|cargo fetch|flit install"),
    (Purpose.DOCS, r"sphinx-(?:auto)?build|mkdocs|zensical|typedoc|rdoc|yard(?:oc)?\b|cargo doc|mdbook|pdoc"
        r"|vitepress|docusaurus|mix docs|jsdoc|doxygen|antora|hugo|jekyll|watchfiles .*sphinx|make .*-C docs?\b|javadoc"),
    (Purpose.TYPES, r"mypy|dmypy|pyright|basedpyright|ty check|pyrefly|pytype|(?:vue-)?tsc\b.*--noEmit|tsd\b|flow check"
        r"|srb tc|steep check|mix dialyzer|attw|dtslint|vitest\b.*--typecheck|psalm|phpstan"),
    (Purpose.FORMAT, r"ruff format|black|isort|prettier|gofmt|gofumpt|goimports|cargo fmt|rustfmt|mix format"
        r"|clang-format|dart format|php-cs-fixer|\S*gradlew? .*spotless\w*|mvn .*(?:spotless|fmt|formatter):\w+|dprint"
        r"|biome (?:format|check .*--(?:write|apply))|ruff check .*--fix|eslint .*--fix|rubocop .*-[aA]\b|yapf|autopep8|golangci-lint fmt|standard --fix|xo --fix"),
    (Purpose.LINT, r"ruff(?: check)?\b|flake8|pylint|eslint|oxlint|xo\b|standard\b|golangci-lint|go vet|staticcheck|golint|revive"
        r"|cargo clippy|rubocop|standardrb|pre-commit run|prek run|biome (?:check|lint|ci)|ktlint|mix credo|phpcs|tslint|stylelint"
        r"|\S*gradlew? .*(?:checkstyle|detekt|lint)\w*|mvn .*checkstyle|rake rubocop|swiftlint|dart analyze|neostandard"),
    (Purpose.TEST, r"pytest|py\.test|unittest|nose2|stestr|trial\b|go test|gotestsum|richgo test|(?:cargo|cross) (?:nextest run|test)"
        r"|mocha|jest|vitest|ava\b|tap\b|borp|node .*--test\b|playwright test|cypress run|karma|jasmine|qunit|rspec|minitest|cucumber"
        r"|rails test|ruby .*-Itest|\S*mvnw? (?:\S+ )*(?:test|verify|integration-test)\b|\S*gradlew? (?:\S+ )*(?:test|check)\b|mix test|\S*phpunit|\S*pest\b"
        r"|dotnet test|ctest|swift test|flutter test|dart test|stack test|cabal test|deno test|bun test|sbt .*test|lein test"
        r"|busted|bats\b|zig build test|dune (?:runtest|test)|meson test|prove\b|python \S*(?:run)?tests?\S*\.py|django-admin test|python manage\.py test|uvu\b|tape\b|npm test|make (?:-\S+ )*(?:check|test)"),
    (Purpose.BUILD, r"(?:python -m )?build(?: -\S+)*$|pyproject-build|(?:uv|poetry|hatch|pdm|flit|maturin|go|cargo|dotnet|swift|zig|stack|dune|gem) build\b"
        r"|\S*mvnw? (?:\S+ )*(?:package|install|compile)\b|\S*gradlew? (?:\S+ )*(?:build|assemble)\b|rollup|webpack|esbuild|tsup|tsc\b|vite build|cmake --build|mix compile|ninja|meson compile|next build|unbuild|pkgroll|tsdown"),
    (Purpose.RUN, r"cargo run|go run|flask run|uvicorn|python manage\.py runserver|mix phx\.server|docker[ -]compose up|rails s\w*|next dev|vite$|\S*gradlew? .*bootRun"),
)  # fmt: skip
_TOOLS = tuple((purpose, re.compile(rf"(?:{pattern})(?=[\s:]|$)")) for purpose, pattern in TOOLS)
_NAMES: tuple[tuple[Purpose, str], ...] = (  # words of a target's name; any of them, in this order
    (Purpose.COVERAGE, "cov coverage"),
    (Purpose.DOCS, "docs doc html website documentation apidocs"),
    (Purpose.TYPES, "type types typing typecheck typechecking mypy pyright tsc"),
    (Purpose.RELEASE, "release publish"),
    (Purpose.FORMAT, "fmt format formatting fix prettier black autoformat reformat"),
)
_FIRST_NAMES: tuple[tuple[Purpose, str], ...] = (  # the first word of a target's name
    (Purpose.TEST, "test tests unittest unittests unit pytest spec specs testing"),
    (Purpose.LINT, "lint linting linter linters style flake8 ruff eslint rubocop clippy vet pre lints"),
    (Purpose.BUILD, "build compile dist package wheel assemble bundle"),
    (Purpose.SETUP, "install setup bootstrap deps dependencies requirements develop venv dev init"),
    (Purpose.RUN, "run start serve server"),
    (Purpose.CHECK, "all check checks ci verify precommit validate qa"),
)  # fmt: skip
_SAY_NOTHING = frozenset(("", "script", "scripts", "bin", "sh", "default", "cmd"))
_SAY_ALL = frozenset(  # several words that say no more than one would
    ("type check", "types check", "style fix", "docs build", "build docs", "docs serve", "lint fix",
     "test cov", "test coverage")
)  # fmt: skip
_PRIVATE = frozenset(
    "clean help debug profile bench benchmark fuzz stress nightly update upgrade random".split()
)
_CHECKS = re.compile(
    r":check\b|--check\b|--diff\b|--dry-run|-l\b|-d\b|--verify-no-changes|--set-exit-if-changed"
)
_SECONDARY = re.compile(
    r"(?<!--)\b(?:benchmark|bench|fuzz|miri|stress|wasm|doctest|linkcheck|smoke|nightly|e2e|msrv|min(?:imal)?\b|mindeps|lowest|integration|codspeed|memcheck|valgrind)"
)
_CALLS = (  # how a target of each runner is called
    ("make", re.compile(r"make(?: -[^C]\S*)*(?P<names>(?: [\w.][\w.-]*)*)$")),
    ("just", re.compile(r"just (?P<names>[\w:-]+)")),
    ("tox", re.compile(r"tox(?: r(?:un)?| p| run-parallel)?(?P<rest>(?: .*)?)$")),
    ("nox", re.compile(r"nox\b(?P<rest>.*)$")),
    ("npm", re.compile(r"(?:npm|pnpm|yarn|bun)(?: -s| --silent)? (?:run(?:-script)? )?(?P<names>[\w:.-]+)")),
    ("hatch", re.compile(r"hatch (?:run|-e \w+ run) (?:\+\S+ )*(?P<names>[\w:.-]+)")),
    ("pdm", re.compile(r"pdm (?:run )?(?P<names>[\w:.-]+)")),
    ("poe", re.compile(r"poe (?P<names>[\w:.-]+)")),
    ("task", re.compile(r"task (?P<names>[\w:.-]+)")),
    ("invoke", re.compile(r"inv(?:oke)? (?P<names>[\w:.-]+)")),
    ("rake", re.compile(r"rake(?: (?P<names>[\w:.-]+))?")),
    ("composer", re.compile(r"composer (?:run(?:-script)? )?(?P<names>[\w:.-]+)")),
    ("mix", re.compile(r"mix (?P<names>[\w.]+)")),
    ("script", re.compile(r"(?:\./)?(?P<names>[\w.-]+/[\w.-]+)")),
)  # fmt: skip
_TWO_WORDS = frozenset(
    "ruff go cargo cross npm mvn mix golangci-lint biome mkdocs uv poetry pip".split()
)
_VAGUE = (Purpose.RUN, Purpose.BUILD, Purpose.SETUP)
_TELLING = (Purpose.TEST, Purpose.LINT, Purpose.FORMAT, Purpose.TYPES, Purpose.DOCS, Purpose.CHECK)
_CHOSEN = re.compile(r"(?:-e|-s|--session|--sessions|-f)[ =](\S+)")
_NEEDS = (  # a tool, and the files at the root without which it is not this project's
    (re.compile(r"(?:npm|pnpm|yarn|bun|npx)\b"), ("package.json",)),
    (re.compile(r"(?:bundle|rake|gem)\b"), ("Gemfile", "Rakefile", "gems.rb")),
    (re.compile(r"(?:poetry|pdm|hatch|uv sync|rye)\b"), ("pyproject.toml",)),
    (re.compile(r"go (?:test|build|vet|mod|run)"), ("go.mod",)),
    (re.compile(r"(?:cargo|cross)\b"), ("Cargo.toml",)),
    (re.compile(r"(?:mvn|\./mvnw)\b"), ("pom.xml",)),
    (re.compile(r"(?:gradle|\./gradlew)\b"), ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")),
    (re.compile(r"mix\b"), ("mix.exs",)),
    (re.compile(r"(?:composer)\b"), ("composer.json",)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Use:
    """What a command does: for each purpose how well it fits, and the commands it comes down to."""

    fits: Mapping[Purpose, int] = field(default_factory=dict)
    runs: tuple[str, ...] = ()
    target: Target | None = None

    @property
    def tools(self) -> tuple[str, ...]:
        """Name the tools that it comes down to."""
        return tuple(dict.fromkeys(map(tool_of, self.runs)))


class Runners:
    """The targets of a project, found by how they are called."""

    def __init__(
        self, targets: Iterable[Target], files: Iterable[str], *, hooks_format: bool = False
    ) -> None:
        """Take the targets, the files of the project, and whether its hooks format code."""
        self._hooks_format = hooks_format
        self._targets: dict[tuple[str, str], Target] = {}
        for target in targets:
            self._targets.setdefault((target.runner, target.name), target)
        self._files = frozenset(files)

    def belongs(self, command: str) -> bool:
        """Tell whether a command can be of this project at all, by the files it needs."""
        return all(
            self._files.intersection(files)
            for words in (command, unwrapped(command))
            for tool, files in _NEEDS
            if tool.match(words)
        )

    def targets(self, runner: str = "") -> list[Target]:
        """Give all targets, or those of one runner."""
        return [one for one in self._targets.values() if runner in ("", one.runner)]

    def called(self, command: str) -> list[Target]:
        """Give the targets that a command calls."""
        for line in dict.fromkeys((unwrapped(command), command)):
            matches = ((runner, pattern.match(line)) for runner, pattern in _CALLS)
            found = [
                one for runner, match in matches if match for one in self._named(runner, match)
            ]
            if found:
                return found
        return []

    def _named(self, runner: str, match: re.Match[str]) -> list[Target]:
        if runner in ("tox", "nox"):
            return self._environments(runner, match["rest"])
        names = (match["names"] or "").split() or ["all", "default"]
        names += [f"default:{name}" for name in names]  # an environment of hatch
        return [self._targets[runner, name] for name in names if (runner, name) in self._targets]

    def _environments(self, runner: str, rest: str) -> list[Target]:
        """Give the environments of tox or sessions of nox that options choose; `…` may be any."""
        targets = self.targets(runner)
        found: list[Target] = []
        for option in _CHOSEN.finditer(rest):
            for name in option[1].split(","):
                glob = name.replace(UNKNOWN, "*")
                glob = f"*{glob}*" if option[0].startswith("-f") else glob.partition("(")[0] or glob
                named = [one for one in targets if fnmatch.fnmatchcase(one.name, glob)]
                if UNKNOWN in name:
                    named = [max(named, key=_newest)] if named else []
                # One that is not listed is like the one it shares most factors with.
                factors = set(name.split("-"))
                alike = [one for one in targets if factors.intersection(one.name.split("-"))]
                alike.sort(key=lambda one: -len(factors.intersection(one.name.split("-"))))
                found += named or alike[:1]
        return found

    def use(self, command: str, depth: int = DEEPEST) -> Use:
        """Tell what a command is for."""
        if called := self.called(command) if depth else []:
            uses = [self.of_target(target, depth - 1) for target in called]
            return Use(_highest(uses), _runs(uses), called[0])
        line = unwrapped(command)
        if line.startswith("build") and not re.search(r"-m build|pipx run|uvx|uv tool", command):
            return Use()  # some program of that name
        purpose = next((purpose for purpose, pattern in _TOOLS if pattern.match(line)), None)
        if purpose is None:
            # What the project's files do not define is judged by its name.
            script = re.fullmatch(r"hatch run ([\w:-]+)", command)
            purpose, plain = purpose_of_name(script[1]) if script else (None, False)
            return Use({purpose: 3 if plain else 2} if purpose else {})
        fits = {purpose: 3}
        if purpose is Purpose.FORMAT and _CHECKS.search(line):
            fits = {Purpose.FORMAT: 2, Purpose.LINT: 1}
        if purpose is Purpose.TEST and "--cov" in line:
            fits = {Purpose.TEST: 2, Purpose.COVERAGE: 3}
        if line.startswith(("pre-commit run", "prek run")) and self._hooks_format:
            fits[Purpose.FORMAT] = 2
        return Use(dict.fromkeys(fits, 1) if _SECONDARY.search(command) else fits, (line,))

    def of_target(self, target: Target, depth: int = DEEPEST) -> Use:
        """Tell what a target is for: by its name first, then by what it runs."""
        uses = [self.use(line, depth) for line in target.runs]
        inside = _highest(uses)
        named, plain = purpose_of_name(target.name)
        if (named is Purpose.CHECK and len(inside) < 2) or (named in _VAGUE and not plain):
            named = None
        if named is Purpose.LINT and inside.get(Purpose.FORMAT) == 3 and named not in inside:
            named = Purpose.FORMAT  # it mends rather than finds
        if len(inside) == 1:
            fits = dict(inside) if named is None else dict.fromkeys(inside, 1)
        else:
            many = 2 if named in (None, Purpose.CHECK) else 1
            fits = {
                purpose: min(inside[purpose], many) for purpose in _TELLING if purpose in inside
            }
        if inside.get(Purpose.FORMAT, 3) < 3:  # it only looks, whatever it is called
            fits[Purpose.FORMAT] = 1
            named = Purpose.LINT if named is Purpose.FORMAT else named
        if named:
            product = "install" in target.name and target.runs and Purpose.SETUP not in inside
            aside = (
                _SECONDARY.search(target.name)
                or (named is Purpose.COVERAGE and Purpose.TEST not in inside)
                or (named is Purpose.SETUP and product)  # it installs what others use
            )
            fits[named] = 1 if aside else 4 if plain else 3
        if _PRIVATE.intersection(re.split(r"[-_:./]", target.name)):
            fits = dict.fromkeys(fits, 1)
        return Use(fits, _runs(uses), target)


def _runs(uses: Iterable[Use]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(run for use in uses for run in use.runs))


def _highest(uses: Iterable[Use]) -> dict[Purpose, int]:
    fits: dict[Purpose, int] = {}
    for use in uses:
        for purpose, fit in use.fits.items():
            fits[purpose] = max(fit, fits.get(purpose, 0))
    return fits


def _newest(target: Target) -> tuple[bool, list[int], str]:
    """Order environments by the version in their name, plain ones last."""
    numbers = [int(number) for number in re.findall(r"\d+", target.name)]
    return not re.search(r"pypy|graal|\dt\b|min|low", target.name), numbers, target.name


def purpose_of_name(name: str) -> tuple[Purpose | None, bool]:
    """Tell what a target is for by its name, and whether that is all the name says."""
    words = [word for word in re.split(r"[-_:./]", name.lower()) if word not in _SAY_NOTHING]
    plain = len(set(words)) == 1 or " ".join(words) in _SAY_ALL
    for purpose, names in _NAMES:
        if not set(words).isdisjoint(names.split()):
            return purpose, plain
    for purpose, names in _FIRST_NAMES:
        if not set(words[:1]).isdisjoint(names.split()):
            return purpose, plain
    return None, False


def tool_of(line: str) -> str:
    """Name the tool that a command comes down to, with the word that says what it does."""
    words = words_of(line) or [""]
    first = words[0].rpartition("/")[2]
    second = next((word for word in words[1:] if not word.startswith("-")), "")
    return f"{first} {second}" if first in _TWO_WORDS and second else first
