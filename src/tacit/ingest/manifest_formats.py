"""What each package manifest says: dependencies asked for, runtimes, commands. Pure.

One function a format, from its text to `Found`. None follows includes, expands entities or
anchors, or runs anything; what does not parse says nothing.
"""

from __future__ import annotations

import re
import tomllib

from tacit.ingest.reading import parse_json
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Asked = tuple[str, str, bool]  # package, version or range as written, for development only

_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;@#)]*)")
_VIA_FILE = re.compile(r"-r\s|\.in\b|\.toml\b|\.cfg\b|setup\.py")
_GO_REQUIRE = re.compile(r"^\s*(?:require\s+)?([\w.~-]+\.[\w.~-]+/\S+)\s+(v\S+)")
_GEM = re.compile(r"^\s*gem\s+[\"']([\w.-]+)[\"'](?:\s*,\s*[\"']([^\"']+)[\"'])?")
_RUBY = re.compile(r"^\s*ruby\s+[\"']([^\"']+)[\"']")
_GRADLE = re.compile(
    r"^\s*(\w*(?:[iI]mplementation|api|Api|compileOnly|runtimeOnly|kapt|ksp|classpath))\s*\(?\s*"
    r"[\"']([\w.-]+:[\w.-]+):([\w.+-]+)[\"']"
)
_PROPERTY = re.compile(r"<([\w.-]+)>\s*([^<>\s][^<>]{0,100})</\1>")
_DEV_WORDS = frozenset("dev test tests testing lint docs doc typing mypy build ci".split())


class Found(Value):
    """What a manifest says."""

    dependencies: tuple[Asked, ...] = ()
    runtimes: tuple[tuple[str, str], ...] = ()
    commands: tuple[tuple[str, str], ...] = ()


def read_pyproject(text: str) -> Found:
    """Read pyproject.toml: the standard tables, Poetry's, and the scripts of pdm, hatch and poe."""
    data = _toml(text)
    project, poetry = _table(data, "project"), _table(data, "tool", "poetry")
    asked = [(line, False) for line in _strings(project.get("dependencies"))]
    for name, lines in _table(project, "optional-dependencies").items():
        asked += [(line, name in _DEV_WORDS) for line in _strings(lines)]
    for lines in _table(data, "dependency-groups").values():
        asked += [(line, True) for line in _strings(lines)]
    dependencies = [(*_requirement(line), dev) for line, dev in asked]
    dependencies += _versions(poetry.get("dependencies"), dev=False)
    for table in (poetry, *_tables(_table(poetry, "group"))):
        dependencies += _versions(table.get("dev-dependencies"), dev=True)
    for table in _tables(_table(poetry, "group")):
        dependencies += _versions(table.get("dependencies"), dev=True)
    python = _text(project.get("requires-python"))
    python = python or next((v for name, v, _ in dependencies if name == "python"), "")
    scripts = {**_table(poetry, "scripts"), **_table(project, "scripts")}
    commands = [(name, _text(target)) for name, target in scripts.items()]
    commands += _scripts("pdm run", _table(data, "tool", "pdm", "scripts"))
    commands += _scripts("poe", _table(data, "tool", "poe", "tasks"))
    for name, env in _table(data, "tool", "hatch", "envs").items():
        runner = "hatch run" if name == "default" else f"hatch run {name}:"
        commands += _scripts(runner, _table(env, "scripts"))
    return Found(
        dependencies=tuple(asked for asked in dependencies if asked[0] not in ("", "python")),
        runtimes=(("python", python),) if python else (),
        commands=tuple(commands),
    )


def read_requirements(text: str) -> Found:
    """Read requirements.txt; of a compiled one only what was asked for, not what came along."""
    lines = text.replace("\\\n", " ").splitlines()
    compiled = any("# via" in line for line in lines)
    found: list[Asked] = []
    asked_for: list[bool] = []
    for line in lines:
        note = line.partition("#")[2]
        if (
            not line.strip().startswith(("#", "-", "http:", "https:", "git+", ".", "/"))
            and line.strip()
        ):
            found.append((*_requirement(line.partition(" --")[0].partition("#")[0]), False))
            asked_for.append(bool(_VIA_FILE.search(note)))
        elif asked_for and line.startswith(" ") and _VIA_FILE.search(note):
            asked_for[-1] = True
    kept = [asked for asked, direct in zip(found, asked_for, strict=True) if direct or not compiled]
    return Found(dependencies=tuple(asked for asked in kept if asked[0]))


def read_package_json(text: str) -> Found:
    """Read package.json; its scripts are run by the package manager it names, else npm."""
    data = parse_json(text)
    if not isinstance(data, dict):
        return Found()
    manager = _text(data.get("packageManager")).partition("@")[0]
    runner = manager if manager in ("pnpm", "yarn", "bun") else "npm"
    engines = _table(data, "engines")
    return Found(
        dependencies=(
            *_versions(data.get("dependencies"), dev=False),
            *_versions(data.get("devDependencies"), dev=True),
        ),
        runtimes=tuple((name, _text(version)) for name, version in engines.items()),
        commands=tuple(_scripts(f"{runner} run", _table(data, "scripts"))),
    )


def read_cargo(text: str) -> Found:
    """Read Cargo.toml, of a package or a workspace."""
    data = _toml(text)
    tables = [data, _table(data, "workspace"), *_tables(_table(data, "target"))]
    found: list[Asked] = []
    for table in tables:
        found += _versions(table.get("dependencies"), dev=False)
        found += _versions(table.get("build-dependencies"), dev=True)
        found += _versions(table.get("dev-dependencies"), dev=True)
    rust = _text(_table(data, "package").get("rust-version"))
    return Found(dependencies=tuple(found), runtimes=(("rust", rust),) if rust else ())


def read_go_mod(text: str) -> Found:
    """Read go.mod without the indirect ones."""
    lines = [line.partition("//") for line in text.splitlines()]
    direct = [line for line, _, note in lines if "indirect" not in note]
    found = [match for line in direct if (match := _GO_REQUIRE.match(line))]
    go = [line.split()[1] for line in direct if line.startswith("go ") and len(line.split()) == 2]
    return Found(
        dependencies=tuple((match[1], match[2], False) for match in found),
        runtimes=tuple(("go", version) for version in go[:1]),
    )


def read_gemfile(text: str) -> Found:
    """Read a Gemfile; those within `group :development` or `:test` are for development."""
    found: list[Asked] = []
    runtimes: list[tuple[str, str]] = []
    dev = False
    for line in text.splitlines():
        if line.lstrip().startswith("group "):
            dev = "production" not in line
        elif line.strip() == "end":
            dev = False
        elif match := _GEM.match(line):
            found.append((match[1], match[2] or "", dev))
        elif match := _RUBY.match(line):
            runtimes.append(("ruby", match[1]))
    return Found(dependencies=tuple(found), runtimes=tuple(runtimes))


def read_pom(text: str) -> Found:
    """Read pom.xml by its tags; one that declares entities is refused."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        return Found()
    block = text.partition("<properties>")[2].partition("</properties>")[0]
    properties = {match[1]: match[2].strip() for match in _PROPERTY.finditer(block)}
    found: list[Asked] = []
    for piece in text.split("<dependency>")[1:]:
        fields = {
            m[1]: m[2].strip() for m in _PROPERTY.finditer(piece.partition("</dependency>")[0])
        }
        version = fields.get("version", "")
        if version.startswith("${"):
            version = properties.get(version[2:-1], "")
        if "groupId" in fields and "artifactId" in fields:
            name = f"{fields['groupId']}:{fields['artifactId']}"
            found.append((name, version, fields.get("scope") == "test"))
    java = properties.get("maven.compiler.release") or properties.get("java.version") or ""
    return Found(dependencies=tuple(found), runtimes=(("java", java),) if java else ())


def read_gradle(text: str) -> Found:
    """Read the plain forms of build.gradle and build.gradle.kts: `implementation("g:n:1.0")`."""
    found = [match for line in text.splitlines() if (match := _GRADLE.match(line))]
    asked = [(match[2], match[3], match[1].lower().startswith("test")) for match in found]
    return Found(dependencies=tuple(asked))


def _requirement(line: str) -> tuple[str, str]:
    match = _REQUIREMENT.match(line)
    return (match[1], match[2].strip()) if match else ("", "")


def _versions(table: object, *, dev: bool) -> Iterator[Asked]:
    """Give `name = "1.0"` and `name = {version = "1.0"}`."""
    for name, given in table.items() if isinstance(table, dict) else ():
        if isinstance(given, dict):
            given = given.get("version", "")
        if isinstance(given, str):
            yield name, given, dev


def _scripts(runner: str, table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, given in table.items():
        if isinstance(given, dict):
            given = given.get("cmd") or given.get("shell") or given.get("call")
        if isinstance(given, list):
            given = " && ".join(_strings(given))
        if isinstance(given, str):
            yield f"{runner}{'' if runner.endswith(':') else ' '}{name}", given


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def _table(data: object, *names: str) -> dict[str, Any]:
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _tables(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [table for table in data.values() if isinstance(table, dict)]


def _strings(data: object) -> Iterable[str]:
    return [item for item in data if isinstance(item, str)] if isinstance(data, list) else []


def _text(data: object) -> str:
    return data if isinstance(data, str) else ""
