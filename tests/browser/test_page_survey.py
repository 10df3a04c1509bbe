"""What a page draws: reads that stay small whatever the store holds, and see what may be seen."""

from __future__ import annotations

from datetime import timedelta

import pytest

pytest.importorskip("nicegui")

from fakes import FrozenClock, WordCounter
from tacit.interfaces.web import survey
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit

SHOP, OTHER = Scope(path="project:shop"), Scope(path="project:other")


@pytest.fixture
def kept(tmp_path):
    clock = FrozenClock()
    with Tacit(
        connect(str(tmp_path / "memory.db")), scope=SHOP, clock=clock, counter=WordCounter()
    ) as tacit:
        yield tacit


def pass_days(tacit, days):
    tacit.clock.set(tacit.clock.now() + timedelta(days=days))


def test_growth_ends_with_all_that_is_kept_and_never_falls(kept):
    for number in range(12):
        kept.remember(
            f"Thing {number} stands on shelf {number}", key=f"shelf.{number % 3}", value=f"{number}"
        )
        pass_days(kept, 5)

    line = survey.growth(kept, points=10)

    assert len(line) == 10
    assert [one["kept"] for one in line] == sorted(one["kept"] for one in line)
    assert line[-1]["kept"] == kept.status().memories == 12
    assert line[-1]["holds"] == len(kept.list()) < 12


def test_the_spread_counts_every_memory_once(kept):
    for number in range(9):
        kept.remember(f"Lamp {number} hangs in room {number}")
        pass_days(kept, 3)

    span = survey.spread(kept, points=7)

    assert sum(span["counts"]) == 9
    assert len(span["counts"]) == 7


def test_nothing_is_drawn_of_an_empty_store(kept):
    assert survey.growth(kept) == []
    assert survey.spread(kept)["first"] is None
    assert survey.clusters(kept) == {"nodes": [], "edges": []}


def test_what_comes_together_is_joined_and_housekeeping_is_left_out(kept):
    kept.remember("Tokens live for an hour", tags=["auth", "decision"], files=["src/auth.py"])
    kept.remember("Tokens are signed", tags=["auth"], files=["src/auth.py"])
    kept.remember("Invoices are sent on the first", tags=["billing"])

    found = survey.clusters(kept, ["tag", "file"])

    assert {node["id"] for node in found["nodes"]} == {
        "tag:auth",
        "tag:billing",
        "file:src/auth.py",
    }
    assert [(edge["source"], edge["target"], edge["weight"]) for edge in found["edges"]] == [
        ("file:src/auth.py", "tag:auth", 2)
    ]


def test_every_type_of_thing_has_its_place_beside_one_that_is_many(kept):
    for number in range(60):
        kept.remember(f"Part {number} is done", files=[f"src/part{number}.py"])
    kept.remember("One more thing", tags=["rare"])

    found = survey.clusters(kept, ["file", "tag"])

    assert len(found["nodes"]) <= survey.MOST_FACETS
    assert "tag:rare" in {node["id"] for node in found["nodes"]}


def test_around_a_memory_stand_its_links_and_what_it_is_about(kept):
    old = kept.remember("We run Postgres 14", key="db.version", value="14")
    pass_days(kept, 1)
    new = kept.remember("We run Postgres 16", key="db.version", value="16", tags=["database"])

    found = survey.around_memory(kept, new.short)

    relations = {edge["target"]: edge["relation"] for edge in found["edges"]}
    assert relations[f"memory:{old.short}"] == "supersedes"
    assert relations["tag:database"] == "about"
    assert found["nodes"][0]["memory"]["text"] == "We run Postgres 16"


def test_around_a_thing_stand_the_newest_memories_about_it_and_not_more_than_fit(kept):
    for number in range(30):
        kept.remember(f"Note {number} about keys", tags=["keys"])
        pass_days(kept, 1)

    found = survey.around_facet(kept, "tag:keys", limit=5)

    assert found["nodes"][0]["memories"] == 30
    assert [node["name"] for node in found["nodes"][1:]] == [
        f"Note {number} about keys" for number in (29, 28, 27, 26, 25)
    ]


def test_nothing_is_drawn_of_what_belongs_to_another_project_of_the_store(tmp_path):
    path = str(tmp_path / "shared.db")
    with Tacit(connect(path), scope=OTHER, counter=WordCounter()) as other:
        other.remember("The vault opens at nine", tags=["vault"])
    with Tacit(connect(path), scope=SHOP, visible=SHOP.chain, counter=WordCounter()) as kept:
        kept.remember("The shop opens at ten", tags=["hours"])

        assert survey.growth(kept)[-1]["kept"] == 1
        assert sum(survey.spread(kept)["counts"]) == 1
        assert [node["id"] for node in survey.clusters(kept)["nodes"]] == ["tag:hours"]
        assert survey.around_facet(kept, "tag:vault")["nodes"][0]["memories"] == 0
