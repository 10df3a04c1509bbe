"""Whose a memory is, and where it lies: mem0's ids as scopes, mem0's configuration as a file. Pure."""

from __future__ import annotations

import os
import re
from urllib.parse import quote

from tacit.model import Facet, FacetType, Mention, Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

COLLECTION = "mem0"  # mem0's own default
USED = ("vector_store", "version")  # of a configuration; of the first what says where it lies
_TYPES = {
    "user_id": FacetType.PERSON,
    "agent_id": FacetType.PERSON,  # as the import has it
    "run_id": FacetType.TAG,
}
_NAME = re.compile(r"[^\w.-]+")


def scope_of(within: Scope, ids: Mapping[str, str]) -> Scope:
    """Give the scope of a user, an agent and a run, or of those of them that are named.

    No two users share one, so what they say is never one memory; the memory as a whole is the
    project among its parts.
    """
    steps = [
        ("user", ids.get("user_id")),
        ("project", within.path.rsplit("/", 1)[-1].partition(":")[2]),
        ("agent", ids.get("agent_id")),
        ("session", ids.get("run_id")),
    ]
    parts = [f"{type_}:{quote(name, safe='@:+=,')}" for type_, name in steps if name]
    return Scope(path="/".join(parts))


def facets_of(ids: Mapping[str, str]) -> tuple[Facet, ...]:
    """Give what memories of these ids are found by."""
    return tuple(Facet(type=_TYPES[name], name=value) for name, value in ids.items())


def mentions_of(ids: Mapping[str, str]) -> tuple[Mention, ...]:
    """Give what a memory of these ids mentions."""
    return tuple(Mention(facet=facet) for facet in dict.fromkeys(facets_of(ids)))


def location(config: Mapping[str, Any], home: str) -> tuple[str, Scope]:
    """Give the file and the scope for a configuration: one for each collection.

    The file lies in the folder the configuration names, or in one of Tacit's own.
    """
    chosen = config.get("vector_store")
    chosen = chosen.get("config") if isinstance(chosen, dict) else None
    chosen = chosen if isinstance(chosen, dict) else {}
    given = _NAME.sub("-", str(chosen.get("collection_name") or COLLECTION)).strip(".-")
    folder, name = chosen.get("path") or os.path.join(home, "mem0"), given or COLLECTION
    return os.path.join(str(folder), f"{name}.tacit.db"), Scope(path=f"project:{name}")
