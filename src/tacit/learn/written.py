"""A profile as it is written and read back, and the numbers it may hold. Pure."""

from __future__ import annotations

from tacit import plain_json
from tacit.errors import Invalid
from tacit.model import Kind
from tacit.profile import CHOICES, Profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAMED = ("name", "version")
# The numbers of a profile with the least and the most they may be: what is set by hand, learnt
# or bred stays within.
NUMBERS: dict[str, tuple[float, float]] = {
    "pool": (1, 1_000),
    "overfetch": (1, 100),
    "most_terms": (1, 512),
    "text": (0.0, 1.0),
    "vector": (0.0, 1.0),
    "facets": (0.0, 1.0),
    "signal": (0.0, 2.0),
    "linked": (0.0, 1.0),
    "lend_near": (0.0, 1.0),
    "lend_far": (0.0, 1.0),
    "lend_vector": (0.0, 1.0),
    "lend_terms": (1, 4_096),
    "author": (0.0, 1.0),
    "human": (0.0, 1.0),
    "recency": (0.0, 1.0),
    "unverified": (0.0, 1.0),
    "used": (0.0, 1.0),
    "half_life_days": (0.1, 3_650.0),
    "mandate_half_life_days": (0.1, 3_650.0),
    "mandate": (0.1, 10.0),
    "guardrail": (0.1, 10.0),
    "avoid": (0.0, 10.0),
    "evidence": (0.1, 10.0),
    "brief_rank": (0.0, 10.0),
    "brief_level": (0.0, 10.0),
    "brief_level_start": (0.0, 10.0),
    "diversity": (0.0, 1.0),
    "renewed": (0.0, 10.0),
    "renewed_words": (0, 100),
    "cut_words": (0.0, 10.0),
    "cut_words_alone": (0.0, 10.0),
    "cut_question": (0.0, 2.0),
    "cut_other": (0.0, 2.0),
    "cut_hit": (0.0, 2.0),
    "cut_document": (0.0, 2.0),
    "cut_document_briefed": (0.0, 2.0),
    "cut_question_briefed": (0.0, 2.0),
    "cut_unasked": (0.0, 2.0),
    "cut_unasked_hit": (0.0, 2.0),
    "pool_unasked": (1, 1_000),
    "covered": (0.0, 2.0),
    "cosine": (0.0, 2.0),
    "files": (0.0, 2.0),
    "near_miss": (0.0, 0.2),
}
KIND_FACTOR = (0.0, 10.0)


def written(profile: Profile) -> dict[str, Any]:
    """Give a profile as plain JSON, every field by its name."""
    fields = {name: getattr(profile, name) for name in Profile._fields}
    return fields | {"kinds": dict(profile.kinds)}


def read(given: Mapping[str, Any]) -> Profile:
    """Make a profile from plain JSON; what is missing is as in the default.

    `Invalid` names the field that is unknown or out of its range.
    """
    unknown = [name for name in given if name not in Profile._fields]
    if unknown:
        raise Invalid(f"a profile has no field {unknown[0]!r}; see: tacit profile show default")
    name = given.get("name")
    if not isinstance(name, str) or not name:
        raise Invalid("a profile needs a name")
    fields = {field: _field(field, value) for field, value in given.items()}
    return Profile(**fields)


def changed(profile: Profile, changes: Mapping[str, Any]) -> Profile:
    """Give a profile with some fields changed; `kinds.fact` is the factor of one kind."""
    fields = written(profile)
    for name, value in changes.items():
        if name in NAMED:
            raise Invalid(f"{name} is no number of a profile; keeping it gives the next version")
        group, dot, kind = name.partition(".")
        if dot and group == "kinds":
            fields[group] = fields[group] | {kind: value}
        else:
            fields[name] = value
    return read(fields)


def differences(one: Profile, other: Profile) -> dict[str, tuple[Any, Any]]:
    """Give the fields in which two profiles differ, with the value of each."""
    mine, theirs = written(one), written(other)
    return {
        name: (mine[name], theirs[name])
        for name in mine
        if name not in NAMED and mine[name] != theirs[name]
    }


def loads(text: str) -> Profile:
    """Read a profile from the text of a JSON object."""
    try:
        given = plain_json.loads(text)
    except ValueError as error:
        raise Invalid(f"this is no profile in JSON: {error}") from error
    if not isinstance(given, dict):
        raise Invalid("a profile is one JSON object, such as `tacit profile export` writes")
    return read(given)


def dumps(profile: Profile) -> str:
    """Write a profile as one line of JSON, the same bytes for the same profile."""
    return plain_json.dumps(written(profile), ensure_ascii=False)


def _field(name: str, value: Any) -> Any:
    """Check one field and give it as a profile holds it."""
    if name == "kinds":
        return _kinds(value)
    if name in ("name", *(one for one, choices in CHOICES.items() if isinstance(choices[0], str))):
        if not isinstance(value, str):
            raise Invalid(f"{name} is text, not {value!r}")
        return value
    if name == "named_alone":
        if not isinstance(value, bool):
            raise Invalid(f"{name} is true or false, not {value!r}")
        return value
    if name == "avoid" and value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Invalid(f"{name} is a number, not {value!r}")
    if name == "version" or name in CHOICES:
        return int(value)
    return _number(name, value, *NUMBERS[name])


def _number(name: str, value: float, least: float, most: float) -> float:
    if not least <= value <= most:
        raise Invalid(f"{name} is {value}; it must be from {least:g} to {most:g}")
    whole = isinstance(Profile._defaults.get(name), int)
    if whole and value != int(value):
        raise Invalid(f"{name} is {value}; it must be a whole number")
    return int(value) if whole else float(value)


def _kinds(value: Any) -> tuple[tuple[str, float], ...]:
    if not isinstance(value, dict):
        raise Invalid(f"kinds gives a factor to kinds of memories, not {value!r}")
    for kind in value:
        if kind not in tuple(Kind):
            raise Invalid(f"there is no kind {kind!r}; there are {', '.join(Kind)}")
    return tuple((kind, _number(f"kinds.{kind}", one, *KIND_FACTOR)) for kind, one in value.items())
