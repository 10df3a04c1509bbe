"""What helped in a stretch of time: all figures of use together. Pure."""

from __future__ import annotations

from tacit.learn.earned import Earned, earned
from tacit.learn.usage import Figures, channels, figures, session_of, strategy_of, whole
from tacit.record import SessionRecord
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from tacit.learn.usage import Log
    from tacit.model import Memory


class Effects(Value):
    """What helped in a stretch of time, and how sure that is."""

    since: datetime
    until: datetime
    whole: Figures
    strategies: tuple[Figures, ...]  # by task type and profile, the most asked first
    profiles: tuple[Figures, ...]
    channels: tuple[Figures, ...]  # by what found a memory, or why it was there without asking
    sessions: tuple[tuple[SessionRecord, Figures], ...]  # the last seen first
    memories: tuple[Earned, ...]  # the most cited first


def effects(
    since: datetime,
    until: datetime,
    log: Log,
    memories: Mapping[str, Memory],
) -> Effects:
    """Add up what was handed over in the stretch; `memories` knows those there still are."""
    queries = [one for one in log.queries if one.at >= since]
    by_session = figures(queries, log, lambda one: (session_of(one),))
    seen = [(log.sessions[one.key[0]], one) for one in by_session if one.key[0] in log.sessions]
    return Effects(
        since=since,
        until=until,
        whole=whole(queries, log),
        strategies=figures(queries, log, strategy_of),
        profiles=figures(queries, log, lambda one: (one.profile,)),
        channels=channels(queries, log),
        sessions=tuple(sorted(seen, key=lambda pair: (pair[0].seen, pair[0].id), reverse=True)),
        memories=earned(since, queries, log, memories),
    )
