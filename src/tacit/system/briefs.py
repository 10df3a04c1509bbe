"""Briefings by way of the facade: what the task at hand needs, within a budget."""

from __future__ import annotations

from tacit.record import Chosen, Looked, QueryRecord
from tacit.system.detecting import Detecting
from tacit.system.holding import Holding
from tacit.system.predicting import Predicting
from tacit.system.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from tacit.assemble.brief import Wanted
    from tacit.assemble.briefing import Briefing
    from tacit.assemble.signals import Signals
    from tacit.model import Memory
    from tacit.profile import Profile
    from tacit.retrieve.query import Recalled

# The channels a process can use that has not loaded a model.
LIGHT = ("text", "graph", "recency")
READ_LEVELS = ("full", "summary")
PREDICTED = 20
KEPT_CHARS = 1_000  # of what was asked
KEPT_READ = 16_000  # half a secret is not known for one: it is cut where it would not be kept


class Briefs(Holding, Reading, Predicting, Detecting):
    """What hands over memory."""

    light = False  # a hook loads no model; whoever is warm uses every channel

    def brief(
        self,
        task: str = "",
        *,
        signals: Mapping[str, object] | None = None,
        budget_tokens: int | None = None,
        preset: str | None = None,
        activity: str | None = None,
        session: str = "",
        agent: str = "",
        exclude: Sequence[str] = (),
        phase: str = "",
    ) -> Briefing:
        """Give what the task needs, chosen within a budget (8,000 tokens unless told).

        Signals: file, files, branch, error, errors, time, collaborator. Without a task or
        signals it is what a session should start with; with the preset `index` what there is
        by topic and what lately happened, whatever the task. With `phase` only what that phase
        builds on, by links. Given a session, it is kept what was handed over.
        """
        from tacit.assemble.brief import Wanted
        from tacit.assemble.budget import budget_of
        from tacit.assemble.signals import signals_of

        if preset == "index":
            return self._overview(session)
        told = signals_of(signals or {}, self.project.root if self.project else "")
        task = task or told.task
        type_ = self._task_type(task, told)
        start = not task.strip() and not told.replace(task="").told and not phase
        wanted = Wanted(
            task=task,
            signals=told,
            budget=budget_of(budget_tokens, preset),
            activity=activity or self._activity(type_),
            exclude=tuple(self._find(ref)[1].id for ref in exclude),
            by_tier=start,
            start=start,
        )
        held = self.for_phase(phase) if phase else self._held(agent)
        if phase:
            wanted = wanted.replace(task="")
        return self._brief(wanted, held=held, session=session, kind="brief", task_type=type_)

    def _overview(self, session: str) -> Briefing:
        from tacit.assemble.brief import Wanted
        from tacit.assemble.budget import budget_of
        from tacit.assemble.disclose import index_view, timeline_view
        from tacit.assemble.format_overview import overview
        from tacit.retrieve.ask import filter_of

        reader, where = self._reader(), filter_of(self.clock.now(), None, None, self._seen({}))
        budget = budget_of(None, "index")
        timeline = timeline_view(reader, where, layers=self.profile.layers)
        made = overview(index_view(reader, where), timeline, budget)
        made = made.replace(profile=self.profile.ref)
        if not session:
            return made
        return self._keep_query(made, None, Wanted(budget=budget), session=session, kind="brief")

    def _brief(
        self,
        wanted: Wanted,
        *,
        held: Sequence[Memory] = (),
        session: str = "",
        kind: str = "brief",
        task_type: str = "",
    ) -> Briefing:
        from tacit.assemble.brief import brief
        from tacit.retrieve.ask import filter_of

        reader = self._reader()
        where = filter_of(self.clock.now(), None, None, self._seen({}))
        drawn = self._arm(session, wanted, task_type) if session else None
        profile, task_type = drawn or (self.profile, task_type)
        made, recalled = brief(
            wanted,
            reader,
            where=where,
            recall=lambda query, **given: self._recall_for_briefing(
                query, profile=profile, **given
            ),
            predict=lambda told: self._predicted(
                told, wanted.exclude if wanted.brought is None else wanted.brought
            ),
            held=held,
            now=self._last_written() if wanted.start else self.clock.now(),
            profile=profile,
        )
        made = made.replace(task_type=task_type, profile=profile.ref, drawn=drawn is not None)
        if not session:
            return made
        return self._keep_query(made, recalled, wanted, session=session, kind=kind)

    def _arm(self, session: str, wanted: Wanted, task_type: str) -> tuple[Profile, str] | None:
        """Give the profile learning has drawn for a session, and the type of its task."""
        from tacit.learn.serving import arm_of

        return arm_of(
            self.store,
            self.profile,
            session,
            lambda: task_type or self._task_type(wanted.task, wanted.signals),
        )

    def _recall_for_briefing(
        self, query: str, *, strict: bool, profile: Profile | None = None, **options: Any
    ) -> Recalled:
        from tacit.retrieve.cut import for_briefing, strictly
        from tacit.retrieve.query import channels_of

        profile = profile or self.profile
        profile = for_briefing(strictly(profile) if strict else profile)
        channels = channels_of(profile.retrieval, LIGHT) if self.light else None
        return self.recall_explained(
            query, channels=channels, profile=profile, evidence=False, **options
        )

    def _predicted(self, told: Signals, exclude: tuple[str, ...]) -> Any:
        from tacit.assemble.predict import predict

        return predict(
            self._reader(),
            told,
            load=self._project_document,
            now=self.clock.now(),
            read=self._beginning,
            limit=PREDICTED,
            scopes=self._seen_with(told.collaborator),
            exclude=exclude,
        )

    @property
    def _observes(self) -> bool:
        """Whether what is said may be kept without being asked."""
        return self.settings is None or self.settings.write not in ("manual", "off")

    def _held(self, agent: str) -> list[Memory]:
        """Give what is meant for this agent: handoffs that wait for it."""
        return self.handoffs.open_for(agent) if agent else []

    def _last_written(self) -> datetime:
        """Give when the store was last written: while nothing is, a briefing stays the same."""
        from tacit.store.protocol import Filter

        newest = self._reader().scan(Filter(), order="-recorded_at", limit=1)
        return next((memory.recorded_at for memory in newest), self.clock.now())

    def _task_type(self, task: str, told: Signals) -> str:
        if told.errors:
            return "debugging"
        if not task.strip():
            return ""
        found = self.taken_for(task)
        return found.task_type if found.known else ""

    @staticmethod
    def _activity(task_type: str) -> str:
        from tacit.profile import DEFAULT_TASK, strategy

        return strategy(task_type or DEFAULT_TASK).activity

    def _keep_query(
        self,
        made: Briefing,
        recalled: Recalled | None,
        wanted: Wanted,
        *,
        session: str,
        kind: str,
    ) -> Briefing:
        """Record what was handed over, so that its use can be told later."""
        from tacit.ingest.redaction import redact
        from tacit.model import Level, Usage, UsageEvent

        now, id_ = self.clock.now(), self.clock.new_id()
        read = sum(item.tokens for item in made.items if item.level.value in READ_LEVELS)
        pools = recalled.pools if recalled else ()
        spoke = {hit.memory.id: hit.parts.channel for hit in recalled.hits} if recalled else {}
        record = QueryRecord(
            id=id_,
            at=now,
            session=session,
            kind=kind,
            text=redact(wanted.task[:KEPT_READ]).text[:KEPT_CHARS] if self._observes else "",
            task_type=made.task_type,
            activity=made.activity,
            profile=made.profile,
            drawn=made.drawn,
            channels=tuple(
                Looked(channel=p.channel, results=p.candidates, ms=round(p.ms, 2)) for p in pools
            ),
            pool=sum(pool.candidates for pool in pools),
            selected=tuple(
                Chosen(
                    memory=item.memory.id,
                    band=item.band.value,
                    level=item.level.value,
                    tokens=item.tokens,
                    score=round(item.score, 4),
                    why=item.why,
                    channel=spoke.get(item.memory.id, ""),
                    shares=item.shares,
                )
                for item in made.items
            ),
            omitted=made.omitted,
            scan_tokens=made.tokens - read,
            read_tokens=read,
            full_tokens=sum(item.memory.levels.token_count(Level.FULL) for item in made.items),
        )
        with self.store.transaction(durable=False):
            self.store.add_queries([record])
            self.store.add_usage(
                [
                    Usage(query_id=id_, memory_id=item.memory.id, event=UsageEvent.LOADED, at=now)
                    for item in made.items
                ]
            )
        return made.replace(query_id=id_)
