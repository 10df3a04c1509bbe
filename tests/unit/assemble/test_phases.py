"""What a phase builds on is found by links alone."""

from __future__ import annotations

import pytest

from builders import a_link, a_memory, a_mention
from tacit.assemble.phases import for_phase
from tacit.body import Episode
from tacit.model import FacetType, Relation, State
from tacit.store.connect import connect


@pytest.fixture
def phases(tmp_path):
    """Give a store with five phases: 04 requires 02, which requires 01; 03 affects 04."""
    store = connect(str(tmp_path / "shop.db"))
    made = {
        name: a_memory(
            Episode(goal=name, phase=name),
            f"{name} is done",
            mentions=(a_mention(f"phase {name}", FacetType.TOPIC),),
        )
        for name in ("01-base", "02-auth", "03-style", "04-login", "05-other")
    }
    store.put(list(made.values()))
    store.link(
        [
            a_link(made["04-login"], made["02-auth"], relation=Relation.REQUIRES),
            a_link(made["02-auth"], made["01-base"], relation=Relation.REQUIRES),
            a_link(made["03-style"], made["04-login"], relation=Relation.AFFECTS, weight=0.5),
            a_link(made["05-other"], made["03-style"], relation=Relation.AFFECTS),
            a_link(made["05-other"], made["01-base"], relation=Relation.RELATED_TO),
        ]
    )
    yield store, made
    store.close()


def names(found):
    return [memory.body.phase for memory in found]


def test_a_phase_comes_with_what_it_needs_the_nearest_first(phases):
    store, _ = phases

    assert names(for_phase(store, "04-login")) == ["04-login", "02-auth", "03-style", "01-base"]
    assert names(for_phase(store, "02-auth")) == ["02-auth", "01-base"]
    assert names(for_phase(store, "01-base")) == ["01-base"]


def test_what_provides_is_needed_too(phases):
    store, made = phases
    store.link([a_link(made["05-other"], made["01-base"], relation=Relation.PROVIDES)])

    assert names(for_phase(store, "02-auth")) == ["02-auth", "01-base", "05-other"]


@pytest.mark.parametrize("name", ["4", "04", "login", "phase 4", "Phase 04", "4-login", "LOGIN"])
def test_a_phase_may_be_named_by_its_number_or_its_name(phases, name):
    store, _ = phases

    assert names(for_phase(store, name))[0] == "04-login"


@pytest.mark.parametrize("name", ["", " ", "9", "nowhere", "phase"])
def test_a_phase_nobody_knows_needs_nothing(phases, name):
    store, _ = phases

    assert for_phase(store, name) == []


def test_what_is_put_away_or_no_longer_linked_is_not_given(phases):
    store, made = phases
    store.put([made["03-style"].replace(state=State.FORGOTTEN)])
    old = a_link(made["04-login"], made["02-auth"], relation=Relation.REQUIRES)
    store.link([old.replace(valid_to=old.valid_from.replace(year=2030))])

    assert names(for_phase(store, "04-login")) == ["04-login"]


def test_a_circle_of_phases_ends(phases):
    store, made = phases
    store.link([a_link(made["01-base"], made["04-login"], relation=Relation.REQUIRES)])

    assert names(for_phase(store, "01-base")) == ["01-base", "04-login", "02-auth"]


def test_no_more_are_given_than_asked_for(phases):
    store, _ = phases

    assert names(for_phase(store, "04-login", limit=2)) == ["04-login", "02-auth"]
