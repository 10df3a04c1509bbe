"""Names that lead elsewhere: what is brought in reads nothing else, what goes out stays within."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from tacit.body import Skill, Step
from tacit.errors import TacitError
from tacit.exchange.formats import FORMATS
from tacit.system import Tacit

HOSTILE = [
    "../../escaped", "/abs/escaped", "..\\..\\escaped", "C:\\escaped", "a/../../escaped", "%2e%2e/escaped",
    "\u2024\u2024/escaped", "con", ".git/hooks/post-checkout", "x" * 300, "-rf", "~/escaped", "\u202e\u0000"[:1],
]  # fmt: skip
WRITES = [name for name, one in FORMATS.items() if one.writes and name != "tacit"]
FOLDERS = [
    name for name, one in FORMATS.items() if one.reads and name not in ("tacit", "claude-mem")
]


@pytest.mark.parametrize("format_", WRITES)
def test_no_name_leads_an_export_out_of_its_folder(memory, tmp_path, format_):
    for number, name in enumerate(HOSTILE):
        fields = {"tags": [name], "files": [name], "title": f"{name}"[:50], "author": name[:90]}
        memory.remember(f"{name} {number}", tier="mandate", key=f"k{number}", value=name, **fields)
        steps = (Step(name=name, command=name),)
        memory.remember(f"skill {name}", body=Skill(trigger=name, steps=steps), **fields)
    inside = tmp_path / "out" / "deep" / "target"
    before = {path for path in tmp_path.rglob("*") if "out" not in path.parts}

    with suppress(TacitError):  # or refused as a whole
        memory.export_to(format_, str(inside))

    after = {path for path in tmp_path.rglob("*") if "out" not in path.parts}
    assert after == before
    assert not Path("/abs").exists()
    for path in (tmp_path / "out").rglob("*"):
        assert str(path.resolve()).startswith(str(inside.resolve())) or str(inside).startswith(
            str(path)
        )
        assert not path.is_symlink()


@pytest.mark.parametrize("format_", WRITES)
def test_no_export_writes_through_a_link(memory, tmp_path, format_):
    memory.remember("Sign tokens with RS256", tier="mandate")
    memory.remember("Release it", body=Skill(trigger="release", steps=(Step(name="tag"),)))
    first, outside = tmp_path / "first", tmp_path / "outside"
    memory.export_to(format_, str(first))
    outside.mkdir()
    linked = tmp_path / "linked"
    linked.mkdir()
    names = sorted({path.relative_to(first).parts[0] for path in first.rglob("*")})
    for name in names:  # a hostile project: what would be written to is a link to somewhere else
        if (first / name).is_dir():
            (outside / name).mkdir()
        (linked / name).symlink_to(outside / name)

    with suppress(TacitError):
        memory.export_to(format_, str(linked))

    assert [path for path in outside.rglob("*") if not path.is_dir()] == []


@pytest.mark.parametrize("format_", FOLDERS)
def test_no_import_reads_through_a_link(victim, memory, location, tmp_path, format_):
    """The very files of a real export, each a link to a file outside of what was named."""
    secret = tmp_path / "private"
    secret.write_text("# canary-outside\n\ncanary-outside\n" * 20)
    memory.remember("Sign tokens with RS256", kind="pattern")
    folder = tmp_path / "theirs"
    if FORMATS[format_].writes:
        memory.export_to(format_, str(folder))
    else:
        folder.mkdir()
        (folder / "memories.json").write_text("[]")
    for path in [one for one in [folder, *folder.rglob("*")] if one.is_file()]:
        path.unlink()
        path.symlink_to(secret)

    victim.runs("--store", f"{location}.new", "import", folder, "--format", format_)

    for file in Path(location).parent.glob("shop.db.new*"):
        assert b"canary-outside" not in file.read_bytes()


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(victim, memory, location, tmp_path):
    memory.remember("Sign tokens with RS256")
    for format_ in FOLDERS:
        if not FORMATS[format_].writes:
            continue
        folder = tmp_path / format_
        memory.export_to(format_, str(folder))
        for path in [one for one in [folder, *folder.rglob("*")] if one.is_file()]:
            path.unlink()
            os.mkfifo(path)
        victim.runs("--store", f"{location}.new", "import", folder, "--format", format_)
    pipe = tmp_path / "backup.db"
    os.mkfifo(pipe)

    ran = victim.runs("--store", location, "backup", "load", pipe, "--yes")

    assert ran.status != 0
    with Tacit.open(location, scope="project:shop") as again:
        assert len(again.list()) == 1


def test_a_backup_does_not_overwrite(victim, memory, location, tmp_path):
    victims = tmp_path / "precious"
    victims.write_text("mine")
    (tmp_path / "link.db").symlink_to(victims)
    memory.remember("Sign tokens with RS256")

    for path in (victims, tmp_path / "link.db"):
        assert victim.runs("--store", location, "backup", "create", path).status != 0

    assert victims.read_text() == "mine"
