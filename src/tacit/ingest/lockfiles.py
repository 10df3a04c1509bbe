"""Lock files: the exact versions a project was built with, by package name.

Read by lines where the format allows it: lock files are large, and nothing of theirs but names
and versions is wanted. Keys of `Locked` are names, and `name@range` where the format knows it.
"""

from __future__ import annotations

import re

from tacit.ingest.reading import parse_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Locked = dict[str, dict[str, str]]  # folder below the lock file's, "" for its own → versions

LARGEST_LOCK = 16 << 20  # bytes
MOST_LOCKED = 50_000

_TOML_FIELD = re.compile(r'^(name|version) = "([^"]{1,200})"')
_YARN_VERSION = re.compile(r'^  version:? "?([^"\s]{1,100})"?')
_YAML_LINE = re.compile(
    r"^( *)(?:'([^']{1,300})'|\"([^\"]{1,300})\"|([^\s:'\"][^:]{0,300})):(?: (.*))?$"
)
_GEM = re.compile(r"^    ([\w.-]{1,200}) \(([\w.-]{1,100})\)")
_SECTIONS = ("dependencies", "devDependencies", "optionalDependencies")


def read_toml_lock(text: str) -> Locked:
    """Read poetry.lock, uv.lock and Cargo.lock; of a name with two versions the first counts."""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("[["):
            name = ""
        elif match := _TOML_FIELD.match(line):
            if match[1] == "name":
                name = match[2]
            elif name and len(found) < MOST_LOCKED:
                found.setdefault(name, match[2])
                name = ""
    return {"": found}


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
    matches = [match for line in text.splitlines() if (match := _GEM.match(line))]
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
