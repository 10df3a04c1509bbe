"""Paths of memory files: where one leads, what lies above it, what a folder lists. Pure."""

from __future__ import annotations

from tacit.errors import Denied, Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = "/memories"
MOST_BYTES = 1_024
MOST_PARTS = 20
DEEP = 2  # levels of a listing
FOLDER = 4_096  # what a folder weighs in a listing, as on most disks


def resolve(path: str) -> str:
    """Give the one way to write a path; refuse one that does not stay below the root."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise Denied(f"Path must start with {ROOT}, got: {path}")
    parts: list[str] = []
    for part in _composed(path)[len(ROOT) :].split("/"):
        if part == "..":
            if not parts:
                raise Denied(f"Path {path} would escape {ROOT} directory")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    place = "/".join([ROOT, *parts])
    if "\\" in place:  # a separator elsewhere
        raise Denied(f"Path {path} would escape {ROOT} directory")
    if not place.isprintable() or len(place.encode()) > MOST_BYTES or len(parts) > MOST_PARTS:
        raise Invalid(
            f"Path {path!r} is not printable, longer than {MOST_BYTES} bytes or deeper than "
            f"{MOST_PARTS} levels"
        )
    _harmless(path)
    return place


def ancestors(place: str) -> Iterator[str]:
    """Give the folders a path lies in, without the root."""
    parts = place[len(ROOT) + 1 :].split("/")
    for end in range(1, len(parts)):
        yield "/".join([ROOT, *parts[:end]])


def moved(place: str, old: str, new: str) -> str:
    """Give a path when what it lies in, or itself, is called otherwise."""
    return new + place[len(old) :]


def listing(place: str, sizes: Mapping[str, int]) -> str:
    """Say what lies in a folder, given the files below it and their bytes."""
    shown: dict[tuple[str, ...], int] = {}
    for name, size in sizes.items():
        parts = tuple(name[len(place) + 1 :].split("/"))
        if any(part.startswith(".") for part in parts[:DEEP]):
            continue
        for depth in range(1, min(len(parts), DEEP) + 1):
            shown[parts[:depth]] = size if depth == len(parts) else -1
    head = (
        f"Here're the files and directories up to {DEEP} levels deep in {place}, "
        "excluding hidden items:"
    )
    rows = [f"{_size(FOLDER)}\t{place}"]
    for parts, size in sorted(shown.items()):
        name = "/".join([place, *parts])
        rows.append(f"{_size(FOLDER)}\t{name}/" if size < 0 else f"{_size(size)}\t{name}")
    return "\n".join([head, *rows])


def _size(count: int) -> str:
    """Write a number of bytes as 14B, 4K or 1.5K."""
    unit = min(max(count.bit_length() - 1, 0) // 10, 3)
    number = count / 1024**unit
    return f"{number:.0f}{'BKMG'[unit]}" if number == int(number) else f"{number:.1f}{'BKMG'[unit]}"


def _composed(path: str) -> str:
    """Give the composed form, so that one name is one file however its accents were typed."""
    if path.isascii():
        return path
    from unicodedata import normalize

    return normalize("NFC", path)


def _harmless(path: str) -> None:
    from tacit.ingest.redaction import redact

    if redact(path).counts:
        raise Invalid("this path looks like it holds a secret; name the file by something else")
