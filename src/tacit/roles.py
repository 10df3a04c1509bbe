"""Roles of a team: who may do what to whose memories. Pure; the one table of it.

A database with walls between members holds its own part of this: who reads, who writes, who
removes. What it cannot tell apart, such as an edit from a resolution, is told apart here, below
every interface.
"""

from __future__ import annotations

from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime


class TeamRole(Words):
    """What a member of a team is, from the least to the most; each may what those before may."""

    READER = "reader"
    WRITER = "writer"
    CURATOR = "curator"
    ADMIN = "admin"


class Asker(Value):
    """Who asks a store: a member and their role. Who is alone with a store may do anything."""

    member: str = ""
    role: str = "admin"
    alone: bool = True


class Member(Value):
    """A member of a team, their role, and the groups within it they belong to."""

    name: str
    role: str
    teams: tuple[str, ...] = ()


class Invited(Value):
    """Somebody who was asked in and has not come yet."""

    name: str
    role: str
    by: str
    expires_at: datetime


class AuditEntry(Value):
    """That somebody did, or was kept from doing, something that others may ask about."""

    at: datetime
    member: str
    act: str
    subject: str = ""


# What is done → the role it needs, and the one it needs when it is done to another's memory.
ACTS: dict[str, tuple[str, str]] = {
    "remember": ("writer", "writer"),
    "edit": ("writer", "curator"),
    "link": ("writer", "writer"),
    "accept": ("writer", "curator"),
    "forget": ("writer", "curator"),
    "restore": ("writer", "curator"),
    "share": ("writer", "curator"),
    "take back": ("writer", "admin"),
    "set": ("curator", "curator"),  # tiers, pins and the like
    "resolve": ("curator", "curator"),
    "consolidate": ("curator", "curator"),
    "import": ("writer", "writer"),
    "erase": ("admin", "admin"),
    "load a backup": ("admin", "admin"),
    "manage members": ("admin", "admin"),
    "read the audit": ("admin", "admin"),
    "open the vault": ("writer", "writer"),
}


def needed(act: str, *, own: bool) -> str:
    """Give the least role that may do something to one's own memory, or to another's."""
    return ACTS[act][0 if own else 1]


def allows(role: str, act: str, *, own: bool) -> bool:
    """Tell whether a role is enough."""
    order = tuple(each.value for each in TeamRole)
    return role in order and order.index(role) >= order.index(needed(act, own=own))
