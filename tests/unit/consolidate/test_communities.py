"""Communities end on any graph, are the same for the same graph, and keep what is fixed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacit.consolidate.communities import Graph, communities

NAMES = [f"n{number:02}" for number in range(14)]
EDGES = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from([0.2, 0.5, 1.0])),
    max_size=50,
)


def graph_of(edges):
    """Make a graph of edges."""
    graph = Graph()
    for one, other, weight in edges:
        graph.add(one, other, weight)
    return graph


def clique(names):
    """Give the edges among all of some nodes."""
    return [(a, b, 1.0) for place, a in enumerate(names) for b in names[place + 1 :]]


def groups(found):
    """Give the communities as sorted lists."""
    by_label = {}
    for node, label in sorted(found.items()):
        by_label.setdefault(label, []).append(node)
    return sorted(by_label.values())


def worth(graph, found, tie):
    """Give what communities are worth: their edges, less a tie for every pair within one."""
    pairs = [(a, b) for a in found for b in found if a < b and found[a] == found[b]]
    return sum(graph.edges[a].get(b, 0.0) - tie for a, b in pairs)


def test_two_cliques_with_a_bridge_are_two_communities():
    graph = graph_of([*clique(NAMES[:5]), *clique(NAMES[5:10]), (NAMES[4], NAMES[5], 0.5)])

    assert groups(communities(graph, {}, tie=0.3)) == [NAMES[:5], NAMES[5:10]]


def test_a_square_with_two_sides_ends():
    # Two against two, everyone linked to the other side: synchronous labels would swap for ever.
    graph = graph_of([(a, b, 1.0) for a in ("a1", "a2") for b in ("b1", "b2")])

    assert len(groups(communities(graph, {}, tie=0.3))) <= 2


def test_a_ring_of_cliques_keeps_its_cliques():
    rings = [[f"r{ring}-{n}" for n in range(4)] for ring in range(5)]
    bridges = [(ring[3], rings[(at + 1) % 5][0], 0.5) for at, ring in enumerate(rings)]
    graph = graph_of([edge for ring in rings for edge in clique(ring)] + bridges)

    assert groups(communities(graph, {}, tie=0.3)) == rings


def test_an_empty_graph_has_none_and_a_node_has_no_edge_to_itself():
    assert communities(Graph(), {}, tie=0.3) == {}
    assert graph_of([("a", "a", 1.0), ("a", "b", 0.0)]).edges == {}


def test_a_node_that_is_dropped_takes_its_edges_along():
    graph = graph_of([("a", "b", 1.0), ("b", "c", 1.0)])
    graph.drop("b")
    graph.drop("never there")

    assert graph.edges == {"a": {}, "c": {}}


@given(EDGES, st.randoms(use_true_random=False))
def test_the_order_of_the_edges_does_not_matter(edges, chance):
    shuffled = list(edges)
    chance.shuffle(shuffled)
    one = {(a, b): w for a, b, w in edges}  # each once, so that sums are the same to the last bit
    two = {(a, b): one[a, b] for a, b, _ in shuffled}

    found = [
        communities(graph_of((a, b, w) for (a, b), w in each.items() if a < b), {}, tie=0.3)
        for each in (one, two)
    ]
    assert found[0] == found[1]


@given(EDGES, st.sampled_from([0.01, 0.3, 0.9]))
def test_it_ends_by_itself_where_no_move_and_no_union_gains(edges, tie):
    graph = graph_of(edges)

    found = communities(graph, {}, tie=tie)

    assert found.keys() == graph.edges.keys()
    best = worth(graph, found, tie)
    assert best >= -1e-6
    for one in set(found.values()):
        for other in set(found.values()):
            joined = {node: one if label == other else label for node, label in found.items()}
            assert worth(graph, joined, tie) <= best + 1e-6


@given(EDGES, EDGES)
def test_what_is_far_away_plays_no_part(edges, others):
    near = graph_of(edges)
    far = graph_of([(f"far {a}", f"far {b}", weight) for a, b, weight in others])
    both = graph_of([])
    both.edges = near.edges | far.edges

    together = communities(both, {}, tie=0.3)

    assert {node: together[node] for node in near.edges} == communities(near, {}, tie=0.3)


def test_the_more_there_are_the_better_a_new_one_must_fit():
    graph = graph_of([("new", "member", 0.5)])

    for size, joins in ((4, True), (6, False)):
        found = communities(
            graph, {"member": "topic"}, tie=0.1, fixed=["member"], sizes={"topic": size}
        )
        assert (found["new"] == "topic") is joins


def test_what_is_weightless_passes_on_who_is_near():
    names = NAMES[:12]
    graph = graph_of([(name, "a thing", 0.5) for name in names])

    found = communities(graph, {}, tie=0.05, weightless=["a thing"])

    assert len(groups({name: found[name] for name in names})[0]) >= 9


@given(EDGES, st.sets(st.sampled_from(NAMES)))
def test_what_is_fixed_keeps_its_label_and_fixed_communities_stay_apart(edges, chosen):
    graph = graph_of(edges)
    fixed = chosen & graph.edges.keys()
    labels = {node: f"topic {place % 2}" for place, node in enumerate(sorted(fixed))}

    found = communities(graph, labels, tie=0.1, fixed=fixed)

    assert {node: found[node] for node in fixed} == labels
