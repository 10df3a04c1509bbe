"""A picture of memories and what they are about: nodes, edges, and how many can be read at once.

Pure: knows neither the store nor the browser. It grows where somebody looks closer, and what was
looked at longest ago falls away, so that it stays readable whatever the size of the store.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Object = dict[str, Any]

MOST_NODES = 120
LARGEST = 46  # points across
# As the page is written in; the chart library measures by it, so it must be spelt out here.
FONT = (
    "-apple-system, BlinkMacSystemFont, 'Segoe UI Variable Text', 'Segoe UI', Inter, Roboto, "
    "'Helvetica Neue', Arial, sans-serif"
)
NAMED = 30  # facets whose name is written beside them without being pointed at
NAMED_ON_A_PHONE = 12
PHONE = "window.innerWidth < 640"  # asked in the browser
# The colour of each type of thing; memories have those of their kinds.
TONES = {
    **dict.fromkeys(("topic", "tag"), "accent"),
    **dict.fromkeys(("symbol", "commit", "pr"), "resource"),
    "entity": "episode",
    "file": "fact",
    "error": "bad",
    "tool": "skill",
    "person": "block",
    "adr": "pattern",
}
KINDS = ("fact", "episode", "pattern", "skill", "resource", "block")


class Picture:
    """What is drawn now; the last thing looked at is never let go."""

    def __init__(self) -> None:
        self.nodes: dict[str, Object] = {}
        self.edges: dict[tuple[str, str], Object] = {}
        self.chosen = ""

    def add(self, found: Object, around: str = "") -> None:
        """Take in what was found around a node; what came last is nearest at hand."""
        for node in found["nodes"]:
            self.nodes.pop(node["id"], None)
            self.nodes[node["id"]] = node
        if around in self.nodes:
            self.nodes[around] = self.nodes.pop(around)
        for edge in found["edges"]:
            ends = (edge["source"], edge["target"])
            if ends[::-1] not in self.edges:  # the same tie, seen from its other end
                self.edges.setdefault(ends, edge)
        self.chosen = around
        while len(self.nodes) > MOST_NODES:
            del self.nodes[next(iter(self.nodes))]
        self.edges = {
            ends: edge
            for ends, edge in self.edges.items()
            if ends[0] in self.nodes and ends[1] in self.nodes
        }

    def neighbours(self, id_: str) -> list[tuple[str, Object]]:
        """Give what a node is joined to, each with the relation."""
        found = []
        for (source, target), edge in self.edges.items():
            if id_ in (source, target):
                other = target if source == id_ else source
                found.append((edge["relation"], self.nodes[other]))
        return found

    def options(self) -> Object:
        """Give the picture in the words of the chart library."""
        things = [node for node in self.nodes.values() if node["memory"] is None]
        things.sort(key=lambda node: -node["memories"])
        ranks = {node["id"]: rank for rank, node in enumerate(things)}
        top = max([node["memories"] for node in things[:1]] + [1])
        spread = max(300, 16_000 // max(1, len(self.nodes)))
        return {
            "animation": False,
            "tooltip": {"show": False},
            "series": [
                {
                    "type": "graph",
                    "layout": "force",
                    "roam": True,
                    ":zoom": f"{PHONE} ? 0.5 : 1",
                    "draggable": True,
                    "scaleLimit": {"min": 0.3, "max": 5},
                    "force": {
                        # Spread to fit where there is room, rather than zoomed out: labels are
                        # kept apart before that.
                        ":repulsion": f"({PHONE} ? 1.1 : 0.72) * {spread}",
                        ":edgeLength": f"{PHONE} ? [60, 190] : [50, 160]",
                        "gravity": 0.3,
                        "initLayout": "circular",  # not by chance: the same looks the same
                        "layoutAnimation": False,
                    },
                    "labelLayout": {"hideOverlap": True},
                    "emphasis": {
                        "focus": "adjacency",
                        "label": {"show": True},
                        "itemStyle": {"color": "inherit"},
                    },
                    "blur": {"itemStyle": {"opacity": 0.3}, "label": {"opacity": 0.35}},
                    "data": [
                        self._drawn(node, top, ranks.get(node["id"], 0))
                        for node in self.nodes.values()
                    ],
                    "links": [_joined(edge) for edge in self.edges.values()],
                }
            ],
        }

    def _drawn(self, node: Object, top: int, rank: int) -> Object:
        memory = node["memory"] is not None
        tone = node["sort"] if memory else TONES[node["sort"]]
        size = 13 if memory else 12 + (LARGEST - 12) * (node["memories"] / top) ** 0.5
        chosen = node["id"] == self.chosen
        # On a phone what a memory says stands in the list below: there is no room beside it.
        everywhere = chosen or (not memory and rank < NAMED_ON_A_PHONE)
        shown = everywhere or rank < NAMED
        return {
            "id": node["id"],
            "name": node["id"],
            "symbol": "roundRect" if memory else "circle",
            "symbolSize": round(size + (6 if chosen else 0), 1),
            "itemStyle": {
                "color": f"var(--{tone})" if memory else f"var(--{tone}-well)",
                "borderColor": "var(--ink)" if chosen else f"var(--{tone})",
                "borderWidth": 2.5 if chosen else 1.2,
            },
            "label": {
                ":show": f"{str(shown).lower()} && ({str(everywhere).lower()} || !({PHONE}))",
                "formatter": _cut(_name(node), 24 if memory else 28),
                "position": "right" if memory else "bottom",
                "color": "var(--ink)" if not memory or chosen else "var(--ink-soft)",
                "fontSize": 12,
                "fontWeight": 600 if chosen else 400,
                "fontFamily": FONT,
                "padding": [4, 6],
                ":width": f"{PHONE} ? 92 : 210",
                "overflow": "truncate",
                "textBorderColor": "var(--card)",
                "textBorderWidth": 3,
            },
        }


def _joined(edge: Object) -> Object:
    named = edge["relation"] not in ("", "about")
    return {
        "source": edge["source"],
        "target": edge["target"],
        "lineStyle": {
            "color": "var(--accent)" if named else "var(--line-strong)",
            "opacity": 0.9 if named else 0.45,
            "width": 1.5 if named else min(3.0, 0.6 + edge["weight"] / 8),
            "curveness": 0.08,
        },
        "label": {
            "show": named,
            "formatter": edge["relation"].replace("_", " "),
            "color": "var(--ink-faint)",
            "fontSize": 10,
        },
    }


def _name(node: Object) -> str:
    """Give what is written beside a node: of a file and of a part of a document the last part."""
    name = str(node["name"])
    if node["memory"] is not None:
        return name.rsplit(" › ", 1)[-1]
    return name.rstrip("/").rsplit("/", 1)[-1] if node["sort"] == "file" else name


def _cut(text: str, most: int) -> str:
    # A brace would be read as the name of a value.
    plain = " ".join(text.split()).replace("{", "(").replace("}", ")")
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"
