"""The deep doctor: a sound store passes, each broken promise is found and nothing is changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from fakes import HashEmbedder
from tacit.system import Tacit


@pytest.fixture
def worked(open_tacit, clock) -> Tacit:
    tacit = open_tacit(embedder=HashEmbedder())
    one = tacit.remember("The shop keeps its sessions in Redis", files=["src/cart.py"])
    two = tacit.remember("Sessions last one day in the shop")
    tacit.remember("It is one", key="retries", value="1")
    clock.advance(hours=1)
    tacit.remember("It is two", key="retries", value="2")
    tacit.edit(one.id, "The shop keeps its sessions in Valkey")
    tacit.link(one.id, "supports", two.id)
    private = tacit.remember("Only for me", visibility="private")
    tacit.edit(private.id, "Fit for all")
    tacit.share([private.id])
    return tacit


def findings(tacit: Tacit) -> dict[str, str]:
    return {name: told for name, well, told in tacit.doctor(deep=True) if not well}


def broken(tacit: Tacit, sql: str) -> dict[str, str]:
    """Break the file as no Tacit would, and give what is found."""
    with closing(sqlite3.connect(tacit.store.path, isolation_level=None)) as file:
        file.execute("PRAGMA foreign_keys = OFF")
        file.execute(sql)
    return findings(tacit)


def test_a_sound_store_passes_and_stays_as_it_is(worked):
    before = list(worked.export())

    assert findings(worked) == {}
    assert list(worked.export()) == before


@pytest.mark.parametrize(
    ("sql", "check", "said"),
    [
        ("UPDATE memory SET full = 'Other' WHERE rev = 1", "hashes", "tacit edit"),
        ("UPDATE memory SET valid_to = NULL, retired_at = NULL", "facts of one key", "retries"),
        ("DELETE FROM revision WHERE rev = 2", "histories", "history"),
        ("DELETE FROM revision", "histories", "no history"),
        ("DELETE FROM mention", "mentions", "import into a new store"),
        ("UPDATE memory SET words = 'other'", "index of words", "import into a new store"),
        ("UPDATE embedding SET text_hash = 'old'", "vectors and texts", "tacit reembed --pending"),
    ],
)
def test_each_broken_promise_is_found_with_what_to_do(worked, sql, check, said):
    found = broken(worked, sql)

    assert said in found[check]


def test_a_contradiction_whose_side_is_gone_is_found(worked, clock):
    at = clock.now()
    one = worked.remember("Blue it is", key="colour", value="blue", valid_from=at)
    worked.remember("Green it is", key="colour", value="green", valid_from=at)

    found = broken(worked, f"DELETE FROM memory WHERE id = '{one.id}'")

    assert "not there" in found["contradictions"]
