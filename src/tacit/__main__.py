"""`tacit` and `python -m tacit`: the command line, with as little imported as possible."""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Most commands end before they leave garbage worth looking for. Looking rarely, and not at
# all at the end, saves a short command a tenth of its time.
GARBAGE = 100_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; give the exit status."""
    if argv is not None:
        return _run(argv)
    gc.set_threshold(GARBAGE)
    status = _run(sys.argv[1:])
    gc.freeze()
    return status


def _run(argv: Sequence[str]) -> int:
    try:
        from tacit.interfaces.cli.run import run

        return run(argv)
    except KeyboardInterrupt:  # while starting or ending
        return 130


if __name__ == "__main__":
    sys.exit(main())
