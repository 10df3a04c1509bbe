"""Shell text to the commands that matter: scripts, `run:` steps, recipes, fenced examples."""

from __future__ import annotations

import re
import shlex

LONGEST = 200  # characters of a command that a person would type
_PART = re.compile(
    r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\$\([^()]*\)|\\.|\$?[^;&|\n"'\\$]|\$|\d?[<>]&\d?|&>|["'\\])+"""
)
_CONTROL = re.compile(
    r"(?:if|then|else|do|elif|while|until|for|case|fi|done|esac|function|local|export|set|cd|echo|printf|exit"
    r"|return|source|trap|shift|true|false|test|mkdir|rm|cp|mv|cat|chmod|touch|tar|curl|wget|read"
    r"|sleep|eval|unset|\.|\[|\[\[|:|\{|\}|\(|\)|\w+\(\))(?:\s|$)"
)
_KEYWORD = re.compile(r"^(?:then|do|else|!|\{)\s+")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*\+?=\S*")
_HEREDOC = re.compile(r"<<-?\s*[\"']?(\w+)[\"']?")
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
    "xvfb-run", "cross-env", "nice", "coverage run -m", "c8", "nyc", "dotenv", "wsl", "bash", "sh",
    "zsh", "hatch env run --", "catchsegv", "mise exec --", "nix develop -c", "devbox run",
)  # fmt: skip


def shell_commands(script: str) -> list[tuple[int, str]]:
    """Give the commands of a script with the number of their line, counted from 0.

    What only moves about, prints or decides is left out, and so is what a pipe goes on to.
    """
    found: list[tuple[int, str]] = []
    waiting = ""  # the mark that ends a heredoc
    for number, line in joined_lines(script):
        if waiting:
            waiting = "" if line.strip() == waiting else waiting
            continue
        heredoc = _HEREDOC.search(line)
        waiting = heredoc[1] if heredoc else ""
        found += [(number, command) for command in _of_line(line)]
    return found


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
            lines[-1] = (lines[-1][0], f"{lines[-1][1]} {text.strip()}")
        else:
            lines.append((number, text))
        going_on = text.endswith("\\")
        if going_on:
            lines[-1] = (lines[-1][0], lines[-1][1][:-1].rstrip())
    return lines


def _of_line(line: str) -> list[str]:
    found = []
    ends = 0
    for match in _PART.finditer(_COMMENT.sub("", line)):
        piped = line[ends : match.start()].strip() == "|"
        ends = match.end()
        text = match[0].strip()
        while (rest := _KEYWORD.sub("", text)) != text:
            text = rest
        text = text.strip().removesuffix(")").lstrip("@-(").strip() if text[:1] in "@-(" else text
        if piped or not text or _CONTROL.match(text) or len(text) > LONGEST:
            continue
        if not all(_ASSIGNED.fullmatch(word) for word in text.split()):
            found.append(" ".join(text.split()))
    return found


def _inner(words: list[str]) -> list[str]:
    """Take away one layer: a variable that is set, or a wrapper with its options."""
    first = words[0]
    if _ASSIGNED.fullmatch(first) or (first.startswith("{") and first.endswith("}")):
        return words[1:]
    bare = _PREFIX.sub("", first)
    if bare != first:
        return [bare, *words[1:]]
    if _PYTHON.fullmatch(first) and "-m" in words[1:5]:
        return words[words.index("-m") + 1 :]
    if first == "timeout":
        return _past_options(words[1:])[1:] or words
    if named := _NAMED.fullmatch(first):
        return [named[1].lower(), *words[1:]]
    if first == "coverage" and words[1:2] == ["run"] and "-m" in words:
        return words[words.index("-m") + 1 :]
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
