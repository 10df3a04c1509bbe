"""The sessions of all hosts: which reader a file wants, and where the files of a project lie.

Finding is bounded and reads the heads of files alone; a file that cannot be read is left out.
A file is a project's when its own lines say so, not because of its name: two folders may share
the name a host gives them.
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from itertools import chain

from tacit.ingest import chat, claude, codex, gemini, opencode
from tacit.ingest.raw import Rewound, open_session
from tacit.ingest.reading import parse_json
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import BinaryIO

    from tacit.observation import Session

    Reader = Callable[[str, Counter[str]], Iterator[Session]]

HEAD = 64 << 10  # bytes a reader is chosen by
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
    if not os.path.isfile(path):
        counts["not a file"] += 1
        return
    roots = _roots(folder) if folder else ()
    for session in _read(path, counts):
        if roots and session.host == opencode.HOST and not _inside(session.folder, roots):
            counts["session of another project"] += 1
        else:
            yield session


def read_stream(file: BinaryIO, name: str, counts: Counter[str]) -> Iterator[Session]:
    """Give the sessions of a stream; `name` names those that have no name of their own."""
    head = file.read(HEAD)
    stream = Rewound(head, file)
    if claude.sniff(head):
        yield from claude.read_lines(stream, name, counts)
    elif codex.sniff(head):
        yield from codex.read_lines(stream, name, counts)
    elif gemini.sniff(head):
        yield from gemini.read_lines(stream, name, counts)
    elif chat.sniff(head):
        yield from chat.read_lines(stream, name, counts)
    else:
        counts["unknown format"] += 1


def find_sessions(folder: str, environ: Mapping[str, str]) -> list[Found]:
    """List the session files of a project by host, the newest first within each."""
    home = environ.get("HOME") or environ.get("USERPROFILE") or ""
    roots = _roots(folder)
    return [
        *_of_claude(environ.get("CLAUDE_CONFIG_DIR") or _under(home, ".claude"), roots),
        *_of_codex(environ.get("CODEX_HOME") or _under(home, ".codex"), roots),
        *_of_gemini(_under(environ.get("GEMINI_CLI_HOME") or home, ".gemini"), roots),
        *_of_opencode(_opencode_home(home, environ), roots),
    ]


def _read(path: str, counts: Counter[str]) -> Iterator[Session]:
    try:
        with open_session(path) as file:
            head = file.read(HEAD)
    except (OSError, EOFError, zlib.error):
        counts["unreadable"] += 1
        return
    reader = _reader(head)
    if reader is None:
        counts["unknown format"] += 1
    else:
        yield from reader(path, counts)


def _reader(head: bytes) -> Reader | None:
    for sniff, read in _READERS:
        if sniff(head):
            return read
    return None


_READERS: tuple[tuple[Callable[[bytes], bool], Reader], ...] = (
    (opencode.sniff, opencode.read),
    (claude.sniff, claude.read),
    (codex.sniff, codex.read),
    (gemini.sniff, gemini.read),
    (chat.sniff, chat.read),
)


class _Budget:
    """How many more files may be looked into."""

    def __init__(self, left: int) -> None:
        self.left = left

    def head(self, path: str) -> bytes:
        """Give the head of a file; nothing where it cannot be read or enough was looked into."""
        if self.left <= 0:
            return b""
        self.left -= 1
        try:
            with open_session(path) as file:
                return file.read(HEAD)
        except (OSError, EOFError, zlib.error):
            return b""


def _of_claude(base: str, roots: tuple[str, ...]) -> Iterator[Found]:
    looked = _Budget(MOST_LOOKED)
    names = {re.sub(r"[^A-Za-z0-9]", "-", root)[:200] for root in roots}
    files = _listed([os.path.join(base, "projects")], 1, lambda name: name.endswith(".jsonl"))
    for found in _newest("claude", files):
        cwds = _cwds(looked.head(found.path))
        place = os.path.basename(os.path.dirname(found.path))[:200]
        if any(_inside(cwd, roots) for cwd in cwds) or (not cwds and place in names):
            yield found


def _of_codex(base: str, roots: tuple[str, ...]) -> Iterator[Found]:
    looked = _Budget(MOST_LOOKED)
    places = [os.path.join(base, name) for name in ("sessions", "archived_sessions")]
    files = _listed(places, 4, lambda name: name.startswith("rollout-") and ".jsonl" in name)
    for found in _newest("codex", files):
        if any(_inside(cwd, roots) for cwd in _cwds(looked.head(found.path))[:1]):
            yield found


def _of_gemini(base: str, roots: tuple[str, ...]) -> Iterator[Found]:
    looked = _Budget(MOST_LOOKED)
    hashes = {hashlib.sha256(root.encode(errors="replace")).hexdigest() for root in roots}
    files = [*_listed([os.path.join(base, "tmp")], 2, _is_chat)]
    with_chats = {os.path.dirname(os.path.dirname(path)) for path in files if "session-" in path}
    for found in _newest("gemini", files):
        place = os.path.dirname(found.path)
        log = os.path.basename(found.path) == "logs.json"
        if log and place in with_chats:  # the chats have the same prompts, and more
            continue
        head = looked.head(found.path)
        told = {name.decode("ascii", errors="replace") for name in _HASH.findall(head)}
        project = os.path.basename(place if log else os.path.dirname(place))
        root = gemini.folder_beside(found.path)
        if hashes & {*told, project} or (root and _inside(root, roots)):
            yield found


def _is_chat(name: str) -> bool:
    return name == "logs.json" or (
        name.startswith("session-") and name.endswith((".json", ".jsonl"))
    )


def _of_opencode(base: str, roots: tuple[str, ...]) -> Iterator[Found]:
    path = os.path.join(base, "opencode.db")
    for found in _newest("opencode", [path] if os.path.isfile(path) else []):
        if any(_inside(folder, roots) for folder in opencode.folders(path)):
            yield found


def _opencode_home(home: str, environ: Mapping[str, str]) -> str:
    data = environ.get("XDG_DATA_HOME") or _under(home, ".local", "share")
    return os.path.join(data, "opencode")


def _under(home: str, *names: str) -> str:
    return os.path.join(home or os.sep, *names)


def _listed(places: Iterable[str], deep: int, wanted: Callable[[str], bool]) -> Iterator[str]:
    """Give the wanted files under some folders, to a depth; links to folders are not followed."""
    seen = 0
    for top in places:
        for folder, inside, names in os.walk(top):
            depth = os.path.relpath(folder, top).count(os.sep) + (folder != top)
            inside[:] = sorted(inside, reverse=True) if depth < deep else []
            for name in names:
                seen += 1
                if seen > MOST_LISTED:
                    return
                if wanted(name):
                    yield os.path.join(folder, name)


def _newest(host: str, paths: Iterable[str]) -> list[Found]:
    found = []
    for path in paths:
        try:
            about = os.stat(path)
        except OSError:
            continue
        if os.path.isfile(path):
            size, at = about.st_size, about.st_mtime_ns
            found.append(Found(host=host, path=path, bytes=size, modified_ns=at))
    return sorted(found, key=lambda each: (-each.modified_ns, each.path))


def _cwds(head: bytes) -> list[str]:
    """Give the folders the lines of a head say they were written in, in order."""
    values = (parse_json(text.decode(errors="replace")) for text in _CWD.findall(head))
    return [value for value in values if isinstance(value, str)]


def _roots(folder: str) -> tuple[str, ...]:
    """Give a folder as it is called and as it is, without links."""
    absolute = os.path.abspath(folder)
    return tuple(dict.fromkeys(chain((absolute,), (os.path.realpath(absolute),))))


def _inside(path: str, roots: tuple[str, ...]) -> bool:
    """Tell whether a path is one of some folders or lies in it, however it is written."""
    given = _plain(path)
    return any(given == root or given.startswith(root + "/") for root in map(_plain, roots))


def _plain(path: str) -> str:
    plain = path.replace("\\", "/").rstrip("/")
    return plain[:1].upper() + plain[1:] if plain[1:2] == ":" else plain
