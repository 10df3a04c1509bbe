"""`ledger` and `handoff`: where an agent stands, and what it leaves for the next."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.session.handoffs import Handoff
    from tacit.session.json_text import Record
    from tacit.session.ledgers import Ledger
    from tacit.system import Tacit

LEDGER_EXAMPLES = """\
examples:
  tacit ledger set eng-1 --task "Add token refresh" --file src/auth.py --goal "Ship login"
  tacit ledger get eng-1
  tacit ledger list
  echo '{"tasks_completed": 12, "mood": "good"}' | tacit ledger set eng-1 -

What is given is laid over the last checkpoint; with --whole it takes its place."""
HANDOFF_EXAMPLES = """\
examples:
  tacit handoff send "Added token refresh" --from eng-1 --to qa-1 --test "expired tokens"
  tacit handoff inbox qa-1
  tacit handoff show h-7
  tacit handoff accept h-7 --by qa-1

Sent without --to it is for whoever comes next. An open one is part of its receiver's briefing."""
_LISTS = {  # option of send → the field it fills, and what it is
    "artifact": ("artifacts", "a file that was made"),
    "test": ("needs_testing", "what needs testing"),
    "issue": ("known_issues", "what is known to be wrong"),
    "pattern": ("relevant_patterns", "a memory the next one should read"),
}


def add_ledger(parser: ArgumentParser) -> None:
    """Add the arguments of `ledger`."""
    parser.epilog = LEDGER_EXAMPLES
    actions = ["get", "set", "list"]
    parser.add_argument("action", metavar="ACTION", choices=actions, help="get, set or list")
    parser.add_argument("agent", metavar="AGENT", nargs="?", help="whose ledger")
    parser.add_argument("json_text", metavar="JSON", nargs="?", help="fields; - for stdin")
    parser.add_argument("--task", metavar="TEXT", help="the present task")
    parser.add_argument("--completed", type=int, metavar="N", help="tasks completed")
    parser.add_argument("--goal", metavar="TEXT", help="what it is all for")
    parser.add_argument("--file", action="append", metavar="PATH", help="a changed file")
    parser.add_argument("--commit", metavar="ID", help="the last commit")
    parser.add_argument("--whole", action="store_true", help="keep nothing of the one before")


def run_ledger(given: Namespace, console: Console) -> int:
    """Read or write checkpoints."""
    if (given.action == "list") != (given.agent is None):
        raise Invalid("ledger list takes no agent, get and set need one")
    with options.open_tacit(given, create=given.action == "set") as tacit:
        if given.action == "list":
            return _list_ledgers(console, tacit)
        if given.action == "get":
            ledger = tacit.ledgers.get(given.agent)
        else:
            ledger = tacit.ledgers.set(
                given.agent, _checkpoint(given), whole=given.whole, by=_user(tacit)
            )
    if console.json:
        from tacit.interfaces import wire_hold

        console.data(wire_hold.ledger(ledger))
        return 0
    console.note(f"checkpoint of {ledger.agent} at {ledger.last_checkpoint}")
    for line in ledger.lines:
        console.result(show.plain(line))
    return 0


def _list_ledgers(console: Console, tacit: Tacit) -> int:
    found = tacit.ledgers.list()
    if console.json:
        from tacit.interfaces import wire_hold

        console.data([wire_hold.ledger(ledger) for ledger in found])
        return 0
    for line in show.table(console, [_ledger_cells(ledger) for ledger in found]):
        console.result(line)
    if not found:
        console.note("there is no ledger; write one with: tacit ledger set AGENT --task TEXT")
    return 0


def _ledger_cells(ledger: Ledger) -> list[tuple[str, str]]:
    told = "; ".join(ledger.lines)
    return [(ledger.agent, "kind"), (show.plain(told), ""), (ledger.last_checkpoint, "dim")]


def _checkpoint(given: Namespace) -> Record:
    from tacit.session.json_text import merged

    record = _object(given.json_text) if given.json_text else {}
    told: Record = {"current_task": given.task, "tasks_completed": given.completed}
    told = {name: value for name, value in told.items() if value is not None}
    state = {"files_modified": given.file, "last_git_commit": given.commit}
    if found := {name: value for name, value in state.items() if value is not None}:
        told["state"] = found
    if given.goal is not None:
        told["context"] = {"current_goal": given.goal}
    if not record and not told:
        raise Invalid("there is nothing to write; give --task, --goal, … or fields as JSON")
    return merged(record, told)


def add_handoff(parser: ArgumentParser) -> None:
    """Add the arguments of `handoff`."""
    parser.epilog = HANDOFF_EXAMPLES
    actions = ["send", "inbox", "accept", "show"]
    parser.add_argument("action", metavar="ACTION", choices=actions, help=", ".join(actions))
    parser.add_argument(
        "what", metavar="WHAT", nargs="?", help="send: what was done; inbox: an agent; else an id"
    )
    parser.add_argument("--from", dest="sender", default="", metavar="AGENT", help="who sends it")
    parser.add_argument("--to", default="", metavar="AGENT", help="who is to go on; default anyone")
    parser.add_argument("--by", default="", metavar="AGENT", help="who accepts it")
    parser.add_argument("--id", default="", metavar="ID", help="send: its id; else it gets one")
    parser.add_argument("--git", metavar="TEXT", help="branch and state of the work tree")
    for name, (_, help_) in _LISTS.items():
        parser.add_argument(
            f"--{name}", action="append", metavar="TEXT", help=f"{help_}; repeatable"
        )
    parser.add_argument("--context", metavar="JSON", help="further fields; - for stdin")
    parser.add_argument("--all", action="store_true", help="inbox: also what was accepted")


def run_handoff(given: Namespace, console: Console) -> int:
    """Send, list, accept or show handoffs."""
    with options.open_tacit(given, create=given.action == "send") as tacit:
        if given.action == "inbox":
            return _inbox(given, console, tacit)
        if given.action == "send":
            handoff = tacit.handoffs.send(
                given.sender, given.to, _context(given), id=given.id, by=_user(tacit)
            )
        elif not given.what:
            raise Invalid(f"handoff {given.action} needs an id; see: tacit handoff inbox")
        elif given.action == "accept":
            handoff = tacit.handoffs.accept(given.what, by=given.by)
        else:
            handoff = tacit.handoffs.get(given.what)
    if console.json:
        from tacit.interfaces import wire_hold

        console.data(wire_hold.handoff(handoff))
    elif given.action == "send" and console.quiet:
        console.result(handoff.id)
    else:
        _show(console, handoff, sent=given.action == "send")
    return 0


def _inbox(given: Namespace, console: Console, tacit: Tacit) -> int:
    found = tacit.handoffs.inbox(given.what or "", accepted=given.all)
    if console.json:
        from tacit.interfaces import wire_hold

        console.data([wire_hold.handoff(each) for each in found])
        return 0
    rows = [
        [
            (each.id, "short"),
            (each.from_agent, "kind"),
            ("accepted" if each.accepted_at else "", "dim"),
            (show.plain("; ".join(each.lines)), ""),
            (each.timestamp[:10], "dim"),
        ]
        for each in found
    ]
    for line in show.table(console, rows):
        console.result(line)
    if not found:
        console.note(f"nothing is open for {given.what or 'whoever comes next'}")
    return 0


def _show(console: Console, handoff: Handoff, *, sent: bool) -> None:
    to = handoff.to_agent if handoff.to_agent not in ("", "*") else "whoever comes next"
    head = f"handoff {console.paint(handoff.id, 'short')} to {to}"
    console.result(f"sent {head}" if sent else head)
    if sent:
        return
    accepted = f"{handoff.accepted_at} by {handoff.accepted_by}" if handoff.accepted_at else ""
    about = (("from", handoff.from_agent), ("sent", handoff.timestamp), ("accepted", accepted))
    for line in (*show.fields(console, about), *handoff.lines):
        console.result(show.plain(line) if line in handoff.lines else line)


def _context(given: Namespace) -> Record:
    context: Record = {"what_was_done": given.what} if given.what else {}
    for name, (field, _) in _LISTS.items():
        if found := getattr(given, name):
            context[field] = found
    if given.git:
        context["git_state"] = given.git
    return context | (_object(given.context) if given.context else {})


def _object(text: str) -> Record:
    from tacit.session.json_text import read

    found = read(options.read_stdin() if text == "-" else text)
    if found is None:
        raise Invalid('this is no JSON object such as {"current_task": "…"}')
    return found


def _user(tacit: Tacit) -> str:
    return tacit.settings.user if tacit.settings else ""
