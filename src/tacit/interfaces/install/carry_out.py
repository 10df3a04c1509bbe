"""Changes made on disk: all of a host's or none, and the journal always ahead of the files."""

from __future__ import annotations

import os

from tacit.errors import Conflict
from tacit.interfaces.install import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.interfaces.install.journal import Journal
    from tacit.interfaces.install.plan import Change


def connect_hosts(changes: Sequence[Change], journal: Journal) -> None:
    """Make the changes, host by host; one host that fails is put back and ends the run."""
    for mine in _by_host(changes):
        _check(mine)
        earlier = list(journal.entries)
        journal.add([change.entry for change in mine], [change.original for change in mine])
        try:
            _write(mine)
        except OSError:
            journal.set(earlier)
            for change in mine:
                if journal.find(change.entry.key) is None:
                    files.remove_folders(list(change.entry.folders))
            raise
        journal.set(journal.entries)


def disconnect_hosts(changes: Sequence[Change], hosts: Sequence[str], journal: Journal) -> None:
    """Make the changes, host by host, and strike the hosts out of the journal."""
    for mine in _by_host(changes):
        _check(mine)
        _write(mine)
    for entry in journal.entries:
        if entry.host in hosts and not os.path.lexists(entry.file):
            files.remove_folders(list(entry.folders))
    journal.set([entry for entry in journal.entries if entry.host not in hosts])


def _by_host(changes: Sequence[Change]) -> list[list[Change]]:
    hosts = dict.fromkeys(change.entry.host for change in changes)
    return [[change for change in changes if change.entry.host == host] for host in hosts]


def _check(changes: Sequence[Change]) -> None:
    """See that each file still is what the change was worked out from."""
    seen: set[str] = set()
    for change in changes:
        real = os.path.realpath(change.entry.file)
        if real not in seen and files.read(real) != change.before:
            raise Conflict(f"{change.entry.file} was changed meanwhile; run the command again")
        seen.add(real)


def _write(changes: Sequence[Change]) -> None:
    done: list[Change] = []
    try:
        for change in changes:
            private = change.entry.where != "project"
            files.write(os.path.realpath(change.entry.file), change.after, private=private)
            done.append(change)
    except OSError:
        for change in reversed(done):
            files.write(os.path.realpath(change.entry.file), change.before)
        raise
