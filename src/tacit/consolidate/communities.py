"""Which things belong together, by weighted edges: greedy modularity, one thing at a time. Pure.

Each free node in turn goes to the community where it gains most: the weight of its edges there,
less what edges drawn by chance would give (Newman, 2004; Blondel et al., 2008). It moves only
for a real gain, so modularity rises with every move and some order of labels never comes back:
it ends by itself, on any graph. Nodes are taken in the order of their names and ties go to the
smaller label, so the same graph gives the same communities.
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

    def degrees(self) -> dict[str, float]:
        """Give the weight of all edges of each node."""
        return {node: sum(near.values()) for node, near in self.edges.items()}


def communities(
    graph: Graph, labels: Mapping[str, str], fixed: Collection[str] = (), *, resolution: float
) -> dict[str, str]:
    """Give each node its label; those without one begin alone, under their own name.

    Fixed nodes keep their label. When no node gains by moving alone, whole communities join as
    long as that gains; those of fixed nodes never join each other. A lower resolution gives
    larger communities.
    """
    degrees = graph.degrees()
    found = _moved(graph, labels, degrees, fixed, resolution)
    held = {found[node] for node in fixed if node in found}
    while True:
        whole, volumes = Graph(), dict.fromkeys(found.values(), 0.0)
        for node, near in graph.edges.items():
            volumes[found[node]] += degrees[node]
            for other, weight in near.items():
                if node < other:
                    whole.add(found[node], found[other], weight)
        joined = _moved(whole, {}, volumes, held, resolution)
        if all(label == name for name, label in joined.items()):
            return found
        found = {node: joined.get(label, label) for node, label in found.items()}


def _moved(
    graph: Graph,
    labels: Mapping[str, str],
    degrees: Mapping[str, float],
    fixed: Collection[str],
    resolution: float,
) -> dict[str, str]:
    """Let free nodes move one by one until none gains."""
    found = {node: labels.get(node, node) for node in sorted(graph.edges)}
    total = sum(degrees.values())
    volumes: dict[str, float] = {}
    for node, label in found.items():
        volumes[label] = volumes.get(label, 0.0) + degrees[node]
    free = [node for node in found if node not in fixed]
    for _ in range(ROUNDS):
        moved = False
        for node in free:
            volumes[found[node]] -= degrees[node]
            pull = resolution * degrees[node] / total
            best = _best(graph.edges[node], found, found[node], volumes, pull)
            moved |= best != found[node]
            found[node] = best
            volumes[best] = volumes.get(best, 0.0) + degrees[node]
        if not moved:
            break
    return found


def _best(
    near: Mapping[str, float],
    labels: Mapping[str, str],
    own: str,
    volumes: Mapping[str, float],
    pull: float,
) -> str:
    """Give the label a node gains most by; its own unless another is really better."""
    weights: dict[str, float] = {own: 0.0}
    for node, weight in near.items():
        weights[labels[node]] = weights.get(labels[node], 0.0) + weight
    gains = {label: weight - pull * volumes.get(label, 0.0) for label, weight in weights.items()}
    best = min(gains, key=lambda label: (-gains[label], label))
    return best if gains[best] > gains[own] + LEAST_GAIN else own
