"""What can be typed: the list of commands, and a parser for one of them or for all.

A command is one line here and two functions in its module: `add_NAME` gives a parser its
arguments, `run_NAME` does the work. Only the module of the command that was typed is
imported, since starting up is most of what a short command costs.
"""

from __future__ import annotations

import argparse
import sys

from tacit.errors import Invalid
from tacit.interfaces.cli.console import terminal_cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from tacit.interfaces.cli.console import Console

    Run = Callable[[Namespace, Console], int]

WIDEST = 100  # characters of a line of help
# Group → (command, its module, what it does in one line).
GROUPS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "Keep and find": (
        ("remember", "remember", "keep something"),
        ("recall", "recall", "find what is relevant to a question"),
        ("brief", "brief", "give what a task needs, within a budget, to hand to an agent"),
        ("predict", "predict", "tell what will be needed next, and how sure that is"),
        ("show", "read", "show one memory"),
        ("list", "read", "list memories, newest first"),
        ("timeline", "timeline", "show what happened, in order"),
        ("index", "disclose", "show what there is, by topic, in 100 tokens"),
        ("expand", "disclose", "show memories by name, topic or file"),
        ("why", "read", "tell all about a memory, and why it is served or not"),
        ("cite", "session", "say that memories were used, helped or hurt"),
    ),
    "Change": (
        ("edit", "change", "change a memory's text or settings"),
        ("link", "change", "relate two memories"),
        ("forget", "change", "no longer serve memories; they can be restored"),
        ("restore", "change", "serve forgotten memories again"),
        ("erase", "change", "remove memories for good"),
    ),
    "Watch": (
        ("init", "observe", "make the project's store and fill it from what is there"),
        ("observe", "observe", "read what is new in the project, or sessions of an agent"),
        ("review", "review", "look at what was found before it is served"),
        ("session", "session", "show what agents were handed and why, or hand them nothing"),
        ("uninstall", "install", "take Tacit out of the settings of hosts; memories are kept"),
    ),
    "Stay true": (
        ("consolidate", "consolidate", "merge, generalise, judge, connect, promote and forget"),
        ("contradictions", "contradictions", "show what cannot both hold, and how to settle it"),
        ("resolve", "contradictions", "say which of two memories holds"),
    ),
    "Learn": (
        ("learn", "learn", "find out which profile helps, and use it more; learn to rank"),
        ("evolve", "evolve", "breed profiles by what was asked and used"),
        ("profile", "profile", "show, compare and change the numbers all else depends on"),
        ("helpful", "feedback", "say that memories helped"),
        ("wrong", "feedback", "say that memories are wrong: they wait for review"),
        ("outdated", "feedback", "say that memories no longer hold"),
    ),
    "Advise": (
        ("detect", "detect", "tell what type of task a text asks for"),
        ("strategies", "advise", "list what each type of task changes"),
        ("drift", "advise", "tell whether an action still serves the goal"),
        ("advise", "advise", "say what to do about a context that fills"),
        ("trim", "advise", "make a tool's output shorter"),
    ),
    "Cost": (
        ("report", "report", "show what was learnt, handed over and used lately"),
        ("economics", "disclose", "show what memory costs in tokens, and what it saves"),
    ),
    "At hand": (
        ("block", "hold", "edit small texts that are always at hand"),
        ("continuity", "hold", "show or say what is being done now"),
        ("ledger", "handover", "keep where each agent stands"),
        ("handoff", "handover", "leave work for the next agent"),
    ),
    "Together": (
        ("merge", "share", "take in another store, or give to it"),
        ("share", "share", "let others read private memories, or take them back"),
        ("team", "team", "make a team, ask people in, say what each may do"),
        ("vault", "vault", "keep where secrets are, never the secrets"),
    ),
    "The store": (
        ("status", "place", "show what the store holds, in numbers"),
        ("doctor", "place", "prove that each part works"),
        ("export", "transfer", "write the store, or memories in another format"),
        ("import", "transfer", "bring in an export or another memory"),
        ("backup", "backup", "make, list and load copies of the store"),
        ("reembed", "reembed", "compute vectors that are missing, or switch the embedder"),
    ),
    "More": (
        ("hook", "hook", "answer a hook of an agent's host; hosts call it, not people"),
        ("mcp", "mcp", "serve the memory to an agent by MCP"),
        ("serve", "serve", "serve the memory over HTTP, and a page for people"),
        ("completion", "shell", "print the completion script of a shell"),
        ("bench", "shell", "measure speed and quality"),
    ),
}
MODULES = {name: module for group in GROUPS.values() for name, module, _ in group}
SUMMARIES = {name: summary for group in GROUPS.values() for name, _, summary in group}

# What people type who come from elsewhere: these are no commands, but it is clear what is meant.
MEANT = {
    **dict.fromkeys(("add", "save", "store", "note"), "remember"),
    **dict.fromkeys(("search", "find", "query", "ask"), "recall"),
    **dict.fromkeys(("get", "cat", "read", "view", "history"), "show"),
    **dict.fromkeys(("rm", "remove", "delete", "archive"), "forget"),
    **dict.fromkeys(("ls", "all"), "list"),
    **dict.fromkeys(("log", "events"), "timeline"),
    **dict.fromkeys(("stats", "info"), "status"),
    **dict.fromkeys(("update", "set"), "edit"),
    **dict.fromkeys(("reindex", "embed"), "reembed"),
    **dict.fromkeys(("ingest", "watch", "scan"), "observe"),
    **dict.fromkeys(("inbox", "candidates", "accept", "reject"), "review"),
    **dict.fromkeys(("check", "verify"), "doctor"),
    **dict.fromkeys(("conflicts", "clashes"), "contradictions"),
    **dict.fromkeys(("settle", "decide"), "resolve"),
    **dict.fromkeys(("context", "assemble", "prime"), "brief"),
    **dict.fromkeys(("sessions", "injected", "incognito"), "session"),
    "explain": "why",
    "undo": "restore",
    "purge": "erase",
    "eval": "bench",
}

GLOBAL = {  # option → (metavar, or empty for a switch; help)
    "--store": ("LOCATION", "use this store or server instead of the project's"),
    "--project": ("DIR", "act in the project of this folder (default: the present one)"),
    "--json": ("", "print JSON for programs"),
    "--quiet": ("", "print results only: no notes, headings or progress"),
    "--no-color": ("", "print without colours (NO_COLOR does the same)"),
}


# argparse looks for translations of its own words, which costs more than parsing.
vars(argparse)["_"] = str


class Parser(argparse.ArgumentParser):
    """Reports what it cannot read as `Invalid`, like any other wrong input."""

    def read(self, argv: Sequence[str]) -> Namespace:
        """Read arguments; options may stand between words, for which argparse works twice."""
        given, left = self.parse_known_args(argv)
        return self.parse_intermixed_args(argv) if left else given

    def error(self, message: str) -> NoReturn:
        """Raise instead of leaving, so that `--json` gets its error too."""
        raise Invalid(f"{self.prog.removeprefix('tacit ')}: {message}; see: {self.prog} --help")


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the examples as they are and gives the options room."""

    def __init__(self, prog: str) -> None:
        cells = terminal_cells(sys.stdout) or WIDEST
        super().__init__(prog, max_help_position=30, width=min(WIDEST, cells))


def split_command(argv: Sequence[str]) -> tuple[list[str], str, list[str]]:
    """Split arguments into those before the command, the command and those after it."""
    place = 0
    while place < len(argv) and argv[place].startswith("-"):
        takes_value = bool(GLOBAL.get(argv[place], ("",))[0])
        place += 2 if takes_value else 1
    if place >= len(argv):
        return list(argv), "", []
    return list(argv[:place]), argv[place], list(argv[place + 1 :])


def command_parser(name: str) -> tuple[Parser, Run]:
    """Give the parser of one command and the function that runs it."""
    if name not in MODULES:
        raise Invalid(_unknown(name))
    parser = Parser(**_options(name), prog=f"tacit {name}")
    return parser, _fill(parser, name)


def whole_parser() -> Parser:
    """Give a parser of every command, for completion and documents."""
    parser = Parser(prog="tacit", description=top_help(), formatter_class=Formatter)
    parser.add_argument("--version", action="version", version="", help="print the version")
    add_globals(parser)
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", parser_class=Parser)
    for name in MODULES:
        _fill(commands.add_parser(name, help=SUMMARIES[name], **_options(name)), name)
    return parser


def add_globals(parser: ArgumentParser) -> None:
    """Add the options every command has."""
    group = parser.add_argument_group("options of every command")
    for option, (metavar, help_) in GLOBAL.items():
        if metavar:
            group.add_argument(option, metavar=metavar, help=help_)
        else:
            group.add_argument(option, action="store_true", help=help_)


def top_help() -> str:
    """Give the help of `tacit` itself."""
    lines = ["Tacit: memory for coding agents.", "", "usage: tacit COMMAND [OPTIONS]", ""]
    for title, commands in GROUPS.items():
        lines += [title, *(f"  {name:<16}{summary}" for name, _, summary in commands), ""]
    lines.append("Options of every command, before or after it")
    for option, (metavar, help_) in GLOBAL.items():
        lines.append(f"  {f'{option} {metavar}':<20}{help_}")
    lines += ["  --help              show this, or the help of a command"]
    lines += ["  --version           print the version", ""]
    lines += ["Begin with:  tacit init"]
    lines += ["             tacit remember 'Sign tokens with RS256'"]
    lines += ["             tacit recall 'how are tokens signed?'"]
    return "\n".join(lines)


def _options(name: str) -> dict[str, Any]:
    return {
        "description": SUMMARIES[name].capitalize() + ".",
        "formatter_class": Formatter,
        "allow_abbrev": False,
    }


def _fill(parser: Parser, name: str) -> Run:
    from importlib import import_module

    module = import_module(f"tacit.interfaces.cli.commands.{MODULES[name]}")
    getattr(module, f"add_{name}")(parser)
    parser.usage = " ".join(
        [f"tacit {name}", *map(_placeholder, _positionals(parser)), "[OPTIONS]"]
    )
    add_globals(parser)
    run: Run = getattr(module, f"run_{name}")
    return run


def _positionals(parser: Parser) -> list[argparse.Action]:
    return [action for action in parser._actions if not action.option_strings]


def _placeholder(action: argparse.Action) -> str:
    more = "…" if action.nargs in ("+", "*") else ""
    text = f"{action.metavar}{more}"
    return f"[{text}]" if action.nargs in ("?", "*") else text


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = [MEANT[name]] if name in MEANT else get_close_matches(name, MODULES, n=1)
    meant = f"did you mean: tacit {near[0]}" if near else "see: tacit --help"
    return f"there is no command {name!r}; {meant}"
