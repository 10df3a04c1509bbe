"""Whatever enters a store is checked and cleaned here, once.

Whatever enters the store passes `sound_text` and the redactor: empty, oversized or broken
text is refused with a reason, secrets are replaced before anything is written or indexed.
"""

from __future__ import annotations

from tacit.body import BODIES, Block, Body, Episode, Fact, Pattern, Resource, Skill
from tacit.codec import from_json, to_json
from tacit.errors import Invalid
from tacit.ingest.redact import redact
from tacit.model import (
    Facet,
    FacetType,
    Kind,
    Mention,
    Polarity,
    Temporal,
)
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from tacit.draft import Draft

    Record = TypeVar("Record", bound=Value)

MOST_CHARS = 1_000_000
MOST_NAME_CHARS = 500


def clean(given: Draft) -> tuple[Draft, dict[str, int]]:
    """Check every text of a draft and redact it; give the draft and what was redacted."""
    counts: dict[str, int] = {}

    def scrub(text: str, most: int, what: str) -> str:
        done = redact(sound_text(text, most, what))
        for name, count in done.counts:
            counts[name] = counts.get(name, 0) + count
        return done.text

    changes: dict[str, Any] = {
        name: scrub(getattr(given, name), most, name)
        for name, most in (
            ("text", MOST_CHARS),
            ("summary", MOST_CHARS),
            ("value", MOST_CHARS),
            *(
                (n, MOST_NAME_CHARS)
                for n in ("key", "hint", "title", "author", "session", "subtype")
            ),
            ("source_ref", 10 * MOST_NAME_CHARS),
            ("evidence", MOST_CHARS),
        )
        if getattr(given, name)
    }
    for name in ("files", "tags"):
        changes[name] = tuple(scrub(item, MOST_NAME_CHARS, name) for item in getattr(given, name))
    changes["mentions"] = tuple(
        m.replace(facet=m.facet.replace(name=scrub(m.facet.name, MOST_NAME_CHARS, "facet")))
        for m in given.mentions
    )
    changes["anchors"] = tuple(
        a.replace(path=scrub(a.path, MOST_NAME_CHARS, "anchor")) for a in given.anchors
    )
    if given.body is not None:
        data = _mapped(to_json(given.body), lambda text: scrub(text, MOST_CHARS, "body"))
        changes["body"] = from_json(BODIES[given.body.kind], data)
    cleaned = given.replace(**changes)
    if not (cleaned.text or text_of(cleaned)).strip():
        raise Invalid("there is nothing to remember: the text is empty")
    return cleaned, counts


def redacted_record(value: Record) -> Record:
    """Give a record of another store with its secrets replaced; one without any stays as it is."""
    data = to_json(value)
    cleaned = _mapped(data, lambda text: redact(text).text)
    return value if cleaned == data else from_json(type(value), cleaned)


def sound_text(text: str, most: int, what: str) -> str:
    """Refuse text that cannot be kept: too long, with NUL, or with half characters."""
    if not isinstance(text, str):
        raise Invalid(f"{what} is a string, not {type(text).__name__}")
    if len(text) > most:
        raise Invalid(
            f"{what} has {len(text):,} characters, at most {most:,} can be kept; split it"
        )
    if "\0" in text:
        raise Invalid(f"{what} holds a NUL character; it looks like binary data, not text")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Invalid(
            f"{what} holds half a character (a lone surrogate) at {error.start}; decode it properly"
        ) from None
    return text


def body_of(given: Draft) -> Body:
    """Give the draft's body, or one made from its text."""
    if given.body is not None:
        return given.body
    text, title = given.text, given.title or given.text.strip().split("\n", 1)[0][:200]
    match given.kind:
        case Kind.FACT:
            return Fact(key=given.key, value=given.value)
        case Kind.EPISODE:
            return Episode(goal=title)
        case Kind.PATTERN:
            avoids = given.polarity is Polarity.AVOID
            return Pattern(avoid=text) if avoids else Pattern(do=text)
        case Kind.SKILL:
            return Skill(trigger=title)
        case Kind.RESOURCE:
            return Resource(uri=given.source_ref or title)
        case Kind.BLOCK:
            return Block(label=given.title or "note")


def text_of(given: Draft) -> str:
    """Give the text to keep: what was written, or the body in words."""
    if given.text.strip():
        return given.text
    body = given.body
    if isinstance(body, Fact) and body.key:
        return f"{body.key}: {body.value}" + (f" ({body.why})" if body.why else "")
    if given.key:
        return f"{given.key}: {given.value}"
    return "\n".join(_strings(to_json(body))) if body is not None else ""


def mentions_of(given: Draft) -> tuple[Mention, ...]:
    """Give the mentions a draft states outright: files, tags and those listed."""
    files = tuple(Mention(facet=Facet(type=FacetType.FILE, name=name)) for name in given.files)
    tags = tuple(Mention(facet=Facet(type=FacetType.TAG, name=name)) for name in given.tags)
    return (*given.mentions, *files, *tags)


def temporal_of(given: Draft) -> Temporal:
    """Give how it ages: episodes happened once, skills are habits, the rest stays so."""
    if given.temporal is not None:
        return given.temporal
    by_kind = {Kind.EPISODE: Temporal.EPISODIC, Kind.SKILL: Temporal.HABITUAL}
    return by_kind.get(
        given.kind if given.body is None else Kind(given.body.kind), Temporal.TIMELESS
    )


def _mapped(data: Any, change: Any) -> Any:
    if isinstance(data, str):
        return change(data)
    if isinstance(data, list):
        return [_mapped(item, change) for item in data]
    if isinstance(data, dict):
        return {
            name: item if name == "kind" else _mapped(item, change) for name, item in data.items()
        }
    return data


def _strings(data: Any) -> list[str]:
    if isinstance(data, dict):
        return [text for name, item in data.items() if name != "kind" for text in _strings(item)]
    if isinstance(data, list):
        return [text for item in data for text in _strings(item)]
    return [data] if isinstance(data, str) else []
