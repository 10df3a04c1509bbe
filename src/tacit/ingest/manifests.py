"""Manifests and lock files of a project: what it depends on, runs on and can be told to do.

Only what a project asks for itself is given, in the version its lock file says; what came along
with that is not. Folders that hold other people's code are passed over.
"""

from __future__ import annotations

import os
import re
from posixpath import basename, dirname

from tacit.ingest import manifest_formats as formats
from tacit.ingest.lockfiles import LARGEST_LOCK, LOCKS
from tacit.ingest.reading import blob_sha, clean_many, read_text
from tacit.ingest.task_files import RUNTIME_FILES, read_justfile, read_makefile, read_runtime
from tacit.observation import Dependency
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator

    from tacit.ingest.manifest_formats import Asked, Found

    Versions = dict[tuple[str, str], dict[str, str]]  # ecosystem, folder → name → version

LARGEST_MANIFEST = 1 << 20  # bytes
MOST_MANIFESTS = 200
MOST_ENTRIES = 300  # of one manifest
FIELD_CHARS = 200

_FORMATS: dict[str, tuple[str, Callable[[str], Found]]] = {
    "pyproject.toml": ("pypi", formats.read_pyproject),
    "package.json": ("npm", formats.read_package_json),
    "Cargo.toml": ("cargo", formats.read_cargo),
    "go.mod": ("go", formats.read_go_mod),
    "Gemfile": ("gem", formats.read_gemfile),
    "pom.xml": ("maven", formats.read_pom),
    "build.gradle": ("maven", formats.read_gradle),
    "build.gradle.kts": ("maven", formats.read_gradle),
}
_TASKS = {
    "Makefile": read_makefile,
    "makefile": read_makefile,
    "GNUmakefile": read_makefile,
    "justfile": read_justfile,
    "Justfile": read_justfile,
    ".justfile": read_justfile,
}
_REQUIREMENTS = re.compile(r"(?:[\w-]+-)?requirements(?:[._-][\w.-]+)?\.txt")
_DEVELOPMENT = re.compile(r"(?:^|[^a-z])(?:dev|test|lint|docs?|typing|ci)", re.IGNORECASE)
_FOREIGN = frozenset(
    "node_modules vendor third_party .venv venv site-packages dist testdata fixtures "
    "__fixtures__ bower_components Pods .git".split()
)


class Manifest(Value):
    """What one file says."""

    path: str
    sha: str = ""  # its git blob id
    dependencies: tuple[Dependency, ...] = ()
    commands: tuple[tuple[str, str], ...] = ()  # how it is called, what it does


def is_manifest(path: str) -> bool:
    """Tell whether a path within a project is one to read, by its name and folders."""
    name = basename(path)
    known = (
        name in _FORMATS or name in _TASKS or name in RUNTIME_FILES or name in LOCKS
        or name == ".tool-versions" or _is_requirements(path)
    )  # fmt: skip
    return known and not _FOREIGN.intersection(path.split("/"))


def read_manifests(root: str, paths: Iterable[str], counts: Counter[str]) -> list[Manifest]:
    """Read those of the paths that are manifests, the ones nearest to the root first."""
    wanted = sorted(filter(is_manifest, paths), key=lambda path: (path.count("/"), path))
    counts["manifest beyond the limit"] += max(0, len(wanted) - MOST_MANIFESTS)
    wanted = wanted[:MOST_MANIFESTS]
    locked = _locked(root, [path for path in wanted if basename(path) in LOCKS], counts)
    found = []
    for path in wanted:
        if basename(path) in LOCKS:
            continue
        place = os.path.join(root, path)
        text = read_text(place, counts, LARGEST_MANIFEST)
        if text is not None:
            manifest = _manifest(path, text, locked, counts)
            if manifest.dependencies or manifest.commands:
                found.append(manifest.replace(sha=_sha(place)))
    return found


def _sha(place: str) -> str:
    try:
        with open(place, "rb") as file:
            return blob_sha(file.read(LARGEST_MANIFEST))
    except OSError:  # gone since it was read; then nothing can be compared with it
        return ""


def _is_requirements(path: str) -> bool:
    name = basename(path)
    inside = basename(dirname(path)) == "requirements" and name.endswith(".txt")
    return inside or _REQUIREMENTS.fullmatch(name) is not None


def _locked(root: str, paths: list[str], counts: Counter[str]) -> Versions:
    found: Versions = {}
    for path in paths:
        ecosystem, read = LOCKS[basename(path)]
        text = read_text(os.path.join(root, path), counts, LARGEST_LOCK)
        for folder, versions in read(text).items() if text is not None else ():
            place = "/".join(filter(None, (dirname(path), folder)))
            found.setdefault((ecosystem, place), {}).update(versions)
    return found


def _manifest(path: str, text: str, locked: Versions, counts: Counter[str]) -> Manifest:
    ecosystem, found = _read(path, text)
    dependencies = [
        _dependency(asked, path, ecosystem, locked) for asked in found.dependencies[:MOST_ENTRIES]
    ]
    dependencies += [
        Dependency(package=name, version=version, manifest=path, ecosystem="runtime")
        for name, version in found.runtimes[:MOST_ENTRIES]
    ]
    commands = found.commands[:MOST_ENTRIES]
    flat = [part for one in dependencies for part in (one.package, one.version)]
    flat += [part for command in commands for part in command]
    flat = [" ".join(part.split())[:FIELD_CHARS] for part in clean_many(flat, counts)]
    pairs = list(zip(flat[::2], flat[1::2], strict=True))
    return Manifest(
        path=path,
        dependencies=tuple(
            one.replace(package=package, version=version)
            for one, (package, version) in zip(dependencies, pairs, strict=False)
            if package
        ),
        commands=tuple(pair for pair in pairs[len(dependencies) :] if pair[0]),
    )


def _read(path: str, text: str) -> tuple[str, Found]:
    name = basename(path)
    if name in _FORMATS:
        ecosystem, read = _FORMATS[name]
        return ecosystem, read(text)
    if name in _TASKS:
        return "", formats.Found(commands=tuple(_TASKS[name](text)))
    if _is_requirements(path):
        found = formats.read_requirements(text)
        dev = _DEVELOPMENT.search(name) is not None
        asked = tuple((package, version, dev) for package, version, _ in found.dependencies)
        return "pypi", found.replace(dependencies=asked)
    return "", formats.Found(runtimes=tuple(read_runtime(name, text)))


def _dependency(asked: Asked, path: str, ecosystem: str, locked: Versions) -> Dependency:
    package, wanted, dev = asked
    version = next(_locked_versions(package, wanted, path, ecosystem, locked), "")
    return Dependency(
        package=package,
        version=version or wanted,
        manifest=path,
        ecosystem=ecosystem,
        locked=bool(version),
        dev=dev,
    )


def _locked_versions(
    package: str, wanted: str, path: str, ecosystem: str, locked: Versions
) -> Iterator[str]:
    """Give what lock files say, from the manifest's own folder up: a workspace has one for all."""
    names = (f"{package}@{wanted}", package, package.lower().replace("_", "-"))
    folder = dirname(path)
    while True:
        versions = locked.get((ecosystem, folder), {})
        yield from (versions[name] for name in names if name in versions)
        if not folder:
            return
        folder = dirname(folder)
