"""Which decision a later one amends, and what of the earlier one still holds."""

from __future__ import annotations

import pytest

from builders import DAY, START, a_fact
from tacit.encode.conclusions import AMENDS, DECISION
from tacit.model import Facet, FacetType, Mention
from tacit.write.amend import amended_by, upheld

POLLING = "Settled: the dashboard polls every 15 seconds, hidden tabs pause, and errors back off to a minute."
FASTER = (
    "Amended: the dashboard polls every 5 seconds while an incident is open and every 15 otherwise"
)
LABELS = "Final: shipping labels are printed in batches of 40, heavy parcels first."


def decided(text, *, day=0, amends=False, about=()):
    tags = [Mention(facet=Facet(type=FacetType.TAG, name=AMENDS))] if amends else []
    names = [Mention(facet=Facet(type=FacetType.SYMBOL, name=name)) for name in about]
    return a_fact(
        text,
        subtype=DECISION,
        valid_from=START + day * DAY,
        mentions=(*tags, *names),
    )


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (decided(f"{FASTER}.", day=9, amends=True), POLLING),
        (decided(f"{FASTER}.", day=9), None),
        (decided(f"{FASTER}.", day=-9, amends=True), None),
        (decided("Amended: invoices are kept ten years.", day=9, amends=True), None),
    ],
    ids=["amends", "says nothing of it", "came before", "another subject"],
)
def test_an_amendment_takes_the_place_of_the_nearest_earlier_decision_on_its_subject(now, expected):
    found = amended_by(now, [decided(LABELS), decided(POLLING)])

    assert (found.text if found else None) == expected


def test_a_shared_name_needs_fewer_shared_words():
    old = decided("`poll_seconds` is 15 and hidden tabs pause the timer.", about=["poll_seconds"])
    new = decided(
        "Amended: `poll_seconds` is 5 during an incident; the timer of everybody else stays.",
        day=3,
        amends=True,
        about=["poll_seconds"],
    )

    assert amended_by(new, [old]) == old


@pytest.mark.parametrize(
    ("now", "kept"),
    [
        (f"{FASTER}; hidden tabs pause as before.", ""),
        (f"{FASTER}; the back off on errors stays.", "errors back off to a minute"),
        (
            f"{FASTER}; nothing else changes.",
            "hidden tabs pause; errors back off to a minute",
        ),
        (f"{FASTER}.", ""),
    ],
)
def test_parts_that_are_upheld_and_not_repeated_are_said_again(now, kept):
    assert upheld(POLLING, now) == kept
