"""Commands that a Makefile or justfile offers, and runtimes that small version files name. Pure."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Command = tuple[str, str]  # how it is called, what it does

RECIPE_LINES = 4
_TARGET = re.compile(r"^([A-Za-z0-9][\w-]*)(?: [\w-]+)*\s*::?(?!=)([^#=]*)(?:##?\s*(.*))?$")
_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]*)((?:\s+[+*$]?[\w-]+(?:=\S+)?)*)\s*:(?!=)")
RUNTIME_FILES = {
    ".python-version": "python",
    ".nvmrc": "node",
    ".node-version": "node",
    ".ruby-version": "ruby",
    ".java-version": "java",
    ".go-version": "go",
    "rust-toolchain": "rust",
}


def read_makefile(text: str) -> list[Command]:
    """Give the targets a person would call, with what they say of themselves or do."""
    found: dict[str, str] = {}
    lines = text.replace("\\\n", " ").splitlines()
    for place, line in enumerate(lines):
        match = _TARGET.match(line)
        if match is not None:
            does = match[3] or _recipe(lines, place) or match[2].strip()
            found.setdefault(f"make {match[1]}", does)
    return list(found.items())


def read_justfile(text: str) -> list[Command]:
    """Give the recipes with the comment above them, else with what they do."""
    found: list[Command] = []
    lines = text.splitlines()
    for place, line in enumerate(lines):
        match = _RECIPE.match(line)
        if match is not None and not match[1].startswith("_"):
            above = lines[place - 1] if place else ""
            says = above.lstrip("# ").strip() if above.startswith("#") else ""
            found.append((f"just {match[1]}{match[2]}", says or _recipe(lines, place)))
    return found


def read_runtime(name: str, text: str) -> list[tuple[str, str]]:
    """Give the runtime a version file names, or all those of `.tool-versions`."""
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not line.startswith(("#", "["))]
    if name == ".tool-versions":
        return [(parts[0], parts[1]) for line in told if len(parts := line.split()) >= 2]
    version = told[0].removeprefix("v") if told else ""
    plain = version.isprintable() and " " not in version and len(version) < 50
    return [(RUNTIME_FILES[name], version)] if version and plain else []


def _recipe(lines: list[str], place: int) -> str:
    return " && ".join(_indented(lines, place + 1))


def _indented(lines: list[str], place: int) -> Iterator[str]:
    for line in lines[place : place + RECIPE_LINES]:
        if not line.startswith(("\t", " ")):
            return
        if command := line.strip().lstrip("@-").strip():
            yield command
