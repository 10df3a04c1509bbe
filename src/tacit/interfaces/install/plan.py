"""Which files change, and how: worked out in full before anything is written."""

from __future__ import annotations

import os

from tacit.errors import Conflict, TacitError
from tacit.interfaces.install import files
from tacit.interfaces.install.hosts import targets
from tacit.interfaces.install.journal import Entry, mark
from tacit.interfaces.install.json_settings import blanks_of, connect, disconnect, is_bare
from tacit.interfaces.install.toml_settings import connect_toml, disconnect_toml
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.interfaces.install.hosts import Machine, Target
    from tacit.interfaces.install.journal import Journal
    from tacit.interfaces.install.program import Program

OWN = "// Tacit:"  # how a file that is Tacit's whole begins


class Change(Value):
    """One file that will be other than it is; None stands for no file."""

    entry: Entry
    before: bytes | None
    after: bytes | None
    original: bytes | None  # what an uninstall gives back
    connects: bool

    @property
    def word(self) -> str:
        """What happens to the file."""
        if self.before is None:
            return "create"
        return "remove" if self.after is None else "edit"

    @property
    def diff(self) -> str:
        """The change as a unified diff, with line ends shown as those of Unix."""
        from difflib import unified_diff

        old, new = (_lines(raw) for raw in (self.before, self.after))
        here, there = (
            "/dev/null" if raw is None else self.entry.file for raw in (self.before, self.after)
        )
        lines = unified_diff(old, new, here, there, lineterm="")
        return "".join(line + "\n" for line in lines)


def plan_install(
    hosts: Sequence[str],
    where: str,
    root: str,
    machine: Machine,
    program: Program,
    journal: Journal,
) -> list[Change]:
    """Give the changes that connect hosts; none for a file that is as it should be."""
    found = [
        _connecting(target, journal)
        for host in hosts
        for target in targets(host, where, root, machine, program)
    ]
    return [change for change in found if change is not None]


def plan_uninstall(
    hosts: Sequence[str], root: str, machine: Machine, program: Program, journal: Journal
) -> list[Change]:
    """Give the changes that take Tacit out of hosts: what is noted, and what can be seen."""
    from tacit.interfaces.install.hosts import places_of

    noted = [entry for entry in reversed(journal.entries) if entry.host in hosts]
    seen = [
        _entry_of(target)
        for host in hosts
        for where in places_of(host)
        if root or where == "user"
        for target in targets(host, where, root, machine, program)
    ]
    keys = {entry.key for entry in noted}
    found: list[Change] = []
    now: dict[str, bytes | None] = {}  # a file may be changed for several reasons
    for entry in [*noted, *(entry for entry in seen if entry.key not in keys)]:
        real = os.path.realpath(entry.file)
        before = now[real] if real in now else files.read(real)
        change = _disconnecting(entry, before, journal)
        if change is not None:
            now[real] = change.after
            found.append(change)
    return found


def _connecting(target: Target, journal: Journal) -> Change | None:
    raw = files.read(os.path.realpath(target.file))
    entry = journal.find(_entry_of(target).key)
    try:
        after = _with(target, raw)
        if after == raw:
            return None
        original = _original(target, raw, entry, journal)
        blanks: dict[tuple[str, ...], str] = {}
        if target.wanted is not None and original is not None and original.strip():
            blanks = blanks_of(files.decode(original), target.wanted)
    except TacitError as error:
        raise type(error)(f"{target.file}: {error}; nothing was changed") from error
    folders = entry.folders if entry else files.missing_folders(os.path.realpath(target.file))
    noted = _entry_of(target).replace(
        before=mark(original),
        after=mark(after),
        blanks=tuple(blanks.items()),
        folders=tuple(folders),
    )
    return Change(entry=noted, before=raw, after=after, original=original, connects=True)


def _with(target: Target, raw: bytes | None) -> bytes:
    if target.wanted is not None:
        text = files.decode(raw) if raw is not None else "{}\n"
        return connect(text, target.wanted).encode()
    if target.table:
        return connect_toml(files.decode(raw or b""), target.table).encode()
    if raw is not None and not _is_own(raw):
        raise Conflict("it was written by someone else; rename it")
    return target.content.encode()


def _original(
    target: Target, raw: bytes | None, entry: Entry | None, journal: Journal
) -> bytes | None:
    """Give what the file was, or would be now, without Tacit."""
    if entry is not None and mark(raw) == entry.after and journal.has_original(entry):
        return journal.original(entry)
    return None if raw is None else _without(entry or _entry_of(target), raw)


def _disconnecting(entry: Entry, raw: bytes | None, journal: Journal) -> Change | None:
    if raw is None:
        return None
    if mark(raw) == entry.after and journal.has_original(entry):
        after = journal.original(entry)
    else:
        try:
            after = _without(entry, raw)
        except TacitError as error:
            raise type(error)(f"{entry.file}: {error}; nothing was changed") from error
    if after == raw:
        return None
    return Change(entry=entry, before=raw, after=after, original=None, connects=False)


def _without(entry: Entry, raw: bytes) -> bytes | None:
    """Take out what is Tacit's; None when the file was made for it and nothing else is left."""
    if entry.kind == "own":
        return None if _is_own(raw) else raw
    text = files.decode(raw)
    if not text.strip("\ufeff \t\r\n"):
        return raw
    made = bool(entry.after) and not entry.before
    if entry.kind == "toml":
        left = disconnect_toml(text)
        return None if made and not left.strip() else left.encode()
    left = disconnect(text, entry.servers, dict(entry.blanks))
    made = made or (left != text and os.path.basename(entry.file) == "tacit.json")
    return None if made and is_bare(left) else left.encode()


def _entry_of(target: Target) -> Entry:
    return Entry(
        host=target.host,
        where=target.where,
        root=target.root,
        file=target.file,
        kind=target.kind,
        servers=target.servers,
        before="",
        after="",
    )


def _is_own(raw: bytes) -> bool:
    return raw.startswith(OWN.encode())


def _lines(raw: bytes | None) -> list[str]:
    return (raw or b"").decode("utf-8", "replace").replace("\r\n", "\n").splitlines()
