"""A briefing in the sections Auto-Claude reads: knowledge, patterns, gotchas, sessions."""

from __future__ import annotations

from tacit.assemble.disclose import read_context
from tacit.assemble.format_page import Section, page
from tacit.assemble.render import warns
from tacit.body import Episode
from tacit.model import Kind, Tier
from tacit.retrieve.sorts import sort_of
from tacit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.assemble.briefing import Briefing, Item

KNOWLEDGE, KNOWLEDGE_CHARS = 10, 500
PATTERNS = 3
GOTCHAS = 3
SESSIONS, RECOMMENDATIONS = 2, 3
RECOMMENDED_CHARS = 200


def auto_claude(briefing: Briefing) -> str:
    """Give the sections that have something; nothing where there is nothing."""
    if not briefing.items:
        return ""
    named: dict[str, list[Item]] = {}
    for item in briefing.items:
        named.setdefault(_section_of(item), []).append(item)

    def section(name: str, most: int = 1_000, chars: int | None = None) -> Section:
        own = tuple(named.get(name, ()))
        return Section(heading=f"## {name}\n", items=own, most=most, chars=chars)

    return page(
        (
            section("Rules"),
            section("Knowledge", KNOWLEDGE, KNOWLEDGE_CHARS),
            section("Patterns", PATTERNS, KNOWLEDGE_CHARS),
            section("Gotchas", GOTCHAS, KNOWLEDGE_CHARS),
            section("Sessions", SESSIONS, KNOWLEDGE_CHARS),
        ),
        budget=briefing.budget,
        omitted=briefing.omitted,
        added=_recommendations,
    )


def _section_of(item: Item) -> str:
    """Name the one section a memory belongs to; a mandate has a place of its own."""
    memory = item.memory
    if memory.tier is Tier.MANDATE:
        return "Rules"
    if warns(memory) or sort_of(memory) == "error":
        return "Gotchas"
    if memory.kind is Kind.EPISODE:
        return "Sessions"
    return "Patterns" if memory.kind is Kind.PATTERN else "Knowledge"


def _recommendations(item: Item) -> list[str]:
    """Give what an earlier session leaves to the next: what resolved its errors, what was next."""
    body = item.memory.body
    if not isinstance(body, Episode):
        return []
    said = [f"{one.type}: {one.resolution}" for one in body.errors if one.resolution.strip()]
    said += read_context(item.memory.text).next_up
    lines = (shorten(" ".join(text.split()), RECOMMENDED_CHARS) for text in said)
    return list(dict.fromkeys(lines))[:RECOMMENDATIONS]
