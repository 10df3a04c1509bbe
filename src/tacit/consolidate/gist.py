"""What several accounts of the same sort of work agree on, in their own words. Pure.

A sentence is central when other accounts say much the same. Nothing is put in other words: a
gist is made of whole sentences that stand in the accounts.
"""

from __future__ import annotations

from functools import lru_cache

from tacit.pattern import pattern
from tacit.text import content_words, shorten, squash, stem, without_markup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

GIST_CHARS = 300
MOST_SENTENCES = 2
MOST_READ = 40  # sentences of one account
LEAST_WORDS = 4  # with meaning; "All tests pass." holds of everything
MOST_WORDS = 40
AGREED = 0.25  # share of words a sentence must have with some sentence of another account
SAME = 0.5  # share of words from which two sentences say the same
_SENTENCE = pattern(r"(?<=[.!?])\s+|\n+")
_TABLE_OR_CODE = pattern(r"^\|.*$|`{3}.*")


def gist(accounts: Sequence[str], said: Sequence[str] = ()) -> str:
    """Give the sentences the accounts agree on most; empty where they agree on nothing.

    What is `said` already is not said again. Accounts come in the order they happened; of sentences that are equally central the later
    one is taken, for it was said with more experience.
    """
    told = [_sentences(account) for account in accounts]
    ranked: list[tuple[float, int, str]] = []
    for place, mine in enumerate(told):
        others = [each for number, each in enumerate(told) if number != place]
        ranked += [(_agreed(sentence, others), place, sentence) for sentence in mine]
    ranked = [each for each in ranked if each[0] >= AGREED and not _among(each[2], said)]
    ranked.sort(key=lambda each: (-each[0], -each[1], each[2]))
    kept: list[str] = []
    for _, _, sentence in ranked:
        fits = sum(map(len, kept)) + len(sentence) <= GIST_CHARS
        if fits and not _among(sentence, kept):
            kept.append(sentence)
        if len(kept) == MOST_SENTENCES:
            break
    return " ".join(kept)


def most_central(groups: Sequence[Sequence[str]]) -> str:
    """Give the text that has most in common with those of all groups, the shortest of such."""
    texts = sorted({text for group in groups for text in group})

    def standing(text: str) -> tuple[float, int]:
        agreed = sum(max(_share(text, other) for other in group) for group in groups if group)
        return -round(agreed, 6), len(text)

    return min(texts, key=standing)


def _sentences(account: str) -> list[str]:
    found = []
    for line in _SENTENCE.split(account):
        plain = " ".join(_TABLE_OR_CODE.sub("", without_markup(line)).split())
        if LEAST_WORDS <= len(content_words(plain)) <= MOST_WORDS:
            found.append(shorten(plain, GIST_CHARS))
    return list({squash(each): each for each in found[:MOST_READ]}.values())


def _agreed(sentence: str, others: Sequence[Sequence[str]]) -> float:
    """Give how much other accounts say the same: by their nearest sentence, on average."""
    if not others:
        return 0.0
    nearest = [max((_share(sentence, each) for each in account), default=0.0) for account in others]
    return sum(nearest) / len(nearest)


def _among(sentence: str, others: Sequence[str]) -> bool:
    return any(_share(sentence, other) >= SAME for other in others)


def _share(one: str, other: str) -> float:
    a, b = _stems(one), _stems(other)
    return len(a & b) / len(a | b) if a | b else 0.0


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(text))
