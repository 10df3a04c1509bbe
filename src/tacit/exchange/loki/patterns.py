"""Semantic memory: patterns, what to avoid, and facts, each as the entry of a list file.

What to avoid is told in three forms: a pattern of the category `anti-pattern`, an entry of
`anti-patterns.json` (`what_fails why prevention source`), and a lesson with a description.
"""

from __future__ import annotations

from tacit.body import Fact, Pattern
from tacit.clock import show_time
from tacit.draft import Draft
from tacit.exchange.loki.lay import first_lines, laid, with_use
from tacit.exchange.loki.record import moment, name_of, plain, share, text, texts
from tacit.model import Kind, Origin, Polarity, Trust, UsageEvent
from tacit.text import squash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.exchange.loki.lay import Used
    from tacit.exchange.loki.record import Record
    from tacit.model import Memory

AVOID = "anti-pattern"
CONFIDENCE = 0.8  # of a pattern that does not tell
_WHAT = ("what_fails", "description", "mistake", "error", "lesson", "content", "pattern")


# Patterns


def pattern_draft(record: Record, ref: str) -> Draft | None:
    """Give the pattern of an entry, None where it says nothing."""
    category = text(record, "category")
    body = Pattern(
        conditions=texts(record, "conditions"),
        do=text(record, "correct_approach"),
        avoid=text(record, "incorrect_approach"),
        why=text(record, "why", "rationale"),
    )
    said = _sentence(record) or body.do or body.avoid
    avoids = category.lower().replace("_", "-").startswith(AVOID)
    return _draft(record, ref, said, body, avoids=avoids, category=category)


def pattern_record(memory: Memory, original: Record | None, id_: str, used: Used) -> Record:
    """Give the entry of a pattern: what it was read from with what is different now."""
    read = pattern_draft(original, memory.source_ref) if original else None
    if original is None or read is None:
        record = laid(original or _blank_pattern(memory, id_), {}, _pattern_fields(memory))
    else:
        rest = read.text.removeprefix(_sentence(original)).lstrip("\n")
        record = laid(original, _pattern_fields(read, rest), _pattern_fields(memory, rest))
    record = with_use(record, used, counter="usage_count", last="last_used", event=UsageEvent.CITED)
    return with_use(
        record, used, counter="access_count", last="last_accessed", event=UsageEvent.LOADED
    )


def _sentence(record: Record) -> str:
    return text(record, "pattern", "name", "description")


def _pattern_fields(kept: Draft | Memory, rest: str = "") -> Record:
    body = kept.body
    assert isinstance(body, Pattern)
    fields: Record = {"pattern": first_lines(kept.text, rest), "category": _category(kept)}
    fields["conditions"] = list(body.conditions)
    told = {"correct_approach": body.do, "incorrect_approach": body.avoid, "why": body.why}
    # A person's edit puts the whole text into the approach too; it says nothing of its own.
    fields |= {name: said for name, said in told.items() if said and said != kept.text}
    fields["confidence"] = kept.confidence
    fields["importance"] = kept.importance
    return fields


def _category(kept: Draft | Memory) -> str:
    told = kept.subtype
    if kept.polarity is Polarity.AVOID:
        return told if told.lower().replace("_", "-").startswith(AVOID) else AVOID
    return "general" if told.lower().replace("_", "-").startswith(AVOID) else told


def _blank_pattern(memory: Memory, id_: str) -> Record:
    avoids = memory.polarity is Polarity.AVOID
    return {
        "id": id_,
        "pattern": "",
        "category": "general",
        "conditions": [],
        "correct_approach": "" if avoids else memory.text,
        "incorrect_approach": memory.text if avoids else "",
        "confidence": CONFIDENCE,
        "source_episodes": [],
        "usage_count": 0,
        "last_used": None,
        "links": [],
        "importance": 0.5,
        "access_count": 0,
        "created_at": show_time(memory.recorded_at),
    }


# What to avoid


def lesson_draft(record: Record, ref: str, polarity: Polarity = Polarity.AVOID) -> Draft | None:
    """Give what an entry warns of, or with polarity do what it recommends."""
    said = text(record, *_WHAT)
    avoids = polarity is Polarity.AVOID
    fixed = text(record, "prevention", "solution", "resolution", "correct_approach")
    body = Pattern(
        avoid=said if avoids else "",
        do=fixed if avoids else fixed or said,
        why=text(record, "why", "rationale", "cause"),
    )
    return _draft(record, ref, said, body, avoids=avoids, category=text(record, "category"))


def lesson_record(memory: Memory, original: Record | None, polarity: Polarity) -> Record:
    """Give the entry of a lesson: what it was read from with what is different now."""
    read = lesson_draft(original, memory.source_ref, polarity) if original else None
    if original is None or read is None:
        return {**_lesson_fields(memory), "source": None}
    name = next(name for name in _WHAT if text(original, name))
    rest = read.text.removeprefix(text(original, name)).lstrip("\n")
    return laid(original, _lesson_fields(read, name, rest), _lesson_fields(memory, name, rest))


def repeated_record(memory: Memory, original: Record, read: Draft) -> Record:
    """Give a lesson that repeats another record, which gave `read`; it changes with that."""
    name = next((name for name in _WHAT if text(original, name)), _WHAT[0])
    return laid(original, _lesson_fields(read, name), _lesson_fields(memory, name))


def same_lesson(record: Record) -> tuple[str, ...]:
    """Give the forms by which an entry that warns is known again in another file."""
    said = (text(record, name) for name in (*_WHAT, "incorrect_approach"))
    return tuple(dict.fromkeys(form for each in said if each and (form := _bare(each))))


def _bare(said: str) -> str:
    return squash(said).removeprefix("avoid:").strip()


def _lesson_fields(kept: Draft | Memory, name: str = "what_fails", rest: str = "") -> Record:
    body = kept.body
    assert isinstance(body, Pattern)
    fix = body.do if body.do != kept.text else ""
    return {name: first_lines(kept.text, rest), "why": body.why, "prevention": fix}


# Facts


def fact_draft(record: Record, ref: str) -> Draft | None:
    """Give the fact of an entry, None where it says nothing."""
    key, value = name_of(text(record, "key")), plain(record.get("value"))
    said = text(record, "fact", "content", "statement", "text", "description")
    if not said and not (key and value):
        said = value
    if not said and not key:
        return None
    body = Fact(
        key=key if value else "",
        value=value if key else "",
        qualifier=text(record, "qualifier"),
        why=text(record, "why", "rationale"),
    )
    return Draft(
        text=said or (f"{key}: {value}" if value else key),
        body=body,
        subtype=name_of(text(record, "category")),
        confidence=share(record, "confidence", 1.0),
        importance=share(record, "importance", 0.5),
        valid_from=moment(record, "valid_from", "created_at", "timestamp"),
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=ref,
        renews=True,
    )


def fact_record(memory: Memory, original: Record | None, id_: str) -> Record:
    """Give the entry of a fact: what it was read from with what is different now."""
    now = _fact_fields(memory)
    if original is None:
        blank: Record = {"id": id_, "fact": "", "key": "", "value": "", "scope": memory.scope.path}
        rest: Record = {"created_at": show_time(memory.validity.valid_from), "links": []}
        return laid({**blank, "category": "", "confidence": 1.0, **rest}, {}, now)
    read = fact_draft(original, memory.source_ref)
    return laid(original, _fact_fields(read) if read else {}, now)


def _fact_fields(kept: Draft | Memory) -> Record:
    body = kept.body
    assert isinstance(body, Fact)
    fields: Record = {"fact": kept.text, "category": kept.subtype, "confidence": kept.confidence}
    fields["importance"] = kept.importance
    told = {"key": body.key, "value": body.value, "qualifier": body.qualifier, "why": body.why}
    return fields | {name: said for name, said in told.items() if said}


# Shared by patterns and lessons


def _draft(
    record: Record, ref: str, said: str, body: Pattern, *, avoids: bool, category: str
) -> Draft | None:
    if not said:
        return None
    rest = _rest(said, body)
    return Draft(
        text=f"{said}\n{rest}" if rest else said,
        kind=Kind.PATTERN,
        body=body,
        title=name_of(said),
        subtype=name_of(category),
        polarity=Polarity.AVOID if avoids else Polarity.DO,
        confidence=share(record, "confidence", CONFIDENCE),
        importance=share(record, "importance", 0.5),
        valid_from=moment(record, "created_at", "timestamp"),
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=ref,
        renews=True,
        tags=(name_of(category),) if category else (),
    )


def _rest(said: str, body: Pattern) -> str:
    """Tell in words what the other fields say; what is said already is not said twice."""
    lines = [f"When: {'; '.join(body.conditions)}"] if body.conditions else []
    told = (("Do", body.do), ("Avoid", body.avoid), ("Why", body.why))
    lines += [f"{name}: {part}" for name, part in told if part and part != said]
    return "\n".join(lines)
