"""How all readers read: tolerant, bounded, counting what they leave out, redacting first.

A reader never fails because of what a file holds. What it cannot use is counted under a name
(`broken line`, `binary`, `unknown: x`), so that a report can say what was left out and why.
"""

from __future__ import annotations

import os

from tacit.fence import NAME as FENCE
from tacit.fence import without_marks
from tacit.ingest.redaction import redact
from tacit.plain_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator
    from typing import Any, BinaryIO

LONGEST_LINE = 16 << 20  # bytes; a longer line of a transcript is an image or a dump
LONGEST_TEXT = 4000  # characters kept of one text of a session
LARGEST_FILE = 2 << 20  # bytes of a document worth reading
BETWEEN = "\n\x1e\n"  # no secret reaches over this
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def clean_text(text: object, counts: Counter[str], most: int = LONGEST_TEXT) -> str:
    """Give a text as it may be kept: redacted, without Tacit's blocks and marks, cut in the middle.

    What is not a text gives an empty one. Redaction comes before the cut, or half a secret
    could stay.
    """
    if not isinstance(text, str) or not text:
        return ""
    done = redact(without_marks(text).replace("\0", "").encode(errors="replace").decode())
    for name, count in done.counts:
        counts[f"redacted: {name}"] += count
    return cut_middle(done.text.strip(), most)


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


def parse_json(text: str) -> Any:
    """Give the value of a JSON text, None when it is none, or nested beyond reason."""
    try:
        return loads(text)
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
