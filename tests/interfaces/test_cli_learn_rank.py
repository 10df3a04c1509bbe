"""`learn rank` and `learn transfer` say what they did, and do nothing that was not told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proved import helped, used
from tacit.system import Tacit

if TYPE_CHECKING:
    from interfaces.conftest import Cli

SAID = "Run the linter before every commit, it saves a round of review"
THINGS = "alpha bravo charlie delta echo foxtrot golf hotel india juliet".split()


def test_rank_says_what_it_needs_where_there_is_too_little(cli: Cli) -> None:
    cli.keep(SAID)

    assert "30 of 5 are needed" in cli("learn", "rank").out
    assert cli.json("learn", "rank")["kept"] == ""


def test_rank_shows_the_weights_and_what_became_of_them(cli: Cli) -> None:
    cli.keep(SAID)
    with Tacit.open() as tacit:
        for thing in THINGS:
            text = f"{thing} exports are written by the nightly job"
            wanted = tacit.remember(f"{text} to disk", trust="tool").id
            other = tacit.remember(text).id
            for turn in range(4):
                number = 10 * turn + THINGS.index(thing)
                used(tacit, number, f"{thing} exports written nightly job disk", wanted, other)

    shown, taken = cli("learn", "rank").out, cli.json("learn", "rank", "--adopt")

    assert "Held out: reciprocal rank" in shown
    assert "a person's word" in shown
    assert "Kept as ranked@1" in shown
    assert taken["adopted"] is True
    assert taken["learnt"]["human"] < taken["before"]["human"]


def test_transfer_shows_first_and_lifts_when_told(cli: Cli) -> None:
    cli.keep(SAID, "--kind", "pattern")
    with Tacit.open() as tacit:
        helped(tacit, tacit.list()[0].id, 3)

    shown, done = cli("learn", "transfer"), cli("learn", "transfer", "--yes")

    assert "helped 6 of 6 times, in 3 sessions" in shown.out
    assert "tacit learn transfer --yes" in shown.err
    assert "Lifted 1 memory to all your projects." in done.out
    assert "Nothing here has surely helped" in cli("learn", "transfer").out
    assert cli.json("learn", "transfer") == {"proposals": [], "copies": []}
