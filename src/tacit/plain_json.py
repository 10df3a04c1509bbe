"""JSON by the parts of `json` that are written in C, for those who must start quickly.

The package around them compiles six patterns when it is loaded, which takes a hook as long as a
fifth of an interpreter start. What is read and written is the same.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SPACE = " \t\n\r"


class _Plain:
    """How the scanner reads: as `json.loads` does."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}


def _refuse(value: object) -> object:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


_scan: Any = None
_encoder: Any = None
try:
    import _json

    quoted = _json.encode_basestring_ascii
    _quoted_as_is = _json.encode_basestring
    _scan = _json.make_scanner(_Plain)  # type: ignore[arg-type]  # anything with these fields
    _encoder = _json.make_encoder
    _encoder(None, _refuse, quoted, None, ": ", ", ", False, False, True)
except (ImportError, AttributeError, TypeError):  # another interpreter, or another version of it
    from json.encoder import encode_basestring_ascii as quoted

    _scan = _encoder = None


def dumps(
    value: Any,
    *,
    ensure_ascii: bool = True,
    separators: tuple[str, str] = (", ", ": "),
    sort_keys: bool = False,
) -> str:
    """Write a value as `json.dumps` does."""
    if _encoder is None:
        import json

        return json.dumps(
            value, ensure_ascii=ensure_ascii, separators=separators, sort_keys=sort_keys
        )
    between, after_key = separators
    quote = quoted if ensure_ascii else _quoted_as_is
    write = _encoder(None, _refuse, quote, None, after_key, between, sort_keys, False, True)
    return "".join(write(value, 0))


def loads(text: str) -> Any:
    """Read a text as `json.loads` does; `ValueError` when it is not JSON."""
    if _scan is None:
        import json

        return json.loads(text)
    text = text.strip(_SPACE)
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("something follows the JSON")
    return value
