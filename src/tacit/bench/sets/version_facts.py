"""Version facts: statements that replace one another; what holds now, and what held then."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from tacit.bench.case import Ask, Collection, Remember, read_lines
from tacit.clock import parse_time
from tacit.draft import Draft
from tacit.model import Origin, Trust

FOLDER = "version-facts"
LIMIT = 5


def collections(folder: str) -> Iterator[Collection]:
    """Give one store a repository."""
    questions = list(read_lines(folder, "questions.jsonl"))
    facts = sorted(read_lines(folder, "facts.jsonl"), key=lambda fact: str(fact["repo"]))
    for repo, group in groupby(facts, key=lambda fact: fact["repo"]):
        stated = list(group)
        remember = Remember(
            drafts=tuple(_draft(fact) for fact in stated),
            names=tuple(fact["id"] for fact in stated),
        )
        asks = tuple(_ask(question) for question in questions if question["repo"] == repo)
        yield Collection(name=repo, steps=(remember, *asks))


def _draft(fact: dict[str, str]) -> Draft:
    return Draft(
        text=fact["statement"],
        key=f"{fact['package']} {fact['scope']} version",
        value=fact["new"],
        valid_from=parse_time(fact["date"]),
        origin=Origin.EXTRACTED,
        trust=Trust.TOOL,
        source_ref=f"commit:{fact['id']}",
    )


def _ask(question: dict[str, Any]) -> Ask:
    as_of = question["as_of"]
    return Ask(
        id=question["id"],
        category=question["kind"],
        query=question["question"],
        wanted=frozenset({question["evidence"]}),
        stale=frozenset(question["superseded"]),
        options=(("as_of", parse_time(as_of)),) if as_of else (),
    )
