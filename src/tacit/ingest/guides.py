"""Commands that guides for contributors and READMEs quote, each with its line. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt

from tacit.ingest.shell_lines import shell_commands

LARGEST = 100_000  # characters of a guide that are read
_GUIDE = re.compile(
    r"(?:\.github/|docs?/|doc/(?:\w+/)?|\.github/docs/|docs/(?:\w+/)?)?"
    r"(?:contribut\w*|develop\w*|hacking|maintain\w*|testing|build(?:ing)?|releas\w*(?:[-_ ]?(?:process|checklist))?|running-tests)"
    r"(?:[-_ ]guide)?(?:\.(?:md|mdx|rst|txt|markdown))?",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"\.github/pull_request_template\.md", re.IGNORECASE)
_README = re.compile(r"readme(?:\.(?:md|rst|txt|markdown))?", re.IGNORECASE)
_AGENTS = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md")
_SHELL = (
    "",
    "bash",
    "sh",
    "shell",
    "console",
    "shell-session",
    "zsh",
    "text",
    "terminal",
    "sh-session",
)
_PROMPT = re.compile(r"^\s*(?:\$|%|❯|>|(?:\([\w.-]+\) ?)\$)\s+")
_INLINE = re.compile(r"``?([^`\n]{4,120}?)``?")
_RST_BLOCK = re.compile(r"^\s*\.\. (?:code-block|code|sourcecode|prompt)::\s*(\w*)|::\s*$")


def guides_of(paths: Iterable[str]) -> list[tuple[str, int]]:
    """Give the guides of a project, each with the trust of its commands: 1 a guide, 0 a README."""
    found = [(path, _trust(path)) for path in paths]
    return sorted(
        ((path, trust) for path, trust in found if trust is not None),
        key=lambda pair: (-pair[1], pair[0].count("/"), pair[0]),
    )


def _trust(path: str) -> int | None:
    if path in _AGENTS or _GUIDE.fullmatch(path) or _TEMPLATE.fullmatch(path):
        return 1
    return 0 if _README.fullmatch(path) else None


def quoted_commands(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Give the commands a guide quotes, in blocks and within sentences, with their lines from 1."""
    text = text[:LARGEST]
    if path.lower().endswith((".md", ".mdx", ".markdown")):
        yield from _markdown(text)
    else:
        yield from _rst(text)


def _markdown(text: str) -> Iterator[tuple[int, str]]:
    for token in MarkdownIt().parse(text):
        first = token.map[0] + 1 if token.map else 1
        if token.type == "fence" and token.info.split(" ")[0].strip("{}").lower() in _SHELL:
            yield from _block(token.content, first + 1)
        elif token.type == "code_block":
            yield from _block(token.content, first)
        elif token.type == "inline":
            for number, line in enumerate(token.content.split("\n")):
                for quoted in _INLINE.findall(line):
                    yield from _block(quoted, first + number)


def _block(text: str, first: int) -> Iterator[tuple[int, str]]:
    lines = text.split("\n")
    if any(
        _PROMPT.match(line) and not line.lstrip().startswith(">") for line in lines
    ):  # the rest is what it printed
        lines = [_PROMPT.sub("", line) if _PROMPT.match(line) else "" for line in lines]
    for number, command in shell_commands("\n".join(_PROMPT.sub("", line) for line in lines)):
        yield first + number, command


def _rst(text: str) -> Iterator[tuple[int, str]]:
    shell = False
    for number, line in enumerate(text.splitlines(), 1):
        if block := _RST_BLOCK.search(line):
            shell = (block[1] or "").lower() in _SHELL
        elif line.strip() and not line.startswith((" ", "\t")):
            shell = False
        if shell and line.startswith((" ", "\t")) and not line.strip().startswith((":", "..")):
            yield from _block(line.strip(), number)
        else:
            for quoted in re.findall(r"``([^`]{4,120})``", line):
                yield from _block(quoted, number)
