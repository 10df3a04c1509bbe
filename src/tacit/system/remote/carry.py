"""Answers on their way: values to JSON and back to the same values, whatever their type.

A value is an object that names its type under `$`, a word such as a kind one with its text under
`=`; what has its default is left out. Within a value a list is a tuple, as values have it; a
tuple elsewhere, and a list within a value, say so. Types are known by a table: what an answer
names is never looked up anywhere else.
"""

from __future__ import annotations

import sys
from importlib import import_module

from tacit.clock import datetime, parse_time, show_time
from tacit.errors import Unavailable
from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tacit.codec import Json

    Instead = Callable[[Any], Json]

# Where the types of answers are; a type is named by the last word of its module and its own.
MODULES = (
    "tacit.model",
    "tacit.body",
    "tacit.record",
    "tacit.retrieve.query",
    "tacit.retrieve.audit",
    "tacit.retrieve.task",
    "tacit.learn.detection",
    "tacit.store.protocol",
    "tacit.store.transfer",
    "tacit.write.remember",
    "tacit.consolidate.cycle",
    "tacit.consolidate.moves",
    "tacit.assemble.budget",
    "tacit.assemble.briefing",
    "tacit.assemble.disclose",
    "tacit.assemble.topics",
    "tacit.assemble.loading",
    "tacit.assemble.economics",
    "tacit.assemble.thresholds",
    "tacit.assemble.predict",
    "tacit.assemble.period",
    "tacit.interval",
    "tacit.learn.usage",
    "tacit.learn.earned",
    "tacit.learn.effects",
    "tacit.session.editing",
    "tacit.session.ledgers",
    "tacit.session.handoffs",
    "tacit.session.page",
    "tacit.session.file_record",
    "tacit.system.reading",
)
_HOMES = {name.rpartition(".")[2]: name for name in MODULES}
_MISSING = object()


def packed(value: Any, instead: Instead | None = None, *, inside: bool = False) -> Json:
    """Turn an answer into JSON; `instead` gives what is put in the place of a value, if anything."""
    if value is None or type(value) in (str, int, float, bool):
        plain: Json = value
        return plain
    if isinstance(value, Value):
        other = instead(value) if instead else None
        return other if other is not None else _fields(value, instead)
    if isinstance(value, Words):
        return {"$": _name(type(value)), "=": value.value}
    if isinstance(value, datetime):
        return {"$": "time", "=": show_time(value)}
    if isinstance(value, (list, tuple)):
        items: Json = [packed(one, instead, inside=inside) for one in value]
        told = isinstance(value, tuple) == inside  # else its place says what it is
        return items if told else {"$": type(value).__name__, "=": items}
    if isinstance(value, dict):
        pairs = {_key(name): packed(one, instead, inside=inside) for name, one in value.items()}
        return {"$": "dict", "=": pairs} if "$" in pairs else pairs
    raise TypeError(f"an answer holds a {type(value).__name__}, which has no form for others")


def unpacked(data: Json, fetch: Callable[[str, str], Any] | None = None) -> Any:
    """Give the answer of its JSON; `fetch` finds what stands for something by type and name."""
    try:
        return _opened(data, fetch, inside=False)
    except (KeyError, TypeError, ValueError, AttributeError, ImportError) as error:
        raise Unavailable(
            f"the answer is of another version of Tacit ({error}); use the same at both ends"
        ) from error


def _fields(value: Value, instead: Instead | None) -> Json:
    found: dict[str, Json] = {"$": _name(type(value))}
    for name in value._fields:
        field = getattr(value, name)
        if name not in value._defaults or field != value._defaults[name]:
            found[name] = packed(field, instead, inside=True)
    return found


def _opened(data: Json, fetch: Callable[[str, str], Any] | None, *, inside: bool) -> Any:
    if isinstance(data, list):
        items = [_opened(one, fetch, inside=inside) for one in data]
        return tuple(items) if inside else items
    if not isinstance(data, dict):
        return data
    name = data.get("$", _MISSING)
    if name is _MISSING:
        return {key: _opened(one, fetch, inside=inside) for key, one in data.items()}
    assert isinstance(name, str)
    if "=" not in data:
        return _value(_type(name), data, fetch)
    plain = data["="]
    match name:
        case "time":
            return parse_time(str(plain))
        case "tuple" | "list" if isinstance(plain, list):
            items = [_opened(one, fetch, inside=inside) for one in plain]
            return tuple(items) if name == "tuple" else items
        case "dict" if isinstance(plain, dict):
            return {key: _opened(one, fetch, inside=inside) for key, one in plain.items()}
        case "->" if fetch is not None and isinstance(plain, list):
            return fetch(str(plain[0]), str(plain[1]))
    return _type(name)(plain)


def _value(cls: Any, data: dict[str, Json], fetch: Callable[[str, str], Any] | None) -> Any:
    # A field that is not known here is of a newer server, and means nothing to those who ask.
    known = {name: data[name] for name in cls._fields if name in data}
    return cls(**{name: _opened(one, fetch, inside=True) for name, one in known.items()})


def _name(cls: type) -> str:
    short = cls.__module__.rpartition(".")[2]
    if _HOMES.get(short) != cls.__module__:
        raise TypeError(f"{cls.__module__}.{cls.__name__} is none of the types of answers")
    return f"{short}.{cls.__name__}"


def _type(name: str) -> Any:
    home, _, cls = name.partition(".")
    module = sys.modules.get(_HOMES[home]) or import_module(_HOMES[home])
    found = vars(module)[cls]
    if not (isinstance(found, type) and issubclass(found, (Value, Words))):
        raise TypeError(f"{name} is no value")
    return found


def _key(name: Any) -> str:
    """Give a key as text: a word is equal to its text, so it is found by either."""
    if not isinstance(name, str):
        raise TypeError(f"an answer has a key that is a {type(name).__name__}")
    return str.__str__(name)
