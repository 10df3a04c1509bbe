"""Where a store is → the engine that opens it."""

from __future__ import annotations

from tacit.errors import Invalid, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from tacit.model import Scope
    from tacit.roles import Member
    from tacit.store.postgres.members import Members
    from tacit.store.protocol import Store


SHARED = ("postgresql", "postgres")  # schemes of stores that many people use


def is_shared(location: str) -> bool:
    """Tell whether the store at a path or URL is one that many people use."""
    scheme, found, _ = location.partition("://")
    return bool(found) and scheme in SHARED


def address_of(location: str, member: str) -> str:
    """Give the address of a store of many people as one of them asks it, whoever it named before."""
    from urllib.parse import parse_qsl, quote, urlencode, urlsplit

    parts = urlsplit(location)
    said = [(name, value) for name, value in parse_qsl(parts.query) if name != "member"]
    query = urlencode([*said, ("member", member)], quote_via=quote)
    return f"{location.partition('?')[0]}?{query}"


def connect(location: str, *, create: bool = True, tenant: str = "", member: str = "") -> Store:
    """Open the store at a path or URL, making it if wanted.

    A database is asked as a member of a tenant: those of the address, then those given, then
    the tenant `default` and the user of the settings.
    """
    scheme, found, rest = location.partition("://")
    if not found:
        scheme, rest = "sqlite", location
    if scheme == "sqlite" or scheme == "file":
        if not rest.strip():
            raise Invalid("the store's path is empty; give a file such as memory.db")
        from tacit.store.sqlite.engine import SqliteStore

        return SqliteStore(rest, create=create)
    if scheme in ("postgresql", "postgres"):
        return _open_postgres(location, create=create, tenant=tenant, member=member)
    raise Invalid(
        f"no engine for {scheme}://; a store is a file path, sqlite://path or postgresql://…"
    )


def _open_postgres(location: str, *, create: bool, tenant: str, member: str) -> Store:
    try:
        from tacit.store.postgres.engine import PostgresStore
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"a PostgreSQL store needs the package {error.name}; install tacit[postgres]"
        ) from error
    if not member:
        import os

        from tacit.config import load_settings

        member = load_settings(os.environ).user
    return PostgresStore(location, create=create, tenant=tenant, member=member)


def members_of(store: Store) -> Members:
    """Give the members of a store of many people; `Invalid` for a file, which is one person's."""
    members: Members | None = getattr(store, "members", None)
    if members is None:
        raise Invalid(
            f"{store.path} is one person's file; a team needs PostgreSQL: "
            "tacit team create NAME --store postgresql://…"
        )
    return members


def groups_of(store: Store) -> tuple[Scope, ...]:
    """Give the scopes of the groups within a team that the asker belongs to; of a file none."""
    members: Members | None = getattr(store, "members", None)
    if members is None:
        return ()
    from tacit.model import Scope

    me = store.asker().member
    teams = [team for member in members.all() if member.name == me for team in member.teams]
    return tuple(Scope(path=f"team:{team}") for team in teams)


def create_team(location: str, name: str, admin: str) -> None:
    """Make a team at a database, with its first member."""
    _team(location).create_team(location, name, admin)


def join_team(location: str, token: str, *, now: datetime) -> tuple[str, Member]:
    """Join a team by a token; give its name and what one is in it."""
    joined: tuple[str, Member] = _team(location).join_team(location, token, now=now)
    return joined


def _team(location: str) -> Any:
    if not is_shared(location):
        raise Invalid("a team needs PostgreSQL; name it with: --store postgresql://…")
    try:
        from tacit.store.postgres import members
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"a team needs the package {error.name}; install tacit[postgres]"
        ) from error
    return members
