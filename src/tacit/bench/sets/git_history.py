"""Histories of repositories, and files that were opened before others were needed.

A case is a commit to come: one of its files is opened, the others are needed. Only commits
before it may be known.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tacit.bench.case import read_lines
from tacit.clock import parse_time
from tacit.observation import Change, Commit
from tacit.value import Value

FOLDER = "git-history"


class Opening(Value):
    """A file that is opened, when, and what turns out to be needed."""

    id: str
    at: datetime
    opened: str
    task: str
    needed: frozenset[str]
    useful: frozenset[str] = frozenset()  # past commits, by their short names


def repositories(folder: str) -> Iterator[tuple[str, list[Commit | Opening]]]:
    """Give each repository's commits with the cases between them, in the order of time."""
    cases: dict[str, dict[int, list[Opening]]] = {}
    for case in read_lines(folder, "cases.jsonl"):
        cases.setdefault(case["repo"], {}).setdefault(int(case["at"]), []).append(_opening(case))
    for repository in sorted(cases):
        steps: list[Commit | Opening] = []
        records = read_lines(folder, f"{repository.replace('/', '__')}.jsonl")
        for place, record in enumerate(records):
            steps += cases[repository].get(place, [])
            steps.append(_commit(record))
        yield repository, steps


def _opening(case: dict[str, Any]) -> Opening:
    return Opening(
        id=case["id"],
        at=parse_time(case["date"]),
        opened=case["opened"],
        task=case["subject"],
        needed=frozenset(case["needed_files"]),
        useful=frozenset(case["useful_commits"]),
    )


def _commit(record: dict[str, Any]) -> Commit:
    changes = (
        Change(path=file["path"], status=file["change"], old_path=file.get("from") or "")
        for file in record["files"]
    )
    return Commit(
        sha=record["hash"],
        at=parse_time(record["date"]),
        author=record["author"],
        subject=record["subject"],
        body=record["body"] or "",
        changes=tuple(changes),
    )
