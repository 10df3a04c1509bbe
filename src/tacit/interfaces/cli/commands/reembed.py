"""`reembed`: compute vectors that are missing, or those of another embedder."""

from __future__ import annotations

from tacit.interfaces.cli import options, show
from tacit.interfaces.cli.progress import progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console

EXAMPLES = """\
examples:
  tacit reembed --pending
  tacit reembed --embedder default

It can be stopped at any time and goes on where it was. Until all vectors of another embedder
are there, search uses the old ones."""


def add_reembed(parser: ArgumentParser) -> None:
    """Add the arguments of `reembed`."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--pending", action="store_true", help="only what has no vector yet; drop nothing"
    )
    parser.add_argument(
        "--embedder",
        metavar="SPEC",
        help="default, fastembed:MODEL, sentence-transformers:MODEL, model2vec:PATH, openai:MODEL@URL",
    )


def run_reembed(given: Namespace, console: Console) -> int:
    """Give every memory a vector."""
    with options.open_tacit(given) as tacit:
        waiting = tacit.pending(given.embedder)
        done = 0
        try:
            with progress(console, "embedding", waiting) as step:
                done = tacit.reembed(given.embedder, pending=given.pending, progress=step)
        except KeyboardInterrupt:
            left = tacit.pending(given.embedder)
            console.note(f"{waiting - left:,} of {waiting:,} are done; run it again to go on")
            raise
        model = tacit.embedder.model if tacit.embedder else ""
    if console.json:
        console.data({"model": model, "embedded": done, "pending": 0})
        return 0
    console.result(f"embedded {show.memories(done)} with {model}")
    return 0
