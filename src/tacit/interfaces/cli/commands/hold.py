"""`block` and `continuity`: what is always at hand and edited in place."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from tacit.interfaces.cli.console import Console
    from tacit.session.editing import Held
    from tacit.system import Tacit

BLOCK_EXAMPLES = """\
examples:
  tacit block set persona "You are careful and brief."
  tacit block list
  tacit block get persona
  tacit block insert plan "Then write the tests" --line 1
  tacit block rethink plan "Ship it" --rev 1
  tacit block replace plan "on Monday" "on Friday"
  git log -3 --format=%s | tacit block set recent -
  tacit block set human "Prefers small commits" --owner eng-1 --limit 2000
  tacit block erase persona

A label has one block for each owner. Every text before stays in its history (tacit why).
With --rev only what you have read is changed; else somebody's change since is reported.
Without --yes nothing is erased: what would be is shown."""
CONTINUITY_EXAMPLES = """\
examples:
  tacit continuity show
  tacit continuity write --goal "Add token refresh" --next "write the tests"
  tacit continuity write --decision "Tokens live a day" --blocker "CI is red"
  tacit continuity write --file CONTINUITY.md

A file is written only where --file says. What stands in it is kept within its limit."""
_TEXTS = {"set": 1, "insert": 1, "replace": 2, "rethink": 1}  # how many texts each takes


def add_block(parser: ArgumentParser) -> None:
    """Add the arguments of `block`."""
    parser.epilog = BLOCK_EXAMPLES
    actions = ["list", "get", *_TEXTS, "erase"]
    parser.add_argument("action", metavar="ACTION", choices=actions, help=", ".join(actions))
    parser.add_argument(
        "label", metavar="LABEL", nargs="?", help="persona, human, plan, or any name of yours"
    )
    parser.add_argument(
        "text", metavar="TEXT", nargs="*", help="the text, - for stdin; of replace: old and new"
    )
    parser.add_argument("--owner", default=None, metavar="AGENT", help="whose block it is")
    parser.add_argument(
        "--line", type=int, metavar="N", help="insert below this line; 0: first; default last"
    )
    parser.add_argument(
        "--limit", type=int, metavar="CHARS", help="of set: how long it may be; default 5000"
    )
    access = parser.add_mutually_exclusive_group()
    access.add_argument(
        "--read-only",
        action="store_const",
        const=True,
        dest="read_only",
        help="of set: not to be edited",
    )
    access.add_argument(
        "--writable",
        action="store_const",
        const=False,
        dest="read_only",
        help="of set: may be edited again",
    )
    parser.add_argument(
        "--rev", type=int, metavar="N", help="the revision you have read; 0: there is none yet"
    )
    parser.add_argument("--scope", help="project:NAME, user:NAME, …; default the project's")
    parser.add_argument("--yes", action="store_true", help="really erase")


def run_block(given: Namespace, console: Console) -> int:
    """List, read or edit blocks."""
    changes = given.action in _TEXTS
    with options.open_tacit(given, create=changes, scope=given.scope) as tacit:
        if given.action == "list":
            return _list(given, console, tacit)
        if not given.label:
            raise Invalid(f"block {given.action} needs a label; see: tacit block list")
        if changes:
            return _edit(given, console, tacit)
        _no_more(given, 0)
        held = tacit.blocks.get(given.label, given.owner or "")
        if given.action == "erase":
            return _erase(given, console, tacit, held)
    if console.json:
        _data(console, held)
    else:
        console.result(show.plain(held.text))
        console.note(_fullness(held))
    return 0


def _list(given: Namespace, console: Console, tacit: Tacit) -> int:
    if given.label:
        raise Invalid("block list takes no label; choose with --owner")
    found = tacit.blocks.list(given.owner)
    if console.json:
        from tacit.interfaces import wire_hold

        console.data([wire_hold.block(held) for held in found])
        return 0
    rows = [
        [
            (f"[{held.memory.short}]", "short"),
            (held.body.label, "kind"),
            (held.body.owner, ""),
            (show.words(held.memory), ""),
            (f"{len(held.text):,}/{held.body.limit:,}", "dim"),
        ]
        for held in found
    ]
    for line in show.table(console, rows):
        console.result(line)
    if not found:
        console.note("there is no block; make one with: tacit block set LABEL TEXT")
    return 0


def _edit(given: Namespace, console: Console, tacit: Tacit) -> int:
    from tacit.model import Trust

    texts = _texts(given)
    settings = {"limit": given.limit, "read_only": given.read_only}
    if given.action != "set" and any(value is not None for value in settings.values()):
        raise Invalid("--limit, --read-only and --writable go with: tacit block set")
    if given.action != "insert" and given.line is not None:
        raise Invalid("--line goes with: tacit block insert")
    more = settings if given.action == "set" else {}
    if given.action == "insert":
        more = {"line": given.line}
    edit: Callable[..., Held] = getattr(tacit.blocks, given.action)
    held = edit(
        given.label,
        *texts,
        owner=given.owner or "",
        rev=given.rev,
        by=tacit.settings.user if tacit.settings else "",
        trust=Trust.HUMAN,
        **more,
    )
    if console.json:
        _data(console, held)
    else:
        console.result(f"{show.name(console, held.memory)}")
        console.note(_fullness(held))
    return 0


def _erase(given: Namespace, console: Console, tacit: Tacit, held: Held) -> int:
    if given.yes:
        tacit.erase([held.memory.id])
    if console.json:
        from tacit.interfaces import wire

        console.data(wire.changed([held.memory], done=given.yes))
    else:
        verb = "erased" if given.yes else "would erase"
        console.result(f"{verb} {show.name(console, held.memory)}")
    if not given.yes:
        console.note("nothing was erased; add --yes to erase for good")
    return 0


def _texts(given: Namespace) -> list[str]:
    wanted = _TEXTS[given.action]
    if len(given.text) < wanted:
        needs = "the old words and the new" if wanted == 2 else "a text, or - for stdin"
        raise Invalid(f"block {given.action} needs {needs}; see: tacit block --help")
    _no_more(given, wanted)
    if given.text.count("-") > 1:
        raise Invalid("standard input can be read once")
    return [options.read_stdin().rstrip("\n") if text == "-" else text for text in given.text]


def _no_more(given: Namespace, wanted: int) -> None:
    if len(given.text) > wanted:
        raise Invalid(f"block {given.action}: put the text in quotation marks")


def _fullness(held: Held) -> str:
    told = f"revision {held.memory.rev}, {len(held.text):,} of {held.body.limit:,} characters"
    return f"{told}: nearly full, rewrite it shorter" if held.rewrite_wanted else told


def _data(console: Console, held: Held) -> None:
    from tacit.interfaces import wire_hold

    console.data(wire_hold.block(held))


def add_continuity(parser: ArgumentParser) -> None:
    """Add the arguments of `continuity`."""
    parser.epilog = CONTINUITY_EXAMPLES
    parser.add_argument("action", metavar="ACTION", choices=["show", "write"], help="show or write")
    parser.add_argument("--agent", default="", help="whose; default the project's own")
    parser.add_argument("--file", metavar="PATH", help="write it into this file")
    parser.add_argument("--goal", metavar="TEXT", help="what is to be done")
    for name, help_ in (
        ("decision", "what was decided"),
        ("blocker", "what is in the way"),
        ("solved", "what no longer is in the way, in the same words"),
        ("next", "what comes next; takes the place of what was to come"),
    ):
        parser.add_argument(
            f"--{name}", action="append", default=[], metavar="TEXT", help=f"{help_}; repeatable"
        )


def run_continuity(given: Namespace, console: Console) -> int:
    """Show what is being done now, say it, or write it into a file."""
    told = [given.goal, *given.decision, *given.blocker, *given.solved, *given.next]
    says = any(text is not None for text in told)
    if given.action == "show" and (says or given.file):
        raise Invalid("continuity show takes no text and no file; see: tacit continuity write")
    if given.action == "write" and not says and not given.file:
        raise Invalid("say what to write (--goal, --next, …) or where to (--file PATH)")
    with options.open_tacit(given, create=says) as tacit:
        if says:
            _say(given, tacit)
        page, text = tacit.continuity.get(given.agent), tacit.continuity.text(given.agent)
        if given.file:
            chars = tacit.continuity.write(given.file, given.agent)
    if console.json:
        from tacit.interfaces import wire_hold

        console.data(wire_hold.continuity(page, text, given.agent) | {"file": given.file})
    elif given.file:
        console.result(f"wrote {given.file} ({chars:,} characters)")
    elif text:
        console.result(show.plain(text).rstrip("\n"))
    else:
        console.note("nothing is known of what is being done; see: tacit continuity --help")
    return 0


def _say(given: Namespace, tacit: Tacit) -> None:
    from tacit.session.continuity import Turn

    turn = Turn(
        goal=given.goal or "",
        decisions=tuple(given.decision),
        errors=tuple(given.blocker),
        solved=tuple(given.solved),
        next=tuple(given.next),
    )
    tacit.continuity.update(turn, agent=given.agent)
