"""Names, times and texts of other memories in the form Tacit keeps them. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from hashlib import blake2b
from unicodedata import normalize

from tacit.clock import parse_time
from tacit.errors import Invalid
from tacit.model import Facet, FacetType, Mention, Role

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LONGEST = 200_000  # characters of one memory that is brought in
LONGEST_NAME = 200
_APART = re.compile(r"[^a-z0-9]+")
_MILLISECONDS = 100_000_000_000  # seconds beyond this lie in the year 5138: it is milliseconds


def sound(text: object, clean: Callable[[str], str], most: int = LONGEST) -> str:
    """Give a text as it may be kept: no NUL, no half characters, no secrets, cut at the end."""
    if not isinstance(text, str):
        return ""
    text = text.replace("\0", "").encode(errors="replace").decode()
    return clean(text).strip()[:most].strip() if text.strip() else ""


def line(text: object, clean: Callable[[str], str], most: int = LONGEST_NAME) -> str:
    """Give a text as one line: for names and titles."""
    return " ".join(sound(text, clean).split())[:most].strip()


def slug(text: str, most: int = 48) -> str:
    """Give lower-case letters, digits and single hyphens; empty where nothing is left."""
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _APART.sub("-", plain).strip("-")[:most].strip("-")


def digest(text: str) -> str:
    """Give a short name of a text that the same text always has."""
    return blake2b(text.encode(), digest_size=6).hexdigest()


def part_of(text: str) -> str:
    """Name a part of a source by what it says, readable and not mistaken for another."""
    return f"{slug(text, 32)}-{digest(text)}".strip("-")


def moment(value: object) -> datetime | None:
    """Give a time written as ISO 8601, or as seconds or milliseconds since 1970."""
    try:
        if isinstance(value, str):
            return parse_time(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            seconds = value / 1000 if abs(value) >= _MILLISECONDS else value
            return datetime.fromtimestamp(seconds, UTC)
    except (Invalid, ValueError, OverflowError, OSError):
        return None
    return None


def mentions(type_: FacetType, names: Iterable[str], role: Role = Role.ABOUT) -> list[Mention]:
    """Give a mention for each name that is one."""
    kept = dict.fromkeys(" ".join(name.split())[:LONGEST_NAME] for name in names)
    return [Mention(facet=Facet(type=type_, name=n), role=role) for n in kept if n.strip()]
