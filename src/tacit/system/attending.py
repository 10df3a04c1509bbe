"""Attending to sessions by way of the facade: what happens in, what is said out."""

from __future__ import annotations

from tacit.errors import TacitError
from tacit.happening import Answer, Moment
from tacit.system.briefs import Briefs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.assemble.brief import Wanted
    from tacit.assemble.briefing import Briefing
    from tacit.happening import Happening
    from tacit.model import Memory
    from tacit.record import QueryRecord, SessionRecord

MOST_PREDICTED = 10  # files of a session whose opening is predicted from
MOST_TROUBLES = 20
LATEST = 10  # sessions that a start looks at for one that was abandoned
ENCODED_AT = (
    Moment.SESSION_END,
    Moment.PRE_COMPACT,
    Moment.TASK_END,
    Moment.PHASE_END,
    Moment.IDLE,
)
CAPTURED_AT = (
    Moment.PROMPT,
    Moment.POST_TOOL,
    Moment.TOOL_FAILED,
    Moment.TURN_END,
    Moment.SUBAGENT_END,
    Moment.POST_COMPACT,
)
NOTED_AT = (Moment.TURN_END, Moment.POST_TOOL, Moment.TOOL_FAILED, Moment.PRE_TOOL)


class Attending(Briefs):
    """What goes along with an agent's session."""

    light = True
    troubles: tuple[str, ...] = ()  # what went wrong beside the answers, and cost none of them

    def take_troubles(self) -> tuple[str, ...]:
        """Give what went wrong beside the answers, each once: for whoever has a log."""
        taken, self.troubles = self.troubles, ()
        return taken

    def attend(self, happening: Happening) -> Answer:
        """Take in what a host tells, keep it, and give what is worth saying now."""
        from tacit.session.lifecycle import Told, opened

        now = self.clock.now()
        key = f"{happening.host}:{happening.session or 'unknown'}"
        inject = self.settings.inject if self.settings else "auto"
        record = self.store.session(key) or opened(happening, key, self.scope.path, inject, now)
        told = Told(
            happening,
            record,
            brief=lambda wanted, **given: self._handed(wanted, key, **given),
            held=lambda: self._at_hand(happening.agent),
            pointers=self._pointers,
            root=self.project.root if self.project else "",
            start_tokens=self.settings.start_tokens if self.settings else 400,
            prompt_tokens=self.settings.prompt_tokens if self.settings else 300,
            now=now,
            goes_without=lambda said: self._goes_without(said, key),
        )
        answer = told.answer()
        self._keep(told, now)
        if happening.moment is Moment.SESSION_START and answer.context:
            self._save_last_good(answer.context)
        if not self.light and told.opened and len(told.record.files) <= MOST_PREDICTED:
            # Kept as predicted, so that what comes true of it can be told when the session ends.
            self.predict(file=told.opened, limit=5, record=True, session=key)
        if happening.moment in ENCODED_AT or self._left_over(happening, now):
            self._start_worker(happening.folder, now.timestamp())
        return answer

    def rest(self) -> bool:
        """Use a time in which nobody asks: start a cycle beside, if there is anything to do.

        It runs in a process of its own, as after a session, and ends by itself. Tell whether it
        was started; it is not while one is at work, nor where the settings want none.
        """
        from tacit.consolidate.due import due

        if self.settings is None or self.settings.consolidate != "auto":
            return False
        return (
            self.may("consolidate")
            and due(self.store)
            and self._start_worker("", self.clock.now().timestamp(), stays=True)
        )

    def sessions(self, limit: int | None = 20) -> list[SessionRecord]:
        """Give the sessions of agents, the last seen first."""
        return self.store.sessions(limit=limit)

    def injected(self, session: str = "") -> list[QueryRecord]:
        """Give what a session was handed and why, the last first; without one, the latest's."""
        known = self.store.sessions(limit=1)
        key = session or (known[0].id if known else "")
        return [query for query in self.store.queries(key) if query.selected]

    def incognito(self, session: str, *, inject: str = "off") -> SessionRecord:
        """Change what a session is handed: off, index or auto."""
        from tacit.config import INJECT_MODES
        from tacit.errors import Invalid, NotFound

        if inject not in INJECT_MODES:
            raise Invalid(f"inject {inject!r} is unknown; use one of {', '.join(INJECT_MODES)}")
        record = self.store.session(session)
        if record is None:
            raise NotFound(f"there is no session {session!r}; see: tacit session list")
        record = record.replace(inject=inject)
        record = _hushed(record) if inject == "off" else record
        self.store.put_session(record)
        return record

    def _handed(
        self, wanted: Wanted, session: str, *, kind: str, held: Sequence[Memory] = ()
    ) -> Briefing:
        return self._brief(
            wanted, held=held, session=session, kind=kind, task_type=wanted.task_type
        )

    def _goes_without(self, said: str, session: str) -> bool:
        """Tell whether tasks of this type do without memory; where one does, that is recorded."""
        if self.settings is None or not self.settings.bypass:
            return False
        from tacit.assemble.bypass import type_without_use
        from tacit.assemble.economics import BYPASS
        from tacit.record import QueryRecord

        type_ = type_without_use(self.store, said)
        if type_:
            id_, now = self.clock.new_id(), self.clock.now()
            record = QueryRecord(id=id_, at=now, session=session, kind=BYPASS, task_type=type_)
            self.store.add_queries([record])
        return bool(type_)

    def _keep(self, told: object, now: object) -> None:
        """Write what happened and where the session stands, in one go."""
        from tacit.session.lifecycle import Told

        assert isinstance(told, Told)
        happening, record = told.happening, told.record
        quiet = not self._observes or record.inject == "off"
        if quiet:  # nothing of what is said or done is kept, now or later
            record = _hushed(record)
        with self.store.transaction(durable=False):
            if not quiet and happening.moment in CAPTURED_AT:
                from tacit.session.capture import capture

                capture(self.store, happening, record.id, told.target, record.seen)
            if happening.moment in (Moment.TURN_END, Moment.SUBAGENT_END) and happening.text:
                from tacit.fence import cited_in
                from tacit.session.credit import cite

                shorts = self._reader().shorts(cited_in(happening.text))
                record = cite(self.store, record, list(shorts.values()), record.seen)
            self.store.put_session(record)
        if not quiet:
            self._note(happening, record, told.target)

    def _note(self, happening: Happening, record: SessionRecord, target: str) -> None:
        """Note what the answer does not depend on."""
        if happening.moment not in NOTED_AT or not record.goal:
            return
        from tacit.session.aside import note_drift, note_tool, note_turn

        try:
            if happening.moment is Moment.TURN_END:
                note_turn(self.continuity, record)
                self._note_put_off(happening.text, record)
            elif happening.moment in (Moment.POST_TOOL, Moment.TOOL_FAILED):
                note_tool(self.dead_letters, happening, record)
            elif happening.moment is Moment.PRE_TOOL:
                note_drift(self.store, happening, record, target, record.seen)
        except TacitError as error:  # a note that cannot be taken must not cost the answer
            self._trouble(f"{happening.moment} was not noted", error)

    def _note_put_off(self, text: str, record: SessionRecord) -> None:
        from tacit.session.rationalise import rationalisations

        review = self.settings is not None and self.settings.write == "review"
        drafts = rationalisations(text, record, review=review)
        if drafts:
            self._hold(drafts, self._counter_at_hand())

    def _at_hand(self, agent: str) -> list[Memory]:
        """Give where the work stands, and what was handed over to this agent."""
        page = self.continuity.memory(agent)
        return [*([page] if page else []), *self.handoffs.open_for(agent)]

    def _pointers(self) -> tuple[str, int]:
        from tacit.assemble.pointers import kept_pointers, pointers
        from tacit.retrieve.ask import filter_of

        now = self.clock.now()
        where = filter_of(now, None, None, self._seen({}))
        if self.user_store is None:
            return kept_pointers(self.store, where, self.scope.path, now)
        return pointers(self._reader(), where)  # of two stores, so it belongs in neither

    def _save_last_good(self, text: str) -> None:
        if self.settings is None or self.project is None:
            return
        from tacit.session.last_good import save

        save(self.settings, self.project.id, text)

    def _left_over(self, happening: Happening, now: datetime) -> bool:
        """Tell whether an earlier session waits to be read or credited: its host was killed."""
        if happening.moment is not Moment.SESSION_START:
            return False
        waiting = self.store.sessions(pending=True, limit=2)
        if any(not record.id.endswith(f":{happening.session}") for record in waiting):
            return True
        from tacit.session.credit import abandoned

        return bool(abandoned(self.store.sessions(limit=LATEST), now))

    def _start_worker(self, folder: str, now: float, *, stays: bool = False) -> bool:
        if self.settings is None or self.project is None:
            return False
        from tacit.session.worker import start

        try:
            root = folder or self.project.root
            return start(self.settings, self.project.id, root, now, stays=stays)
        except (OSError, TacitError) as error:
            what = "no process was started to make memories; run: tacit observe --pending"
            self._trouble(what, error)
            return False

    def _trouble(self, what: str, error: OSError | TacitError) -> None:
        why = f"{error.strerror}, {error.filename}" if isinstance(error, OSError) else str(error)
        self.troubles = (*self.troubles, f"{what} ({why})")[-MOST_TROUBLES:]


def _hushed(record: SessionRecord) -> SessionRecord:
    return record.replace(goal="", files=(), transcript="", pending=False)
