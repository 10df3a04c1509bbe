"""What makes two writings the same memory, and the short name people use for it. Pure."""

from __future__ import annotations

from hashlib import blake2b

from tacit.clock import show_time
from tacit.model import Kind, Visibility
from tacit.text import squash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tacit.body import Body
    from tacit.model import Memory

# A name is spoken in syllables, which are cheap too: two letters that seldom follow each other,
# or a digit, are a token each, and a briefing pays for the name of every memory in it.
CONSONANTS = "bcdfghjklmnpqrstvwxyz"
VOWELS = "aeiou"
SYLLABLES = (CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS, CONSONANTS, VOWELS, CONSONANTS)
SHORT = len(SYLLABLES)  # 29 bits
LONGEST_SHORT = 50  # a hash of 32 bytes has no more


def content_hash(
    text: str, body: Body, *, polarity: str, author: str, session: str, valid_from: datetime
) -> str:
    """Hash what a memory says.

    Facts, patterns and skills are the same when they say the same. An episode is a
    happening: said again at another time or in another session it is another episode.
    """
    parts = [body.kind, polarity, getattr(body, "key", ""), squash(text)]
    if body.kind == Kind.EPISODE:
        parts += [author, session, show_time(valid_from)]
    if body.kind in (Kind.RESOURCE, Kind.BLOCK):
        parts += [
            getattr(body, "uri", ""),
            str(getattr(body, "chunk", "")),
            getattr(body, "label", ""),
        ]
        if owner := getattr(body, "owner", ""):  # two agents may have blocks that say the same
            parts.append(owner)
    return blake2b("\x1f".join(parts).encode(), digest_size=16).hexdigest()


def hash_of(memory: Memory, text: str) -> str:
    """Hash a memory as if it said a text."""
    return content_hash(
        text,
        memory.body,
        polarity=memory.polarity,
        author=memory.author,
        session=memory.session,
        valid_from=memory.validity.valid_from,
    )


def audience(memory: Memory) -> str:
    """Name those who may see a memory: all of its scope (empty), or one person alone.

    Memories of different audiences are never taken for one another: what one person keeps for
    themselves must not end, strengthen or reword what everybody reads, nor be hidden behind it.
    """
    return f"private:{memory.author}" if memory.visibility is Visibility.PRIVATE else ""


def pair_id(a: Memory, b: Memory) -> str:
    """Name the pair of two memories as they are now, the same whoever finds it."""
    parts = sorted(f"{memory.id}:{memory.hash}" for memory in (a, b))
    return blake2b("|".join(parts).encode(), digest_size=16).hexdigest()


def short_of(id_: str, taken: Iterable[str] = ()) -> str:
    """Give 8 letters by a hash of the id, more where those are taken."""
    number = int.from_bytes(blake2b(id_.encode(), digest_size=32).digest(), "big")
    used = set(taken)
    short = ""
    while len(short) < SHORT or (short in used and len(short) < LONGEST_SHORT):
        letters = SYLLABLES[len(short) % SHORT]
        number, place = divmod(number, len(letters))
        short += letters[place]
    return short


def renamed(memory: Memory, short: str) -> Memory:
    """Give a memory another short name; each letter more may cost a token or two in its lines."""
    more = 2 * max(0, len(short) - len(memory.short))
    full, summary, hint, title = (tokens + more for tokens in memory.levels.tokens)
    levels = memory.levels.replace(tokens=(full, summary, hint, title))
    return memory.replace(short=short, levels=levels)
