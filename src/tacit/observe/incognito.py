"""Sessions of which nothing is kept, whoever tells of them: the hooks, or the host's own files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection, Iterable, Iterator

    from tacit.observation import Session
    from tacit.store.protocol import Store

SKIPPED = "incognito session"
# The plugin of OpenCode tells what happens in the words of Claude Code, its database does not.
_ALSO = {"claude:": "opencode:"}


def incognito(store: Store) -> frozenset[str]:
    """Give the sources of the sessions that are handed nothing and leave nothing."""
    known = [record.id for record in store.sessions() if record.inject == "off"]
    also = [
        other + source.removeprefix(host)
        for source in known
        for host, other in _ALSO.items()
        if source.startswith(host)
    ]
    return frozenset([*known, *also])


def without(
    sessions: Iterable[Session], sources: Collection[str], counts: Counter[str]
) -> Iterator[Session]:
    """Leave out the sessions of these sources, and count them."""
    for session in sessions:
        if session.source in sources:
            counts[SKIPPED] += 1
        else:
            yield session
