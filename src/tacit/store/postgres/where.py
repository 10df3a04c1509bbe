"""A `Filter` in SQL: conditions on the memory table."""

from __future__ import annotations

from tacit.clock import micros
from tacit.model import Tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tacit.store.protocol import Filter

FEW = 8  # subtypes that are looked up one by one


def conditions(where: Filter) -> tuple[str, list[Any]]:
    """Give a condition on `memory AS m` and its values; `TRUE` when nothing is asked."""
    parts: list[str] = []
    values: list[Any] = []

    def add(sql: str, *new: Any) -> None:
        parts.append(sql)
        values.extend(new)

    def among(column: str, members: Sequence[Any]) -> None:
        if len(members) == 1:
            add(f"{column} = %s", members[0])
        elif members:
            add(f"{column} = ANY(%s)", list(members))

    among("m.state", [state.value for state in where.states] if not where.known_at else [])
    among("m.kind", [kind.value for kind in where.kinds])
    among("m.tier", [tier.value for tier in where.tiers])
    if where.tiers and Tier.REFERENCE not in where.tiers:
        add("m.tier <> 'reference'")  # the condition of an index of those few
    among("m.polarity", [polarity.value for polarity in where.polarities])
    among("m.session", where.sessions)
    if where.sessions and "" not in where.sessions:
        add("m.session <> ''")
    among("m.author", where.authors)
    among("m.scope", [scope.path for scope in where.scopes])
    among("m.id", where.ids)
    if where.exclude:
        add("m.id <> ALL(%s)", list(where.exclude))
    among("m.subtype", where.subtypes)
    if where.without:
        add("m.subtype <> ALL(%s)", list(where.without))
    among("m.key", where.keys)
    if where.keys and "" not in where.keys:
        add("m.key <> ''")
    among("m.hash", where.hashes)
    among("m.source_ref", where.sources)
    if where.sources and "" not in where.sources:
        add("m.source_ref <> ''")
    if where.parts_of:  # '$' follows '#': the range holds just the parts
        add("m.source_ref >= %s AND m.source_ref < %s", f"{where.parts_of}#", f"{where.parts_of}$")
        add("m.source_ref <> ''")
    if where.anchored:
        add("m.anchors <> '[]'")
    if where.unverified:
        add("m.unverified")
    if where.evidence is not None:
        add("m.evidence" if where.evidence else "NOT m.evidence")
    if where.after:
        add("m.id > %s", where.after)
    if where.since:
        add("m.valid_from >= %s", micros(where.since))
    if where.until:
        add("m.valid_from < %s", micros(where.until))
    if where.ended:
        add("m.valid_to <= %s", micros(where.ended))
    for facet in where.facets:
        add(
            "EXISTS (SELECT 1 FROM mention AS f WHERE f.tenant = m.tenant AND f.memory = m.row "
            "AND f.norm = %s AND f.type = %s)",
            facet.norm,
            facet.type.value,
        )
    if where.at:
        at = micros(where.at)
        add("m.valid_from <= %s", at)
        if where.known_at:
            add(
                "(m.valid_to IS NULL OR m.valid_to > %s OR m.retired_at > %s)",
                at,
                micros(where.known_at),
            )
        else:
            add("(m.valid_to IS NULL OR m.valid_to > %s)", at)
    if where.known_at:
        add("m.recorded_at <= %s", micros(where.known_at))
    return " AND ".join(parts) or "TRUE", values


def latest_of_each(where: Filter, tenant: int, limit: int) -> tuple[str, list[Any]]:
    """Give a condition on `memory AS m`: that it is one of the latest of any of its subtypes.

    Each of them is read from the end of its own part of an index; all of them at once would
    have to be sorted, however many there are.
    """
    parts: list[str] = []
    values: list[Any] = []
    for subtype in where.subtypes:
        sql, more = conditions(where.replace(subtypes=(subtype,)))
        parts.append(
            f"(SELECT m.row FROM memory AS m WHERE m.tenant = {tenant} AND {sql} "
            "ORDER BY m.recorded_at DESC, m.id DESC LIMIT %s)"
        )
        values += [*more, limit]
    return f"m.row IN ({' UNION ALL '.join(parts)})", values
