"""Frozen values without the import cost of `dataclasses`.

`Value` gives a class what `@dataclass(frozen=True, slots=True, kw_only=True)` gives: fields
from annotations, defaults, `__post_init__`, equality, hash, repr, and `replace`. The type
checker sees exactly that (`dataclass_transform`). At run time nothing is compiled and
`inspect` is not imported: defining the domain costs 1 ms instead of 35, and a hook that has
to answer within a few interpreter starts feels the difference (docs/decisions/0004).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_options):
        """Say nothing at run time; the type checker reads the real one."""
        return lambda cls: cls


_MISSING = object()


class Frozen(AttributeError):
    """A field of a value was assigned; use `replace` to make a changed copy."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class ValueType(type):
    """Turns annotated fields into slots and remembers their order and defaults."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> ValueType:
        """Make the class."""
        declared = namespace.get("__annotations__", {})
        own = [f for f, kind in declared.items() if not kind.startswith("ClassVar")]
        defaults = {f: namespace.pop(f) for f in own if f in namespace}
        cls = super().__new__(mcs, name, bases, {**namespace, "__slots__": tuple(own)})
        inherited_fields: tuple[str, ...] = ()
        inherited_defaults: dict[str, Any] = {}
        for parent in bases:
            inherited_fields += getattr(parent, "_fields", ())
            inherited_defaults |= getattr(parent, "_defaults", {})
        fields = inherited_fields + tuple(own)
        cls._fields = fields  # type: ignore[attr-defined]  # these three are set once, here
        cls._defaults = inherited_defaults | defaults  # type: ignore[attr-defined]  # as above
        cls._slots = tuple(  # type: ignore[attr-defined]  # as above
            (name, getattr(cls, name).__set__, cls._defaults.get(name, _MISSING))  # type: ignore[attr-defined]
            for name in fields
        )
        return cls


class Value(metaclass=ValueType):
    """A frozen value: equal when its fields are equal, changed only by `replace`."""

    if TYPE_CHECKING:
        _fields: ClassVar[tuple[str, ...]]
        _defaults: ClassVar[dict[str, Any]]
        _slots: ClassVar[tuple[tuple[str, Any, Any], ...]]
    else:

        def __init__(self, **given):
            for name, put, default in self._slots:
                value = given.pop(name, default)
                if value is _MISSING:
                    raise TypeError(f"{type(self).__name__}() needs {name!r}")
                put(self, value)
            if given:
                raise TypeError(f"{type(self).__name__}() has no field {next(iter(given))!r}")
            self.__post_init__()

    @classmethod
    def from_row(cls, row: tuple[Any, ...]) -> Self:
        """Make a value from all its fields in order, unchecked: for rows an engine has kept."""
        made = object.__new__(cls)
        for (_, put, _), field in zip(cls._slots, row, strict=True):
            put(made, field)
        return made

    def __post_init__(self) -> None:
        """Check what must hold; subclasses raise `Invalid` from here."""

    def replace(self, **changes: Any) -> Self:
        """Give a copy with some fields changed, checked like a new value."""
        return type(self)(**{name: getattr(self, name) for name in self._fields} | changes)

    def __setattr__(self, name: str, _value: object) -> None:
        raise Frozen(f"{type(self).__name__}.{name} cannot be assigned; use replace()")

    def __delattr__(self, name: str) -> None:
        raise Frozen(f"{type(self).__name__}.{name} cannot be deleted")

    def _astuple(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self._fields])

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._astuple() == other._astuple()

    def __hash__(self) -> int:
        return hash((type(self), *self._astuple()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._astuple())


def _rebuild(cls: type[Value], values: tuple[Any, ...]) -> Value:
    return cls(**dict(zip(cls._fields, values, strict=True)))
