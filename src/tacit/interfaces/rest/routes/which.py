"""From the fields of a request to the arguments of the facade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.clock import parse_time

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from tacit.interfaces.rest.asked import Signals
    from tacit.interfaces.rest.asked_more import Which

# Field of a request → the filter it fills.
FILTERS = {
    "kind": "kinds",
    "tier": "tiers",
    "state": "states",
    "polarity": "polarities",
    "facet": "facets",
    "scope": "scopes",
    "session": "sessions",
    "author": "authors",
    "key": "keys",
}


def filters_of(asked: Which) -> dict[str, Any]:
    """Give the facade's filters, with times that are read."""
    found = {field: given for name, field in FILTERS.items() if (given := getattr(asked, name))}
    times = {"since": asked.since, "until": asked.until}
    return found | {name: parse_time(given) for name, given in times.items() if given}


def times_of(asked: Which) -> dict[str, Any]:
    """Give the two times a question can be about."""
    return {"as_of": moment(asked.as_of), "known_at": moment(asked.known_at)}


def moment(given: str | None) -> datetime | None:
    """Read a time where there is one."""
    return parse_time(given) if given else None


def signals_of(asked: Signals) -> dict[str, object]:
    """Give the signals that say something."""
    return {name: value for name, value in asked.given().items() if value}
