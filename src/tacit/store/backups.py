"""Where the copies of a store lie, how they are named, and which there are."""

from __future__ import annotations

import os

from tacit.clock import EPOCH
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime


class Backup(Value):
    """A copy of a store, made at a time."""

    path: str
    bytes: int
    made_at: datetime


def new_path(folder: str, store_path: str, now: datetime) -> str:
    """Give a name that is not taken: the store's, and when."""
    stem = os.path.join(folder, f"{_stem(store_path)}-{now:%Y%m%dT%H%M%SZ}")
    path, number = f"{stem}.db", 1
    while os.path.exists(path):
        number += 1
        path = f"{stem}-{number}.db"
    return path


def find_backups(folder: str, store_path: str) -> list[Backup]:
    """Give the copies of one store, newest first: those made on demand and before upgrades."""
    beside, name = os.path.split(store_path)
    paths = [os.path.join(folder, n) for n in _names(folder) if _is_copy(n, _stem(store_path))]
    paths += [
        os.path.join(beside, n)
        for n in _names(beside)
        if n.startswith(f"{name}.schema-") and n.endswith(".backup")
    ]
    found = [_backup(path) for path in paths]
    return sorted(found, key=lambda backup: (backup.made_at, backup.path), reverse=True)


def _is_copy(name: str, stem: str) -> bool:
    """Tell a copy of this store from one of a store whose name begins alike."""
    if not name.startswith(f"{stem}-") or not name.endswith(".db"):
        return False
    stamp = name[len(stem) + 1 : -3].partition("Z")[0]
    return len(stamp) == 15 and stamp.replace("T", "", 1).isdigit()


def _backup(path: str) -> Backup:
    from datetime import timedelta

    found = os.stat(path)
    made_at = EPOCH + timedelta(seconds=int(found.st_mtime))
    return Backup(path=path, bytes=found.st_size, made_at=made_at)


def _names(folder: str) -> list[str]:
    return os.listdir(folder) if os.path.isdir(folder) else []


def _stem(store_path: str) -> str:
    name = os.path.basename(store_path)
    if "://" not in store_path:
        return os.path.splitext(name)[0]
    database, _, options = name.partition("?tenant=")
    return "-".join(_plain(part) for part in (database or "store", options) if part)


def _plain(name: str) -> str:
    """Give an address's part as the part of a file's name."""
    return "".join(c if c.isalnum() or c in "_." else "-" for c in name)
