"""Filters of mem0 on what is known of a memory: values, operators, AND, OR and NOT. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from operator import ge, gt, le, lt

from tacit.adapters.mem0.checks import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

ANY = "*"
_JOINED = {"$and": "AND", "$or": "OR", "$not": "NOT"}


def fits(known: Mapping[str, Any], filters: Mapping[str, Any]) -> bool:
    """Tell whether a memory fits all of the filters."""
    return all(_holds(known, _JOINED.get(name, name), wanted) for name, wanted in filters.items())


def _holds(known: Mapping[str, Any], name: str, wanted: Any) -> bool:
    if name == "AND":
        return all(fits(known, each) for each in _listed(name, wanted))
    if name == "OR":
        return any(fits(known, each) for each in _listed(name, wanted))
    if name == "NOT":
        return not any(fits(known, each) for each in _listed(name, wanted))
    value = known.get(name)
    if isinstance(wanted, dict):
        return all(_compares(value, operator, other) for operator, other in wanted.items())
    if isinstance(wanted, list):
        return _compares(value, "in", wanted)
    return value is not None if wanted == ANY else _compares(value, "eq", wanted)


def _listed(name: str, given: Any) -> list[Mapping[str, Any]]:
    if (
        not isinstance(given, list)
        or not given
        or not all(isinstance(each, dict) for each in given)
    ):
        raise Refused(f"{name} operator requires a non-empty list of conditions, not {given!r}")
    return given


def _compares(value: Any, operator: str, other: Any) -> bool:
    """Compare a value; of a list one that fits is enough, and what is missing fits nothing."""
    if operator not in _OPERATORS:
        raise Refused(f"Unsupported metadata filter operator: {operator}")
    if operator in ("in", "nin") and not isinstance(other, list | tuple | set):
        raise Refused(f"the operator {operator} takes a list, not {other!r}")
    if value is None:
        return operator == "eq" and other is None
    values = value if isinstance(value, list) else [value]
    return any(_OPERATORS[operator](each, other) for each in values)


def _same(one: Any, two: Any) -> bool:
    """Tell whether two values are the same; True is no number."""
    return isinstance(one, bool) is isinstance(two, bool) and bool(one == two)


def _ordered(one: Any, two: Any) -> tuple[Any, Any] | None:
    """Give two values in a form that has an order: numbers, or times; None where there is none."""
    if all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, two)):
        return one, two
    times = _time(one), _time(two)
    return times if None not in times else None


def _time(value: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found


def _ranged(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compared(one: Any, two: Any) -> bool:
        pair = _ordered(one, two)
        return pair is not None and compare(*pair)

    return compared


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": _same,
    "ne": lambda one, two: not _same(one, two),
    "in": lambda one, two: any(_same(one, each) for each in two),
    "nin": lambda one, two: not any(_same(one, each) for each in two),
    "gt": _ranged(gt),
    "gte": _ranged(ge),
    "lt": _ranged(lt),
    "lte": _ranged(le),
    "contains": lambda one, two: str(two) in str(one),
    "icontains": lambda one, two: str(two).casefold() in str(one).casefold(),
}
