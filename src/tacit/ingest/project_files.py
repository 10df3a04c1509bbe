"""What the files of a root project hold that says what it is, and how it is configured.

Configuration is given key by key, with the line and the comment of each.
TOML is read by tomllib, INI by configparser, YAML and JSON by PyYAML (which knows lines).
Object literals of JavaScript are read where they are plain data. Nothing is executed.
"""

from __future__ import annotations

import configparser
import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from posixpath import dirname
from typing import Any

import yaml  # type: ignore[import-untyped]  # it has no types of its own

from tacit.ingest.reading import read_text
from tacit.ingest.tables import comment_at
from tacit.observation import ProjectFiles, Setting

LARGEST_TEXT = 4 << 20
LARGEST = 256 << 10  # bytes of one file
MOST_SETTINGS = 3000  # of one file
MOST_FILES = 80
VALUE_CHARS = 400
DEEPEST = 12
HEAD_CHARS = 20_000  # of a README, changelog or version file
MOST_TEXTS = 40
TOP = "\0"  # the section of keys before the first

Key = tuple[str, ...]
# A key, its value, its line, and of a list the line of each item.
Entry = tuple[Key, object, int, list[int]]

_TEXTS = re.compile(
    r"readme(?:\.\w+)?|(?:docs/(?:\w+/)?|\.github/)?(?:change-?log|changes|history|news|release[-_]?notes)(?:\.\w+)?"
    r"|go\.mod|setup\.py|\w[\w-]*\.gemspec|gemfile|pom\.xml|build\.gradle(?:\.kts)?|version(?:\.txt)?|makefile|scripts?/[\w.-]+"
    r"|(?:src/|lib/|python/)?(?:\w+/)?(?:__version__|_version|version|__about__|__init__)\.(?:py|rb)",
    re.IGNORECASE,
)
_HEADER = re.compile(r"^\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(?:[#;].*)?$")
_NAME = r"""(?:"[^"]*"|'[^']*'|[\w-]+)"""
_TOML_KEY = re.compile(rf"^\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")
_INI_KEY = re.compile(r"^([^\s#;\[=:][^=:]*?)\s*(?:[=:]|$)")
_JS_RULES = re.compile(r"""\brules["']?\s*:\s*\{""")
_JS_COMMENT = re.compile(r"(^|[\s,])//")


def read_project_files(
    root: str,
    paths: Iterable[str],
    counts: Counter[str],
    tags: Iterable[tuple[str, datetime | None]] = (),
) -> ProjectFiles:
    """Read what the root project says of itself; nothing of its examples and parts."""
    paths = tuple(paths)
    texts: list[tuple[str, str]] = []
    for path in sorted(filter(_TEXTS.fullmatch, paths), key=lambda path: (path.count("/"), path)):
        text = read_text(os.path.join(root, path), counts, LARGEST_TEXT)
        if text is not None and len(texts) < MOST_TEXTS:
            texts.append((path, text[:HEAD_CHARS]))
    return ProjectFiles(
        paths=paths,
        settings=tuple(read_settings(root, paths, counts)),
        texts=tuple(texts),
        tags=tuple(tags),
    )


def states_facts(path: str) -> bool:
    """Tell whether a path holds what facts of the project are made of."""
    return is_settings(path) or _TEXTS.fullmatch(path) is not None


def is_settings(path: str) -> bool:
    """Tell whether a path holds settings of the root project that we can read."""
    return _reader(path) is not None


def read_settings(root: str, paths: Iterable[str], counts: Counter[str]) -> list[Setting]:
    """Read the settings of the root project's own tools."""
    found: list[Setting] = []
    for path in islice((path for path in sorted(paths) if is_settings(path)), MOST_FILES):
        read = _reader(path)
        text = read_text(os.path.join(root, path), counts, LARGEST)
        if text is not None and read is not None:
            try:
                found += islice(_settings(path, text, read(text)), MOST_SETTINGS)
            except (ValueError, RecursionError, yaml.YAMLError, configparser.Error):
                counts["broken settings"] += 1
    return found


def _settings(path: str, text: str, entries: Iterable[Entry]) -> Iterator[Setting]:
    """Give each entry with its comment, and the items of a list each by itself as well."""
    lines = text.splitlines()
    for key, data, line, places in entries:
        comment = comment_at(lines, line)
        value = _value(data)
        yield Setting(path=path, key=key, value=value, line=line, comment=comment)
        for item, at in zip(value if isinstance(value, tuple) else (), places, strict=True):
            said = comment_at(lines, at) if at != line else ""  # else of the whole list
            yield Setting(path=path, key=(*key, "[]"), value=item, line=at, comment=said)


def _value(data: object) -> str | int | float | bool | tuple[str, ...]:
    if isinstance(data, list):
        return tuple(str(item)[:VALUE_CHARS] for item in data)
    return data if isinstance(data, bool | int | float) else str(data or "")[:VALUE_CHARS]


def read_toml(text: str) -> Iterator[Entry]:
    """Give the settings of a TOML file."""
    return _flat(tomllib.loads(text), (), _toml_lines(text), text.splitlines())


def read_ini(text: str) -> Iterator[Entry]:
    """Give the settings of an INI file; keys before the first section have none."""
    parser = configparser.RawConfigParser(
        strict=False,
        allow_no_value=True,
        empty_lines_in_values=False,
        inline_comment_prefixes=(" #", " ;"),
    )
    parser.optionxform = str.strip  # type: ignore[method-assign, assignment]
    parser.read_string(f"[{TOP}]\n{text}")
    data: dict[str, Any] = {}
    for section in parser.sections():
        values = {key: _ini_value(value) for key, value in parser.items(section)}
        data |= values if section == TOP else {section: values}
    return _flat(data, (), _ini_lines(text), text.splitlines())


def read_yaml(text: str) -> Iterator[Entry]:
    """Give the settings of a YAML or JSON file, also of one with comments."""
    loader = yaml.SafeLoader(text.replace("\t", "  "))
    try:
        node = loader.get_single_node()
        if node is not None:
            yield from _flat_node(node, (), 1, text.splitlines(), loader)
    finally:
        loader.dispose()


def read_json(text: str) -> Iterator[Entry]:
    """Give the settings of a JSON file; YAML holds it, once its comments are YAML's."""
    return read_yaml("\n".join(_JS_COMMENT.sub(r"\1 #", line) for line in text.splitlines()))


def read_script(text: str) -> Iterator[Entry]:
    """Give the rules that a JavaScript configuration holds as plain data."""
    for match in _JS_RULES.finditer(text):
        body = _balanced(text, match.end() - 1)
        above = "\n" * text.count("\n", 0, match.start())
        try:
            yield from read_json(f"{above}rules: {body}")
        except (yaml.YAMLError, ValueError):
            continue  # it holds code: spread, calls; the next literal may be plain


def read_version(text: str) -> Iterator[Entry]:
    """Give the version of a file that holds nothing else."""
    for number, line in enumerate(text.splitlines(), 1):
        said = line.partition("#")[0].split()
        if len(said) == 1 and len(said[0]) < 50:
            yield (), said[0].removeprefix("v"), number, []
            return


def read_tool_versions(text: str) -> Iterator[Entry]:
    """Give the versions of `.tool-versions`: a tool and its version a line."""
    for number, line in enumerate(text.splitlines(), 1):
        said = line.partition("#")[0].split()
        if len(said) >= 2:
            yield (said[0],), said[1], number, []


_READERS: dict[str, Callable[[str], Iterator[Entry]]] = {
    **dict.fromkeys(
        "pyproject.toml ruff.toml .ruff.toml Cargo.toml rustfmt.toml .rustfmt.toml clippy.toml "
        ".clippy.toml rust-toolchain.toml towncrier.toml pytest.toml .pytest.toml".split(),
        read_toml,
    ),
    **dict.fromkeys(
        "setup.cfg tox.ini .flake8 mypy.ini .mypy.ini pytest.ini .pytest.ini .coveragerc "
        ".editorconfig .npmrc .isort.cfg".split(),
        read_ini,
    ),
    **dict.fromkeys(
        ".eslintrc.yml .eslintrc.yaml .golangci.yml .golangci.yaml .pre-commit-config.yaml "
        ".prettierrc .prettierrc.yml .prettierrc.yaml .rubocop.yml pnpm-workspace.yaml".split(),
        read_yaml,
    ),
    **dict.fromkeys(
        "package.json composer.json tsconfig.json biome.json biome.jsonc pyrightconfig.json "
        ".eslintrc .eslintrc.json .prettierrc.json .prettierrc.json5 .nycrc .nycrc.json "
        ".c8rc.json".split(),
        read_json,
    ),
    **dict.fromkeys(
        ".eslintrc.js .eslintrc.cjs eslint.config.js eslint.config.mjs eslint.config.cjs "
        "eslint.config.ts eslint.config.mts".split(),
        read_script,
    ),
    **dict.fromkeys(
        ".nvmrc .node-version .python-version .python-version-default .ruby-version .java-version "
        ".go-version rust-toolchain".split(),
        read_version,
    ),
    ".tool-versions": read_tool_versions,
}


def _reader(path: str) -> Callable[[str], Iterator[Entry]] | None:
    if dirname(path) == ".github/workflows" and path.endswith((".yml", ".yaml")):
        return read_yaml
    return _READERS.get(path)


def _flat(data: object, key: Key, lines: dict[Key, int], text: list[str]) -> Iterator[Entry]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _flat(value, (*key, str(name)), lines, text)
    elif isinstance(data, list) and any(isinstance(item, dict) for item in data):
        for number, item in enumerate(data):
            yield from _flat(item, (*key, str(number)), lines, text)
    else:
        # What stands within an inline table has the line of that table.
        above = (key[:end] for end in range(len(key), 0, -1))
        line = next((lines[one] for one in above if one in lines), 0)
        yield key, data, line, _item_lines(data, line, text) if isinstance(data, list) else []


def _item_lines(items: list[Any], line: int, text: list[str]) -> list[int]:
    """Give the lines where the items of a list are written, at or after that of their key."""
    found: list[int] = []
    for item in map(str, items):
        quoted = (f'"{item}"', f"'{item}'")
        for at in range(line, len(text) + 1):
            own = text[at - 1]
            if own.strip() == item or any(one in own for one in quoted):
                line = at
                break
            if at > line and own.startswith("["):  # the next section
                break
        found.append(line)
    return found


def _flat_node(
    node: yaml.Node, key: Key, line: int, text: list[str], loader: yaml.SafeLoader
) -> Iterator[Entry]:
    if len(key) > DEEPEST:
        return
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            below, at = (*key, str(name.value)), name.start_mark.line + 1
            if isinstance(value, yaml.MappingNode) and comment_at(text, at):
                yield below, "", at, []
            yield from _flat_node(value, below, at, text, loader)
    elif not isinstance(node, yaml.SequenceNode):
        yield key, _scalar(node, loader), node.start_mark.line + 1, []
    elif all(isinstance(item, yaml.ScalarNode) for item in node.value):
        places = [item.start_mark.line + 1 for item in node.value]
        yield key, [item.value for item in node.value], line, places
    else:
        for number, item in enumerate(node.value):
            yield from _flat_node(item, (*key, str(number)), line, text, loader)


def _scalar(node: yaml.ScalarNode, loader: yaml.SafeLoader) -> object:
    try:
        return loader.construct_object(node)
    except yaml.YAMLError:  # a tag of its own
        return node.value


def _toml_lines(text: str) -> dict[Key, int]:
    """Find the line of each key: tomllib gives the values, but not where they stand."""
    found: dict[Key, int] = {}
    table: Key = ()
    tables: Counter[Key] = Counter()
    within = ""  # the mark that ends a text of several lines
    for number, line in enumerate(text.splitlines(), 1):
        if within:
            within = "" if within in line else within
        elif header := _HEADER.match(line):
            table = _toml_key(header[2])
            if header[1] == "[[":
                tables[table] += 1
                table = (*table, str(tables[table] - 1))
            found.setdefault(table, number)
        elif match := _TOML_KEY.match(line):
            found.setdefault((*table, *_toml_key(match[1])), number)
            within = next((mark for mark in ('"""', "'''") if line.count(mark) == 1), "")
    return found


def _toml_key(text: str) -> Key:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, text))


def _ini_lines(text: str) -> dict[Key, int]:
    found: dict[Key, int] = {}
    section: Key = ()
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"^\[(.+)\]\s*(?:[#;].*)?$", line)
        if header:
            section = (header[1],)
            found.setdefault(section, number)
        elif match := _INI_KEY.match(line):
            found.setdefault((*section, match[1].strip()), number)
    return found


def _ini_value(value: str | None) -> object:
    """Give a value of several lines as a list."""
    lines = [line.strip() for line in (value or "").splitlines()]
    kept = [line for line in lines if line and not line.startswith(("#", ";"))]
    return kept if len(kept) > 1 or (len(lines) > 1 and kept) else "".join(kept)


def _balanced(text: str, start: int) -> str:
    """Give the object literal that begins at a brace, as far as its brace closes."""
    depth = 0
    for match in re.finditer(
        r"""//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{}]""", text[start:]
    ):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return text[start : start + match.end()]
    return ""
