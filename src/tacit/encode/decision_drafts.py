"""Decision records → facts: what was decided, why, what was rejected, and what replaced it.

A record that names another is joined to it by its file or its number, so all records of a
project are given together.
"""

from __future__ import annotations

from tacit.body import Fact
from tacit.draft import Draft, LinkTo
from tacit.encode.decisions import read_decision
from tacit.encode.resources import anchors_of, resource_drafts
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Relation, State, Trust
from tacit.text import shorten, squash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from tacit.encode.decisions import Record
    from tacit.observation import Document

MORE_CHARS = 400  # what a record says beyond the fact before its text is kept as well


def decision_drafts(documents: Sequence[Document]) -> Iterator[Draft]:
    """Give a fact for each record, and of long records their text in pieces."""
    records = {document.path: read_decision(document) for document in documents}
    ended = _ends(records)
    for document in documents:
        record = records[document.path]
        fact = _fact(document, record, _replaced(document.path, records), ended)
        yield fact
        if len(document.text) > len(fact.text) + MORE_CHARS:
            about = LinkTo(relation=Relation.ELABORATES, source_ref=fact.source_ref)
            known = squash(fact.text)
            # A name of its own: the section `Decision` must not be taken for the fact.
            for piece in resource_drafts(document, under="text/"):
                if squash(piece.text.partition("\n")[2]) not in known:
                    yield piece.replace(links=(about,), state=fact.state)


def decision_ref(path: str) -> str:
    """Give the source of the fact made from a record."""
    return f"file:{path}#decision"


def _fact(
    document: Document, record: Record, replaced: list[str], ended: dict[str, datetime | None]
) -> Draft:
    over = record.status in ("superseded", "deprecated") or document.path in ended
    end = ended.get(document.path)
    closes = bool(over and end and record.at and end > record.at)
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
        state=_state(record, over=over and not closes),
        importance=0.8,
        valid_from=record.at,
        valid_to=end if closes else None,
        origin=Origin.IMPORT,
        trust=Trust.HUMAN,
        source_ref=decision_ref(document.path),
        renews=True,
        files=(document.path,),
        tags=("decision",),
        mentions=_mentions(record),
        links=tuple(
            LinkTo(relation=Relation.SUPERSEDES, source_ref=decision_ref(path)) for path in replaced
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


def _state(record: Record, *, over: bool) -> State:
    if over:
        return State.ARCHIVED
    return State.CANDIDATE if record.status == "proposed" else State.ACTIVE


def _mentions(record: Record) -> tuple[Mention, ...]:
    """Name the record as people do, with and without zeros."""
    if not record.number:
        return ()
    names = dict.fromkeys((record.number, record.number.zfill(4), record.number.zfill(3)))
    return tuple(Mention(facet=Facet(type=FacetType.ADR, name=name)) for name in names)


def _replaced(path: str, records: dict[str, Record]) -> list[str]:
    """Give the records this one takes the place of, by its own word or by theirs."""
    found = [_find(ref, path, records) for ref in records[path].supersedes]
    for other, record in records.items():
        if path in [_find(ref, other, records) for ref in record.superseded_by]:
            found.append(other)
    return list(dict.fromkeys(other for other in found if other and other != path))


def _ends(records: dict[str, Record]) -> dict[str, datetime | None]:
    """Give the records that were replaced, each with when, where that is known."""
    ends: dict[str, datetime | None] = {}
    for path, record in records.items():
        if record.status in ("proposed", "rejected"):  # replaces nothing yet, or never will
            continue
        for old in _replaced(path, records):
            ends[old] = record.at
    return ends


def _find(ref: str, path: str, records: dict[str, Record]) -> str:
    """Find the record another one names: a file by its name, a number in the same folder."""
    folder = path.rpartition("/")[0]
    for other, record in records.items():
        if other.rpartition("/")[0] != folder:
            continue
        if other.rsplit("/", 1)[-1] == ref or (ref.isdigit() and record.number == ref):
            return other
    return ""
