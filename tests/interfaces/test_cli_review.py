"""`review`: what machines found is served when a person says so, and nothing happens unannounced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from aged import use
from builders import DAY, START, a_fact, a_pattern, an_episode
from tacit.model import Origin, State, Tier, Trust
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli


@pytest.fixture
def waiting(folder: Path) -> None:
    """Fill the store with two memories that wait and one that is served."""
    found = {"state": State.CANDIDATE, "origin": Origin.EXTRACTED, "trust": Trust.AGENT}
    with Tacit.open() as tacit:
        tacit.store.put(
            memory.replace(scope=tacit.scope)
            for memory in (
                a_fact("Retries wait a second", short="abcd2345", **found),
                a_fact("Refunds need two reviews", short="efgh3456", **found),
                a_fact("Sign tokens with RS256", short="wxyz6723"),
            )
        )


@pytest.mark.usefixtures("waiting")
def test_review_lists_what_waits_and_nothing_else(cli: Cli) -> None:
    out = cli("review").out

    assert "[abcd2345]  fact  candidate  Retries wait a second" in out
    assert "[efgh3456]" in out
    assert "RS256" not in out


@pytest.mark.usefixtures("waiting")
def test_what_waits_is_not_served_until_it_is_accepted(cli: Cli) -> None:
    assert "Retries" not in cli("list").out
    assert cli.json("recall", "how long do retries wait?") == []

    ran = cli("review", "--accept", "abcd2345")

    assert ran.out == "accepted 1 memory; 1 still waiting\n"
    assert cli.json("recall", "how long do retries wait?")[0]["memory"]["short"] == "abcd2345"
    assert cli.json("show", "abcd2345")["confirmed_by"] == "ana"


@pytest.mark.usefixtures("waiting")
def test_what_is_rejected_is_forgotten_and_can_be_restored(cli: Cli) -> None:
    ran = cli("review", "--reject", "abcd2345", "efgh3456")

    assert ran.out == "rejected 2 memories; 0 still waiting\n"
    assert cli.json("show", "abcd2345")["state"] == "forgotten"
    cli("restore", "abcd2345")
    assert "Retries wait a second" in cli("list").out


@pytest.mark.usefixtures("waiting")
def test_all_can_be_accepted_at_once(cli: Cli) -> None:
    assert cli("review", "--accept-all").out == "accepted 2 memories; 0 still waiting\n"
    assert len(cli.json("list")) == 3


@pytest.mark.usefixtures("waiting")
def test_with_nothing_left_review_says_so(cli: Cli) -> None:
    cli("review", "--accept-all")

    ran = cli("review")

    assert (ran.status, ran.out, ran.err) == (0, "", "nothing waits for review\n")
    assert cli("review", "--accept-all").out == "accepted 0 memories; 0 still waiting\n"


@pytest.mark.usefixtures("waiting")
def test_review_json_tells_how_many_wait_and_which(cli: Cli) -> None:
    told = cli.json("review", "--limit", "1")

    assert list(told) == ["waiting", "memories", "coming"]
    assert (told["waiting"], len(told["memories"])) == (2, 1)
    settled = cli.json("review", "--reject", "efgh3456")
    assert (settled["waiting"], settled["memories"][0]["state"]) == (1, "forgotten")


@pytest.mark.usefixtures("waiting")
def test_review_says_when_there_are_more(cli: Cli) -> None:
    ran = cli("review", "--limit", "1")

    assert len(ran.out.splitlines()) == 1
    assert ran.err == "1 more; show them with --limit\n"


@pytest.mark.usefixtures("waiting")
@pytest.mark.parametrize("option", ["--accept", "--reject"])
def test_what_does_not_wait_is_not_settled(cli: Cli, option: str) -> None:
    ran = cli("review", option, "abcd2345", "wxyz6723")

    assert ran.status == 2
    assert "[wxyz6723] does not wait for review" in ran.err
    assert cli.json("review")["waiting"] == 2


@pytest.mark.usefixtures("waiting")
def test_a_memory_that_is_not_there_settles_nothing(cli: Cli) -> None:
    ran = cli("review", "--reject", "abcd2345", "nothere9")

    assert ran.status == 3
    assert cli.json("review")["waiting"] == 2


@pytest.mark.usefixtures("waiting")
def test_review_does_one_thing_at_a_time(cli: Cli) -> None:
    assert cli("review", "--accept", "abcd2345", "--reject", "efgh3456").status == 2
    assert cli("review", "--limit", "0").status == 2


@pytest.fixture
def aged(folder: Path) -> None:
    """Fill the store with one memory for each thing the next cycle may do, and one that stays."""
    old = {"valid_from": START - 400 * DAY}
    memories = {
        "rise2222": a_fact("Run the tests with make check", **old),
        "firm2222": a_fact("Sign commits", tier=Tier.GUARDRAIL, trust=Trust.AGENT, **old),
        "fade2222": a_fact("The old wiki is read only", **old),
        "past2222": an_episode("Moved the shop to a new host", **old),
        "gone2222": an_episode("Renamed a branch", state=State.ARCHIVED, **old),
        "rare2222": a_pattern("Drain the queue before a restart", **old),
        "pins2222": a_fact("Never rewrite main", pinned=True, **old),
    }
    with Tacit.open() as tacit:
        for short, memory in memories.items():
            memories[short] = memory.replace(short=short, scope=tacit.scope)
        tacit.store.put(list(memories.values()))
        begin = START - 399 * DAY
        use(tacit.store, memories["rise2222"], begin, loaded=12, cited=12, helped=12)
        use(tacit.store, memories["firm2222"], begin, loaded=30, cited=30, helped=29)
        for short in ("fade2222", "gone2222", "pins2222"):
            use(tacit.store, memories[short], begin, loaded=4, ignored=4)


@pytest.mark.usefixtures("aged")
def test_review_tells_what_the_next_cycle_will_do_why_and_how_to_stop_it(cli: Cli) -> None:
    ran = cli("review")

    told = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert told[1] == "will be promoted: 1"
    assert told[2].startswith("[rise2222] fact to guardrail Run the tests")
    assert told[2].endswith("offered 12 times, cited 12 times, helped 12 times")
    assert "will be archived: not served, found by name: 2" in told
    assert "will be forgotten, and can be restored: 1" in told
    assert "may be promoted, if you say so: 1" in told
    assert "patterns that are hardly used: 1" in told
    assert "pins2222" not in ran.out
    assert "tacit edit REF --set pinned=true" in ran.err


@pytest.mark.usefixtures("aged")
def test_review_gives_what_is_coming_as_json(cli: Cli) -> None:
    coming = cli.json("review")["coming"]

    assert coming["counts"] == {"promote": 1, "archive": 2, "forget": 1}
    assert coming["proposed"] == {"promote": 1, "unused": 1}
    moves = {move["memory"]["short"]: move for move in coming["moves"]}
    assert moves["rise2222"]["tier"] == "guardrail"
    assert moves["firm2222"] == {
        "what": "promote",
        "proposed": True,
        "why": "offered 30 times, cited 30 times, helped 29 times",
        "tier": "mandate",
        "state": "active",
        "memory": moves["firm2222"]["memory"],
    }
    assert moves["past2222"]["why"].endswith("days that nothing refers to")
    assert moves["gone2222"]["state"] == "forgotten"
    assert len(cli.json("review", "--limit", "1")["coming"]["moves"]) == 5


@pytest.mark.usefixtures("aged")
def test_what_is_pinned_does_not_happen(cli: Cli) -> None:
    cli("edit", "past2222", "--set", "pinned=true")

    assert cli.json("review")["coming"]["counts"]["archive"] == 1


@pytest.mark.usefixtures("aged")
def test_reviewing_changes_nothing(cli: Cli) -> None:
    before = cli("export").out

    cli("review")

    assert before
    assert cli("export").out == before
