"""Files of other memories, read and written with care.

What is read may come from anywhere: no link is followed, nothing beyond a ceiling is taken in,
and what is no text gives nothing, counted. What is written lies within the folder that was
named, and is there whole or not at all.
"""

from __future__ import annotations

import json
import os
import stat
import tempfile

from tacit.errors import Denied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator
    from typing import Any

LARGEST_TEXT = 2 << 20  # bytes of a note
LARGEST_DATA = 256 << 20  # bytes of a whole export
LONGEST_LINE = 16 << 20  # bytes of one line of JSON
MOST_FILES = 20_000
DEEPEST = 4  # folders below the one that was named

_NO_FOLLOW = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


def read_bytes(path: str, counts: Counter[str], most: int) -> bytes | None:
    """Give what a plain file holds; None, counted, for a link, a device or too much."""
    data = _read(path, most + 1)
    if data is None:
        counts["left out: unreadable or no plain file"] += 1
        return None
    if len(data) > most:
        counts["left out: too large"] += 1
        return None
    return data


def read_text(path: str, counts: Counter[str], most: int = LARGEST_TEXT) -> str | None:
    """Give the text of a file as it is; None, counted, for what is not UTF-8."""
    data = read_bytes(path, counts, most)
    if data is None:
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        counts["left out: not utf-8"] += 1
        return None
    if "\0" in text:
        counts["left out: binary"] += 1
        return None
    return text


def beginning(path: str, most: int = 4096) -> str:
    """Give the first characters of a plain file, however broken; nothing where there is none."""
    return (_read(path, most) or b"").decode("utf-8-sig", errors="replace")


def files_in(folder: str, ending: str, counts: Counter[str] | None = None) -> list[str]:
    """Give the plain files of a folder and those below it, as paths within it with `/`, in order.

    Links are not followed; of more than can be sensible the first are given.
    """
    found: list[str] = []
    waiting = [("", 0)]
    while waiting and len(found) < MOST_FILES:
        inside, depth = waiting.pop(0)
        for entry in _entries(os.path.join(folder, inside)):
            name = f"{inside}/{entry.name}" if inside else entry.name
            if entry.is_symlink():
                if counts is not None and entry.name.endswith(ending):
                    counts["left out: a link"] += 1
            elif entry.is_dir():
                if depth < DEEPEST:
                    waiting.append((name, depth + 1))
            elif entry.name.endswith(ending):
                found.append(name)
    return sorted(found[:MOST_FILES])


def parse_json(text: str) -> Any:
    """Give the value of a JSON text; None when it is none, or nested beyond reason."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def json_lines(data: bytes, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Give the objects of lines of JSON; what is none is counted and passed over."""
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if not line.strip():
            continue
        value = None
        if len(line) <= LONGEST_LINE:
            value = parse_json(line.decode(errors="replace"))
        if isinstance(value, dict):
            yield value
        else:
            counts["left out: broken line"] += 1


def write_text(folder: str, name: str, text: str) -> None:
    """Write a file within a folder, whole or not at all; a way out of the folder is refused."""
    path = place(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle, part = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".tacit-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        os.chmod(part, 0o644)  # these are made to be shared; mkstemp makes them private
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


def remove(folder: str, name: str) -> None:
    """Remove a file within a folder, and the folders it leaves empty."""
    path = place(folder, name)
    os.unlink(path)
    above = os.path.dirname(path)
    while above != os.path.abspath(folder) and not os.listdir(above):
        os.rmdir(above)
        above = os.path.dirname(above)


def below(folder: str, base: str) -> str:
    """Give the folder that files go to; `Denied` where a link leads there from the one named."""
    path = os.path.abspath(base)
    top = os.path.abspath(folder)
    while path != top and path.startswith(top):
        if os.path.islink(path):
            raise Denied(f"{path} is a link; remove it, nothing is written through links")
        path = os.path.dirname(path)
    return base


def place(folder: str, name: str) -> str:
    """Give the path of a name within a folder; `Denied` where it, or a link, would lead out."""
    parts = name.split("/")
    path = os.path.abspath(folder)
    for part in parts:
        if part in ("", ".", "..") or "\\" in part or "\0" in part or os.path.isabs(part):
            raise Denied(f"{name!r} is not a name within {folder}")
        path = os.path.join(path, part)
        if os.path.islink(path):
            raise Denied(f"{path} is a link; remove it, nothing is written through links")
    return path


def _read(path: str, most: int) -> bytes | None:
    """Read so many bytes of a plain file; None for anything else."""
    try:
        handle = os.open(path, os.O_RDONLY | _NO_FOLLOW)
    except (OSError, ValueError):  # the second for a name that holds NUL
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        data = b""
        while len(data) < most and (more := os.read(handle, most - len(data))):
            data += more
        return data
    except OSError:
        return None
    finally:
        os.close(handle)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []
