"""Decision records → facts: what was decided, why, what was rejected, what replaced it.

Knows the forms records come in: Nygard's (Status, Context, Decision, Consequences) and MADR's
(Considered Options, Decision Outcome, Good/Bad because).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import takewhile

from tacit.body import Fact
from tacit.draft import Draft, LinkTo
from tacit.encode.changelog import date_in
from tacit.encode.levels import lead
from tacit.encode.pages import anchors_of, resource_drafts
from tacit.markdown import Section, sections
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Relation, State, Trust
from tacit.observation import Document
from tacit.text import shorten, squash
from tacit.value import Value

MORE_CHARS = 400  # what a record says beyond the fact before its text is kept as well
MOST_ITEMS = 12
ITEM_CHARS = 300
PART_CHARS = 900
HEAD_CHARS = 3000  # where fields stand
SECTION_CHARS = 10_000

_FIELD = re.compile(
    r"^[ \t]*(?:[*+-][ \t]+|\|[ \t]*)?(?:\*\*|__)?(status|date|supersed\w+(?: by)?|supersedes|"
    r"superseded[ -]by|replaces|replaced by)(?:\*\*|__)?[ \t]*[:|](?:\*\*|__)?[ \t]*(\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER = re.compile(r"(?:adr[-_ ]?)?0*(\d{1,5})(?=[-_. ]|$)", re.IGNORECASE)
_TITLE_NUMBER = re.compile(
    r"^(?:adr[-_ #]*)?(?:\d+|N)\s*[.:)–—-]\s*|^adr[-_ #]*\d+\s+", re.IGNORECASE
)
_CHOSEN = re.compile(
    r"chosen (?:option|solution|alternative)s?\s*:?\s*[\"“*_`]*(.{1,300}?)[\"”*_`]*,?\s*(?:because|since|as)\b\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)
_BAD = re.compile(
    r"^(?:bad|negative|con|drawback|downside|risk|cost)s?\b[,:]?\s*(?:because\b)?\s*(.+)",
    re.I | re.S,
)
_GOOD = re.compile(r"^(?:good|positive|pro|benefit)s?\b[,:]|^good\b", re.I)
_COSTS = re.compile(
    r"\b(?:but|however|cost|costs|slower|harder|more complex|downside|drawback|trade-?off|risk|"
    r"at the expense|must|need(?:s)? to|no longer|lose|lock-in|cannot|overhead|maintain)\b",
    re.IGNORECASE,
)
_BREAKS = re.compile(
    r"\bbreaking change|backwards?[- ]incompatib|\bbreaks\b|\bincompatible\b", re.I
)
_ITEM = re.compile(
    r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+(.*(?:\n(?![ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]|\s*\n|#).*)*)",
    re.M,
)
_LINKED = re.compile(r"\]\(([^()\s]+)\)")
_BY = re.compile(r"(?:supersed\w*|supercee?d\w*|replaced|obsoleted)[ -]+by\b[: ]*(.*)", re.I)
_OVER = re.compile(r"\b(?:supersedes|supercedes|superseeds|replaces|obsoletes)\b[: ]*(.*)", re.I)
_STATES = {name: name for name in "superseded deprecated rejected proposed accepted".split()}
_STATES |= {"superceded": "superseded", "draft": "proposed"}


class Record(Value):
    """A decision as its record states it; what the record does not say is empty."""

    number: str
    title: str
    status: str  # accepted, proposed, rejected, deprecated, superseded, or empty
    at: datetime | None
    decision: str
    why: str
    rejected: tuple[str, ...]
    tradeoffs: tuple[str, ...]
    breaking: str
    supersedes: tuple[str, ...]  # numbers, or names of files
    superseded_by: tuple[str, ...]


def read_decision(document: Document) -> Record:
    """Read a decision record."""
    parts = sections(document.text, rst=document.path.endswith(".rst"))
    heading = next((part.path[0] for part in parts if part.level == 1), "")
    fields = _fields(document)
    status = f"{fields.get('status', '')}\n{_under(parts, 'status')}".strip()
    outcome = _under(parts, "decision outcome", "decision", "outcome", "solution", "resolution")
    chosen = _CHOSEN.search(outcome)
    decision = _squeezed(chosen[1]) if chosen else _lead(outcome)
    reasons = ("rationale", "justification", "decision drivers", "context")
    because = (
        chosen[2] if chosen else _under(parts, *reasons, "context and problem statement", "problem")
    )
    links = f"{status}\n{_under(parts, 'links', 'related', 'references', 'more information')}"
    return Record(
        number=_number(document),
        title=shorten(_TITLE_NUMBER.sub("", _plain(heading or document.title)), 200),
        status=_state(status),
        at=date_in(fields.get("date", "") or _under(parts, "date")),
        decision=decision,
        why=_lead(because),
        rejected=_options(parts, decision),
        tradeoffs=_tradeoffs(parts),
        breaking=_breaking(parts, document.text),
        supersedes=_refs(_OVER, links, fields, "supersedes", "replaces"),
        superseded_by=_refs(_BY, links, fields, "superseded by", "superseded-by", "replaced by"),
    )


def _fields(document: Document) -> dict[str, str]:
    """Give status, date and the like, where they stand as fields: the first of each name."""
    found = list(_FIELD.finditer(document.text[:HEAD_CHARS]))
    written = {match[1].lower(): match[2].strip(" |*_") for match in reversed(found)}
    return written | {name.lower().replace("_", "-"): value for name, value in document.meta}


def _under(parts: Sequence[Section], *names: str) -> str:
    """Give the first text that stands under headings of these names, in the order of the names."""
    found = (at for name in names for at, part in enumerate(parts) if _key(part) == name)
    return next(filter(None, (_whole(parts, at) for at in found)), "")


def _whole(parts: Sequence[Section], at: int) -> str:
    """Give the text of a section with those below it that are not read for themselves."""
    below = takewhile(lambda other: other.level > parts[at].level, parts[at + 1 :])
    inner = ["\n".join(other.lines) for other in below if _key(other) not in _OWN]
    return "\n".join([parts[at].text, *inner]).strip()[:SECTION_CHARS]


_OWN = ("consequences", "positive consequences", "negative consequences", "confirmation")


def _key(part: Section) -> str:
    heading = part.path[-1] if part.path else ""
    return re.sub(r"^[\d.]+\s*|[^\w\s-]", "", heading).strip().casefold()


def _options(parts: Sequence[Section], decision: str) -> tuple[str, ...]:
    """Give the options that were not chosen."""
    rejected = ("rejected alternatives", "rejected options", "alternatives rejected")
    considered = ("considered options", "options considered", "alternatives considered")
    others = ("considered alternatives", "alternatives", "options")
    listed = _under(parts, *rejected, *considered, *others)
    found = _items(listed) or ([_lead(listed)] if listed else [])
    chosen = squash(decision)

    def is_chosen(option: str) -> bool:
        said = squash(option)
        return said in chosen or bool(chosen and said.startswith(chosen))

    return tuple(option for option in found[:MOST_ITEMS] if not is_chosen(option))


def _tradeoffs(parts: Sequence[Section]) -> tuple[str, ...]:
    """Give what the decision costs; of plain consequences those that sound like a cost."""
    bad = _items(_under(parts, "negative consequences", "negative", "trade-offs", "tradeoffs"))
    text = _under(parts, "consequences", "implications")
    listed = _items(text) or re.split(r"(?<=[.!?])\s+", _squeezed(text))
    for item in listed:
        if match := _BAD.match(item):
            bad.append(match[1])
        elif not _GOOD.match(item) and _COSTS.search(item):
            bad.append(item)
    unique = dict.fromkeys(shorten(_plain(item), ITEM_CHARS) for item in bad if item.strip())
    return tuple(unique)[:MOST_ITEMS]


def _breaking(parts: Sequence[Section], text: str) -> str:
    said = _under(parts, "breaking changes", "breaking change", "compatibility", "migration")
    if said:
        return _lead(said)
    sentences = re.split(r"(?<=[.!?])\s+|\n\s*(?:[-*+]\s|\n)", text[:20_000])
    found = next((sentence for sentence in sentences if _BREAKS.search(sentence)), "")
    return shorten(_plain(found), ITEM_CHARS)


def _items(text: str) -> list[str]:
    return [shorten(_plain(match[1]), ITEM_CHARS) for match in _ITEM.finditer(text)]


def _lead(text: str) -> str:
    return lead(_plain(text), PART_CHARS) if text.strip() else ""


def _plain(text: str) -> str:
    return _squeezed(re.sub(r"[*_]{2}|\[([^\[\]]*)\]\([^()\s]*\)", r"\1", text))


def _squeezed(text: str) -> str:
    return " ".join(text.split()).strip(' "“”')


def _state(status: str) -> str:
    words = status.casefold()
    if _BY.search(status):
        return "superseded"
    found = [(words.find(name), name) for name in _STATES if name in words]
    return _STATES[min(found)[1]] if found else ""


def _number(document: Document) -> str:
    name = document.path.rsplit("/", 1)[-1]
    match = _NUMBER.match(name) or re.match(r"(?:adr[-_ #]*)?0*(\d{1,5})\b", document.title, re.I)
    return match[1] if match else ""


def _refs(
    pattern: re.Pattern[str], text: str, fields: dict[str, str], *names: str
) -> tuple[str, ...]:
    said = [match[1] for match in pattern.finditer(text)] + [fields.get(name, "") for name in names]
    return tuple(dict.fromkeys(ref for words in said for ref in _named_records(words)))


def _named_records(words: str) -> Iterable[str]:
    files = [path.rsplit("/", 1)[-1].partition("#")[0] for path in _LINKED.findall(words)]
    if files:
        return [name for name in files if name]
    # A list of numbers, not a year in prose: `0005`, `ADR-5`, `5. Use Kafka`.
    match = re.match(r"\W*(?:adr[-_ #]*)?(\d{1,5})(?![\d-]*\d{2}-\d{2})\b", words, re.IGNORECASE)
    return [match[1].lstrip("0") or "0"] if match else []


def decision_drafts(documents: Sequence[Document]) -> Iterator[Draft]:
    """Give a fact for each record, and of long records their text in pieces."""
    records = {document.path: read_decision(document) for document in documents}
    replaced = _replaced(records)
    ended = {
        old: record.at
        for path, record in records.items()
        if record.status not in ("proposed", "rejected")  # replaces nothing yet, or never will
        for old in replaced[path]
    }
    for document in documents:
        fact = _fact(document, records[document.path], replaced[document.path], ended)
        yield fact
        if len(document.text) > len(fact.text) + MORE_CHARS:
            about = LinkTo(relation=Relation.ELABORATES, source_ref=fact.source_ref)
            known = squash(fact.text)
            # A name of its own: the section `Decision` must not be taken for the fact.
            for piece in resource_drafts(document, under="text/"):
                if squash(piece.text.partition("\n")[2]) not in known:
                    yield piece.replace(links=(about,), state=fact.state)


def _ref(path: str) -> str:
    return f"file:{path}#decision"


def _fact(
    document: Document, record: Record, replaced: list[str], ended: dict[str, datetime | None]
) -> Draft:
    over = record.status in ("superseded", "deprecated") or document.path in ended
    end = ended.get(document.path)
    closes = bool(over and end and record.at and end > record.at)
    state = State.CANDIDATE if record.status == "proposed" else State.ACTIVE
    # People name a record with and without zeros.
    numbers = [record.number, record.number.zfill(4), record.number.zfill(3)]
    names = dict.fromkeys(numbers if record.number else ())
    return Draft(
        text=_text(record),
        kind=Kind.FACT,
        subtype="decision",
        title=record.title,
        body=Fact(
            why=record.why,
            rejected=record.rejected,
            tradeoffs=record.tradeoffs,
            breaking=record.breaking,
        ),
        state=State.ARCHIVED if over and not closes else state,
        importance=0.8,
        valid_from=record.at,
        valid_to=end if closes else None,
        origin=Origin.IMPORT,
        trust=Trust.REPOSITORY,
        source_ref=_ref(document.path),
        renews=True,
        files=(document.path,),
        tags=("decision",),
        mentions=tuple(Mention(facet=Facet(type=FacetType.ADR, name=name)) for name in names),
        links=tuple(
            LinkTo(relation=Relation.SUPERSEDES, source_ref=_ref(path)) for path in replaced
        ),
        anchors=anchors_of(document),
        basis=shorten(record.decision or document.text, 500),
    )


def _text(record: Record) -> str:
    """Put the decision first: it is what a reader wants to know."""
    told = {"rejected": "Rejected: ", "proposed": "Proposed: "}.get(record.status, "")
    decision = record.decision
    same = not decision or decision.casefold().startswith(record.title.casefold())
    lines = [told + (decision or record.title) if same else f"{told}{record.title}: {decision}"]
    if record.why:
        lines.append(f"Why: {record.why}")
    if record.rejected:
        lines.append("Not chosen: " + "; ".join(record.rejected))
    if record.tradeoffs:
        lines.append("Costs: " + "; ".join(record.tradeoffs))
    if record.breaking and record.breaking not in "\n".join(lines):
        lines.append(f"Breaks: {record.breaking}")
    return "\n".join(lines)


def _replaced(records: dict[str, Record]) -> dict[str, list[str]]:
    """Give the records that each one takes the place of, by its own word or by theirs."""
    found = {
        path: [_find(ref, path, records) for ref in record.supersedes]
        for path, record in records.items()
    }
    for path, record in records.items():
        for ref in record.superseded_by:
            found.setdefault(_find(ref, path, records), []).append(path)
    return {
        path: [old for old in dict.fromkeys(olds) if old and old != path]
        for path, olds in found.items()
    }


def _find(ref: str, path: str, records: dict[str, Record]) -> str:
    """Find the record another one names: a file by its name, a number in the same folder."""
    folder = path.rpartition("/")[0]
    for other, record in records.items():
        if other.rpartition("/")[0] != folder:
            continue
        if other.rsplit("/", 1)[-1] == ref or (ref.isdigit() and record.number == ref):
            return other
    return ""
