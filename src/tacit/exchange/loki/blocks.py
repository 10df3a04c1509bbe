"""Ledgers, handoffs and CONTINUITY.md: each file is a block, and its text is the file.

A ledger is `<agent>.json` or free Markdown; a handoff is the message of one agent to another,
or what a run left behind, with Markdown beside it that says the same.
"""

from __future__ import annotations

import json

from tacit.body import Block
from tacit.draft import Draft
from tacit.exchange.loki.record import dumped, moment, name_of, safe, text
from tacit.model import Kind, Origin, Trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.exchange.loki.record import Record
    from tacit.model import Memory

CONTINUITY = "CONTINUITY.md"
FOLDERS = {"ledgers": "ledger", "handoffs": "handoff"}
LIMIT = 5000


def label_of(folder: str, stem: str, record: Record | None) -> str:
    """Name a block: `ledger:<agent>` or `handoff:<id>`."""
    names = ("agent_id",) if folder == "ledgers" else ("id",)
    return name_of(f"{FOLDERS[folder]}:{text(record or {}, *names) or stem}")


def draft_of(label: str, content: str | Record, ref: str, when: datetime | None) -> Draft:
    """Give the block of a file, JSON or Markdown; `when` stands in for its time."""
    record = content if isinstance(content, dict) else {}
    said = content if isinstance(content, str) else dumped(content)
    return Draft(
        text=said,
        kind=Kind.BLOCK,
        body=Block(
            label=label,
            limit=max(LIMIT, len(said)),
            owner=name_of(text(record, "agent_id", "from_agent")),
        ),
        title=label,
        valid_from=moment(record, "last_checkpoint", "timestamp") or when,
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=ref,
        renews=True,
    )


def content_of(memory: Memory, original: Record | None) -> str | Record:
    """Give what the file of a block holds: the original while the text is still the same."""
    if original is not None and memory.text == dumped(original):
        return original
    try:
        told = json.loads(memory.text)
    except (ValueError, RecursionError):
        return memory.text
    return told if isinstance(told, dict) else memory.text


def path_of(memory: Memory, content: str | Record) -> str | None:
    """Give where the file of a block goes that never had one; None where it has no place."""
    assert isinstance(memory.body, Block)
    label = memory.body.label
    if label == "continuity":
        return CONTINUITY
    sort, _, name = label.partition(":")
    folder = next((folder for folder, each in FOLDERS.items() if each == sort), None)
    if folder is None or not name:
        return None
    return f"{folder}/{safe(name)}.{'md' if isinstance(content, str) else 'json'}"
