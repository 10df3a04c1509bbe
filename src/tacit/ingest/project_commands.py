"""The commands of a project, one for each purpose, by what its files say. Nothing is run.

What gates in continuous integration comes before what a manifest offers, that before what a
guide says, that before the README. Where two differ, the other one is kept beside it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from tacit.ingest.purposes import Runners, purpose_of_name
from tacit.ingest.reading import clean_many, read_text
from tacit.ingest.shell_lines import unwrapped
from tacit.ingest.stated_commands import (
    BY_CI,
    GATES,
    GUIDE,
    MANIFEST,
    README,
    Found,
    is_open,
    run_by_lock,
    stated_commands,
)
from tacit.ingest.tables import Read
from tacit.ingest.workflows import Workflow
from tacit.observation import ProjectCommand, Purpose

LARGEST = 256 << 10  # bytes of one file
MOST_OTHERS = 2
NOTE_CHARS = 70
# A name says more for these than what CI happens to run.
_BY_NAME = (Purpose.DOCS, Purpose.FORMAT, Purpose.COVERAGE, Purpose.BUILD)
_SERVES = re.compile(r"serve|watch|auto(?:build)?\b|live|preview|-auto\b")
_RELEASE_PAGE = re.compile(
    r"(?:\.github/|docs?/)?(?:release|releasing|release[-_ ]?(?:process|checklist|guide)"
    r"|how[-_]to[-_]release)\.(?:md|rst|txt)",
    re.IGNORECASE,
)
_PUBLISHES = re.compile(r"publish|release|deploy|pypi|npm|gem\b|crates")
_NO_RELEASE = re.compile(
    r"docs|site|page|image|docker|canary|prepare|draft|notes|preview|runtime|drafter"
)
_STARTS = {  # an event of a workflow, in words
    "tags": "pushing a tag",
    "release": "publishing a GitHub release",
    "workflow_dispatch": "starting the workflow by hand",
}
_TEST_FILE = re.compile(
    r"(?:^|/)(?:test_\w+\.py|\w+_test\.(?:py|go|exs|rb)|\w+_spec\.rb|[\w.-]+[.-](?:test|spec)\.[cm]?[jt]sx?"
    r"|\w+Tests?\.(?:java|kt|php|cs|scala))$|^(?:test|tests)/[\w.-]+\.(?:[cm]?[jt]s|rs|exs|bats)$"
)
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


def read_commands(root: str, tracked: Sequence[str], counts: Counter[str]) -> list[ProjectCommand]:
    """Give the commands of the project at a folder, at most one for each purpose."""
    known = frozenset(tracked)

    @cache
    def read(path: str) -> str | None:
        return read_text(os.path.join(root, path), counts, LARGEST) if path in known else None

    chosen = commands_of(tuple(tracked), read)
    flat = [part for one in chosen for part in (one.line, one.note, *one.others)]
    kept = iter(clean_many(flat, counts))
    return [
        one.replace(line=next(kept), note=next(kept), others=tuple(next(kept) for _ in one.others))
        for one in chosen
    ]


def commands_of(paths: Sequence[str], read: Read) -> list[ProjectCommand]:
    """Choose the commands of a project by its files and a way to read them."""
    found, runners, workflows = stated_commands(paths, read)
    chosen = {
        purpose: best
        for purpose in Purpose
        if purpose not in (Purpose.TEST_ONE, Purpose.RELEASE) and (best := _choose(found, purpose))
    }
    made = [_command(one, purpose, found) for purpose, one in chosen.items()]
    if test := chosen.get(Purpose.TEST):
        made += _single_test(test, found, paths, runners)
    return [*made, *_release(workflows, found, paths)]


def _rank(one: Found, purpose: Purpose) -> tuple[float, ...]:
    """Weigh a candidate: a good fit first, then whose word it is, then how well it fits."""
    trust: float = one.trust
    target = one.use.target
    if purpose is Purpose.SETUP and target is None:
        # What CI installs for one job is less than what a person needs.
        trust = {GATES: 1.5, BY_CI: 1.2, MANIFEST: 2, GUIDE: 3, README: 1}[one.trust]
    if purpose is Purpose.BUILD and target is None and one.trust >= BY_CI:
        trust = MANIFEST - 0.5  # CI builds what it ships, with much that nobody else needs
    named = target is not None or purpose is Purpose.FORMAT
    plain = purpose in _BY_NAME and named and one.fit(purpose) >= 3
    factors = target.name.count("-") if target else 0
    return (one.fit(purpose) >= 2, plain, trust, one.fit(purpose), -factors)


def _choose(found: Iterable[Found], purpose: Purpose) -> Found | None:
    """Choose the command for a purpose; the first stated of those that weigh the same."""
    least = {Purpose.TEST: 1, Purpose.RUN: 4, Purpose.RELEASE: 4}.get(purpose, 2)
    fitting = [one for one in found if one.fit(purpose) >= least]
    best = max(fitting, key=lambda one: _rank(one, purpose), default=None)
    return _plainest(best, fitting, purpose) if best else None


def _plainest(best: Found, fitting: Iterable[Found], purpose: Purpose) -> Found:
    """Prefer the plain form of the same: `npm test` to `npm run test-ci`, no options to many."""
    target, test = best.use.target, purpose is Purpose.TEST
    if target and ((test and target.name != "test") or not purpose_of_name(target.name)[1]):
        for one in fitting:
            other = one.use.target
            same = other and other.runner == target.runner and one.fit(purpose) >= 4
            if other and same and (not test or other.name in ("test", "tests")):
                return replace(one, trust=max(one.trust, BY_CI if best.trust >= BY_CI else 0))
    shorter = [one for one in fitting if f"{best.line} ".startswith(f"{one.line} ")]
    if best.trust < BY_CI:
        return best
    return replace(min(shorter, key=lambda one: len(one.line)), trust=best.trust)


def _command(one: Found, purpose: Purpose, found: Sequence[Found]) -> ProjectCommand:
    fitting = [f for f in found if f.fit(purpose) >= 2 and f.line != one.line]
    fitting.sort(key=lambda other: (other.fit(purpose) < 3, -other.trust))
    also = [f for f in fitting if _adds(f, one, purpose)]
    others = [
        f
        for f in fitting
        if f.trust != MANIFEST and f not in also and not _same_shape(f, one)
        and (purpose is Purpose.CHECK or Purpose.CHECK not in f.use.fits)
    ]  # fmt: skip
    said = {f.line: f"{f.line} ({f.source})" for f in reversed(others)}
    gated = next((f for f in found if f.trust == GATES and f.line == one.line), one)
    return ProjectCommand(
        purpose=purpose,
        line=one.line,
        source=gated.source,
        trust=max(one.trust, gated.trust),
        note=_note(one),
        also=tuple((_shown(f), f.source) for f in also[:MOST_OTHERS]),
        others=tuple(reversed(said.values()))[:MOST_OTHERS],
    )


def _adds(other: Found, one: Found, purpose: Purpose) -> bool:
    """Tell whether another command does what the chosen one does not: other checks, a preview."""
    if purpose is Purpose.DOCS:
        live = [_SERVES.search(" ".join((f.line, *f.use.runs))) is not None for f in (other, one)]
        return live == [True, False]
    if purpose not in (Purpose.LINT, Purpose.TYPES, Purpose.TEST) or other.trust < GATES:
        return False
    first, second = ({tool.split()[0] for tool in f.use.tools} for f in (one, other))
    return not first & second if purpose is Purpose.TEST else bool(second - first)


def _same_shape(one: Found, two: Found) -> bool:
    """Tell whether two commands differ in a version alone."""
    first, second = one.use.target, two.use.target
    return bool(first and second and first.runs == second.runs)


def _shown(one: Found) -> str:
    note = _note(one)
    return f"{one.line} ({note})" if note else one.line


def _note(one: Found) -> str:
    """Say what a target runs: the commands where they are short, else their tools."""
    runs = " && ".join(map(_bare, one.use.runs))
    short = len(runs) <= NOTE_CHARS and not is_open(runs)
    said = runs if short else ", ".join(one.use.tools)
    return said if len(said) <= NOTE_CHARS and said not in one.line else ""


def _bare(run: str) -> str:
    said = " ".join(word for word in run.split() if not re.search(r"[{}]|\$@|=$", word))
    return f"python -m {said}" if said.split(" ")[0] in ("build", "unittest") else said


def _single_test(
    test: Found, found: Iterable[Found], paths: Sequence[str], runners: Runners
) -> Iterator[ProjectCommand]:
    """Say how one test is run: as a guide does, else by the tool that runs them all."""
    made = ProjectCommand(purpose=Purpose.TEST_ONE, line="", source=test.source, trust=test.trust)
    known = set(paths)
    for one in found:
        files = [word for word in one.line.split() if word.partition("::")[0] in known]
        if one.trust == GUIDE and one.fit(Purpose.TEST) and files and _TEST_FILE.search(files[-1]):
            yield made.replace(line=one.line, source=one.source, trust=GUIDE)
            return
    for run in _leaves([test.line], runners):
        for pattern, how in _SINGLE:
            if match := pattern.match(unwrapped(run)):
                file = _test_file(paths, match[0]) or "PATH"
                tool = match.groupdict().get("tool") or ""
                line = how.format(
                    tool=_pytest(test, found, known, run) if tool == "pytest" else tool,
                    file=file,
                    module=file.removesuffix(".py").replace("/", "."),
                    maven="./mvnw" if "mvnw" in known else "mvn",
                    gradle="./gradlew" if "gradlew" in known else "gradle",
                )
                yield made.replace(line=line)
                return


def _leaves(lines: Sequence[str], runners: Runners, depth: int = 4) -> list[str]:
    """Give the commands that commands come down to."""
    found: list[str] = []
    for line in lines:
        called = runners.called(line)[:1] if depth else []
        found += _leaves(called[0].runs, runners, depth - 1) if called else [line]
    return found


def _pytest(test: Found, found: Iterable[Found], known: set[str], run: str) -> str:
    """Give how pytest is called by itself here."""
    target = test.use.target
    if target and target.runner == "script" and "$@" in run:
        return test.line
    direct = [
        one
        for one in found
        if unwrapped(one.line).startswith("pytest") and not one.line.startswith("pytest")
    ]
    if direct:
        best = max(direct, key=lambda one: one.trust)
        return re.sub(r"\b(?:coverage run (?:-\S+ )*-m )?pytest\b.*", "pytest", best.line)
    if within := run_by_lock(known):
        return f"{within}pytest"
    if target and target.runner in ("tox", "nox") and "posargs" in run:
        return f"{test.line} --"
    return "pytest"


def _test_file(paths: Iterable[str], tool: str) -> str:
    """Give a test file of the project as an example: the shallowest, first by name."""
    first = tool.split()[0]
    ending = {"go": ".go", "rspec": "_spec.rb", "minitest": ".rb", "mix": ".exs"}.get(first)
    endings = (ending or ".py",) if ending or "py" in tool else ("js", "ts", "jsx", "tsx", ".bats")
    fitting = [path for path in paths if _TEST_FILE.search(path) and path.endswith(endings)]
    usual = [path for path in fitting if re.match(r"(?:tests?|spec|src/test|t)/", path)] or fitting
    return min(usual, key=lambda path: (path.count("/"), path), default="")


def _release(
    workflows: Iterable[Workflow], found: Iterable[Found], paths: Iterable[str]
) -> Iterator[ProjectCommand]:
    """Say how a release is made: by the page that tells it, or what starts the publishing in CI."""
    said: list[tuple[str, str]] = []  # what to do, and who says so
    page = next(filter(_RELEASE_PAGE.fullmatch, paths), "")
    target = _choose((one for one in found if one.use.target), Purpose.RELEASE)
    if page:
        said.append((f"see {page}", f"{page}:1"))
    elif target:
        said.append((target.line, target.source))
    publishing = [
        one
        for one in workflows
        if _PUBLISHES.search(os.path.basename(one.path))
        and not _NO_RELEASE.search(os.path.basename(one.path))
    ]
    for one in sorted(publishing, key=lambda one: len(one.path))[:1]:
        start = next((words for event, words in _STARTS.items() if event in one.events), "")
        if start:
            said.append((f"{start} runs {one.path}", f"{one.path}:1"))
    if said:
        yield ProjectCommand(
            purpose=Purpose.RELEASE,
            line="; ".join(line for line, _ in said),
            source=said[0][1],
            trust=GUIDE if page else MANIFEST,
        )
