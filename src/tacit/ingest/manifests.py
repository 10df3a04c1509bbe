"""What a root project depends on, as its manifests ask for it and its lock files fix it."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, takewhile
from posixpath import basename, dirname
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement

from tacit.ingest.reading import clean_many, read_text
from tacit.ingest.tables import comment_at, json_table, table, tables, toml_table, yaml_table
from tacit.observation import Dependency

LARGEST_MANIFEST = 1 << 20  # bytes
MOST_MANIFESTS = 50
MOST_ENTRIES = 300  # of one manifest
FIELD_CHARS = 200
LARGEST_LOCK = 16 << 20  # bytes

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
_TAG = re.compile(r"<([\w.-]+)>\s*([^<>\s][^<>]{0,100})</\1>")
_YARN_VERSION = re.compile(r'^  version:? "?([^"\s]{1,100})"?')
_LOCKED_GEM = re.compile(r"^    ([\w.-]{1,200}) \(([\w.-]{1,100})\)", re.MULTILINE)
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
    released = {_part(one) for one in found if not one.dev and not _is_for_work(one.manifest)}
    return [
        one.replace(dev=True) if _is_for_work(one.manifest) and _part(one) in released else one
        for one in found
    ]


def _is_for_work(path: str) -> bool:
    """Tell whether a file lists what a checkout needs, wherever another says what is released."""
    return basename(path) == "Gemfile" or _is_requirements(path)


def _part(one: Dependency) -> tuple[str, str]:
    return one.ecosystem, dirname(one.manifest).removesuffix("requirements").rstrip("/")


def read_pyproject(text: str) -> Iterator[Asked]:
    """Read pyproject.toml: the standard tables, groups, and those of Poetry."""
    data = toml_table(text)
    project, poetry = table(data, "project"), table(data, "tool", "poetry")
    yield from _requirements(project.get("dependencies"), dev=False)
    for name, lines in table(project, "optional-dependencies").items():
        yield from _requirements(lines, dev=_DEVELOPMENT.search(name) is not None, extra=name)
    for lines in table(data, "dependency-groups").values():
        yield from _requirements(lines, dev=True)
    yield from _versions(poetry.get("dependencies"), dev=False)
    yield from _versions(poetry.get("dev-dependencies"), dev=True)
    for group in tables(table(poetry, "group")):
        yield from _versions(group.get("dependencies"), dev=True)


def read_requirements(text: str) -> Iterator[Asked]:
    """Read requirements.txt; of a compiled one only what was asked for, not what came along."""
    lines = text.replace("\\\n", " ").splitlines()
    compiled = "# via" in text
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith(("#", "-")):
            continue
        below = takewhile(lambda one: one.lstrip().startswith("#"), lines[number:])
        notes = [line.partition("#")[2], *below]
        if not compiled or any(map(_VIA_FILE.search, notes)):
            yield from _requirements([line.partition(" --")[0].partition(" #")[0]], dev=False)


def read_package_json(text: str) -> Iterator[Asked]:
    """Read package.json."""
    data = json_table(text)
    yield from _versions(data.get("dependencies"), dev=False)
    yield from _versions(data.get("devDependencies"), dev=True)


def read_cargo(text: str) -> Iterator[Asked]:
    """Read Cargo.toml, of a package or a workspace."""
    data = toml_table(text)
    for place in [data, table(data, "workspace"), *tables(table(data, "target"))]:
        yield from _versions(place.get("dependencies"), dev=False)
        yield from _versions(place.get("build-dependencies"), dev=True)
        yield from _versions(place.get("dev-dependencies"), dev=True)


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
    properties = _tags(text.partition("<properties>")[2].partition("</properties>")[0])
    for piece in text.split("<dependency>")[1:]:
        tags = _tags(piece.partition("</dependency>")[0])
        name = f"{tags.get('groupId', '$')}:{tags.get('artifactId', '$')}"
        version = tags.get("version", "")
        if version.startswith("${"):
            version = properties.get(version[2:-1], "")
        if "$" not in name:
            yield Asked(name, version, tags.get("scope") == "test")


def _tags(text: str) -> dict[str, str]:
    return {match[1]: match[2].strip() for match in _TAG.finditer(text)}


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


def read_toml_lock(text: str) -> Locked:
    """Read poetry.lock, uv.lock and Cargo.lock; a name with two versions has neither."""
    found: dict[str, str] = {}
    for package in tables(toml_table(text).get("package")):
        name, version = package.get("name"), package.get("version")
        if isinstance(name, str) and isinstance(version, str):
            found[name] = version if found.get(name, version) == version else ""
    return {"": {name: version for name, version in found.items() if version}}


def read_package_lock(text: str) -> Locked:
    """Read package-lock.json of any version; only what stands at the top of node_modules."""
    data = json_table(text)
    entries = dict(table(data, "dependencies"))
    for path, entry in table(data, "packages").items():
        if path.startswith("node_modules/") and path.count("node_modules/") == 1:
            entries[path.removeprefix("node_modules/")] = entry
    versions = {name: table(entry).get("version") for name, entry in entries.items()}
    return {"": {name: one for name, one in versions.items() if isinstance(one, str)}}


def read_pnpm_lock(text: str) -> Locked:
    """Read what pnpm-lock.yaml says of direct dependencies, for each folder of a workspace."""
    data = yaml_table(
        re.split(r"^(?:packages|snapshots):", text, maxsplit=1, flags=re.MULTILINE)[0]
    )
    found: Locked = {}
    for folder, asked in {"": data, **table(data, "importers")}.items():
        versions = found.setdefault(folder.strip("./"), {})
        for section in _SECTIONS:
            for name, entry in table(asked, section).items():
                said = entry if isinstance(entry, str) else str(table(entry).get("version", ""))
                version = said.partition("(")[0]
                if version[:1].isdigit():
                    versions[name] = version
    return found


def read_yarn_lock(text: str) -> Locked:
    """Read yarn.lock, old and new; each range that was asked for has its version."""
    found: dict[str, str] = {}
    asked: list[str] = []
    for line in text.splitlines():
        if line[:1] not in (" ", "#", "") and line.endswith(":"):
            asked = [part.strip().strip('"') for part in line[:-1].strip('"').split(",")]
        elif match := _YARN_VERSION.match(line):
            for part in asked:
                at = part.find("@", 1)
                name, wanted = part[:at], part[at + 1 :].removeprefix("npm:")
                found[f"{name}@{wanted}"] = match[1]
                found.setdefault(name, match[1])
            asked = []
    return {"": found}


def read_gem_lock(text: str) -> Locked:
    """Read Gemfile.lock."""
    return {"": dict(_LOCKED_GEM.findall(text))}


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
