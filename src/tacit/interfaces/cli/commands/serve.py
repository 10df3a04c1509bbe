"""`serve`: the memory over HTTP, for programs and for people with a browser."""

from __future__ import annotations

from tacit.errors import Invalid, Unavailable
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.rest.house import House
    from tacit.interfaces.rest.tokens import Token, Tokens

EXAMPLES = """\
examples:
  tacit serve --add-token ci --allow write
  tacit serve --tokens
  tacit serve --add-token old && tacit serve --revoke-token old

These serve until they are stopped:
  tacit serve
  tacit serve --port 8080 --no-page
  tacit serve --host 0.0.0.0 --name memory.example.com

It is reached from this machine alone unless --host says otherwise, which needs a token. Once
there is a token every request needs one; a token is shown once and kept hashed. The page for
people is at /, the tools for agents by MCP at /mcp, what programs can ask at /openapi.json."""
PORT = 7878
SCOPES = ("read", "write", "admin")
SETS = "memory-file,blocks,handoffs,knowledge-graph"


def add_serve(parser: ArgumentParser) -> None:
    """Add the arguments of `serve`."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="default 127.0.0.1: this machine"
    )
    parser.add_argument(
        "--port", type=int, default=PORT, metavar="N", help=f"default {PORT}; 0: any that is free"
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="a name under which others reach it; repeatable",
    )
    parser.add_argument("--no-page", action="store_true", help="without the page for people")
    parser.add_argument(
        "--tools",
        type=options.words,
        default=[],
        metavar="LIST",
        help=f"sets to add at /mcp, of {SETS} (default none)",
    )
    parser.add_argument(
        "--per-minute",
        type=int,
        default=60_000,
        metavar="N",
        help="requests one caller may make in a minute (default 60000)",
    )
    parser.add_argument(
        "--spans",
        metavar="WHERE",
        help="send OpenTelemetry spans to an address of OTLP, or print them: console",
    )
    tokens = parser.add_argument_group("tokens")
    chosen = tokens.add_mutually_exclusive_group()
    chosen.add_argument("--add-token", metavar="NAME", help="make a token and show it, once")
    chosen.add_argument("--tokens", action="store_true", help="list the tokens")
    chosen.add_argument("--revoke-token", metavar="NAME", help="take a token away")
    tokens.add_argument(
        "--member",
        metavar="PERSON",
        help="with --add-token, of a team's store: as whom it asks (default: you)",
    )
    tokens.add_argument(
        "--allow",
        choices=SCOPES,
        metavar="SCOPE",
        help=f"with --add-token: {', '.join(SCOPES)} (default read)",
    )


def run_serve(given: Namespace, console: Console) -> int:
    """Serve, or look after the tokens."""
    if given.allow and not given.add_token:
        raise Invalid("--allow goes with: tacit serve --add-token NAME")
    if given.member and not given.add_token:
        raise Invalid("--member goes with: tacit serve --add-token NAME")
    if given.per_minute < 1:
        raise Invalid(f"--per-minute {given.per_minute} is not above 0")
    _need_packages()
    from tacit.interfaces.mcp.sets import check_sets
    from tacit.interfaces.rest.house import House, Terms

    check_sets(given.tools)
    terms = Terms(
        host=given.host,
        port=given.port,
        page=not given.no_page,
        mcp_sets=tuple(given.tools),
        names=tuple(given.name),
        per_minute=given.per_minute,
    )
    house = House(given.store, given.project, terms)
    if given.add_token or given.tokens or given.revoke_token:
        return _tokens(given, console, house)
    return _serve(given, console, house)


def _serve(given: Namespace, console: Console, house: House) -> int:
    from tacit.interfaces.rest.serve import serve

    if given.spans:
        from tacit.interfaces.rest.spans import switch_on

        switch_on(given.spans)

    def ready(address: str, tokens: Tokens) -> None:
        if console.json:
            from json import dumps

            print(dumps({"url": address, "tokens": len(tokens.all())}), flush=True)
            return
        console.note(f"serving {address} (MCP at /mcp); stop it with Ctrl+C")
        if not tokens:
            console.note("no token is needed from this machine; see: tacit serve --add-token")

    serve(house, ready)
    return 0


def _tokens(given: Namespace, console: Console, house: House) -> int:
    from tacit.interfaces.rest.app import tokens_of

    tokens = tokens_of(house)
    member = _member(given, house) if given.add_token else ""
    house.close()
    if given.add_token:
        scope = given.allow or SCOPES[0]
        secret = tokens.add(given.add_token, scope, member)
        if console.json:
            told = {"member": member} if member else {}
            console.data({"name": given.add_token, "scope": scope, **told, "token": secret})
            return 0
        console.result(secret)
        console.note(f"this is the token of {given.add_token!r}; it is not shown again")
        return 0
    if given.revoke_token:
        tokens.revoke(given.revoke_token)
        console.note(f"the token {given.revoke_token!r} is of no use any more")
    _list(console, tokens.all())
    return 0


def _member(given: Namespace, house: House) -> str:
    """Give as whom a token asks: of a team's store one of its members, of a file nobody else."""
    if not house.is_shared():
        if given.member:
            raise Invalid("a file is one person's; only tokens of a team's store have a member")
        return ""
    tacit = house.late.open()
    name = str(given.member or tacit.store.asker().member)
    if all(member.name != name for member in tacit.members()):
        raise Invalid(f"{name} is not a member of the team; see: tacit team members")
    return name


def _list(console: Console, found: list[Token]) -> None:
    if console.json:
        shown = [{"name": t.name, "scope": t.scope, "made_at": t.made_at} for t in found]
        console.data({"tokens": shown})
        return
    rows = [
        [(show.plain(token.name), "short"), (token.scope, "kind"), (token.made_at[:10], "dim")]
        for token in found
    ]
    for line in show.table(console, rows, text=None):
        console.result(line)
    if not found:
        console.note("there is no token; make one with: tacit serve --add-token NAME")


def _need_packages() -> None:
    from importlib.util import find_spec

    for name in ("fastapi", "uvicorn", "prometheus_client", "mcp"):
        if find_spec(name) is None:
            raise Unavailable(
                f"the server needs a package that is missing ({name}); "
                "install it with: pip install 'tacit[serve]'"
            )
