"""The members of a tenant: who they are, who is asked in, and how they come and go.

Who may change what is decided by the walls (`0002_walls.sql`): only an admin's statements find
rows to change. A token is 256 random bits, so one fast hash is enough to keep it by.
"""

from __future__ import annotations

import hashlib
import secrets

import psycopg
from psycopg import errors
from psycopg.conninfo import make_conninfo

from tacit.clock import from_micros, micros
from tacit.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from tacit.roles import Asker, AuditEntry, Invited, Member, TeamRole
from tacit.store.postgres.database import CONNECT_SECONDS
from tacit.store.postgres.location import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.store.postgres.database import Database

PREFIX = "tacit_team_"
LONGEST_NAME = 100


class Members:
    """The members of one tenant, as one of them sees and changes them."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def asker(self) -> Asker:
        """Who asks, by what the database holds them for."""
        ((member, role, alone),) = self._db.rows("SELECT member, role, alone FROM tacit_who()")
        if member is None:
            raise Denied(f"{self._db.location.member} is no longer a member of {self._db.path}")
        return Asker(member=str(member), role=str(role), alone=bool(alone))

    def all(self) -> list[Member]:
        """Give the members by name, with the groups they are in."""
        rows = self._db.rows(
            "SELECT m.name, m.role, array(SELECT t.team FROM team_member AS t WHERE "
            "t.tenant = m.tenant AND t.member = m.name ORDER BY 1) FROM member AS m "
            f"WHERE m.tenant = {self._db.tenant} ORDER BY m.name"
        )
        return [Member(name=name, role=role, teams=tuple(teams)) for name, role, teams in rows]

    def invited(self, now: datetime) -> list[Invited]:
        """Give who was asked in and has not come, by name."""
        rows = self._db.rows(
            "SELECT name, role, made_by, expires_at FROM invitation "
            f"WHERE tenant = {self._db.tenant} AND expires_at > %s ORDER BY name",
            (micros(now),),
        )
        return [
            Invited(name=name, role=role, by=by, expires_at=from_micros(until))
            for name, role, by, until in rows
        ]

    def invite(self, name: str, role: str, *, now: datetime, until: datetime) -> str:
        """Ask somebody in; give the token, which is kept nowhere."""
        check_name(name)
        check_role(role)
        if any(member.name == name for member in self.all()):
            raise Conflict(f"{name} is a member already; to change what they are: tacit team role")
        token = PREFIX + secrets.token_urlsafe(32)
        with self._db.transaction():
            self._db.write(
                f"DELETE FROM invitation WHERE tenant = {self._db.tenant} AND name = %s", (name,)
            )
            self._db.write(
                "INSERT INTO invitation (tenant, hash, name, role, made_by, made_at, expires_at) "
                f"VALUES ({self._db.tenant}, %s, %s, %s, tacit_member(), %s, %s)",
                (hash_of(token), name, role, micros(now), micros(until)),
            )
        return token

    def set_role(self, name: str, role: str) -> None:
        """Change what a member is; the last admin stays one."""
        check_role(role)
        with self._db.transaction():
            self._keep_an_admin(name, role)
            self._change("UPDATE member SET role = %s", (role,), name)

    def remove(self, name: str) -> None:
        """Take a member out, or an invitation back; what they shared stays with the team."""
        with self._db.transaction():
            gone = self._db.write(
                f"DELETE FROM invitation WHERE tenant = {self._db.tenant} AND name = %s "
                "RETURNING name",
                (name,),
            )
            if gone:
                return
            self._keep_an_admin(name, "")
            self._change("DELETE FROM member", (), name)

    def group(self, name: str, team: str, *, out: bool = False) -> None:
        """Put a member into a group of the team, or take them out."""
        check_name(team)
        if all(member.name != name for member in self.all()):
            raise NotFound(f"{name} is not a member; see: tacit team members")
        with self._db.transaction():
            values = (team, name)
            if out:
                self._db.write(
                    f"DELETE FROM team_member WHERE tenant = {self._db.tenant} "
                    "AND team = %s AND member = %s",
                    values,
                )
            else:
                self._db.write(
                    "INSERT INTO team_member (tenant, team, member) "
                    f"VALUES ({self._db.tenant}, %s, %s) ON CONFLICT DO NOTHING",
                    values,
                )

    def add_audit(self, entries: Sequence[AuditEntry]) -> None:
        """Add to the record of what was done; who only reads leaves traces there too."""
        with self._db.transaction(turn=False):
            self._db.many(
                "INSERT INTO audit (tenant, at, member, act, subject) "
                f"VALUES ({self._db.tenant}, %s, %s, %s, %s)",
                [(micros(e.at), e.member, e.act, e.subject) for e in entries],
            )

    def audit(self, *, limit: int) -> list[AuditEntry]:
        """Give the newest entries first."""
        rows = self._db.rows(
            f"SELECT at, member, act, subject FROM audit WHERE tenant = {self._db.tenant} "
            "ORDER BY at DESC, row DESC LIMIT %s",
            (limit,),
        )
        return [
            AuditEntry(at=from_micros(at), member=member, act=act, subject=subject)
            for at, member, act, subject in rows
        ]

    def _change(self, statement: str, values: tuple[str, ...], name: str) -> None:
        changed = self._db.write(
            f"{statement} WHERE tenant = {self._db.tenant} AND name = %s RETURNING name",
            (*values, name),
        )
        if not changed:
            raise NotFound(f"{name} is not a member; see: tacit team members")

    def _keep_an_admin(self, name: str, role: str) -> None:
        admins = [member.name for member in self.all() if member.role == "admin"]
        if admins == [name] and role != "admin":
            raise Conflict(f"{name} is the last admin; make somebody else one first")


def create_team(address: str, name: str, admin: str) -> None:
    """Make a tenant with its first member; the tables too where there are none yet."""
    from tacit.store.postgres.engine import PostgresStore

    check_name(name)
    location = parse(address, member=admin)
    with _connected(address) as connection:
        row = connection.execute("SELECT to_regclass('tacit.tenant') IS NOT NULL").fetchone()
        there = bool(row and row[0])
        if there:
            try:
                connection.execute("SELECT tacit.tacit_add_tenant(%s, %s)", (name, admin))
            except errors.UniqueViolation:
                raise Conflict(f"there is a team {name} at {location.shown} already") from None
            except errors.InsufficientPrivilege as error:
                raise Denied(
                    f"this login may not make a team ({error.diag.message_primary}); ask whoever "
                    "owns the database"
                ) from error
    if not there:
        PostgresStore(_named(address, name), create=True, tenant=name, member=admin).close()


def join_team(address: str, token: str, *, now: datetime) -> tuple[str, Member]:
    """Join by a token, which is of no use afterwards; give the team and what one is in it."""
    with _connected(address) as connection:
        try:
            row = connection.execute(
                "SELECT team, member, role FROM tacit.tacit_join(%s, %s)",
                (hash_of(token.strip()), micros(now)),
            ).fetchone()
        except errors.UniqueViolation:
            raise Conflict(
                "the name this token was made for, or this login, is a member already"
            ) from None
    if row is None or row[0] is None:
        raise Denied("this token is unknown, used or too old; ask for another one")
    return str(row[0]), Member(name=str(row[1]), role=str(row[2]))


def hash_of(token: str) -> str:
    """Give what a token is known again by."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def check_name(name: str) -> None:
    """Refuse what cannot be the name of a person or a team."""
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise Invalid(f"{name[:40]!r} is no name; use up to {LONGEST_NAME} letters and digits")
    if "/" in name or ":" in name:
        raise Invalid(f"{name!r} is no name: / and : have a meaning in scopes")


def check_role(role: str) -> None:
    """Refuse what is not a role."""
    if role not in tuple(TeamRole):
        raise Invalid(f"role {role!r} is unknown; use one of {', '.join(TeamRole)}")


def _named(address: str, tenant: str) -> str:
    """Give an address without the tenant it may name."""
    return parse(address).conninfo if tenant else address


def _connected(address: str) -> psycopg.Connection[tuple[object, ...]]:
    location = parse(address)
    try:
        conninfo = make_conninfo(location.conninfo, connect_timeout=CONNECT_SECONDS)
        return psycopg.connect(conninfo, autocommit=True)
    except psycopg.Error as error:
        raise Unavailable(f"{location.shown} does not answer ({error})") from error
