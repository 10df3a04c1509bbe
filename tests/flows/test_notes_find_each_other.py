"""Notes are linked when they are written, and their neighbours learn of them."""

from __future__ import annotations

RETRIES = "The payment worker retries failed webhooks five times before giving up"
MORGUE = "Failed webhooks of the payment worker land in the dead letter queue named morgue"


def test_a_related_note_is_linked_and_found_by_the_other_s_words(tacit):
    first = tacit.remember(RETRIES)
    second = tacit.remember(MORGUE)

    links = [(relation, other.id) for relation, other in tacit.why(second.id).links]
    found = [hit.memory.id for hit in tacit.recall("morgue")]

    assert links == [("related_to", first.id)]
    assert found == [second.id, first.id]


def test_a_neighbour_s_summary_points_to_it_and_the_old_one_is_kept(tacit):
    first = tacit.remember(RETRIES)
    tacit.remember(MORGUE)

    now, history = tacit.get(first.id), tacit.why(first.id).history

    assert now.levels.full == RETRIES
    assert "(see also: Failed webhooks" in now.levels.summary
    assert [entry.op for entry in history][-1] == "relate"
    assert history[0].memory.levels.summary == first.levels.summary


def test_what_a_person_pinned_is_linked_but_not_touched(tacit):
    first = tacit.remember(RETRIES, pinned=True)
    second = tacit.remember(MORGUE)

    assert tacit.get(first.id) == first
    assert [other.id for _, other in tacit.why(second.id).links] == [first.id]


def test_unrelated_notes_and_facts_with_a_key_stay_apart(tacit):
    first = tacit.remember(RETRIES)
    other = tacit.remember("Colours of the docs follow the system theme")
    keyed = tacit.remember("webhook retries: 5", key="webhook retries", value="5")

    assert tacit.why(other.id).links == ()
    assert tacit.why(keyed.id).links == ()
    assert tacit.get(first.id) == first


def test_saying_it_again_changes_nothing(tacit):
    tacit.remember(RETRIES)
    tacit.remember(MORGUE)
    before = list(tacit.export())

    tacit.remember(MORGUE)

    assert list(tacit.export()) == before
