"""Skills: Markdown and JSON, one memory for both. The Markdown is the memory's text.

Both headings of known errors are read (`## Common Errors & Fixes`, `… and Fixes`); what stands
under other headings stays in the text.
"""

from __future__ import annotations

import re

from tacit.body import Fix, Skill, Step
from tacit.clock import show_time
from tacit.draft import Draft
from tacit.exchange.loki.lay import laid, with_use
from tacit.exchange.loki.record import moment, name_of, records, share, text, texts
from tacit.model import Kind, Origin, Trust, UsageEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.codec import Json
    from tacit.exchange.loki.lay import Used
    from tacit.exchange.loki.record import Record
    from tacit.model import Memory

MOST_LINES = 1000  # of one part of a skill
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.*\S)")
_SLUG = re.compile(r"[^a-z0-9]+")


def draft_of(record: Record, ref: str, markdown: str | None) -> Draft | None:
    """Give the skill that a JSON record, a Markdown file, or both tell of."""
    told = parse(markdown) if markdown else {}
    merged = told | {name: value for name, value in record.items() if value}
    name = text(merged, "name", "title")
    if not name and not text(merged, "description") and not texts(merged, "steps"):
        return None
    body = _body(merged)
    return Draft(
        text=markdown or shown(merged),
        kind=Kind.SKILL,
        body=body,
        title=name_of(name),
        confidence=share(record, "confidence", 1.0),
        importance=share(record, "importance", 0.5),
        valid_from=moment(record, "created_at"),
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=ref,
        renews=True,
    )


def record_of(
    memory: Memory, original: Record | None, markdown: str | None, slug: str, used: Used
) -> Record:
    """Give the JSON of a skill: what it was read from with what is different now."""
    now = _fields(memory)
    if original is None:
        blank: Record = {"id": f"skill-{slug}", "name": memory.levels.title, "description": ""}
        rest: Record = {"prerequisites": [], "steps": [], "common_errors": [], "exit_criteria": []}
        use: Record = {"importance": 0.5, "access_count": 0}
        made: Record = {"created_at": show_time(memory.recorded_at)}
        record = laid({**blank, **rest, **use, **made}, {}, now)
    else:
        read = draft_of(original, memory.source_ref, markdown)
        record = laid(original, _fields(read) if read else {}, now)
    return with_use(
        record, used, counter="access_count", last="last_accessed", event=UsageEvent.LOADED
    )


def markdown_of(memory: Memory) -> str:
    """Give the Markdown of a skill: its text, where that is one, else made from its parts."""
    if memory.text.lstrip().startswith("#"):
        return memory.text
    body = memory.body
    assert isinstance(body, Skill)
    return shown({"name": memory.levels.title, "description": memory.text, **_parts(body)})


def slug_of(name: str) -> str:
    """Give the name of a skill as a file's name."""
    return _SLUG.sub("-", name.lower()).strip("-")[:80] or "skill"


def parse(markdown: str) -> Record:
    """Read the parts of a skill from its Markdown; what is missing is left out."""
    found: Record = {}
    part = "description"
    lines: dict[str, list[str]] = {}
    for line in markdown.splitlines()[: 10 * MOST_LINES]:
        heading = re.match(r"^(#{1,6})\s+(.*?)\s*#*\s*$", line)
        if heading and len(heading[1]) == 1 and "name" not in found:
            found["name"] = re.sub(r"(?i)^skill:\s*", "", heading[2])
        elif heading:
            part = _part(heading[2])
        else:
            lines.setdefault(part, []).append(line)
    if said := "\n".join(lines.get("description", [])).strip():
        found["description"] = said
    for name in ("prerequisites", "steps", "exit_criteria"):
        if items := _items(lines.get(name, [])):
            found[name] = list(items)
    fixes: list[Json] = []
    for item in _items(lines.get("common_errors", [])):
        error, _, fix = item.partition(": ")
        fixes.append({"error": error.strip("* "), "fix": fix.strip()})
    return found | ({"common_errors": fixes} if fixes else {})


def shown(record: Record) -> str:
    """Write a skill as Markdown."""
    parts = [f"# Skill: {text(record, 'name', 'title') or 'unnamed'}"]
    if said := text(record, "description"):
        parts.append(said)
    body = _body(record)
    numbered = [f"{n}. {_step(step)}" for n, step in enumerate(body.steps, 1)]
    fixes = [f"- {fix.error}: {fix.fix}" for fix in body.errors]
    for heading, lines in (
        ("Prerequisites", [f"- {item}" for item in body.prerequisites]),
        ("Steps", numbered),
        ("Common Errors & Fixes", fixes),
        ("Exit Criteria", [f"- {item}" for item in body.exit]),
    ):
        if lines:
            parts.append("\n".join([f"## {heading}", *lines]))
    return "\n\n".join(parts) + "\n"


def _part(heading: str) -> str:
    words = heading.lower()
    if words.startswith(("common error", "errors")):
        return "common_errors"
    known = {"prerequisites": "prerequisites", "steps": "steps", "exit criteria": "exit_criteria"}
    return known.get(words, "other")


def _items(lines: list[str]) -> list[str]:
    return [found[1] for line in lines[:MOST_LINES] if (found := _ITEM.match(line))]


def _body(record: Record) -> Skill:
    return Skill(
        trigger=text(record, "description") or text(record, "name", "title"),
        prerequisites=texts(record, "prerequisites")[:MOST_LINES],
        steps=tuple(_steps(record.get("steps"))),
        errors=tuple(
            Fix(error=text(fix, "error"), fix=text(fix, "fix", "resolution"))
            for fix in records(record.get("common_errors"))[:MOST_LINES]
        ),
        exit=texts(record, "exit_criteria")[:MOST_LINES],
    )


def _steps(value: Json) -> list[Step]:
    found: list[Step] = []
    for item in value[:MOST_LINES] if isinstance(value, list) else []:
        if isinstance(item, dict):
            name = text(item, "name", "description", "action", "step")
            found.append(Step(name=name, command=text(item, "command")))
        elif isinstance(item, str) and item.strip():
            found.append(Step(name=item.strip()))
    return found


def _step(step: Step) -> str:
    return f"{step.name}: `{step.command}`" if step.command else step.name


def _parts(body: Skill) -> Record:
    steps: list[Json] = [
        {"name": step.name, "command": step.command} if step.command else step.name
        for step in body.steps
    ]
    fixes: list[Json] = [{"error": fix.error, "fix": fix.fix} for fix in body.errors]
    return {
        "prerequisites": list(body.prerequisites),
        "steps": steps,
        "common_errors": fixes,
        "exit_criteria": list(body.exit),
    }


def _fields(kept: Draft | Memory) -> Record:
    """Tell a skill in the fields of a record; its text tells best where it is Markdown."""
    body = kept.body
    assert isinstance(body, Skill)
    told = parse(kept.text) if kept.text.lstrip().startswith("#") else {}
    named: Record = {name: told[name] for name in ("name", "description") if name in told}
    parts = _parts(_body(told) if told else body)
    return {**named, **parts, "importance": kept.importance}
