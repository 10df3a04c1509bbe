"""Writing files into a folder: each whole or not at all, never outside it, never through a link."""

from __future__ import annotations

import os
import tempfile

from tacit.errors import Conflict, Denied, Unavailable
from tacit.exchange.loki.place import beside, is_memory
from tacit.exchange.loki.record import dumped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.codec import Json


class Out:
    """A folder that a memory is written to; counts the files."""

    def __init__(self, folder: str) -> None:
        """Refuse a folder that holds something else."""
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise Conflict(f"{folder} is a file; name a folder to write to")
        if os.path.isdir(folder) and os.listdir(folder) and not is_memory(folder):
            raise Conflict(
                f"{folder} holds something that is not a loki-mode memory; name an empty folder"
            )
        self._folder = folder
        self._beside = beside(folder)
        self.files = 0

    def json(self, path: str, value: Json, *, outside: bool = False) -> None:
        """Write a value as a JSON file."""
        self.text(path, dumped(value) + "\n", outside=outside)

    def text(self, path: str, text: str, *, outside: bool = False) -> None:
        """Write a text to a file, its line ends as they are; `outside` is beside the memory."""
        top = self._beside if outside else self._folder
        steps = path.split("/")
        assert all(step not in ("", ".", "..") for step in steps), path
        folder = top
        try:
            os.makedirs(folder, exist_ok=True)
            for step in steps[:-1]:
                folder = os.path.join(folder, step)
                _no_link(folder)
                os.makedirs(folder, exist_ok=True)
            _no_link(os.path.join(folder, steps[-1]))
            _replace(folder, steps[-1], text.encode())
        except OSError as error:
            raise Unavailable(f"cannot write {path} in {top}: {error.strerror}") from error
        self.files += 1


def _no_link(path: str) -> None:
    if os.path.islink(path):
        raise Denied(f"{path} is a link; it is not written through, remove it first")


def _replace(folder: str, name: str, data: bytes) -> None:
    """Write beside the file, then put it in its place, so that no reader sees half of it."""
    handle, made = tempfile.mkstemp(prefix=".tmp_", suffix=".json", dir=folder)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(made, os.path.join(folder, name))
    except BaseException:
        os.unlink(made)
        raise
