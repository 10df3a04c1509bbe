"""A memory's four levels of detail, made once, by cutting and never by inventing.

Every word of a level comes from the full text, so a level can be trusted as far as the text
can. A language model may write better ones later; the full text always stays.
"""

from __future__ import annotations

import re

from tacit.line import mark, rest
from tacit.model import TITLE_CHARS, Levels
from tacit.text import STOP_WORDS, shorten, without_markup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.encode.tokens import TokenCounter

SUMMARY_CHARS = 400  # of what is shortened to a tenth
TENTH = 10
HINT_CHARS = 140
PLAIN_CHARS = 60  # a text no longer than this is a hint as it is
FILLERS = frozenset(
    "hey hi hello wow thanks thank really just so great good yeah yes sure oh ok okay well glad "
    "nice awesome haha totally definitely please also very".split()
)
TURNING = frozenset(
    "no not never without unless except only nor neither none nothing cannot before after instead "
    "until if when must than over under above below against off out both either all any".split()
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n{2,}|\n(?=[-*#\d])")
# A piece that is shown whole or not at all: a word, or what stands in backticks or quotes.
_PIECE = re.compile(r"[^\s`\"]*(?:`[^`\n]{1,200}`|\"[^\"\n]{1,200}\")[^\s`\"]*|\S+")


def make_levels(
    full: str,
    counter: TokenCounter,
    *,
    short: str,
    summary: str = "",
    hint: str = "",
    title: str = "",
    compression: int = TENTH,
) -> Levels:
    """Give all four levels, with what each costs as a line; those given are taken as they are."""
    told = summary or lead(full, SUMMARY_CHARS)  # the hint is the same for every compression
    cut = compression != TENTH and not summary
    summary = lead(full, summary_chars(compression)) if cut else told
    hint = hint or telegram(without_markup(told))
    title = shorten(title, TITLE_CHARS) if title else _telling(hint)
    texts = (full, summary, hint, title)
    marked, *costs = counter.count_many([mark("reference", short), *map(rest, texts)])
    kept = [(full, marked + costs[0])]
    for text, cost in zip(texts[1:], costs[1:], strict=True):  # none costs more than a longer one
        kept.append((text, marked + cost) if marked + cost <= kept[-1][1] else kept[-1])
    (full, a), (summary, b), (hint, c), (title, d) = kept
    if len(title) > TITLE_CHARS:  # the hint, which costs less: some of it costs no more
        title = shorten(title, TITLE_CHARS)
        while (d := marked + counter.count(rest(title))) > c and len(title) > TITLE_CHARS // 4:
            title = shorten(title, len(title) - 4)
    return Levels(full=full, summary=summary, hint=hint, title=title, tokens=(a, b, c, d))


def summary_chars(compression: int) -> int:
    """Give how long a summary may be that shortens a long text to one part in so many."""
    return SUMMARY_CHARS * TENTH // compression


def lead(text: str, chars: int) -> str:
    """Give the first whole sentences that fit; a single long one is cut at a word."""
    kept = ""
    for sentence in _SENTENCE.split(text.strip()[: chars * 20]):
        piece = " ".join(sentence.split())
        if kept and len(kept) + 1 + len(piece) > chars:
            break
        kept = f"{kept} {piece}".strip()
    return shorten(kept, chars) if kept else shorten(text, chars)


def telegram(text: str) -> str:
    """Give a text as one would wire it: without the words that say nothing, and cut."""
    if len(text) <= PLAIN_CHARS:
        return text
    words = _PIECE.findall(text)
    telling = [word for word in words if not _says_nothing(word)]
    return _cut(telling if len(telling) >= 2 else words, HINT_CHARS)


def _says_nothing(word: str) -> bool:
    """Tell whether a word can go; one that turns the meaning round never can."""
    bare = word.strip(",.;:!?'\"()").lower().replace("’", "'")
    if bare in TURNING or bare.endswith("n't"):
        return False
    return bare in STOP_WORDS or bare in FILLERS


def _telling(text: str) -> str:
    """Leave out words without meaning when the rest still says something."""
    words = _PIECE.findall(text)
    telling = [word for word in words if not _says_nothing(word)]
    return _cut(telling if len(telling) >= 2 and len(text) > TITLE_CHARS else words, TITLE_CHARS)


def _cut(pieces: list[str], chars: int) -> str:
    """Join pieces while they fit; a piece is cut only if hardly anything else would be left."""
    text = " ".join(pieces)
    if len(text) <= chars:
        return text
    while len(pieces) > 1 and len(" ".join(pieces)) >= chars:
        pieces = pieces[:-1]
    head = " ".join(pieces)
    return head.rstrip(" ,;:-") + "…" if chars // 3 < len(head) < chars else shorten(text, chars)
