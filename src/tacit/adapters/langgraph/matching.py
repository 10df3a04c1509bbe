"""Which items a search means and which namespaces a listing names. Pure.

Where LangGraph's own stores agree this does as they do. Where they do not, a value that cannot
be compared does not match: a search must not fail for one item among many.
"""

from __future__ import annotations

import operator

from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from langgraph.store.base import MatchCondition

ANY = "*"
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def fits(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Tell whether a value has what a filter asks for."""
    return all(_fits(value.get(name), each) for name, each in (wanted or {}).items())


def _fits(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        if any(name.startswith("$") for name in wanted):
            return all(_holds(found, name, each) for name, each in wanted.items())
        return isinstance(found, dict) and all(_fits(found.get(n), w) for n, w in wanted.items())
    if isinstance(wanted, list | tuple):
        return (
            isinstance(found, list) and len(found) == len(wanted) and all(map(_fits, found, wanted))
        )
    return bool(found == wanted)


def _holds(found: Any, sign: str, wanted: Any) -> bool:
    if sign == "$eq":
        return bool(found == wanted)
    if sign == "$ne":
        return bool(found != wanted)
    if sign not in _ORDERS:
        raise Invalid(f"a filter has no operator {sign!r}; use $eq, $ne, {', '.join(_ORDERS)}")
    try:
        return _ORDERS[sign](float(found), float(wanted))
    except (TypeError, ValueError, OverflowError):  # not numbers; two words are compared as words
        words = isinstance(found, str) and isinstance(wanted, str)
        return words and _ORDERS[sign](found, wanted)


def listed(
    namespaces: Iterable[tuple[str, ...]],
    conditions: Sequence[MatchCondition] | None,
    depth: int | None,
) -> list[tuple[str, ...]]:
    """Give the namespaces that meet all conditions, cut to a depth, each once and in order."""
    meant = (one for one in namespaces if all(_meets(one, each) for each in conditions or ()))
    return sorted({one if depth is None else one[:depth] for one in meant})


def _meets(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    if condition.match_type not in ("prefix", "suffix"):
        raise Invalid(f"a namespace has a prefix and a suffix, no {condition.match_type!r}")
    if len(namespace) < len(path):
        return False
    at_end = condition.match_type == "suffix"
    part = namespace[len(namespace) - len(path) :] if at_end else namespace[: len(path)]
    return all(given in (ANY, label) for label, given in zip(part, path, strict=True))
