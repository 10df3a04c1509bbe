"""`tacit` and `python -m tacit`: the command line, with as little imported as possible."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; give the exit status."""
    try:
        from tacit.interfaces.cli.run import run

        return run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:  # while starting or ending
        return 130


if __name__ == "__main__":
    sys.exit(main())
