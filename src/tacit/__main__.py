"""`tacit` and `python -m tacit`: the command line, with as little imported as possible."""

from __future__ import annotations

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
    if sys.argv[1:2] == ["hook"] and sys.argv[2:3] != ["--help"]:
        _hook(sys.argv[2:])
    import gc

    gc.set_threshold(GARBAGE)
    status = _run(sys.argv[1:])
    gc.freeze()
    return status


def _run(argv: Sequence[str]) -> int:
    try:
        if argv[:1] == ["hook"] and argv[1:2] != ["--help"]:
            from tacit.interfaces.hooks.run import main as hook

            return hook(argv[1:])
        from tacit.interfaces.cli.run import run

        return run(argv)
    except KeyboardInterrupt:  # while starting or ending
        return 130


def _hook(argv: Sequence[str]) -> None:
    """Answer a hook and end at once: it has printed, and nothing it opened needs to be closed."""
    import gc
    import os

    gc.disable()
    try:
        from tacit.interfaces.hooks.run import main as hook

        hook(argv)
    finally:
        os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
