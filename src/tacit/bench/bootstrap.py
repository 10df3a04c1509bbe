"""A repository like one that people work in, to measure the first reading of a project on.

It is made with `git fast-import` from a seed, so every run reads the very same commits. It has
some 800 files in nested folders, most of about a hundred lines and a few much longer, since
the size of trees and files is what git's own reading costs. Files change together as they do
in life: a few modules often, a module with its test, now and then a rename, a commit that is
taken back, a bot that bumps a dependency.
"""

from __future__ import annotations

import os
import random
import subprocess

from tacit.bench.made_up_code import NOUNS, VERBS, WAYS, function, statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

START = 1_672_560_000  # 2023-01-01
SPAN_S = 2 * 365 * 86_400
BOT = "dependabot[bot]"
AUTHORS = ("Mia Okafor", "Tom Lindqvist", "Ana Souza", "Kenji Mori", "Lena Vogt", "Sam Idris")
AREAS = ("auth", "billing", "search", "orders", "ledger", "mail", "queue", "report", "web", "cli")
PARTS = ("core", "store", "rules", "events", "views", "jobs")
MODULES = 6  # of each part of each area: 360 with as many tests
REASONS = (
    "because the upstream service answers twice under load",
    "instead of polling, which kept the connection pool busy",
    "so that a retry after a timeout does not charge a customer again",
    "since the old path broke for names outside ASCII",
    "because customers in other time zones saw the wrong day",
)
LONGEST = 900  # lines of a file
PACKAGES = "httpx pydantic sqlalchemy uvicorn redis celery pytest ruff mypy boto3".split()


def make_repository(folder: str, commits: int = 5000, seed: int = 7) -> None:
    """Make a repository with a history of two years in a folder that is empty or missing."""
    os.makedirs(folder, exist_ok=True)
    _git(folder, "init", "-q", "--initial-branch=main")
    with subprocess.Popen(
        ["git", "-C", folder, "fast-import", "--quiet", "--date-format=raw"],  # noqa: S607  # the user's git
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        _History(process, commits, random.Random(seed)).write()
    if process.returncode:
        raise RuntimeError(f"git fast-import ended with {process.returncode}")
    _git(folder, "repack", "-adfq")  # as a server packs what is cloned from it
    _git(folder, "reset", "-q", "--hard", "main")


def _git(folder: str, *arguments: str) -> None:
    subprocess.run(  # the words are ours
        ["git", "-C", folder, "--no-pager", *arguments],  # noqa: S607  # the user's git
        check=True,
        stdout=subprocess.DEVNULL,
    )


class _History:
    """Writes the commits one by one; holds the work tree as it stands."""

    def __init__(self, process: subprocess.Popen[bytes], commits: int, chance: random.Random):
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout
        self._commits, self._chance = commits, chance
        self._files: dict[str, list[str]] = {}
        self._modules: list[str] = []  # without `src/` and `.py`
        self._versions = {package: [1, 0, 0] for package in PACKAGES}
        self._number = 0
        self._undo: tuple[str, dict[str, list[str]]] = ("", {})

    def write(self) -> None:
        self._commit("Initial commit", "", self._beginning(), AUTHORS[0])
        last = 0
        while self._number < self._commits:
            roll = self._chance.random()
            if roll < 0.10:
                self._bump()
            elif roll < 0.13 and last:
                self._revert(last)
                last = 0
            elif roll < 0.15:
                self._rename()
            elif roll < 0.17:
                self._decide()
            elif roll < 0.27:
                self._small()
            else:
                last = self._work()

    def _beginning(self) -> dict[str, list[str]]:
        places = [f"{area}/{part}" for area in AREAS for part in PARTS]
        for place in places:
            names = self._chance.sample(NOUNS, MODULES)
            self._modules += [f"{place}/{noun}" for noun in names]
        self._chance.shuffle(self._modules)
        files = {path: self._lines(path) for name in self._modules for path in _pair(name)}
        files |= {f"src/{place}/__init__.py": [f'"""{place}."""'] for place in places}
        files["README.md"] = ["# Shop", "", "Orders, invoices and mail for small shops."]
        files["CLAUDE.md"] = ["# Rules", "", "- Run `make check` before a commit.", "- Use uv."]
        files["Makefile"] = ["check:", "\truff check .", "\tpytest -q", "", "run:", "\tuvicorn web"]
        files["pyproject.toml"] = self._pyproject()
        return files

    def _work(self) -> int:
        """Change a module, mostly with its test and sometimes with what it works with."""
        chance = self._chance
        place = min(int(chance.expovariate(0.02)), len(self._modules) - 1)
        name = self._modules[place]
        paths = list(_pair(name)) if chance.random() < 0.6 else [f"src/{name}.py"]
        while chance.random() < 0.45 and len(paths) < 9:
            near = min(max(place + chance.choice((-2, -1, 1, 2)), 0), len(self._modules) - 1)
            paths.append(f"src/{self._modules[near]}.py")
        area, _, noun = name.split("/")
        type_ = chance.choice(("feat", "fix", "fix", "refactor", "perf"))
        words = f"{chance.choice(VERBS)} the {noun} {chance.choice(WAYS)}"
        subject = f"{type_}({area}): {words} (#{self._number + 100})"
        body = f"The {noun} changes {chance.choice(REASONS)}.\n" if chance.random() < 0.4 else ""
        paths = [path for path in dict.fromkeys(paths) if path in self._files]
        self._undo = subject, {path: self._files[path] for path in paths}
        self._commit(subject, body, {path: self._edited(path) for path in paths})
        return self._number

    def _revert(self, number: int) -> None:
        self._in.write(b"get-mark :%d\n" % number)
        self._in.flush()
        sha = self._out.readline().decode().strip()
        subject, before = self._undo
        body = f"This reverts commit {sha}.\n\nIt failed {self._chance.choice(REASONS)}.\n"
        there = {path: lines for path, lines in before.items() if path in self._files}
        self._commit(f'Revert "{subject}"', body, there)

    def _bump(self) -> None:
        package = self._chance.choice(PACKAGES)
        old = self._versions[package]
        place = self._chance.choice((1, 2, 2))
        new = [*old[:place], old[place] + 1, *([0] * (2 - place))]
        self._versions[package] = new
        texts = [".".join(map(str, version)) for version in (old, new)]
        subject = f"chore(deps): bump {package} from {texts[0]} to {texts[1]}"
        body = f"Bumps {package}.\n\nSigned-off-by: {BOT} <support@example.com>\n"
        self._commit(subject, body, {"pyproject.toml": self._pyproject()}, BOT)

    def _rename(self) -> None:
        place = self._chance.randrange(len(self._modules))
        old = self._modules[place]
        new = f"{old}_{self._chance.choice(VERBS)}"[:60]
        if new in self._modules:
            return
        self._modules[place] = new
        moves = list(zip(_pair(old), _pair(new), strict=True))
        for one, other in moves:
            self._files[other] = self._files.pop(one)
        self._commit(f"refactor: rename {old} to {new}", "", {}, moves=moves)

    def _decide(self) -> None:
        noun, verb = self._chance.choice(NOUNS), self._chance.choice(VERBS)
        number = sum(path.startswith("docs/adr/") for path in self._files) + 1
        why = self._chance.choice(REASONS)
        text = [f"# {verb.title()} the {noun} once", "", "## Decision", "", f"We do it {why}."]
        path = f"docs/adr/{number:04}-{verb}-the-{noun}.md"
        self._commit(f"docs: decide to {verb} the {noun} once", "", {path: text})

    def _small(self) -> None:
        path = self._chance.choice(("README.md", *(f"src/{name}.py" for name in self._modules)))
        subject = self._chance.choice(("wip", "fix typo", "Update README.md", "format", "lint"))
        self._commit(subject, "", {path: self._edited(path)})

    def _commit(
        self,
        subject: str,
        body: str,
        files: dict[str, list[str]],
        author: str = "",
        moves: Sequence[tuple[str, str]] = (),
    ) -> None:
        author = author or self._chance.choice(AUTHORS)
        self._number += 1
        at = START + SPAN_S * self._number // self._commits + self._chance.randrange(600)
        message = f"{subject}\n\n{body}".encode()
        parts = [
            f"commit refs/heads/main\nmark :{self._number}\n".encode(),
            f"author {author} <dev@example.com> {at} +0000\n".encode(),
            f"committer {author} <dev@example.com> {at} +0000\n".encode(),
            b"data %d\n%b\n" % (len(message), message),
        ]
        parts += [f"R {old} {new}\n".encode() for old, new in moves]
        for path, lines in files.items():
            self._files[path] = lines
            content = "\n".join([*lines, ""]).encode()
            parts.append(
                b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(content), content)
            )
        self._in.write(b"".join(parts))

    def _edited(self, path: str) -> list[str]:
        """Change some lines of a file and now and then add a function."""
        lines, chance = list(self._files[path]), self._chance
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(lines))
            line = lines[at]
            if chance.random() < 0.2:
                lines += function(chance, _stem(path))
            elif line.startswith("    ") and not line.endswith((":", '"""')):
                lines[at] = line[: len(line) - len(line.lstrip())] + statement(chance)
        return lines[:LONGEST]

    def _lines(self, path: str) -> list[str]:
        """Give the functions of a module: mostly about ten, of a few modules many more."""
        number = max(2, min(int(self._chance.lognormvariate(2.3, 0.6)), 60))
        lines = [f'"""Everything about the {_stem(path)}."""', "", "from core import *"]
        for _ in range(number):
            lines += function(self._chance, _stem(path))
        return lines[:LONGEST]

    def _pyproject(self) -> list[str]:
        pins = [f'  "{name}=={".".join(map(str, v))}",' for name, v in self._versions.items()]
        head = ["[project]", 'name = "shop"', 'requires-python = ">=3.11"', "dependencies = ["]
        return [*head, *pins, "]", "", "[project.scripts]", 'shop = "cli.main:run"']


def _pair(module: str) -> tuple[str, str]:
    folder, _, name = module.rpartition("/")
    return f"src/{module}.py", f"tests/{folder}/test_{name}.py"


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].partition(".")[0]
