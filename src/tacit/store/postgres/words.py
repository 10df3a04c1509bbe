"""Words and vectors in the forms the database takes: never its syntax, always exact."""

from __future__ import annotations

import struct
import sys
from array import array

from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from psycopg.adapt import Buffer

LONGEST_WORD = 2_000  # bytes; the database takes 2,046
MOST_BYTES = 900_000  # of the words of one memory; the database takes a mebibyte
MOST_PLACES = 255  # of one word; the database keeps 256 and no place above
LAST_PLACE = 16_383


def tsvector(words: str) -> str:
    """Give the words with their places, as the database reads them."""
    places: dict[str, list[int]] = {}
    room = MOST_BYTES
    for place, word in enumerate(words.split(" "), 1):
        if not is_word(word):
            continue
        if word not in places:
            room -= len(word.encode()) + 8
            if room < 0:
                break
            places[word] = []
        room -= 2
        if len(places[word]) < MOST_PLACES:
            places[word].append(min(place, LAST_PLACE))
    return " ".join(
        f"{_quoted(word)}:{','.join(map(str, sorted(set(held))))}" for word, held in places.items()
    )


def tsquery(words: Sequence[str]) -> str:
    """Give a query for any of the words."""
    return " | ".join(_quoted(word) for word in words)


def is_word(word: str) -> bool:
    """Tell whether the index can hold it."""
    return 0 < len(word.encode("utf-8", "replace")) <= LONGEST_WORD and "\0" not in word


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"


class Floats(bytes):
    """Numbers of four bytes each, as `Vector` has them; a type of its own for the driver."""


class FloatsDumper(Dumper):
    """Sends them as a `vector`: a length, a spare, and the numbers with the high byte first."""

    format = Format.BINARY

    def dump(self, obj: Floats) -> Buffer:
        return struct.pack("!HH", len(obj) // 4, 0) + _swapped(obj)


class FloatsLoader(Loader):
    """Reads them to the bit."""

    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return _swapped(bytes(data)[4:])


def _swapped(data: bytes) -> bytes:
    numbers = array("f", data)
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers.tobytes()
