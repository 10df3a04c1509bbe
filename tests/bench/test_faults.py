"""The laboratory finds what is wrong with a harmed store, and a short round of it finds nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import apsw
import pytest

from tacit.bench.faults.check import wrongs
from tacit.bench.faults.journal import Journal, Told, perform, read
from tacit.bench.faults.made_up import open_memory, steps_of
from tacit.bench.faults.outcome import Outcome, _outdone
from tacit.bench.faults.run import Ran, command
from tacit.errors import NotFound

# Of the rest the like is tried by tests of their own: hooks, cycles, sixteen writers.
KINDS = [
    *("kill-batch", "kill-supersede", "kill-merge", "kill-upgrade", "kill-backup", "power-cut"),
    *("disk-full", "read-only", "clock-jumps", "torn-log", "torn-file", "two-versions"),
]


@pytest.fixture
def harmed(tmp_path):
    """Give a store with an account of what was written, and a function that harms it."""
    path, journal = str(tmp_path / "memory.db"), str(tmp_path / "writer.txt")
    steps = [*steps_of(1, 0, "batch", 2), *steps_of(2, 0, "supersede", 8)]
    with open_memory(path) as tacit:
        perform(tacit, steps, Journal(journal))

    def harm(sql, *values):
        connection = apsw.Connection(path)
        connection.execute(sql, values)
        connection.close()
        with open_memory(path) as tacit:
            return wrongs(tacit.store, [read(journal, steps)])

    return harm


def test_a_store_that_nobody_harmed_has_nothing_wrong(harmed):
    assert harmed("SELECT 1") == []


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("DELETE FROM memory WHERE row = 1", "lost"),
        ("DELETE FROM memory WHERE row = 1", "half a batch"),
        ("UPDATE memory SET full = (SELECT full FROM memory WHERE row = 2) WHERE row = 1", "twice"),
        ("UPDATE memory SET full = 'Nobody said this' WHERE row = 1", "from nowhere"),
        ("UPDATE memory SET full = full || '!' WHERE row = 1", "lost"),
        ("UPDATE memory SET hash = 'other' WHERE row = 1", "does not fit its hash"),
        ("DELETE FROM mention WHERE memory = 1", "half there"),
        ("DELETE FROM embedding WHERE memory = 1", "has no vector"),
        ("DELETE FROM revision", "is not in its history"),
        ("UPDATE memory SET valid_to = NULL WHERE key <> ''", "overlap"),
        ("UPDATE memory SET body = '{' WHERE row = 1", "cannot be read"),
        ("UPDATE memory SET tier = 'boss' WHERE row = 1", "cannot be read"),
        ("INSERT INTO memory_text (memory_text) VALUES ('delete-all')", "text index"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM scope", "missing scope"),
    ],
)
def test_the_checker_tells_what_was_harmed(harmed, sql, said):
    assert any(said in wrong for wrong in harmed(sql))


def test_what_was_refused_may_not_be_there(tmp_path):
    steps = steps_of(1, 0, "single", 1)
    with open_memory(str(tmp_path / "memory.db")) as tacit:
        tacit.remember_many(steps[0].drafts)
        told = Told(steps=tuple(steps), tried=(0,), acknowledged={}, refused={0: "Busy"})

        assert any("refused but there" in wrong for wrong in wrongs(tacit.store, [told]))


def test_a_step_whose_last_line_was_cut_off_counts_as_open(tmp_path):
    path, steps = str(tmp_path / "writer.txt"), steps_of(1, 0, "single", 2)
    with open(path, "w") as file:
        file.write("try 0\nkept 0 a\ntry 1\nkept 1 b")

    told = read(path, steps)

    assert told.acknowledged == {0: ("a",)}
    assert told.open == (1,)


def test_the_same_seed_asks_for_the_same():
    assert steps_of(7, 1, "mixed", 5) == steps_of(7, 1, "mixed", 5)
    assert steps_of(7, 1, "mixed", 5) != steps_of(8, 1, "mixed", 5)


def test_a_failure_is_told_with_the_command_that_repeats_it():
    ran = Ran(kind="torn-log", seed=17, seconds=0.1, outcome=Outcome(wrong=("lost",)))

    said = command("sqlite", ran)

    assert said == "tacit bench faults --store sqlite --only torn-log --seed 17 --runs 1"


def test_a_kind_that_is_not_there_is_named_with_those_that_are(tmp_path):
    from tacit.bench.faults.run import run

    with pytest.raises(NotFound, match="kill-batch"):
        run("sqlite", 1, 1, ["earthquake"], lambda _line: None)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("store", "kinds"),
    [("sqlite", KINDS), ("postgres", ["kill-batch", "lost-answer", "migrate-at-once"])],
)
def test_a_round_over_the_kinds_loses_nothing(tmp_path, store, kinds):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tacit", "bench", "faults", "--json", "--store", store),
            *("--runs", str(len(kinds)), "--seed", "20", "--only", ",".join(kinds)),
        ],
        capture_output=True,
        text=True,
        env=os.environ | {"HOME": str(tmp_path)},
    )

    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["metrics"]["runs"] == len(kinds)
    assert told["metrics"]["acknowledged"] > 0
    assert "failures" not in told["sections"], done.stderr


def test_an_older_value_of_a_key_is_not_said_again_after_a_newer_one():
    key = next(
        step for step in steps_of(1, 0, "supersede", 9) if step.drafts[0].key
    )  # a fact with a key
    plain = steps_of(1, 0, "single", 1)[0]
    told = Told(steps=(key, plain, key), tried=(0, 1, 2), acknowledged={}, refused={})

    assert [_outdone(told, number) for number in range(3)] == [True, False, False]
