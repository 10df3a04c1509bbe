"""The documents as a reader meets them: pages, their blocks, and a shell to type commands into."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import tacit

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
SOURCES = [Path(tacit.__file__).parents[1], *ROOT.glob("packages/*/src")]

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEREDOC = re.compile(r"<<'?(\w+)'?")
_PIECES = re.compile(r"(…|\[[a-z2-7]{8}\]|\d{4}-\d\d-\d\d(?: \d\d:\d\dZ)?)")
_SHORT = re.compile(r"\b[a-z2-7]{8}\b")


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    text: str
    line: int


class Typed(NamedTuple):
    """A command of a console block and the output shown below it."""

    command: str
    shown: list[str]


def name_of(page: Path) -> str:
    """Give a page's path within the project."""
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path) -> list[Block]:
    """Give the fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(match[1], match[2], text.count("\n", 0, match.start()) + 2)
        for match in _FENCE.finditer(text)
    ]


def prose_of(page: Path) -> str:
    """Give a page without its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def is_typed(block: Block) -> bool:
    """Tell whether a block holds commands to type, with a prompt before each."""
    return block.language in ("console", "bash") and "$ " in re.findall(
        r"^\$ ", block.text, re.MULTILINE
    )


def typed_in(block: Block) -> list[Typed]:
    """Split a console block into commands and what is shown for each."""
    found: list[Typed] = []
    lines = iter(block.text.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            found[-1].shown.append(line)
            continue
        command = line[2:]
        if heredoc := _HEREDOC.search(command):
            for inner in lines:
                command += "\n" + inner
                if inner == heredoc[1]:
                    break
        found.append(Typed(command, []))
    return found


class Shell:
    """One bash for a page, so that `cd` and variables hold; learns the shorts of memories.

    A page shows made-up short names. Where one is shown first, what really stands in its place
    is remembered, and put into the commands that follow.
    """

    def __init__(self, folder: Path, environ: dict[str, str], errors: Path) -> None:
        self._errors = errors
        self._shorts: dict[str, str] = {}
        self._days = {datetime.now(UTC).strftime("%Y-%m-%d")}
        self._bash = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env=environ,
            text=True,
            encoding="utf-8",
        )
        self._send("set -o pipefail")

    def close(self) -> None:
        """End the shell."""
        self._bash.stdin.close()
        self._bash.stdout.close()
        self._bash.wait()

    def run(self, typed: Typed) -> None:
        """Type a command; it must end well and print what the page shows."""
        command = _SHORT.sub(lambda m: self._shorts.get(m[0], m[0]), typed.command)
        self._errors.write_text("")
        self._send(f"{{\n{command}\n}} </dev/null 2>'{self._errors}'; printf '\\001%d\\n' $?")
        lines: list[str] = []
        while "\x01" not in (line := self._bash.stdout.readline()):
            assert line, f"the shell ended at: {command}"
            lines.append(line)
        rest, _, status = line.partition("\x01")
        printed = "".join([*lines, rest])
        said = f"$ {command}\n{printed}{self._errors.read_text()}"
        assert int(status) == 0, said
        if any(shown.strip() for shown in typed.shown):
            assert self._fits(typed.shown, printed), f"{said}\nshown:\n" + "\n".join(typed.shown)

    def _send(self, line: str) -> None:
        self._bash.stdin.write(line + "\n")
        self._bash.stdin.flush()

    def _fits(self, shown: list[str], printed: str) -> bool:
        """Compare what is shown with what was printed, blanks aside; `…` stands for anything.

        A day may be the one shown or today, and a minute any.
        """
        self._days.add(datetime.now(UTC).strftime("%Y-%m-%d"))
        while shown and not shown[-1].strip():
            shown.pop()
        seen: set[str] = set()
        pattern = "".join(
            r"(?:.*\n)*?" if line.strip() == "…" else self._pattern(_squeezed(line), seen) + r"\n"
            for line in shown
        )
        plain = "".join(_squeezed(line) + "\n" for line in printed.splitlines())
        match = re.fullmatch(pattern, plain)
        if match:
            self._shorts |= {name: match[f"short_{name}"] for name in seen}
        return match is not None

    def _pattern(self, line: str, seen: set[str]) -> str:
        return "".join(self._piece(piece, seen) for piece in _PIECES.split(line))

    def _piece(self, piece: str, seen: set[str]) -> str:
        if piece == "…":
            return ".*?"
        if re.fullmatch(r"\[[a-z2-7]{8}\]", piece):
            name = piece[1:-1]
            if name in self._shorts:
                return re.escape(f"[{self._shorts[name]}]")
            if name in seen:
                return rf"\[(?P=short_{name})\]"
            seen.add(name)
            return rf"\[(?P<short_{name}>[a-z2-7]{{8,}})\]"
        if _PIECES.fullmatch(piece):
            day, _, minute = piece.partition(" ")
            days = "|".join(re.escape(each) for each in sorted({day, *self._days}))
            return f"(?:{days})" + (r" \d\d:\d\dZ" if minute else "")
        return re.escape(piece)


def _squeezed(line: str) -> str:
    return " ".join(line.split())


def shop(folder: Path, *, embedder: str) -> dict[str, str]:
    """Make a home and a small git repository in `folder`/shop; give the environment there."""
    home, repository, programs = folder / "home", folder / "shop", folder / "bin"
    (repository / "src").mkdir(parents=True)
    home.mkdir()
    programs.mkdir()
    program = programs / "tacit"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -W error -m tacit "$@"\n')
    program.chmod(0o755)
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TACIT_", "GIT_", "XDG_", "COV_", "COVERAGE_"))
    }
    environ = kept | {
        "HOME": str(home),
        "TACIT_HOME": str(home / "tacit"),
        "TACIT_EMBEDDER": embedder,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(map(str, SOURCES)),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_NAME": "ana" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "ana@example.com" for who in ("AUTHOR", "COMMITTER")},
    }
    for name in ("auth", "cart", "refund"):
        (repository / "src" / f"{name}.py").write_text(f'"""The {name} of the shop."""\n')
    for command in (
        ["init", "--quiet"],
        ["remote", "add", "origin", "https://git.example.com/acme/shop.git"],
        ["add", "."],
        ["commit", "--quiet", "--message", "Begin the shop"],
    ):
        subprocess.run(["git", *command], cwd=repository, env=environ, check=True)
    return environ
