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
from functools import lru_cache
from itertools import islice
from posixpath import basename, dirname
from typing import Any

import yaml  # type: ignore[import-untyped]  # it has no types of its own

from tacit.ingest.reading import read_text
from tacit.observation import ProjectFiles, Setting

LARGEST_TEXT = 4 << 20
LARGEST = 256 << 10  # bytes of one file
MOST_SETTINGS = 3000  # of one file
MOST_FILES = 80
VALUE_CHARS = 400
COMMENT_LINES = 6  # above a key
DEEPEST = 12
HEAD_CHARS = 20_000  # of a README, changelog or version file
MOST_TEXTS = 40
TOP = "\0"  # the section of keys before the first

Key = tuple[str, ...]
Lines = dict[Key, int]

_TEXTS = re.compile(
    r"readme(?:\.\w+)?|(?:docs/(?:\w+/)?|\.github/)?(?:change-?log|changes|history|news|release[-_]?notes)(?:\.\w+)?"
    r"|go\.mod|setup\.py|\w[\w-]*\.gemspec|gemfile|pom\.xml|build\.gradle(?:\.kts)?|version(?:\.txt)?|makefile|scripts?/[\w.-]+"
    r"|(?:src/|lib/|python/)?(?:\w+/)?(?:__version__|_version|version|__about__|__init__)\.(?:py|rb)",
    re.IGNORECASE,
)
_HEADER = re.compile(r"^\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(?:[#;].*)?$")
_TOML_KEY = re.compile(
    r"""^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*="""
)
_INI_KEY = re.compile(r"^([^\s#;\[=:][^=:]*?)\s*(?:[=:]|$)")
_STRING = re.compile(r""""(?:\\.|[^"\\])*"|'[^']*'""")
_BESIDE = re.compile(r"(?:^|\s)(?:#|//)\s?(?P<said>.*)$")
_ABOVE = re.compile(r"^\s*(?:#+|//+|;+)(?!!)\s?(?P<said>.*)$")
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
                found += islice(read(path, text), MOST_SETTINGS)
            except (ValueError, RecursionError, yaml.YAMLError, configparser.Error):
                counts["broken settings"] += 1
    return found


def read_toml(path: str, text: str) -> Iterator[Setting]:
    """Give the settings of a TOML file."""
    return _flat(path, tomllib.loads(text), (), _Source(text, _toml_lines(text)))


def read_ini(path: str, text: str) -> Iterator[Setting]:
    """Give the settings of an INI file; keys before the first section have none."""
    parser = configparser.RawConfigParser(
        strict=False,
        allow_no_value=True,
        empty_lines_in_values=False,
        inline_comment_prefixes=(" #", " ;"),
    )
    parser.optionxform = lambda optionstr: optionstr.strip()  # type: ignore[method-assign]
    parser.read_string(f"[{TOP}]\n{text}", path)
    data: dict[str, Any] = {}
    for section in parser.sections():
        values = {key: _ini_value(value) for key, value in parser.items(section)}
        data |= values if section == TOP else {section: values}
    return _flat(path, data, (), _Source(text, _ini_lines(text)))


def read_yaml(path: str, text: str) -> Iterator[Setting]:
    """Give the settings of a YAML or JSON file, also of one with comments."""
    loader = yaml.SafeLoader(text.replace("\t", "  "))
    try:
        node = loader.get_single_node()
        source = _Source(text, {})
        if node is not None:
            yield from _flat_node(path, node, (), source, loader)
    finally:
        loader.dispose()


def read_json(path: str, text: str) -> Iterator[Setting]:
    """Give the settings of a JSON file; YAML holds it, once its comments are YAML's."""
    return read_yaml(path, "\n".join(_JS_COMMENT.sub(r"\1 #", line) for line in text.splitlines()))


def read_script(path: str, text: str) -> Iterator[Setting]:
    """Give the rules that a JavaScript configuration holds as plain data."""
    for match in _JS_RULES.finditer(text):
        body = _balanced(text, match.end() - 1)
        above = "\n" * text.count("\n", 0, match.start())
        try:
            yield from read_json(path, f"{above}rules: {body}")
        except (yaml.YAMLError, ValueError):
            continue  # it holds code: spread, calls; the next literal may be plain


def read_word(path: str, text: str) -> Iterator[Setting]:
    """Give the version of a file that holds nothing else, or those of `.tool-versions`."""
    for number, line in enumerate(text.splitlines(), 1):
        said = line.partition("#")[0].split()
        if basename(path) == ".tool-versions" and len(said) >= 2:
            yield Setting(path=path, key=(said[0],), value=said[1], line=number)
        elif len(said) == 1 and len(said[0]) < 50:
            yield Setting(path=path, key=(), value=said[0].removeprefix("v"), line=number)
            return


_NAMES: dict[str, Callable[[str, str], Iterator[Setting]]] = {
    **dict.fromkeys(
        "pyproject.toml ruff.toml .ruff.toml Cargo.toml rustfmt.toml .rustfmt.toml clippy.toml "
        ".clippy.toml rust-toolchain.toml towncrier.toml mise.toml .mise.toml tox.toml pytest.toml "
        ".pytest.toml taplo.toml .taplo.toml deny.toml typos.toml _typos.toml cliff.toml".split(),
        read_toml,
    ),
    **dict.fromkeys(
        "setup.cfg tox.ini .flake8 mypy.ini .mypy.ini pytest.ini .pytest.ini .coveragerc "
        ".editorconfig .npmrc .pylintrc pylintrc .isort.cfg .bumpversion.cfg pytype.cfg".split(),
        read_ini,
    ),
    **dict.fromkeys(
        ".eslintrc.yml .eslintrc.yaml .golangci.yml .golangci.yaml .pre-commit-config.yaml "
        ".prettierrc .prettierrc.yml .prettierrc.yaml .rubocop.yml .markdownlint.yaml "
        ".markdownlint.yml .yamllint .yamllint.yml .yamllint.yaml .clang-format .swiftlint.yml "
        ".yarnrc.yml pnpm-workspace.yaml .mocharc.yml .mocharc.yaml .codecov.yml codecov.yml "
        ".readthedocs.yaml .readthedocs.yml mkdocs.yml".split(),
        read_yaml,
    ),
    **dict.fromkeys(
        "package.json .eslintrc .eslintrc.json .prettierrc.json .prettierrc.json5 tsconfig.json "
        "biome.json biome.jsonc deno.json deno.jsonc composer.json .markdownlint.json "
        ".mocharc.json .mocharc.jsonc .nycrc .nycrc.json .c8rc.json lerna.json nx.json "
        ".commitlintrc.json .oxlintrc.json .jscsrc .jshintrc pyrightconfig.json".split(),
        read_json,
    ),
    **dict.fromkeys(
        ".eslintrc.js .eslintrc.cjs eslint.config.js eslint.config.mjs eslint.config.cjs "
        "eslint.config.ts eslint.config.mts".split(),
        read_script,
    ),
    **dict.fromkeys(
        ".nvmrc .node-version .python-version .python-version-default .ruby-version .java-version "
        ".go-version .tool-versions rust-toolchain".split(),
        read_word,
    ),
}  # fmt: skip


def _reader(path: str) -> Callable[[str, str], Iterator[Setting]] | None:
    if dirname(path) == ".github/workflows" and path.endswith((".yml", ".yaml")):
        return read_yaml
    return _NAMES.get(path)


class _Source:
    """The lines of a file, to find where a key stands and what is said beside it."""

    def __init__(self, text: str, lines: Lines) -> None:
        self._text = text.splitlines()
        self._lines = lines

    def line(self, key: Key) -> int:
        """Give the line of a key; of one within an inline table that of the table."""
        while key:
            if key in self._lines:
                return self._lines[key]
            key = key[:-1]
        return 0

    def item(self, value: str, after: int) -> int:
        """Give the line at or after another where an item of a list is written."""
        for number, line in enumerate(self._text[after - 1 :] if after else (), after):
            if f'"{value}"' in line or f"'{value}'" in line or line.strip() == value:
                return number
            if number > after and line[:1] == "[":
                break
        return after

    def comment(self, line: int) -> str:
        """Give what is said beside a line, else in the comment above it."""
        return comment_at(self._text, line)


def comment_at(lines: list[str], line: int) -> str:
    """Give what a comment says beside a line, else what stands in the lines above it."""
    if not 0 < line <= len(lines):
        return ""
    own = lines[line - 1]
    beside = _BESIDE.search(_STRING.sub(lambda string: "·" * len(string[0]), own))
    if beside:
        return _words([own[beside.start("said") :]])
    above: list[str] = []
    for text in reversed(lines[max(0, line - 1 - COMMENT_LINES) : line - 1]):
        match = _ABOVE.match(text)
        if match is None:
            break
        above.insert(0, match["said"])
    return _words(above)


def _words(lines: list[str]) -> str:
    """Give a comment as one text; rulers and commented-out code say nothing."""
    text = " ".join(" ".join(lines).split()).strip("-=*# ")
    return text[:VALUE_CHARS] if any(char.isalpha() for char in text) else ""


def _flat(path: str, data: object, key: Key, source: _Source) -> Iterator[Setting]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _flat(path, value, (*key, str(name)), source)
    elif isinstance(data, list) and any(isinstance(item, dict) for item in data):
        for number, item in enumerate(data):
            yield from _flat(path, item, (*key, str(number)), source)
    else:
        yield from _settings(path, key, data, source)


def _settings(path: str, key: Key, data: object, source: _Source) -> Iterator[Setting]:
    line = source.line(key)
    if not isinstance(data, list):
        yield _setting(path, key, data, line, source)
        return
    items = tuple(str(item)[:VALUE_CHARS] for item in data)
    whole = _setting(path, key, items, line, source)
    yield whole
    at = line
    for item in items:
        at = source.item(item, at)
        yield _setting(path, (*key, "[]"), item, at, source, beside=whole)


def _setting(
    path: str, key: Key, data: object, line: int, source: _Source, beside: Setting | None = None
) -> Setting:
    value = data if isinstance(data, str | bool | int | float | tuple) else str(data or "")
    value = value[:VALUE_CHARS] if isinstance(value, str) else value
    comment = source.comment(line)
    if beside is not None and line == beside.line:  # said of the whole list, not of each item
        comment = ""
    return Setting(path=path, key=key, value=value, line=line, comment=comment)


def _flat_node(
    path: str,
    node: yaml.Node,
    key: Key,
    source: _Source,
    loader: yaml.SafeLoader,
) -> Iterator[Setting]:
    line = node.start_mark.line + 1
    if len(key) > DEEPEST:
        return
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            below = (*key, str(name.value))
            at = name.start_mark.line + 1
            if isinstance(value, yaml.MappingNode) and (said := source.comment(at)):
                yield Setting(path=path, key=below, value="", line=at, comment=said)
            yield from _flat_node(path, value, below, source, loader)
    elif isinstance(node, yaml.SequenceNode):
        if all(isinstance(item, yaml.ScalarNode) for item in node.value):
            items = tuple(str(item.value)[:VALUE_CHARS] for item in node.value)
            first = node.value[0].start_mark.line + 1 if items else line
            whole = _setting(path, key, items, line if node.flow_style else first - 1, source)
            yield whole
            for item in node.value:
                at = item.start_mark.line + 1
                yield _setting(path, (*key, "[]"), item.value, at, source, beside=whole)
        else:
            for number, item in enumerate(node.value):
                yield from _flat_node(path, item, (*key, str(number)), source, loader)
    else:
        try:
            value = loader.construct_object(node)
        except yaml.YAMLError:  # a tag of its own
            value = node.value
        yield _setting(path, key, value, line, source)


def _toml_lines(text: str) -> Lines:
    """Find the line of each key: tomllib gives the values, but not where they stand."""
    found: Lines = {}
    table: Key = ()
    tables: Counter[Key] = Counter()
    within = ""
    for number, line in enumerate(text.splitlines(), 1):
        if within:
            within = "" if within in line else within
            continue
        if (header := _HEADER.match(line)) and (name := _toml_key(header[2])):
            table = name
            if header[1] == "[[":
                table = (*name, str(tables[name]))
                tables[name] += 1
            found.setdefault(table, number)
        elif (match := _TOML_KEY.match(line)) and (name := _toml_key(match[1])):
            found.setdefault((*table, *name), number)
            opened = [mark for mark in ('"""', "'''") if line.count(mark) == 1]
            within = opened[0] if opened else ""
    return found


@lru_cache(maxsize=1000)
def _toml_key(text: str) -> Key:
    try:
        data: Any = tomllib.loads(f"{text} = 0")
    except ValueError:
        return ()
    found: list[str] = []
    while isinstance(data, dict):
        name, data = next(iter(data.items()))
        found.append(name)
    return tuple(found)


def _ini_lines(text: str) -> Lines:
    found: Lines = {}
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
