"""`timeline --learnt`, `--known-at` of one memory, and times that are set right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from interfaces.conftest import Cli


def test_what_was_learnt_is_told_with_what_became_of_it_and_by_whom(cli: Cli) -> None:
    old = cli.keep(
        "Tokens use RS256", "--key", "auth.alg", "--value", "RS256", "--valid-from", "9d"
    )
    new = cli.keep(
        "Tokens use ES256", "--key", "auth.alg", "--value", "ES256", "--valid-from", "2d"
    )

    lines = cli("timeline", "--learnt", "--key", "auth.alg").out.splitlines()

    assert [line.split()[2:4] for line in lines] == [
        ["recorded", f"[{old}]"],
        ["retired", f"[{old}]"],
        ["recorded", f"[{new}]"],
    ]
    assert "supersede by" in lines[1]
    assert "valid_to none →" in lines[1]


def test_as_json_an_entry_holds_what_was_different(cli: Cli) -> None:
    short = cli.keep("We deploy on Fridays")
    cli("edit", short, "--text", "We deploy on Mondays")

    entry = cli.json("timeline", "--learnt", "--anchor", short)[-1]

    assert list(entry) == ["at", "event", "op", "by", "note", "changes", "memory"]
    assert (entry["event"], entry["op"], entry["by"]) == ("changed", "edit", "ana")
    assert entry["changes"] == [
        {"name": "text", "before": "We deploy on Fridays", "after": "We deploy on Mondays"}
    ]


@pytest.mark.usefixtures("seeded")
def test_a_stretch_in_which_nothing_was_learnt_is_said_to_be_one(cli: Cli) -> None:
    ran = cli("timeline", "--learnt", "--since", "2001-01-01", "--until", "2001-02-01")

    assert ran.out == "Nothing was learnt in this stretch of time.\n"


@pytest.mark.usefixtures("seeded")
def test_without_a_range_the_latest_are_shown_and_more_are_offered(cli: Cli) -> None:
    for number in range(40):
        cli.keep(f"The release number {number} went well", "--kind", "episode")

    ran = cli("timeline", "--learnt")

    assert "number 39" in ran.out
    assert "number 2 " not in ran.out
    assert "--since or --limit shows more" in ran.err


def test_a_memory_is_shown_as_it_stood(cli: Cli) -> None:
    short = cli.keep("We deploy on Fridays")
    then = cli.json("show", short)["recorded_at"]
    cli("edit", short, "--text", "We deploy on Mondays")

    assert "Fridays" in cli("show", short, "--known-at", then).out
    assert cli.json("why", short, "--known-at", then)["memory"]["text"] == "We deploy on Fridays"
    assert cli("show", short, "--known-at", "2001-01-01").status != 0


def test_a_wrong_time_is_set_right(cli: Cli) -> None:
    short = cli.keep("The office is in Ghent")

    cli("edit", short, "--set", "valid_from=2020-01-01", "valid_to=2021-01-01")
    assert cli.json("list", "--as-of", "2020-06-01")[0]["short"] == short
    assert cli.json("list") == []
    cli("edit", short, "--set", "valid_to=")
    assert cli.json("list")[0]["short"] == short
