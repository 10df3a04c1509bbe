"""Where the socket of a memory lies: in the user's runtime directory, for nobody else.

One for each project under the same settings: who runs with other settings (another store, or
nothing to be written) is another caller and gets no answer from here.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.config import Settings
    from tacit.project import Project

LONGEST_PATH = 100  # bytes; systems allow 104 to 108


def find_socket(settings: Settings, folder: str) -> str:
    """Give the socket of the project a folder belongs to; empty when there is none to ask."""
    place = runtime_folder(os.environ)
    if not place or not is_private(place):
        return ""
    from tacit.project import resolve_project

    path = socket_path(place, settings, resolve_project(folder, settings))
    try:
        found = os.lstat(path)
    except OSError:
        return ""
    return path if stat.S_ISSOCK(found.st_mode) and found.st_uid == os.getuid() else ""


def make_socket_path(settings: Settings, project: Project) -> str:
    """Give the path for a new socket and make its folder; empty where sockets cannot be."""
    place = runtime_folder(os.environ)
    if not place:
        return ""
    try:
        os.makedirs(place, mode=0o700, exist_ok=True)
    except OSError:
        return ""
    return socket_path(place, settings, project) if is_private(place) else ""


def runtime_folder(environ: Mapping[str, str]) -> str:
    """Give the folder for sockets; empty on systems that have no users or no such sockets."""
    try:
        user = os.getuid()
    except AttributeError:  # Windows
        return ""
    told = environ.get("XDG_RUNTIME_DIR", "")
    place = f"{told.rstrip('/')}/tacit"
    name = "0" * 16 + ".sock"
    fits = told.startswith("/") and len(os.fsencode(f"{place}/{name}")) < LONGEST_PATH
    return place if fits else f"/tmp/tacit-{user}"  # noqa: S108  # its owner is looked at


def socket_path(place: str, settings: Settings, project: Project) -> str:
    """Give the path of a project's socket under some settings."""
    try:
        from _blake2 import blake2b  # the one of hashlib, without its loading OpenSSL
    except ImportError:
        from hashlib import blake2b
    # The settings show no password, and two stores must not be one for that.
    identity = f"{settings!r}\0{settings.store}\0{project.id}"
    digest = blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{place}/{digest}.sock"


def is_private(folder: str) -> bool:
    """Tell whether a folder is the user's own and closed to all others."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return mine and not found.st_mode & 0o077
