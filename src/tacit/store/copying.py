"""All that one store holds into another, whatever their engines.

So a database is copied to a file, and filled from one.

An export (`transfer`) leaves out what can be made again; a copy leaves out nothing.
"""

from __future__ import annotations

import os
import shutil
import tempfile

from tacit.errors import Conflict, NotFound, TacitError, Unavailable
from tacit.model import Judged
from tacit.store.connect import connect
from tacit.store.protocol import Observed, Vector
from tacit.store.transfer import export_lines, import_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.store.protocol import Store

BATCH = 500


def copy_to_file(store: Store, path: str) -> None:
    """Copy a store to a new file, which appears under its name when it is whole."""
    path = os.path.abspath(path)
    if os.path.exists(path):
        raise Conflict(f"{path} exists already; choose another name")
    part = f"{path}.part"
    _remove(part)  # left by a process that was killed
    try:
        copy = connect(part)
        try:
            copy_all(store, copy)
        finally:
            copy.close()
        os.replace(part, path)
    finally:
        _remove(part)


def read_file(path: str, then: Callable[[Store], None]) -> None:
    """Open a copy of a file as a store, and do something with it; the file is not touched."""
    if not os.path.isfile(path):
        raise NotFound(f"there is no file {path}; see: tacit backup list")
    with tempfile.TemporaryDirectory(prefix="tacit-load-") as folder:
        staged = os.path.join(folder, "memory.db")
        try:
            shutil.copyfile(path, staged)
        except OSError as error:
            raise Unavailable(
                f"{path} cannot be read ({error.strerror}); check the disk"
            ) from error
        try:
            opened = connect(staged, create=False)
        except TacitError as error:
            raise type(error)(str(error).replace(staged, path)) from error
        try:
            then(opened)
        finally:
            opened.close()


def copy_all(source: Store, target: Store) -> None:
    """Put everything a store holds into an empty one, all or nothing."""
    with target.transaction():
        import_lines(target, export_lines(source))
        for name, text in source.documents(""):
            target.save(name, text)
        waiting: dict[str, list[Vector]] = {}
        for model, each in source.beside():
            if isinstance(each, Judged):
                target.add_judged([each])
            elif isinstance(each, Observed):
                target.observe([each])
            elif isinstance(each, Vector):
                waiting.setdefault(model, []).append(each)
                if len(waiting[model]) >= BATCH:
                    target.put_vectors(model, waiting.pop(model))
        for model, vectors in waiting.items():
            target.put_vectors(model, vectors)


def _remove(path: str) -> None:
    for end in ("", "-wal", "-shm"):
        if os.path.exists(path + end):
            os.unlink(path + end)
