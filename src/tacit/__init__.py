"""Tacit: what your agent knows without being told.

    from tacit import Tacit

    with Tacit.open(project=".") as tacit:
        tacit.remember("Sign JWTs with RS256", key="auth.jwt_alg", value="RS256")
        tacit.recall("which algorithm signs tokens?")

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.draft import Draft
    from tacit.errors import (
        Busy,
        Conflict,
        Corrupt,
        Denied,
        Invalid,
        NotFound,
        TacitError,
        Unavailable,
    )
    from tacit.model import Kind, Level, Memory, Relation, State, Tier
    from tacit.retrieve.query import Hit
    from tacit.system import Tacit

__version__ = "0.1.0"

_HOMES = {
    "Tacit": "tacit.system.whole",
    "Draft": "tacit.draft",
    "Hit": "tacit.retrieve.query",
    **dict.fromkeys(("Kind", "Level", "Memory", "Relation", "State", "Tier"), "tacit.model"),
    **dict.fromkeys(
        "Busy Conflict Corrupt Denied Invalid NotFound TacitError Unavailable".split(),
        "tacit.errors",
    ),
}

__all__ = [
    "Busy",
    "Conflict",
    "Corrupt",
    "Denied",
    "Draft",
    "Hit",
    "Invalid",
    "Kind",
    "Level",
    "Memory",
    "NotFound",
    "Relation",
    "State",
    "Tacit",
    "TacitError",
    "Tier",
    "Unavailable",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
