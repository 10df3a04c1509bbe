"""Decision records in the forms people write them, and the facts made of them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.decisions import decision_drafts, read_decision
from tacit.model import FacetType, Relation
from tacit.observation import Document, Sort

NYGARD = """# 3. Use Kafka for events

Date: 2026-01-15

## Status

Accepted

Supersedes [1. Use Redis](0001-use-redis.md)

## Context

Orders are lost when the shop restarts.

## Decision

We publish orders to Kafka.

## Consequences

Orders survive a restart.
We need to run another server.
Existing consumers break: this is a breaking change for the mailer.
"""
MADR = """---
status: accepted
date: 2026-02-01
---
# Sign tokens with RS256

## Context and Problem Statement

Which algorithm signs our tokens?

## Considered Options

* RS256
* HS256
* No signature

## Decision Outcome

Chosen option: "RS256", because partners can check tokens without our key.

### Consequences

* Good, because keys can be published
* Bad, because signing takes longer

## Pros and Cons of the Options

### HS256

* Bad, because the key is shared
"""


def a_record(text: str, path: str = "docs/adr/0003-use-kafka.md", **fields) -> Document:
    meta = ()
    if text.startswith("---"):
        _, block, text = text.split("---\n", 2)
        meta = tuple(tuple(line.split(": ", 1)) for line in block.strip().split("\n"))
    return Document(path=path, text=text, sort=Sort.DECISION, sha="0" * 40, meta=meta, **fields)


def test_nygards_form_is_read():
    record = read_decision(a_record(NYGARD))

    assert (record.number, record.title, record.status) == ("3", "Use Kafka for events", "accepted")
    assert record.at == datetime(2026, 1, 15, tzinfo=UTC)
    assert record.decision == "We publish orders to Kafka."
    assert record.why == "Orders are lost when the shop restarts."
    assert record.tradeoffs == ("We need to run another server.",)
    assert record.breaking.startswith("Existing consumers break")
    assert record.supersedes == ("0001-use-redis.md",)


def test_madrs_form_is_read():
    record = read_decision(a_record(MADR))

    assert (record.title, record.status) == ("Sign tokens with RS256", "accepted")
    assert record.decision == "RS256"
    assert record.why == "partners can check tokens without our key."
    assert record.rejected == ("HS256", "No signature")
    assert record.tradeoffs == ("signing takes longer",)
    assert record.at == datetime(2026, 2, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("* Status: proposed", "proposed"),
        ("- **Status**: Deprecated", "deprecated"),
        ("**Status:** Rejected", "rejected"),
        ("| Status | Accepted |", "accepted"),
        ("Status: Superseded by ADR-0007", "superseded"),
        ("## Status\n\nSuperceded by [7. Use X](0007-use-x.md)", "superseded"),
        ("Status: draft", "proposed"),
        ("Nothing is said.", ""),
    ],
)
def test_the_status_is_found_where_it_stands(line, status):
    assert read_decision(a_record(f"# 1. A\n\n{line}\n\n## Decision\n\nYes.\n")).status == status


def test_a_decision_becomes_a_fact_with_its_reasons():
    (fact,) = decision_drafts([a_record(MADR, path="docs/adr/0002-rs256.md")])

    assert (fact.kind, fact.subtype, fact.trust, fact.origin) == (
        "fact",
        "decision",
        "repository",
        "import",
    )
    assert fact.text == (
        "Sign tokens with RS256: RS256\n"
        "Why: partners can check tokens without our key.\n"
        "Not chosen: HS256; No signature\n"
        "Costs: signing takes longer"
    )
    assert fact.body.rejected == ("HS256", "No signature")
    assert fact.source_ref == "file:docs/adr/0002-rs256.md#decision"
    assert fact.renews
    assert fact.valid_from == datetime(2026, 2, 1, tzinfo=UTC)
    assert fact.anchors[0].path == "docs/adr/0002-rs256.md"
    assert {m.facet.name for m in fact.mentions if m.facet.type is FacetType.ADR} == {
        "2",
        "002",
        "0002",
    }


@pytest.mark.parametrize("said_by", ["newer", "older"])
def test_the_newer_of_two_supersedes_and_ends_the_older(said_by):
    older = "# 1. Use Redis\n\nDate: 2025-05-01\n\n## Status\n\n{}\n\n## Decision\n\nRedis.\n"
    older = older.format("Superseded by 0003" if said_by == "older" else "Accepted")
    newer = NYGARD if said_by == "newer" else NYGARD.replace("Supersedes [1", "See [1")

    drafts = list(
        decision_drafts([a_record(newer), a_record(older, path="docs/adr/0001-use-redis.md")])
    )

    new, old = (draft for draft in drafts if draft.kind == "fact")
    assert [(link.relation, link.source_ref) for link in new.links] == [
        (Relation.SUPERSEDES, "file:docs/adr/0001-use-redis.md#decision")
    ]
    assert old.links == ()
    assert (old.valid_from, old.valid_to) == (
        datetime(2025, 5, 1, tzinfo=UTC),
        datetime(2026, 1, 15, tzinfo=UTC),
    )
    assert (old.state, new.state, new.valid_to) == ("active", "active", None)


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("Accepted", "active"),
        ("Deprecated", "archived"),
        ("Superseded by 0009", "archived"),
        ("Proposed", "candidate"),
        ("Rejected", "active"),
    ],
)
def test_a_status_becomes_a_state(status, state):
    (fact,) = decision_drafts(
        [a_record(f"# 1. Use X\n\nStatus: {status}\n\n## Decision\n\nX it is.")]
    )

    assert fact.state == state
    assert fact.text.startswith("Rejected: ") == (status == "Rejected")


def test_records_of_different_folders_with_one_number_are_kept_apart():
    one = a_record(
        "# 2. B\n\nSupersedes 0001\n\n## Status\n\nSupersedes 0001\n\n## Decision\n\nB.",
        path="a/adr/0002-b.md",
    )
    other = a_record("# 1. C\n\n## Decision\n\nC.", path="b/adr/0001-c.md")

    assert [draft.links for draft in decision_drafts([one, other])] == [(), ()]


def test_a_long_record_is_kept_in_pieces_that_are_never_taken_for_the_fact():
    more = "\n\n".join(f"Reason {n} why this had to be settled at last." for n in range(60))
    drafts = list(
        decision_drafts([a_record(NYGARD.replace("Orders are lost", f"{more}\n\nOrders"))])
    )

    refs = [draft.source_ref for draft in drafts]
    assert len(refs) == len(set(refs)) > 2
    assert refs[0].endswith("#decision")
    assert all("#text/" in ref for ref in refs[1:])
    assert {link.source_ref for draft in drafts[1:] for link in draft.links} == {refs[0]}


@given(
    st.lists(
        st.sampled_from(
            ["# 1. A", "## Status", "## Decision", "Superseded by 0001", "Supersedes 0001", "* x"]
        )
        | st.text(max_size=30),
        max_size=20,
    ).map("\n".join)
)
@settings(max_examples=100)
def test_any_record_gives_the_same_facts_each_time(text):
    records = [a_record(f"#{text}", path=f"adr/000{n}-a.md", title="A") for n in (1, 2)]
    drafts = list(decision_drafts(records))

    assert drafts == list(decision_drafts(records))
    assert all(draft.text.strip() for draft in drafts)


@pytest.mark.parametrize(
    "piece",
    ["chosen option: a ", "- a\n", "Status: a\n", "\n"],
)
def test_reading_takes_time_in_proportion(piece):
    read_decision(a_record("# A\n\n## Decision\n\n" + piece * (100_000 // len(piece))))
