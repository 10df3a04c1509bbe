"""`why` and `recall --explain` say what share each part had, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.learn.profiles import keep
from tacit.profile import DEFAULT
from tacit.system import Tacit

if TYPE_CHECKING:
    from interfaces.conftest import Cli

SAID = "Tokens are signed with RS256"


def test_why_says_what_the_score_was_made_of_when_it_was_handed_over(cli: Cli) -> None:
    short = cli.keep(SAID)
    cli("brief", "how are tokens signed?", "--session", "s1")

    told = cli("why", short).out
    handed = cli.json("why", short)["handed"]

    assert "because" in told
    assert "%  words it shares with the question" in told
    assert sum(share for share in handed[0]["shares"].values() if share > 0) in (99, 100, 101)


def test_recall_explained_says_the_share_of_each_part(cli: Cli) -> None:
    cli.keep(SAID)

    assert "%  words it shares with the question" in cli("recall", "tokens", "--explain").out


def test_a_profile_that_weighs_as_such_is_told_so(cli: Cli) -> None:
    cli.keep(SAID)
    with Tacit.open() as tacit:
        keep(tacit.store, DEFAULT.replace(name="as-such", covered=0.5))
        plain = tacit.recall("tokens signed")[0]
        other = tacit.recall("tokens signed", profile="as-such")[0]

    assert other.parts.covered == 0.5 * plain.parts.coverage
    assert other.score == other.parts.score
    out = cli("recall", "tokens signed", "--explain", "--profile", "as-such").out
    assert "how much of the question it holds" in out
