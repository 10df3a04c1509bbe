"""A `Filter` in SQL: conditions on the memory table, and tag tokens for the text index."""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import micros
from tacit.model import Tier

FEW = 8  # members written out in the statement; more go in as one list
_CLASSES = {None: (), False: ("memory",), True: ("evidence",)}  # the tags of `Filter.evidence`
PAST = "time:past"  # the tag of what was over when it was closed, so it never holds at present

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tacit.store.protocol import Filter


def conditions(where: Filter, scope_rows: Sequence[int]) -> tuple[str, list[Any]]:
    """Give a condition on `memory AS m` and its values; `TRUE` when nothing is asked."""
    parts: list[str] = []
    values: list[Any] = []

    def add(sql: str, *new: Any) -> None:
        parts.append(sql)
        values.extend(new)

    def among(column: str, members: Sequence[Any]) -> None:
        if 0 < len(members) <= FEW:
            add(f"{column} IN ({', '.join('?' * len(members))})", *members)
        elif members:
            add(f"{column} IN (SELECT value FROM json_each(?))", plain_json.dumps(list(members)))

    among("m.state", [state.value for state in where.states] if not where.known_at else [])
    among("m.kind", [kind.value for kind in where.kinds])
    among("m.tier", [tier.value for tier in where.tiers])
    if where.tiers and Tier.REFERENCE not in where.tiers:
        add("m.tier <> 'reference'")  # the condition of an index of those few
    among("m.polarity", [polarity.value for polarity in where.polarities])
    among("m.session", where.sessions)
    among("m.author", where.authors)
    if where.scopes:
        among("m.scope", scope_rows or [-1])
    among("m.id", where.ids)
    if where.exclude:
        add("m.id NOT IN (SELECT value FROM json_each(?))", plain_json.dumps(where.exclude))
    among("m.subtype", where.subtypes)
    if where.without:
        add(f"m.subtype NOT IN ({', '.join('?' * len(where.without))})", *where.without)
    among("m.key", where.keys)
    among("m.hash", where.hashes)
    among("m.source_ref", where.sources)
    if where.parts_of:  # '$' follows '#': the range holds just the parts
        add("m.source_ref >= ? AND m.source_ref < ?", f"{where.parts_of}#", f"{where.parts_of}$")
    if where.anchored:
        add("m.anchors <> '[]'")
    if where.unverified:
        add("m.unverified")
    if where.evidence is not None:
        add("m.evidence" if where.evidence else "NOT m.evidence")
    if where.after:
        add("m.id > ?", where.after)
    if where.since:
        add("m.valid_from >= ?", micros(where.since))
    if where.until:
        add("m.valid_from < ?", micros(where.until))
    if where.ended:  # the first part is the condition of an index of those few
        add(
            "(m.state <> 'active' OR m.valid_to IS NOT NULL) AND m.valid_to <= ?",
            micros(where.ended),
        )
    for facet in where.facets:
        add(
            "EXISTS (SELECT 1 FROM mention JOIN facet ON facet.row = mention.facet "
            "WHERE mention.memory = m.row AND facet.norm = ? AND facet.type = ?)",
            facet.norm,
            facet.type.value,
        )
    if where.at:
        at = micros(where.at)
        add("m.valid_from <= ?", at)
        if where.known_at:
            add(
                "(m.valid_to IS NULL OR m.valid_to > ? OR m.retired_at > ?)",
                at,
                micros(where.known_at),
            )
        else:
            add("(m.valid_to IS NULL OR m.valid_to > ?)", at)
    if where.known_at:
        add("m.recorded_at <= ?", micros(where.known_at))
    return " AND ".join(parts) or "TRUE", values


def latest_of_each(where: Filter, scope_rows: Sequence[int], limit: int) -> tuple[str, list[Any]]:
    """Give a condition on `memory AS m`: that it is one of the latest of any of its subtypes.

    Each of them is read from the end of its own part of an index; all of them at once would
    have to be sorted, however many there are.
    """
    parts: list[str] = []
    values: list[Any] = []
    for subtype in where.subtypes:
        sql, more = conditions(where.replace(subtypes=(subtype,)), scope_rows)
        parts.append(
            f"SELECT row FROM (SELECT m.row FROM memory AS m WHERE {sql} "
            "ORDER BY m.recorded_at DESC, m.id DESC LIMIT ?)"
        )
        values += [*more, limit]
    return f"m.row IN ({' UNION ALL '.join(parts)})", values


def tag_groups(where: Filter, scope_rows: Sequence[int]) -> list[list[str]]:
    """Give groups of tag tokens; a memory that fits holds one of each group."""
    groups = (
        ("kind", where.kinds),
        ("tier", where.tiers),
        ("state", () if where.known_at else where.states),
        ("polarity", where.polarities),
        ("scope", scope_rows),
        ("class", _CLASSES[where.evidence]),
    )
    return [[f"{name}:{member}" for member in members] for name, members in groups if members]


def text_query(
    words: Sequence[str], must: Sequence[str], tags: Sequence[Sequence[str]], *, skip_past: bool
) -> str:
    """Give an FTS5 query: any of the words, one of `must` if given, one tag of each group.

    Every word is quoted and pinned to its column, so user text can never be query syntax.
    """
    query = f"words:({_any(words)})"
    if must:
        query += f" AND words:({_any(must)})"
    for group in tags:
        query += f" AND tags:({_any(group)})"
    return f'({query}) NOT tags:"{PAST}"' if skip_past else query


def _any(tokens: Sequence[str]) -> str:
    return " OR ".join('"' + token.replace('"', '""') + '"' for token in tokens)
