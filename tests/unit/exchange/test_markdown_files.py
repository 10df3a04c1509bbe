"""A store as a folder of Markdown and back: nothing is lost, an edit by hand is an edit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from builders import an_id
from fakes import FrozenClock
from secret_samples import SAMPLES
from tacit.errors import Denied, Invalid
from tacit.exchange import markdown
from unit.exchange.opened import all_of, opened

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.system import Tacit


def kept(tacit: Tacit) -> list[dict[str, object]]:
    """Give the lines of an export that a folder of Markdown carries."""
    rows = [json.loads(line) for line in tacit.export()]
    return [row for row in rows if row.get("type") in ("memory", "link")]


def filled(tacit: Tacit) -> None:
    old = tacit.remember("Tokens are signed with HS256", key="auth.alg", value="HS256")
    tacit.clock.advance(days=1)
    tacit.remember("Tokens are signed with RS256", key="auth.alg", value="RS256", tags=["auth"])
    gone = tacit.remember("Retry refunds", kind="pattern", polarity="avoid", files=["src/pay.py"])
    tacit.forget(gone.id)
    skill = tacit.remember("Release the shop:\n\n1. tag\n2. push\n", kind="skill")
    tacit.link(skill.id, "requires", old.id, weight=0.5)
    tacit.remember("---\nlooks: like a head\n---\n", kind="block", title="note")


def file_of(folder: Path, text: str) -> Path:
    return next(path for path in sorted(folder.rglob("*.md")) if text in path.read_text())


def test_a_folder_gives_the_same_memories_and_links_back(tmp_path):
    with opened(tmp_path) as tacit, opened(tmp_path, "empty") as other:
        filled(tacit)
        tacit.export_to("markdown", str(tmp_path / "notes"))
        found = other.import_from(str(tmp_path / "notes"))

        assert found.format == "markdown"
        assert kept(other) == kept(tacit)
        assert found.new == len([row for row in kept(tacit) if row["type"] == "memory"]) == 5


@given(strategies.memories(), st.lists(strategies.links(), max_size=2))
@settings(max_examples=60)
def test_any_memory_comes_back_as_it_was(memory, drawn):
    links = [link.replace(src=memory.id, dst=an_id(10**10 + n)) for n, link in enumerate(drawn)]

    page = markdown.read_page("x.md", markdown.show(memory, links))

    assert page.memory == memory
    assert not page.edited
    assert list(page.links) == links


def test_importing_twice_changes_nothing(tmp_path):
    with opened(tmp_path) as tacit:
        filled(tacit)
        tacit.export_to("markdown", str(tmp_path / "notes"))
        before = all_of(tacit)

        assert tacit.import_from(str(tmp_path / "notes")).new == 0
        assert all_of(tacit) == before


def test_exporting_twice_writes_the_same_bytes(tmp_path):
    with opened(tmp_path) as tacit:
        filled(tacit)
        tacit.export_to("markdown", str(tmp_path / "notes"))
        before = {path.name: path.read_bytes() for path in (tmp_path / "notes").rglob("*.md")}
        tacit.export_to("markdown", str(tmp_path / "notes"))

    assert {path.name: path.read_bytes() for path in (tmp_path / "notes").rglob("*.md")} == before


def test_a_text_edited_by_hand_is_an_edit_with_a_history(tmp_path):
    clock = FrozenClock()
    with opened(tmp_path, clock=clock) as tacit:
        memory = tacit.remember("Deploys need two reviews")
        tacit.export_to("markdown", str(tmp_path / "notes"))
        file = file_of(tmp_path / "notes", "two reviews")
        for text in ("Deploys need three reviews", "Deploys need four reviews"):
            clock.advance(hours=1)
            before = tacit.get(memory.id).text
            file.write_text(file.read_text().replace(before + "\n", text + "\n"))
            assert tacit.import_from(str(tmp_path / "notes")).edited == 1
            assert tacit.get(memory.id).text == text

        assert tacit.import_from(str(tmp_path / "notes")).edited == 0
        assert [r.memory.text for r in tacit.why(memory.id).history] == [
            "Deploys need two reviews",
            "Deploys need three reviews",
            "Deploys need four reviews",
        ]


def test_a_file_edited_before_its_first_import_has_levels_of_its_own(tmp_path):
    with opened(tmp_path) as tacit, opened(tmp_path, "empty") as other:
        tacit.remember("Retry refunds", kind="pattern", polarity="avoid")
        tacit.export_to("markdown", str(tmp_path / "notes"))
        file = file_of(tmp_path / "notes", "Retry refunds")
        file.write_text(file.read_text().replace("Retry refunds\n", "Retry payouts blindly\n"))
        other.import_from(str(tmp_path / "notes"))

        (memory,) = other.list()
        assert memory.text == memory.levels.title == memory.body.avoid == "Retry payouts blindly"


def test_a_memory_that_changed_here_as_well_is_left_and_told(tmp_path):
    with opened(tmp_path) as tacit:
        memory = tacit.remember("Deploys need two reviews")
        tacit.export_to("markdown", str(tmp_path / "notes"))
        tacit.edit(memory.id, "Deploys need one review")
        file = file_of(tmp_path / "notes", "two reviews")
        file.write_text(file.read_text().replace("two reviews\n", "three reviews\n"))

        assert tacit.import_from(str(tmp_path / "notes")).kept_ours == 1
        assert tacit.get(memory.id).text == "Deploys need one review"


@pytest.mark.parametrize("ends", ["\r\n", "\n\n"])
def test_line_ends_set_by_git_or_an_editor_are_no_edit(tmp_path, ends):
    with opened(tmp_path) as tacit:
        tacit.remember("One line\nand another")
        tacit.export_to("markdown", str(tmp_path / "notes"))
        file = file_of(tmp_path / "notes", "One line")
        text = file.read_text()
        file.write_bytes((text.replace("\n", ends) if ends == "\r\n" else text + "\n").encode())
        before = all_of(tacit)

        found = tacit.import_from(str(tmp_path / "notes"))
        assert found.memories == 1
        assert all_of(tacit) == before


def test_the_folder_mirrors_the_store_and_keeps_what_others_wrote(tmp_path):
    notes = tmp_path / "notes"
    with opened(tmp_path) as tacit:
        first, second = tacit.remember("The first thing"), tacit.remember("The second thing")
        tacit.export_to("markdown", str(notes))
        (notes / "README.md").write_text("# Mine\n")
        named = file_of(notes, "The first thing")
        tacit.edit(first.id, "Another title entirely")
        tacit.erase([second.id])
        tacit.export_to("markdown", str(notes))

    assert sorted(path.name for path in notes.rglob("*.md")) == sorted(["README.md", named.name])
    assert "Another title entirely" in named.read_text()


def test_a_head_holds_no_text_twice(tmp_path):
    with opened(tmp_path) as tacit:
        tacit.remember("Retry refunds", kind="pattern", polarity="avoid")
        tacit.export_to("markdown", str(tmp_path / "notes"))

    assert file_of(tmp_path / "notes", "Retry").read_text().count("Retry refunds") == 1


def test_nothing_is_written_or_read_through_a_link(tmp_path):
    notes, outside = tmp_path / "notes", tmp_path / "outside"
    notes.mkdir()
    outside.mkdir()
    (notes / "fact").symlink_to(outside)
    with opened(tmp_path) as tacit:
        tacit.remember("Deploys need two reviews")
        with pytest.raises(Denied, match="link"):
            tacit.export_to("markdown", str(notes))
        tacit.export_to("markdown", str(outside))
        assert tacit.import_from(str(notes), "markdown").memories == 0

    assert [path.name for path in notes.iterdir()] == ["fact"]


def test_a_secret_written_into_a_file_is_taken_out(tmp_path):
    sample = next(iter(SAMPLES.values()))
    with opened(tmp_path) as tacit, opened(tmp_path, "empty") as other:
        tacit.remember("Deploys need two reviews")
        tacit.export_to("markdown", str(tmp_path / "notes"))
        file = file_of(tmp_path / "notes", "two reviews")
        file.write_text(file.read_text().replace("two reviews\n", sample.text + "\n"))
        for store in (tacit, other):
            found = store.import_from(str(tmp_path / "notes"))
            assert sum(found.redacted.values()) >= 1
            assert sample.secret not in all_of(store)


def test_broken_files_are_counted_and_the_others_read(tmp_path):
    with opened(tmp_path) as tacit, opened(tmp_path, "empty") as other:
        tacit.remember("Deploys need two reviews")
        tacit.export_to("markdown", str(tmp_path / "notes"))
        (tmp_path / "notes" / "broken.md").write_text("---\ntacit: 1\nid: x\n---\nwords\n")
        (tmp_path / "notes" / "other.md").write_text("# words\n")
        copy = file_of(tmp_path / "notes", "two reviews").read_text()
        (tmp_path / "notes" / "twice.md").write_text(copy)
        found = other.import_from(str(tmp_path / "notes"))

    assert found.new == 1
    assert {name: n for name, n in found.read.items() if name.startswith("left out")} == {
        "left out: broken head": 1,
        "left out: not written by Tacit": 1,
        "left out: the same memory twice": 1,
    }


@given(st.binary(max_size=200), st.integers(0, 600))
@settings(max_examples=80)
def test_any_change_to_a_file_is_read_or_refused(data, place):
    from builders import a_skill

    whole = bytearray(markdown.show(a_skill(), []).encode())
    whole[place : place + len(data) // 2] = data
    try:
        page = markdown.read_page("x.md", bytes(whole).decode(errors="replace"))
    except Invalid:
        return
    assert page.text.strip()
