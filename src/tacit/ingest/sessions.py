"""The sessions of all hosts: which reader a file wants, and where the files of a project lie.

Finding is bounded and reads the heads of files alone; a file that cannot be read is left out.
A file is a project's when its own lines say so, not because of its name: two folders may share
the name a host gives them.
"""

from __future__ import annotations

import glob
import gzip
import hashlib
import io
import os
import re
import stat
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import BinaryIO

from tacit.ingest import chat, claude, codex, gemini, opencode
from tacit.ingest.reading import parse_json
from tacit.observation import Session
from tacit.value import Value

HEAD = 64 << 10  # bytes a reader is chosen by
SKIPPED = "incognito session"
MOST_LISTED = 50_000  # directory entries seen
MOST_LOOKED = 3000  # files of one host whose head is read
_CWD = re.compile(rb'(?<!\\)"cwd"\s*:\s*("(?:[^"\\]|\\.){0,4000}")')
_HASH = re.compile(rb'(?<!\\)"projectHash"\s*:\s*"([^"]{1,100})"')


class Found(Value):
    """A file that holds sessions of a project."""

    host: str
    path: str
    bytes: int
    modified_ns: int


def read_sessions(path: str, counts: Counter[str], folder: str = "") -> Iterator[Session]:
    """Give the sessions of a file, read by the host it looks like.

    OpenCode keeps the sessions of all projects in one file: with a folder, only those of the
    folder are given.
    """
    roots = _roots(folder) if folder else ()
    for session in _read_file(path, counts):
        if roots and session.host == opencode.HOST and not _inside(session.folder, roots):
            counts["session of another project"] += 1
        else:
            yield session


def read_stream(
    file: BinaryIO, name: str, counts: Counter[str], path: str = ""
) -> Iterator[Session]:
    """Give the sessions of a stream; `name` names those that have no name of their own."""
    stream = io.BufferedReader(file, HEAD)  # type: ignore[type-var]  # it asks for `readinto`
    try:
        head = stream.peek(HEAD)
        for reader in (gemini, claude, codex, chat):
            if reader.sniff(head):
                yield from reader.read_lines(stream, name, counts, path)
                return
        counts["unknown format"] += 1
    finally:
        stream.detach()  # or the file were closed with it


def without(
    sessions: Iterable[Session], sources: Collection[str], counts: Counter[str]
) -> Iterator[Session]:
    """Leave out the sessions of these sources, and count them."""
    for session in sessions:
        if session.source in sources:
            counts[SKIPPED] += 1
        else:
            yield session


def find_sessions(folder: str, environ: Mapping[str, str]) -> list[Found]:
    """List the session files of a project by host, the newest first within each."""
    home = environ.get("HOME") or environ.get("USERPROFILE") or os.sep
    data = environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    roots = _roots(folder)
    bases = (
        environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"),
        environ.get("CODEX_HOME") or os.path.join(home, ".codex"),
        os.path.join(environ.get("GEMINI_CLI_HOME") or home, ".gemini"),
        os.path.join(data, "opencode"),
    )
    return [
        found
        for (host, (places, is_ours)), base in zip(_HOSTS.items(), bases, strict=True)
        for found in _newest(host, base, places)[:MOST_LOOKED]
        if is_ours(found.path, roots)
    ]


def _read_file(path: str, counts: Counter[str]) -> Iterator[Session]:
    if not os.path.isfile(path):  # a device or a pipe would never end
        counts["not a file"] += 1
        return
    name = re.sub(r"\.jsonl?$", "", os.path.basename(path).removesuffix(".gz"))
    try:
        with _open(path) as file:
            if opencode.sniff(file.read(HEAD)):
                yield from opencode.read(path, counts)
            else:
                file.seek(0)
                yield from read_stream(file, name, counts, path)
    except (EOFError, zlib.error):
        counts["broken archive"] += 1
    except OSError:
        counts["unreadable"] += 1


def _open(path: str) -> BinaryIO:
    """Open a file for reading, packed or not."""
    if path.endswith(".gz"):
        return gzip.open(path)  # type: ignore[return-value]  # it reads like a file
    return open(path, "rb")


def _newest(host: str, base: str, places: Iterable[str]) -> list[Found]:
    """List the files in a host's places, the newest first."""
    found = []
    paths = chain.from_iterable(glob.iglob(place, root_dir=base) for place in places)
    for path in islice(paths, MOST_LISTED):
        whole = os.path.join(base, path)
        try:
            about = os.stat(whole)
        except OSError:
            continue
        if stat.S_ISREG(about.st_mode):
            size, at = about.st_size, about.st_mtime_ns
            found.append(Found(host=host, path=whole, bytes=size, modified_ns=at))
    return sorted(found, key=lambda each: (-each.modified_ns, each.path))


def _of_claude(path: str, roots: tuple[str, ...]) -> bool:
    cwds = _cwds(path)
    names = {re.sub(r"[^A-Za-z0-9]", "-", root)[:200] for root in roots}
    named = os.path.basename(os.path.dirname(path))[:200] in names
    return any(_inside(cwd, roots) for cwd in cwds) or (not cwds and named)


def _of_codex(path: str, roots: tuple[str, ...]) -> bool:
    return any(_inside(cwd, roots) for cwd in _cwds(path)[:1])


def _of_gemini(path: str, roots: tuple[str, ...]) -> bool:
    hashes = {hashlib.sha256(root.encode(errors="replace")).hexdigest() for root in roots}
    place, name = os.path.split(path)
    if name == "logs.json":
        if glob.glob("chats/session-*", root_dir=place):  # they have the same prompts, and more
            return False
    else:
        place = os.path.dirname(place)
    told = {name.decode("ascii", errors="replace") for name in _HASH.findall(_head(path))}
    root = gemini.folder_beside(path)
    return bool(hashes & {*told, os.path.basename(place)} or (root and _inside(root, roots)))


def _of_opencode(path: str, roots: tuple[str, ...]) -> bool:
    return any(_inside(folder, roots) for folder in opencode.folders(path))


# Where each host keeps its files, and what tells that one of them is the project's.
_HOSTS: dict[str, tuple[tuple[str, ...], Callable[[str, tuple[str, ...]], bool]]] = {
    "claude": (("projects/*/*.jsonl",), _of_claude),
    "codex": (
        tuple(
            f"{place}/rollout-*.jsonl*"
            for place in ("sessions", "sessions/*/*/*", "archived_sessions")
        ),
        _of_codex,
    ),
    "gemini": (("tmp/*/logs.json", "tmp/*/chats/session-*.json*"), _of_gemini),
    "opencode": (("opencode.db",), _of_opencode),
}


def _head(path: str) -> bytes:
    try:
        with _open(path) as file:
            return file.read(HEAD)
    except (OSError, EOFError, zlib.error):
        return b""


def _cwds(path: str) -> list[str]:
    """Give the folders the first lines of a file say they were written in, in order."""
    found = _CWD.findall(_head(path))
    values = (parse_json(text.decode(errors="replace")) for text in found)
    return [value for value in values if isinstance(value, str)]


def _roots(folder: str) -> tuple[str, ...]:
    """Give a folder as it is called and as it is, without links."""
    absolute = os.path.abspath(folder)
    return tuple(dict.fromkeys((absolute, os.path.realpath(absolute))))


def _inside(path: str, roots: tuple[str, ...]) -> bool:
    """Tell whether a path is one of some folders or lies in it, however it is written."""
    given = _plain(path)
    return any(given == root or given.startswith(root + "/") for root in map(_plain, roots))


def _plain(path: str) -> str:
    plain = path.replace("\\", "/").rstrip("/")
    return plain[:1].upper() + plain[1:] if plain[1:2] == ":" else plain
