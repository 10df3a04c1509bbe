"""Settings files on disk: read whole, replaced in one step, links and permissions kept."""

from __future__ import annotations

import os

from tacit.errors import Invalid

LARGEST_BYTES = 64 * 1024 * 1024  # the settings of Claude Code also hold its history


def read(path: str) -> bytes | None:
    """Give what a file holds; None when there is none."""
    try:
        with open(path, "rb") as file:
            raw = file.read(LARGEST_BYTES + 1)
    except FileNotFoundError:
        return None
    if len(raw) > LARGEST_BYTES:
        raise Invalid(f"{path} is larger than {LARGEST_BYTES:,} bytes; it is left alone")
    return raw


def decode(raw: bytes) -> str:
    """Give the text with its mark of order and its line ends, so that it can be written back."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Invalid(f"not UTF-8 (byte {error.start})") from None


def missing_folders(path: str) -> list[str]:
    """Give the folders that must be made for a file, the outermost first."""
    missing: list[str] = []
    folder = os.path.dirname(path)
    while folder and not os.path.isdir(folder) and folder not in missing:
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    return missing


def write(path: str, raw: bytes | None, *, private: bool = False) -> None:
    """Put bytes in the place of a file in one step, or remove it; `path` is no link."""
    if raw is None:
        if os.path.lexists(path):
            os.unlink(path)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = f"{path}.tacit-{os.getpid()}"
    try:
        # For its owner alone until it has the permissions of what it replaces.
        number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(number, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, _mode(path, private=private))
        os.replace(part, path)
    finally:
        if os.path.lexists(part):
            os.unlink(part)


def remove_folders(folders: list[str]) -> None:
    """Remove folders that hold nothing, the innermost first."""
    for folder in reversed(folders):
        try:
            os.rmdir(folder)
        except OSError:  # gone already, or something of others is in it
            return


def _mode(path: str, *, private: bool) -> int:
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        if private:
            return 0o600
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
