"""The bench of databases: a small run through all of it, on a real server."""

from __future__ import annotations

import argparse
import re

import pytest

from postgres_server import address, run
from tacit.bench import databases, in_turns


@pytest.fixture(scope="module")
def result():
    """Give the figures of a thousand memories, and what was told on the way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(databases, "QUERIES", 4)
        patch.setattr(in_turns, "USERS", 2)
        told = []
        given = argparse.Namespace(sizes="1000", store=address("postgres"))
        yield databases.run(given, told.append), told


def test_a_recall_is_held_against_its_statements_the_file_and_many_users(result):
    row = result[0]["categories"]["own 1000"]

    assert row["vs_raw"] > 0
    assert row["vs_file"] > 0
    assert row["users_per_s"] > 0
    assert row["file_users_ms_p95"] >= row["file_users_ms_p50"]
    assert row["copied_per_s"] > 0


@pytest.mark.parametrize("who", ["tenant", "author", "team"])
@pytest.mark.parametrize(("part", "memories"), [("1 %", 10), ("10 %", 100)])
def test_a_few_memories_behind_walls_are_all_found(result, who, part, memories):
    row = result[0]["categories"][f"{who} of {part}, 1000"]

    assert row["memories"] == memories
    assert row["recall"] == 1.0


def test_progress_is_told_and_no_database_is_left(result):
    assert re.search("asked in turns", "\n".join(result[1]))
    assert run("SELECT 1 FROM pg_database WHERE datname LIKE 'tacit_bench_%'") == []
