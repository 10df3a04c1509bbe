"""Defects4J: failing tests, and other bugs of the project fixed in the same file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from tacit.bench.case import Ask, Collection, Remember, read_lines
from tacit.draft import Draft
from tacit.model import Kind, Origin, Trust

FOLDER = "defects4j-errors"
LIMIT = 10


def collections(folder: str) -> Iterator[Collection]:
    """Give one store a project; a bug is never its own answer."""
    cases = list(read_lines(folder, "cases.jsonl"))
    for project, group in groupby(read_lines(folder, "bugs.jsonl"), key=lambda b: b["project"]):
        bugs = {bug["id"]: bug for bug in group}
        remember = Remember(drafts=tuple(_draft(bug) for bug in bugs.values()), names=tuple(bugs))
        asks = tuple(
            Ask(
                id=case["id"],
                category=project,
                query=_errors(bugs[case["id"]]),
                wanted=frozenset(other["id"] for other in case["relevant"]),
                passed_over=frozenset({case["id"]}),
            )
            for case in cases
            if case["id"] in bugs
        )
        yield Collection(name=project, steps=(remember, *asks))


def _errors(bug: dict[str, Any]) -> str:
    return "\n".join(
        f"{error['test']} {error['error']} {error['message']}".strip() for error in bug["errors"]
    )


def _draft(bug: dict[str, Any]) -> Draft:
    parts = [_errors(bug), bug["diff"] or "", bug["note"] or ""]
    return Draft(
        text="\n".join(part for part in parts if part),
        kind=Kind.EPISODE,
        source_ref=f"bug:{bug['id']}",
        origin=Origin.EXTRACTED,
        trust=Trust.TOOL,
        files=tuple(bug["files"]),
    )
