"""Version facts: what holds now, and what held then.

Each fact is a commit whose subject says that a version changed; key and value are what the
product reads from that subject, so a fact that is misread does not replace the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from tacit.bench.case import Ask, Collection, Remember, read_lines
from tacit.clock import parse_time
from tacit.draft import Draft
from tacit.encode.dependencies import version_draft, version_in
from tacit.model import Origin, Trust
from tacit.observation import Commit

FOLDER = "version-facts"
LIMIT = 5


def collections(folder: str) -> Iterator[Collection]:
    """Give one store a repository."""
    questions = list(read_lines(folder, "questions.jsonl"))
    facts = sorted(read_lines(folder, "facts.jsonl"), key=lambda fact: str(fact["repo"]))
    for repo, group in groupby(facts, key=lambda fact: fact["repo"]):
        stated = list(group)
        remember = Remember(
            drafts=tuple(draft_of(fact) for fact in stated),
            names=tuple(fact["id"] for fact in stated),
        )
        asks = tuple(_ask(question) for question in questions if question["repo"] == repo)
        yield Collection(name=repo, steps=(remember, *asks))


def draft_of(fact: dict[str, str]) -> Draft:
    """Give what the product makes of the commit; a subject it cannot read is kept as a remark."""
    commit = Commit(
        sha=fact["id"], at=parse_time(fact["date"]), author="", subject=fact["statement"]
    )
    version = version_in(commit.subject)
    if version is not None:
        return version_draft(commit, version)
    return Draft(
        text=commit.subject,
        valid_from=commit.at,
        origin=Origin.EXTRACTED,
        trust=Trust.TOOL,
        source_ref=f"git:{commit.sha}",
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
