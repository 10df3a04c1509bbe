"""Makes the project card anew when something that it is made of has changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from tacit.encode.project_card import card_draft, card_lines
from tacit.encode.project_facts import project_facts
from tacit.ingest.reading import blob_sha
from tacit.model import Memory, Scope, Trust
from tacit.observe.sources import Gathered, Project
from tacit.store.protocol import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.protocol import Store

MADE_OF = ("documents", "manifests", "commands", "git")
FORM = 2  # of the card; another one is made anew everywhere
MARK = "watermark:card:"
AGENT_FILES = ("claude.md", "agents.md", "gemini.md", ".cursor", ".claude", "copilot")


def gather_card(
    store: Store, project: Project, scope: Scope, where: Filter, counts: Counter[str]
) -> Gathered | None:
    """Give the card of a project to be written; None while all it is made of is the same."""
    rules = [rule for rule in _kept(store, where, "rule") if _is_written_rule(rule)]
    pitfalls = _kept(store, where, "pitfall")
    mark = _mark(store, scope, [*rules, *pitfalls])
    if mark == store.load(f"{MARK}{scope.path}"):
        return None
    lines = card_lines(
        project_facts(project.files(counts)),
        project.stated_commands(counts),
        rules=rules,
        pitfalls=pitfalls,
        commits=project.commits(Counter(), lambda _what, _count: None),
    )
    draft = card_draft(lines)
    return Gathered(
        source="card", drafts=(draft,) if draft else (), seen=len(lines), mark=mark, stated=True
    )


def _kept(store: Store, where: Filter, subtype: str) -> list[Memory]:
    return list(store.scan(where.replace(subtypes=(subtype,)), order="-valid_from", limit=60))


def _is_written_rule(rule: Memory) -> bool:
    """Tell whether a rule is of a page for people: what tools enforce and hosts load is elsewhere."""
    source = rule.source_ref.lower()
    from_file = rule.trust is Trust.REPOSITORY and not source.startswith("project:")
    return from_file and not any(name in source for name in AGENT_FILES)


def _mark(store: Store, scope: Scope, memories: Sequence[Memory]) -> str:
    read = [store.load(f"watermark:{name}:{scope.path}") or "" for name in MADE_OF]
    said = [[memory.id, memory.hash] for memory in memories]
    return blob_sha(json.dumps([FORM, read, said]).encode())
