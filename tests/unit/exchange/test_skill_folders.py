"""Skills as folders that every host of Agent Skills accepts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from builders import a_skill
from tacit.body import Fix, Skill, Step
from tacit.errors import Denied
from tacit.exchange import files, front_matter, skill_folders
from unit.exchange.opened import opened

if TYPE_CHECKING:
    from pathlib import Path

PORTABLE = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}


def check(text: str, folder: str) -> dict[str, object]:
    """Check a file against the rules of Agent Skills; give its head."""
    head, body = front_matter.split(text)
    settings_ = front_matter.parse(head)
    assert set(settings_) <= PORTABLE
    name, description = settings_["name"], settings_["description"]
    assert name == folder
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert 1 <= len(name) <= 64
    assert 1 <= len(description) <= 1024
    assert "<" not in description
    assert all(isinstance(value, str) for value in settings_["metadata"].values())
    assert body.count("\n") < 500
    return settings_


RELEASE = Skill(
    trigger="a release is due",
    prerequisites=("A clean tree",),
    steps=(Step(name="Run the tests", command="make check"), Step(name="Tag")),
    errors=(Fix(error="no tag", fix="git fetch --tags"),),
    exit=("The tag is on the server",),
)


def test_a_skill_is_a_folder_with_all_it_needs(tmp_path):
    with opened(tmp_path) as tacit:
        kept = tacit.remember("Release the shop", title="Release the shop", body=RELEASE)
        tacit.remember("Not a skill")
        assert tacit.export_to("skill-folders", str(tmp_path / "skills")) == 1

    text = (tmp_path / "skills" / "release-the-shop" / "SKILL.md").read_text()
    head = check(text, "release-the-shop")
    assert head["description"] == "Release the shop. Use when: a release is due"
    assert head["metadata"]["tacit-id"] == kept.id
    for part in ("1. Run the tests: `make check`", "- A clean tree", "- no tag: git fetch --tags"):
        assert part in text
    assert "- The tag is on the server" in text


@given(strategies.memories(), strategies.skills)
@settings(max_examples=80)
def test_any_skill_keeps_the_rules(tmp_path_factory, memory, body):
    folder = tmp_path_factory.mktemp("skills")
    memory = memory.replace(body=body)

    skill_folders.write(
        str(folder), [memory], links=[], usage={}, load=lambda _name: None, now=strategies.times
    )

    (made,) = folder.iterdir()
    check((made / "SKILL.md").read_text(), made.name)


def written(folder: Path, *skills: object) -> list[str]:
    skill_folders.write(
        str(folder), skills, links=[], usage={}, load=lambda _name: None, now=strategies.times
    )
    return sorted(path.name for path in folder.iterdir())


def test_skills_with_one_title_get_names_of_their_own(tmp_path):
    one, other = a_skill("Release"), a_skill("Release")

    assert written(tmp_path, one, other) == ["release", f"release-{other.short}"]
    assert written(tmp_path, one, other) == ["release", f"release-{other.short}"]


def test_a_folder_of_somebody_else_is_never_touched(tmp_path):
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "SKILL.md").write_text("---\nname: release\ndescription: mine\n---\n")
    skill = a_skill("Release")

    assert written(tmp_path, skill) == ["release", f"release-{skill.short}"]
    assert "mine" in (tmp_path / "release" / "SKILL.md").read_text()


def test_a_skill_that_is_gone_takes_its_file_along_and_leaves_what_is_beside_it(tmp_path):
    one, other = a_skill("Release"), a_skill("Roll back")
    written(tmp_path, one, other)
    (tmp_path / "release" / "notes.txt").write_text("mine")

    assert written(tmp_path) == ["release"]
    assert [path.name for path in (tmp_path / "release").iterdir()] == ["notes.txt"]


def test_nothing_is_written_through_a_link(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "skills").mkdir()
    skill = a_skill("Release")
    written(tmp_path / "skills", skill)
    (tmp_path / "skills" / "release" / "SKILL.md").unlink()
    (tmp_path / "skills" / "release" / "SKILL.md").symlink_to(tmp_path / "outside" / "x")
    (tmp_path / "skills" / "release").rename(tmp_path / "moved")
    (tmp_path / "skills" / "release").symlink_to(tmp_path / "moved")

    assert written(tmp_path / "skills", skill) == ["release", f"release-{skill.short}"]
    with pytest.raises(Denied):
        files.write_text(str(tmp_path / "skills"), "release/SKILL.md", "x")


@given(st.text(max_size=60))
@settings(max_examples=60)
def test_a_head_that_is_written_is_read_back(text):
    text = text.encode(errors="replace").decode().replace("\0", "")

    head, _ = front_matter.split(front_matter.show({"description": text, "metadata": {"a": text}}))

    assert front_matter.parse(head) == {"description": text, "metadata": {"a": text}} or text in (
        "",
        "null",
    )
