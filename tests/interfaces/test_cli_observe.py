"""`init` and `observe`: a project becomes memory, and what was done is said in full."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from fakes import HashEmbedder
from watched import README, claude_session, make_shop, put_sessions

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli
    from watched import Repo

REPORT = (  # in order
    "dry_run new changed sources kinds evidence refused examples redacted left_out unverified candidates"
).split()
EVENT = {"session": "7", "host": "my-agent", "what": "prompt", "id": "1"}


@pytest.fixture
def shop(folder: Path) -> Repo:
    """Fill the present folder with a project, and the home with sessions in it."""
    repo = make_shop(folder)
    put_sessions(folder.parent / "ana", folder)
    return repo


def tree(folder: Path) -> dict[str, bytes]:
    """Give all files below a folder with what they hold."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stores(folder: Path) -> list[Path]:
    return list((folder.parent / "home").rglob("*.db"))


def numbers(report: dict[str, Any]) -> dict[str, Any]:
    """Give what a report counts, without what differs from run to run."""
    sources = {
        one["source"]: {k: v for k, v in one.items() if k != "seconds"} for one in report["sources"]
    }
    return {name: report[name] for name in REPORT if name != "dry_run"} | {"sources": sources}


# init


@pytest.mark.usefixtures("shop")
def test_init_says_what_was_read_and_what_was_kept(cli: Cli) -> None:
    out = cli("init").out

    assert out.startswith("Made the store.\nstore ")
    for line in (r"3 documents +\d+ new", r"1 manifest +\d+ new", r"7 commits +\d+ new"):
        assert re.search(line, out), out
    assert re.search(r"\n2 sessions +\d+ new", out)
    assert re.search(r"\n2 code files +\d+ new", out)
    assert re.search(r"\n\nkept \d+ memories in [\d.]+ s: ", out)
    assert re.search(r"\nand \d+ of evidence, to be searched: .*\d+ episode commit", out)


@pytest.mark.usefixtures("shop")
def test_init_again_finds_nothing_new(cli: Cli) -> None:
    cli("init")
    before = cli("export").out

    ran = cli("init")

    assert ran.out.startswith("The store is there already.\n")
    assert "\nkept 0 memories in " in ran.out
    assert cli("export").out == before


@pytest.mark.usefixtures("shop")
def test_init_json_tells_the_place_and_the_numbers(cli: Cli) -> None:
    told = cli.json("init")

    place = ["store", "user_store", "project", "scope", "created", "embedding_seconds"]
    assert list(told) == place + REPORT
    assert (told["created"], told["dry_run"], told["changed"]) == (True, False, True)
    assert told["new"] == sum(told["kinds"].values()) == len(cli.json("list", "--limit", "999"))
    assert list(told["sources"][0]) == [
        *("source", "seen", "drafts", "new", "renewed", "refused", "ended", "seconds")
    ]


def test_init_writes_nothing_into_the_work_tree(cli: Cli, shop: Repo, folder: Path) -> None:
    before = tree(folder)

    cli("init")

    assert tree(folder) == before
    assert shop.git("status", "--porcelain") == ""


@pytest.mark.usefixtures("shop")
def test_a_dry_run_without_a_store_makes_none_and_tells_the_same_numbers(
    cli: Cli, folder: Path
) -> None:
    text = cli("init", "--dry-run").out
    dry = cli.json("init", "--dry-run")

    assert stores(folder) == []
    assert "would keep" in text
    assert "kept" not in text
    assert dry["dry_run"] is True
    assert numbers(dry) == numbers(cli.json("init"))


def test_a_dry_run_with_a_store_changes_nothing_and_tells_the_same_numbers(
    cli: Cli, shop: Repo, folder: Path
) -> None:
    cli("init")
    shop.write("README.md", README.replace("8080", "9090"))
    shop.write("src/shop/tax.py", "RATE = 0.19\n")
    shop.commit("Add the tax rate of Germany")
    before = cli("export").out

    dry = cli.json("init", "--dry-run")

    assert cli("export").out == before
    assert len(stores(folder)) == 1
    assert sum(dry["evidence"].values()) >= 1
    assert numbers(dry) == numbers(cli.json("init"))


@pytest.mark.usefixtures("shop")
def test_only_what_was_named_is_read(cli: Cli) -> None:
    told = cli.json("init", "--only", "documents, git")

    # The card is made of what there is, whatever was read anew.
    assert [one["source"] for one in told["sources"]] == ["documents", "git", "card"]


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("command", ["init", "observe"])
def test_a_source_that_there_is_not_is_refused_with_those_there_are(cli: Cli, command: str) -> None:
    ran = cli(command, "--only", "documents,svn")

    assert ran.status == 2
    assert "there is no source 'svn'; there are documents, notes, git, manifests" in ran.err


@pytest.mark.usefixtures("shop")
def test_an_empty_store_holds_nothing(cli: Cli) -> None:
    ran = cli("init", "--empty")

    assert ran.out.startswith("Made the store.\n")
    assert "tacit remember" in ran.err
    assert cli.json("list") == []


@pytest.mark.usefixtures("shop")
def test_init_quiet_prints_the_path_alone(cli: Cli, folder: Path) -> None:
    ran = cli("init", "--quiet")

    assert ran.out.splitlines() == [str(path) for path in stores(folder)]
    assert ran.err == ""


@pytest.mark.usefixtures("shop")
def test_init_computes_vectors_unless_told_not_to(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_EMBEDDER", "default")
    monkeypatch.setattr(
        "tacit.encode.embedding.open_embedder",
        lambda name=None, **_options: None if name == "off" else HashEmbedder(),
    )
    told = cli.json("init", "--no-embed")

    assert cli.json("status")["pending"] == told["new"] + sum(told["evidence"].values())
    ran = cli("init")
    assert "\nembedded them in " in ran.out
    assert cli.json("status")["pending"] == 0


def test_init_in_a_folder_with_nothing_says_so(cli: Cli) -> None:
    assert "nothing was found to read\n\nkept 0 memories" in cli("init").out


@pytest.mark.usefixtures("shop")
def test_init_reads_the_project_that_was_named(cli: Cli, folder: Path, tmp_path: Path) -> None:
    os.chdir(tmp_path)

    told = cli.json("init", "--project", str(folder))

    assert (told["project"]["root"], told["new"] > 0) == (str(folder), True)


@pytest.mark.usefixtures("shop")
def test_a_store_of_its_own_has_no_project_to_read(cli: Cli, tmp_path: Path) -> None:
    ran = cli("init", "--store", str(tmp_path / "mine.db"))

    assert ran.status == 0
    assert "tacit remember" in ran.err
    assert cli("observe", "--store", str(tmp_path / "mine.db")).status == 2


@pytest.mark.usefixtures("shop")
def test_the_model_that_comes_with_tacit_makes_what_was_read_findable_by_meaning(
    folder: Path, tmp_path: Path
) -> None:
    environment = os.environ | {"TACIT_EMBEDDER": "default"}

    def run(*argv: str) -> str:
        command = [sys.executable, "-m", "tacit", *argv]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    run("init", "--only", "documents")

    found = json.loads(
        run("recall", "Which database keeps the purchases?", "--channels", "vector", "--json")
    )
    assert "PostgreSQL" in found[0]["memory"]["text"]


# observe


def test_observe_reads_what_is_new_in_the_project(cli: Cli, shop: Repo) -> None:
    cli("init")
    shop.write("src/shop/tax.py", "RATE = 0.19\n")
    shop.commit("Add the tax rate of Germany")

    ran = cli("observe", "--only", "git")

    assert re.match(r"1 commit +1 new", ran.out)
    assert "Add the tax rate of Germany" in cli("list", "--evidence").out


def test_observe_makes_the_store_when_there_is_none(cli: Cli, shop: Repo, folder: Path) -> None:
    assert cli.json("observe", "--only", "documents")["new"] > 0
    assert len(stores(folder)) == 1


def test_observe_reads_a_file_of_sessions(cli: Cli, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text(claude_session(folder))
    dry = cli("observe", str(path), "--dry-run").out

    ran = cli("observe", str(path))

    assert re.match(r"1 session +\d new", ran.out)
    assert re.search(r"\d+ new", dry)[0] == re.search(r"\d+ new", ran.out)[0]
    assert "Always use Decimal for prices" in cli("recall", "prices").out


def test_observe_reads_events_from_standard_input_and_pieces_add_up(cli: Cli) -> None:
    first = EVENT | {"text": "Please add a tax table. Always use Decimal for prices, not float."}
    last = EVENT | {"id": "2", "what": "reply", "text": "The tax table is there."}

    told = cli.json("observe", "-", stdin=json.dumps(first) + "\n")
    again = cli.json("observe", "-", stdin=json.dumps(last) + "\n")

    assert told["kinds"] == {"fact convention": 1}  # what was not answered yet is no episode
    assert again["kinds"] == {} or again["evidence"]
    assert len(cli.json("list", "--kind", "episode", "--evidence")) == 1


@pytest.mark.parametrize("argv", [["nothere.jsonl"], ["nothere.jsonl", "--dry-run"]])
def test_observing_a_file_that_is_not_there_fails_and_makes_no_store(
    cli: Cli, folder: Path, argv: list[str]
) -> None:
    ran = cli("observe", *argv)

    assert (ran.status, ran.err) == (3, "tacit: nothere.jsonl: no such file or directory\n")
    assert stores(folder) == []


def test_a_file_of_an_unknown_format_is_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("just some words\n")

    ran = cli("observe", str(tmp_path / "notes.txt"))

    assert ran.status == 2
    assert "holds no session and no issue in a known format; see: tacit observe --help" in ran.err
    assert "is not a file" in cli("observe", str(tmp_path)).err


def test_garbage_on_standard_input_is_counted(cli: Cli) -> None:
    ran = cli("observe", "-", stdin=b"\xff\xfe no event\n")

    assert ran.status == 0
    assert "nothing was found to read" in ran.out
    assert "left out: 1 unknown format" in ran.out


@pytest.mark.parametrize(
    "argv", [["-", "--dry-run"], ["-", "--only", "git"], ["x", "--only", "git"]]
)
def test_options_that_do_not_go_together_are_refused(cli: Cli, argv: list[str]) -> None:
    assert cli("observe", *argv).status == 2


def test_secrets_that_were_taken_out_are_counted(cli: Cli) -> None:
    secret = "gh" + "p_" + "Zx9" * 12
    event = EVENT | {"text": f"Always push with the token {secret} to the mirror."}

    ran = cli("observe", "-", stdin=json.dumps(event) + "\n")

    assert "redacted: 1 github-token" in ran.out
    assert secret not in cli("export").out


@pytest.mark.parametrize("mode", ["manual", "off"])
@pytest.mark.usefixtures("shop")
def test_the_setting_write_keeps_tacit_from_observing(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("TACIT_WRITE", mode)

    ran = cli("observe")

    assert ran.status == 5
    assert f"the setting write = '{mode}' keeps Tacit from observing" in ran.err


# status


def test_status_tells_what_is_unverified(cli: Cli, shop: Repo) -> None:
    cli("init")
    assert "unverified" not in cli("status").out
    shop.write("src/shop/web.py", "# all of it is gone\n")

    assert re.search(r"\nunverified +\d+ whose files have changed since\n", cli("status").out)
    assert cli.json("status")["unverified"] >= 1
    assert re.search(r"\nunverified: \d+ memor", cli("observe").out)
    assert "unverified" in cli("list", "--kind", "pattern").out


@pytest.mark.usefixtures("shop")
def test_status_tells_how_many_wait_for_review(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_WRITE", "review")
    ran = cli("init")

    waiting = cli.json("review")["waiting"]

    assert f"\nwaiting for review: {waiting}; see: tacit review\n" in ran.out
    assert re.search(rf"\nwaiting +{waiting} for review; see: tacit review\n", cli("status").out)


@pytest.mark.parametrize("command", ["init", "observe", "review"])
def test_help_has_examples_and_says_what_happens(cli: Cli, command: str) -> None:
    out = cli(command, "--help").out

    assert out.partition("examples:")[2].count(f"tacit {command}") >= 3
