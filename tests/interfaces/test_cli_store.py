"""`init`, `status`, `doctor`, `export`, `import`, `merge`, `backup` and `reembed`."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from typing import TYPE_CHECKING

import pytest

from fakes import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from interfaces.conftest import Cli


def test_init_says_where_the_store_is_for_whom_and_why(cli: Cli, folder: Path) -> None:
    ran = cli("init")

    assert ran.out.startswith("Made the store.\n")
    assert f"{folder} (identified by its folder, which is in no git repository)" in ran.out
    assert list(folder.iterdir()) == []


def test_init_can_be_repeated(cli: Cli) -> None:
    first, again = cli.json("init", "--empty"), cli.json("init", "--empty")

    assert list(first) == ["store", "user_store", "project", "scope", "created"]
    assert (first.pop("created"), again.pop("created")) == (True, False)
    assert first == again
    assert set(first["project"]) == {"id", "name", "identity", "source", "root"}
    assert cli("init").out.startswith("The store is there already.\n")


def test_init_makes_the_store_of_another_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()

    made = cli.json("init", "--project", str(tmp_path / "other"))

    assert made["project"]["root"] == str(tmp_path / "other")


def test_a_store_can_be_named(cli: Cli, tmp_path: Path) -> None:
    place = str(tmp_path / "mine.db")

    cli("remember", "kept elsewhere", "--store", place)

    assert [m["text"] for m in cli.json("list", "--store", place)] == ["kept elsewhere"]
    assert cli.json("status", "--store", place)["project"] is None


@pytest.mark.usefixtures("seeded")
def test_status_counts_everything(cli: Cli) -> None:
    cli("link", "abcd2345", "supports", "wxyz6723")

    status = cli.json("status")

    assert status["memories"] == status["live"] == 4
    assert status["by_kind"] == {
        "episode": 1,
        "fact": 2,
        "pattern": 1,
        "skill": 0,
        "resource": 0,
        "block": 0,
    }
    assert status["by_tier"] == {"mandate": 1, "guardrail": 0, "reference": 3}
    assert status["by_state"]["active"] == 4
    assert status["links"] == 1
    assert (status["embedder"], status["pending"], status["vectors"]) == (None, 0, {})
    assert status["profile"] == "default"
    assert status["bytes"] > 0


@pytest.mark.usefixtures("seeded")
def test_status_for_people_leaves_out_what_is_nothing(cli: Cli) -> None:
    out = cli("status").out

    assert out.startswith("shop  4 memories\n\n  fact ")
    assert re.search(r"\n  episode +1  █+\n", out)
    assert "contradiction" not in out


@pytest.mark.usefixtures("seeded", "embedding")
def test_status_tells_how_many_vectors_are_missing_and_what_to_do(cli: Cli) -> None:
    assert cli.json("status")["pending"] == 4
    assert "4 missing; run: tacit reembed --pending" in cli("status").out


@pytest.mark.usefixtures("seeded")
def test_doctor_says_that_all_is_well(cli: Cli) -> None:
    ran = cli("doctor")

    assert ran.status == 0
    assert all(line.startswith("ok  ") for line in ran.out.splitlines())
    assert cli("doctor", "--quiet").out == ""


@pytest.mark.usefixtures("seeded")
def test_doctor_json_names_each_check(cli: Cli) -> None:
    told = cli.json("doctor")

    assert list(told) == ["ok", "checks"]
    assert list(told["checks"][0]) == ["name", "ok", "detail"]


@pytest.mark.usefixtures("seeded")
def test_doctor_fails_when_others_may_read_the_store(cli: Cli) -> None:
    os.chmod(cli.json("status")["store"], 0o644)

    ran = cli("doctor")

    assert ran.status == 1
    assert "FAIL  permissions" in ran.out
    assert cli("doctor", "--json").json["ok"] is False


def test_doctor_reports_a_missing_store_as_a_finding(cli: Cli) -> None:
    ran = cli("doctor")

    assert ran.status == 1
    assert "FAIL  store" in ran.out


@pytest.mark.usefixtures("seeded")
def test_what_is_exported_can_be_imported_without_loss(cli: Cli, tmp_path: Path) -> None:
    cli("link", "abcd2345", "supports", "wxyz6723")
    cli("edit", "abcd2345", "--text", "Sign tokens with ES256")
    file, other = str(tmp_path / "out.jsonl"), str(tmp_path / "other.db")

    assert cli("export", file).out == f"exported 7 records to {file}\n"
    told = cli.json("import", file, "--store", other)

    assert told["new"] == 4
    assert told["read"]["memory"] == 4
    assert cli("export", "--store", other).out == (tmp_path / "out.jsonl").read_text()


@pytest.mark.usefixtures("seeded")
def test_an_export_is_only_for_its_owner_and_replaces_no_file_unasked(
    cli: Cli, tmp_path: Path
) -> None:
    file = tmp_path / "out.jsonl"
    cli("export", str(file))

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert cli("export", str(file)).status == 4
    assert cli("export", str(file), "--yes").status == 0
    assert [each.name for each in tmp_path.glob("out*")] == ["out.jsonl"]


@pytest.mark.usefixtures("seeded")
def test_an_export_goes_through_a_pipe(cli: Cli, tmp_path: Path) -> None:
    lines = cli("export", "-").out

    ran = cli("import", "-", "--store", str(tmp_path / "other.db"), stdin=lines)

    assert ran.out == "imported 4 memories (read: memory 4)\n"
    assert "reembed --pending" in ran.err


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize(
    ("lines", "status"),
    [("", 2), ("hello\n", 2), ('{"tacit": 999}\n', 4), ('{"tacit": 1}\n{"type": "planet"}\n', 2)],
)
def test_what_is_no_export_is_refused_and_changes_nothing(
    cli: Cli, lines: str, status: int
) -> None:
    ran = cli("import", "-", stdin=lines)

    assert ran.status == status
    assert len(cli.json("list")) == 4


def test_importing_a_file_that_is_not_there(cli: Cli) -> None:
    ran = cli("import", "nothere.jsonl")

    assert ran.status == 3
    assert ran.err == "tacit: nothere.jsonl: no such file or directory\n"


@pytest.mark.usefixtures("seeded")
def test_merge_takes_in_another_store_once(cli: Cli, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    cli("remember", "from the other side", "--store", other)

    assert cli("merge", other).out == f"merged {other}: 1 new\n"
    assert cli("merge", other).out == f"merged {other}: nothing to change\n"
    assert list(cli.json("merge", other)) == [
        "new",
        "updated",
        "duplicates",
        "superseded",
        "contradictions",
        "kept_private",
        "left_out",
        "dry_run",
        "given",
        "verified",
    ]


@pytest.mark.usefixtures("seeded")
def test_merging_a_store_that_is_not_there_makes_none(cli: Cli, tmp_path: Path) -> None:
    ran = cli("merge", str(tmp_path / "nothere.db"))

    assert ran.status == 6
    assert not (tmp_path / "nothere.db").exists()


@pytest.mark.usefixtures("seeded")
def test_a_backup_can_be_loaded_and_what_was_there_is_kept(cli: Cli) -> None:
    made = cli.json("backup", "create")
    cli("erase", "abcd2345", "--yes")

    loaded = cli.json("backup", "load", made["path"], "--yes")

    assert list(loaded) == ["store", "loaded", "memories", "kept"]
    assert (loaded["loaded"], loaded["memories"]) == (True, 4)
    assert cli("show", "abcd2345").status == 0
    assert cli("doctor").status == 0
    cli("backup", "load", loaded["kept"], "--yes")
    assert cli("show", "abcd2345").status == 3


@pytest.mark.usefixtures("seeded")
def test_backups_are_listed_newest_first(cli: Cli) -> None:
    assert cli.json("backup", "list") == []
    assert "There is no backup" in cli("backup", "list").out
    paths = [cli.json("backup", "create")["path"] for _ in range(2)]

    listed = cli.json("backup", "list")

    assert {each["path"] for each in listed} == set(paths)
    assert list(listed[0]) == ["path", "bytes", "made_at"]
    assert paths[0] in cli("backup", "list").out


@pytest.mark.usefixtures("seeded")
def test_loading_shows_what_it_would_do_until_told_yes(cli: Cli) -> None:
    cli("backup", "create", "copy.db")
    cli("erase", "abcd2345", "--yes")

    ran = cli("backup", "load", "copy.db")

    assert ran.status == 0
    assert ran.out.startswith("would replace 3 memories in ")
    assert len(cli.json("list")) == 3
    assert cli.json("backup", "list") == []


@pytest.mark.usefixtures("seeded")
def test_a_backup_replaces_no_file(cli: Cli) -> None:
    assert cli("backup", "create", "copy.db").status == 0
    assert cli("backup", "create", "copy.db").status == 4


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize(
    ("content", "status"), [(None, 3), (b"", 6), (b"no database " * 100, 6), ("newer", 4)]
)
def test_a_backup_that_does_not_fit_is_refused_before_anything_changes(
    cli: Cli, folder: Path, content: bytes | str | None, status: int
) -> None:
    place = folder / "copy.db"
    if content == "newer":
        cli("backup", "create", str(place))
        with sqlite3.connect(place) as raw:
            raw.execute("PRAGMA user_version = 99")
    elif isinstance(content, bytes):
        place.write_bytes(content)

    ran = cli("backup", "load", str(place), "--yes")

    assert ran.status == status
    assert str(place) in ran.err
    assert len(cli.json("list")) == 4
    assert cli.json("backup", "list") == []


@pytest.mark.usefixtures("seeded")
def test_backup_list_and_load_mind_their_arguments(cli: Cli) -> None:
    assert cli("backup", "list", "x.db").status == 2
    assert cli("backup", "load").status == 2
    assert cli("backup", "burn").status == 2


@pytest.mark.usefixtures("seeded", "embedding")
def test_reembed_fills_in_what_is_missing(cli: Cli) -> None:
    assert cli("reembed", "--pending").out == "embedded 4 memories with hash-64\n"
    assert cli.json("reembed") == {"model": "hash-64", "embedded": 0, "pending": 0}
    assert cli.json("status")["vectors"] == {"hash-64": 4}


@pytest.mark.usefixtures("seeded")
def test_reembed_with_another_embedder_switches_and_the_next_process_uses_it(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tacit.encode.embedding.open_embedder",
        lambda name=None, **_options: HashEmbedder(model=name or "default"),
    )
    monkeypatch.delenv("TACIT_EMBEDDER")
    cli("reembed")

    ran = cli("reembed", "--embedder", "other:model")

    assert ran.out == "embedded 4 memories with other:model\n"
    assert cli.json("status")["vectors"] == {"other:model": 4}
    cli("remember", "A fifth memory, written by the next process")
    assert cli.json("status")["vectors"] == {"other:model": 5}


@pytest.mark.usefixtures("seeded")
def test_reembed_without_an_embedder_says_how_to_name_one(cli: Cli) -> None:
    ran = cli("reembed")

    assert ran.status == 3
    assert "TACIT_EMBEDDER" in ran.err


def test_reembed_that_is_interrupted_goes_on_where_it_stopped(
    cli: Cli, embedding: HashEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "\n".join(f"fact number {number} about topic {number}" for number in range(150))
    cli("remember", "--lines", "-", stdin=lines)
    embed = embedding.embed
    calls: list[int] = []

    def interrupted(texts: Sequence[str]) -> list[bytes]:
        calls.append(len(texts))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return embed(texts)

    monkeypatch.setattr(embedding, "embed", interrupted)
    ran = cli("reembed")

    assert ran.status == 130
    assert "64 of 150 are done; run it again to go on" in ran.err
    assert ran.err.endswith("tacit: interrupted\n")
    assert cli.json("reembed")["embedded"] == 86
