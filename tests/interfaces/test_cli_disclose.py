"""`tacit index`, `expand`, `economics` and the bounded `timeline`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from builders import an_episode
from interfaces.test_cli_start import HEAVY, loaded
from tacit.encode.tokens import O200k
from tacit.system import Tacit

if TYPE_CHECKING:
    from interfaces.conftest import Cli

COUNTER = O200k()


@pytest.fixture
def filled(cli: Cli) -> Cli:
    """Give a command line whose store knows about auth and payments."""
    cli.keep("Sign tokens with RS256 #auth")
    cli.keep("Refresh tokens live thirty days #auth")
    cli.keep("Refunds are never retried #payments")
    cli.keep("Moved the checkout to Postgres", "--kind", "episode")
    return cli


def test_index_names_the_topics(filled: Cli) -> None:
    ran = filled("index")

    assert ran.status == 0
    assert "4 memories" in ran.out
    assert "auth 2, payments 1" in ran.out


def test_index_of_an_empty_store_says_so(cli: Cli) -> None:
    cli("init")

    assert "nothing is kept yet" in cli("index").out


def test_index_as_json_is_complete(filled: Cli) -> None:
    told = filled.json("index")

    assert told["memories"] == 4
    assert [topic["id"] for topic in told["topics"]] == ["auth", "payments"]
    assert told["text"].startswith("Memory index")


@pytest.fixture
def grown(cli: Cli) -> Cli:
    """Give a command line in whose store a cycle has made a topic."""
    cli.keep("Refunds go through the ledger #refund")
    cli.keep("A refund needs two signatures #refund")
    cli.keep("The refund button is grey at night #refund")
    cli("consolidate", "--only", "topics")
    return cli


def test_index_shows_the_topics_of_a_cycle_and_expand_their_members(grown: Cli) -> None:
    (topic,) = grown.json("index")["made_topics"]

    assert "Topics: refund (3)\n" in grown("index").out
    assert (topic["name"], topic["memories"]) == ("refund", 3)
    assert topic["summary"].startswith("refund (3): ")
    assert topic["token_count"] > 0
    for ref in (topic["id"], topic["short"], "topic:refund"):
        ran = grown("expand", ref)
        assert ran.out.count("[R:") == 4
        assert "[R:" + topic["short"] in ran.out.splitlines()[0]
    told = grown.json("expand", topic["short"], "--level", "hint")
    assert len(told["memories"]) == 4
    assert told["memories"][0]["short"] == topic["short"]


def test_recall_does_not_show_a_topic(grown: Cli) -> None:
    short = grown.json("index")["made_topics"][0]["short"]

    for asked in ([], ["--state", "archived"]):
        ran = grown("recall", "refund ledger signatures", *asked)
        assert ran.status == 0
        assert short not in ran.out


def test_index_about_a_question_loads_its_topics(filled: Cli) -> None:
    near = filled("index", "--about", "refresh tokens")
    far = filled("index", "--about", "kubernetes")

    assert "Refresh tokens live thirty days" in near.out
    assert "auth" in near.err
    assert "No topic is near" in far.out
    assert filled.json("index", "--about", "kubernetes")["exit"] == "nothing"


def test_expand_shows_a_topic_and_what_it_cost(filled: Cli) -> None:
    ran = filled("expand", "topic:auth")

    assert ran.out.count("[R:") == 2
    assert "2 memories" in ran.err


def test_expand_takes_several_names_and_levels(filled: Cli) -> None:
    short = filled.keep("A fact of its own")

    ran = filled("expand", short, "topic:payments", "--level", "title")

    assert "A fact of its own" in ran.out
    assert "Refunds" in ran.out


def test_expand_names_what_had_no_room(filled: Cli) -> None:
    told = filled.json("expand", "topic:auth", "--budget", "9")

    assert len(told["omitted"]) + len(told["memories"]) == 2
    assert told["omitted"]
    assert told["omitted"][0] in filled("expand", "topic:auth", "--budget", "9").err


def test_expand_of_nothing_fails_with_a_hint(filled: Cli) -> None:
    ran = filled("expand", "topic:nothing")

    assert ran.status != 0
    assert "tacit index" in ran.err


def test_timeline_without_options_stays_within_five_hundred_tokens(cli: Cli) -> None:
    cli("init")
    with Tacit.open() as tacit:
        words = "with many words to tell it at length " * 5
        episodes = [an_episode(f"Work {number} {words}", scope=tacit.scope) for number in range(60)]
        tacit.store.put(episodes)

    bounded, lifted = cli("timeline"), cli("timeline", "--limit", "60")

    assert COUNTER.count(bounded.out) <= 500
    assert bounded.out
    assert "--limit shows more" in bounded.err
    assert lifted.out.count("Work ") == 60
    assert bounded.out.splitlines()[-1] == lifted.out.splitlines()[-1]  # the latest are kept


def test_timeline_view_tells_what_was_done(filled: Cli) -> None:
    filled("remember", "Never retry refunds", "--why", "the bank charges twice")

    ran = filled("timeline", "--view")

    assert "Done:\n[R:" in ran.out
    assert "Moved the checkout to Postgres" in ran.out
    assert set(filled.json("timeline", "--view")) >= {
        "recent_actions",
        "key_decisions",
        "active_context",
    }


def test_timeline_view_of_an_empty_store_says_so(cli: Cli) -> None:
    cli("init")

    assert "Nothing has happened yet" in cli("timeline", "--view").out


def test_economics_before_anything_was_asked_says_so(filled: Cli) -> None:
    assert "Nothing has been asked" in filled("economics").out
    assert "No memory has been shown" in filled("economics", "--roi").out
    assert filled.json("economics")["queries"] == 0


def test_economics_shows_what_was_spent_and_saved(filled: Cli) -> None:
    filled("expand", "topic:auth", "--session", "s1")

    ran = filled("economics", "--session", "s1")

    assert "Spent " in ran.out
    assert "█" in ran.out
    for name in ("index", "timeline", "full text", "full load", "top k in full", "no memory"):
        assert name in ran.out
    told = filled.json("economics", "--session", "s1")
    assert told["spent_tokens"] == told["scan_tokens"] + told["read_tokens"] > 0
    assert told["ratio"] == 0
    assert told["actions"][-1]["action"] == "evaluate_memory_roi"


def test_economics_at_a_checkpoint_costs_few_words(filled: Cli) -> None:
    filled("expand", "topic:auth", "--session", "s1")

    done = filled("economics", "--session", "s1", "--checkpoint", "task_complete")
    ended = filled.json("economics", "--session", "s1", "--checkpoint", "session_end")
    early = filled("economics", "--session", "s1", "--checkpoint", "triggered")

    assert done.out == "ratio 0, full_loads 1\n"
    assert COUNTER.count(done.out) <= 12
    assert len(ended["metrics"]) == 6
    assert "not yet" in early.out


def test_economics_by_memory_tells_what_each_returned(filled: Cli) -> None:
    filled("expand", "topic:payments")

    ran = filled("economics", "--roi")
    (told,) = filled.json("economics", "--roi")

    assert "Refunds are never retried" in ran.out
    assert told["shown"] == 1
    assert told["saved_tokens"] == -told["read_tokens"]


def test_economics_is_printed_in_lokis_form(filled: Cli) -> None:
    filled("expand", "topic:auth", "--session", "s1")

    told = json.loads(filled("economics", "--session", "s1", "--loki").out)

    assert told["session_id"] == "s1"
    assert told["metrics"]["read_tokens"] == told["breakdown"]["layer3_tokens"] > 0


def test_economics_of_an_unknown_session_fails(filled: Cli) -> None:
    assert filled("economics", "--session", "never").status != 0


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    "argv", [["index"], ["expand", "topic:auth"], ["economics"], ["timeline"], ["timeline", "--view"]]
)  # fmt: skip
def test_nothing_heavy_is_loaded(argv: list[str]) -> None:
    assert loaded(*argv) & HEAVY == set()
