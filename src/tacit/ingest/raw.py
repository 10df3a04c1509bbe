"""Raw values at the edge: what of a text, a name, an id or a time may be kept, and how files open.

Everything here takes whatever JSON can hold and gives a clean value or an empty one.
"""

from __future__ import annotations

import math
import os
from io import BytesIO

from tacit.clock import EPOCH, datetime, parse_time, timedelta
from tacit.errors import Invalid
from tacit.ingest.reading import clean_text, json_lines
from tacit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:  # the one of hashlib, without its loading OpenSSL, which hooks would feel
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256  # its name before Python 3.12
        except ImportError:
            from hashlib import sha256
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator
    from typing import Any, BinaryIO

MOST_NAMES = 200  # of things counted: a hostile file has a new type on every line

# Far more than is kept at either end of a text, and longer than any secret but a private span.
_MARGIN = 16_000
_PRIVATE = pattern(r"(?i)private\s{0,8}(?:>|&gt;|\\u003e)")
_PLAIN = pattern(r"(?a)[\w.:@-]{1,120}")
_YEARS = range(2000, 2100)  # of anything an agent did


def keep(text: object, counts: Counter[str], most: int) -> str:
    """Clean a text; of a very long one only the two ends are looked at.

    Redaction is the slow part of reading. The ends are whole lines, and their inner edges fall
    to the cut that follows, so half a secret cannot stay; a private span may be of any length,
    so a text with one is cleaned whole.
    """
    if isinstance(text, str) and len(text) > 2 * _MARGIN and not _PRIVATE.search(text):
        text = f"{_whole(text[:_MARGIN])}\n[…]\n{_whole(text[-_MARGIN:][::-1])[::-1]}"
    return clean_text(text, counts, most)


def _whole(text: str) -> str:
    """End a text with a whole line, or else a whole word: a secret is not cut in two."""
    for mark in "\n ":
        if (end := text.rfind(mark, len(text) // 2)) >= 0:
            return text[:end]
    return text


def word(value: object, counts: Counter[str], most: int = 200) -> str:
    """Clean a name or a path: one line, redacted, cut at the end."""
    if not isinstance(value, str) or not value:
        return ""
    return " ".join(keep(value, counts, 4 * most).split())[:most]


def plain_id(value: object, counts: Counter[str]) -> str:
    """Give an id as it is where it is plain and no secret, else a hash of it."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if abs(value) < 10**30 else ""
    if not isinstance(value, str) or not value:
        return ""
    if _PLAIN.fullmatch(value) and clean_text(value, counts) == value:
        return value
    return digest(value)


def digest(*parts: str) -> str:
    """Give a short hash of some texts."""
    return sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:16]


def moment(value: object) -> datetime | None:
    """Read a time: ISO 8601, or seconds, milliseconds, microseconds since 1970; None if absurd."""
    found = None
    if isinstance(value, str) and len(value) < 64:
        try:
            found = parse_time(value)
        except (Invalid, OverflowError):
            return None
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        found = _since_1970(value)
    return found if found and found.year in _YEARS else None


def _since_1970(value: float) -> datetime | None:
    if not 0 < value < 1e16 or not math.isfinite(value):
        return None
    for unit in (1e14, 1e11):  # beyond these it cannot be in seconds, or in milliseconds
        if value >= unit:
            return EPOCH + timedelta(microseconds=int(value * (1 if unit == 1e14 else 1000)))
    return EPOCH + timedelta(seconds=value)


def unknown(kind: object, counts: Counter[str]) -> None:
    """Count what a reader does not know, under its name where that is plain."""
    plain = isinstance(kind, str) and _PLAIN.fullmatch(kind) and len(kind) <= 40
    name = f"unknown: {kind if plain and len(counts) < MOST_NAMES else 'other'}"
    counts[clean_text(name, counts)] += 1


def text_of(content: object) -> str:
    """Give the words of a content: a text, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    found = [block if isinstance(block, str) else _block_text(block) for block in content]
    return "\n".join(text for text in found if text)


def _block_text(block: object) -> str:
    if not isinstance(block, dict) or block.get("thought"):
        return ""
    text = block.get("text")
    return text if isinstance(text, str) else ""


def mapping(value: object) -> dict[str, Any]:
    """Give a JSON object, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def objects(value: object) -> list[dict[str, Any]]:
    """Give the JSON objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def open_session(path: str) -> BinaryIO:
    """Open a file for reading, packed or not."""
    if path.endswith(".gz"):
        import gzip

        return gzip.open(path, "rb")  # type: ignore[return-value]  # it reads like a file
    return open(path, "rb")


def lines_of(path: str, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Give the objects of a file of JSON lines; one that cannot be read further is counted."""
    if not os.path.isfile(path):  # a device or a pipe would never end
        counts["not a file"] += 1
        return
    import zlib

    try:
        with open_session(path) as file:
            yield from json_lines(file, counts)
    except (EOFError, zlib.error):
        counts["broken archive"] += 1
    except OSError:
        counts["unreadable"] += 1


class Rewound(BytesIO):
    """A stream whose head was read already; it reads as if it had not been."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        super().__init__(head)
        self._rest = rest

    def readline(self, most: int | None = -1) -> bytes:
        """Read a line, or at most so many bytes of it."""
        limit = -1 if most is None else most
        line = super().readline(limit)
        if line.endswith(b"\n") or len(line) == limit:
            return line
        return line + self._rest.readline(limit - len(line) if limit >= 0 else -1)

    def read(self, most: int | None = -1) -> bytes:
        """Read so many bytes, or all."""
        limit = -1 if most is None else most
        data = super().read(limit)
        if len(data) == limit:
            return data
        return data + self._rest.read(limit - len(data) if limit >= 0 else -1)
