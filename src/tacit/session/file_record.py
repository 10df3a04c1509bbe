"""A memory file as programs see it: its path, its text, and a hash that tells of changes. Pure."""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import quote, unquote

from tacit.body import Resource
from tacit.errors import Conflict
from tacit.session.file_text import is_blank
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.model import Memory

PLAIN = "text/plain"
BLANK = "inode/x-empty"  # a memory has to say something: what a blank file holds stands here


class File(Value):
    """One file of the memory."""

    id: str  # of the memory
    path: str
    text: str
    sha256: str  # of the text in UTF-8
    size_bytes: int
    rev: int
    created_at: datetime
    updated_at: datetime


def file_of(memory: Memory, updated_at: datetime) -> File:
    """Give a memory as a file; when it was last changed is told by its history."""
    assert isinstance(memory.body, Resource)
    text = text_of(memory)
    return File(
        id=memory.id,
        path=memory.body.uri,
        text=text,
        sha256=digest(text),
        size_bytes=len(text.encode()),
        rev=memory.rev,
        created_at=memory.recorded_at,
        updated_at=updated_at,
    )


def text_of(memory: Memory) -> str:
    """Give the text of a file to the letter, also where it is blank."""
    mime = memory.body.mime if isinstance(memory.body, Resource) else PLAIN
    return unquote(mime[len(BLANK) + 1 :]) if mime.startswith(BLANK) else memory.text


def body_of(place: str, text: str) -> Resource:
    """Give what a memory that is a file says besides its text."""
    blank = f"{BLANK};{quote(text)}" if text else BLANK
    return Resource(uri=place, mime=blank if is_blank(text) else PLAIN)


def digest(text: str) -> str:
    """Give the hash by which two contents are told apart."""
    return sha256(text.encode()).hexdigest()


def unchanged(path: str, there: Memory | None, seen: str | None) -> None:
    """Refuse to go on where a file is not as its editor has seen it; None: it does not matter."""
    now = digest(text_of(there)) if there is not None else ""
    if seen is None or seen == now:
        return
    if not seen:
        raise Conflict(f"File {path} already exists")
    found = f"has the sha256 {now}" if now else "does not exist"
    raise Conflict(f"The file {path} {found}, not {seen}; read it again and redo the change")
