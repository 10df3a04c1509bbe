"""Planning files in and out: blocks, phases, decisions, and which phase builds on which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.body import Block, Episode, Fact
from tacit.exchange import gsd
from tacit.model import FacetType, Kind, Polarity, Role
from unit.exchange.opened import all_of, opened, same_twice

if TYPE_CHECKING:
    from pathlib import Path

STATE = """\
# Project State

## Accumulated Context

### Decisions

- [01-01]: Tokens are signed with RS256
- [02-01]: Invoices are numbered per country

### Blockers/Concerns

None yet.
"""
PROJECT = """\
# Shop

## Key Decisions

| Decision | Rationale | Outcome |
|----------|-----------|---------|
| SQLite first | One file to copy | Good |
"""
FIRST = """\
---
phase: 01-foundation
plan: 01
subsystem: auth
tags: [jwt, rs256]
requires: []
provides:
  - Signed tokens
  - "User model: with roles"
affects: [02-invoices, payments]
tech-stack:
  added: [jose]
  patterns: [Check tokens in one place]
key-files:
  created: [src/auth.py]
  modified:
    - src/app.py
key-decisions:
  - "Keep tokens for 15 minutes"
patterns-established:
  - "Routes: one file each"
duration: 1h 30m
completed: 2026-01-15
---

# Phase 1: Foundation Summary

**Tokens signed with RS256 and a user model**

## Accomplishments
- People can sign in
"""
SECOND = """\
---
phase: 02-invoices
plan: 01
subsystem: payments
dependency-graph:
  requires:
    - phase: 01-foundation
      provides: Signed tokens
  provides: [Invoices]
  affects: []
decisions:
  - Round at the end
metrics:
  duration_minutes: 4
  completed_date: 2026-02-15
---

# Phase 2 Plan 1 Summary

**One-liner:** Invoices per country
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project" / ".planning"
    for name, text in {
        "STATE.md": STATE,
        "PROJECT.md": PROJECT,
        "ROADMAP.md": "# Roadmap\n\n### Phase 1: Foundation\n**Goal**: People sign in\n",
        "phases/01-foundation/01-01-SUMMARY.md": FIRST,
        "phases/01-foundation/01-01-PLAN.md": "# Plan\n",
        "phases/02-invoices/02-01-SUMMARY.md": SECOND,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return tmp_path / "project"


def by_source(project: Path) -> dict[str, object]:
    found = gsd.read(str(project), str)
    return {draft.source_ref.removeprefix("gsd:"): draft for draft in found.drafts}


def test_state_project_and_roadmap_are_blocks(project):
    found = by_source(project)

    labels = {name: found[name].body for name in ("STATE.md", "PROJECT.md", "ROADMAP.md")}
    assert {body.label for body in labels.values()} == {"state", "project", "roadmap"}
    assert all(isinstance(body, Block) for body in labels.values())


def test_a_summary_is_an_episode_with_its_files_and_its_time(project):
    summary = by_source(project)["phases/01-foundation/01-01-SUMMARY.md"]

    assert isinstance(summary.body, Episode)
    assert summary.body.goal == "Tokens signed with RS256 and a user model"
    assert (summary.body.outcome, summary.body.duration_s) == ("success", 5400.0)
    assert summary.valid_from.date().isoformat() == "2026-01-15"
    written = {m.facet.name for m in summary.mentions if m.role is Role.WRITES}
    assert written == {"src/auth.py", "src/app.py"}
    entities = {m.facet.name for m in summary.mentions if m.facet.type is FacetType.ENTITY}
    assert entities == {"jose"}


def test_decisions_come_from_lists_tables_and_heads(project):
    decisions = {
        d.text.partition("\n")[0]: d for d in by_source(project).values() if d.subtype == "decision"
    }

    assert set(decisions) == {
        "Tokens are signed with RS256",
        "Invoices are numbered per country",
        "SQLite first",
        "Keep tokens for 15 minutes",
        "Round at the end",
    }
    assert decisions["SQLite first"].body == Fact(why="One file to copy")


def test_patterns_come_from_both_places(project):
    patterns = [d for d in by_source(project).values() if d.kind is Kind.PATTERN]

    assert {d.text for d in patterns} == {"Routes: one file each", "Check tokens in one place"}
    assert {d.polarity for d in patterns} == {Polarity.DO}


def test_links_are_found_in_heads_of_both_shapes(project):
    found = by_source(project)
    first, second = (
        found[f"phases/{name}"]
        for name in ("01-foundation/01-01-SUMMARY.md", "02-invoices/02-01-SUMMARY.md")
    )

    assert {(k.relation, k.source_ref) for k in second.links} == {("requires", first.source_ref)}
    assert {(k.relation, k.source_ref) for k in first.links} == {
        ("provides", second.source_ref),
        ("affects", second.source_ref),
    }


@pytest.mark.parametrize(
    "said", ["1", "01", "Phase 1", "01-foundation", "foundation", "phase 01: Foundation"]
)
def test_a_phase_is_known_by_its_number_or_its_name(project, said):
    name = "phases/02-invoices/02-01-SUMMARY.md"
    file = project / ".planning" / name
    file.write_text(f"---\nrequires: [{said!r}]\n---\n\n**Invoices**\n")

    links = by_source(project)[name].links

    assert [k.source_ref for k in links] == ["gsd:phases/01-foundation/01-01-SUMMARY.md"]


def test_links_reach_the_store(project, tmp_path):
    with opened(tmp_path) as tacit:
        tacit.import_from(str(project))
        second = next(m for m in tacit.list(kinds=["episode"]) if "02-01" in m.source_ref)
        links = {(relation, other.source_ref) for relation, other in tacit.why(second.id).links}

    first = "gsd:phases/01-foundation/01-01-SUMMARY.md"
    assert {("requires", first), ("provided_by", first), ("affected_by", first)} <= links


def test_importing_twice_changes_nothing(project, tmp_path):
    same_twice(project, tmp_path)


def test_a_state_that_has_moved_on_is_one_block_with_a_history(project, tmp_path):
    with opened(tmp_path) as tacit:
        tacit.import_from(str(project))
        (project / ".planning" / "STATE.md").write_text(STATE + "\nStopped at: 02-02\n")
        tacit.import_from(str(project))
        state = next(m for m in tacit.list(kinds=["block"]) if m.source_ref == "gsd:STATE.md")
        assert "Stopped at: 02-02" in state.text
        assert len(tacit.why(state.id).history) == 2


def test_the_way_back_writes_the_same_files(project, tmp_path):
    with opened(tmp_path) as tacit:
        tacit.import_from(str(project))
        tacit.export_to("gsd", str(tmp_path / "out"))

    out = tmp_path / "out" / ".planning"
    assert (out / "STATE.md").read_text() == STATE
    assert (out / "PROJECT.md").read_text() == PROJECT
    assert (out / "phases/01-foundation/01-01-SUMMARY.md").read_text() == FIRST
    assert (out / "phases/02-invoices/02-01-SUMMARY.md").read_text() == SECOND


def test_a_long_state_becomes_a_digest_of_less_than_a_hundred_lines(project, tmp_path):
    rows = "".join(f"- [01]: Decision number {n}\n" for n in range(300))
    long = STATE.replace("- [01-01]: Tokens are signed with RS256\n", rows)
    (project / ".planning" / "STATE.md").write_text(long)

    with opened(tmp_path) as tacit:
        tacit.import_from(str(project))
        tacit.export_to("gsd", str(tmp_path / "out"))

    text = (tmp_path / "out" / ".planning" / "STATE.md").read_text()
    assert text.count("\n") < 100
    assert "Invoices are numbered per country" in text
    assert "Blockers/Concerns" in text
    assert "Decision number 7\n" not in text


def test_memories_from_elsewhere_give_a_state_and_a_project(tmp_path):
    with opened(tmp_path) as tacit:
        tacit.remember("Sign with RS256", subtype="decision", body=Fact(why="It is | public"))
        tacit.remember("Retry refunds", kind="pattern", polarity="avoid")
        tacit.export_to("gsd", str(tmp_path / "out"))

    out = tmp_path / "out" / ".planning"
    assert "- Sign with RS256" in (out / "STATE.md").read_text()
    assert "- Retry refunds" in (out / "STATE.md").read_text()
    assert "@.planning/PROJECT.md" in (out / "STATE.md").read_text()
    assert "| Sign with RS256 | It is / public |" in (out / "PROJECT.md").read_text()
    assert gsd.sniff(str(tmp_path / "out"))


@given(st.binary(max_size=200), st.text(max_size=300))
@settings(max_examples=60)
def test_any_bytes_are_read_without_an_error(tmp_path_factory, data, text):
    folder = tmp_path_factory.mktemp("any") / ".planning"
    (folder / "phases" / "01-a").mkdir(parents=True)
    head = b"---\nrequires: [" + text.encode(errors="replace") + b"\nmetrics:\n  - " + data
    (folder / "STATE.md").write_bytes(STATE.encode() + data)
    (folder / "PROJECT.md").write_bytes(PROJECT.encode() + b"| " + data + b" |")
    (folder / "phases" / "01-a" / "01-SUMMARY.md").write_bytes(head + b"\n---\nwords")
    (folder / "phases" / "01-a" / "02-SUMMARY.md").write_bytes(text.encode(errors="replace"))

    with opened(folder) as tacit:
        assert tacit.import_from(str(folder), "gsd").refused == 0
        once = all_of(tacit)
        tacit.import_from(str(folder), "gsd")
        assert all_of(tacit) == once
