"""Reading files of a folder: bounded, no link followed, nothing in it can make it fail.

What cannot be read is counted under a name and passed over, so that one broken file never
costs the others.
"""

from __future__ import annotations

import json
import os
import stat
from datetime import UTC, datetime

from tacit.exchange.loki.scrub import Scrub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from tacit.codec import Json
    from tacit.exchange.loki.record import Record

MOST_BYTES = 64 << 20  # of one file
MOST_NAMES = 20_000  # of one folder
MOST_ENTRIES = 50_000  # of one file
_BOM = b"\xef\xbb\xbf"


class Folder:
    """A folder that is read; paths within it have `/` and are given as the files hold them."""

    def __init__(self, path: str, clean: Callable[[str], str], counts: Counter[str]) -> None:
        self.path = path
        self.counts = counts
        self._scrub = Scrub(clean, counts)

    def names(self, under: str, ending: str = "") -> list[str]:
        """Give the names within a folder, in order; of files those with an ending."""
        if not self._is(under, stat.S_ISDIR):
            return []
        try:
            found = sorted(os.listdir(os.path.join(self.path, *under.split("/"))))
        except OSError:
            self.counts["unreadable"] += 1
            return []
        told = [n for n in found if n.endswith(ending) and not n.startswith(".")]
        if len(told) > MOST_NAMES:
            self.counts["too many files"] += len(told) - MOST_NAMES
        return told[:MOST_NAMES]

    def json(self, path: str) -> Json:
        """Give the value of a JSON file, its texts cleaned; None when there is none."""
        data = self._read(path)
        if data is None:
            return None
        return self._value(data)

    def text(self, path: str) -> str | None:
        """Give the text of a file, cleaned, its line ends as they are; None when there is none."""
        data = self._read(path)
        if data is None:
            return None
        try:
            found = data.decode()
        except UnicodeDecodeError:
            self.counts["not utf-8"] += 1
            return None
        if not found.strip():
            self.counts["empty"] += 1
            return None
        return self._scrub.text(found)

    def lines(self, path: str) -> list[Record]:
        """Give the records of a file of JSON lines; what is none is counted."""
        data = self._read(path)
        found: list[Record] = []
        for line in (data or b"").splitlines():
            if not line.strip():
                continue
            if len(found) >= MOST_ENTRIES:
                self.counts["too many entries"] += 1
                continue
            value = self._value(line)
            if isinstance(value, dict):
                found.append(value)
            elif value is not None:
                self.counts["not a record"] += 1
        return found

    def written(self, path: str) -> datetime | None:
        """Give when a file was last written."""
        try:
            return datetime.fromtimestamp(os.lstat(self._full(path)).st_mtime, UTC)
        except (OSError, OverflowError, ValueError):
            return None

    def _value(self, data: bytes) -> Json:
        try:
            if not data.strip():
                self.counts["empty"] += 1
                return None
            # NaN and Infinity are no JSON; a field that holds one is a missing field
            value: Json = json.loads(data.decode(), parse_constant=lambda _name: None)
            return self._scrub.value(value)
        except UnicodeDecodeError:
            self.counts["not utf-8"] += 1
        except (ValueError, RecursionError):
            self.counts["broken"] += 1
        return None

    def _read(self, path: str) -> bytes | None:
        if not self._is(path, stat.S_ISREG):
            return None
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        try:
            with open(os.open(self._full(path), flags), "rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError:
            self.counts["unreadable"] += 1
            return None
        if len(data) > MOST_BYTES:
            self.counts["too large"] += 1
            return None
        return data.removeprefix(_BOM)

    def _is(self, path: str, sort: Callable[[int], bool]) -> bool:
        """Tell whether a path is of a sort, with no link on the way to it."""
        steps = path.split("/") if path else []
        at, mode = self.path, stat.S_IFDIR
        for step in steps:
            if not stat.S_ISDIR(mode):
                return False
            at = os.path.join(at, step)
            try:
                mode = os.lstat(at).st_mode
            except (OSError, ValueError):
                return False
            if stat.S_ISLNK(mode):
                self.counts["link not followed"] += 1
                return False
        return sort(mode)

    def _full(self, path: str) -> str:
        return os.path.join(self.path, *path.split("/"))
