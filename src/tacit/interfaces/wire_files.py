"""Memory files as plain JSON: a path, what stands in it, and the hash it is known by."""

from __future__ import annotations

import hashlib

from tacit.clock import show_time
from tacit.interfaces import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.model import Memory

    Object = dict[str, Any]


def sha_of(content: str) -> str:
    """Give the SHA-256 of a file's content, by which a change tells what it was made to."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def file(path: str, content: str, memory: Memory) -> Object:
    """Give a file with its content."""
    return named(path, content) | {
        "content": content,
        "memory": wire.brief(memory),
        "rev": memory.rev,
        "created_at": show_time(memory.recorded_at),
    }


def named(path: str, content: str) -> Object:
    """Give a file without its content."""
    return {
        "path": path,
        "content_sha256": sha_of(content),
        "content_size_bytes": len(content.encode("utf-8", "surrogatepass")),
    }
