"""Whatever enters a store is checked and cleaned here, once.

Empty, oversized or broken text is refused with a reason; secrets are replaced before
anything is written or indexed.
"""

from __future__ import annotations

from tacit.body import BODIES, Block, Body, Episode, Fact, Pattern, Resource, Skill
from tacit.codec import from_json, to_json
from tacit.errors import Invalid
from tacit.ingest.redaction import redact
from tacit.model import (
    Facet,
    FacetType,
    Kind,
    Memory,
    Mention,
    Polarity,
    Revision,
    Temporal,
)
from tacit.pattern import pattern
from tacit.value import Value
from tacit.write.identity import content_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    from tacit.draft import Draft

    Record = TypeVar("Record", bound=Value)

MOST_CHARS = 1_000_000
MOST_NAME_CHARS = 500
LARGEST = 2**63 - 1  # the largest number of a store
BETWEEN = "\n\x1e\n"  # no secret reaches over this
_ID = pattern(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_SHORT = pattern(r"[a-z2-7]{8,60}")
_FIELDS = {  # the texts of a draft, and how long each may be
    **dict.fromkeys(("text", "summary", "value", "basis"), MOST_CHARS),
    **dict.fromkeys("key hint title author session subtype".split(), MOST_NAME_CHARS),
    "source_ref": 10 * MOST_NAME_CHARS,
}


def clean_all(drafts: Sequence[Draft]) -> list[tuple[Draft, dict[str, int]]]:
    """Check every text of some drafts and redact it; give each draft and what was redacted.

    Looking for secrets costs per look: all texts are searched together first, and one by one
    only where something was found.
    """
    texts = [list(_texts(given)) for given in drafts]
    for given, its in zip(drafts, texts, strict=True):
        for text, most, what in its:
            sound_text(text, most, what)
        if not (given.text or text_of(given)).strip():
            raise Invalid("there is nothing to remember: the text is empty")
    if _harmless(text for its in texts for text, _, _ in its):
        return [(given, {}) for given in drafts]
    return [
        (given, {}) if _harmless(text for text, _, _ in its) else _redacted(given)
        for given, its in zip(drafts, texts, strict=True)
    ]


def _harmless(texts: Iterable[str]) -> bool:
    return not redact(BETWEEN.join(texts)).counts


def _texts(given: Draft) -> Iterator[tuple[str, int, str]]:
    """Give every text of a draft, how long it may be, and what it is called in an error."""
    for name, most in _FIELDS.items():
        if text := getattr(given, name):
            yield text, most, name
    for name in ("files", "tags"):
        for item in getattr(given, name):
            yield item, MOST_NAME_CHARS, name
    for mention in given.mentions:
        yield mention.facet.name, MOST_NAME_CHARS, "facet"
    for anchor in given.anchors:
        yield anchor.path, MOST_NAME_CHARS, "anchor"
    for link in given.links:
        yield link.source_ref, _FIELDS["source_ref"], "link"
    for text in _words(given.body):
        yield text, MOST_CHARS, "body"
    if key_value := _assignment(given):  # together they may be what neither is alone
        yield key_value[0] + key_value[1], MOST_CHARS + MOST_NAME_CHARS, "value"


def _assignment(given: Draft) -> tuple[str, str] | None:
    """Give what a fact says in the form `key: ` and value."""
    key, value = (given.body.key, given.body.value) if isinstance(given.body, Fact) else ("", "")
    key, value = key or given.key, value or given.value
    return (f"{key}: ", value) if key and value else None


def _words(value: object) -> Iterator[str]:
    """Give every text within a value."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _words(item)
    elif isinstance(value, Value):
        for name in value._fields:
            yield from _words(getattr(value, name))


def _redacted(given: Draft) -> tuple[Draft, dict[str, int]]:
    counts: dict[str, int] = {}

    def scrub(text: str) -> str:
        done = redact(text)
        for name, count in done.counts:
            counts[name] = counts.get(name, 0) + count
        return done.text

    given = _scrub_value(given, scrub)
    changes: dict[str, Any] = {
        name: scrub(getattr(given, name)) for name in _FIELDS if getattr(given, name)
    }
    for name in ("files", "tags"):
        changes[name] = tuple(scrub(item) for item in getattr(given, name))
    changes["mentions"] = tuple(
        m.replace(facet=m.facet.replace(name=scrub(m.facet.name))) for m in given.mentions
    )
    changes["anchors"] = tuple(a.replace(path=scrub(a.path)) for a in given.anchors)
    changes["links"] = tuple(
        link.replace(source_ref=redact(link.source_ref).text) for link in given.links
    )
    if given.body is not None:
        data = _mapped(to_json(given.body), scrub)
        changes["body"] = from_json(BODIES[given.body.kind], data)
    return given.replace(**changes), counts


def _scrub_value(given: Draft, scrub: Callable[[str], str]) -> Draft:
    """Take out a value that its key betrays, wherever it is said: a password is like any word."""
    said = _assignment(given)
    if said is None:
        return given
    key, value = said
    kept = scrub(key + value).removeprefix(key)
    if kept == value:
        return given
    body = given.body.replace(value=kept) if isinstance(given.body, Fact) else given.body
    said_in = {name: getattr(given, name).replace(value, kept) for name in _FIELDS}
    return given.replace(body=body, **said_in)


def redacted_record(value: Record) -> Record:
    """Give a record of another store with its secrets replaced; one without any stays as it is.

    What no store of ours writes is refused: a name that could be taken for a path or a mark, a
    text that cannot be kept, a number that no column holds.
    """
    data: Any = to_json(value)
    _sound(data)
    _named_right(data.get("memory", data) if isinstance(value, Memory | Revision) else {})
    cleaned: Any = _mapped(data, lambda text: redact(text).text)
    if cleaned == data:
        return value
    for one, was in ((cleaned, data), (cleaned.get("memory"), data.get("memory"))):
        if isinstance(one, dict) and one.get("levels") != was.get("levels"):
            one["levels"] = _levels_again(one["levels"]["full"], one["short"])
    return hashed_again(from_json(type(value), cleaned))


def secrets_in(value: Value) -> dict[str, int]:
    """Count by type what looks like a secret anywhere in a record; nothing is changed."""
    counts: dict[str, int] = {}

    def look(text: str) -> str:
        done = redact(text)
        for name, count in done.counts:
            counts[name] = counts.get(name, 0) + count
        return done.text

    _mapped(to_json(value), look)
    return counts


def hashed_again(value: Record) -> Record:
    """Let a hash follow the text it is of."""
    if isinstance(value, Revision):
        return value.replace(memory=hashed_again(value.memory))
    if not isinstance(value, Memory):
        return value
    said = content_hash(
        value.text,
        value.body,
        polarity=value.polarity,
        author=value.author,
        session=value.session,
        valid_from=value.validity.valid_from,
    )
    return value.replace(hash=said)


def _sound(data: Any) -> None:
    """Refuse what cannot be kept, wherever it stands in a record."""
    if isinstance(data, str):
        sound_text(data, MOST_CHARS, "a text of the record")
    elif isinstance(data, list):
        for item in data:
            _sound(item)
    elif isinstance(data, dict):
        for item in data.values():
            _sound(item)
    elif isinstance(data, int) and abs(data) > LARGEST:
        raise Invalid("a number of the record is too large to be kept")


def _named_right(memory: Any) -> None:
    """Refuse a memory whose names or counts are not of the form that ours have."""
    if not memory:
        return
    if not _ID.fullmatch(memory["id"]):
        raise Invalid(f"{memory['id'][:60]!r} is not the id of a memory")
    if not _SHORT.fullmatch(memory["short"]):
        raise Invalid(f"{memory['short'][:60]!r} is not the short name of a memory")
    if min(memory["levels"]["tokens"]) < 0:
        raise Invalid(f"memory {memory['short']}: a number of tokens is below nothing")


def _levels_again(text: str, short: str) -> Any:
    """Make the levels anew where a secret was in them: a short one may hold half of it."""
    from tacit.encode.levels import make_levels
    from tacit.encode.tokens import open_counter

    return to_json(make_levels(text, open_counter(), short=short))


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
        mapped = {
            name: item if name == "kind" else _mapped(item, change) for name, item in data.items()
        }
        if data.get("key") and data.get("value"):  # what the key betrays
            key = f"{mapped['key']}: "
            mapped["value"] = change(key + mapped["value"]).removeprefix(key)
        return mapped
    return data


def _strings(data: Any) -> list[str]:
    if isinstance(data, dict):
        return [text for name, item in data.items() if name != "kind" for text in _strings(item)]
    if isinstance(data, list):
        return [text for item in data for text in _strings(item)]
    return [data] if isinstance(data, str) else []
