"""A file system that dies: at a chosen call, or as if the power were cut.

Stands between SQLite and the real one, within the process that is to die. As killed, all that
was handed to the system stays. As without power, only what was flushed is certain: of the rest
each write may be there, missing, or torn at a sector.
"""

from __future__ import annotations

import os
import signal
import time
from random import Random
from typing import Any

import apsw

BELOW = "unix"  # the real file system
SECTOR = 512
# Where, what was there, what was put there (None: it was cut off there), how long the file was.
Unflushed = tuple[int, bytes, bytes | None, int]


class Moment:
    """When and how to die: at the so manyth write, flush or cut of any file."""

    def __init__(self, step: int, chance: Random, *, power: bool, pause: float = 0.0) -> None:
        self.step, self.chance, self.power, self.pause = step, chance, power, pause
        self.files: dict[str, list[Unflushed]] = {}

    def come(self) -> bool:
        """Count a step; True when it is the last."""
        self.step -= 1
        return self.step == 0

    def die(self) -> None:
        """End the process, after taking back what a power cut would have lost."""
        if self.power:
            for path, writes in self.files.items():
                self._cut(path, writes)
        os.kill(os.getpid(), signal.SIGKILL)

    def _cut(self, path: str, writes: list[Unflushed]) -> None:
        if not writes or not os.path.exists(path):
            return
        with open(path, "r+b") as file:
            for offset, before, _, size in reversed(writes):
                file.seek(offset)
                file.write(before)
                file.truncate(size)
            for offset, _, after, _ in writes:
                if self.chance.random() < 0.5:
                    continue
                if after is None:
                    file.truncate(offset)
                    continue
                whole = self.chance.random() < 0.7
                end = len(after) if whole else self.chance.randrange(0, len(after), SECTOR)
                file.seek(offset)
                file.write(after[:end])


def install(moment: Moment) -> None:
    """Let all that SQLite opens from now on in this process be fragile."""
    _Fragile.moment = moment
    _Fragile.kept = _Fragile()  # it lasts as long as the process


class _Fragile(apsw.VFS):
    moment: Moment
    kept: _Fragile

    def __init__(self) -> None:
        super().__init__("fragile", BELOW, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> _FragileFile:  # noqa: N802 - SQLite's name
        return _FragileFile(name, flags, self.moment)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's name
        if self.moment.come():
            self.moment.die()
        super().xDelete(filename, syncdir)


class _FragileFile(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], moment: Moment) -> None:
        super().__init__(BELOW, name, flags)
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._moment = moment

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        moment = self._moment
        last = moment.come()
        if moment.power and self._path:
            self._remember(bytes(data), offset)
        if last:
            if not moment.power:  # in the midst of it
                super().xWrite(data[: moment.chance.randrange(len(data) + 1)], offset)
            else:
                super().xWrite(data, offset)
            moment.die()
        super().xWrite(data, offset)

    def _remember(self, data: bytes | None, offset: int) -> None:
        size = self.xFileSize()
        there = max(0, size - offset)
        there = there if data is None else min(len(data), there)
        before = super().xRead(there, offset) if there else b""
        self._moment.files.setdefault(self._path, []).append((offset, before, data, size))

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        moment = self._moment
        if moment.pause:
            time.sleep(moment.pause * moment.chance.random())
        if moment.come():
            moment.die()
        super().xSync(flags)
        moment.files.pop(self._path, None)

    def xTruncate(self, size: int) -> None:  # noqa: N802 - SQLite's name
        if self._moment.come():
            self._moment.die()
        if self._moment.power and self._path:
            self._remember(None, size)
        super().xTruncate(size)
