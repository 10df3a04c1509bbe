"""Every command that the files of a project state, with who says so and what it is for.

Continuous integration is read first, then manifests and what usually goes with them, then guides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tacit.ingest.purposes import Runners, Use
from tacit.ingest.shell_lines import guides_of, quoted_commands
from tacit.ingest.tables import Read, line_of, tables, yaml_table
from tacit.ingest.task_runners import is_task_file, read_targets
from tacit.ingest.workflows import UNKNOWN, Workflow, is_workflow, read_workflows
from tacit.observation import Purpose

GATES, BY_CI, MANIFEST, GUIDE, README = 4, 3, 2, 1, 0  # who says so: what a command is trusted by
_HOOKS = ".pre-commit-config.yaml"
_VARIABLES = re.compile(r"^(?:\w+=\S*\$\S*\s+|(?:RICHGO|FORCE|CI|NO)_?\w*=\S*\s+)+")
_ONLY_IN_CI = re.compile(
    r"\s--(?:locked|frozen|no-progress|no-default-groups|batch-mode|no-transfer-progress|show-version"
    r"|show-diff-on-failure|no-audit|no-fund|prefer-offline|ignore-scripts|installpkg (?:`[^`]*`|\S+)|group dev|verbose|immutable|frozen-lockfile"
    r"|retry[= ]\d+|jobs[= ]\d+|ci|color[= ]\S+|include=dev|system)(?=\s|$)"
)
_REDIRECTED = re.compile(r"\s*\d?>{1,2}\s*\S+.*$")
_READ_FROM_FILE = re.compile(r"\$\(cat [\w./-]+\)")
_UNKNOWN = re.compile(rf"{UNKNOWN}|\"\"|\$\(|\$\{{?\w|`|<[a-z]")
_IN_README = frozenset((Purpose.TEST, Purpose.SETUP))  # the rest is how the product is used
_PYTHON_RUN = (("uv.lock", "uv run "), ("poetry.lock", "poetry run "), ("pdm.lock", "pdm run "))
# What a file at the root says by being there, where it holds a word.
_USUAL = (
    ("uv.lock", "uv sync", ""),
    ("poetry.lock", "poetry install", ""),
    ("pdm.lock", "pdm install", ""),
    ("pnpm-lock.yaml", "pnpm install", ""),
    ("yarn.lock", "yarn install", ""),
    ("bun.lock", "bun install", ""),
    ("package-lock.json", "npm ci", ""),
    ("package.json", "npm install", "ependencies"),
    ("Gemfile", "bundle install", ""),
    ("composer.json", "composer install", ""),
    ("mix.exs", "mix deps.get", ""),
    ("go.mod", "go test ./...", ""),
    ("Cargo.toml", "cargo test", ""),
    ("pom.xml", "mvn test", ""),
    ("build.gradle", "gradle test", ""),
    ("build.gradle.kts", "gradle test", ""),
    ("settings.gradle.kts", "gradle test", ""),
    ("mix.exs", "mix test", ""),
    (".rspec", "bundle exec rspec", ""),
    ("phpunit.xml.dist", "vendor/bin/phpunit", ""),
    ("pyproject.toml", "pytest", "[tool.pytest"),
    ("setup.cfg", "pytest", "[tool:pytest]"),
    ("pytest.ini", "pytest", ""),
    ("Package.swift", "swift test", ""),
    ("build.zig", "zig build test", ""),
    ("stack.yaml", "stack test", ""),
    ("go.mod", "go build ./...", ""),
    ("Cargo.toml", "cargo build", ""),
    ("Cargo.toml", "cargo fmt", ""),
    ("pom.xml", "mvn package", ""),
    ("build.gradle", "gradle build", ""),
    ("build.gradle.kts", "gradle build", ""),
    ("mkdocs.yml", "mkdocs serve", ""),
    ("pyproject.toml", "mypy", "[tool.mypy]\nfiles"),
    ("pyproject.toml", "python -m build", "[build-system]"),
    (_HOOKS, "pre-commit run --all-files", "repos:"),
)
_USUAL_FILES = frozenset(path for path, _, _ in _USUAL)


@dataclass(frozen=True, slots=True)
class Found:
    """A command that some source states, before it is chosen."""

    line: str
    source: str
    trust: int
    use: Use

    def fit(self, purpose: Purpose) -> int:
        """Tell how well it fits a purpose, from 0 to 4."""
        return self.use.fits.get(purpose, 0)


def states_commands(path: str) -> bool:
    """Tell whether a file may say how the project is worked on."""
    action = path.startswith(".github/actions/") and path.endswith((".yml", ".yaml"))
    known = path in _USUAL_FILES or is_workflow(path) or is_task_file(path)
    return known or action or bool(guides_of([path]))


def stated_commands(
    paths: Sequence[str], read: Read
) -> tuple[list[Found], Runners, list[Workflow]]:
    """Give the commands that the files of a project state, the surest first, and their sources."""
    repos = tables(yaml_table(read(_HOOKS) or "").get("repos"))
    hooks = " ".join(str(hook.get("id")) for repo in repos for hook in tables(repo.get("hooks")))
    formats = re.search(r"format|black|prettier|fmt|isort|pretty", hooks) is not None
    runners = Runners(read_targets(paths, read), paths, hooks_format=formats)
    workflows = read_workflows(paths, read)
    found = list(_of_ci(workflows, runners))
    found += _of_manifests(paths, read, runners, _prefixes(found))
    found += _of_guides(paths, read, runners)
    return found, runners, workflows


def is_open(line: str) -> bool:
    """Tell whether a command holds what only a run would know."""
    return _UNKNOWN.search(_READ_FROM_FILE.sub("", line)) is not None


def run_by_lock(paths: Iterable[str]) -> str:
    """Give what a Python tool is called within, by the lock file of the project: `uv run `."""
    return next((call for lock, call in _PYTHON_RUN if lock in paths), "")


def _of_ci(workflows: Iterable[Workflow], runners: Runners) -> Iterator[Found]:
    """Give what CI runs, and what the targets are that it calls."""
    seen: set[str] = set()
    for step in (step for workflow in workflows for step in workflow.steps):
        line = _typed(step.line)
        use = runners.use(line)
        resolved = _resolved(line, use)
        shape = re.sub(r"\d+", "0", line)
        if is_open(resolved) or shape in seen or not runners.belongs(line):
            continue
        seen.add(shape)
        yield Found(resolved, step.source, GATES if step.gates else MANIFEST, use)
        for name in (name for target in runners.called(line) for name in target.runs):
            for inner in runners.called(name):
                yield Found(inner.call, inner.source, BY_CI, runners.of_target(inner))


def _typed(line: str) -> str:
    """Give a line of CI as a person would type it."""
    line = re.sub(r"(hatch run) (?:\+\S+ )+", r"\1 ", _VARIABLES.sub("", line))
    line = re.sub(r"\"([\w.=-]+)\"|\s-v{2,}$", lambda match: match[1] or "", line)
    return _ONLY_IN_CI.sub("", _REDIRECTED.sub("", line)).strip()


def _resolved(line: str, use: Use) -> str:
    """Put the target that was found in the place of what only a run knows."""
    if use.target and re.fullmatch(r"npm run \S+", line):
        return use.target.call
    return re.sub(rf"\S*{UNKNOWN}\S*", use.target.name, line) if use.target else line


def _prefixes(found: Iterable[Found]) -> dict[str, str]:
    """Give what tox and nox are called within, as CI does: `uv run `."""
    made: dict[str, str] = {}
    for one in found:
        target = one.use.target
        if one.trust == GATES and target and target.runner in ("tox", "nox"):
            before = re.match(rf"(.*?\s|){target.runner}(?= (?:run|r|p|-\w)\b)", one.line)
            made.setdefault(target.runner, before[1] if before else "")
    return made


def _of_manifests(
    paths: Sequence[str], read: Read, runners: Runners, prefixes: Mapping[str, str]
) -> Iterator[Found]:
    for target in runners.targets():
        if not target.name.startswith(("_", ".")) and ":_" not in target.name:
            line = f"{prefixes.get(target.runner, '')}{target.call}"
            yield Found(line, target.source, MANIFEST, runners.of_target(target))
    known = set(paths)
    for path, line, word in _USUAL:
        if path not in known or (word and word not in (read(path) or "")):
            continue
        line = line.replace("mvn ", "./mvnw ") if "mvnw" in known else line
        line = line.replace("gradle ", "./gradlew ") if "gradlew" in known else line
        line = f"{run_by_lock(known)}{line}" if line in ("pytest", "mypy") else line
        use = runners.use(line)
        usual = Use({purpose: min(fit, 2) for purpose, fit in use.fits.items()}, use.runs)
        yield Found(line, f"{path}:{line_of(read(path) or '', word)}", MANIFEST, usual)


def _of_guides(paths: Sequence[str], read: Read, runners: Runners) -> Iterator[Found]:
    for path, trust in guides_of(paths):
        for number, line in quoted_commands(path, read(path) or ""):
            use = runners.use(line)
            shown = trust > README or use.target or _IN_README & set(use.fits)
            if use.fits and shown and not is_open(line) and runners.belongs(line):
                yield Found(line, f"{path}:{number}", trust, use)
