"""Arguments on their way to a server: plain JSON there, checked against the method's own words.

What a method says it takes (`str`, `int | None`, `Sequence[Draft]`) is what the server lets in:
the annotations are the one description of them, as in `tacit.codec`.
"""

from __future__ import annotations

from importlib import import_module
from inspect import Parameter, signature

from tacit.clock import aware, datetime, parse_time, show_time
from tacit.codec import from_json, to_json
from tacit.errors import Invalid
from tacit.model import Facet, Scope
from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from tacit.codec import Json

_PLAIN = {"str": str, "int": int, "bool": bool, "float": (int, float)}
_LISTS = ("Sequence[", "Iterable[", "tuple[")
_OBJECTS = ("Mapping[str, object]", "Record")
# Names in annotations, and where the type is.
_TYPES = {
    "Draft": "tacit.draft",
    "Turn": "tacit.session.continuity",
    "Page": "tacit.session.page",
    "Trust": "tacit.model",
    "State": "tacit.model",
}
_CHOICES = {"str | Sequence[str]": ("str", "Sequence[str]"), "str | Profile": ("str",)}
# What methods take by any name: filters, settings of a memory, signals.
_FLAGS = ("pinned", "anchored", "unverified", "evidence")
_NUMBERS = ("importance", "confidence")
_TIMES = ("since", "until")
_SETTINGS_TIMES = ("valid_from", "valid_to")


def sent(function: Callable[..., Any], args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """Give what a call is sent as: its arguments by name, as JSON; those not given are left out."""
    bound = signature(function).bind(None, *args, **named)
    found: dict[str, Json] = {}
    for name, given in list(bound.arguments.items())[1:]:
        if bound.signature.parameters[name].kind is Parameter.VAR_KEYWORD:
            found |= {key: _plain(one, key) for key, one in given.items()}
        else:
            found[name] = _plain(given, name)
    return found


def received(function: Callable[..., Any], given: Mapping[str, Json]) -> dict[str, Any]:
    """Give the arguments of a method as it takes them; `Invalid` says which one does not fit."""
    known = dict(list(signature(function).parameters.items())[1:])
    loose = any(one.kind is Parameter.VAR_KEYWORD for one in known.values())
    found: dict[str, Any] = {}
    for name, item in given.items():
        one = known.get(name)
        if one is not None and one.kind is not Parameter.VAR_KEYWORD:
            found[name] = _read(str(one.annotation), item, name)
        elif loose:
            found[name] = _loose(name, item)
        else:
            raise Invalid(f"{function.__name__} takes no {name!r}")
    for name, one in known.items():
        if one.default is Parameter.empty and name not in found and "VAR" not in one.kind.name:
            raise Invalid(f"{function.__name__} needs {name!r}")
    return found


def names(function: Callable[..., Any]) -> list[str]:
    """Give the names of what a method takes."""
    return list(signature(function).parameters)[1:]


def _plain(given: Any, name: str) -> Json:
    match given:
        case None | bool() | int() | float():
            return given
        case Words() | str():
            return str.__str__(given)
        case datetime():
            return show_time(aware(given))
        case Scope():
            return given.path
        case Facet():
            return f"{given.type.value}:{given.name}"
        case Value():
            return to_json(given)
        case dict():
            return {str(key): _plain(one, name) for key, one in given.items()}
        case bytes() | bytearray():
            raise Invalid(f"{name}: bytes cannot be sent to a server")
    try:
        return [_plain(one, name) for one in given]
    except TypeError:
        raise Invalid(f"{name}: a {type(given).__name__} cannot be sent to a server") from None


def _read(hint: str, item: Json, name: str) -> Any:
    if hint.endswith(" | None"):
        return None if item is None else _read(hint.removesuffix(" | None"), item, name)
    if hint in _CHOICES:
        hint = next((one for one in _CHOICES[hint] if isinstance(item, str) == (one == "str")), "")
    if hint in _PLAIN:
        return _scalar(hint, item, name)
    if hint == "datetime":
        return parse_time(_scalar("str", item, name))
    if hint in _OBJECTS:
        if not isinstance(item, dict):
            raise Invalid(f"{name} is an object")
        return item
    if hint.startswith(_LISTS):
        inner = hint.partition("[")[2].removesuffix("]").removesuffix(", ...")
        if not isinstance(item, list):
            raise Invalid(f"{name} is a list")
        return tuple(_read(inner, one, f"{name}[{at}]") for at, one in enumerate(item))
    if hint in _TYPES:
        return _typed(vars(import_module(_TYPES[hint]))[hint], item, name)
    raise Invalid(f"{name} cannot be given to a server")


def _typed(cls: Any, item: Json, name: str) -> Any:
    if not issubclass(cls, Words):
        return from_json(cls, item, name)
    try:
        return cls(item)
    except ValueError:
        raise Invalid(f"{name} is one of {', '.join(cls)}") from None


def _loose(name: str, item: Json) -> Any:
    """Read an argument that goes by any name: texts, lists of texts, and those that are not."""
    if item is None:
        return None
    if name in _TIMES:
        return parse_time(_scalar("str", item, name))
    if name in _FLAGS:
        return _scalar("bool", item, name)
    if name in _NUMBERS:
        return _scalar("float", item, name)
    if isinstance(item, list):
        return tuple(_scalar("str", one, name) for one in item)
    return _scalar("str", item, name)


def _scalar(hint: str, item: Json, name: str) -> Any:
    fits = isinstance(item, _PLAIN[hint]) and (hint == "bool" or not isinstance(item, bool))  # type: ignore[arg-type]  # a type or a few
    if not fits or (isinstance(item, float) and item - item != 0):  # not a number, or none at all
        raise Invalid(f"{name} is not of the type {hint}")
    return item
