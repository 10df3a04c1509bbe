"""How much of what one text says stands in another. Pure.

Words are compared by their stems. Names, numbers, paths and code are hard: where one text has
such a word that the other lacks, it says something else, however alike the rest is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from tacit.text import STOP_WORDS, fold, stem
from tacit.value import Value
from tacit.write.vetoes import NEGATIONS, opposed

# How a thing is put, not what is said: "the user prefers", "project convention:".
_FRAME = frozenset(
    stem(word)
    for word in """
    user users prefer prefers preferred preference want wants wanted like likes project projects repo repository
    codebase team convention conventions rule rules guideline guidelines note noted remember important use uses used
    using always should must need needs general here please agent agents developer make sure ensure keep mind section
    document documented documentation claude says state states stated according file files when whenever per policy
    practice expected expects follow following instruction instructions memory memories recalled briefing told earlier
    session learned learnt reminder fyi overview summary applied know known
    """.split()
)
_WORD = re.compile(r"[A-Za-z0-9_]+(?:['’][a-z]+)?|[^\W\d_]+")
_NAME = re.compile(r"(?<![.!?:\n] )(?<!^)(?<![\"'`(*#-] )(?<![\"'`(*])\b[A-Z][a-z]{2,}\b(?!\.\w)")
_CODE = re.compile(r"`([^`\n]{1,80})`")
_COMPOUND = re.compile(r"\b\w+(?:[._/:-]\w+)+\b|\b[a-z]+[A-Z]\w*\b|--?[a-z][\w-]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SWITCHED = re.compile(r"\b(on|off) by default\b", re.I)
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]{1,7}s?\b")
_DIGITS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
# One thing under two names.
_ALIASES = {
    "cli": "command line",
    "pr": "pull request",
    "prs": "pull request",
    "db": "database",
    "config": "configuration",
    "configs": "configuration",
    "docs": "documentation",
    "hex": "hexadecimal",
    "env": "environment",
    "repo": "repository",
    "repos": "repository",
    "deps": "dependencies",
    "auth": "authentication",
    "params": "parameters",
    "args": "arguments",
    "dislikes": "not like",
    "dislike": "not like",
    "hates": "not like",
    "forbidden": "not allowed",
    "prohibited": "not allowed",
}
# Says where it stands, not what: "as written in AGENTS.md".
_ATTRIBUTED = re.compile(
    r"\b(?:as (?:written|stated|noted|documented|described|required) (?:in|by)|according to|per|taken from|from|see)\s+"
    r"`?[\w./-]+\.mdc?`?|\be\.g\.|\bi\.e\.",
    re.I,
)
# Too common and too many-sided to set two statements apart.
_WEAK = frozenset(
    stem(word)
    for word in """
    on onto off in into inside out outside up down over above under below before after back next near to from with
    first second third last old new here there all every always some sometimes more less most both one same different
    make put apply add work break fix run close open keep take give set get main long short only left right set start end
    """.split()
)


class Told(Value):
    """What a text says, ready to be compared."""

    words: frozenset[str]  # stems that carry meaning
    hard: frozenset[str]  # numbers, names, code, as written
    numbers: frozenset[str]
    negated: bool

    def without_frame(self) -> frozenset[str]:
        """Give the words without those that only frame what is said."""
        return self.words - _FRAME or self.words


@lru_cache(maxsize=16_384)
def told(text: str) -> Told:
    """Read a text."""
    text = _ATTRIBUTED.sub(" ", fold(text))
    found = [word.lower() for part in _WORD.findall(text) for word in _split(part)]
    words = [_DIGITS.get(word, word) for each in found for word in _ALIASES.get(each, each).split()]
    numbers = set(_NUMBER.findall(text))
    code = {
        c for found in _CODE.findall(text) for c in _COMPOUND.findall(found) or found.split()[:2]
    }
    compounds = {c.strip("-") for c in _COMPOUND.findall(text)}
    names = {*_NAME.findall(text), *_ACRONYM.findall(text)}
    stems = {
        stem(word) for word in words if word not in STOP_WORDS and (len(word) > 1 or word.isdigit())
    }
    stems |= {f"<{state.lower()}>" for state in _SWITCHED.findall(text)}
    return Told(
        words=frozenset(stems),
        hard=frozenset(code | compounds | names | numbers),
        numbers=frozenset(numbers),
        negated=any(_plain(word) in NEGATIONS or word.endswith("n't") for word in words),
    )


def coverage(claim: Told, source: Told) -> float:
    """Give the share of the claim's words that the source has, frames aside."""
    words = claim.without_frame()
    return len(words & source.words) / len(words) if words else 0.0


def missing_hard(claim: Told, source: Told, text: str, *, whole: bool) -> frozenset[str]:
    """Give the hard words of a claim that the source's text lacks, as a whole or in most parts."""
    lowered = fold(text).lower()
    keys = {_parts(word) for word in source.hard}

    def there(word: str) -> bool:
        parts = _parts(word)
        if word.lower() in lowered or parts in keys:
            return True
        if len(parts) == 1 and parts[0] in source.words:
            return True
        aliased = {stem(part) for part in _ALIASES.get(word.lower(), "").split()}
        if aliased and aliased <= source.words:
            return True
        found = sum(part in source.words for part in parts)
        return not whole and found > len(parts) / 2 and not word.isdigit()

    return frozenset(word for word in claim.hard if not there(word))


def differs(claim: Told, source: Told) -> bool:
    """Tell whether a number, a denial or an opposite sets a claim apart from what is known."""
    if claim.numbers - source.numbers - source.words:
        return True
    if claim.negated != source.negated and len(source.words) < 2 * len(claim.words):
        return True
    if {"<on>", "<off>"} <= claim.words ^ source.words:
        return True
    mine, yours = claim.words - source.words - _WEAK, source.words - claim.words - _WEAK
    return any(opposed().get(word, set()) & yours for word in mine)


def _parts(word: str) -> tuple[str, ...]:
    """Give the stems a compound is made of: force-pushed and force-push agree."""
    found = [part for piece in re.split(r"[^A-Za-z0-9]+", word) if piece for part in _split(piece)]
    return tuple(stem(part.lower()) for part in found)


def _plain(word: str) -> str:
    return word.replace("'", "").replace("’", "")


def _split(word: str) -> list[str]:
    """Give the parts of an identifier, or the word."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+(?:['’][a-z]+)?|\d+", word) or [word]
