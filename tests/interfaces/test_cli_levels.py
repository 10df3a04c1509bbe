"""`recall` shows old episodes in fewer words, and everything where it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from builders import a_fact, an_episode
from tacit.clock import Clock, timedelta
from tacit.interfaces.mcp.shapes import Scored
from tacit.model import Level
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli

TEXT = "Checkout broke on Friday. " + "The payment service timed out and was retried by hand. " * 2
LEVELS = an_episode(TEXT).levels.replace(summary="Checkout broke and was retried.", hint="Broke.")


@pytest.fixture
def grown(folder: Path) -> None:
    """Fill the store with one episode of each age, and a fact as old as the oldest."""
    with Tacit.open() as tacit:
        now = Clock().now()
        for short, days in (("days2222", 1), ("week2222", 8), ("many2222", 31)):
            at = now - timedelta(days=days)
            made = an_episode(TEXT, short=short, valid_from=at, levels=LEVELS, author=short)
            tacit.store.put([made.replace(scope=tacit.scope)])
        fact = a_fact(TEXT, short="fact2222", valid_from=now - timedelta(days=31), levels=LEVELS)
        tacit.store.put([fact.replace(scope=tacit.scope)])


@pytest.mark.usefixtures("grown")
def test_recall_shows_old_episodes_in_fewer_words(cli: Cli) -> None:
    lines = {line.split("[")[1][:8]: line for line in cli("recall", "checkout").out.splitlines()}

    assert "Friday" in lines["days2222"]
    assert "Checkout broke and was retried." in lines["week2222"]
    assert " Broke. " in lines["many2222"]
    assert "Friday" in lines["fact2222"]


@pytest.mark.usefixtures("grown")
def test_recall_shows_everything_when_asked(cli: Cli) -> None:
    assert cli("recall", "checkout", "--full").out.count(TEXT) == 4
    hits = cli.json("recall", "checkout")
    assert {hit["memory"]["text"] for hit in hits} == {TEXT}
    assert {hit["memory"]["short"]: hit["level"] for hit in hits} == {
        "days2222": "full",
        "week2222": "summary",
        "many2222": "hint",
        "fact2222": "full",
    }
    assert TEXT in cli("show", "many2222").out


@pytest.mark.usefixtures("grown")
def test_agents_get_old_episodes_in_fewer_words_unless_they_name_a_level(cli: Cli) -> None:
    with Tacit.open() as tacit:
        hits = {hit.memory.short: hit for hit in tacit.recall("checkout")}

    assert Scored.hit(hits["many2222"], None).text == "Broke."
    assert Scored.hit(hits["many2222"], Level.FULL).text == TEXT
    assert Scored.hit(hits["fact2222"], None).text == TEXT
