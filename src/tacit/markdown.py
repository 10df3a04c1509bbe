"""What a document is made of: front matter, headings, paragraphs, list items, code. Pure.

Markdown is read by markdown-it-py, so a heading in a code block is code; reStructuredText by its
underlines and indents. Every line has its number, from 1.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tacit.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TITLE_CHARS = 120
MOST_IMPORTS = 100  # of one file
FRONT_MATTER_CHARS = 16_384
MOST_FIELDS = 64
MOST_NODES = 1000  # a few lines of aliases can name a billion values
DEEPEST = 3

FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")
BULLET = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,3}[.)]|#\.)[ \t]+(?:\[[ xX]\][ \t]+)?(.*)")
_RULER = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*")
_LINK = re.compile(
    r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])|`([^`<>]+?)\s*<[^<>`]+>`__?"
)
_ROLE = re.compile(r"(?::[\w:]+:|\{[\w:-]+\})`(?:~|!)?([^`<>]+?)(?:\s*<[^<>`]+>)?`")
_MARKUP = re.compile(
    r"\*\*|__(?=\w)|(?<=\w)__|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|(?<!\w)_(?=[^_\s])|(?<=[^_\s])_(?!\w)|</?\w+[^<>]*>|:\w+_?\w*:(?=\s|$)|\{#[\w-]+\}"
)
_SHORTCUT = re.compile(r"(?<!\S)\[([^\[\]`]{2,})\](?=[\s.,;:)]|$)")
_ADMONITION = re.compile(r"[ \t]*(?:(?:!!!|\?\?\?\+?)[ \t]|:{3,}|///)")
_ALERT = re.compile(r"\[!\w+\][ \t]*\n?")
_DIRECTIVE = re.compile(r"[ \t]*\.\.(?:[ \t]+(?:([\w:-]+)::[ \t]*(.*)|(.*)))?")
_PROSE = frozenset("note warning important caution tip hint attention danger admonition".split())
_CODE_NAMES = frozenset("code code-block sourcecode console prompt parsed-literal".split())
_FENCED = r"^[ \t]*(?P<mark>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t]*(?P=mark)[`~]*[ \t]*$|\Z)"
_SPAN = r"(?<!`)(?P<ticks>`++)[^\n]{0,1000}?(?<!`)(?P=ticks)(?!`)"
_CODE = re.compile(rf"{_FENCED}|{_SPAN}", re.DOTALL | re.MULTILINE)
_CODE_OR_COMMENT = re.compile(rf"{_FENCED}|{_SPAN}|(?P<opens><!--)", re.DOTALL | re.MULTILINE)
_IMPORT = re.compile(r"(?:^|(?<=\s))@([^\s@`\"'<>|*?]{1,300})", re.MULTILINE)
_BLOCK = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"([A-Za-z_][\w -]{0,60}):(?:[ \t]+(.*))?")


class Section(Value):
    """The lines from one heading to the next."""

    path: tuple[str, ...]  # the headings it stands under and its own; none before the first
    level: int  # 1 for the outermost heading, 0 before the first
    line: int  # the number of its first line
    lines: tuple[str, ...]
    marks: int = 0  # how many of the lines say nothing but the heading

    @property
    def text(self) -> str:
        """Give what stands under the heading."""
        return "\n".join(self.lines[self.marks :]).strip("\n")


class Block(Value):
    """A paragraph, list item, row of a table or piece of code."""

    type: str  # paragraph, item, row, code
    text: str  # its own words, without marks of a list
    line: int
    heading: tuple[str, ...] = ()
    depth: int = 0  # of an item: 1 in a list, 2 in a list of an item
    boxed: bool = False  # of an item: whether it has a box to tick


class _Heading(Value):
    start: int  # the index of its first line
    size: int  # how many lines it has
    level: int
    raw: str


def sections(text: str, *, rst: bool = False) -> list[Section]:
    """Split a document at its headings; every line belongs to exactly one section."""
    lines = text.split("\n")
    headings = list(_rst_headings(lines) if rst else _headings(text))
    first, *ends = [*(heading.start for heading in headings), len(lines)]
    found = []
    if any(line.strip() for line in lines[:first]):
        found.append(Section(path=(), level=0, line=1, lines=tuple(lines[:first])))
    above: list[tuple[int, str]] = []
    for heading, end in zip(headings, ends, strict=True):
        title = plain_title(heading.raw)
        above = [*(pair for pair in above if pair[0] < heading.level), (heading.level, title)]
        found.append(
            Section(
                path=tuple(name for _, name in above),
                level=heading.level,
                line=heading.start + 1,
                lines=tuple(lines[heading.start : end]),
                # A title that lost something, a link's address say, is shown as written too.
                marks=heading.size if title == heading.raw.strip() else 0,
            )
        )
    return found


def blocks(text: str, *, rst: bool = False) -> list[Block]:
    """Give the blocks of a document in order, each once."""
    return list(_rst_blocks(text) if rst else _blocks(text))


def plain(text: str) -> str:
    """Give prose without marks of emphasis and addresses of links; code keeps its ticks."""
    text = _LINK.sub(lambda match: match[1] or match[2] or "", text)
    text = _ROLE.sub(r"`\1`", text).replace("``", "`")
    parts = re.split(r"(`[^`\n]*`)", text)
    parts[::2] = [_SHORTCUT.sub(r"\1", _MARKUP.sub("", part)) for part in parts[::2]]
    return " ".join("".join(parts).split())


def plain_title(raw: str) -> str:
    """Give a heading in plain words, cut to size."""
    return plain(raw).replace("`", "")[:TITLE_CHARS].strip() or "…"


def in_code(lines: Sequence[str]) -> Iterator[bool]:
    """Tell of each line whether it belongs to a fenced code block, its fences included."""
    fence = ""
    for line in lines:
        match = FENCE.match(line)
        if fence:
            yield True
            if match and match[1].startswith(fence) and not match[2].strip("`~ \t"):
                fence = ""
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
            yield True
        else:
            yield False


def _headings(text: str) -> Iterator[_Heading]:
    tokens = _parser().parse(text)
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map and inline.content:
            start, end = token.map
            yield _Heading(
                start=start, size=end - start, level=int(token.tag[1]), raw=inline.content
            )


@cache
def _parser() -> Any:
    """Give a parser of blocks; what stands within a line is left as it is written."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _blocks(text: str) -> Iterator[Block]:
    path: list[tuple[int, str]] = []
    items: list[bool] = []  # of the items open here, whether each has yet to say something
    cells: list[str] = []
    line, before, tag = 1, "", ""
    for token in _parser().parse(_opened(text)):
        line = token.map[0] + 1 if token.map else line
        names = tuple(name for _, name in path)
        if token.type in ("list_item_open", "list_item_close"):
            items = [*items, True] if token.nesting > 0 else items[:-1]
        elif token.type == "tr_open":
            cells = []
        elif token.type == "tr_close" and any(cells):
            yield Block(type="row", text=": ".join(filter(None, cells)), line=line, heading=names)
        elif token.type == "inline" and before == "heading_open":
            level = int(tag[1])
            above = (pair for pair in path if pair[0] < level)
            path = [*above, (level, plain_title(token.content))]
        elif token.type == "inline" and before in ("th_open", "td_open"):
            cells.append(token.content.strip())
        elif token.type == "inline":
            block = _prose(token.content, line, names, len(items) if any(items[-1:]) else 0)
            items = [*items[:-1], not block.text] if items else items
            if block.text:
                yield block
        elif token.type in ("fence", "code_block"):
            yield Block(type="code", text=token.content, line=line, heading=names, depth=len(items))
        before, tag = token.type, token.tag


def _prose(content: str, line: int, names: tuple[str, ...], depth: int) -> Block:
    words = (
        _ALERT.sub("", content, count=1).strip() if content.startswith("[!") else content.strip()
    )
    box = re.match(r"\[[ xX]\][ \t]+", words) if depth else None
    return Block(
        type="item" if depth else "paragraph",
        text=words[box.end() :] if box else words,
        line=line,
        heading=names,
        depth=depth,
        boxed=box is not None,
    )


def _opened(text: str) -> str:
    """Take the marks off boxed notes (`!!! note`, `:::`), so that their words are not code."""
    if not re.search(r"^[ \t]*(?:!!!|\?\?\?|:::|///|`{3,}\{)", text, re.MULTILINE):
        return text
    lines = text.split("\n")
    indent = -1
    for place, line in enumerate(lines):
        own = len(line) - len(line.lstrip())
        if indent >= 0 and line.strip() and own <= indent:
            indent = -1
        if _ADMONITION.match(line):
            indent = own if line.lstrip()[0] in "!?" else -1
            lines[place] = ""
        elif indent >= 0:
            lines[place] = line[min(own, indent + 4) :]
    return "\n".join(lines)


def _rst_headings(lines: list[str]) -> Iterator[_Heading]:
    styles: list[str] = []  # of underlines, in the order they come: the first is the outermost
    place = 0
    while place < len(lines):
        if found := _underlined(lines, place):
            size, style, raw = found
            if style not in styles:
                styles.append(style)
            yield _Heading(start=place, size=size, level=styles.index(style) + 1, raw=raw)
            place += size - 1
        place += 1


def _underlined(lines: list[str], place: int) -> tuple[int, str, str] | None:
    """Give size, style and words of an underlined heading that begins here."""
    over = _RULER.fullmatch(lines[place])
    title = place + 1 if over else place
    if title + 1 >= len(lines):
        return None
    raw, under = lines[title], _RULER.fullmatch(lines[title + 1])
    if not under or not raw.strip() or (over and over[1] != under[1]):
        return None
    if place and lines[place - 1].strip():  # the last line of a paragraph, or a table's
        return None
    fits = len(lines[title + 1].rstrip()) >= len(raw.strip()) and not _RULER.fullmatch(raw)
    plain = bool(over) or not raw[0].isspace()
    return (title + 2 - place, under[1] * (2 if over else 1), raw) if fits and plain else None


def _rst_blocks(text: str) -> Iterator[Block]:
    for section in sections(text, rst=True):
        yield from _rst_section(section)


def _rst_section(section: Section) -> Iterator[Block]:
    literal, shown = -1, False  # what stands further in than this is no prose; whether it is code
    indents: list[int] = []  # of the lists open here
    for start, run in _runs(section.lines, section.marks):
        indent = _indent(run[0])
        line = section.line + start
        if 0 <= literal < indent:
            if shown:
                text = "\n".join(each.strip() for each in run)
                yield Block(type="code", text=text, line=line, heading=section.path)
            continue
        literal = -1
        if directive := _DIRECTIVE.fullmatch(run[0]):
            name = (directive[1] or "").lower()
            if name not in _PROSE:
                literal, shown = indent, name in _CODE_NAMES
                continue
            run[0] = directive[2]
        for offset, bullet, words in _points(run):
            if bullet is not None:
                indents = [*(each for each in indents if each < bullet), bullet]
            if words.endswith("::"):
                literal, shown, words = indent, True, words[:-1]
            if words:
                yield Block(
                    type="paragraph" if bullet is None else "item",
                    text=words,
                    line=line + offset,
                    heading=section.path,
                    depth=0 if bullet is None else len(indents),
                )


def _runs(lines: Sequence[str], start: int) -> Iterator[tuple[int, list[str]]]:
    """Give the runs of lines between empty ones, each with the index of its first line."""
    run: list[str] = []
    for place, line in enumerate([*lines, ""]):
        if place >= start and line.strip():
            run.append(line)
        elif run:
            yield place - len(run), run
            run = []


def _points(run: Sequence[str]) -> Iterator[tuple[int, int | None, str]]:
    """Split a run of lines at its bullets: the offset, the indent of the bullet, the words."""
    start, indent, kept = 0, None, ""
    for offset, line in enumerate(run):
        if bullet := BULLET.fullmatch(line):
            if kept:
                yield start, indent, kept
            start, indent, kept = offset, len(bullet[1]), bullet[2].strip()
        else:
            kept = f"{kept} {line.strip()}".strip()
    yield start, indent, kept


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def without_comments(text: str) -> str:
    """Give a text without its HTML comments, its lines where they were; an open one stays."""
    if "<!--" not in text:
        return text
    kept, start, place = [], 0, 0
    while (match := _CODE_OR_COMMENT.search(text, place)) is not None:
        place = match.end()
        if not match["opens"]:
            continue
        end = text.find("-->", place)
        if end < 0:
            break
        kept += [text[start : match.start()], "\n" * text.count("\n", place, end)]
        start = place = end + len("-->")
    return "".join([*kept, text[start:]])


def imported_paths(text: str) -> list[str]:
    """Give the paths a rule file imports, in order, each once, as written."""
    if "@" not in text:
        return []
    words = (match[1].rstrip(".,;:!)]}") for match in _IMPORT.finditer(_CODE.sub("", text)))
    return list(dict.fromkeys(word for word in words if "." in word))[:MOST_IMPORTS]


def split_front_matter(text: str) -> tuple[list[tuple[str, str]] | None, str]:
    """Give the fields a text begins with, and the text below them; no fields where it has none.

    Values are as written (`1.10`, a date), lists joined by commas, fields within fields named
    `outer.inner`. Fields that cannot be read give None and stay in the text.
    """
    match = _BLOCK.match(text[:FRONT_MATTER_CHARS]) if text.startswith("---") else None
    if match is None or not match[1].strip():
        return [], text
    fields = _plain_fields(match[1]) if (value := _parsed(match[1])) is None else _fields(value)
    if not fields:  # broken; or a rule, some words and another rule, which are no fields
        return fields, text
    return fields[:MOST_FIELDS], text[match.end() :]


def _parsed(block: str) -> object:
    """Give the value of a YAML text, every scalar as a string; None when it is broken."""
    import yaml  # type: ignore[import-untyped]  # it comes without types

    try:
        # The loader that makes strings, lists and mappings of them, and nothing else.
        return yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506  # narrower than safe_load
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        return None


def _fields(value: object) -> list[tuple[str, str]]:
    return list(_flat(value, "", DEEPEST, [MOST_NODES])) if isinstance(value, dict) else []


def _flat(value: object, name: str, depth: int, left: list[int]) -> Iterator[tuple[str, str]]:
    left[0] -= 1
    if left[0] < 0:
        return
    if isinstance(value, dict) and depth:
        for inner, item in value.items():
            yield from _flat(item, f"{name}.{inner}" if name else str(inner), depth - 1, left)
    elif isinstance(value, list):
        words = [item for item in value[:MOST_FIELDS] if isinstance(item, str)]
        yield name, ", ".join(words)
    elif isinstance(value, str):
        yield name, value


def _plain_fields(block: str) -> list[tuple[str, str]] | None:
    """Read `name: value` lines that YAML refuses, as in `globs: *.ts`; None for any other line."""
    matches = [_FIELD.fullmatch(line) for line in block.split("\n") if line.strip()]
    found = [(match[1], (match[2] or "").strip()) for match in matches if match]
    return found if len(found) == len(matches) else None
