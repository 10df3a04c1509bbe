"""What continuous integration runs: GitHub Actions with their matrices, GitLab and others. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from posixpath import basename
from typing import Any

from tacit.ingest.shell_lines import shell_commands
from tacit.ingest.tables import Read, line_in, table, tables, texts, yaml_table

UNKNOWN = "…"  # stands in a command for what only a run would know
MOST_COMBINATIONS = 48
DEEPEST = 3  # workflows and actions that call one another
GATES = frozenset(("pull_request", "push", "merge_group", "pull_request_target"))
_OTHERS = re.compile(
    r"(?:\.gitlab-ci\.ya?ml|\.circleci/config\.ya?ml|\.travis\.ya?ml|\.cirrus\.ya?ml"
    r"|azure-pipelines\.ya?ml|\.buildkite/pipeline\.ya?ml|\.woodpecker\.ya?ml|appveyor\.ya?ml)$"
)
_SCRIPTS = re.compile(r"(?:before_|install_|test_|\w+_)?script|run|commands?|bash")
_LITERAL = re.compile(r"'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)")
_CALL = re.compile(r"format\((.*)\)", re.DOTALL)
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}", re.DOTALL)
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_TOX = re.compile(r"(?:^|\s)tox(?:\s+r(?:un)?)?$")
_ACTIONS = {  # what an action runs that a person would run by a command
    "golangci/golangci-lint-action": "golangci-lint run",
    "pre-commit/action": "pre-commit run --all-files",
    "pre-commit-ci/lite-action": "pre-commit run --all-files",
    "astral-sh/ruff-action": "ruff check",
    "chartboost/ruff-action": "ruff check",
    "psf/black": "black --check .",
    "jakebailey/pyright-action": "pyright",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One command that continuous integration runs."""

    line: str
    source: str  # `path:line`
    gates: bool  # a change that fails it is not merged


@dataclass(frozen=True, slots=True)
class Workflow:
    """A file of continuous integration: what starts it, what it runs."""

    path: str
    events: tuple[str, ...]  # `release`, `tags` and those that GitHub names
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where steps stand: their file, the names that expressions may use, and what they are for."""

    path: str
    names: Mapping[str, str]
    gates: bool
    read: Read
    depth: int = 0

    def called(self, path: str, inputs: Any) -> _Place:
        """Give the place of a workflow or action that is called from here."""
        names = {**self.names, **_named("inputs", inputs, self.names)}
        return replace(self, path=path, names=names, depth=self.depth + 1)


def is_workflow(path: str) -> bool:
    """Tell whether a path is a file of continuous integration."""
    actions = path.startswith(".github/workflows/") and path.endswith((".yml", ".yaml"))
    return actions or _OTHERS.fullmatch(path) is not None


def read_workflows(paths: Iterable[str], read: Read) -> list[Workflow]:
    """Read what CI runs, the files whose name speaks of tests first."""
    found = []
    for path in sorted(filter(is_workflow, paths), key=_order):
        data = yaml_table(read(path) or "")
        if path.startswith(".github/"):
            found.append(_github(path, data, read))
        else:
            found.append(Workflow(path, ("push",), tuple(_scripts(data, path, DEEPEST + 3))))
    return [one for one in found if one.events != ("workflow_call",)]  # read with its callers


def _order(path: str) -> tuple[int, int, str]:
    words = ("test", "ci", "main", "build", "check", "lint")
    name = basename(path).lower()
    rank = next((at for at, word in enumerate(words) if word in name), len(words))
    return rank, len(name), path


def _github(path: str, data: dict[str, Any], read: Read) -> Workflow:
    events = tuple(_events(data.get("on")))
    names = _named("env", data.get("env"), {})
    place = _Place(path, names, bool(GATES.intersection(events)), read)
    return Workflow(path, events, tuple(dict.fromkeys(_jobs(data, place))))


def _events(on: Any) -> Iterator[str]:
    yield from texts(on)
    for event, what in table(on).items():
        tags_alone = "tags" in table(what) and "branches" not in what
        yield "tags" if event == "push" and tags_alone else event


def _jobs(data: dict[str, Any], place: _Place) -> Iterator[Step]:
    for job in tables(data.get("jobs")):
        if _away(table(job, "defaults", "run")):
            continue
        for combination in _combinations(table(job, "strategy").get("matrix")):
            names = {**place.names, **combination}
            names |= _named("env", job.get("env"), names)
            here = replace(place, names=names, gates=place.gates and not _optional(job))
            yield from _called(job, here)
            yield from _steps(job.get("steps"), here)


def _called(job: dict[str, Any], place: _Place) -> Iterator[Step]:
    """Give the steps of a workflow of this repository that a job calls."""
    path = str(job.get("uses", "")).removeprefix("./")
    if path.startswith(".github/") and place.depth < DEEPEST:
        data = yaml_table(place.read(path) or "")
        yield from _jobs(data, place.called(path, job.get("with")))


def _steps(steps: Any, place: _Place) -> Iterator[Step]:
    for step in tables(steps):
        if _away(step) or "failure()" in str(step.get("if", "")):
            continue
        if "checkout" in str(step.get("uses", "")) and "repository" in table(step, "with"):
            return  # the rest works on another project
        here = replace(place, gates=place.gates and not _optional(step))
        yield from _run(step, here) if "run" in step else _used(step, here)


def _run(step: dict[str, Any], place: _Place) -> Iterator[Step]:
    names = {**place.names, **_named("env", step.get("env"), place.names)}
    variables = {name[4:]: value for name, value in names.items() if name.startswith("env.")}
    script = step["run"]
    for number, command in shell_commands(evaluated(str(script), names)):
        line = _VARIABLE.sub(lambda match: variables.get(match[1] or match[2], match[0]), command)
        chosen = variables.get("TOX_ENV") or variables.get("TOXENV")
        line = f"{line} -e {chosen}" if chosen and _TOX.search(line) else line
        source = f"{place.path}:{line_in(script) + number}"
        yield Step(" ".join(line.split()), source, place.gates)


def _used(step: dict[str, Any], place: _Place) -> Iterator[Step]:
    uses = step.get("uses", "")
    if command := _ACTIONS.get(str(uses).partition("@")[0]):
        yield Step(command, f"{place.path}:{line_in(uses)}", place.gates)
    elif uses.startswith("./") and place.depth < DEEPEST:
        for name in ("action.yml", "action.yaml"):
            path = f"{uses[2:].rstrip('/')}/{name}"
            action = yaml_table(place.read(path) or "")
            here = place.called(path, step.get("with"))
            yield from _steps(table(action, "runs").get("steps"), here)


def _optional(data: dict[str, Any]) -> bool:
    return str(data.get("continue-on-error", "")) == "true"


def _away(step: dict[str, Any]) -> bool:
    """Tell whether a step works in another folder, which is another project."""
    folder = str(step.get("working-directory", ""))
    return folder.strip("./") not in ("", "${{ github.workspace }}")


def _combinations(matrix: Any) -> list[dict[str, str]]:
    """Give the values of a matrix, one table a combination."""
    if not isinstance(matrix, dict):
        return [{"matrix.*": UNKNOWN}] if matrix else [{}]
    axes = {name: value for name, value in matrix.items() if name not in ("include", "exclude")}
    values = [
        [(name, one) for one in value] if isinstance(value, list) else [(name, UNKNOWN)]
        for name, value in axes.items()
    ]
    products = itertools.islice(itertools.product(*values), MOST_COMBINATIONS)
    made = [dict(pairs) for pairs in products] if axes else []
    for more in tables(matrix.get("include"))[:MOST_COMBINATIONS]:
        shared = axes.keys() & more.keys()
        joins = [
            one for one in made if axes and all(one.get(k, more[k]) == more[k] for k in shared)
        ]
        for one in joins:
            one.update({name: value for name, value in more.items() if name not in axes})
        if not joins:
            made.append(dict(more))
    return [_named("matrix", one, {}) for one in made or [{}]]


def _named(prefix: str, values: Any, names: Mapping[str, str]) -> dict[str, str]:
    return {
        f"{prefix}.{name}": evaluated(value, names)
        for name, value in table(values).items()
        if isinstance(value, str)
    }


def evaluated(text: str, names: Mapping[str, str]) -> str:
    """Put the values of expressions in their place, as far as they are known."""
    return _EXPRESSION.sub(lambda match: _value(match[1], names), text)


def _value(expression: str, names: Mapping[str, str]) -> str:
    """Give the value of an expression as GitHub reads it: `||`, `&&`, `==`, format and names."""
    value = ""
    for alternative in _split(expression, "||"):
        for part in _split(alternative, "&&"):
            value = _term(part, names)
            if value in ("", "false"):
                break
        else:
            return value
    return "" if value == "false" else value


def _term(term: str, names: Mapping[str, str]) -> str:
    sides = [_term(side, names) for side in _split(term, "==")] if "==" in term else []
    if len(sides) == 2:
        return UNKNOWN if UNKNOWN in sides else str(sides[0] == sides[1]).lower()
    if literal := _LITERAL.fullmatch(term):
        return (literal[1] or literal[2] or "").replace("''", "'")
    if call := _CALL.fullmatch(term):
        pattern, *values = (_term(part, names) for part in _split(call[1], ","))
        return re.sub(r"\{(\d)\}", lambda match: (values + [""] * 10)[int(match[1])], pattern)
    known = term.startswith("inputs.") or (term.startswith("matrix.") and "matrix.*" not in names)
    return names.get(term, "" if known else UNKNOWN)


def _split(text: str, sign: str) -> list[str]:
    """Split where a sign stands outside of brackets."""
    return [part.strip() for part in re.split(rf"{re.escape(sign)}(?![^()]*\))", text)]


def _scripts(data: Any, path: str, depth: int) -> Iterator[Step]:
    """Give the commands under the keys that other services run scripts by."""
    if depth == 0 or str(table(data).get("allow_failure", "")) == "true":
        return
    for one in tables(data):
        yield from _scripts(one, path, depth - 1)
    for name, value in table(data).items():
        if isinstance(value, list):
            yield from _scripts(value, path, depth - 1)
        for script in texts(value) if _SCRIPTS.fullmatch(name) else ():
            for number, line in shell_commands(script):
                yield Step(line, f"{path}:{line_in(script) + number}", gates=True)
