"""The quick way to read and write JSON gives what the library gives."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processes import unwatched
from tacit import plain_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner)
        | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(value=VALUES, ascii_=st.booleans(), sort=st.booleans())
def test_a_value_is_written_as_the_library_writes_it(value: Any, ascii_: bool, sort: bool) -> None:
    for between in ((", ", ": "), (",", ":")):
        options: dict[str, Any] = {
            "ensure_ascii": ascii_,
            "separators": between,
            "sort_keys": sort,
        }
        assert plain_json.dumps(value, **options) == json.dumps(value, **options)
    assert plain_json.dumps(value) == json.dumps(value)


@settings(max_examples=100, deadline=None)
@given(value=VALUES)
def test_a_value_is_read_as_the_library_reads_it(value: Any) -> None:
    text = json.dumps(value)

    assert repr(plain_json.loads(f" {text}\n")) == repr(json.loads(text))


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=20) | st.text('[]{}",:0123456789.eE+- tfn\\u', max_size=12))
def test_what_the_library_refuses_is_refused(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):
            plain_json.loads(text)
    else:
        assert repr(plain_json.loads(text)) == repr(expected)


def test_what_is_no_json_cannot_be_written() -> None:
    with pytest.raises(TypeError):
        plain_json.dumps({1, 2})


def test_the_library_is_not_loaded_for_it() -> None:
    code = (
        "import sys; from tacit import plain_json; "
        "plain_json.loads(plain_json.dumps({'a': [1, 'b', None]})); "
        "assert not {'json', 're', 'enum'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=unwatched())


def test_where_the_quick_parts_are_missing_the_library_does_it() -> None:
    code = (
        "import sys; sys.modules['_json'] = None; from tacit import plain_json; "
        "assert plain_json.loads(plain_json.dumps({'a': [1, 'é']}, sort_keys=True)) "
        "== {'a': [1, 'é']}; assert plain_json.quoted('é') == '\"\\\\u00e9\"'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
