"""What was changed, in `<home>/install`: the bytes from before, and the marks of those after.

It is written before a file is changed, so that a run that is broken off can be taken back.
"""

from __future__ import annotations

import os
from hashlib import sha256

from tacit.config import make_folder
from tacit.errors import Unavailable
from tacit.interfaces.install import files
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    from tacit.config import Settings

FORMAT = 1


class Entry(Value):
    """One file that was changed for one host; hashes are empty where there was no file."""

    host: str
    where: str
    root: str
    file: str  # as the host names it; it may be a link
    kind: str  # json, toml or own
    servers: tuple[str, ...] | None
    before: str
    after: str
    blanks: tuple[tuple[tuple[str, ...], str], ...] = ()
    folders: tuple[str, ...] = ()  # that were made for it

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What there is one entry of."""
        return self.host, self.where, self.root, self.file


class Journal:
    """The list of entries, in the order in which files were changed."""

    def __init__(self, folder: str, entries: Sequence[Entry]) -> None:
        self.folder = folder
        self.entries = list(entries)

    @classmethod
    def load(cls, settings: Settings) -> Self:
        """Read the journal; an empty one where nothing was ever changed."""
        from json import loads

        if not settings.home:
            raise Unavailable("no data directory; set TACIT_HOME to a folder you can write")
        folder = os.path.join(settings.home, "install")
        raw = files.read(os.path.join(folder, "journal.json"))
        if raw is None:
            return cls(folder, [])
        try:
            return cls(folder, [_entry(one) for one in loads(raw)["entries"]])
        except (ValueError, KeyError, TypeError) as error:
            path = os.path.join(folder, "journal.json")
            raise Unavailable(f"{path} cannot be read ({error}); move it away") from error

    def find(self, key: tuple[str, str, str, str]) -> Entry | None:
        """Give the entry of a file."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def original(self, entry: Entry) -> bytes | None:
        """Give the bytes from before; None when there was no file."""
        if not entry.before:
            return None
        raw = files.read(self._kept(entry.before))
        if raw is None or mark(raw) != entry.before:
            raise Unavailable(f"{self._kept(entry.before)} is lost or damaged")
        return raw

    def has_original(self, entry: Entry) -> bool:
        """Tell whether the bytes from before can be had."""
        return not entry.before or mark(files.read(self._kept(entry.before))) == entry.before

    def add(self, entries: Sequence[Entry], originals: Sequence[bytes | None]) -> None:
        """Note entries, in the place of older ones of the same files, and keep the originals."""
        make_folder(os.path.join(self.folder, "originals"))
        for raw in originals:
            if raw is not None:
                files.write(self._kept(mark(raw)), raw, private=True)
        keys = {entry.key for entry in entries}
        self.entries = [entry for entry in self.entries if entry.key not in keys]
        self.entries += entries
        self._save()

    def set(self, entries: Sequence[Entry]) -> None:
        """Hold just these entries, and keep no original that none of them needs."""
        self.entries = list(entries)
        self._save()
        self._sweep()

    def _save(self) -> None:
        from json import dumps

        path = os.path.join(self.folder, "journal.json")
        value = {"format": FORMAT, "entries": [_plain(entry) for entry in self.entries]}
        text = dumps(value, indent=2, ensure_ascii=False) if self.entries else None
        files.write(path, text.encode() if text else None, private=True)

    def _sweep(self) -> None:
        folder = os.path.join(self.folder, "originals")
        wanted = {entry.before for entry in self.entries}
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            if name not in wanted:
                os.unlink(os.path.join(folder, name))
        if not self.entries:
            files.remove_folders([self.folder, folder])

    def _kept(self, name: str) -> str:
        return os.path.join(self.folder, "originals", name)


def mark(raw: bytes | None) -> str:
    """Give the hash of a file's bytes; empty when there is no file."""
    return "" if raw is None else sha256(raw).hexdigest()


def _plain(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry._fields}


def _entry(plain: dict[str, Any]) -> Entry:
    blanks = tuple((tuple(path), inner) for path, inner in plain["blanks"])
    servers = None if plain["servers"] is None else tuple(plain["servers"])
    folders = tuple(plain["folders"])
    return Entry(**plain | {"blanks": blanks, "servers": servers, "folders": folders})
