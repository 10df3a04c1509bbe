"""LoCoMo: questions over very long conversations; a memory is a turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tacit.bench.case import Ask, Collection, Remember, read_lines
from tacit.clock import parse_time
from tacit.draft import Draft
from tacit.model import Kind

FOLDER = "locomo"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
LIMIT = 10


def collections(folder: str) -> Iterator[Collection]:
    """Give one store a conversation."""
    questions = list(read_lines(folder, "questions.jsonl"))
    for conversation, group in groupby(read_lines(folder, "turns.jsonl"), key=lambda t: t["conv"]):
        turns = list(group)
        remember = Remember(
            drafts=tuple(_draft(turn) for turn in turns),
            names=tuple(turn["turn"] for turn in turns),
        )
        asks = tuple(
            Ask(
                id=question["id"],
                category=CATEGORIES[question["category_id"]],
                query=question["question"],
                wanted=frozenset(question["evidence"]),
            )
            for question in questions
            if question["conv"] == conversation and question["evidence"]
        )
        yield Collection(name=conversation, steps=(remember, *asks))


def _draft(turn: dict[str, str]) -> Draft:
    caption = turn.get("image_caption")
    return Draft(
        text=turn["text"] + (f" [{caption}]" if caption else "") or "…",
        kind=Kind.EPISODE,
        author=turn["speaker"],
        session=f"{turn['conv']}/{turn['session']}",
        valid_from=parse_time(turn["time"]),
    )
