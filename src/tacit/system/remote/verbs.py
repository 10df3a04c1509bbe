"""Which methods of the facade can be asked of a server, and what each of them needs.

The one table for both ends: a client makes its methods of it, the server refuses what is not in
it. What reads or writes files by their path is not: a path means something on one machine alone.
"""

from __future__ import annotations

from tacit.errors import NotFound
from tacit.value import Value

# Objects of the facade that have methods of their own, and the class of each.
HELD = {
    "blocks": ("tacit.session.blocks", "Blocks"),
    "ledgers": ("tacit.session.ledgers", "Ledgers"),
    "handoffs": ("tacit.session.handoffs", "Handoffs"),
    "continuity": ("tacit.session.continuity", "Continuity"),
    "memory_files": ("tacit.session.memory_files", "MemoryFiles"),
}
_QUESTIONS = """
    recall_explained list get show why handed timeline learnt contradictions status pending
    unverified candidates brief predict score_predictions for_phase index_view timeline_view
    load_topics expand economics roi report effects sessions injected taken_for corrections
    blocks.get blocks.find blocks.named blocks.list ledgers.get ledgers.list
    handoffs.get handoffs.inbox handoffs.open_for
    continuity.get continuity.memory continuity.text continuity.file_text
    memory_files.view memory_files.read memory_files.files
"""
_CHANGES = """
    write edit set forget restore link cite feedback close_session resolve accept incognito
    correct take_back_correction
    blocks.set blocks.insert blocks.replace blocks.rethink ledgers.set
    handoffs.send handoffs.accept continuity.update continuity.set
    memory_files.create memory_files.str_replace memory_files.insert memory_files.delete
    memory_files.rename memory_files.put
"""
# Methods that are right as they are: they stand on those above, or need no store at all.
HERE = ("remember", "remember_many", "recall", "before_task", "detect", "strategies", "drift",
        "advise", "trim", "profile_space", "open", "close", "take_troubles", "export", "import_")  # fmt: skip


class Verb(Value):
    """A method that can be asked of a server."""

    name: str
    scope: str  # what a token must allow
    changes: bool = False
    long: bool = False  # may take longer than other requests, and is told step by step


def verb_named(name: str) -> Verb:
    """Give the verb of a name; a method that is not served is as unknown as one that is not."""
    if name not in VERBS:
        raise NotFound(f"{name} cannot be asked of a server; see docs/howto/remote.md")
    return VERBS[name]


VERBS = {
    **{name: Verb(name=name, scope="read") for name in _QUESTIONS.split()},
    **{name: Verb(name=name, scope="write", changes=True) for name in _CHANGES.split()},
    "erase": Verb(name="erase", scope="admin", changes=True),
    "outlook": Verb(name="outlook", scope="read", long=True),
    "consolidate": Verb(name="consolidate", scope="write", changes=True, long=True),
}
