"""Targets that a repository's task runners offer: what one calls, and what it runs. Pure.

Each reader takes the text of one file; nothing is executed to find out.
"""

from __future__ import annotations

import ast
import configparser
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tacit.ingest.shell_lines import joined_lines, shell_commands
from tacit.ingest.tables import (
    Read,
    json_table,
    line_in,
    line_of,
    table,
    texts,
    toml_table,
    yaml_table,
)

MOST_TARGETS = 300
MOST_NAMES = 100  # that one pattern stands for
RECIPE_LINES = 12
_SCRIPT = re.compile(r"(?:scripts?|bin|tools|dev|ci)/(?:[^/.]+|[^/]+\.(?:ba)?sh)")
_TASK_KEYS = ("cmd", "shell", "composite", "sequence", "script")
_MAKE = re.compile(r"([A-Za-z0-9][\w./-]*)(?: [\w./-]+)*\s*::?(?!=)([^#=]*)")
_JUST = re.compile(r"@?([A-Za-z][\w-]*)(?:\s+[+*$]?[\w-]+(?:=\S+)?)*\s*:(?!=)([^#]*)")
_RAKE = re.compile(
    r"^\s*task[ (]\s*:?['\"]?([\w-]+(?::[\w-]+)*)['\"]?\s*(?:=>|:|,|$|do\b|\)|\{)(.*)$"
)
_RAKE_MADE = re.compile(
    r"(RSpec::Core::RakeTask|Rake::TestTask|Minitest::TestTask|RuboCop::RakeTask|YARD::Rake"
    r"|RDoc::Task|Cucumber::Rake::Task)\w*\.(?:new|create)\s*\(?\s*:?['\"]?([\w:-]+)?"
)
_RAKE_RUNS = {  # the name that a task has where it is given none, and what it runs
    "RSpec::Core::RakeTask": ("spec", "rspec"),
    "Rake::TestTask": ("test", "minitest"),
    "Minitest::TestTask": ("test", "minitest"),
    "RuboCop::RakeTask": ("rubocop", "rubocop"),
    "RDoc::Task": ("rdoc", "rdoc"),
    "Cucumber::Rake::Task": ("cucumber", "cucumber"),
    "YARD::Rake": ("yard", "yard doc"),
}
_BRACES = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(\d{1,3})-(\d{1,3})")
_FACTOR = re.compile(r"^([\w.,!{}-]+):\s+(.*)$")
_MIX_ALIAS = re.compile(r"""^\s*(?:"([\w.]+)"|([\w.]+)):?\s*(?:=>)?\s*\[\s*(".*)\]""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Target:
    """Something that a task runner can be told to do."""

    runner: str
    name: str
    call: str  # as one types it
    runs: tuple[str, ...]
    source: str  # `path:line`


def read_targets(paths: Iterable[str], read: Read) -> list[Target]:
    """Read the targets of the files at the root of a project, and of its folders of scripts."""
    known = set(paths)
    found: list[Target] = []
    for path in sorted(filter(is_task_file, known)):
        if text := read(path):
            found += _READERS.get(path, _read_script)(path, text, known)
    return found[:MOST_TARGETS]


def is_task_file(path: str) -> bool:
    """Tell whether a path within a project is one that task runners read."""
    return path in _READERS or _SCRIPT.fullmatch(path) is not None


def _commands(script: str) -> tuple[str, ...]:
    return tuple(command for _, command in shell_commands(script))


def _filled(text: str, values: Mapping[str, str], unset: str | None = None) -> str:
    """Put the plain values of variables in the place of their names."""

    def value(match: re.Match[str]) -> str:
        known = values.get(match[1] or match[2], match[0] if unset is None else unset)
        return match[0] if "$" in known else known.strip()

    return re.sub(r"\$(?:[({](\w+)[)}]|(\w+))", value, text).replace("$$", "$")


def _read_script(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    if re.match(r"#!.*\b(?:ba|z|da)?sh\b", text):
        values = re.findall(r"^(?:export )?([A-Z_]+)=\"([\w ./-]*)\"$", text, re.MULTILINE)
        yield Target("script", path, path, _commands(_filled(text, dict(values))), f"{path}:1")


def _read_makefile(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    values = {"MAKE": "make", **dict(re.findall(r"^(\w+)\s*[:?]?=\s*(.*)$", text, re.MULTILINE))}
    for number, match, recipe in _recipes(text, _MAKE):
        needs = [f"make {one}" for one in match[2].split()]
        runs = (*needs, *_commands(_filled(recipe, values, unset="")))
        yield Target("make", match[1], f"make {match[1]}", runs, f"{path}:{number + 1}")


def _read_justfile(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    for number, match, recipe in _recipes(text, _JUST):
        needs = [f"just {one}" for one in re.findall(r"[A-Za-z][\w-]*", match[2])]
        runs = (*needs, *_commands(recipe))
        yield Target("just", match[1], f"just {match[1]}", runs, f"{path}:{number + 1}")


def _recipes(text: str, head: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str], str]]:
    """Give the heads of recipes with their line, and the indented lines below each."""
    lines = joined_lines(text)
    for at, (number, line) in enumerate(lines):
        if match := head.match(line):
            below = (one for _, one in lines[at + 1 : at + 1 + RECIPE_LINES])
            recipe = itertools.takewhile(lambda one: one.startswith(("\t", " ")), below)
            yield number, match, "\n".join(one.strip().lstrip("@-+") for one in recipe)


def _read_taskfile(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    for name, task in table(yaml_table(text), "tasks").items():
        said = table(task).get("cmds") or table(task).get("cmd") or task
        calls = [
            one.get("cmd") or f"task {one.get('task')}" if isinstance(one, dict) else one
            for one in (said if isinstance(said, list) else [said])
        ]
        runs = _commands("\n".join(texts(calls)))
        yield Target("task", name, f"task {name}", runs, f"{path}:{line_in(name)}")


def _read_pyproject(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    tool = table(toml_table(text), "tool")
    yield from _toml_tox(path, text, table(tool, "tox"))
    if legacy := table(tool, "tox").get("legacy_tox_ini"):
        yield from _tox_ini(path, str(legacy), line_of(text, "legacy_tox_ini"))
    yield from _hatch(path, text, table(tool, "hatch", "envs"))
    yield from _scripts(path, text, "pdm", table(tool, "pdm", "scripts"))
    yield from _scripts(path, text, "poe", table(tool, "poe", "tasks"))
    yield from _scripts(path, text, "task", table(tool, "taskipy", "tasks"))


def _hatch(path: str, text: str, envs: dict[str, Any]) -> Iterator[Target]:
    for env in envs:
        scripts = table(envs, env, "scripts")
        for name, script in scripts.items():
            runs = tuple(
                f"hatch run {env}:{one.split()[0]}" if one.split()[0] in scripts else one
                for one in filter(str.strip, texts(script))
            )
            call = f"hatch run {name if env == 'default' else f'{env}:{name}'}"
            line = line_of(text, f"[tool.hatch.envs.{env}.scripts]", f"\n{name} =") + 1
            yield Target("hatch", f"{env}:{name}", call, runs, f"{path}:{line}")


def _scripts(path: str, text: str, runner: str, tasks: dict[str, Any]) -> Iterator[Target]:
    call = "pdm run" if runner == "pdm" else runner
    for name, task in tasks.items():
        said = task
        if isinstance(task, dict):
            said = next((task[key] for key in _TASK_KEYS if key in task), "")
        runs = tuple(f"{call} {one}" if one in tasks else one for one in texts(said))
        yield Target(runner, name, f"{call} {name}", runs, f"{path}:{line_of(text, runner, name)}")


def _read_tox_toml(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    yield from _toml_tox(path, text, toml_table(text))


def _toml_tox(path: str, text: str, tox: dict[str, Any]) -> Iterator[Target]:
    envs = table(tox, "env")
    for name in dict.fromkeys([*texts(tox.get("env_list")), *envs]):
        settings = {**table(tox, "env_run_base"), **table(envs, name)}
        commands = settings.get("commands")
        runs = tuple(
            " ".join(one if isinstance(one, str) else "{posargs}" for one in command)
            for command in (commands if isinstance(commands, list) else ())
            if isinstance(command, list)
        )
        own = f"env.{name}]"
        line = line_of(text, own if own in text else "env_run_base")
        yield Target("tox", name, f"tox run -e {name}", runs, f"{path}:{line}")


def _read_tox(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    yield from _tox_ini(path, text, 0)


def _tox_ini(path: str, text: str, above: int) -> Iterator[Target]:
    ini = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        ini.read_string(text)
    except configparser.Error:
        return
    main = next((name for name in ("tox", "tox:tox") if ini.has_section(name)), "tox")
    listed = ini.get(main, "env_list", fallback="") or ini.get(main, "envlist", fallback="")
    sections = {
        env: name
        for name in ini.sections()
        if name.startswith("testenv:")
        for env in expanded(name.removeprefix("testenv:"))
    }
    for env in dict.fromkeys([*expanded(listed or ""), *sections]):
        section = sections.get(env, "testenv")
        usual = ini.get("testenv", "commands", fallback="")
        commands = ini.get(section, "commands", fallback=usual) or ""
        source = f"{path}:{above + line_of(text, f'[{section}]')}"
        yield Target("tox", env, f"tox run -e {env}", tuple(_factored(commands, env)), source)


def expanded(patterns: str) -> list[str]:
    """Give the names that patterns with braces stand for: `py3{10,11}, docs`, `3.1{0-5}`."""
    found: list[str] = []
    for pattern in re.split(r",(?![^{]*\})|\n", patterns):
        parts = _BRACES.split(pattern.split("#")[0].strip())
        choices = [_choices(part) if at % 2 else [part] for at, part in enumerate(parts)]
        found += map("".join, itertools.islice(itertools.product(*choices), MOST_NAMES))
    return list(filter(None, found))


def _choices(text: str) -> list[str]:
    found: list[str] = []
    for part in map(str.strip, text.split(",")):
        between = _RANGE.fullmatch(part)
        found += map(str, range(int(between[1]), int(between[2]) + 1)) if between else [part]
    return found


def _factored(commands: str, env: str) -> Iterator[str]:
    """Give the commands of an environment: those without a condition, and whose factors it has."""
    factors = set(env.split("-"))
    for _, line in joined_lines(commands):
        match = _FACTOR.match(line.strip())
        if match and not any(factors.issuperset(one.split("-")) for one in expanded(match[1])):
            continue
        if command := " ".join((match[2] if match else line).split()).lstrip("- "):
            yield command


def _read_python(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    """Read the sessions of a noxfile, or the tasks of a tasks.py."""
    runner, decorator = ("nox", "session") if path == "noxfile.py" else ("invoke", "task")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        marks = [mark for mark in map(ast.unparse, node.decorator_list) if decorator in mark]
        if marks:
            renamed = re.search(r"\bname='([^']+)'", marks[0])
            name = renamed[1] if renamed else node.name
            name = name if runner == "nox" else name.replace("_", "-")
            call = f"nox -s {name}" if runner == "nox" else f"invoke {name}"
            yield Target(runner, name, call, tuple(_runs(node)), f"{path}:{node.lineno}")


def _runs(function: ast.AST) -> Iterator[str]:
    """Give the commands that calls like `session.run("pytest", …)` or `c.run("…")` name."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            values = (getattr(one, "value", None) for one in node.args)
            said = [*itertools.takewhile(lambda one: isinstance(one, str), values)]
            if said and node.func.attr in ("run", "run_always", "sudo"):
                yield " ".join(map(str, said))


def _read_package_json(path: str, text: str, known: set[str]) -> Iterator[Target]:
    data = json_table(text)
    locks = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lockb": "bun", "bun.lock": "bun"}
    by_lock = next((runner for lock, runner in locks.items() if lock in known), "npm")
    named = str(data.get("packageManager", "")).partition("@")[0]
    runner = named if named in ("npm", "pnpm", "yarn", "bun") else by_lock
    for name, script in table(data, "scripts").items():
        if isinstance(script, str) and "no test specified" not in script:
            short = name in ("test", "start") or runner == "yarn"
            call = f"{runner} {name}" if short else f"{runner} run {name}"
            line = line_of(text, '"scripts"', f'"{name}"')
            yield Target("npm", name, call, _commands(script), f"{path}:{line}")


def _read_composer(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    for name, script in table(json_table(text), "scripts").items():
        runs = tuple(re.sub(r"^@", "composer ", one) for one in texts(script))
        call = f"composer {name}" if name == "test" else f"composer run {name}"
        line = line_of(text, '"scripts"', f'"{name}"')
        yield Target("composer", name, call, runs, f"{path}:{line}")


def _read_rakefile(path: str, text: str, known: set[str]) -> Iterator[Target]:
    call = "bundle exec rake" if "Gemfile" in known else "rake"
    for number, line in enumerate(text.splitlines(), 1):
        if made := _RAKE_MADE.search(line):
            usual, run = _RAKE_RUNS[made[1]]
            name, runs = made[2] or usual, [run]
        elif task := _RAKE.match(line):
            needs = re.findall(r"[:'\"]([\w-]+(?::[\w-]+)*)", task[2])
            name, runs = task[1], [f"rake {one}" for one in needs]
        else:
            continue
        plain = call if name == "default" else f"{call} {name}"
        yield Target("rake", name, plain, tuple(runs), f"{path}:{number}")


def _read_mix(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    for match in _MIX_ALIAS.finditer(text):
        name = match[1] or match[2]
        if name not in ("extra_applications", "only"):
            runs = tuple(f"mix {one}" for one in re.findall(r'"([^"]+)"', match[3]))
            line = line_of(text, match[0].strip())
            yield Target("mix", name, f"mix {name}", runs, f"{path}:{line}")


_READERS: dict[str, Callable[[str, str, set[str]], Iterator[Target]]] = {
    "pyproject.toml": _read_pyproject,
    "tox.toml": _read_tox_toml,
    **dict.fromkeys(("tox.ini", "setup.cfg"), _read_tox),
    **dict.fromkeys(("noxfile.py", "tasks.py"), _read_python),
    "package.json": _read_package_json,
    "composer.json": _read_composer,
    "Rakefile": _read_rakefile,
    "mix.exs": _read_mix,
    **dict.fromkeys(("Makefile", "makefile", "GNUmakefile"), _read_makefile),
    **dict.fromkeys(("justfile", "Justfile", ".justfile"), _read_justfile),
    **dict.fromkeys(("Taskfile.yml", "Taskfile.yaml", "taskfile.yml"), _read_taskfile),
}
