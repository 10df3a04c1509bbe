"""`mcp`: serve the memory to an agent by the Model Context Protocol."""

from __future__ import annotations

from tacit.errors import Unavailable
from tacit.interfaces.cli import options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console

EXAMPLES = """\
examples:
  tacit mcp
  tacit mcp --tools memory-file,blocks

The server speaks over standard input and output and ends when its input is closed.
A host starts it, as after: claude mcp add tacit -- tacit mcp

Sets of tools besides the verbs:
  memory-file      the tool `memory` of Anthropic's models: files under /memories
  blocks           memory_insert, memory_replace, memory_rethink, archival and conversation search
  handoffs         handoff_send, handoff_inbox, handoff_accept, ledger_set, ledger_get
  knowledge-graph  the tools of the reference memory server: entities, relations, observations"""


def add_mcp(parser: ArgumentParser) -> None:
    """Add the arguments of `mcp`."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--tools",
        type=options.words,
        default=[],
        metavar="LIST",
        help="sets to add, of memory-file,blocks,handoffs,knowledge-graph (default none)",
    )


def run_mcp(given: Namespace, _console: Console) -> int:
    """Serve until the input is closed."""
    from tacit.interfaces.mcp.sets import check_sets

    check_sets(given.tools)
    try:
        import mcp.server  # noqa: F401  # whether it is there; it is used where it is needed
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"the MCP server needs a package that is missing ({error.name}); "
            "install it with: pip install 'tacit[mcp]'"
        ) from error
    from tacit.interfaces.mcp.serve import serve

    serve(given.store, given.project, given.tools)
    return 0
