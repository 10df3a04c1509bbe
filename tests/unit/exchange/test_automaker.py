"""Automaker's files in and out: learnings, warnings, reasons, counted uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FrozenClock
from secret_samples import SAMPLES
from tacit.body import Fact, Pattern
from tacit.exchange import automaker
from tacit.model import FacetType, Polarity
from unit.exchange.opened import all_of, opened, same_twice

if TYPE_CHECKING:
    from pathlib import Path

DATABASE = """\
---
tags: [database, "orm, sql"]
summary: database implementation decisions and patterns
relevantTo: [database]
importance: 0.7
relatedFiles: [api.md]
usageStats:
  loaded: 7
  referenced: 3
  successfulFeatures: 2
---
# database

### Keep money in whole cents (2026-01-12)
- **Context:** Totals were off by one cent
- **Why:** Floats cannot hold 0.1
- **Rejected:** Decimal columns; a money type
- **Trade-offs:** Every display divides by hundred
- **Breaking if changed:** All stored totals

#### [Pattern] Index what is filtered by (2026-01-13)
- **Problem solved:** Lists took seconds
- **Why this works:** The planner can use it

## Older notes

- [Learned] Migrations run under a lock (2026-01-14)
"""
GOTCHAS = """\
---
tags: [gotcha]
summary: Mistakes and edge cases to avoid
relevantTo: [error, bug]
importance: 0.9
relatedFiles: []
usageStats:
  loaded: 0
  referenced: 0
  successfulFeatures: 0
---
# Gotchas

Mistakes and edge cases to avoid. These are lessons learned from past issues.

---

#### [Gotcha] Dates without a zone shift by a day (2026-01-15)
- **Situation:** Reports at midnight
- **Root cause:** The driver takes them as local
- **How to avoid:** Store UTC

- **Never trust the cart's total** (2026-01-16)
  - WHY: It comes from the browser
  - REJECTED: None
  - BREAKING IF CHANGED: Refunds
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project" / ".automaker" / "memory"
    folder.mkdir(parents=True)
    (folder / "database.md").write_text(DATABASE)
    (folder / "gotchas.md").write_text(GOTCHAS)
    (folder / "_index.md").write_text("---\nrelevantTo: [x]\n---\n# Index\n\n- nothing of note\n")
    return tmp_path / "project"


def drafts_of(project: Path) -> dict[str, object]:
    found = automaker.read(str(project), str)
    return {draft.text.partition("\n")[0]: draft for draft in found.drafts}


def test_a_decision_keeps_its_reasons(project):
    decision = drafts_of(project)["Keep money in whole cents"]

    assert decision.subtype == "decision"
    assert decision.body == Fact(
        why="Floats cannot hold 0.1",
        rejected=("Decimal columns", "a money type"),
        tradeoffs=("Every display divides by hundred",),
        breaking="All stored totals",
    )
    assert decision.importance == 0.7
    assert decision.valid_from.date().isoformat() == "2026-01-12"
    named = {(m.facet.type, m.facet.name) for m in decision.mentions}
    assert named == {
        (FacetType.TAG, "database"),
        (FacetType.TAG, "orm, sql"),
        (FacetType.TOPIC, "database"),
        (FacetType.FILE, "api.md"),
    }


def test_a_gotcha_is_what_to_avoid_and_how(project):
    gotcha = drafts_of(project)["Dates without a zone shift by a day"]

    assert gotcha.polarity is Polarity.AVOID
    assert gotcha.body == Pattern(
        trigger="Reports at midnight",
        avoid="Dates without a zone shift by a day",
        do="Store UTC",
        why="The driver takes them as local",
    )


def test_every_learning_of_the_file_of_gotchas_is_a_warning(project):
    old = drafts_of(project)["**Never trust the cart's total**"]

    assert (old.polarity, old.body.why) == (Polarity.AVOID, "It comes from the browser")


def test_headings_templates_and_the_index_are_no_memories(project):
    assert set(drafts_of(project)) == {
        "Keep money in whole cents",
        "Index what is filtered by",
        "Migrations run under a lock",
        "Dates without a zone shift by a day",
        "**Never trust the cart's total**",
    }


@pytest.mark.parametrize("inside", [".", ".automaker", ".automaker/memory"])
def test_the_folder_is_found_from_the_project_or_below(project, inside):
    assert automaker.sniff(str(project / inside))
    assert len(automaker.read(str(project / inside), str).drafts) == 5


def test_importing_twice_changes_nothing(project, tmp_path):
    same_twice(project, tmp_path)


def test_the_way_back_writes_the_same_files(project, tmp_path):
    with opened(tmp_path) as tacit:
        tacit.import_from(str(project))
        tacit.export_to("automaker", str(tmp_path / "out"))

    out = tmp_path / "out" / ".automaker" / "memory"
    assert (out / "database.md").read_text() == DATABASE
    assert (out / "gotchas.md").read_text() == GOTCHAS


def test_uses_are_added_to_those_counted_before(project, tmp_path):
    with opened(tmp_path) as tacit:
        tacit.import_from(str(project))
        kept = next(m for m in tacit.list() if "cents" in m.text)
        for event in ("loaded", "loaded", "cited", "helped"):
            tacit.cite([kept.id], event=event)
        tacit.export_to("automaker", str(tmp_path / "out"))

    text = (tmp_path / "out" / ".automaker" / "memory" / "database.md").read_text()
    assert "  loaded: 9\n  referenced: 4\n  successfulFeatures: 3\n" in text


def test_what_was_edited_forgotten_or_erased_is_so_in_the_files(project, tmp_path):
    with opened(tmp_path) as tacit:
        tacit.import_from(str(project))
        by_text = {m.text.partition("\n")[0]: m for m in tacit.list()}
        tacit.edit(by_text["Index what is filtered by"].id, "Index what is sorted by too")
        tacit.forget(by_text["Migrations run under a lock"].id)
        tacit.erase([by_text["Keep money in whole cents"].id])
        tacit.export_to("automaker", str(tmp_path / "out"))
        assert "whole cents" not in (tacit.store.load(automaker.DOCUMENT) or "")

    text = (tmp_path / "out" / ".automaker" / "memory" / "database.md").read_text()
    assert "#### [Pattern] Index what is sorted by too (2026-01-13)" in text
    assert "Migrations" not in text
    assert "whole cents" not in text


def test_a_memory_from_elsewhere_gets_a_file_automaker_reads(tmp_path):
    with opened(tmp_path) as tacit:
        body = Fact(
            why="One binary", rejected=("Redis",), tradeoffs=("No cluster",), breaking="All"
        )
        tacit.remember("Keep sessions in SQLite", body=body, tags=["Sessions"])
        tacit.remember("Retry refunds", kind="pattern", polarity="avoid")
        assert tacit.export_to("automaker", str(tmp_path / "out")) == 2

    again = automaker.read(str(tmp_path / "out"), str)
    by_text = {draft.text.partition("\n")[0]: draft for draft in again.drafts}
    assert by_text["Keep sessions in SQLite"].body == body
    assert by_text["Keep sessions in SQLite"].source_ref.startswith("automaker:sessions.md#")
    assert by_text["Retry refunds"].polarity is Polarity.AVOID


def test_no_secret_gets_into_the_store_or_its_documents(project, tmp_path):
    sample = next(iter(SAMPLES.values()))
    file = project / ".automaker" / "memory" / "database.md"
    file.write_text(
        DATABASE + f"\n### Sign in with the key (2026-01-20)\n- **Why:** {sample.text}\n"
    )

    with opened(tmp_path) as tacit:
        found = tacit.import_from(str(project))
        assert sum(found.redacted.values()) >= 1
        assert sample.secret not in all_of(tacit) + (tacit.store.load(automaker.DOCUMENT) or "")


def test_a_link_out_of_the_folder_is_not_followed(project, tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text(DATABASE)
    (project / ".automaker" / "memory" / "linked.md").symlink_to(outside)

    found = automaker.read(str(project), str)

    assert dict(found.counts)["left out: a link"] == 1
    assert not [draft for draft in found.drafts if "linked" in draft.source_ref]


@given(st.binary(max_size=300), st.text(max_size=300))
@settings(max_examples=60)
def test_any_bytes_are_read_without_an_error(tmp_path_factory, data, text):
    folder = tmp_path_factory.mktemp("any")
    (folder / "a.md").write_bytes(data)
    (folder / "b.md").write_bytes(DATABASE.encode() + text.encode(errors="replace") + data)
    (folder / "c.md").write_bytes(b"---\nusageStats:\n" + text.encode(errors="replace"))

    found = automaker.read(str(folder), str)

    assert len({draft.source_ref for draft in found.drafts}) == len(found.drafts)
    with opened(folder, clock=FrozenClock()) as tacit:
        assert tacit.import_from(str(folder), "automaker").refused == 0
        once = all_of(tacit)
        tacit.import_from(str(folder), "automaker")
        assert all_of(tacit) == once
