"""The sets of tools one may add to the verbs, by name; none is imported before it is chosen."""

from __future__ import annotations

from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mcp.server import MCPServer

    from tacit.interfaces.mcp.late import Late

# Name → its module in this package, which has a function `register`.
SETS = {
    "memory-file": "memory_file",
    "blocks": "block_tools",
    "handoffs": "handoff_tools",
    "knowledge-graph": "knowledge_graph",
}


def check_sets(names: Sequence[str]) -> None:
    """Refuse a set that is not there."""
    for name in names:
        if name not in SETS:
            raise Invalid(f"there is no set of tools {name!r}; there are {', '.join(SETS)}")


def register_sets(app: MCPServer[Any], late: Late, names: Sequence[str]) -> None:
    """Offer the tools of the sets, in the order of the list above."""
    from importlib import import_module

    check_sets(names)
    for name, module in SETS.items():
        if name in names:
            import_module(f"tacit.interfaces.mcp.{module}").register(app, late)
