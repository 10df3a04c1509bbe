"""Running the `git` program on a repository that may be anybody's.

Nothing that a repository's configuration names is run: no hook, pager, monitor, signature
check or external diff, and no transport, so that a partial clone cannot fetch what it lacks.
"""

from __future__ import annotations

import os
import subprocess
from threading import Timer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence

TIMEOUT_S = 300.0
_CHUNK = 1 << 16
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.quotePath=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "log.diffMerges=off",
    "diff.external=",
    "diff.relative=false",
    f"diff.orderFile={os.devnull}",
    "submodule.recurse=false",
)


def ask(root: str, *arguments: str) -> bytes | None:
    """Give what git prints; None when it says no, cannot be run, or takes too long."""
    try:
        done = subprocess.run(  # noqa: S603  # no shell; a word of the caller's is checked by it
            _command(root, arguments),
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout


def stream(
    root: str, arguments: Sequence[str], counts: Counter[str], timeout_s: float = TIMEOUT_S
) -> Iterator[bytes]:
    """Give what git prints, piece by piece; an end that is not well is counted, not raised."""
    try:
        process = subprocess.Popen(  # noqa: S603  # as above
            _command(root, arguments),
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, ValueError):
        counts["no git"] += 1
        return
    assert process.stdout is not None
    watchdog = Timer(timeout_s, process.kill)
    watchdog.daemon = True
    watchdog.start()
    ended = False
    try:
        while chunk := process.stdout.read(_CHUNK):
            yield chunk
        ended = True
    finally:
        watchdog.cancel()
        if not ended:  # the reader has had enough
            process.kill()
        process.stdout.close()
        failed = process.wait() != 0
    counts["git failed"] += failed


def _command(root: str, arguments: Sequence[str]) -> list[str]:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    return ["git", "-C", root, "--no-pager", "--literal-pathspecs", *settings, *arguments]


def _environment() -> dict[str, str]:
    """Give our own environment without what would point git elsewhere, as inside its hooks."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # versions before 2.44 do not know the line above
        "GIT_NO_REPLACE_OBJECTS": "1",
    }
