"""BEAM: long project conversations with probing questions; a memory is a message."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from tacit.bench.case import Ask, Collection, Remember, read_lines
from tacit.clock import parse_time
from tacit.draft import Draft
from tacit.model import Kind, Origin, Trust

FOLDER = "beam"
LIMIT = 10


def collections(folder: str) -> Iterator[Collection]:
    """Give one store a chat."""
    questions = list(read_lines(folder, "questions.jsonl"))
    for chat, group in groupby(read_lines(folder, "turns.jsonl"), key=lambda t: t["chat"]):
        turns = list(group)
        remember = Remember(
            drafts=tuple(_draft(turn) for turn in turns),
            names=tuple(str(turn["turn"]) for turn in turns),
        )
        asks = tuple(
            Ask(
                id=question["id"],
                category=question["ability"],
                query=question["question"],
                wanted=frozenset(str(number) for number in question["evidence"]),
            )
            for question in questions
            if question["chat"] == chat and question["evidence"]
        )
        yield Collection(name=chat, steps=(remember, *asks))


def _draft(turn: dict[str, Any]) -> Draft:
    said = turn["role"] == "user"
    return Draft(
        text=turn["text"],
        kind=Kind.EPISODE,
        author=turn["role"],
        session=f"{turn['chat']}/{turn['session']}",
        origin=Origin.HUMAN if said else Origin.AGENT,
        trust=Trust.HUMAN if said else Trust.AGENT,
        valid_from=parse_time(turn["date"]) if turn["date"] else None,
    )
