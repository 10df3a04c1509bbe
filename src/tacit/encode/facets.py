"""What a text is about, by rule: files, symbols, errors, commits, pull requests, decisions, tags.

Only what is plainly written is taken: a path has a slash or a known ending, a symbol has the
shape of an identifier, an error ends like one. A word that merely could be a name is left
to the text index.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tacit.model import Facet, FacetType, Mention, Role

MOST_MENTIONS = 64  # per memory; a stack trace of a thousand frames is about its first ones
LONGEST_READ = 50_000  # characters

_ENDINGS = (
    "py|pyi|js|jsx|ts|tsx|mjs|cjs|go|rs|java|kt|scala|rb|php|c|h|cc|cpp|hpp|cs|swift|m|sql|sh|"
    "bash|zsh|ps1|html|css|scss|vue|svelte|json|jsonl|yaml|yml|toml|ini|cfg|conf|xml|md|mdx|rst|"
    "txt|lock|env|proto|graphql|tf|dockerfile|ipynb|csv"
)
_CALL = r"(?<![\w./])([A-Za-z_]\w{3,})\(\)"
_CAMEL = r"(?<![\w./])(?=\w{4})((?:[a-z]+|[A-Z][a-z0-9]+)(?:[A-Z][a-z0-9]*){1,8})(?![\w/])"
_SNAKE = r"(?<![\w./-])(?=\w{4})(_{0,2}[a-zA-Z][a-zA-Z0-9]*(?:_[a-zA-Z0-9]+)+_{0,2})(?![\w/-])"
# How each is written, and what must stand in a text for it to match at all: cheaper to look for.
_WRITTEN = [
    (type_, re.compile(source), signs)
    for type_, source, signs in (
        (
            FacetType.FILE,
            rf"((?<![\w/.@-])(?:[\w.@-]+/)*[\w.@+-]+\.(?:{_ENDINGS})(?![\w/])|"
            r"(?<![\w/:.-])(?:\.{0,2}/)?[\w.-]+(?:/[\w.-]+)+/[\w.-]+)",
            "./",
        ),
        (FacetType.ERROR, r"(?<![\w.])(?:[\w]+\.)*([A-Z]\w*(?:Error|Exception|Failure|Warning|Fault))\b", "EFW"),
        (FacetType.SYMBOL, _CALL, "("),
        (FacetType.SYMBOL, _CAMEL, ""),
        (FacetType.SYMBOL, _SNAKE, "_"),
        (FacetType.COMMIT, r"(?i)\bcommit:? ?([0-9a-f]{7,40})\b", "cC"),
        (FacetType.PR, r"(?i)(?:\b(?:pr|pull request|issue)\s*|(?<![\w&]))#(\d{1,7})\b", "#"),
        (FacetType.ADR, r"(?i)\bADR[- ]?(\d{1,5})\b", "aA"),
        (FacetType.TAG, r"(?<![\w&/#])#([A-Za-z][\w-]{1,40})\b", "#"),
    )
]  # fmt: skip


def about(type_: FacetType, name: str, role: Role = Role.ABOUT) -> Mention:
    """Give the mention of a thing by its type and name."""
    return Mention(facet=Facet(type=type_, name=name), role=role)


def find_mentions(text: str) -> tuple[Mention, ...]:
    """Give what the text mentions, in order of first mention, with counts."""
    counts: dict[Facet, int] = {}
    for facet in _found(text[:LONGEST_READ]):
        if facet in counts or len(counts) < MOST_MENTIONS:
            counts[facet] = counts.get(facet, 0) + 1
    return tuple(
        Mention(
            facet=facet,
            role=Role.RAISES if facet.type is FacetType.ERROR else Role.ABOUT,
            count=count,
        )
        for facet, count in counts.items()
    )


def _found(text: str) -> Iterator[Facet]:
    for type_, pattern, signs in _WRITTEN:
        if signs and not any(sign in text for sign in signs):
            continue
        for match in pattern.finditer(text):
            name = match[1].removeprefix("./")
            lower = type_ in (FacetType.COMMIT, FacetType.TAG)
            yield Facet(type=type_, name=name.lower() if lower else name)


def merge_mentions(*groups: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Give each facet and role once, the larger count winning, in the order of storing."""
    best: dict[tuple[str, str, str], Mention] = {}
    for mention in (mention for group in groups for mention in group):
        name = (mention.facet.type.value, mention.facet.norm, mention.role.value)
        known = best.get(name)
        if known is None or known.count < mention.count:
            best[name] = mention.replace(facet=known.facet) if known else mention
    return tuple(best[name] for name in sorted(best))
