"""What a root project depends on, as its manifests ask for it and its lock files fix it."""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from posixpath import basename, dirname
from typing import Any, NamedTuple

from packaging.requirements import InvalidRequirement, Requirement

from tacit.ingest.project_files import comment_at
from tacit.ingest.reading import clean_many, parse_json, read_text
from tacit.observation import Dependency

LARGEST_MANIFEST = 1 << 20  # bytes
MOST_MANIFESTS = 50
MOST_ENTRIES = 300  # of one manifest
FIELD_CHARS = 200
LARGEST_LOCK = 16 << 20  # bytes
MOST_LOCKED = 50_000

Locked = dict[str, dict[str, str]]  # folder below the lock file's, "" for its own → versions
Versions = dict[tuple[str, str], dict[str, str]]  # ecosystem, folder → name → version

_REQUIREMENTS = re.compile(r"(?:[\w-]+-)?requirements(?:[._-][\w.-]+)?\.txt")
_DEVELOPMENT = re.compile(
    r"(?:^|[^a-z]|mk)(?:dev|test|lint|typing|mypy|min-versions|(?:docs?|ci|build)(?![a-z]))",
    re.IGNORECASE,
)
_ASIDE = frozenset(
    "node_modules vendor third_party .venv venv site-packages dist testdata fixtures __fixtures__ "
    "bower_components Pods .git examples example samples demo demos test tests docs doc bench "
    "benchmarks templates".split()
)
_VIA_FILE = re.compile(r"-r\s|\.in\b|\.toml\b|\.cfg\b|setup\.py")
_GO_REQUIRE = re.compile(r"^\s*(?:require\s+)?([\w.~-]+\.[\w.~-]+/\S+)\s+(v\S+)")
_GEM = re.compile(
    r"^\s*(?:gem|\w+\.add_(?P<dev>development_)?(?:runtime_)?dependency)[\s(]+"
    r"[\"'](?P<name>[\w.-]+)[\"'](?:\s*,\s*[\"'](?P<version>[^\"']+)[\"'])?"
)
_GRADLE = re.compile(
    r"^\s*(\w*(?:[iI]mplementation|api|Api|compileOnly|runtimeOnly|kapt|ksp|classpath))\s*\(?\s*"
    r"[\"']([\w.-]+:[\w.-]+):([\w.+-]+)[\"']"
)
_PROPERTY = re.compile(r"<([\w.-]+)>\s*([^<>\s][^<>]{0,100})</\1>")
_TOML_FIELD = re.compile(r'^(name|version) = "([^"]{1,200})"')
_YARN_VERSION = re.compile(r'^  version:? "?([^"\s]{1,100})"?')
_YAML_LINE = re.compile(
    r"^( *)(?:'([^']{1,300})'|\"([^\"]{1,300})\"|([^\s:'\"][^:]{0,300})):(?: (.*))?$"
)
_LOCKED_GEM = re.compile(r"^    ([\w.-]{1,200}) \(([\w.-]{1,100})\)")
_SECTIONS = ("dependencies", "devDependencies", "optionalDependencies")


class Asked(NamedTuple):
    """What a manifest asks for: a package, and the version or range as it is written."""

    package: str
    wanted: str
    dev: bool = False
    extra: str = ""  # the optional part of the project that asks for it


def is_manifest(path: str) -> bool:
    """Tell whether a path within a project is one to read, by its name and folders."""
    name = basename(path)
    known = name in _FORMATS or name in LOCKS or _is_requirements(path) or name.endswith(".gemspec")
    return known and not _ASIDE.intersection(path.split("/")[:-1])


def read_manifests(root: str, paths: Iterable[str], counts: Counter[str]) -> list[Dependency]:
    """Read the manifests of the root project; where it has none, those nearest to the root."""
    known = sorted(filter(is_manifest, paths), key=lambda path: (_depth(path), path))
    least = min((_depth(path) for path in known if basename(path) not in LOCKS), default=0)
    wanted = [path for path in known if _depth(path) <= least][:MOST_MANIFESTS]
    locked = _locked(root, [path for path in wanted if basename(path) in LOCKS], counts)
    found: list[Dependency] = []
    for path in wanted:
        place = os.path.join(root, path)
        text = None if basename(path) in LOCKS else read_text(place, counts, LARGEST_MANIFEST)
        found += _dependencies(path, text, locked, counts) if text is not None else ()
    released = {_part(one) for one in found if not one.dev and not _lists_for_work(one.manifest)}
    return [
        one.replace(dev=True) if _lists_for_work(one.manifest) and _part(one) in released else one
        for one in found
    ]


def _lists_for_work(path: str) -> bool:
    """Tell whether a file lists what a checkout needs, wherever another says what is released."""
    return basename(path) == "Gemfile" or _is_requirements(path)


def _part(one: Dependency) -> tuple[str, str]:
    return one.ecosystem, dirname(one.manifest).removesuffix("requirements").rstrip("/")


def read_pyproject(text: str) -> Iterator[Asked]:
    """Read pyproject.toml: the standard tables, groups, and those of Poetry."""
    data = _toml(text)
    project, poetry = _table(data, "project"), _table(data, "tool", "poetry")
    yield from _requirements(project.get("dependencies"), dev=False)
    for name, lines in _table(project, "optional-dependencies").items():
        yield from _requirements(lines, dev=_DEVELOPMENT.search(name) is not None, extra=name)
    for lines in _table(data, "dependency-groups").values():
        yield from _requirements(lines, dev=True)
    yield from _versions(poetry.get("dependencies"), dev=False)
    yield from _versions(poetry.get("dev-dependencies"), dev=True)
    for group in _tables(_table(poetry, "group")):
        yield from _versions(group.get("dependencies"), dev=True)


def read_requirements(text: str) -> Iterator[Asked]:
    """Read requirements.txt; of a compiled one only what was asked for, not what came along."""
    lines = text.replace("\\\n", " ").splitlines()
    compiled = any("# via" in line for line in lines)
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith(("#", "-")):
            continue
        below = lines[number + 1 :]
        notes = [line.partition("#")[2], *_until_text(below)]
        if not compiled or any(_VIA_FILE.search(note) for note in notes):
            yield from _requirements([line.partition(" --")[0].partition(" #")[0]], dev=False)


def _until_text(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.lstrip().startswith("#"):
            return
        yield line


def read_package_json(text: str) -> Iterator[Asked]:
    """Read package.json."""
    data = parse_json(text)
    if isinstance(data, dict):
        yield from _versions(data.get("dependencies"), dev=False)
        yield from _versions(data.get("devDependencies"), dev=True)


def read_cargo(text: str) -> Iterator[Asked]:
    """Read Cargo.toml, of a package or a workspace."""
    data = _toml(text)
    for table in [data, _table(data, "workspace"), *_tables(_table(data, "target"))]:
        yield from _versions(table.get("dependencies"), dev=False)
        yield from _versions(table.get("build-dependencies"), dev=True)
        yield from _versions(table.get("dev-dependencies"), dev=True)


def read_go_mod(text: str) -> Iterator[Asked]:
    """Read go.mod without the indirect ones."""
    for line in text.splitlines():
        said, _, note = line.partition("//")
        if "indirect" not in note and (match := _GO_REQUIRE.match(said)):
            yield Asked(match[1], match[2])


def read_gemfile(text: str) -> Iterator[Asked]:
    """Read a Gemfile or gemspec; what stands in `group :development` or `:test` is for those."""
    dev = False
    for line in text.splitlines():
        if line.lstrip().startswith("group "):
            dev = "production" not in line
        elif line.strip() == "end":
            dev = False
        elif match := _GEM.match(line):
            yield Asked(match["name"], match["version"] or "", dev or bool(match["dev"]))


def read_pom(text: str) -> Iterator[Asked]:
    """Read pom.xml by its tags; one that declares entities is refused."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        return
    block = text.partition("<properties>")[2].partition("</properties>")[0]
    properties = {match[1]: match[2].strip() for match in _PROPERTY.finditer(block)}
    for piece in text.split("<dependency>")[1:]:
        inner = piece.partition("</dependency>")[0]
        fields = {match[1]: match[2].strip() for match in _PROPERTY.finditer(inner)}
        version = fields.get("version", "")
        if version.startswith("${"):
            version = properties.get(version[2:-1], "")
        if "groupId" in fields and "artifactId" in fields:
            name = f"{fields['groupId']}:{fields['artifactId']}"
            if "${" not in name:
                yield Asked(name, version, fields.get("scope") == "test")


def read_gradle(text: str) -> Iterator[Asked]:
    """Read the plain forms of build.gradle and build.gradle.kts: `implementation("g:n:1.0")`."""
    for line in text.splitlines():
        if match := _GRADLE.match(line):
            yield Asked(match[2], match[3], match[1].lower().startswith("test"))


Read = Callable[[str], Iterator[Asked]]
_FORMATS: dict[str, tuple[str, Read]] = {
    "pyproject.toml": ("pypi", read_pyproject),
    "package.json": ("npm", read_package_json),
    "Cargo.toml": ("cargo", read_cargo),
    "go.mod": ("go", read_go_mod),
    "Gemfile": ("gem", read_gemfile),
    "pom.xml": ("maven", read_pom),
    "build.gradle": ("maven", read_gradle),
    "build.gradle.kts": ("maven", read_gradle),
}


def _format_of(path: str) -> tuple[str, Read]:
    name = basename(path)
    if name in _FORMATS:
        return _FORMATS[name]
    return ("gem", read_gemfile) if name.endswith(".gemspec") else ("pypi", read_requirements)


def _is_requirements(path: str) -> bool:
    name = basename(path)
    inside = basename(dirname(path)) == "requirements" and name.endswith(".txt")
    return inside or _REQUIREMENTS.fullmatch(name) is not None


def _depth(path: str) -> int:
    return path.count("/") - (basename(dirname(path)) == "requirements")


def _locked(root: str, paths: list[str], counts: Counter[str]) -> Versions:
    found: Versions = {}
    for path in paths:
        ecosystem, read = LOCKS[basename(path)]
        text = read_text(os.path.join(root, path), counts, LARGEST_LOCK)
        for folder, versions in read(text).items() if text is not None else ():
            place = "/".join(filter(None, (dirname(path), folder)))
            found.setdefault((ecosystem, place), {}).update(versions)
    return found


def _dependencies(
    path: str, text: str, locked: Versions, counts: Counter[str]
) -> Iterator[Dependency]:
    ecosystem, read = _format_of(path)
    all_dev = _is_requirements(path) and _DEVELOPMENT.search(basename(path)) is not None
    lines = text.splitlines()
    first: dict[str, Asked] = {}  # an extra may ask again for what the project needs
    for asked in islice(read(text), MOST_ENTRIES):
        first.setdefault(asked.package.lower(), asked)
    for asked in first.values():
        line = _line_of(lines, asked.package)
        why = comment_at(lines, line)
        flat = [asked.package, asked.wanted, why]
        package, wanted, why = (" ".join(one.split()) for one in clean_many(flat, counts))
        version = next(_locked_versions(asked, path, ecosystem, locked), "")
        if package:
            yield Dependency(
                package=package[:FIELD_CHARS],
                version=(version or wanted)[:FIELD_CHARS],
                wanted=wanted[:FIELD_CHARS],
                manifest=path,
                line=line,
                why=why,
                ecosystem=ecosystem,
                locked=bool(version),
                dev=asked.dev or all_dev,
                extra=asked.extra[:FIELD_CHARS],
            )


def _line_of(lines: list[str], package: str) -> int:
    """Give the line of a manifest where a package stands; 0 where it is put together."""
    last = package.rpartition(":")[2]  # of Maven the artifact has a line of its own
    pattern = re.compile(rf"(?<![\w./@-]){re.escape(last)}(?![\w./-])")
    for number, line in enumerate(lines, 1):
        if pattern.search(line) and not line.lstrip().startswith(("#", "//", "name", '"name"')):
            return number
    return 0


def _locked_versions(asked: Asked, path: str, ecosystem: str, locked: Versions) -> Iterator[str]:
    """Give what lock files say, from the manifest's own folder up: a workspace has one for all."""
    package = asked.package
    names = (f"{package}@{asked.wanted}", package, package.lower().replace("_", "-"))
    folder = dirname(path)
    while True:
        versions = locked.get((ecosystem, folder), {})
        yield from (versions[name] for name in names if name in versions)
        if not folder:
            return
        folder = dirname(folder)


def _requirements(lines: object, *, dev: bool, extra: str = "") -> Iterator[Asked]:
    """Give the requirements of Python among lines; an address or a path is none."""
    for line in lines if isinstance(lines, list) else ():
        try:
            one = Requirement(line.strip()) if isinstance(line, str) else None
        except InvalidRequirement:
            continue
        if one is not None:
            yield Asked(one.name, "" if one.url else str(one.specifier), dev, extra)


def _versions(table: object, *, dev: bool) -> Iterator[Asked]:
    """Give `name = "1.0"` and `name = {version = "1.0"}`; `python` is a runtime."""
    for name, value in table.items() if isinstance(table, dict) else ():
        if isinstance(value, dict):
            value = value.get("version", "")
        if isinstance(value, str) and name != "python":
            yield Asked(name, value, dev)


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


def read_toml_lock(text: str) -> Locked:
    """Read poetry.lock, uv.lock and Cargo.lock; a name with two versions has neither."""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("[["):
            name = ""
        elif match := _TOML_FIELD.match(line):
            if match[1] == "name":
                name = match[2]
            elif name and len(found) < MOST_LOCKED:
                found[name] = match[2] if found.get(name, match[2]) == match[2] else ""
                name = ""
    return {"": {name: version for name, version in found.items() if version}}


def read_package_lock(text: str) -> Locked:
    """Read package-lock.json of any version; only what stands at the top of node_modules."""
    data = parse_json(text)
    found: dict[str, str] = {}
    if not isinstance(data, dict):
        return {"": found}
    for section, prefix in (("dependencies", ""), ("packages", "node_modules/")):
        entries = data.get(section)
        for path, entry in entries.items() if isinstance(entries, dict) else ():
            name = path.removeprefix(prefix)
            version = entry.get("version") if isinstance(entry, dict) else None
            nested = prefix and (path == name or prefix in name)
            if isinstance(version, str) and not nested and len(found) < MOST_LOCKED:
                found[name] = version
    return {"": found}


def read_pnpm_lock(text: str) -> Locked:
    """Read what pnpm-lock.yaml says of direct dependencies, for each folder of a workspace."""
    found: Locked = {}
    path: list[tuple[int, str]] = []
    for line in text.splitlines():
        match = _YAML_LINE.match(line)
        if match is None:
            continue
        indent = len(match[1])
        while path and path[-1][0] >= indent:
            path.pop()
        path.append((indent, match[2] or match[3] or match[4]))
        if match[5] and len(path) >= 2:
            _note_pnpm([key for _, key in path], match[5], found)
    return found


def read_yarn_lock(text: str) -> Locked:
    """Read yarn.lock, old and new; each range that was asked for has its version."""
    found: dict[str, str] = {}
    asked: list[str] = []
    for line in text.splitlines():
        if line[:1] not in (" ", "#", "") and line.endswith(":"):
            asked = [part.strip().strip('"') for part in line[:-1].strip('"').split(",")]
        elif asked and (match := _YARN_VERSION.match(line)):
            for part in asked:
                name, _, wanted = part[1:].partition("@")
                name = part[0] + name if part else ""
                if len(found) < MOST_LOCKED:
                    found[f"{name}@{wanted.removeprefix('npm:')}"] = match[1]
                    found.setdefault(name, match[1])
            asked = []
    return {"": found}


def read_gem_lock(text: str) -> Locked:
    """Read Gemfile.lock."""
    matches = [match for line in text.splitlines() if (match := _LOCKED_GEM.match(line))]
    return {"": {match[1]: match[2] for match in matches[:MOST_LOCKED]}}


LOCKS: dict[str, tuple[str, Callable[[str], Locked]]] = {  # file → whose dependencies it locks
    "poetry.lock": ("pypi", read_toml_lock),
    "uv.lock": ("pypi", read_toml_lock),
    "pdm.lock": ("pypi", read_toml_lock),
    "Cargo.lock": ("cargo", read_toml_lock),
    "package-lock.json": ("npm", read_package_lock),
    "pnpm-lock.yaml": ("npm", read_pnpm_lock),
    "yarn.lock": ("npm", read_yarn_lock),
    "Gemfile.lock": ("gem", read_gem_lock),
}


def _note_pnpm(keys: list[str], value: str, found: Locked) -> None:
    """Take `importers/<folder>/<section>/<name>/version`, or the same without a workspace."""
    folder = ""
    if keys[0] == "importers" and len(keys) > 2:
        folder, keys = keys[1].strip("."), keys[2:]
    if keys[0] not in _SECTIONS or len(keys) < 2 or (len(keys) > 2 and keys[2] != "version"):
        return
    versions = found.setdefault(folder.strip("/"), {})
    version = value.partition("(")[0].strip("'\" ")
    if len(versions) < MOST_LOCKED and version[:1].isdigit():
        versions[keys[1]] = version
