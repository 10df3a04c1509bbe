"""A request cut into clauses of plain words, for rules that look at how people ask. Pure.

Articles are left out but noted, contractions are spelt out ("doesn't" is "does not"), and what
is a name (code, paths, addresses, identifiers) has no stem, so that no rule takes it for a word.
"""

from __future__ import annotations

import re

from tacit.text import fold, stem
from tacit.value import Value

ARTICLES = frozenset("the a an this that these those our my your its their his her".split())
# Words with which a new request begins within a sentence.
ASKING = frozenset("please can could would let then so just instead".split())

# Code, paths, quoted names and markup are names of things, not words about the task.
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+", re.DOTALL)
_TOKEN = re.compile(
    r"[^\s.,;:!?()\[\]{}\"<>|]+(?:\.[^\s.,;:!?()\[\]{}\"<>|]+)*(?:\(\))?|[.;:!?\n]+|,"
)
_NAME = re.compile(r"[/_\\=@$#.]|\(\)|[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]\d")
_SHORT = {"can't": "can not", "cannot": "can not", "won't": "will not", "let's": "let us"}
_PARTS = {"'s": "is", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am"}


class Word(Value):
    """A word of a request: in lower case, its stem, and where it stands."""

    text: str
    stem: str
    place: int
    noun: bool  # an article stands before it
    comma: bool  # a comma stands before it


def clauses(text: str) -> list[list[Word]]:
    """Cut a text into clauses of words without articles; names and code are not words."""
    found: list[list[Word]] = [[]]
    noun = comma = False
    for match in _TOKEN.finditer(_CODE.sub(" \u25a1 ", fold(text))):
        token = match[0]
        if token[0] in ".;:!?\n":
            found.append([])
            noun = comma = False
            continue
        if token == ",":
            comma = True
            continue
        for piece in _spelt_out(token):
            lower = piece.lower()
            if comma and lower in ASKING:
                found.append([])
            if lower in ARTICLES:
                noun = True
                continue
            name = bool(_NAME.search(piece)) or not piece[:1].isalnum()
            root = "" if name else stem(lower[:40])
            word = Word(text=lower, stem=root, place=match.start(), noun=noun, comma=comma)
            found[-1].append(word)
            noun = comma = False
    return [clause for clause in found if clause]


def _spelt_out(token: str) -> list[str]:
    """Give the words of a token: contractions and hyphens taken apart, quotes dropped."""
    bare = token.replace("\u2019", "'").strip("'*_~-")
    lower = bare.lower()
    if lower in ARTICLES:
        return [lower]
    if lower in _SHORT:
        return _SHORT[lower].split()
    if lower.endswith("n't"):
        return [lower[:-3], "not"]
    head, mark, tail = bare.partition("'")
    if mark:
        more = _PARTS.get("'" + tail.lower())
        asks = head.lower() in ("what", "where", "who", "how", "it", "that", "there", "why")
        return [head, more] if more and (tail.lower() != "s" or asks) else [head]
    if "-" in bare and not _NAME.search(bare):
        return [part for part in bare.split("-") if part]
    return [bare] if bare else []
