"""The bytes `git log -z` prints, read as records.

Knows the one layout that `git` asks for, and no process. Commits are told apart by a mark made
anew for each reading, the rest by its place between NUL bytes, which neither a message nor a
path can hold; so no text can pretend to be structure. Nothing is decoded or redacted here.
"""

from __future__ import annotations

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

    RawChange = tuple[str, bytes, bytes]  # status, path, old path

HEADER_FIELDS = 6
MOST_CHANGES = 300  # files kept of one commit; whoever changes more has changed "everything"
LARGEST_RECORD = 8 << 20  # bytes; a commit of 100,000 files
_STATUSES = b"AMDRCT"
_HEX = frozenset("0123456789abcdef")


class Record(Value):
    """One commit as git printed it."""

    sha: str
    parents: tuple[str, ...]
    time: bytes
    author: bytes
    subject: bytes
    body: bytes
    changes: tuple[RawChange, ...]
    lines: dict[bytes, tuple[int, int]]  # path → added, removed; where they were asked for
    cut: bool  # there were more changes


def record_format(mark: str) -> str:
    """Give the format to ask of git: mark, id, parents, time, author, subject, body."""
    return f"{mark}%x00%H%x00%P%x00%ct%x00%aN%x00%s%x00%b%x00"


def read_records(chunks: Iterable[bytes], mark: str, counts: Counter[str]) -> Iterator[Record]:
    """Give the commits in what git prints; what is none is counted as `broken record`."""
    for text, cut in _texts(chunks, mark.encode() + b"\0"):
        fields = text.split(b"\0")
        sha = fields[0].decode("ascii", "replace")
        if len(fields) < HEADER_FIELDS or not is_sha(sha):
            counts["broken record"] += 1
            continue
        changes, lines = _changes(fields[HEADER_FIELDS:])
        yield Record(
            sha=sha,
            parents=tuple(fields[1].decode("ascii", "replace").split()),
            time=fields[2],
            author=fields[3],
            subject=fields[4],
            body=fields[5],
            changes=tuple(changes[:MOST_CHANGES]),
            lines=lines,
            cut=cut or len(changes) > MOST_CHANGES,
        )


def is_sha(text: str) -> bool:
    """Tell whether this is the id of an object, whole or shortened, and so safe to hand to git."""
    return 7 <= len(text) <= 64 and set(text) <= _HEX


def _texts(chunks: Iterable[bytes], mark: bytes) -> Iterator[tuple[bytes, bool]]:
    """Give what stands after each mark, and whether it was cut; one record is held at a time."""
    held, begun, cut = b"", False, False
    for chunk in chunks:
        *whole, held = (held + chunk).split(mark)
        for text in whole:
            if begun:
                yield text, cut
            begun, cut = True, False
        if len(held) > LARGEST_RECORD:
            # The tail stays: it may be the beginning of a mark.
            held, cut = held[:LARGEST_RECORD] + held[-len(mark) :], True
    if begun:
        yield held, cut


def _changes(fields: list[bytes]) -> tuple[list[RawChange], dict[bytes, tuple[int, int]]]:
    """Read `A`, path; `R100`, old path, path; `:… M`, path; and counts, `3⇥1⇥path`."""
    changes: list[RawChange] = []
    lines: dict[bytes, tuple[int, int]] = {}
    left = iter(fields)
    for field in left:
        head = field.lstrip(b"\n")
        if b"\t" in head:
            added, _, rest = head.partition(b"\t")
            removed, _, path = rest.partition(b"\t")
            if not path:  # a rename: the old and the new path follow
                _, path = next(left, b""), next(left, b"")
            lines[path] = _number(added), _number(removed)
        elif head:
            status = head[head.rfind(b" ") + 1 :][:1]
            path, old = next(left, b""), b""
            if status in (b"R", b"C"):
                old, path = path, next(left, b"")
            if path and status and status in _STATUSES:
                changes.append((status.decode(), path, old))
    return changes, lines


def _number(text: bytes) -> int:
    return int(text) if text.isdigit() and len(text) < 10 else 0  # `-` for a binary file
