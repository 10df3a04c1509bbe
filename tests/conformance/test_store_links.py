"""Links between memories: both directions, replaced, removed, erased."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import DAY, START, a_fact, a_link, an_id
from strategies import links
from tacit.model import Link, Origin, Relation


def by_ends(some):
    """Sort links by what tells them apart."""
    return sorted(some, key=lambda link: (link.src, link.relation, link.dst))


def three(store):
    """Put three memories."""
    facts = a_fact("a"), a_fact("b"), a_fact("c")
    store.put(facts)
    return facts


def test_a_link_is_found_from_both_ends(store):
    a, b, c = three(store)
    link = a_link(a, b, Relation.SUPPORTS)
    store.link([link])

    assert store.links([a.id]) == [link]
    assert store.links([b.id]) == [link]
    assert store.links([c.id]) == []
    assert store.links([]) == []


def test_a_link_between_two_of_the_ids_is_given_once(store):
    a, b, c = three(store)
    some = [a_link(a, b), a_link(b, c)]
    store.link(some)

    assert by_ends(store.links([a.id, b.id, c.id])) == some
    assert by_ends(store.links(None)) == some


def test_relations_narrow_what_is_given(store):
    a, b, c = three(store)
    supports, follows = a_link(a, b, Relation.SUPPORTS), a_link(c, a, Relation.FOLLOWS)
    store.link([supports, follows])

    assert store.links([a.id], [Relation.FOLLOWS]) == [follows]
    assert store.links(None, [Relation.SUPPORTS]) == [supports]
    assert store.links([a.id], [Relation.AFFECTS]) == []
    assert len(store.links([a.id], [Relation.FOLLOWS, Relation.SUPPORTS])) == 2


def test_two_memories_may_be_linked_by_several_relations_and_both_ways(store):
    a, b, _ = three(store)
    some = [a_link(a, b, relation) for relation in Relation] + [a_link(b, a)]
    store.link(some)

    assert by_ends(store.links([a.id])) == by_ends(some)


def test_a_link_with_the_same_ends_and_relation_is_replaced(store):
    a, b, _ = three(store)
    store.link([a_link(a, b, weight=0.2)])
    changed = a_link(
        a,
        b,
        weight=0.75,
        origin=Origin.CONSOLIDATED,
        valid_from=START + DAY,
        valid_to=START + 2 * DAY,
    )

    store.link([changed])

    assert store.links(None) == [changed]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(links(), max_size=5, unique_by=lambda link: (link.src, link.relation, link.dst)))
def test_every_field_of_every_link_survives(store, some):
    if not store.get([an_id(1)]):
        store.put([a_fact(id=an_id(number)) for number in range(1, 100)])
    store.unlink(store.links(None))

    store.link(some)

    assert by_ends(store.links(None)) == by_ends(some)


def test_a_link_to_a_memory_that_is_not_there_is_left_out(store):
    a, b, _ = three(store)
    to_nowhere = Link(src=a.id, dst="missing", relation=Relation.AFFECTS, valid_from=START)

    store.link([to_nowhere, a_link(a, b)])

    assert store.links(None) == [a_link(a, b)]


def test_unlink_removes_by_ends_and_relation_and_counts(store):
    a, b, c = three(store)
    store.link([a_link(a, b), a_link(a, b, Relation.SUPPORTS), a_link(b, c)])

    gone = store.unlink([a_link(a, b, weight=0.1), a_link(c, a)])

    assert gone == 1
    assert by_ends(store.links(None)) == [a_link(a, b, Relation.SUPPORTS), a_link(b, c)]


def test_linking_nothing_changes_nothing(store):
    store.link([])

    assert store.unlink([]) == 0
    assert store.links(None) == []


def test_links_go_with_either_of_their_ends(store):
    a, b, c = three(store)
    store.link([a_link(a, b), a_link(b, c), a_link(c, a)])

    store.erase([b.id])

    assert store.links(None) == [a_link(c, a)]


def test_links_stay_when_a_memory_is_replaced(store):
    a, b, _ = three(store)
    store.link([a_link(a, b)])

    store.put([a.replace(rev=2), b.replace(rev=2)])

    assert store.links(None) == [a_link(a, b)]
