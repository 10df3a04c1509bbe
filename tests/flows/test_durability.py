"""What was acknowledged is there, whatever happens to the process that wrote it."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from processes import python, said, tell, together
from tacit.store.protocol import EVERYTHING
from tacit.store.sqlite.engine import SqliteStore

WRITER = Path(__file__).with_name("writer.py")


@pytest.mark.timeout(300)
def test_sixteen_processes_write_at_once_and_none_is_refused(tmp_path):
    path = tmp_path / "memory.db"

    printed = together(python(WRITER, path, f"w{n}", 200) for n in range(16))

    acknowledged = [id_ for out in printed for id_ in out.split()]
    assert len(acknowledged) == 16 * 200
    with closing(SqliteStore(str(path))) as store:
        assert [memory.id for memory in store.scan(EVERYTHING)] == sorted(acknowledged)
        assert store.check() == []


@pytest.mark.timeout(300)
def test_what_was_acknowledged_survives_a_killed_process(tmp_path):
    path, chance = tmp_path / "memory.db", Random(20)
    acknowledged: set[str] = set()

    for round_ in range(20):
        acknowledged |= killed_at_some_moment(path, f"r{round_}", chance)

        with closing(SqliteStore(str(path))) as store:
            kept = {memory.id for memory in store.scan(EVERYTHING)}
            assert acknowledged <= kept
            assert store.check() == []
            assert half_written(store) == []

    assert len(acknowledged) >= 40


def killed_at_some_moment(path, name, chance):
    """Let two processes write, kill them while they do, and give the ids they acknowledged."""
    writers = [python(WRITER, path, f"{name}{letter}", 100_000) for letter in "ab"]
    for writer in writers:
        assert said(writer) == "ready"
        tell(writer)
    seen = {said(chance.choice(writers))}
    time.sleep(chance.uniform(0, 0.1))
    for writer in writers:
        with writer:
            writer.kill()
            rest = writer.stdout.readlines()
        seen |= {line.strip() for line in rest if line.endswith("\n")}
    return seen


def half_written(store):
    """Give the ids of memories that lack what was written in the same transaction."""
    history = {revision.memory.id for revision in store.revisions(None)}
    linked = {link.src for link in store.links(None)}
    indexed = {match.id for match in store.match_text(["wrote"], EVERYTHING, limit=100_000)}
    return [
        memory.id
        for memory in store.scan(EVERYTHING)
        if not (memory.mentions and memory.id in history and memory.id in indexed)
        or not (memory.id in linked or memory.text.endswith("number 0"))
    ]
