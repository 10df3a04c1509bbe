"""Characters that nobody sees or that turn text round, taken out before text is kept or shown.

They could split a secret, act on a terminal, show a file name backwards, or tell a model what
no person reads. Joiners and variation selectors stay where scripts and emoji are written with
them: after a character that is not ASCII, and no more than two in a row.
"""

from __future__ import annotations

from tacit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

# Soft hyphen, fillers, marks and turns of direction, zero widths, annotations, tags.
_FORMATS = pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]+"
)
_JOINER = "[\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_JOINERS = pattern(rf"(?<![^\0-\x7f]){_JOINER}+(?!\u20e3)|(?<={_JOINER}{_JOINER}){_JOINER}+")
_CONTROL = r"(?:[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]|\r(?!\n))"
_CONTROLS = pattern(_CONTROL + "+")
_BUT_COLOURS = pattern(r"(?!\x1b\[[\d;]{0,12}m)" + _CONTROL)


def without_hidden(text: str) -> str:
    """Give a text without what nobody sees; control characters stay."""
    return text if text.isascii() else _JOINERS.sub("", _FORMATS.sub("", text))


def printable(text: str, *, colours: bool = False) -> str:
    """Give a text as a terminal or a page may show it: nothing hidden, no control characters."""
    if text.isprintable():
        return text
    return (_BUT_COLOURS if colours else _CONTROLS).sub("", without_hidden(text))


def escaped(json_text: str) -> str:
    """Give a JSON text of the same value with what nobody sees written as escapes."""
    if json_text.isascii():
        return json_text
    for hidden in (_FORMATS, _JOINERS, _CONTROLS):
        json_text = hidden.sub(_as_escapes, json_text)
    return json_text


def _as_escapes(found: re.Match[str]) -> str:
    units = found.group().encode("utf-16-be")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
