"""Values to JSON and back, without loss: exports, history snapshots and bodies are written so.

A field that has its default is left out. Reading checks every field against its annotation
and says where a document is wrong (`memory.levels.tokens: expected a list`); nothing is
guessed. `body` is the one field whose type depends on data: it carries its `kind`.
"""

from __future__ import annotations

import sys

from tacit.body import BODIES
from tacit.clock import datetime, parse_time, show_time
from tacit.errors import Invalid
from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    V = TypeVar("V", bound=Value)

    Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

_SCALARS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
}
_readers: dict[type[Value], dict[str, Callable[[Any, str], Any]]] = {}


def to_json(value: Any) -> Json:
    """Turn a value into plain JSON data, defaults left out."""
    if isinstance(value, Value):
        data = {
            name: to_json(field)
            for name in value._fields
            if (field := getattr(value, name)) != value._defaults.get(name, _MISSING)
        }
        if type(value) in _KINDS:
            data["kind"] = _KINDS[type(value)]
        return data
    if isinstance(value, Words):
        return value.value
    if isinstance(value, datetime):
        return show_time(value)
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    plain: Json = value
    return plain


def from_json(cls: type[V], data: Json, where: str = "") -> V:
    """Rebuild a value; raise `Invalid` naming the field that does not fit."""
    where = where or cls.__name__.lower()
    if not isinstance(data, dict):
        raise Invalid(f"{where}: expected an object, got {_sort(data)}")
    readers = _readers.get(cls) or _readers_of(cls)
    known = {name: item for name, item in data.items() if not (name == "kind" and cls in _KINDS)}
    for name in known:
        if name not in readers:
            raise Invalid(f"{where}: unknown field {name!r}")
    try:
        return cls(**{name: readers[name](item, f"{where}.{name}") for name, item in known.items()})
    except TypeError as error:  # a field without default is missing
        raise Invalid(f"{where}: {error}") from None


def body_from_json(data: Json, where: str = "body") -> Any:
    """Rebuild a body by its `kind`."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in BODIES:
        raise Invalid(f"{where}: kind {kind!r} is unknown; use one of {', '.join(BODIES)}")
    return from_json(BODIES[kind], data, where)


def _readers_of(cls: type[Value]) -> dict[str, Callable[[Any, str], Any]]:
    scope = vars(sys.modules[cls.__module__])
    hints: dict[str, str] = {}
    for parent in reversed(cls.__mro__):
        hints |= parent.__dict__.get("__annotations__", {})  # noqa: RUF063 - inspect is slow to load
    _readers[cls] = {name: _reader(hints[name], scope) for name in cls._fields}
    return _readers[cls]


def _reader(hint: str, scope: dict[str, Any]) -> Callable[[Any, str], Any]:
    if hint.endswith(" | None"):
        inner = _reader(hint.removesuffix(" | None"), scope)
        return lambda item, where: None if item is None else inner(item, where)
    if hint.startswith("tuple["):
        return _tuple_reader(hint[6:-1], scope)
    if hint in _SCALARS:
        return lambda item, where: _scalar(hint, item, where)
    if hint == "datetime":
        return lambda item, where: parse_time(_scalar("str", item, where))
    if hint == "Body":
        return body_from_json
    cls = scope[hint]
    if issubclass(cls, Words):
        return lambda item, where: _member(cls, item, where)
    return lambda item, where: from_json(cls, item, where)


def _tuple_reader(inside: str, scope: dict[str, Any]) -> Callable[[Any, str], Any]:
    if inside.endswith(", ..."):
        read = _reader(inside.removesuffix(", ..."), scope)
        return lambda item, where: tuple(
            read(each, f"{where}[{i}]") for i, each in enumerate(_list(item, where))
        )
    each_read = [_reader(part.strip(), scope) for part in inside.split(",")]

    def fixed(item: Any, where: str) -> Any:
        if len(_list(item, where)) != len(each_read):
            raise Invalid(f"{where}: expected {len(each_read)} items, got {len(item)}")
        return tuple(read(each, where) for read, each in zip(each_read, item, strict=True))

    return fixed


def _list(item: Any, where: str) -> list[Any]:
    if not isinstance(item, list):
        raise Invalid(f"{where}: expected a list, got {_sort(item)}")
    return item


def _scalar(hint: str, item: Any, where: str) -> Any:
    fits = isinstance(item, _SCALARS[hint]) and (hint == "bool" or not isinstance(item, bool))
    if not fits:
        raise Invalid(f"{where}: expected {hint}, got {_sort(item)}")
    if hint == "float" and not -_LARGEST <= item <= _LARGEST:  # nan, inf, or beyond a float
        raise Invalid(f"{where}: expected a finite number")
    return float(item) if hint == "float" else item


def _member(cls: type[Words], item: Any, where: str) -> Words:
    try:
        return cls(item)
    except ValueError:
        raise Invalid(f"{where}: {item!r} is none of {', '.join(cls)}") from None


def _sort(item: Any) -> str:
    return "nothing" if item is None else type(item).__name__


_MISSING = object()
_LARGEST = sys.float_info.max
_KINDS: dict[type, str] = {cls: kind for kind, cls in BODIES.items()}
