"""What a text is about, by rule: files, symbols, errors, commits, pull requests, decisions, tags.

Only what is plainly written is taken: a path has a slash or a known ending, a symbol has the
shape of an identifier, an error ends like one. A word that merely could be a name is left
to the text index.
"""

from __future__ import annotations

import re

from tacit.model import Facet, FacetType, Mention, Role

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_MENTIONS = 64  # per memory; a stack trace of a thousand frames is about its first ones
LONGEST_READ = 50_000  # characters

_ENDINGS = (
    "py|pyi|js|jsx|ts|tsx|mjs|cjs|go|rs|java|kt|scala|rb|php|c|h|cc|cpp|hpp|cs|swift|m|sql|sh|"
    "bash|zsh|ps1|html|css|scss|vue|svelte|json|jsonl|yaml|yml|toml|ini|cfg|conf|xml|md|mdx|rst|"
    "txt|lock|env|proto|graphql|tf|dockerfile|ipynb|csv"
)
_FILE = re.compile(
    rf"(?<![\w/.@-])(?:[\w.@-]+/)*[\w.@+-]+\.(?:{_ENDINGS})(?![\w/])|(?<![\w/:.-])(?:\.{{0,2}}/)?[\w.-]+(?:/[\w.-]+)+/[\w.-]+"
)
_ERROR = re.compile(r"(?<![\w.])(?:[\w]+\.)*([A-Z]\w*(?:Error|Exception|Failure|Warning|Fault))\b")
_CALL = re.compile(r"(?<![\w./])([A-Za-z_]\w{2,})\(\)")
_CAMEL = re.compile(r"(?<![\w./])((?:[a-z]+|[A-Z][a-z0-9]+)(?:[A-Z][a-z0-9]*){1,8})(?![\w/])")
_SNAKE = re.compile(r"(?<![\w./-])(_{0,2}[a-zA-Z][a-zA-Z0-9]*(?:_[a-zA-Z0-9]+)+_{0,2})(?![\w/-])")
_COMMIT = re.compile(r"(?:\bcommit[: ]|\bcommit:\s?)([0-9a-f]{7,40})\b", re.IGNORECASE)
_PR = re.compile(r"(?:\b(?:pr|pull request|issue)\s*|(?<![\w&]))#(\d{1,7})\b", re.IGNORECASE)
_ADR = re.compile(r"\bADR[- ]?(\d{1,5})\b", re.IGNORECASE)
_TAG = re.compile(r"(?<![\w&/#])#([A-Za-z][\w-]{1,40})\b")


def find_mentions(text: str) -> tuple[Mention, ...]:
    """Give what the text mentions, in order of first mention, with counts."""
    counts: dict[tuple[Facet, Role], int] = {}
    for facet, role in _found(text[:LONGEST_READ]):
        if (facet, role) in counts or len(counts) < MOST_MENTIONS:
            counts[facet, role] = counts.get((facet, role), 0) + 1
    return tuple(
        Mention(facet=facet, role=role, count=count) for (facet, role), count in counts.items()
    )


def merge_mentions(*groups: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Give each facet and role once, the larger count winning, in the order of storing."""
    best: dict[tuple[str, str, str], Mention] = {}
    for mention in (mention for group in groups for mention in group):
        name = (mention.facet.type.value, mention.facet.norm, mention.role.value)
        known = best.get(name)
        if known is None or known.count < mention.count:
            best[name] = mention.replace(facet=known.facet) if known else mention
    return tuple(best[name] for name in sorted(best))


# What must stand in a text for a pattern to match at all: cheaper to look for than to match.
_SIGNS = {
    _FILE: (".", "/"),
    _ERROR: ("Error", "Exception", "Failure", "Warning", "Fault"),
    _CALL: ("()",),
    _SNAKE: ("_",),
    _COMMIT: ("ommit", "OMMIT"),
    _PR: ("#",),
    _ADR: ("ADR", "adr", "Adr"),
    _TAG: ("#",),
}


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    if any(sign in text for sign in _SIGNS.get(pattern, ("",))):
        yield from pattern.finditer(text)


def _found(text: str) -> Iterator[tuple[Facet, Role]]:
    for match in _matches(_FILE, text):
        path = match[0].removeprefix("./")
        yield Facet(type=FacetType.FILE, name=path), Role.ABOUT
    for match in _matches(_ERROR, text):
        yield Facet(type=FacetType.ERROR, name=match[1]), Role.RAISES
    for pattern in (_CALL, _CAMEL, _SNAKE):
        for match in _matches(pattern, text):
            if len(match[1]) > 3:
                yield Facet(type=FacetType.SYMBOL, name=match[1]), Role.ABOUT
    for type_, pattern in (
        (FacetType.COMMIT, _COMMIT),
        (FacetType.PR, _PR),
        (FacetType.ADR, _ADR),
        (FacetType.TAG, _TAG),
    ):
        for match in _matches(pattern, text):
            yield Facet(type=type_, name=match[1].lower()), Role.ABOUT
