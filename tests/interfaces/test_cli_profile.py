"""`tacit profile`: what there is, what differs, what is in use, and how it is changed and taken back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.profile import DEFAULT, PROFILES

if TYPE_CHECKING:
    from conftest import Cli


def test_the_built_in_profiles_are_listed_and_one_is_in_use(cli: Cli) -> None:
    cli.keep("Totals are kept in cents")

    listed = cli.json("profile", "list")

    assert [one["name"] for one in listed] == list(PROFILES)
    assert [one["name"] for one in listed if one["in_use"]] == ["default"]
    assert listed[0]["changes"] == {}
    assert cli("profile", "list").out.startswith("in use  default@1\n")


def test_a_change_is_the_next_version_in_use_from_now_on_and_can_be_taken_back(cli: Cli) -> None:
    changed = cli.json("profile", "set", "default", "recency=0.3", "--why", "fresh work matters")
    shown = cli.json("profile", "show", "default")
    back = cli("profile", "set", "default@1")

    assert (changed["name"], changed["version"]) == ("default", 2)
    assert (changed["why"], changed["by"]) == ("fresh work matters", "ana")
    assert (shown["recency"], shown["version"]) == (0.3, 2)
    assert back.out == "in use: default@1\n"
    history = cli.json("profile", "history")
    assert [(one["name"], one["version"]) for one in history] == [("default", 1), ("default", 2)]


def test_what_is_in_use_serves_recall_where_no_profile_is_named(cli: Cli) -> None:
    cli.keep("Totals are kept in cents", "--file", "src/cart.py")
    channels = []
    for retrieval in ("graph", "hybrid"):
        cli("profile", "set", "default", f"retrieval={retrieval}")
        found = cli.json("recall", "totals", "--explain")
        channels.append([pool["channel"] for pool in found["pools"]])
    built_in = cli.json("recall", "totals", "--explain", "--profile", "default@1")

    assert "graph" in channels[0]
    assert "graph" not in channels[1]
    assert "graph" in [pool["channel"] for pool in built_in["pools"]]


def test_a_new_name_begins_as_another_and_recall_takes_it_by_name(cli: Cli) -> None:
    cli.keep("Totals are kept in cents")

    cli(
        "profile",
        "set",
        "mine",
        "kinds.fact=0.5",
        "avoid=null",
        "named_alone=false",
        "--from",
        "seed",
    )
    [hit] = cli.json("recall", "totals", "--profile", "mine")

    assert cli.json("profile", "diff", "seed", "mine")["fields"] == {
        "kinds": {"a": {}, "b": {"fact": 0.5}},
        "named_alone": {"a": True, "b": False},
    }
    assert hit["parts"]["factor"] == 0.5


def test_differences_are_shown_side_by_side(cli: Cli) -> None:
    cli.keep("Totals are kept in cents")
    out = cli("profile", "diff", "semantic-heavy", "balanced").out.splitlines()

    assert out[0].split() == ["semantic-heavy@1", "balanced@1"]
    assert out[1].startswith("kinds  fact 1, pattern 1, episode 0.2857, skill 0.1429  fact 1,")
    assert (
        cli("profile", "diff", "default", "default@1").out
        == "default@1 and default@1 say the same.\n"
    )


def test_an_exported_profile_is_imported_as_it_was_and_not_yet_used(cli: Cli) -> None:
    cli("profile", "set", "mine", "diversity=0.4", "--from", "default")
    told = cli("profile", "export", "mine").out
    other = json.loads(told) | {"name": "theirs"}

    kept = cli.json("profile", "import", "-", stdin=json.dumps(other))
    again = cli.json("profile", "import", "-", stdin=json.dumps(other))

    assert kept == again == {"name": "theirs", "version": 1}
    assert cli.json("profile", "diff", "mine", "theirs")["fields"] == {}
    assert cli.json("profile", "history")[0]["name"] == "mine"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["set", "default", "recency=7"], "recency is 7; it must be from 0 to 1"),
        (["set", "default", "recensy=0.1"], "no field 'recensy'"),
        (["set", "default", "layers=5"], "layers is 5; use one of 2, 3, 4"),
        (["set", "default", "recency"], "write key=value"),
        (["set", "default", "version=3"], "version is no number of a profile"),
        (["set", "golden"], "there is no profile 'golden'; there are default, seed"),
        (["set", "golden", "recency=0.1"], "there is no profile 'golden'"),
        (["set", "new", "--from", "default"], "say what it changes"),
        (["set"], "needs a name"),
        (["show", "default@9"], "has no version 9; it has 1"),
        (["diff", "default"], "takes 2 words"),
        (["import", "-"], "no profile in JSON"),
    ],
)
def test_what_cannot_be_done_says_why(cli: Cli, words: list[str], told: str) -> None:
    cli.keep("Totals are kept in cents")

    ran = cli("profile", *words)

    assert ran.status != 0
    assert told in ran.err
    assert cli.json("profile", "history") == []


def test_a_profile_that_a_setting_names_goes_before_what_is_adopted(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_PROFILE", "seed")

    ran = cli("profile", "set", "default", "recency=0.3")

    assert "the setting profile = 'seed' goes before it" in ran.err
    listed = {one["name"]: one["in_use"] for one in cli.json("profile", "list")}
    assert (listed["seed"], listed["default"]) == (True, False)


def test_every_field_is_shown_to_people_too(cli: Cli) -> None:
    cli.keep("Totals are kept in cents")

    shown = cli("profile", "show", "default").out

    assert [line.split()[0] for line in shown.splitlines()] == list(DEFAULT._fields)
