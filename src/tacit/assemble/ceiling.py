"""How many tokens a text can have at most, where no tokenizer is loaded.

A true bound for o200k_base, not an estimate. The tokenizer cuts a text into pieces and never
joins two of them; here it is cut in the same places. A piece that is in the vocabulary is one
token: `single_tokens.txt` lists the common ones (a word alone where it is one with and without
a blank before it; `tools/single_tokens/make.py` makes it). Any other piece costs no more than its
bytes, and less where letters stand side by side: two that are a token together never stay apart.
"""

from __future__ import annotations

import os
from functools import lru_cache

from tacit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.encode.ports import TokenCounter

TABLE = os.path.join(os.path.dirname(__file__), "single_tokens.txt")
# Pairs of small letters that are no token; every other pair is.
APART = frozenset(
    "bq gk gq jv jz kq kz lq nq qf qg qj qk qv qz rj tq wq wz xg xj xk xq xv xw yq zj zq zv".split()
)
FEW_PIECES = 150  # to take the table apart costs as much as so many searches in it
AFTER_BLANK = "[]():,.-/+#_\"'=`*|>"  # a blank and one of these is a token
ELLIPSIS = " ..."
# The pattern of o200k_base as far as it concerns ASCII.
_PIECE = pattern(
    r"(?a)[^\r\nA-Za-z0-9]?[A-Z]*[a-z]+(?:'(?:[sS]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD]))?"
    r"|[^\r\nA-Za-z0-9]?[A-Z]+[a-z]*(?:'(?:[sS]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD]))?"
    r"|[0-9]{1,3}"
    r"| ?[^\sA-Za-z0-9]+[\r\n/]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
)
# Where no piece goes on: before a blank, and after a line's end where the next begins so that
# nothing can join the two. What lies between can be bounded by itself.
_SAFE_CUT = pattern(r"(?= )|(?<=\n)(?=[A-Za-z0-9\[-])")


def most_tokens(text: str) -> int:
    """Give a number of tokens that a text does not exceed."""
    if text.isascii():
        return sum([_most(piece) for piece in _PIECE.findall(text)])
    parts = _SAFE_CUT.split(text)
    return sum(most_tokens(part) if part.isascii() else _bytes(part) for part in parts if part)


def tokens_of(text: str, counter: TokenCounter | None) -> int:
    """Count exactly where there is a counter, else from above."""
    return most_tokens(text) if counter is None else counter.count(text)


def fit(text: str, budget: int) -> str:
    """Cut a text after a word so that it cannot exceed a budget; empty where not one word fits."""
    words = text.split()
    kept: list[str] = []
    left = budget
    for place, word in enumerate(words):
        cost = most_tokens(f" {word}" if place else word)
        reserve = most_tokens(ELLIPSIS) if place + 1 < len(words) else 0
        if cost + reserve > left:
            return " ".join(kept) + ELLIPSIS if kept else ""
        kept.append(word)
        left -= cost
    return " ".join(kept)


def _most(piece: str) -> int:
    if _is_single(piece) or (piece[0] == " " and _is_single(piece[1:])):  # listed once for both
        return 1
    return 1 if piece.isdigit() else _apart(piece)


@lru_cache(maxsize=4096)
def _apart(piece: str) -> int:
    """Give the most tokens a piece can stay in, when neighbours that are a token are joined.

    Only tokens of one, two and three characters need be tried: a longer one cut in two counts
    as two.
    """
    best = [0, 1]  # for the first characters of the piece
    alone = [0, 1]  # the same, the last character being a token by itself
    longer = [0, 0]  # the same, the last token having more
    for end in range(2, len(piece) + 1):
        joined = _are_a_token(piece[end - 2], piece[end - 1])
        alone.append(1 + (longer[-1] if joined and longer[-1] else 0 if joined else best[-1]))
        longer.append(1 + max(best[end - 2], best[end - 3] if end > 2 else 0))
        best.append(max(alone[-1], longer[-1]))
    return best[-1]


def _are_a_token(one: str, two: str) -> bool:
    if one == " ":
        return two.isalpha() or two in AFTER_BLANK
    return one.isalpha() and two.isalpha() and (pair := one + two).islower() and pair not in APART


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=16_384)
def _is_single(piece: str) -> bool:
    """Tell whether a piece is listed; for a few the table is searched as it stands."""
    if _is_single.cache_info().misses > FEW_PIECES:
        return piece in _single()
    return "\n" not in piece and f"\n{piece}\n".encode() in _table()


@lru_cache(maxsize=1)
def _table() -> bytes:
    with open(TABLE, "rb") as file:
        return b"\n" + file.read() + b"\n"


@lru_cache(maxsize=1)
def _single() -> frozenset[str]:
    return frozenset(_table()[1:-1].decode("ascii").split("\n"))
