"""Which things belong together, by weighted edges: one thing at a time, for a real gain. Pure.

Each free node in turn goes where it gains most: the weight of its edges into a community, less a
tie for everybody who is in it already. So the more there are, the better a new one must fit, and
what is far away plays no part: a community is the same in a small graph and in a large one (the
constant Potts model; Traag, Van Dooren and Nesterov, 2011). Every move raises the worth of the
whole, so no state comes back: it ends by itself, on any graph. Nodes are taken in the order of
their names and ties go to the smaller label, so the same graph gives the same communities.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

ROUNDS = 20  # the proof knows no number; more have not been seen
LEAST_GAIN = 1e-9  # rounding must not count as one


class Graph:
    """Weighted edges without a direction; several between two nodes add up."""

    def __init__(self) -> None:
        self.edges: dict[str, dict[str, float]] = {}

    def add(self, one: str, other: str, weight: float) -> None:
        """Put an edge between two different nodes."""
        if one != other and weight > 0:
            for src, dst in ((one, other), (other, one)):
                near = self.edges.setdefault(src, {})
                near[dst] = near.get(dst, 0.0) + weight

    def drop(self, node: str) -> None:
        """Take a node out, with its edges."""
        for other in self.edges.pop(node, {}):
            del self.edges[other][node]


def communities(
    graph: Graph,
    labels: Mapping[str, str],
    *,
    tie: float,
    fixed: Collection[str] = (),
    weightless: Collection[str] = (),
    sizes: Mapping[str, int] | None = None,
) -> dict[str, str]:
    """Give each node its label; those without one begin alone, under their own name.

    Fixed nodes keep their label. Weightless ones only pass on who is near whom. `sizes` counts
    the members of labels, where some lie outside the graph. When no node gains by moving alone,
    whole communities join as long as that gains; those of fixed nodes never join each other.
    """
    masses = {node: float(node not in weightless) for node in graph.edges}
    crowds = {label: float(size) for label, size in (sizes or {}).items()}
    for node in sorted(graph.edges):
        if labels.get(node, node) not in (sizes or {}):
            crowds[labels.get(node, node)] = crowds.get(labels.get(node, node), 0.0) + masses[node]
    found = _moved(graph, labels, masses, crowds, fixed, tie)
    held = {found[node] for node in fixed if node in found}
    while True:
        whole = Graph()
        for node, near in graph.edges.items():
            for other, weight in near.items():
                if node < other:
                    whole.add(found[node], found[other], weight)
        joined = _moved(whole, {}, dict(crowds), crowds, held, tie)
        if all(label == name for name, label in joined.items()):
            return found
        found = {node: joined.get(label, label) for node, label in found.items()}


def _moved(
    graph: Graph,
    labels: Mapping[str, str],
    masses: Mapping[str, float],
    crowds: dict[str, float],
    fixed: Collection[str],
    tie: float,
) -> dict[str, str]:
    """Let free nodes move one by one until none gains; `crowds` is kept up to date."""
    found = {node: labels.get(node, node) for node in sorted(graph.edges)}
    free = [node for node in found if node not in fixed]
    for _ in range(ROUNDS):
        moved = False
        for node in free:
            crowds[found[node]] -= masses[node]
            best = _best(graph.edges[node], found, found[node], crowds, tie * masses[node])
            moved |= best != found[node]
            found[node] = best
            crowds[best] = crowds.get(best, 0.0) + masses[node]
        if not moved:
            break
    return found


def _best(
    near: Mapping[str, float],
    labels: Mapping[str, str],
    own: str,
    crowds: Mapping[str, float],
    tie: float,
) -> str:
    """Give the label a node gains most by; its own unless another is really better."""
    weights: dict[str, float] = {own: 0.0}
    for node, weight in near.items():
        weights[labels[node]] = weights.get(labels[node], 0.0) + weight
    gains = {label: weight - tie * crowds.get(label, 0.0) for label, weight in weights.items()}
    best = min(gains, key=lambda label: (-gains[label], label))
    return best if gains[best] > gains[own] + LEAST_GAIN else own
