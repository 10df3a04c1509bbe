"""How all readers read: tolerant, bounded, counting what they leave out, redacting first.

A reader never fails because of what a file holds. What it cannot use is counted under a name
(`broken line`, `binary`, `unknown: x`), so that a report can say what was left out and why.
Raw values give what of them may be kept, or an empty one.
"""

from __future__ import annotations

import os

from tacit.clock import EPOCH, datetime, parse_time, timedelta
from tacit.errors import Invalid
from tacit.fence import NAME as FENCE
from tacit.fence import without_marks
from tacit.ingest.redaction import redact
from tacit.pattern import pattern
from tacit.plain_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Container, Iterable, Iterator
    from hashlib import sha256
    from typing import Any, BinaryIO
else:  # the one of hashlib, without its loading OpenSSL, which hooks would feel
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256  # its name before Python 3.12
        except ImportError:
            from hashlib import sha256

LONGEST_LINE = 16 << 20  # bytes; a longer line of a transcript is an image or a dump
LONGEST_TEXT = 4000  # characters kept of one text of a session
LARGEST_DOCUMENT = 64 << 20  # bytes of a chat that is read whole
LARGEST_FILE = 2 << 20  # bytes of a document worth reading
MOST_NAMES = 200  # of things counted: a hostile file has a new type on every line
BETWEEN = "\n\x1e\n"  # no secret reaches over this
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
# Far more than is kept at either end of a text, and longer than any secret but a private span.
_MARGIN = 16_000
_PRIVATE = pattern(r"(?i)private\s{0,8}(?:>|&gt;|\\u003e)")
_PLAIN = pattern(r"(?a)[\w.:@-]{1,120}")
_WORDED = (None, "text", "input_text", "output_text")  # sorts of blocks that hold words
_YEARS = range(2000, 2100)  # of anything an agent did


def clean_text(text: object, counts: Counter[str], most: int = LONGEST_TEXT) -> str:
    """Give a text as it may be kept: redacted, without Tacit's blocks and marks, cut in the middle.

    What is not a text gives an empty one. Redaction comes before the cut, or half a secret
    could stay. It is the slow part of reading, so of a text far longer than what is kept only
    the two ends are looked at: whole lines, whose inner edges fall to the cut. A private span
    may be of any length, so a text with one is cleaned whole.
    """
    if not isinstance(text, str) or not text:
        return ""
    if most <= _MARGIN and len(text) > 2 * _MARGIN and not _PRIVATE.search(text):
        text = f"{_whole(text[:_MARGIN])}\n[…]\n{_whole(text[-_MARGIN:][::-1])[::-1]}"
    done = redact(without_marks(text).replace("\0", "").encode(errors="replace").decode())
    for name, count in done.counts:
        counts[f"redacted: {name}"] += count
    return cut_middle(done.text.strip(), most)


def _whole(text: str) -> str:
    """End a text with a whole line, or else a whole word: a secret is not cut in two."""
    for mark in "\n ":
        if (end := text.rfind(mark, len(text) // 2)) >= 0:
            return text[:end]
    return text


def is_sound(texts: Iterable[str]) -> bool:
    """Tell that nothing has to be taken out of any of the texts."""
    joined = BETWEEN.join(texts)
    return FENCE not in joined and "\0" not in joined and redact(joined).text == joined


def clean_many(texts: list[str], counts: Counter[str]) -> list[str]:
    """Give many short texts as they may be kept: looked through at once, which costs less."""
    return texts if is_sound(texts) else [clean_text(text, counts) for text in texts]


def cut_middle(text: str, most: int) -> str:
    """Keep the beginning and the end of a long text: what was asked, and how it ended."""
    if len(text) <= most:
        return text
    half = (most - 5) // 2
    return f"{text[:half]}\n[…]\n{text[-half:]}"


def word(value: object, counts: Counter[str], most: int = 200) -> str:
    """Clean a name or a path: one line, redacted, cut at the end."""
    return " ".join(clean_text(value, counts, 4 * most).split())[:most]


def plain_id(value: object, counts: Counter[str]) -> str:
    """Give an id as it is where it is plain and no secret, else a hash of it."""
    if isinstance(value, int):
        value = str(value)
    if not isinstance(value, str) or not value:
        return ""
    if _PLAIN.fullmatch(value) and clean_text(value, counts) == value:
        return value
    return digest(value)


def digest(*parts: str) -> str:
    """Give a short hash of some texts."""
    return sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:16]


def moment(value: object) -> datetime | None:
    """Read a time: ISO 8601, or seconds, milliseconds, microseconds since 1970; None if absurd."""
    found = None
    if isinstance(value, str) and len(value) < 64:
        try:
            found = parse_time(value)
        except (Invalid, OverflowError):
            return None
    elif isinstance(value, (int, float)) and 0 < value < 1e16:
        units = 1e6 if value >= 1e14 else 1e3 if value >= 1e11 else 1  # larger than any second
        found = EPOCH + timedelta(seconds=value / units)
    return found if found and found.year in _YEARS else None


def leave_out(kind: object, counts: Counter[str], known: Container[object] = ()) -> None:
    """Count what a reader does not read: a known kind, or an unknown one where that is plain."""
    if isinstance(kind, str) and kind in known:
        counts[f"left out: {kind}"] += 1
        return
    plain = isinstance(kind, str) and _PLAIN.fullmatch(kind) and len(kind) <= 40
    name = f"unknown: {kind if plain and len(counts) < MOST_NAMES else 'other'}"
    counts[clean_text(name, counts)] += 1


def text_of(content: object) -> str:
    """Give the words of a content: a text, or the text blocks of a list, without thoughts."""
    if isinstance(content, str):
        return content
    found = []
    for block in content if isinstance(content, list) else []:
        about = mapping(block)
        if about.get("type") in _WORDED and not about.get("thought"):
            found.append(block if isinstance(block, str) else about.get("text"))
    return "\n".join(text for text in found if isinstance(text, str) and text)


def mapping(value: object) -> dict[str, Any]:
    """Give a JSON object, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def objects(value: object) -> list[dict[str, Any]]:
    """Give the JSON objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def read_whole(file: BinaryIO, counts: Counter[str]) -> bytes | None:
    """Give all of a file that has to be looked at whole; None, counted, for a too large one."""
    data = file.read(LARGEST_DOCUMENT + 1)
    if len(data) <= LARGEST_DOCUMENT:
        return data
    counts["too large"] += 1
    return None


def json_lines(file: BinaryIO, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Give the objects of a file of JSON lines; what is none is counted and passed over."""
    encoding = "utf-8"
    first = True
    while line := file.readline(LONGEST_LINE):
        if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
            counts["line too long"] += 1
            while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            continue
        if first:
            first, (line, encoding) = False, _without_bom(line)
        if not line.strip():
            continue
        value = parse_json(line.decode(encoding, errors="replace"))
        if isinstance(value, dict):
            yield value
        else:
            counts["broken line"] += 1


def parse_json(text: object) -> Any:
    """Give the value of a JSON text; None for another one, nested beyond reason, or no text."""
    try:
        return loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def read_text(path: str, counts: Counter[str], most: int = LARGEST_FILE) -> str | None:
    """Give the text of a file, not redacted; None, counted, for what is not text or too large."""
    try:
        if not os.path.isfile(path):  # a device or a pipe would never end
            counts["not a file"] += 1
            return None
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except OSError:
        counts["unreadable"] += 1
        return None
    if len(data) > most:
        counts["too large"] += 1
        return None
    data, encoding = _without_bom(data)
    if encoding == "utf-8" and b"\0" in data[:8192]:
        counts["binary"] += 1
        return None
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        counts["not utf-8"] += 1
        return data.decode("latin-1" if encoding == "utf-8" else encoding, errors="replace")


def blob_sha(data: bytes) -> str:
    """Give the id git would give a file's content: what anchors are compared by."""
    import hashlib

    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def within(path: str, folder: str) -> str:
    """Give a path relative to a folder it lies in, with `/`; another path as it is."""
    path, folder = path.replace("\\", "/"), folder.replace("\\", "/").rstrip("/")
    if folder and path.startswith(folder + "/"):
        path = path[len(folder) + 1 :]
    return path.removeprefix("./")


def _without_bom(data: bytes) -> tuple[bytes, str]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :], encoding
    return data, "utf-8"
