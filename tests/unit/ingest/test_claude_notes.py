"""The notes of Claude Code: where they lie, whose they are, and what stays out."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime

import pytest

from secret_samples import SAMPLES
from tacit.ingest.claude_notes import claude_folder, find_notes, project_name

NOTE = """---
name: no-mocks
description: Tests use a real database
metadata:
  type: feedback
  modified: 2026-02-03T04:05:06Z
---
Tests use a real database.

**Why:** A mock once hid a broken migration.
"""


@pytest.fixture
def place(tmp_path):
    """Give a project, Claude's folder, and the folder of the project's notes."""
    root, home = tmp_path / "my.shop", tmp_path / "home"
    notes = home / "projects" / project_name(str(root.resolve())) / "memory"
    for folder in (root, notes):
        folder.mkdir(parents=True)
    return root, home, notes


def notes_of(root, home):
    counts: Counter[str] = Counter()
    return list(find_notes([str(root)], str(home), counts)), counts


def test_the_folder_follows_the_environment():
    assert claude_folder({"CLAUDE_CONFIG_DIR": "/etc/c"}) == "/etc/c"
    assert claude_folder({}).endswith(".claude")


def test_notes_of_the_project_are_found_with_type_and_time(place):
    root, home, notes = place
    (notes / "MEMORY.md").write_text("- [No mocks](no-mocks.md) — real database\n")
    (notes / "no-mocks.md").write_text(NOTE)
    other = home / "projects" / "-elsewhere" / "memory"
    other.mkdir(parents=True)
    (other / "MEMORY.md").write_text("Of another project.")

    found, _ = notes_of(root, home)

    assert [note.path.rsplit("/", 1)[-1] for note in found] == ["MEMORY.md", "no-mocks.md"]
    assert {note.sort for note in found} == {"memory"}
    assert dict(found[1].meta)["metadata.type"] == "feedback"
    assert found[1].at == datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
    assert found[1].path == str((notes / "no-mocks.md").resolve())


def test_a_name_is_made_of_letters_digits_and_dashes():
    assert project_name("/home/jo/my.shop_2") == "-home-jo-my-shop-2"


def test_subagents_have_notes_in_the_project_but_those_with_the_user_are_of_all(place):
    root, home, _ = place
    for folder in (
        root / ".claude/agent-memory/reviewer",
        root / ".claude/agent-memory-local/tester",
        home / "agent-memory/writer",
    ):
        folder.mkdir(parents=True)
        (folder / "MEMORY.md").write_text(f"What {folder.name} knows.")

    found, _ = notes_of(root, home)

    assert [dict(note.meta).get("agent") for note in found] == ["reviewer", "tester"]
    assert found[0].path == ".claude/agent-memory/reviewer/MEMORY.md"


def test_the_users_settings_may_choose_a_folder_but_not_the_projects(place, tmp_path):
    root, home, _ = place
    for name in ("chosen", "trap"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "MEMORY.md").write_text(name)
    (root / ".claude").mkdir()
    trap = {"autoMemoryDirectory": str(tmp_path / "trap")}
    (root / ".claude/settings.json").write_text(json.dumps(trap))
    chosen = {"autoMemoryDirectory": str(tmp_path / "chosen")}
    (home / "settings.json").write_text(json.dumps(chosen))

    found, _ = notes_of(root, home)

    assert [note.text for note in found] == ["chosen"]


@pytest.mark.parametrize("settings", ["{", "[]", '{"autoMemoryDirectory": 3}', '{"a": "\\u0000"}'])
def test_settings_that_say_nothing_are_harmless(place, settings):
    root, home, _ = place
    (home / "settings.json").write_text(settings)

    assert notes_of(root, home)[0] == []


def test_a_link_out_of_the_folder_is_not_followed(place, tmp_path):
    root, home, notes = place
    (tmp_path / "private.md").write_text("Not a note.")
    (notes / "a.md").symlink_to(tmp_path / "private.md")

    found, counts = notes_of(root, home)

    assert found == []
    assert counts["outside the project"] == 1


def test_no_secret_of_a_note_stays(place):
    root, home, notes = place
    for number, sample in enumerate(SAMPLES.values()):
        (notes / f"{number}.md").write_text(sample.text)

    found, _ = notes_of(root, home)

    assert [name for name, s in SAMPLES.items() if s.secret in repr(found)] == []


def test_a_project_without_notes_has_none(tmp_path):
    found, counts = notes_of(tmp_path, tmp_path / "nothing")

    assert found == []
    assert counts == {}


def test_a_long_name_of_a_project_is_found_by_its_beginning(tmp_path):
    root = tmp_path / ("long" * 30) / ("name" * 30)
    root.mkdir(parents=True)
    name = project_name(str(root.resolve()))
    assert len(name) > 200
    notes = tmp_path / "home/projects" / f"{name[:200]}-1x2y3z" / "memory"
    notes.mkdir(parents=True)
    (notes / "MEMORY.md").write_text("Uses tabs.")

    assert [note.text for note in notes_of(root, tmp_path / "home")[0]] == ["Uses tabs."]


def test_a_note_without_a_sound_time_or_words(place):
    root, home, notes = place
    (notes / "a.md").write_text("---\nmodified: last week\n---\nUses tabs.")
    (notes / "b.md").write_text("")

    (note,), counts = notes_of(root, home)

    assert note.at is None
    assert counts["empty"] == 1
