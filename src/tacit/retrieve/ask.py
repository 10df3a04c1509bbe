"""Loose arguments to a checked `Query` or `Filter`; the one place where they are parsed."""

from __future__ import annotations

from tacit.clock import aware
from tacit.errors import Invalid
from tacit.model import Facet, FacetType, Kind, Polarity, Scope, State, Tier
from tacit.retrieve.made_topics import TOPIC
from tacit.retrieve.past import AT_A_TIME
from tacit.retrieve.query import ALL_CHANNELS, MOST_QUERY_CHARS, Channel, Query, channels_of
from tacit.store.protocol import SERVED, Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from tacit.profile import Profile
    from tacit.words import Words

_ENUMS: dict[str, type[Words]] = {
    "kinds": Kind,
    "tiers": Tier,
    "states": State,
    "polarities": Polarity,
}


def ask(
    text: str,
    *,
    now: datetime,
    limit: int,
    as_of: datetime | None,
    known_at: datetime | None,
    channels: Sequence[str] | None,
    files: Sequence[str],
    profile: Profile,
    rerank: bool,
    vector: bytes | None,
    filters: Mapping[str, Any],
) -> Query:
    """Make a query; over-long ones are cut, since what is asked stands at the beginning."""
    if not isinstance(text, str):
        raise Invalid(f"a query is a string, not {type(text).__name__}")
    chosen = (
        _words(Channel, "channels", channels)
        if channels is not None
        else channels_of(profile.retrieval)
    )
    where = filter_of(now, as_of, known_at, filters)
    if not where.subtypes:  # a topic says nothing that its members do not say better
        where = where.replace(without=tuple({**dict.fromkeys(where.without), TOPIC: None}))
    return Query(
        text=text[:MOST_QUERY_CHARS].replace("\0", " "),
        limit=limit,
        where=where,
        channels=tuple(channel for channel in ALL_CHANNELS if channel in chosen),
        files=tuple(files),
        profile=profile,
        rerank=rerank,
        vector=vector,
    )


def filter_of(
    now: datetime,
    as_of: datetime | None,
    known_at: datetime | None,
    filters: Mapping[str, Any],
    *,
    history: bool = False,
) -> Filter:
    """Make a filter; without times what holds now is meant, with `history` all times."""
    fields = dict(filters)
    for name in fields:
        if name not in Filter._fields or name in ("at", "known_at", "current"):
            raise Invalid(f"there is no filter {name!r}; there are {', '.join(_FILTERS)}")
    for name, enum in _ENUMS.items():
        if fields.get(name) is not None:
            fields[name] = _words(enum, name, fields[name])
    if fields.get("scopes"):
        fields["scopes"] = tuple(_scope(scope) for scope in _listed("scopes", fields["scopes"]))
    if fields.get("facets"):
        fields["facets"] = tuple(_facet(facet) for facet in _listed("facets", fields["facets"]))
    for name in ("sessions", "authors", "keys", "hashes", "ids", "exclude", "subtypes", "without"):
        if fields.get(name) is not None:
            fields[name] = tuple(_listed(name, fields[name]))
    for name in ("since", "until"):
        if fields.get(name) is not None:
            fields[name] = aware(fields[name])
    if known_at is not None and aware(known_at) > now:
        raise Invalid(f"known_at {known_at.isoformat()} lies in the future; nobody knows yet")
    at = aware(as_of) if as_of is not None else (known_at or now)
    current = as_of is None and known_at is None
    given = {n: value for n, value in fields.items() if value is not None or n == "evidence"}
    if history:
        return Filter(**{"states": tuple(State)} | given, known_at=known_at)
    usual: dict[str, Any] = {"states": SERVED}
    if as_of is not None and at < now:  # with what was put away since; topics never were served
        usual = {"states": AT_A_TIME} | ({} if given.get("subtypes") else {"without": (TOPIC,)})
    return Filter(
        **usual | given,
        at=aware(at),
        known_at=None if known_at is None else aware(known_at),
        current=current,
    )


def _words(enum: type[Words], name: str, given: Any) -> tuple[Any, ...]:
    try:
        return tuple(enum(item) for item in _listed(name, given))
    except ValueError as error:
        raise Invalid(f"{name}: {error}; use some of {', '.join(enum)}") from None


def _listed(name: str, given: Any) -> list[Any]:
    if isinstance(given, str):
        return [given]
    try:
        return list(given)
    except TypeError:
        raise Invalid(f"{name} is a list, not {type(given).__name__}") from None


def _scope(given: Scope | str) -> Scope:
    return given if isinstance(given, Scope) else Scope(path=given)


def _facet(given: Facet | str) -> Facet:
    """Read `file:src/auth.py` or `tag:auth`."""
    if isinstance(given, Facet):
        return given
    type_, _, name = given.partition(":")
    if type_ not in tuple(FacetType) or not name:
        raise Invalid(f"facet {given!r} is not type:name with a type of {', '.join(FacetType)}")
    return Facet(type=FacetType(type_), name=name)


_FILTERS = tuple(n for n in Filter._fields if n not in ("at", "known_at", "current"))
