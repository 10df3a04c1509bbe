"""`team`: a team, who belongs to it, what each may do, and who did what."""

from __future__ import annotations

import os

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console

EXAMPLES = """\
examples:
  tacit team create acme
  tacit team invite bo --role curator
  tacit team members
  tacit team role bo --role writer
  tacit team group bo payments
  tacit team remove bo
  tacit team audit --limit 20

A team is kept by PostgreSQL; name it with --store postgresql://… or TACIT_STORE. An invitation
prints a token that is shown once and good for one person: tacit team join TOKEN.

A reader reads. A writer remembers, and changes what is theirs. A curator changes what others
said, settles contradictions, pins and sets tiers. An admin manages members and erases. The audit
tells who joined, shared, erased, asked for secrets and was refused."""
ACTIONS = ("create", "invite", "join", "members", "role", "remove", "group", "audit")
_WORDS = {"create": 1, "invite": 1, "join": 1, "role": 1, "remove": 1, "group": 2}


def add_team(parser: ArgumentParser) -> None:
    """Add the arguments of `team`."""
    from tacit.roles import TeamRole

    roles = [str(role) for role in TeamRole]
    parser.epilog = EXAMPLES
    parser.add_argument("action", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS))
    parser.add_argument("words", metavar="WORD", nargs="*", help="what the action is about")
    parser.add_argument("--role", choices=roles, metavar="ROLE", help=", ".join(roles))
    parser.add_argument(
        "--expires", type=options.when, metavar="TIME", help="of an invitation: default +7d"
    )
    parser.add_argument("--out", action="store_true", help="of group: take out of it")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="of audit: default 50")


def run_team(given: Namespace, console: Console) -> int:
    """Do what the action says."""
    wanted = _WORDS.get(given.action, 0)
    if len(given.words) != wanted:
        raise Invalid(f"team {given.action} takes {wanted} words; see: tacit team --help")
    if given.action in ("create", "join"):
        return _begin(given, console)
    actions = {
        "invite": _invite,
        "members": _members,
        "role": _role,
        "remove": _remove,
        "group": _group,
        "audit": _audit,
    }
    return actions[given.action](given, console)


def _begin(given: Namespace, console: Console) -> int:
    """Make a team or join one: what is done before one is a member."""
    from tacit.clock import Clock
    from tacit.config import load_settings, shown_location
    from tacit.store.connect import create_team, join_team

    settings = load_settings(os.environ)
    location = given.store or settings.store
    if given.action == "create":
        create_team(location, given.words[0], settings.user)
        team, name, role = given.words[0], settings.user, "admin"
    else:
        team, member = join_team(location, given.words[0], now=Clock().now())
        name, role = member.name, member.role
    if console.json:
        console.data({"team": team, "member": name, "role": role})
        return 0
    console.result(f"{'made' if given.action == 'create' else 'joined'} {team} as {name}: {role}")
    console.note(f"work there with: TACIT_STORE={shown_location(location)} TACIT_TENANT={team}")
    if name != settings.user:
        console.note(f"and as the name you have there: TACIT_USER={name}")
    return 0


def _invite(given: Namespace, console: Console) -> int:
    role = given.role or "writer"
    with options.open_tacit(given) as tacit:
        token = tacit.invite(given.words[0], role, until=given.expires)
    if console.json:
        console.data({"name": given.words[0], "role": role, "token": token})
        return 0
    console.result(token)
    console.note(f"for {given.words[0]}, once: tacit team join TOKEN; it is not shown again")
    return 0


def _members(given: Namespace, console: Console) -> int:
    with options.open_tacit(given) as tacit:
        members, invited = tacit.members(), tacit.invited()
    if console.json:
        console.data(
            {
                "members": [
                    {"name": m.name, "role": m.role, "teams": list(m.teams)} for m in members
                ],
                "invited": [
                    {"name": i.name, "role": i.role, "expires_at": i.expires_at.isoformat()}
                    for i in invited
                ],
            }
        )
        return 0
    rows = [
        [(show.plain(m.name), "short"), (m.role, "kind"), (", ".join(m.teams), "dim")]
        for m in members
    ]
    rows += [
        [
            (show.plain(i.name), "short"),
            (i.role, "kind"),
            (f"asked in until {show.date(i.expires_at)}", "dim"),
        ]
        for i in invited
    ]
    for line in show.table(console, rows, text=None):
        console.result(line)
    return 0


def _role(given: Namespace, console: Console) -> int:
    if not given.role:
        raise Invalid("say which role: --role reader, writer, curator or admin")
    with options.open_tacit(given) as tacit:
        tacit.set_role(given.words[0], given.role)
    return _done(console, f"{given.words[0]} is {given.role} now", given.words[0])


def _remove(given: Namespace, console: Console) -> int:
    with options.open_tacit(given) as tacit:
        tacit.remove_member(given.words[0])
    return _done(console, f"{given.words[0]} no longer belongs to the team", given.words[0])


def _group(given: Namespace, console: Console) -> int:
    name, group = given.words
    with options.open_tacit(given) as tacit:
        tacit.group(name, group, out=given.out)
    return _done(console, f"{name} is {'out of' if given.out else 'in'} {group}", name)


def _audit(given: Namespace, console: Console) -> int:
    with options.open_tacit(given) as tacit:
        found = tacit.audit(limit=given.limit)
    if console.json:
        console.data(
            [
                {"at": e.at.isoformat(), "member": e.member, "act": e.act, "subject": e.subject}
                for e in found
            ]
        )
        return 0
    rows = [
        [
            (show.minute(e.at), "dim"),
            (show.plain(e.member), "short"),
            (e.act, "kind"),
            (show.plain(e.subject), "dim"),
        ]
        for e in found
    ]
    for line in show.table(console, rows, text=None):
        console.result(line)
    return 0


def _done(console: Console, told: str, name: str) -> int:
    if console.json:
        console.data({"name": name, "done": True})
    else:
        console.result(told)
    return 0
