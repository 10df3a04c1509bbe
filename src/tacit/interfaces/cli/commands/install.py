"""`uninstall`, and the part of `init` that connects hosts: shown first, asked, taken back."""

from __future__ import annotations

import os
import sys

from tacit.errors import Conflict, Invalid
from tacit.interfaces.install.hosts import (
    NAMES,
    found_hosts,
    machine_of,
    places_of,
    plugin_enabled,
)
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from tacit.config import Settings
    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.install.hosts import Machine
    from tacit.interfaces.install.journal import Journal
    from tacit.interfaces.install.plan import Change
    from tacit.interfaces.install.program import Program

UNINSTALL_EXAMPLES = """\
examples:
  tacit uninstall --dry-run
  tacit uninstall --host codex --yes
  tacit uninstall --yes

Takes Tacit out of the settings of hosts. A file that is as Tacit left it becomes what it was,
byte for byte; in one that was changed since, what others wrote stays. Memories are kept."""
_STYLES = {"+": "good", "-": "bad", "@": "dim"}


class Setting(Value):
    """All that is needed to work out changes on this machine."""

    settings: Settings
    root: str
    machine: Machine
    program: Program
    journal: Journal


def add_uninstall(parser: ArgumentParser) -> None:
    """Add the arguments of `uninstall`."""
    parser.epilog = UNINSTALL_EXAMPLES
    parser.add_argument(
        "--host",
        action="append",
        choices=[*NAMES, "all"],
        metavar="HOST",
        help=f"only these, of {', '.join(NAMES)} (default: all)",
    )
    parser.add_argument("--yes", action="store_true", help="do it without asking")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, only")


def run_uninstall(given: Namespace, console: Console) -> int:
    """Take Tacit out of the settings of hosts, and say where the memories are."""
    from tacit.interfaces.install.carry_out import disconnect_hosts
    from tacit.interfaces.install.plan import plan_uninstall

    here = _setting(given)
    named = set(given.host or ["all"])
    hosts = [host for host in NAMES if named & {host, "all"}]
    changes = plan_uninstall(hosts, here.root, here.machine, here.program, here.journal)
    wanted = given.yes and not given.dry_run
    if console.json:
        if wanted:
            disconnect_hosts(changes, hosts, here.journal)
        console.data(wire(changes))
        return 0
    if not changes:
        console.result("Tacit is in no settings of these hosts.")
    elif _agreed(given, console, changes, "uninstall"):
        disconnect_hosts(changes, hosts, here.journal)
        for change in changes:
            console.result(f"{_DONE[change.word]} {change.entry.file}")
    console.note(f"memories are kept in {here.settings.home}; delete that folder to lose them")
    return 0


def plan_hosts(given: Namespace) -> tuple[Setting, list[Change]]:
    """Work out what connecting the hosts that were named would change."""
    from tacit.interfaces.install.plan import plan_install

    here = _setting(given)
    hosts = _named(given, here)
    where = given.where
    changes = plan_install(hosts, where, here.root, here.machine, here.program, here.journal)
    return here, changes


def connect(given: Namespace, console: Console, here: Setting, changes: list[Change]) -> None:
    """Show the changes, ask, and make them."""
    from tacit.interfaces.install.carry_out import connect_hosts
    from tacit.interfaces.install.program import may_vanish

    if console.json:
        if given.yes and not given.dry_run:
            connect_hosts(changes, here.journal)
        return
    if not changes:
        console.result("These hosts are connected already; nothing was changed.")
        return
    if may_vanish(here.program):
        console.note(
            f"{here.program.words[0]} lies in a cache and may vanish; "
            "install Tacit for good first (uv tool install tacit, pipx install tacit)"
        )
    if _agreed(given, console, changes, "init"):
        connect_hosts(changes, here.journal)
        for change in changes:
            console.result(f"{_DONE[change.word]} {change.entry.file}")
        _say_next(console, changes)


def offer(given: Namespace, console: Console) -> None:
    """Name the hosts that are here and not connected, to a person at a terminal."""
    if console.json or console.quiet or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    here = _setting(given)
    known = {entry.host for entry in here.journal.entries}
    hosts = [host for host in found_hosts(here.machine, here.root) if host not in known]
    if hosts:
        names = ", ".join(NAMES[host] for host in hosts)
        words = " ".join(f"--host {host}" for host in hosts)
        console.note(
            f"found {names}; to connect, which changes nothing unasked: tacit init {words}"
        )


def wire(changes: list[Change]) -> list[dict[str, Any]]:
    """Give changes as they are told to programs."""
    return [
        {
            "host": change.entry.host,
            "file": change.entry.file,
            "change": change.word,
            "diff": change.diff,
        }
        for change in changes
    ]


_DONE = {"create": "made", "edit": "changed", "remove": "removed"}


def _setting(given: Namespace) -> Setting:
    from tacit.config import load_settings
    from tacit.interfaces.install.journal import Journal
    from tacit.interfaces.install.program import find_program
    from tacit.project import resolve_project

    settings = load_settings(os.environ)
    if not settings.user_home:
        raise Invalid("the environment names no home directory; set HOME")
    return Setting(
        settings=settings,
        root=resolve_project(given.project or os.getcwd(), settings).root,
        machine=machine_of(os.environ, settings.user_home),
        program=find_program(os.environ),
        journal=Journal.load(settings),
    )


def _named(given: Namespace, here: Setting) -> list[str]:
    found = found_hosts(here.machine, here.root) if "all" in given.host else []
    allowed = {host for host in found if given.where in places_of(host)}
    if plugin_enabled(here.machine, here.root):
        if "claude" in given.host:
            raise Conflict("Claude Code has the plugin of Tacit on, which does the same; use one")
        allowed.discard("claude")
    hosts = [host for host in NAMES if host in {*allowed, *given.host}]
    if not hosts:
        raise Invalid(f"no host was found; name one with --host: {', '.join(NAMES)}")
    return hosts


def _agreed(given: Namespace, console: Console, changes: list[Change], command: str) -> bool:
    """Show the changes; tell whether to make them."""
    if not console.quiet:
        for change in changes:
            for line in change.diff.splitlines():
                console.result(console.paint(line, _STYLES.get(line[:1], "")))
    if given.dry_run:
        return False
    if given.yes:
        return True
    if sys.stdin.isatty():
        print(f"change {len(changes)} files? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() in ("y", "yes"):
            return True
    console.note(f"nothing was changed; add --yes to {command}, or answer y at a terminal")
    return False


def _say_next(console: Console, changes: list[Change]) -> None:
    hosts = {change.entry.host for change in changes}
    if "codex" in hosts:
        console.note("Codex runs new hooks only after you trust them: type /hooks in it")
    console.note("open sessions see the change when they start again; prove it with: tacit doctor")
