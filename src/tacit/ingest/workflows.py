"""What continuous integration runs: GitHub Actions with their matrices, GitLab and others. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from posixpath import basename
from typing import Any

import yaml  # type: ignore[import-untyped]  # it has no types of its own

from tacit.ingest.shell_lines import shell_commands

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
_ELSEWHERE = re.compile(r"windows|macos", re.IGNORECASE)
_CHOSEN = (
    (re.compile(r"(?:^|\s)tox(?:\s+r(?:un)?)?$"), "-e", ("TOX_ENV", "TOXENV")),
    (re.compile(r"(?:^|\s)nox$"), "-s", ("NOXSESSION",)),
)
_ACTIONS = {  # what an action runs that a person would run by a command
    "golangci/golangci-lint-action": "golangci-lint run",
    "pre-commit/action": "pre-commit run --all-files",
    "pre-commit-ci/lite-action": "pre-commit run --all-files",
    "astral-sh/ruff-action": "ruff check",
    "chartboost/ruff-action": "ruff check",
    "psf/black": "black --check .",
    "jakebailey/pyright-action": "pyright",
}
_BASE: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # the same in C, where it is built


class _Line(str):
    """A text of a file with the number of its first line."""

    line = 0


class _Loader(_BASE):  # type: ignore[misc]  # one of two classes, by what is installed
    def construct_scalar(self, node: yaml.ScalarNode) -> str:
        text = _Line(node.value)
        text.line = node.start_mark.line + (2 if node.style in ("|", ">") else 1)
        return text


@dataclass(frozen=True, slots=True)
class Step:
    """One command that continuous integration runs."""

    line: str
    source: str  # `path:line`
    gates: bool  # a change that fails it is not merged
    job: str = ""


@dataclass(frozen=True, slots=True)
class Workflow:
    """A file of continuous integration: what starts it, what it runs."""

    path: str
    events: tuple[str, ...]  # `release`, `tags` and those that GitHub names
    steps: tuple[Step, ...]
    actions: tuple[str, ...] = ()  # it uses, without their versions


@dataclass(frozen=True, slots=True)
class _Place:
    """Where steps stand: their file, the names that expressions may use, and what they are for."""

    path: str
    names: Mapping[str, str]
    gates: bool
    job: str = ""
    depth: int = 0


def is_workflow(path: str) -> bool:
    """Tell whether a path is a file of continuous integration."""
    actions = path.startswith(".github/workflows/") and path.endswith((".yml", ".yaml"))
    return actions or _OTHERS.fullmatch(path) is not None


def read_workflows(paths: Iterable[str], read: Callable[[str], str | None]) -> list[Workflow]:
    """Read what CI runs, the files whose name speaks of tests first."""
    found = []
    for path in sorted(filter(is_workflow, paths), key=_order):
        data = load_lines(read(path) or "")
        if isinstance(data, dict):
            github = path.startswith(".github/")
            found.append(_github(path, data, read) if github else _other(path, data))
    return [one for one in found if one.events != ("workflow_call",)]  # read with its callers


def load_lines(text: str) -> Any:
    """Read YAML, every value a text that knows its line; None for what is no YAML."""
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506  # texts, lists, tables alone
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def _order(path: str) -> tuple[int, int, str]:
    words = ("test", "ci", "main", "build", "check", "lint")
    name = basename(path).lower()
    rank = next((at for at, word in enumerate(words) if word in name), len(words))
    return rank, len(name), path


def _github(path: str, data: dict[str, Any], read: Callable[[str], str | None]) -> Workflow:
    events = tuple(_events(data.get("on") or data.get("true")))
    place = _Place(path, _named("env", data.get("env"), {}), bool(GATES.intersection(events)))
    steps = list(_jobs(data, place, read))
    uses = [
        str(step.get("uses", "")).partition("@")[0]
        for job in _tables(data.get("jobs"))
        for step in _list(job.get("steps"))
        if isinstance(step, dict)
    ]
    return Workflow(path, events, tuple(dict.fromkeys(steps)), tuple(filter(None, uses)))


def _events(on: Any) -> Iterator[str]:
    if isinstance(on, str):
        yield str(on)
    elif isinstance(on, list):
        yield from map(str, on)
    elif isinstance(on, dict):
        for event, what in on.items():
            tags_alone = isinstance(what, dict) and "tags" in what and "branches" not in what
            yield "tags" if event == "push" and tags_alone else str(event)


def _jobs(data: dict[str, Any], place: _Place, read: Callable[[str], str | None]) -> Iterator[Step]:
    jobs = data.get("jobs")
    for name, job in jobs.items() if isinstance(jobs, dict) else ():
        if not isinstance(job, dict) or _away(job.get("defaults", {}).get("run", {})):
            continue
        optional = str(job.get("continue-on-error", "")) == "true"
        for combination in _combinations(job.get("strategy")):
            names = {**place.names, **combination}
            names |= _named("env", job.get("env"), names)
            here = replace(place, names=names, gates=place.gates and not optional, job=str(name))
            yield from _called(job, here, read)
            yield from _steps(job.get("steps"), here, read)


def _called(
    job: dict[str, Any], place: _Place, read: Callable[[str], str | None]
) -> Iterator[Step]:
    """Give the steps of a workflow of this repository that a job calls."""
    path = str(job.get("uses", "")).removeprefix("./")
    if not path.startswith(".github/") or place.depth >= DEEPEST:
        return
    data = load_lines(read(path) or "")
    if isinstance(data, dict):
        names = _named("inputs", job.get("with"), place.names)
        yield from _jobs(data, replace(place, path=path, names=names, depth=place.depth + 1), read)


def _steps(steps: Any, place: _Place, read: Callable[[str], str | None]) -> Iterator[Step]:
    for step in _list(steps):
        if not isinstance(step, dict) or _away(step) or "failure()" in str(step.get("if", "")):
            continue
        taken = step.get("with") if "actions/checkout" in str(step.get("uses", "")) else None
        if isinstance(taken, dict) and "repository" in taken and "path" not in taken:
            return  # the rest works on another project
        if str(step.get("shell", "")).startswith(("pwsh", "powershell", "cmd", "python", "msys2")):
            continue
        optional = str(step.get("continue-on-error", "")) == "true"
        here = replace(place, gates=place.gates and not optional)
        if "run" in step:
            yield from _run(step, here)
        elif "uses" in step:
            yield from _used(step, here, read)


def _run(step: dict[str, Any], place: _Place) -> Iterator[Step]:
    names = {**place.names, **_named("env", step.get("env"), place.names)}
    set_ = {name[4:]: value for name, value in names.items() if name.startswith("env.")}
    script = step["run"]
    first = getattr(script, "line", 1)
    for number, command in shell_commands(evaluated(str(script), names)):
        line = _VARIABLE.sub(lambda match: set_.get(match[1] or match[2], match[0]), command)
        source = f"{place.path}:{first + number}"
        yield Step(_with_environment(" ".join(line.split()), set_), source, place.gates, place.job)


def _with_environment(line: str, variables: Mapping[str, str]) -> str:
    """Say as an option which environment a variable chooses."""
    for runner, option, names in _CHOSEN:
        if runner.search(line) and not re.search(rf"\s{option}\b", line):
            chosen = next((variables[name] for name in names if variables.get(name)), "")
            return f"{line} {option} {chosen}" if chosen and UNKNOWN not in chosen else line
    return line


def _used(step: dict[str, Any], place: _Place, read: Callable[[str], str | None]) -> Iterator[Step]:
    uses = str(step["uses"])
    if uses.startswith("./") and place.depth < DEEPEST:
        for name in ("action.yml", "action.yaml"):
            path = f"{uses[2:].rstrip('/')}/{name}"
            data = load_lines(read(path) or "")
            if isinstance(data, dict) and isinstance(data.get("runs"), dict):
                names = {**place.names, **_named("inputs", step.get("with"), place.names)}
                here = replace(place, path=path, names=names, depth=place.depth + 1)
                yield from _steps(data["runs"].get("steps"), here, read)
    elif command := _ACTIONS.get(uses.partition("@")[0]):
        line = getattr(step["uses"], "line", 1)
        yield Step(command, f"{place.path}:{line}", place.gates, place.job)


def _away(step: Any) -> bool:
    """Tell whether a step works in another folder, which is another project."""
    folder = str(step.get("working-directory", "")) if isinstance(step, dict) else ""
    return folder.strip("./") not in ("", "${{ github.workspace }}")


def _combinations(strategy: Any) -> list[dict[str, str]]:
    """Give the values of a matrix, one table a combination, those of Linux where there are some."""
    matrix = strategy.get("matrix") if isinstance(strategy, dict) else None
    if not isinstance(matrix, dict):
        return [{"matrix.*": UNKNOWN}] if matrix else [{}]
    axes = {k: v for k, v in matrix.items() if k not in ("include", "exclude")}
    values = [
        [(str(name), one) for one in value] if isinstance(value, list) else [(str(name), UNKNOWN)]
        for name, value in axes.items()
    ]
    made = [
        dict(pairs) for pairs in itertools.islice(itertools.product(*values), MOST_COMBINATIONS)
    ]
    made = made if axes else []
    for more in _list(matrix.get("include"))[:MOST_COMBINATIONS]:
        if not isinstance(more, dict):
            continue
        joins = [
            one for one in made if all(one.get(k, v) == v for k, v in more.items() if k in axes)
        ]
        if axes and joins and not set(more) <= set(axes):
            for one in joins:
                one.update({k: v for k, v in more.items() if k not in axes})
        else:
            made.append(dict(more))
    flat = [_flat("matrix", one) for one in made or [{}]]
    here = [one for one in flat if not _ELSEWHERE.search(" ".join(one.values()))]
    return here or flat


def _flat(prefix: str, table: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            found |= _flat(f"{prefix}.{name}", value)
        elif isinstance(value, str):
            found[f"{prefix}.{name}"] = str(value)
    return found


def _named(prefix: str, table: Any, names: Mapping[str, str]) -> dict[str, str]:
    if not isinstance(table, dict):
        return {}
    return {
        f"{prefix}.{name}": evaluated(str(value), names)
        for name, value in table.items()
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
            value = _term(part.strip(), names)
            if value in ("", "false"):
                break
        if value not in ("", "false"):
            return value
    return "" if value == "false" else value


def _term(term: str, names: Mapping[str, str]) -> str:
    for sign, same in (("==", True), ("!=", False)):
        sides = _split(term, sign)
        if len(sides) == 2:
            left, right = (_term(side.strip(), names) for side in sides)
            return UNKNOWN if UNKNOWN in (left, right) else str((left == right) is same).lower()
    if literal := _LITERAL.fullmatch(term):
        return (literal[1] or literal[2] or "").replace("''", "'")
    if call := _CALL.fullmatch(term):
        pattern, *values = (_term(part.strip(), names) for part in _split(call[1], ","))
        return re.sub(r"\{(\d)\}", lambda m: (values + [""] * 10)[int(m[1])], pattern)
    if term in names:
        return names[term]
    if (term.startswith("matrix.") and "matrix.*" not in names) or term.startswith("inputs."):
        return ""
    return "Linux" if term == "runner.os" else UNKNOWN


def _split(text: str, sign: str) -> list[str]:
    """Split where a sign stands outside of quotes and brackets."""
    parts, depth, quoted, start, at = [], 0, False, 0, 0
    while at < len(text):
        if text[at] == "'":
            quoted = not quoted
        elif not quoted and text[at] in "()":
            depth += 1 if text[at] == "(" else -1
        elif not quoted and not depth and text.startswith(sign, at):
            parts.append(text[start:at])
            at += len(sign)
            start = at
            continue
        at += 1
    return [*parts, text[start:]]


def _other(path: str, data: dict[str, Any]) -> Workflow:
    return Workflow(path, ("push",), tuple(_scripts(data, path, "", DEEPEST + 3)))


def _scripts(data: Any, path: str, job: str, depth: int) -> Iterator[Step]:
    """Give the commands under the keys that other services run scripts by."""
    if depth == 0:
        return
    if isinstance(data, list):
        for one in data:
            yield from _scripts(one, path, job, depth - 1)
    if not isinstance(data, dict) or str(data.get("allow_failure", "")) == "true":
        return
    for name, value in data.items():
        if not _SCRIPTS.fullmatch(str(name)) or isinstance(value, dict):
            yield from _scripts(value, path, job or str(name), depth - 1)
            continue
        for script in value if isinstance(value, list) else [value]:
            if isinstance(script, str):
                first = getattr(script, "line", 1)
                for number, line in shell_commands(script):
                    yield Step(line, f"{path}:{first + number}", gates=True, job=job)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _tables(value: Any) -> list[dict[str, Any]]:
    rows = value.values() if isinstance(value, dict) else ()
    return [row for row in rows if isinstance(row, dict)]
