"""A memory's four levels of detail, made once, by cutting and never by inventing.

Every word of a level comes from the full text, so a level can be trusted as far as the text
can. A language model may write better ones later; the full text always stays.
"""

from __future__ import annotations

import re

from tacit.line import mark, rest
from tacit.model import TITLE_CHARS, Levels
from tacit.text import STOP_WORDS, shorten

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
_MARKUP = re.compile(r"^[#>*\-\s]+|[`*_]{1,3}(?=\w)|(?<=\w)[`*_]{1,3}")


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
    hint = hint or telegram(_plain(told))
    title = shorten(title or _telling(hint), TITLE_CHARS)
    texts = list(dict.fromkeys((full, summary, hint, title)))  # a short text is all four
    marked, *costs = counter.count_many([mark("reference", short), *map(rest, texts)])
    counted = {text: marked + cost for text, cost in zip(texts, costs, strict=True)}
    return Levels(
        full=full,
        summary=summary,
        hint=hint,
        title=title,
        tokens=(counted[full], counted[summary], counted[hint], counted[title]),
    )


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
    telling = [word for word in text.split() if not _says_nothing(word)]
    return shorten(" ".join(telling if len(telling) >= 2 else text.split()), HINT_CHARS)


def _says_nothing(word: str) -> bool:
    """Tell whether a word can go; one that turns the meaning round never can."""
    bare = word.strip(",.;:!?'\"()").lower().replace("’", "'")
    if bare in TURNING or bare.endswith("n't"):
        return False
    return bare in STOP_WORDS or bare in FILLERS


def _plain(text: str) -> str:
    return _MARKUP.sub("", text)


def _telling(text: str) -> str:
    """Leave out words without meaning when the rest still says something."""
    words = text.split()
    telling = [word for word in words if not _says_nothing(word)]
    return " ".join(telling if len(telling) >= 2 and len(text) > TITLE_CHARS else words)
