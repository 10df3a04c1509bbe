"""`edit`, `link`, `forget`, `restore` and `erase`: nothing changes by accident."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interfaces.test_cli_remember import editor

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli

pytestmark = pytest.mark.usefixtures("seeded")
OLD = "Sign tokens with RS256"


def test_edit_gives_a_new_text_and_keeps_the_old_one_in_the_history(cli: Cli) -> None:
    ran = cli("edit", "abcd2345", "--text", "Sign tokens with ES256")

    assert ran.out == "edited [abcd2345] Sign tokens with ES256\n"
    assert [r["memory"]["text"] for r in cli.json("why", "abcd2345")["history"]] == [
        OLD,
        "Sign tokens with ES256",
    ]


def test_edit_reads_the_text_from_standard_input(cli: Cli) -> None:
    assert cli.json("edit", "abcd2345", "--text", "-", stdin="piped in")["text"] == "piped in"


def test_edit_sets_fields(cli: Cli) -> None:
    memory = cli.json("edit", "abcd", "--set", "tier=mandate", "importance=.9", "pinned=true")

    assert (memory["tier"], memory["importance"], memory["pinned"]) == ("mandate", 0.9, True)


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("tier", "is not NAME=VALUE"),
        ("=x", "is not NAME=VALUE"),
        ("tier=supreme", "tier 'supreme' is unknown"),
        ("importance=much", "'much' is not a number"),
        ("importance=2", "is not between 0 and 1"),
        ("importance=nan", "is not between 0 and 1"),
        ("pinned=maybe", "pinned is true or false"),
        ("hash=x", "'hash' cannot be set"),
    ],
)
def test_a_wrong_setting_says_what_is_right(cli: Cli, setting: str, complaint: str) -> None:
    ran = cli("edit", "abcd", "--set", setting)

    assert ran.status == 2
    assert complaint in ran.err


def test_edit_opens_the_editor(cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change = (
        "text = open(path).read()\nopen(path, 'w').write(text.replace('RS256', 'ES256') + '\\n')"
    )
    monkeypatch.setenv("EDITOR", editor(folder, change))

    assert cli("edit", "abcd").out == "edited [abcd2345] Sign tokens with ES256\n"


def test_visual_comes_before_editor(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "false")
    monkeypatch.setenv("VISUAL", editor(folder, "open(path, 'w').write('seen')"))

    assert cli("edit", "abcd").status == 0


def test_an_unchanged_text_changes_nothing(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", editor(folder, "open(path, 'a').write('\\n')"))

    ran = cli("edit", "abcd")

    assert (ran.status, ran.out) == (0, f"unchanged [abcd2345] {OLD}\n")
    assert cli.json("show", "abcd")["rev"] == 1


@pytest.mark.parametrize("command", ["false", "no-such-editor --wait"])
def test_an_editor_that_fails_changes_nothing(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("EDITOR", command)

    ran = cli("edit", "abcd")

    assert ran.status == 6
    assert "the editor" in ran.err
    assert cli.json("show", "abcd")["text"] == OLD


def test_an_emptied_text_is_refused(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", editor(folder, "open(path, 'w').close()"))

    ran = cli("edit", "abcd")

    assert ran.status == 2
    assert cli.json("show", "abcd")["text"] == OLD


def test_link_relates_two_memories(cli: Cli) -> None:
    link = cli.json("link", "abcd2345", "requires", "wxyz6723", "--weight", "0.5")

    assert list(link) == ["src", "relation", "dst", "weight", "origin", "valid_from", "valid_to"]
    assert (link["relation"], link["weight"]) == ("requires", 0.5)
    assert cli.json("why", "wxyz6723")["links"][0]["relation"] == "required_by"


def test_link_says_what_it_linked(cli: Cli) -> None:
    ran = cli("link", "abcd2345", "supports", "wxyz6723")

    assert ran.out == f"[abcd2345] {OLD} supports [wxyz6723] Do not retry refunds\n"


def test_an_unknown_relation_is_refused_with_those_that_are_known(cli: Cli) -> None:
    ran = cli("link", "abcd2345", "likes", "wxyz6723")

    assert ran.status == 2
    assert "supports" in ran.err


def test_forget_puts_away_and_restore_brings_back(cli: Cli) -> None:
    assert cli("forget", "abcd2345").out == f"forgot [abcd2345] {OLD}\n"
    assert cli.json("list", "--key", "auth.jwt_alg") == []

    assert cli("restore", "abcd2345").out == f"restored [abcd2345] {OLD}\n"
    assert len(cli.json("list", "--key", "auth.jwt_alg")) == 1


def test_a_dry_run_forgets_nothing(cli: Cli) -> None:
    assert cli("forget", "abcd2345", "--dry-run").out == f"would forget [abcd2345] {OLD}\n"
    assert cli.json("forget", "abcd2345", "--dry-run")["done"] is False
    assert len(cli.json("list")) == 4


@pytest.mark.parametrize("verb", ["forget", "restore"])
def test_json_names_the_memories_and_that_it_is_done(cli: Cli, verb: str) -> None:
    told = cli.json(verb, "abcd2345", "wxyz6723")

    assert told["done"] is True
    assert [memory["short"] for memory in told["memories"]] == ["abcd2345", "wxyz6723"]
    assert list(told["memories"][0]) == ["id", "short", "kind", "title"]


@pytest.mark.parametrize("verb", [["forget"], ["restore"], ["erase", "--yes"]])
def test_one_unknown_name_among_several_changes_nothing(cli: Cli, verb: list[str]) -> None:
    before = cli("export").out

    ran = cli(*verb, "abcd2345", "nothere2")

    assert ran.status == 3
    assert cli("export").out == before


def test_erase_only_shows_what_it_would_do(cli: Cli) -> None:
    ran = cli("erase", "abcd2345")

    assert ran.status == 0
    assert ran.out == f"would erase [abcd2345] {OLD}\n"
    assert "add --yes" in ran.err
    assert len(cli.json("list")) == 4


def test_erase_with_yes_leaves_no_trace(cli: Cli, folder: Path) -> None:
    told = cli.json("erase", "abcd2345", "abcd", "wxyz6723", "--yes")

    assert (len(told["memories"]), told["done"]) == (2, True)
    assert cli("show", "abcd2345").status == 3
    stores = list((folder.parent / "home" / "projects").glob("*.db"))
    assert all(OLD.encode() not in store.read_bytes() for store in stores)
