"""What placeholders are called, and which of them go together.

`user`/`order`, `User`/`Order` and `users`/`orders` differ in the same thing: they are one
family and get names of one stem, ‹name›, ‹Name› and ‹names›. A placeholder stands for one
text in each instance, everywhere: the same texts have the same placeholder.
"""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OPEN, CLOSE = "‹", "›"
_RANKS = "name type call attribute variable property argument parameter path number text".split()
_THING = "thing"  # what appears in several roles: as a variable, in a path, in the name of a type
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]+")
LONGEST_SPLIT = 120  # characters; longer texts are not taken apart
_LEAST_SHARED = 0.5  # of the letters of a sentence

Values = tuple[str, ...]


@lru_cache(maxsize=10_000)
def family(values: Values) -> Values:
    """Give what a placeholder is about, whatever its case and number."""
    return tuple(_singular(value.casefold().strip("_- ")) for value in values)


def named(uses: Iterable[tuple[Values, str]]) -> dict[Values, str]:
    """Give each placeholder a name of its own; `uses` are its texts and a role, in order."""
    roles: dict[Values, set[str]] = {}
    order: dict[Values, None] = {}
    for values, role in uses:
        order[values] = None
        roles.setdefault(family(values), set()).add(role)
    stems: dict[Values, str] = {}
    for about, role in sorted(((f, _stem(r)) for f, r in roles.items()), key=lambda x: _rank(x[1])):
        stems[about] = _unused(role, set(stems.values()))
    names: dict[Values, str] = {}
    for values in order:
        stem = stems[family(values)]
        taken = {*names.values(), *(set(stems.values()) - {stem})}
        names[values] = _unused(_styled(stem, values), taken)
    return names


def split(texts: Sequence[str], *, sentence: bool) -> list[str | Values] | None:
    """Take texts apart into what they share and where they differ; None when they share too little."""
    if max(map(len, texts)) > LONGEST_SPLIT:
        return None
    parts = [_PARTS.findall(text) for text in texts]
    pieces = _aligned(parts)
    if pieces is None:
        return None
    shared = [piece for piece in pieces if isinstance(piece, str)]
    holes = len(pieces) - len(shared)
    words = [piece for piece in shared if piece.isalnum() and len(piece) > 1]
    letters = sum(map(len, shared))
    if sentence and " " in texts[0] and letters < _LEAST_SHARED * max(map(len, texts)):
        return None
    if not shared or (holes > 1 and (not words or holes > len(words) + 1)):
        return None
    return pieces


def _aligned(parts: Sequence[list[str]]) -> list[str | Values] | None:
    if len({len(one) for one in parts}) == 1:
        pieces: list[str | Values] = []
        for column in zip(*parts, strict=True):
            if len(set(column)) == 1:
                pieces.append(column[0])
            elif all(word.isalnum() for word in column):
                pieces.append(column)
            else:
                return None
        return pieces
    least = min(map(len, parts))
    before = _agreeing(parts, least)
    after = _agreeing([one[::-1] for one in parts], least - before)
    middle = tuple("".join(one[before : len(one) - after]) for one in parts)
    if not all(middle) or not before + after:
        return None
    first = parts[0]
    return [*first[:before], middle, *(first[-after:] if after else [])]


def _agreeing(parts: Sequence[list[str]], most: int) -> int:
    count = 0
    while count < most and len({one[count] for one in parts}) == 1:
        count += 1
    return count


def _styled(stem: str, values: Values) -> str:
    """Write a stem as its texts are written: ‹NAME›, ‹Name›, ‹names›."""
    words = [value.strip("_- ") for value in values]
    if not all(word.replace("_", "").isalnum() for word in words):
        return stem
    plain = all(_singular(word.casefold()) == word.casefold() for word in words)
    stem = stem if plain or not all(word.casefold().endswith("s") for word in words) else f"{stem}s"
    if all(word.isupper() and len(word) > 1 for word in words):
        return stem.upper()
    return stem.capitalize() if all(word[0].isupper() for word in words) else stem


def _unused(name: str, taken: set[str]) -> str:
    number, tried = 1, name
    while tried in taken:
        number += 1
        tried = f"{name}{number}"
    return tried


def _stem(roles: set[str]) -> str:
    if len(roles) > 1 and "name" not in roles:
        return _THING
    return min(roles, key=lambda role: (_rank(role), role))


def _rank(role: str) -> int:
    return _RANKS.index(role) if role in _RANKS else len(_RANKS)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
