"""Frozen values: what `@dataclass(frozen=True, slots=True, kw_only=True)` would give."""

from __future__ import annotations

import copy
import pickle
from typing import ClassVar

import pytest

from tacit.errors import Invalid
from tacit.value import Frozen, Value


class Point(Value):
    """A place, with a label of its own."""

    unit: ClassVar[str] = "m"
    x: int
    y: int = 0

    def __post_init__(self) -> None:
        if self.x < 0:
            raise Invalid("x is negative")


class Named(Point):
    """A place with a name."""

    name: str
    tags: tuple[str, ...] = ()


def test_fields_are_given_by_name_and_defaults_fill_the_rest():
    point = Point(x=1)

    assert (point.x, point.y, point.unit) == (1, 0, "m")


def test_a_missing_field_is_named():
    with pytest.raises(TypeError, match=r"Point\(\) needs 'x'"):
        Point(y=1)


def test_an_unknown_field_is_named():
    with pytest.raises(TypeError, match=r"Point\(\) has no field 'z'"):
        Point(x=1, z=2)


def test_fields_cannot_be_given_by_place():
    with pytest.raises(TypeError):
        Point(1, 2)


def test_a_value_that_cannot_be_true_cannot_be_made():
    with pytest.raises(Invalid, match="negative"):
        Point(x=-1)


def test_a_field_cannot_be_assigned_or_deleted():
    point = Point(x=1)

    with pytest.raises(Frozen, match=r"Point\.x cannot be assigned; use replace"):
        point.x = 2
    with pytest.raises(Frozen, match="cannot be deleted"):
        del point.x
    assert point.x == 1


def test_a_value_has_no_room_for_other_attributes():
    with pytest.raises(AttributeError):
        object.__setattr__(Point(x=1), "other", 1)


def test_replace_gives_a_changed_copy_and_leaves_the_first_alone():
    point = Point(x=1, y=2)

    assert point.replace(y=3) == Point(x=1, y=3)
    assert point == Point(x=1, y=2)


def test_replace_checks_like_a_new_value():
    with pytest.raises(Invalid, match="negative"):
        Point(x=1).replace(x=-1)
    with pytest.raises(TypeError, match="no field 'z'"):
        Point(x=1).replace(z=1)


def test_values_are_equal_and_hash_alike_when_their_fields_are():
    assert Point(x=1) == Point(x=1, y=0)
    assert hash(Point(x=1)) == hash(Point(x=1, y=0))
    assert Point(x=1) != Point(x=2)
    assert len({Point(x=1), Point(x=1), Point(x=2)}) == 2


def test_values_of_different_types_are_never_equal():
    class Other(Value):
        x: int
        y: int = 0

    assert Point(x=1) != Other(x=1)
    assert Point(x=1) != (1, 0)


def test_a_child_has_the_fields_of_its_parent_first():
    named = Named(x=1, name="home")

    assert repr(named) == "Named(x=1, y=0, name='home', tags=())"
    assert named.replace(y=2) == Named(x=1, y=2, name="home")
    with pytest.raises(Invalid, match="negative"):
        Named(x=-1, name="home")


def test_repr_can_be_read_back():
    point = Point(x=1, y=2)

    assert eval(repr(point)) == point


def test_values_can_be_copied_and_pickled():
    named = Named(x=1, name="home", tags=("a",))

    assert pickle.loads(pickle.dumps(named)) == named
    assert copy.deepcopy(named) == named


def test_from_row_takes_all_fields_in_order_and_trusts_them():
    assert Named.from_row((1, 2, "home", ("a",))) == Named(x=1, y=2, name="home", tags=("a",))
    assert Point.from_row((-1, 0)).x == -1
    with pytest.raises(ValueError, match="shorter"):
        Point.from_row((1,))
