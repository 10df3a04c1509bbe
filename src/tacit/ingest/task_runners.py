"""Targets that a repository's task runners offer: what one calls, and what it runs. Pure.

Each reader takes the text of one file; nothing is executed to find out.
"""

from __future__ import annotations

import ast
import configparser
import itertools
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tacit.ingest.shell_lines import joined_lines, shell_commands
from tacit.ingest.tables import line_of, yaml_table

MOST_TARGETS = 300
RECIPE_LINES = 12
SCRIPT_FOLDERS = ("script", "scripts", "bin", "tools", "dev", "ci")
_TASK_KEYS = ("cmd", "shell", "composite", "sequence", "script")
_MAKE = re.compile(r"([A-Za-z0-9][\w./-]*)(?: [\w./-]+)*\s*::?(?!=)([^#=]*)(?:##?\s*(.*))?$")
_JUST = re.compile(r"@?([A-Za-z_][\w-]*)((?:\s+[+*$]?[\w-]+(?:=\S+)?)*)\s*:(?!=)(.*)")
_RAKE = re.compile(
    r"^\s*task[ (]\s*:?['\"]?([\w-]+(?::[\w-]+)*)['\"]?\s*(=>|:|,|$|do\b|\)|\{)(.*)$"
)
_RAKE_MADE = re.compile(
    r"(RSpec::Core::RakeTask|Rake::TestTask|Minitest::TestTask|RuboCop::RakeTask|YARD::Rake\w+"
    r"|RDoc::Task|Cucumber::Rake::Task)\.(?:new|create)\s*\(?\s*:?['\"]?([\w:-]+)?"
)
_RAKE_RUNS = {
    "RSpec::Core::RakeTask": ("spec", "rspec"),
    "Rake::TestTask": ("test", "minitest"),
    "Minitest::TestTask": ("test", "minitest"),
    "RuboCop::RakeTask": ("rubocop", "rubocop"),
    "RDoc::Task": ("rdoc", "rdoc"),
    "Cucumber::Rake::Task": ("cucumber", "cucumber"),
}
_BRACES = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(\d+)-(\d+)")
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
    says: str = ""  # of itself


def read_targets(paths: Iterable[str], read: Callable[[str], str | None]) -> list[Target]:
    """Read the targets of the files at the root of a project, and of its folders of scripts."""
    known = set(paths)
    found: list[Target] = []
    for path in sorted(known):
        reader = _READERS.get(path) or (_read_script if _is_script(path) else None)
        text = read(path) if reader else None
        if reader and text:
            found += reader(path, text, known)
    return found[:MOST_TARGETS]


def _is_script(path: str) -> bool:
    folder, _, name = path.partition("/")
    ending = name.rpartition(".")[2] if "." in name else ""
    return folder in SCRIPT_FOLDERS and "/" not in name and ending in ("", "sh", "bash")


def _read_script(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    first, _, _rest = text.partition("\n")
    if first.startswith("#!") and re.search(r"\b(?:ba|z|da)?sh\b", first):
        script = _with_variables(text)
        runs = tuple(line for _, line in shell_commands(script))
        yield Target("script", path, path, runs, f"{path}:1")


def _with_variables(text: str) -> str:
    """Put plain values that a script sets in the place of their names."""
    values = dict(re.findall(r"^(?:export )?([A-Z_]+)=\"([\w ./-]*)\"$", text, re.MULTILINE))
    return re.sub(r"\$\{?([A-Z_]+)\}?", lambda m: values.get(m[1], m[0]), text)


def _read_makefile(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    values = dict(re.findall(r"^(\w+)\s*[:?]?=\s*(.*)$", text, re.MULTILINE))
    lines = joined_lines(text)
    seen: set[str] = set()
    for at, (number, line) in enumerate(lines):
        match = None if line.startswith(("\t", " ", ".")) else _MAKE.match(line)
        if match is None or match[1] in seen or "%" in match[1]:
            continue
        seen.add(match[1])
        recipe = [_made(one, values) for one in _indented([one for _, one in lines], at + 1)]
        needs = [f"make {one}" for one in match[2].split() if re.fullmatch(r"[\w-]+", one)]
        runs = (*needs, *(c for one in recipe for _, c in shell_commands(one)))
        says = match[3] or ""
        yield Target("make", match[1], f"make {match[1]}", runs, f"{path}:{number + 1}", says)


def _made(line: str, values: dict[str, str]) -> str:
    """Put the plain variables of a Makefile in their place."""

    def value(match: re.Match[str]) -> str:
        known = values.get(match[1], "").strip()
        return known if "$" not in known else match[0]

    return re.sub(r"\$[({](\w+)[)}]", value, line.lstrip("@-+")).replace("$$", "$")


def _indented(lines: list[str], place: int) -> Iterator[str]:
    for line in lines[place : place + RECIPE_LINES]:
        if not line.startswith(("\t", " ")):
            return
        if command := line.strip().lstrip("@-+").strip():
            yield command


def _read_justfile(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    lines = text.splitlines()
    for at, line in enumerate(lines):
        match = _JUST.match(line)
        if match is None or match[1].startswith("_") or match[1] in ("set", "export", "alias"):
            continue
        above = lines[at - 1] if at else ""
        says = above.lstrip("# ").strip() if above.startswith("#") else ""
        named = re.findall(r"[A-Za-z][\w-]*", match[3].split("#")[0])
        needs = tuple(f"just {one}" for one in named)
        runs = tuple(c for one in _indented(lines, at + 1) for _, c in shell_commands(one))
        yield Target(
            "just", match[1], f"just {match[1]}", (*needs, *runs), f"{path}:{at + 1}", says
        )


def _read_taskfile(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    tasks = yaml_table(text).get("tasks")
    for name, task in tasks.items() if isinstance(tasks, dict) else ():
        table = task if isinstance(task, dict) else {"cmds": task}
        given = table.get("cmds") or table.get("cmd") or []
        cmds = given if isinstance(given, list) else [given]
        runs = tuple(command for one in cmds for _, command in shell_commands(_task_command(one)))
        source = f"{path}:{getattr(name, 'line', 1)}"
        yield Target("task", str(name), f"task {name}", runs, source, str(table.get("desc", "")))


def _task_command(one: Any) -> str:
    if isinstance(one, dict):
        return str(one.get("cmd") or f"task {one.get('task')}")
    return str(one)


def _read_pyproject(path: str, text: str, known: set[str]) -> Iterator[Target]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    tool = _table(data, "tool")
    yield from _toml_tox(path, text, _table(tool, "tox"))
    if legacy := _table(tool, "tox").get("legacy_tox_ini"):
        yield from _tox_ini(path, str(legacy), line_of(text, "legacy_tox_ini"))
    yield from _hatch(path, text, _table(tool, "hatch", "envs"))
    yield from _scripts(path, text, "pdm", _table(tool, "pdm", "scripts"))
    yield from _scripts(path, text, "poe", _table(tool, "poe", "tasks"))
    yield from _scripts(path, text, "task", _table(tool, "taskipy", "tasks"))


def _hatch(path: str, text: str, envs: dict[str, Any]) -> Iterator[Target]:
    for env, settings in envs.items():
        scripts = _table(settings, "scripts")
        for name, script in scripts.items():
            runs = tuple(
                f"hatch run {env}:{one.split()[0]}"
                if one.split()[:1] and one.split()[0] in scripts
                else one
                for one in _texts(script)
            )
            call = f"hatch run {name if env == 'default' else f'{env}:{name}'}"
            line = line_of(text, f"[tool.hatch.envs.{env}.scripts]", f"\n{name} =") + 1
            yield Target("hatch", f"{env}:{name}", call, runs, f"{path}:{line}")


def _scripts(path: str, text: str, runner: str, table: dict[str, Any]) -> Iterator[Target]:
    call = "pdm run" if runner == "pdm" else runner
    for name, task in table.items():
        said = task
        if isinstance(task, dict):
            said = next((task[key] for key in _TASK_KEYS if key in task), "")
        runs = tuple(f"{call} {one}" if one in table else one for one in _texts(said))
        yield Target(runner, name, f"{call} {name}", runs, f"{path}:{line_of(text, runner, name)}")


def _toml_tox(path: str, text: str, tox: dict[str, Any]) -> Iterator[Target]:
    base = _table(tox, "env_run_base")
    tables = _table(tox, "env")
    listed = [one for one in _texts(tox.get("env_list", [])) if one]
    for name in dict.fromkeys([*listed, *tables]):
        settings = {**base, **_table(tables, name)}
        own = f"[tool.tox.env.{name}]" if path.endswith("pyproject.toml") else f"[env.{name}]"
        where = own if own in text else "env_run_base"
        runs = tuple(" ".join(one) for one in _argument_lists(settings.get("commands", [])))
        says = str(_table(tables, name).get("description", ""))
        yield Target(
            "tox", name, f"tox run -e {name}", runs, f"{path}:{line_of(text, where)}", says
        )


def _argument_lists(commands: Any) -> Iterator[list[str]]:
    for command in commands if isinstance(commands, list) else []:
        if isinstance(command, list):
            yield [one for one in command if isinstance(one, str)] + (
                ["{posargs}"] if any(isinstance(one, dict) for one in command) else []
            )


def _read_tox(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    yield from _tox_ini(path, text, 0)


def _tox_ini(path: str, text: str, above: int) -> Iterator[Target]:
    ini = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        ini.read_string(text)
    except configparser.Error:
        return
    main = next((name for name in ("tox", "tox:tox") if ini.has_section(name)), "")
    envs = [env for part in _env_list(ini, main) for env in expanded(part)]
    sections = {
        env: name
        for name in ini.sections()
        if name.startswith("testenv:")
        for env in expanded(name.removeprefix("testenv:"))
    }
    for env in dict.fromkeys([*envs, *sections]):
        section = sections.get(env, "testenv")
        if not ini.has_section(section):
            continue
        commands = ini.get(section, "commands", fallback=None)
        commands = commands if commands is not None else ini.get("testenv", "commands", fallback="")
        runs = tuple(_factored(commands or "", env))
        says = ini.get(section, "description", fallback="") or ""
        source = f"{path}:{above + line_of(text, f'[{section}]')}"
        yield Target("tox", env, f"tox run -e {env}", runs, source, says)


def _env_list(ini: configparser.RawConfigParser, main: str) -> list[str]:
    """Give the patterns of environments that are listed."""
    if not main:
        return []
    listed = ini.get(main, "env_list", fallback=None) or ini.get(main, "envlist", fallback="")
    parts = (part.split("#")[0].strip() for part in re.split(r",(?![^{]*\})|\n", listed or ""))
    return [part for part in parts if part]


def expanded(pattern: str) -> list[str]:
    """Give the names that a pattern with braces stands for: `py3{10,11}`, `3.1{0-5}`."""
    parts = _BRACES.split(pattern)
    choices = [[part] if at % 2 == 0 else _choices(part) for at, part in enumerate(parts)]
    return ["".join(one).strip() for one in itertools.islice(itertools.product(*choices), 100)]


def _choices(text: str) -> list[str]:
    found: list[str] = []
    for part in text.split(","):
        if match := _RANGE.fullmatch(part.strip()):
            found += map(str, range(int(match[1]), min(int(match[2]), int(match[1]) + 50) + 1))
        else:
            found.append(part.strip())
    return found


def _factored(commands: str, env: str) -> Iterator[str]:
    """Give the commands of an environment: those without a condition, and whose factors it has."""
    factors = set(env.split("-"))
    for line in commands.replace("\\\n", " ").splitlines():
        match = _FACTOR.match(line.strip())
        if match and not any(set(one.split("-")) <= factors for one in expanded_all(match[1])):
            continue
        if command := " ".join((match[2] if match else line).split()).lstrip("- "):
            yield command


def expanded_all(condition: str) -> list[str]:
    """Give the alternatives of a condition on factors."""
    return [one for part in re.split(r",(?![^{]*\})", condition) for one in expanded(part)]


def _read_setup_cfg(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    if "[tox:tox]" in text:
        yield from _tox_ini(path, text, 0)


def _read_tox_toml(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    try:
        yield from _toml_tox(path, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return


def _read_python(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    """Read the sessions of a noxfile, or the tasks of a tasks.py."""
    runner, decorator = ("nox", "session") if path == "noxfile.py" else ("invoke", "task")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        marks = [mark for mark in node.decorator_list if decorator in ast.unparse(mark)]
        if not marks:
            continue
        name = _renamed(marks[0]) or node.name
        name = name if runner == "nox" else name.replace("_", "-")
        says = (ast.get_docstring(node) or "").partition("\n")[0]
        call = f"nox -s {name}" if runner == "nox" else f"invoke {name}"
        runs = tuple(_runs(node))
        yield Target(runner, name, call, runs, f"{path}:{node.lineno}", says)


def _renamed(mark: ast.expr) -> str:
    for keyword in mark.keywords if isinstance(mark, ast.Call) else []:
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    return ""


def _runs(function: ast.AST) -> Iterator[str]:
    """Give the commands that calls like `session.run("pytest", …)` or `c.run("…")` name."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr in ("run", "run_always", "sudo") and node.args:
            words = itertools.takewhile(
                lambda one: isinstance(one, ast.Constant) and isinstance(one.value, str), node.args
            )
            said = [str(word.value) for word in words if isinstance(word, ast.Constant)]
            if said:
                yield " ".join(said)


def _read_package_json(path: str, text: str, known: set[str]) -> Iterator[Target]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(data, dict):
        return
    runner = node_runner(data, known)
    scripts = _table(data, "scripts")
    for name, script in scripts.items():
        if not isinstance(script, str) or "no test specified" in script:
            continue
        if name.startswith(("pre", "post")) and re.sub(r"^(?:pre|post)", "", name) in scripts:
            continue  # runs beside another
        runs = tuple(command for _, command in shell_commands(script))
        short = name in ("test", "start") or runner == "yarn"
        call = f"{runner} {name}" if short else f"{runner} run {name}"
        line = line_of(text, '"scripts"', f'"{name}"')
        yield Target("npm", name, call, runs, f"{path}:{line}")


def node_runner(data: dict[str, Any], known: set[str]) -> str:
    """Name the package manager of a project: as it says itself, else by its lock file."""
    named = str(data.get("packageManager", "")).partition("@")[0]
    locks = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lockb": "bun", "bun.lock": "bun"}
    by_lock = next((runner for lock, runner in locks.items() if lock in known), "npm")
    return named if named in ("npm", "pnpm", "yarn", "bun") else by_lock


def _read_composer(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    try:
        scripts = _table(json.loads(text), "scripts")
    except (ValueError, RecursionError):
        return
    for name, script in scripts.items():
        runs = tuple(re.sub(r"^@", "composer ", one) for one in _texts(script))
        line = line_of(text, '"scripts"', f'"{name}"')
        call = f"composer {name}" if name == "test" else f"composer run {name}"
        yield Target("composer", name, call, runs, f"{path}:{line}")


def _read_rakefile(path: str, text: str, known: set[str]) -> Iterator[Target]:
    call = "bundle exec rake" if "Gemfile" in known else "rake"
    for number, line in enumerate(text.splitlines(), 1):
        if made := _RAKE_MADE.search(line):
            usual, runs = _RAKE_RUNS.get(made[1], ("yard", "yard doc"))
            name = made[2] or usual
            yield Target("rake", name, f"{call} {name}", (runs,), f"{path}:{number}")
        elif task := _RAKE.match(line):
            needs = (
                re.findall(r"[:'\"]([\w-]+(?::[\w-]+)*)", task[3]) if task[2] in ("=>", ":") else []
            )
            plain = call if task[1] == "default" else f"{call} {task[1]}"
            called = tuple(f"rake {one}" for one in needs)
            yield Target("rake", task[1], plain, called, f"{path}:{number}")


def _read_mix(path: str, text: str, _known: set[str]) -> Iterator[Target]:
    for match in _MIX_ALIAS.finditer(text):
        name = match[1] or match[2]
        if name in ("extra_applications", "only"):
            continue
        runs = tuple(f"mix {one}" for one in re.findall(r'"([^"]+)"', match[3]))
        yield Target("mix", name, f"mix {name}", runs, f"{path}:{line_of(text, match[0].strip())}")


def _table(data: Any, *names: str) -> dict[str, Any]:
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, str)]


_READERS: dict[str, Callable[[str, str, set[str]], Iterable[Target]]] = {
    "pyproject.toml": _read_pyproject,
    "tox.ini": _read_tox,
    "tox.toml": _read_tox_toml,
    "setup.cfg": _read_setup_cfg,
    "noxfile.py": _read_python,
    "tasks.py": _read_python,
    "package.json": _read_package_json,
    "composer.json": _read_composer,
    "Rakefile": _read_rakefile,
    "mix.exs": _read_mix,
    **dict.fromkeys(("Makefile", "makefile", "GNUmakefile"), _read_makefile),
    **dict.fromkeys(("justfile", "Justfile", ".justfile"), _read_justfile),
    **dict.fromkeys(("Taskfile.yml", "Taskfile.yaml", "taskfile.yml"), _read_taskfile),
}


def is_task_file(path: str) -> bool:
    """Tell whether a path within a project is one that task runners read."""
    return path in _READERS or _is_script(path)
