"""What a session came to: the settled rule whole, its reason; and that work and talk settle nothing."""

from __future__ import annotations

import pytest

from sessions import a_prompt, a_reply, a_session
from tacit.encode.conclusions import AMENDS, conclusion, decision_draft
from tacit.encode.tasks import cut_tasks
from tacit.model import FacetType


def talk(*said):
    """Give the turns of a talk that a person begins."""
    return a_session(*(a_prompt(t) if n % 2 == 0 else a_reply(t) for n, t in enumerate(said)))


def concluded(*said):
    [task] = cut_tasks(talk(*said))
    return conclusion(task.order)


def draft_of(*said):
    [task] = cut_tasks(talk(*said))
    return decision_draft(talk(*said), task)


PICKING = (
    "The picker app walks people through the shelves in a silly order.",
    "`pick_route` sorts shelf codes as text, so A10 comes before A2. Natural order?",
    "Natural inside an aisle, but odd aisles go up and even aisles go down. That's how the carts turn.",
    "And floor pallets at the end of the route?",
    "No, pallets come first, otherwise the light goods get crushed. Only frozen goes after everything.",
)
RECAP = (
    "Got it - pick_route starts with floor pallets; then aisles ascend by number, odd aisles walked "
    "upwards and even aisles downwards; shelves in natural order; frozen items at the very end."
)
SETTLED = {
    "a recap that opens as an answer": (*PICKING, RECAP),
    "a recap that names itself": (
        "How long do we keep invoice files?",
        "Options are 6 years, 10 years or for ever.",
        "10 years then. Drafts only 30 days.",
        "Settled: invoice files stay 10 years, drafts 30 days, and never longer.",
    ),
    "a list": (
        "How long do we keep invoice files?",
        "Options are 6 years, 10 years or for ever. And cancelled ones?",
        "10 years, cancelled ones too. Drafts only 30 days.",
        "The rule is:\n- issued and cancelled invoices: 10 years\n- drafts: 30 days\n- never the originals",
    ),
    "a confirmation at the end": (
        "The dashboard hammers the API.",
        "It polls every second. Should it poll every ten?",
        "15, and never while the tab is hidden.",
        "Polling every 15 s, never while the tab is hidden, at once when it is visible again.",
        "That's it, ship it.",
    ),
    "an amendment": (
        "Change of plans for the dashboard: support wants fresher numbers during incidents.",
        "Only during incidents?",
        "Yes, 5 s while an incident is open, 15 s otherwise.",
        "Updated rule: poll every 5 s while an incident is open and every 15 s otherwise.",
    ),
}
TALK = {
    "work that was done": (
        "Please add a --json flag to the export command",
        "Added `--json` to `export` in cli/export.py. Each object is one line. All 34 tests pass.",
    ),
    "a long report of work": (
        "can you fix the lint errors?",
        "Summary of changes:\n1. **Renamed** `new` to `added` in 3 files\n2. **Removed** the dead branch; only 2 uses left\n3. Tests pass, lint clean",
    ),
    "an explanation": (
        "How does cache invalidation work here?",
        "Writers put a version number; readers compare it and reload when it differs. Entries older than 1 hour are dropped.",
        "And if two writers race?",
        "The second one wins, because the version is taken from a sequence. There is no lock.",
    ),
    "a plan for some day": (
        "I'm wondering whether we should move to pnpm at some point",
        "It would speed up installs. Maybe try it on the docs package first.",
        "yeah maybe later, let's think about it next quarter",
        "Sounds good, happy to compare them when you get to it.",
    ),
    "a bug and its fix": (
        "search got slow since yesterday",
        "The index on orders was dropped by migration 42. I made it again; p95 went from 2.3 s to 90 ms.",
    ),
    "a pasted log": (
        "FAILED tests/test_cart.py:12 - never got 3 items\n" * 60,
        "The cart must count each item once; only totals were wrong. Fixed in cart.py.",
    ),
}


@pytest.mark.parametrize("name", SETTLED)
def test_an_ending_that_restates_what_a_person_ruled_is_a_decision(name):
    assert concluded(*SETTLED[name]) is not None


@pytest.mark.parametrize("name", TALK)
def test_work_explanations_and_plans_settle_nothing(name):
    assert concluded(*TALK[name]) is None
    assert draft_of(*TALK[name]) is None


def test_a_decision_is_kept_whole_with_its_reason_and_what_was_turned_down():
    made = draft_of(*PICKING, RECAP)

    first, *rest = made.text.splitlines()
    assert first == RECAP.removeprefix("Got it - ")
    assert "Why: That's how the carts turn." in rest
    assert made.body.rejected == ("No, pallets come first, otherwise the light goods get crushed.",)
    assert "Only frozen goes after everything." in made.text
    assert (made.subtype, made.source_ref) == ("decision", "claude:s1#1#decided")
    assert ("symbol", "pick_route") in {(m.facet.type, m.facet.name) for m in made.mentions}


def test_a_part_is_whole_or_left_out_however_long_the_recap():
    parts = [f"Bay {n} takes at most {n + 2} pallets and never more." for n in range(60)]

    made = draft_of(*PICKING, "Recap: bays are filled in order. " + " ".join(parts))

    rule = made.text.splitlines()[0]
    assert len(rule) <= 1200
    assert all(one in ("Recap: bays are filled in order.", *parts) for one in split(rule))


def split(text):
    return [f"{one}." for one in text.rstrip(".").split(". ")]


def test_only_what_changes_a_rule_amends():
    assert draft_of(*SETTLED["an amendment"]).tags == (AMENDS,)
    assert draft_of(*PICKING, RECAP).tags == ()


def test_code_and_output_are_no_part_of_a_rule():
    made = draft_of(*PICKING, f"{RECAP}\n\n```python\nTHRESHOLD = 99  # never more\n```")

    assert "THRESHOLD" not in made.text
    assert all(m.facet.type is not FacetType.ERROR for m in made.mentions)


def test_turns_without_times_are_taken_as_they_came():
    session = talk(*PICKING, RECAP)
    events = tuple(event.replace(at=None) for event in session.events)

    assert conclusion(events).reply.text == RECAP
