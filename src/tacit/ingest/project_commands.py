"""The commands of a project, one for each purpose, by what its files say. Nothing is run.

What gates in continuous integration comes before what a manifest offers, that before what a
guide says, that before the README. Where two differ, the other one is kept beside it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tacit.ingest.purposes import Runners, Use, purpose_of_name
from tacit.ingest.reading import clean_many, read_text
from tacit.ingest.shell_lines import guides_of, quoted_commands, unwrapped
from tacit.ingest.tables import line_of, tables, yaml_table
from tacit.ingest.task_runners import is_task_file, read_targets
from tacit.ingest.workflows import UNKNOWN, Workflow, is_workflow, read_workflows
from tacit.observation import ProjectCommand, Purpose

LARGEST = 256 << 10  # bytes of one file
GATES, BY_CI, MANIFEST, GUIDE, README = 4, 3, 2, 1, 0
MOST_OTHERS = 2
NOTE_CHARS = 70
_HOOKS = ".pre-commit-config.yaml"
_ONLY_IN_CI = re.compile(
    r"\s--(?:locked|frozen|no-progress|no-default-groups|batch-mode|no-transfer-progress|show-version"
    r"|show-diff-on-failure|no-audit|no-fund|prefer-offline|ignore-scripts|installpkg (?:`[^`]*`|\S+)|group dev|verbose|immutable|frozen-lockfile"
    r"|retry[= ]\d+|jobs[= ]\d+|ci|color[= ]\S+|include=dev|system)(?=\s|$)"
)
_REDIRECTED = re.compile(r"\s*\d?>{1,2}\s*\S+.*$")
_UNKNOWN = re.compile(rf"{UNKNOWN}|\"\"|\$\(|\$\{{?\w|`|<[a-z]")
_TEST_FILE = re.compile(
    r"(?:^|/)(?:test_\w+\.py|\w+_test\.(?:py|go|exs|rb)|\w+_spec\.rb|[\w.-]+[.-](?:test|spec)\.[cm]?[jt]sx?"
    r"|\w+Tests?\.(?:java|kt|php|cs|scala))$|^(?:test|tests)/[\w.-]+\.(?:[cm]?[jt]s|rs|exs|bats)$"
)
# A name says more for these than what CI happens to run.
_BY_NAME = (Purpose.DOCS, Purpose.FORMAT, Purpose.COVERAGE, Purpose.BUILD)
_IN_README = frozenset((Purpose.TEST, Purpose.SETUP))  # the rest is how the product is used
_SERVES = re.compile(r"serve|watch|auto(?:build)?\b|live|preview|-auto\b")
_PYTHON_RUN = (("uv.lock", "uv run"), ("poetry.lock", "poetry run"), ("pdm.lock", "pdm run"))


def states_commands(path: str) -> bool:
    """Tell whether a file may say how the project is worked on."""
    action = path.startswith(".github/actions/") and path.endswith((".yml", ".yaml"))
    known = path in _USUAL_FILES or is_workflow(path) or is_task_file(path)
    return known or action or bool(guides_of([path]))


@dataclass(frozen=True, slots=True)
class _Found:
    """A command that some source states, before it is chosen."""

    line: str
    source: str
    trust: int
    use: Use

    def fit(self, purpose: Purpose) -> int:
        return self.use.fits.get(purpose, 0)


def read_commands(
    root: str, tracked: Iterable[str], counts: Counter[str] | None = None
) -> list[ProjectCommand]:
    """Give the commands of the project at a folder, at most one for each purpose."""
    counts = Counter() if counts is None else counts
    paths = tuple(tracked)
    texts: dict[str, str | None] = {}
    known = frozenset(paths)

    def read(path: str) -> str | None:
        if path not in known:
            return None
        if path not in texts:
            texts[path] = read_text(os.path.join(root, path), counts, LARGEST)
        return texts[path]

    chosen = commands_of(paths, read)
    flat = [part for one in chosen for part in (one.line, one.note, *one.others)]
    kept = iter(clean_many(flat, counts))
    return [
        one.replace(line=next(kept), note=next(kept), others=tuple(next(kept) for _ in one.others))
        for one in chosen
    ]


def commands_of(paths: Sequence[str], read: Callable[[str], str | None]) -> list[ProjectCommand]:
    """Choose the commands of a project by its files and a way to read them."""
    hooks = _hooks(read)
    formats = any(re.search(r"format|black|prettier|fmt|isort|pretty", hook) for hook in hooks)
    runners = Runners(read_targets(paths, read), paths, hooks_format=formats)
    workflows = read_workflows(paths, read)
    found = list(_of_ci(workflows, runners))
    found += _of_manifests(paths, read, runners, _prefixes(found))
    found += _of_guides(paths, read, runners)
    chosen = {
        purpose: _choose(found, purpose)
        for purpose in Purpose
        if purpose not in (Purpose.TEST_ONE, Purpose.RELEASE, Purpose.OTHER)
    }
    made = [_command(one, purpose, found) for purpose, one in chosen.items() if one]
    test = chosen.get(Purpose.TEST)
    if test and (one := _single_test(test, found, paths, runners)):
        made.append(one)
    if release := _release(workflows, found, paths):
        made.append(release)
    return made


def _of_ci(workflows: Iterable[Workflow], runners: Runners) -> Iterator[_Found]:
    """Give what CI runs, and what the targets are that it calls."""
    seen: set[str] = set()
    for workflow in workflows:
        for step in workflow.steps:
            line = _typed(step.line)
            use = runners.use(line)
            resolved = _named_by_target(line, use)
            shape = re.sub(r"\d+", "0", line)
            if resolved is None or not use.fits or shape in seen or not runners.belongs(line):
                continue
            seen.add(shape)
            yield _Found(resolved, step.source, GATES if step.gates else MANIFEST, use)
            for target in runners.called(line):
                for name in target.runs:
                    for inner in runners.called(name):
                        if inner.name.startswith("_") or ":_" in inner.name:
                            continue
                        yield _Found(inner.call, inner.source, BY_CI, runners.of_target(inner))


def _typed(line: str) -> str:
    """Give a line of CI as a person would type it."""
    line = re.sub(r"^(?:\w+=\S*\$\S*\s+|(?:RICHGO|FORCE|CI|NO)_?\w*=\S*\s+)+", "", line)
    line = re.sub(r"(?<=\btox)(?: -v+)+| -- -v+$", "", line)
    line = re.sub(r"(hatch run) (?:\+\S+ )+", r"\1 ", line)
    line = re.sub(r"\"([\w.=-]+)\"|\s-v{2,}$", lambda match: match[1] or "", line)
    return _ONLY_IN_CI.sub("", _REDIRECTED.sub("", line)).strip()


def _named_by_target(line: str, use: Use) -> str | None:
    """Put the target that was found in the place of what only a run knows; None where it stays."""
    if UNKNOWN in line and use.target and use.target.runner in ("tox", "nox"):
        line = re.sub(rf"\S*{UNKNOWN}\S*", use.target.name, line)
    if use.target and use.target.runner == "npm" and re.fullmatch(r"npm run \S+", line):
        line = use.target.call
    plain = re.sub(r"\$\(cat [\w./-]+\)", "", line)
    return None if _UNKNOWN.search(plain) else line


def _prefixes(found: Iterable[_Found]) -> dict[str, str]:
    """Give what tox and nox are called within, as CI does: `uv run `."""
    made: dict[str, str] = {}
    for one in found:
        target = one.use.target
        if one.trust == GATES and target and target.runner in ("tox", "nox"):
            before = re.match(rf"(.*?\s|){target.runner}(?= (?:run|r|p|-\w)\b)", one.line)
            made.setdefault(target.runner, before[1] if before else "")
    return made


def _of_manifests(
    paths: Sequence[str],
    read: Callable[[str], str | None],
    runners: Runners,
    prefixes: Mapping[str, str],
) -> Iterator[_Found]:
    for target in runners.targets():
        if not target.name.startswith(("_", ".")) and ":_" not in target.name:
            yield _Found(
                f"{prefixes.get(target.runner, '')}{target.call}",
                target.source,
                MANIFEST,
                runners.of_target(target),
            )
    known = set(paths)
    for path, line, word in _USUAL:
        if path not in known or (word and word not in (read(path) or "")):
            continue
        line = line.replace("mvn", "./mvnw", 1) if "mvnw" in known else line
        line = line.replace("gradle ", "./gradlew ", 1) if "gradlew" in known else line
        line = f"{_by_lock(known)} {line}".strip() if line in ("pytest", "mypy") else line
        use = runners.use(line)
        usual = Use({purpose: min(fit, 2) for purpose, fit in use.fits.items()}, use.runs)
        yield _Found(line, f"{path}:{line_of(read(path) or '', word)}", MANIFEST, usual)


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


def _hooks(read: Callable[[str], str | None]) -> list[str]:
    """Name the hooks of pre-commit."""
    repos = tables(yaml_table(read(_HOOKS) or "").get("repos"))
    return [str(hook.get("id")) for repo in repos for hook in tables(repo.get("hooks"))]


def _of_guides(
    paths: Sequence[str], read: Callable[[str], str | None], runners: Runners
) -> Iterator[_Found]:
    for path, trust in guides_of(paths):
        text = read(path)
        for number, line in quoted_commands(path, text) if text else ():
            use = runners.use(line)
            plain = re.sub(r"\$\(cat [\w./-]+\)", "", line)
            shown = trust > README or use.target or _IN_README & set(use.fits)
            if use.fits and shown and runners.belongs(line) and not _UNKNOWN.search(plain):
                yield _Found(line, f"{path}:{number}", trust, use)


def _rank(one: _Found, purpose: Purpose) -> tuple[float, ...]:
    """Weigh a candidate: a good fit first, then whose word it is, then how well it fits."""
    trust: float = one.trust
    if purpose is Purpose.SETUP and one.use.target is None:
        # What CI installs for one job is less than what a person needs.
        trust = {GATES: 1.5, BY_CI: 1.2, MANIFEST: 2, GUIDE: 3, README: 1}[one.trust]
    if purpose is Purpose.BUILD and one.use.target is None and one.trust >= BY_CI:
        trust = MANIFEST - 0.5  # CI builds what it ships, with much that nobody else needs
    named = one.use.target is not None or purpose is Purpose.FORMAT
    plain = purpose in _BY_NAME and named and one.fit(purpose) >= 3
    factors = one.use.target.name.count("-") if one.use.target else 0
    return (one.fit(purpose) >= 2, plain, trust, one.fit(purpose), -factors)


def _choose(found: Sequence[_Found], purpose: Purpose) -> _Found | None:
    """Choose the command for a purpose; the first stated of those that weigh the same."""
    least = {Purpose.TEST: 1, Purpose.RUN: 4, Purpose.RELEASE: 4}.get(purpose, 2)
    fitting = [one for one in found if one.fit(purpose) >= least]
    if purpose in (Purpose.RUN, Purpose.CHECK):
        fitting = [one for one in fitting if one.use.target]
    if not fitting:
        return None
    best = max(fitting, key=lambda one: _rank(one, purpose))
    return _plainest(best, fitting, purpose)


def _plainest(best: _Found, fitting: Sequence[_Found], purpose: Purpose) -> _Found:
    """Prefer the plain form of the same: `npm test` to `npm run test-ci`, no options to many."""
    target = best.use.target
    usual = purpose is not Purpose.TEST or (target is not None and target.name == "test")
    if target and not (usual and purpose_of_name(target.name)[1]):
        for one in fitting:
            other = one.use.target
            same = other and other.runner == target.runner and other.runner not in ("tox", "nox")
            named = other and (purpose is not Purpose.TEST or other.name in ("test", "tests"))
            if same and named and one.fit(purpose) >= 4 and _alike(one.use.tools, best.use.tools):
                return replace(one, trust=max(one.trust, BY_CI if best.trust >= BY_CI else 0))
    words = best.line.split()
    shorter = [
        one
        for one in fitting
        if len(one.line.split()) < len(words) and words[: len(one.line.split())] == one.line.split()
    ]
    shorter = [
        one for one in shorter if one.fit(purpose) >= 2 and not one.line.endswith(("-e", "-s"))
    ]
    if not shorter or best.trust < BY_CI:
        return best
    return replace(min(shorter, key=lambda one: len(one.line)), trust=best.trust)


def _alike(one: Sequence[str], two: Sequence[str]) -> bool:
    """Tell whether two sets of tools have one in common, or a richer form of it."""
    bare = {tool.split()[-1] for tool in one}
    return bool(bare & {tool.split()[-1] for tool in two}) or not one or not two


def _command(one: _Found, purpose: Purpose, found: Sequence[_Found]) -> ProjectCommand:
    fitting = [f for f in found if f.fit(purpose) >= 2 and f.line != one.line]
    fitting.sort(key=lambda other: (other.fit(purpose) < 3, -other.trust))
    also = [f for f in fitting if _adds(f, one, purpose)]
    others = [
        f
        for f in fitting
        if f.trust != MANIFEST and f not in also and not _same_shape(f, one)
        and (purpose is Purpose.CHECK or Purpose.CHECK not in f.use.fits)
    ]  # fmt: skip
    gated = next((f for f in found if f.trust == GATES and f.line == one.line), None)
    return ProjectCommand(
        purpose=purpose,
        line=one.line,
        source=gated.source if gated else one.source,
        trust=GATES if gated else one.trust,
        note=_note(one),
        also=tuple((_shown(f), f.source) for f in also[:MOST_OTHERS]),
        others=_lines(others),
    )


def _shown(one: _Found) -> str:
    note = _note(one)
    return f"{one.line} ({note})" if note else one.line


def _lines(found: Iterable[_Found]) -> tuple[str, ...]:
    said = {f.line: f"{f.line} ({f.source})" for f in reversed(list(found))}
    return tuple(reversed(said.values()))[:MOST_OTHERS]


def _adds(other: _Found, one: _Found, purpose: Purpose) -> bool:
    """Tell whether another command does what the chosen one does not: other checks, a preview."""
    if purpose is Purpose.DOCS:
        serves = _SERVES.search(other.line) or any(map(_SERVES.search, other.use.runs))
        return (
            bool(serves)
            and not _SERVES.search(one.line)
            and not any(map(_SERVES.search, one.use.runs))
        )
    if purpose not in (Purpose.LINT, Purpose.TYPES, Purpose.TEST) or other.trust < GATES:
        return False
    if purpose is Purpose.LINT and Purpose.FORMAT in other.use.fits:
        return False
    first, second = ({tool.split()[0] for tool in f.use.tools} for f in (one, other))
    return not first & second if purpose is Purpose.TEST else bool(second - first)


def _same_shape(one: _Found, two: _Found) -> bool:
    """Tell whether two commands differ in a version alone."""
    first, second = one.use.target, two.use.target
    return bool(first and second and first.runner == second.runner and first.runs == second.runs)


def _note(one: _Found) -> str:
    """Say what a target runs: the commands where they are short, else their tools."""
    if one.use.target is None:
        return ""
    runs = " && ".join(_bare(run) for run in one.use.runs)
    said = (
        runs if len(runs) <= NOTE_CHARS and not _UNKNOWN.search(runs) else ", ".join(one.use.tools)
    )
    return said if len(said) <= NOTE_CHARS and said not in one.line else ""


def _bare(run: str) -> str:
    said = " ".join(word for word in run.split() if not re.search(r"[{}]|\$@|=$", word))
    return f"python -m {said}" if said.split(" ")[0] in ("build", "unittest") else said


def _by_lock(known: Iterable[str]) -> str:
    return next((call for lock, call in _PYTHON_RUN if lock in known), "")


_SINGLE = (  # a test tool, how one test is chosen; {file} and {prefix} are filled in
    (re.compile(r"(?P<tool>(?:\S+ )*?pytest)\b"), "{tool} {file} -k NAME"),
    (re.compile(r"(?P<tool>python -m unittest)"), "python -m unittest {module}"),
    (re.compile(r"go test"), "go test ./... -run NAME"),
    (re.compile(r"(?:cargo|cross) (?:nextest run|test)"), "cargo test NAME"),
    (re.compile(r"jest"), "npx jest {file} -t NAME"),
    (re.compile(r"vitest"), "npx vitest run {file} -t NAME"),
    (re.compile(r"(?P<tool>mocha(?: --require \S+)*)"), "npx {tool} {file} -g NAME"),
    (re.compile(r"ava\b"), "npx ava {file} --match='NAME'"),
    (re.compile(r"tap\b"), "npx tap {file}"),
    (re.compile(r"(?P<tool>node (?:--\S+ )*--test)"), "node --test {file}"),
    (re.compile(r"rspec"), "bundle exec rspec {file}:LINE"),
    (re.compile(r"minitest"), "bundle exec ruby -Itest {file} -n NAME"),
    (re.compile(r"\S*(?P<tool>mvnw?)\b"), "{maven} test -Dtest=CLASS"),
    (re.compile(r"\S*gradlew?\b"), "{gradle} test --tests CLASS"),
    (re.compile(r"mix test"), "mix test {file}:LINE"),
    (re.compile(r"\S*phpunit"), "vendor/bin/phpunit --filter NAME"),
    (re.compile(r"dotnet test"), "dotnet test --filter NAME"),
    (re.compile(r"swift test"), "swift test --filter NAME"),
    (re.compile(r"bats"), "bats {file}"),
)


def _single_test(
    test: _Found, found: Sequence[_Found], paths: Sequence[str], runners: Runners
) -> ProjectCommand | None:
    """Say how one test is run: as a guide does, else by the tool that runs them all."""
    known = set(paths)
    for one in found:
        files = [word for word in one.line.split() if word.partition("::")[0] in known]
        if one.trust == GUIDE and one.fit(Purpose.TEST) and files and _TEST_FILE.search(files[-1]):
            return ProjectCommand(
                purpose=Purpose.TEST_ONE, line=one.line, source=one.source, trust=GUIDE
            )
    for run in _leaves(test, runners):
        line = unwrapped(run)
        for pattern, how in _SINGLE:
            if match := pattern.match(line):
                return _one_test(match, how, test, run, found, paths)
    return None


def _leaves(test: _Found, runners: Runners) -> list[str]:
    """Give the commands that a test command comes down to."""
    called = runners.called(test.line)
    if not called:
        return [test.line]
    lines = list(called[0].runs)
    for _ in range(3):
        lines = [
            inner
            for line in lines
            for inner in ([r for t in runners.called(line)[:1] for r in t.runs] or [line])
        ]
    return lines


def _one_test(
    match: re.Match[str],
    how: str,
    test: _Found,
    run: str,
    found: Sequence[_Found],
    paths: Sequence[str],
) -> ProjectCommand:
    known = set(paths)
    file = _test_file(paths, match[0])
    tool = match.groupdict().get("tool") or match[0]
    if tool == "pytest":
        tool = _pytest(test, found, known, run)
        if tool.endswith(("--", "@")):
            how, tool = "{tool} {file} -k NAME", tool.removesuffix("@").strip()
    line = how.format(
        tool=tool,
        file=file or "PATH",
        module=(file or "PATH").removesuffix(".py").replace("/", "."),
        maven="./mvnw" if "mvnw" in known else "mvn",
        gradle="./gradlew" if "gradlew" in known else "gradle",
    )
    return ProjectCommand(purpose=Purpose.TEST_ONE, line=line, source=test.source, trust=test.trust)


def _pytest(test: _Found, found: Sequence[_Found], known: set[str], run: str) -> str:
    """Give how pytest is called by itself here."""
    target = test.use.target
    if target and target.runner == "script" and "$@" in run:
        return f"{test.line} @"
    direct = [
        one
        for one in found
        if unwrapped(one.line).startswith("pytest") and one.use.target is None
        and one.trust not in (MANIFEST, README) and not one.line.startswith("pytest")
    ]  # fmt: skip
    if direct:
        best = max(direct, key=lambda one: one.trust)
        return re.sub(r"\b(?:coverage run (?:-\S+ )*-m )?pytest\b.*", "pytest", best.line)
    if by_lock := _by_lock(known):
        return f"{by_lock} pytest"
    if target and target.runner in ("tox", "nox") and "posargs" in run:
        return f"{test.line} --"
    return "pytest"


def _test_file(paths: Sequence[str], tool: str) -> str:
    """Give a test file of the project as an example: the shallowest, first by name."""
    ending = {"go": ".go", "rspec": "_spec.rb", "minitest": ".rb", "mix": ".exs"}.get(
        tool.split()[0], ""
    )
    ending = ending or (".py" if "py" in tool or "unittest" in tool else "")
    fitting = [
        path
        for path in paths
        if _TEST_FILE.search(path) and path.endswith(ending or ("js", "ts", "jsx", "tsx", ".bats"))
    ]
    fitting = [
        path
        for path in fitting
        if not re.search(r"(?:^|/)(?:__init__|conftest|utils?|helpers?|fixtures?|support)\b", path)
    ]
    usual = [path for path in fitting if re.match(r"(?:tests?|spec|src/test|t)/", path)] or fitting
    return min(usual, key=lambda path: (path.count("/"), path), default="")


_PUBLISHES = re.compile(r"publish|release|deploy|pypi|npm|gem\b|crates")
_NO_RELEASE = re.compile(
    r"docs|site|page|image|docker|canary|prepare|draft|notes|preview|runtime|drafter"
)


def _release(
    workflows: Sequence[Workflow], found: Sequence[_Found], paths: Sequence[str]
) -> ProjectCommand | None:
    """Say how a release is made: by the page that tells it, or what starts the publishing in CI."""
    pages = [
        p
        for p in paths
        if re.fullmatch(
            r"(?:\.github/|docs?/)?(?:release|releasing|release[-_ ]?(?:process|checklist|guide)|how[-_]to[-_]release)\.(?:md|rst|txt)",
            p,
            re.IGNORECASE,
        )
    ]
    publishing = sorted(
        (
            one
            for one in workflows
            if _PUBLISHES.search(name := one.path.rsplit("/", 1)[-1])
            and not _NO_RELEASE.search(name)
        ),
        key=lambda one: len(one.path),
    )
    target = _choose(
        [one for one in found if one.use.target and one.trust == MANIFEST], Purpose.RELEASE
    )
    starts = {
        "tags": "pushing a tag",
        "release": "publishing a GitHub release",
        "workflow_dispatch": "starting the workflow by hand",
    }
    said, sources = [], []
    if pages:
        said, sources = [f"see {pages[0]}"], [f"{pages[0]}:1"]
    elif target:
        said, sources = [target.line], [target.source]
    for one in publishing[:1]:
        start = next((starts[event] for event in starts if event in one.events), "")
        if start:
            said.append(f"{start} runs {one.path}")
            sources.append(f"{one.path}:1")
    if not said:
        return None
    trust = GUIDE if pages else MANIFEST
    return ProjectCommand(
        purpose=Purpose.RELEASE, line="; ".join(said), source=sources[0], trust=trust
    )
