"""Help is complete, its examples run, and the reference says what the code does."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from asked_before import sessions_that_used_patterns
from builders import a_contradiction, a_fact
from postgres_server import a_database, address
from tacit import __version__
from tacit.happening import Happening, Moment
from tacit.interfaces.cli.parser import MODULES, command_parser, whole_parser
from tacit.model import State
from tacit.store.connect import create_team, join_team
from tacit.system import Tacit
from tacit.write.clean import hashed_again

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interfaces.conftest import Cli
    from tacit.model import Memory

DOCS = Path(__file__).parents[2] / "docs"
TOP = """\
Tacit: memory for coding agents.

usage: tacit COMMAND [OPTIONS]

Keep and find
  remember        keep something
  recall          find what is relevant to a question
  brief           give what a task needs, within a budget, to hand to an agent
  predict         tell what will be needed next, and how sure that is
  show            show one memory
  list            list memories, newest first
  timeline        show what happened, in order
  index           show what there is, by topic, in 100 tokens
  expand          show memories by name, topic or file
  why             tell all about a memory, and why it is served or not
  cite            say that memories were used, helped or hurt

Change
  edit            change a memory's text or settings
  link            relate two memories
  forget          no longer serve memories; they can be restored
  restore         serve forgotten memories again
  erase           remove memories for good

Watch
  init            make the project's store and fill it from what is there
  observe         read what is new in the project, or sessions of an agent
  review          look at what was found before it is served
  session         show what agents were handed and why, or hand them nothing
  uninstall       take Tacit out of the settings of hosts; memories are kept

Stay true
  consolidate     merge, generalise, judge, connect, promote and forget
  contradictions  show what cannot both hold, and how to settle it
  resolve         say which of two memories holds

Learn
  learn           find out which profile helps, and use it more; learn to rank
  evolve          breed profiles by what was asked and used
  profile         show, compare and change the numbers all else depends on
  helpful         say that memories helped
  wrong           say that memories are wrong: they wait for review
  outdated        say that memories no longer hold

Advise
  detect          tell what type of task a text asks for
  strategies      list what each type of task changes
  drift           tell whether an action still serves the goal
  advise          say what to do about a context that fills
  trim            make a tool's output shorter

Cost
  report          show what was learnt, handed over and used lately
  economics       show what memory costs in tokens, and what it saves

At hand
  block           edit small texts that are always at hand
  continuity      show or say what is being done now
  ledger          keep where each agent stands
  handoff         leave work for the next agent

Together
  merge           take in another store, or give to it
  share           let others read private memories, or take them back
  team            make a team, ask people in, say what each may do
  vault           keep where secrets are, never the secrets

The store
  status          show what the store holds, in numbers
  doctor          prove that each part works
  export          write the store, or memories in another format
  import          bring in an export or another memory
  backup          make, list and load copies of the store
  reembed         compute vectors that are missing, or switch the embedder

More
  hook            answer a hook of an agent's host; hosts call it, not people
  mcp             serve the memory to an agent by MCP
  serve           serve the memory over HTTP, and a page for people
  completion      print the completion script of a shell
  bench           measure speed and quality

Options of every command, before or after it
  --store LOCATION    use this store or server instead of the project's
  --project DIR       act in the project of this folder (default: the present one)
  --json              print JSON for programs
  --quiet             print results only: no notes, headings or progress
  --no-color          print without colours (NO_COLOR does the same)
  --help              show this, or the help of a command
  --version           print the version

Begin with:  tacit init
             tacit remember 'Sign tokens with RS256'
             tacit recall 'how are tokens signed?'
"""

EVENT = {"session": "7", "host": "my-agent", "what": "prompt", "text": "Always use tabs here."}


def examples(name: str) -> list[str]:
    """Give the command lines in a command's help."""
    epilog = command_parser(name)[0].epilog or ""
    block = epilog.removeprefix("examples:\n").partition("\n\n")[0]
    return [line.strip() for line in block.splitlines()]


EXAMPLES = [(name, line) for name in MODULES for line in examples(name)]


@pytest.mark.parametrize("argv", [[], ["--help"], ["-h"], ["--json", "--help"]])
def test_the_help_of_tacit(cli: Cli, argv: list[str]) -> None:
    assert cli(*argv) == (0, TOP, "")


def test_the_version(cli: Cli) -> None:
    assert cli("--version").out == f"tacit {__version__}\n"


@pytest.mark.parametrize("name", [name for name in MODULES if name != "bench"])
def test_every_command_has_help_with_an_example(cli: Cli, name: str) -> None:
    ran = cli(name, "--help")

    assert ran.status == 0
    assert ran.out.startswith(f"usage: tacit {name}")
    assert f"tacit {name}" in ran.out.partition("examples:")[2]


@pytest.fixture
def shell(tmp_path: Path, seeded: list[Memory]) -> dict[str, str]:
    """Give an environment in which `tacit` can be typed and the files of the examples exist."""
    binary = tmp_path / "bin" / "tacit"
    binary.parent.mkdir()
    binary.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tacit "$@"\n')
    binary.chmod(0o755)
    path = f"{binary.parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "HOME": str(tmp_path)}
    agent = binary.with_name("my-agent")
    agent.write_text(f"#!/bin/sh\necho {shlex.quote(json.dumps(EVENT))}\n")
    agent.chmod(0o755)
    session = tmp_path / ".claude" / "projects" / "-home-me-app" / "3f0c.jsonl"
    session.parent.mkdir(parents=True)
    session.write_text(json.dumps(EVENT) + "\n")
    for name in ("pytest", "make"):  # what an example runs is not what it is about
        program = binary.with_name(name)
        program.write_text("#!/bin/sh\necho 'FAILED tests/test_cart.py::test_total'\n")
        program.chmod(0o755)
    with Tacit.open() as tacit:
        waiting = a_fact("Retries wait a second", short="efgh3456", state=State.CANDIDATE)
        tacit.store.put([waiting.replace(scope=tacit.scope)])
        tacit.backup("copy.db")
        tacit.backup("other.db")
        Path("memories.jsonl").write_text("".join(tacit.export()))
        Path("from-somebody.jsonl").write_text("".join(tacit.export()))
    return environment


@pytest.fixture
def team(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """Give the environment of a team of ana and bo; of an empty database where one is made."""
    with a_database(empty=True) as database:
        where, line = address(database), request.node.callspec.params["line"]
        if " create " not in line:
            create_team(where, "acme", "ana")
        if " bo" in line and " invite " not in line:
            with Tacit.open(f"{where}{'&' if '?' in where else '?'}tenant=acme") as tacit:
                join_team(where, tacit.invite("bo"), now=tacit.clock.now())
        yield {"TACIT_STORE": where, "TACIT_TENANT": "acme"}


def prepare(line: str, environment: dict[str, str]) -> None:
    """Make what an example needs and may not find."""
    if line.startswith("git "):
        for command in (
            "git init --quiet .",
            "git -c user.name=ana -c user.email=ana@shop.example commit --quiet "
            "--allow-empty -m 'Sign tokens with RS256'",
        ):
            subprocess.run(["bash", "-c", command], env=environment, check=True)
        with Tacit.open() as tacit:  # it has another identity now
            tacit.remember("Sign tokens with RS256")
    if "tacit export memories.jsonl" in line:
        Path("memories.jsonl").unlink()
    if line.startswith("tacit resolve"):
        with Tacit.open() as tacit:
            sides = tacit.get("abcd2345"), tacit.get("depl3333")
            record = a_contradiction(*sides, id="1f0e3c" + "7" * 26)
            tacit.store.add_contradictions([record])
    if line.startswith("tacit review"):
        with Tacit.open() as tacit:
            tacit.set("abcd2345", state="candidate")
    if "--deep" in line:
        with Tacit.open() as tacit:
            tacit.store.put([hashed_again(memory) for memory in tacit.list(states=tuple(State))])
    if "gunzip" in line:
        subprocess.run(["gzip", "memories.jsonl"], check=True)
    if "create copy.db" in line:
        Path("copy.db").unlink()
    if line.startswith(("tacit block", "tacit ledger", "tacit handoff")):
        with Tacit.open() as tacit:
            tacit.blocks.set("persona", "You are careful.")
            tacit.blocks.set("plan", "Ship on Monday")
            tacit.ledgers.set("eng-1", {"current_task": "refresh"})
            tacit.handoffs.send("eng-1", "qa-1", {"what_was_done": "refresh"}, id="h-7")
    if "stranger.db" in line:
        with Tacit.open("stranger.db") as stranger:
            stranger.remember("Refunds need two signatures")
    if line.startswith("tacit expand"):
        with Tacit.open() as tacit:
            tacit.remember("Tokens live an hour", tags=["auth"], files=["src/auth.py"])
    if line.startswith(("tacit session", "tacit cite", "tacit economics")):
        with Tacit.open() as tacit:
            start = Happening(moment=Moment.SESSION_START, host="claude", session="3f0c")
            tacit.attend(start)
            tacit.brief("Sign tokens", session="7f3c")
            tacit.brief("Sign tokens", session="ci:42")
    if line.startswith(("tacit learn explain", "tacit learn pause", "tacit learn rollback")):
        with Tacit.open() as tacit:
            tacit.learn_start()
    if line.startswith("tacit evolve"):
        with Tacit.open() as tacit:
            sessions_that_used_patterns(tacit)
            if "show" in line or "adopt" in line:
                tacit.evolve(generations=2)
    if line.startswith("tacit detect --forget"):
        with Tacit.open() as tacit:
            for thing in ("stock", "orders", "billing"):
                tacit.correct(f"groom the {thing}", "refactoring")
    if "build.log" in line:
        Path("build.log").write_text("compiling\n" * 50)
    if line.startswith("tacit init"):
        Path(environment["HOME"]).joinpath("home").mkdir(exist_ok=True)


@pytest.mark.parametrize(("name", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
def test_every_example_runs(
    name: str, line: str, shell: dict[str, str], request: pytest.FixtureRequest
) -> None:
    environment = dict(shell)
    if name == "team":
        environment |= request.getfixturevalue("team")
    if name == "reembed":
        environment["TACIT_EMBEDDER"] = "default"
    prepare(line, environment)

    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("shell_name", ["bash", "zsh", "tcsh"])
def test_completion_knows_every_command(cli: Cli, shell_name: str) -> None:
    script = cli("completion", shell_name).out

    assert all(name in script for name in MODULES)


def test_the_completion_of_bash_is_valid(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "tacit.bash"
    script.write_text(cli("completion", "bash").out)

    subprocess.run(["bash", "-n", str(script)], check=True)


def test_bench_is_handed_all_its_arguments(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr("tacit.bench.run.main", lambda argv: seen.append(argv) or 3)

    ran = cli("bench", "speed", "--sizes", "1000", "--json")

    assert ran.status == 3
    assert seen == [["speed", "--sizes", "1000", "--json"]]


def test_all_commands_fit_into_one_parser() -> None:
    given = whole_parser().parse_args(["backup", "create", "--json"])

    assert (given.command, given.action, given.json) == ("backup", "create", True)


def test_the_reference_is_up_to_date() -> None:
    check = [sys.executable, str(DOCS / "cli_reference.py"), "--check"]

    assert subprocess.run(check, capture_output=True, text=True).stderr == ""


def test_the_reference_names_what_the_commands_print(cli: Cli, seeded: list[Memory]) -> None:
    page = (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    ran = {
        "remember": ["remember", "x y z"],
        "why": ["why", "abcd2345"],
        "link": ["link", "abcd2345", "supports", "wxyz6723"],
        "forget": ["forget", "abcd2345", "--dry-run"],
        "init": ["init", "--empty"],
        "observe": ["observe"],
        "review": ["review"],
        "status": ["status"],
        "doctor": ["doctor"],
        "export": ["export", "out.jsonl"],
        "import": ["import", "out.jsonl"],
    }
    for name, argv in ran.items():
        section = page.partition(f"\n### {name}\n")[2].partition("\n###")[0]
        said = section.partition("`--json` prints ")[2].partition("\n")[0]
        keys = cli.json(*argv)
        assert [key for key in keys if f"`{key}`" not in said] == [], name


def test_the_reference_has_no_sentence_behind_another() -> None:
    page = (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    prose = [line for line in page.splitlines() if not line.startswith(("|", " ", "```", "<!--"))]

    assert [line for line in prose if re.search(r"[a-z]\. [A-Z]", line)] == []
