"""Shell text to commands: scripts, `run:` steps, recipes, and what guides and READMEs quote. Pure."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator

from tacit.markdown import FENCE, blocks

LONGEST = 200  # characters of a command that a person would type
_PART = re.compile(
    r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\$\([^()]*\)|\\.|\$?[^;&|\n"'\\$]|\$|\d?[<>]&\d?|&>|["'\\])+"""
)
_KEYWORDS = re.compile(r"^(?:(?:then|do|else|!|\{)\s+)+")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*\+?=\S*")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_PREFIX = re.compile(
    r"^(?:\$\{?\w*(?:PREFIX|VENV|BIN|DIR)\w*\}?/?(?:bin/)?|(?:\.?venv|\.tox|env)/bin/)"
)
_NAMED = re.compile(r"\$[{(]?(PIP|PYTHON|GO|NPM|CARGO|MVN|GRADLE|PYTEST|MAKE|TOX|RUBY|NODE)[)}]?")
_PYTHON = re.compile(r"(?:.*/)?(?:python|py)[\d.]*")
_WORD_OPTIONS = frozenset(  # of wrappers, with a word of their own
    "--group --only-group --extra --with --python -p --directory --project --no-group --package "
    "--with-requirements --with-editable --env-file --index --source --omit --rcfile -C --exclude "
    "--include --reporter".split()
)
_WRAPPERS = (  # words that put another command into an environment
    "uv run", "uvx", "uv tool run", "pipx run", "poetry run", "pdm run", "pipenv run", "rye run",
    "pixi run", "bundle exec", "npx", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx", "bunx",
    "npm exec", "php", "sudo", "env", "time", "exec", "command",
    "xvfb-run", "cross-env", "nice", "c8", "nyc", "dotenv", "wsl", "bash", "sh",
    "zsh", "hatch env run --", "catchsegv", "mise exec --", "nix develop -c", "devbox run",
)  # fmt: skip

_GUIDE = re.compile(
    r"(?:\.github/|docs?/|doc/(?:\w+/)?|\.github/docs/|docs/(?:\w+/)?)?"
    r"(?:contribut\w*|develop\w*|hacking|maintain\w*|testing|build(?:ing)?|releas\w*(?:[-_ ]?(?:process|checklist))?|running-tests)"
    r"(?:[-_ ]guide)?(?:\.(?:md|mdx|rst|txt|markdown))?"
    r"|AGENTS\.md|CLAUDE\.md|GEMINI\.md|\.github/(?:copilot-instructions|pull_request_template)\.md",
    re.IGNORECASE,
)
_README = re.compile(r"readme(?:\.(?:md|rst|txt|markdown))?", re.IGNORECASE)
_PROMPT = re.compile(r"^\s*(?:\$|%|❯|>|(?:\([\w.-]+\) ?)\$)\s+")
_QUOTED = re.compile(r"``?([^`\n]{4,120}?)``?")
_RST_QUOTED = re.compile(r"``([^`]{4,120})``")


def shell_commands(script: str) -> list[tuple[int, str]]:
    """Give the commands of a script with the number of their line, counted from 0."""
    return [
        (number, command) for number, line in joined_lines(script) for command in _of_line(line)
    ]


def words_of(command: str) -> list[str]:
    """Give the words of a command, quotes undone where they close."""
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def unwrapped(command: str) -> str:
    """Give the command itself, without variables set for it and what it is run within."""
    words = words_of(command)
    while words:
        rest = _inner(words)
        if rest == words:
            break
        words = rest
    return " ".join(words)


def joined_lines(script: str) -> list[tuple[int, str]]:
    """Give lines with those they go on in."""
    lines: list[tuple[int, str]] = []
    going_on = False
    for number, line in enumerate(script.splitlines()):
        text = line.rstrip()
        if going_on:
            number, before = lines.pop()
            text = f"{before} {text.strip()}"
        going_on = text.endswith("\\")
        lines.append((number, text.removesuffix("\\").rstrip()))
    return lines


def guides_of(paths: Iterable[str]) -> list[tuple[str, int]]:
    """Give the guides of a project, each with the trust of its commands: 1 a guide, 0 a README."""
    found = [(path, 1) for path in paths if _GUIDE.fullmatch(path)]
    found += [(path, 0) for path in paths if _README.fullmatch(path)]
    return sorted(found, key=lambda pair: (-pair[1], pair[0].count("/"), pair[0]))


def quoted_commands(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Give the commands a guide quotes, in blocks and within sentences, with their lines from 1."""
    rst = not path.lower().endswith((".md", ".mdx", ".markdown"))
    quotes = _RST_QUOTED if rst else _QUOTED
    lines = text.splitlines()
    for block in blocks(text, rst=rst):
        if block.type == "code":
            fenced = FENCE.match(lines[block.line - 1].lstrip("> ")) is not None
            yield from _block(block.text, block.line + fenced)
        else:
            for number, line in enumerate(block.text.split("\n")):
                for quoted in quotes.findall(line):
                    yield from _block(quoted, block.line + number)


def _block(text: str, first: int) -> Iterator[tuple[int, str]]:
    lines = text.split("\n")
    prompted = [line for line in lines if _PROMPT.match(line) and not line.lstrip().startswith(">")]
    if prompted:  # the rest is what it printed
        lines = [line if _PROMPT.match(line) else "" for line in lines]
    for number, command in shell_commands("\n".join(_PROMPT.sub("", line) for line in lines)):
        yield first + number, command


def _of_line(line: str) -> Iterator[str]:
    for match in _PART.finditer(_COMMENT.sub("", line)):
        text = _KEYWORDS.sub("", match[0].strip())
        if text.startswith(("@", "-", "(")):  # a mark of make, or of a shell of its own
            text = text.removesuffix(")").lstrip("@-(")
        if text and len(text) <= LONGEST:
            yield " ".join(text.split())


def _inner(words: list[str]) -> list[str]:
    """Take away one layer: a variable that is set, or a wrapper with its options."""
    first = words[0]
    if _ASSIGNED.fullmatch(first) or (first.startswith("{") and first.endswith("}")):
        return words[1:]
    bare = _PREFIX.sub("", first)
    if bare != first:
        return [bare, *words[1:]]
    if (_PYTHON.fullmatch(first) or words[:2] == ["coverage", "run"]) and "-m" in words[1:5]:
        return words[words.index("-m") + 1 :]
    if named := _NAMED.fullmatch(first):
        return [named[1].lower(), *words[1:]]
    for wrapper in _WRAPPERS:
        size = len(wrapper.split())
        if words[:size] == wrapper.split() and len(words) > size:
            return _past_options(words[size:]) or words
    return words


def _past_options(words: list[str]) -> list[str]:
    place = 0
    while place < len(words) and (
        words[place].startswith("-") or _ASSIGNED.fullmatch(words[place])
    ):
        if words[place] in ("-c", "-lc", "-m"):
            return words_of(" ".join(words[place + 1 :]))
        place += 2 if words[place] in _WORD_OPTIONS else 1
    return words[place:]
