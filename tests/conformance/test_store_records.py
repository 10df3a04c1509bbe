"""What is kept beside memories: history, usage, contradictions and small documents."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import (
    DAY,
    START,
    a_contradiction,
    a_fact,
    a_mention,
    a_revision,
    a_usage,
    an_id,
    reworded,
)
from strategies import PHRASES, revisions, usages
from tacit.model import UsageEvent

unlimited = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def test_revisions_come_in_the_order_of_ids_and_revisions(store):
    one, two = a_fact("one"), a_fact("two")
    history = [
        a_revision(one),
        a_revision(reworded(one, "one, better").replace(rev=2), at=START + DAY, op="merge"),
        a_revision(two, by="ben"),
    ]
    store.add_revisions(history[::-1])

    assert store.revisions([one.id]) == history[:2]
    assert store.revisions([one.id, two.id]) == history
    assert store.revisions(None) == history
    assert store.revisions(["missing"]) == []
    assert store.revisions([]) == []


def test_a_revision_added_again_changes_nothing(store):
    revision = a_revision(a_fact(mentions=(a_mention("Redis"),)))
    store.add_revisions([revision])

    store.add_revisions([revision, revision])

    assert store.revisions(None) == [revision]


def test_revisions_of_one_number_from_two_histories_are_both_kept(store):
    fact = a_fact()
    here, there = a_revision(fact, by="ana"), a_revision(reworded(fact, "other"), by="ben")

    store.add_revisions([here, there])

    assert store.revisions([fact.id]) == [here, there]


@unlimited
@given(revisions)
def test_every_field_of_a_revision_survives(store, revision):
    store.erase([revision.memory.id])

    store.add_revisions([revision])

    assert store.revisions([revision.memory.id]) == [revision]


def test_usage_is_counted_per_memory_and_event_with_its_last_time(store):
    one, two = a_fact("one"), a_fact("two")
    store.add_usage(
        [
            a_usage(one, UsageEvent.LOADED, query_id="q1"),
            a_usage(one, UsageEvent.LOADED, query_id="q2", at=START + 2 * DAY),
            a_usage(one, UsageEvent.LOADED, query_id="q3", at=START + DAY),
            a_usage(one, UsageEvent.CITED, query_id="q2"),
            a_usage(two, UsageEvent.HURT),
        ]
    )

    assert store.tally([one.id, two.id, "missing"]) == {
        one.id: {UsageEvent.LOADED: (3, START + 2 * DAY), UsageEvent.CITED: (1, START)},
        two.id: {UsageEvent.HURT: (1, START)},
    }
    assert store.tally(None) == store.tally([one.id, two.id])
    assert store.tally([]) == {}


def test_a_usage_event_added_again_changes_nothing(store):
    fact = a_fact()
    first = a_usage(fact, note="first")
    store.add_usage([first])

    store.add_usage([first, a_usage(fact, at=START + DAY, note="again")])

    assert list(store.usage()) == [first]
    assert store.tally([fact.id]) == {fact.id: {UsageEvent.CITED: (1, START)}}


def test_usage_may_speak_of_a_memory_that_is_elsewhere(store):
    event = a_usage("not-in-this-store")

    store.add_usage([event])

    assert list(store.usage()) == [event]


@unlimited
@given(st.lists(usages, max_size=5))
def test_every_field_of_every_usage_event_survives(store, events):
    store.erase([an_id(number) for number in range(1, 100)])

    store.add_usage(events)

    kept = {}
    for event in events:
        kept.setdefault((event.query_id, event.memory_id, event.event), event)
    assert set(store.usage()) == set(kept.values())


def test_contradictions_come_back_as_they_were_by_id(store):
    a, b, c = a_fact("a"), a_fact("b"), a_fact("c")
    first, second = a_contradiction(a, b, note="port"), a_contradiction(b, c, score=0.5)
    store.add_contradictions([second, first])

    assert store.contradictions() == [first, second]


def test_the_same_contradiction_is_recorded_once(store):
    a, b = a_fact("a"), a_fact("b")
    first = a_contradiction(a, b)
    store.add_contradictions([first])

    store.add_contradictions([first, a_contradiction(a, b, detector="words")])

    assert store.contradictions() == [first]


def test_new_texts_of_a_pair_make_a_new_contradiction(store):
    a, b = a_fact("a"), a_fact("b")
    before, after = a_contradiction(a, b), a_contradiction(a, reworded(b, "b, changed"))

    store.add_contradictions([before, after])

    assert store.contradictions() == [before, after]


def test_a_document_is_kept_by_name_until_it_is_replaced(store):
    assert store.load("profile") is None

    store.save("profile", '{"name": "default"}')
    store.save("model", '"hash-64"')
    store.save("profile", '{"name": "other"}')

    assert store.load("profile") == '{"name": "other"}'
    assert store.load("model") == '"hash-64"'


def test_a_document_survives_to_the_letter(store):
    text = '{"all": ["' + '", "'.join(p.encode("unicode_escape").decode() for p in PHRASES) + '"]}'

    for document in (text, *PHRASES):
        store.save("document", document)
        assert store.load("document") == document


def test_adding_nothing_changes_nothing(store):
    store.add_revisions([])
    store.add_usage([])
    store.add_contradictions([])

    assert (store.revisions(None), list(store.usage()), store.contradictions()) == ([], [], [])
