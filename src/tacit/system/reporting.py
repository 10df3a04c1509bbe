"""Reporting by way of the facade: what memory did lately, and whether it was worth it."""

from __future__ import annotations

from datetime import timedelta
from itertools import takewhile

from tacit.errors import Invalid
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.system.opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.assemble.period import Period
    from tacit.learn.effects import Effects

WEEK = timedelta(days=7)
QUARTER = timedelta(days=90)  # shares need more than a week to tell anything
LONGEST = timedelta(days=3_660)
MOST_READ = 100_000  # memories and queries that a report looks back on


class Reporting(Opened):
    """What looks back on use."""

    def report(self, *, since: datetime | None = None) -> Period:
        """Give what was learnt, handed over and used since then, and what it cost and spared.

        Without a moment it is the last seven days. Each day, session and memory has its own
        figures.
        """
        from tacit.assemble.period import period

        now, begin = self._stretch(since, WEEK)
        where = Filter(states=EVERY_STATE, scopes=self._visible)
        newest = self._reader().scan(where, order="-recorded_at", limit=MOST_READ)
        learnt = list(takewhile(lambda one: one.recorded_at >= begin, newest))
        queries = [one for one in self.store.queries(limit=MOST_READ) if one.at >= begin]
        usage = [one for store in self._stores() for one in store.usage() if one.at >= begin]
        ids = {one.memory for query in queries for one in query.selected}
        ids |= {one.memory_id for one in usage}
        return period(
            begin,
            now,
            learnt=learnt,
            queries=queries,
            usage=usage,
            sessions=[one for one in self.store.sessions() if one.seen >= begin],
            memories={one.id: one for one in self._reader().get(sorted(ids))},
        )

    def effects(self, *, since: datetime | None = None) -> Effects:
        """Give what helped since then, and how sure that is; without a moment the last 90 days.

        By strategy (type of task and profile), profile, channel, session and memory; each is
        counted once a session.
        """
        from tacit.learn.effects import effects
        from tacit.learn.usage import Log

        now, begin = self._stretch(since, QUARTER)
        usage = [one for store in self._stores() for one in store.usage()]
        queries = self.store.queries(limit=MOST_READ)
        ids = {one.memory for query in queries for one in query.selected}
        ids |= {one.memory_id for one in usage}
        memories = {one.id: one for one in self._reader().get(sorted(ids))}
        return effects(begin, now, Log(queries, usage, self.store.sessions()), memories)

    def _stretch(self, since: datetime | None, usual: timedelta) -> tuple[datetime, datetime]:
        """Give now and the moment a report begins."""
        now = self.clock.now()
        begin = now - usual if since is None else since
        if begin >= now:
            raise Invalid(f"since {begin.isoformat()} is not in the past")
        if now - begin > LONGEST:
            raise Invalid("a report looks back on ten years at most")
        return now, begin
