"""`import` and `export` of other memories on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from secret_samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli

GRAPH = """\
{"type":"entity","name":"Ana","entityType":"person","observations":["leads the shop"]}
{"type":"entity","name":"Shop","entityType":"project","observations":[]}
{"type":"relation","from":"Ana","to":"Shop","relationType":"leads"}
not json
"""


@pytest.fixture
def graph(folder: Path) -> str:
    (folder / "memory.jsonl").write_text(GRAPH)
    return "memory.jsonl"


def test_a_memory_is_imported_by_looking_into_it(cli: Cli, graph: str) -> None:
    ran = cli("import", graph)

    assert ran.status == 0
    assert ran.out == (
        "imported 4 memories from memory.jsonl "
        "(server-memory; read: entities 2, observations 1, relations 1)\n"
    )
    assert "left out: broken line 1\n" in ran.err
    assert "Ana: leads the shop" in cli("list").out


def test_importing_again_brings_nothing_new(cli: Cli, graph: str) -> None:
    cli("import", graph)
    before = cli("export").out

    assert cli("import", graph).out.startswith("imported 0 memories from memory.jsonl")
    assert cli("export").out == before


def test_a_dry_run_counts_and_keeps_nothing(cli: Cli, graph: str) -> None:
    ran = cli("import", graph, "--dry-run")

    assert ran.out.startswith("would import 4 memories from memory.jsonl (server-memory; read: ")
    assert cli.json("list") == []


def test_programs_get_all_counts(cli: Cli, graph: str) -> None:
    found = cli.json("import", graph, "--format", "server-memory")

    assert found == {
        "format": "server-memory",
        "read": {"entities": 2, "left out: broken line": 1, "observations": 1, "relations": 1},
        "redacted": {},
        "memories": 4,
        "new": 4,
        "edited": 0,
        "kept_ours": 0,
        "refused": 0,
        "dry_run": False,
    }


def test_what_was_redacted_is_told_and_not_kept(cli: Cli, folder: Path) -> None:
    sample = next(iter(SAMPLES.values()))
    row = {"type": "entity", "name": "Key", "entityType": "x", "observations": [sample.text]}
    (folder / "memory.jsonl").write_text(json.dumps(row))

    ran = cli("import", "memory.jsonl")

    assert "redacted: " in ran.err
    assert sample.secret not in ran.out + ran.err + cli("export").out


def test_the_formats_are_listed(cli: Cli) -> None:
    ran = cli("import", "--formats")

    assert "automaker      in and out  Automaker: .automaker/memory/*.md\n" in ran.out
    assert "mem0           in  " in ran.out
    assert "claude-rules   out " in ran.out
    names = [each["name"] for each in cli.json("import", "--formats")]
    assert len(names) == len(ran.out.splitlines())


@pytest.mark.usefixtures("seeded")
def test_markdown_goes_out_and_an_edit_comes_back(cli: Cli, folder: Path) -> None:
    ran = cli("export", "notes", "--format", "markdown")
    assert ran.out == "exported 4 memories to notes (markdown)\n"
    file = next((folder / "notes").rglob("*depl3333.md"))
    file.write_text(file.read_text().replace("need two reviews\n", "need three reviews\n"))

    ran = cli("import", "notes")

    assert ran.out.startswith("imported 0 memories, 1 edit from notes (markdown; read: ")
    assert "Deploys need three reviews" in cli("show", "depl3333").out


@pytest.mark.usefixtures("seeded")
def test_a_format_that_writes_over_files_asks_first(cli: Cli, folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "mine.txt").write_text("mine")

    ran = cli("export", "out", "--format", "gsd")
    assert (ran.status, ran.err) == (
        4,
        "tacit: out holds something already; add --yes to write over it\n",
    )
    assert cli("export", "out", "--format", "gsd", "--yes").status == 0
    assert (folder / "out" / ".planning" / "STATE.md").is_file()


@pytest.mark.usefixtures("seeded")
def test_rules_are_written_into_a_project_without_asking(cli: Cli, folder: Path) -> None:
    (folder / "mine.txt").write_text("mine")

    assert cli.json("export", ".", "--format", "claude-rules") == {
        "path": str(folder),
        "format": "claude-rules",
        "memories": 1,
    }
    assert (folder / ".claude" / "rules" / "tacit" / "always.md").is_file()


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["import"], "name a file or folder, or - for stdin"),
        (["import", "words.txt"], "words.txt has none of the formats tacit, markdown"),
        (["import", "words.txt", "--format", "nothing"], "'nothing' cannot be read; these can"),
        (["import", "-", "--format", "mem0"], "mem0 is not read from stdin"),
        (["export", "--format", "markdown"], "markdown is not written to stdout; name a path"),
        (["export", "x", "--format", "mem0"], "'mem0' cannot be written; these can"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    cli: Cli, folder: Path, argv: list[str], said: str
) -> None:
    (folder / "words.txt").write_text("just words")

    ran = cli(*argv)

    assert ran.status == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_of_a_memory_of_many_projects_the_present_ones_is_taken(cli: Cli, folder: Path) -> None:
    import apsw

    with apsw.Connection(str(folder / "claude-mem.db")) as database:
        database.execute(
            "create table sdk_sessions (id integer, content_session_id text, project text);"
            "create table observations (id integer, project text, type text, title text);"
            "insert into observations values (1, 'shop', 'feature', 'Made the cart'),"
            " (2, 'blog', 'feature', 'Made the feed')"
        )
    database.close()

    cli("import", "claude-mem.db")
    assert "Made the cart" in cli("list").out
    assert "Made the feed" not in cli("list").out

    cli("import", "claude-mem.db", "--from-project", "blog")
    assert "Made the feed" in cli("list").out
