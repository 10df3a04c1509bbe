"""`vault`: where secrets are. The secrets themselves are never kept."""

from __future__ import annotations

import sys

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console

EXAMPLES = """\
examples:
  tacit vault add "Deploy key for prod" env:PROD_DEPLOY_KEY
  tacit vault list

tacit vault get REF fetches the secret from where it is: the keyring of this machine
(keyring:SERVICE/NAME), a variable (env:NAME), 1Password (op://VAULT/ITEM/FIELD) or HashiCorp Vault
(vault:PATH#FIELD). It does so for a person at a terminal only, and puts on record who asked.
Agents read what a secret is for and where it lies, never the secret."""


def add_vault(parser: ArgumentParser) -> None:
    """Add the arguments of `vault`."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "action", metavar="ACTION", choices=["add", "list", "get"], help="add, list or get"
    )
    parser.add_argument(
        "words", metavar="WORD", nargs="*", help="of add: TEXT and WHERE; of get: REF"
    )
    parser.add_argument("--private", action="store_true", help="of add: for you alone")
    parser.add_argument("--scope", help="of add: whose it is; default the project's")


def run_vault(given: Namespace, console: Console) -> int:
    """Keep, list or fetch."""
    return {"add": _add, "list": _list, "get": _get}[given.action](given, console)


def _add(given: Namespace, console: Console) -> int:
    if len(given.words) != 2:
        raise Invalid("say what it is for and where it is; see: tacit vault --help")
    text, where = given.words
    seen = "private" if given.private else "shared"
    with options.open_tacit(given, create=True, scope=given.scope) as tacit:
        memory = tacit.keep_secret(text, where, visibility=seen)
    if console.json:
        from tacit.interfaces import wire

        console.data(wire.memory(memory))
    elif console.quiet:
        console.result(memory.short)
    else:
        console.result(f"remembered {show.name(console, memory)}, which is in {where}")
    return 0


def _list(given: Namespace, console: Console) -> int:
    from tacit.write.secret_reference import place_of

    if given.words:
        raise Invalid("vault list takes no words; see: tacit vault --help")
    with options.open_tacit(given) as tacit:
        found = tacit.secrets()
    if console.json:
        from tacit.interfaces import wire

        console.data([wire.memory(memory) for memory in found])
        return 0
    for memory in found:
        console.result(f"{show.name(console, memory)}  {place_of(memory)}")
    if not found:
        console.note("nothing is kept here; see: tacit vault --help")
    return 0


def _get(given: Namespace, console: Console) -> int:
    from tacit.interfaces.cli.fetching import fetch, need_person

    if len(given.words) != 1:
        raise Invalid("name the one memory whose secret you want; see: tacit vault list")
    need_person(sys.stdin, sys.stdout)
    with options.open_tacit(given) as tacit:
        _, place = tacit.secret_place(given.words[0])
    console.result(fetch(place))
    return 0
