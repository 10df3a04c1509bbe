"""Disks that refuse: no room left, no right to write.

Whoever may mount gets a small file system in memory; others get the limit that the system
sets to the size of a file.
"""

from __future__ import annotations

import os
import resource
import stat
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tacit.bench.faults.journal import Journal, perform, read
from tacit.bench.faults.made_up import Step, fill, open_memory, steps_of
from tacit.bench.faults.outcome import Outcome, Place, judged
from tacit.bench.faults.processes import complaints_in, ended, start
from tacit.errors import Denied, TacitError, Unavailable
from tacit.store.protocol import EVERYTHING

MOUNT, UNMOUNT = "/usr/bin/mount", "/usr/bin/umount"
NOBODY = 65534
STEPS = 400
REFUSALS = 4  # after which a writer gives up


def full(place: Place) -> Outcome:
    """Write until there is no room; then there is some again."""
    size = place.chance.randrange(1_000, 2_000) * 1024
    if may_mount() and place.chance.random() < 0.7:
        with small_disk(place, size) as there:
            return _until_full(there, how="a full file system")
    return _until_full(place, how="the limit of a file", limit=size)


def _until_full(place: Place, *, how: str, limit: int = 0) -> Outcome:
    steps = steps_of(place.seed, 0, "mixed", STEPS)
    known = fill(place.location, place.seed, 3)
    # The account lies elsewhere: it has to be written when nothing else can be.
    journal = place.journal(0).replace("/disk/", "/")

    def work() -> None:
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        with open_memory(place.location) as tacit:
            perform(tacit, steps, Journal(journal), patience=REFUSALS)

    ended(start(work, place.complaints))
    told = read(journal, steps)
    wrong = [why for why in told.refused.values() if not _clear(why)]
    wrong += complaints_in(place.complaints)
    if not told.refused:
        wrong.append(f"nothing was refused; {len(told.acknowledged)} steps were kept")
    if not limit:
        _make_room(place.folder)
    return judged(place, [told], known=known, wrong=wrong, how=how)


def read_only(place: Place) -> Outcome:
    """Take the right to write away: what is there can be read or is refused, never changed."""
    known = fill(place.location, place.seed, 8)
    way = place.chance.choice(("file", "folder", "mount") if may_mount() else ("file", "folder"))
    if way == "mount":
        with small_disk(place, 8 << 20) as there:
            fill(there.location, place.seed, 8)
            subprocess.run([MOUNT, "-o", "remount,ro", there.folder], check=True)
            return _denied(place, there.location, known_texts(known), how="a read-only mount")
    os.chmod(place.location, 0o444)
    if way == "folder":
        os.chmod(place.folder, 0o555)  # noqa: S103 - what is tried is that nobody may write
    try:
        return _denied(place, place.location, known_texts(known), how=f"a read-only {way}")
    finally:
        os.chmod(place.folder, 0o700)


def known_texts(steps: Sequence[Step]) -> set[str]:
    """Give what steps say."""
    return {text for step in steps for text in step.texts}


def _denied(place: Place, location: str, texts: set[str], *, how: str) -> Outcome:
    before = _bytes(location)
    reader, writer = os.pipe()

    def work() -> None:
        if os.geteuid() == 0:
            _let_through(place.folder)
            os.setegid(NOBODY)
            os.seteuid(NOBODY)
        os.write(writer, _looked(location, texts).encode())

    ended(start(work, place.complaints))
    os.close(writer)
    said = b""
    while block := os.read(reader, 65536):
        said += block
    os.close(reader)
    wrong = [] if said.startswith(b"well") else [said.decode() or "no answer"]
    wrong += complaints_in(place.complaints)
    if _bytes(location) != before:
        wrong.append("the file was changed")
    return Outcome(wrong=tuple(wrong), tried=1, acknowledged=len(texts), refused=1, how=how)


def _looked(location: str, texts: set[str]) -> str:
    try:
        tacit = open_memory(location)
        found = {memory.text for memory in tacit.store.scan(EVERYTHING)}
    except (Denied, Unavailable):
        return "well: reading was refused"
    if found != texts:
        return f"{len(found)} of {len(texts)} were served"
    try:
        tacit.remember("This may not be kept by anybody.")
    except (Denied, Unavailable):
        return "well: writing was refused"
    except TacitError as error:
        return f"refused as {type(error).__name__}: {error}"
    return "a write was acknowledged"


def may_mount() -> bool:
    """Tell whether this process may mount a file system."""
    return os.geteuid() == 0 and os.path.exists(MOUNT) and _mountable()


_known: list[bool] = []


def _mountable() -> bool:
    if not _known:
        import tempfile

        with tempfile.TemporaryDirectory(prefix="tacit-faults-") as folder:
            done = subprocess.run(
                [MOUNT, "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder],
                capture_output=True,
                check=False,
            )
            if done.returncode == 0:
                subprocess.run([UNMOUNT, folder], check=True)
            _known.append(done.returncode == 0)
    return _known[0]


@contextmanager
def small_disk(place: Place, size: int) -> Iterator[Place]:
    """Give the same run on a file system of its own."""
    folder = place.path("disk")
    os.mkdir(folder)
    subprocess.run(
        [MOUNT, "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", folder], check=True
    )
    try:
        location = os.path.join(folder, "memory.db")
        yield place.replace(folder=folder, location=location)
    finally:
        subprocess.run([UNMOUNT, "--lazy", folder], check=True)


def _make_room(folder: str) -> None:
    subprocess.run([MOUNT, "-o", "remount,size=64m", folder], check=True)


def _clear(why: str) -> bool:
    return why.startswith("Unavailable") and ("no room" in why or "could not be" in why)


def _let_through(folder: str) -> None:
    for part in (folder, os.path.dirname(folder)):
        mode = stat.S_IMODE(os.stat(part).st_mode)
        if not mode & 0o005:
            os.chmod(part, mode | 0o005)


def _bytes(location: str) -> bytes:
    with open(location, "rb") as file:
        return file.read()
