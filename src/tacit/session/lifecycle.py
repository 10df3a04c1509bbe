"""What an agent's session is told, moment by moment.

At the start what stands by itself; at a prompt what it needs, when the talk has moved on; at an
error the earlier fix; after a compaction what must not be lost. Nothing is said twice while it
is in the agent's context, and where nothing is worth saying nothing is said.
"""

from __future__ import annotations

from tacit.assemble.signals import Signals, path_within
from tacit.happening import Answer, Happening, Moment
from tacit.observation import Tool
from tacit.record import SessionRecord
from tacit.session.topic import has_shifted, tells_a_goal, terms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.assemble.brief import Wanted
    from tacit.assemble.briefing import Briefing
    from tacit.model import Memory

    Brief = Callable[..., Briefing]  # of a `Wanted`; what is in it is recorded as handed over

MOST_CHARS = 9_500  # hosts put more aside in a file
CARD_TOKENS = 750  # by the ceiling; about 400 as models count
ERROR_TOKENS = 200
TOOL_TOKENS = 160
SUBAGENT_TOKENS = 250
MOST_SHOWN = 500
MOST_FILES = 50
GOAL_CHARS = 600
PATH_CHARS = 1_000
WORKED_ON = (Tool.READ, Tool.EDIT, Tool.WRITE)
CHANGED = (Tool.EDIT, Tool.WRITE)
AGAIN = ("resume", "fork")  # the agent still has what it was handed before


class Told:
    """One happening in one session: where the session stands, and what is said."""

    def __init__(
        self,
        happening: Happening,
        record: SessionRecord,
        *,
        brief: Brief,
        held: Callable[[], Sequence[Memory]],
        pointers: Callable[[], tuple[str, int]],
        root: str,
        start_tokens: int,
        prompt_tokens: int,
        now: datetime,
        goes_without: Callable[[str], bool] = lambda _said: False,
    ) -> None:
        self.happening, self.record = happening, record
        self.opened = ""  # a file the session has not worked on before
        self.said: tuple[str, ...] = ()  # the memories in what is said
        self._brief, self._held, self._pointers = brief, held, pointers
        self._goes_without = goes_without
        self._root, self._now = root, now
        self._start_tokens, self._prompt_tokens = start_tokens, prompt_tokens

    @property
    def _speaks(self) -> bool:
        """Whether anything may be said between the start and the end."""
        spoken = self.record.inject == "auto" and self._prompt_tokens > 0
        return spoken and self.happening.heard

    @property
    def target(self) -> str:
        """What a tool acts on, as a path within the project where it is one."""
        is_path = self.happening.tool in WORKED_ON
        return path_within(self.happening.target, self._root) if is_path else self.happening.target

    def answer(self) -> Answer:
        """Decide what is said, and move the session on."""
        self.record = self.record.replace(
            seen=self._now,
            transcript=self.happening.transcript or self.record.transcript,
            folder=self.happening.folder or self.record.folder,
            agent=self.happening.model or self.record.agent,
            context_used=_share(self.happening.context_used, self.record.context_used),
        )
        say = {
            Moment.SESSION_START: self._start,
            Moment.PROMPT: self._prompt,
            Moment.PRE_TOOL: self._before_tool,
            Moment.POST_TOOL: self._after_tool,
            Moment.TOOL_FAILED: self._failed,
            Moment.SUBAGENT_START: self._subagent,
            Moment.SESSION_END: self._end,
        }.get(self.happening.moment)
        return say() if say else Answer()

    def _start(self) -> Answer:
        again = self.happening.cause in AGAIN
        self.record = self.record.replace(ended=None)
        if not again:
            self.record = self.record.replace(shown=(), at_errors=(), briefed_at_turn=0, topic=())
        if self.record.inject == "off" or not self._start_tokens or not self.happening.heard:
            return Answer()
        if self.record.inject == "index":
            return self._index()
        compacted = self.happening.cause == "compact"
        # What is there by topic is said once; an agent that goes on has heard it.
        pointers = ("", 0) if again else self._pointers()
        from tacit.assemble.brief import Wanted

        wanted = Wanted(
            task=self.record.goal if compacted else "",
            budget=self._start_tokens + pointers[1],
            card_tokens=CARD_TOKENS,
            exclude=self.record.shown,
            by_tier=True,
            start=True,
        )
        return self._said(
            wanted,
            kind="compact" if compacted else "start",
            held=self._held(),
            pointers=pointers,
        )

    def _prompt(self) -> Answer:
        if not self.happening.asked:
            return Answer()
        from tacit.session.capture import said_in

        said = said_in(self.happening)
        terms = terms_of(said)
        moved = has_shifted(self.record, terms)
        self.record = self.record.replace(
            ended=None,  # whoever took it for abandoned was wrong
            turns=self.record.turns + 1,
            goal=said.strip()[:GOAL_CHARS] if tells_a_goal(said) else self.record.goal,
            pending=True,
        )
        answer = Answer()
        if moved and self._speaks:
            self.record = self.record.replace(topic=terms, briefed_at_turn=self.record.turns)
            answer = Answer() if self._goes_without(said) else self._relevant(said)
        return self._with_advice(answer)

    def _relevant(self, said: str) -> Answer:
        from tacit.assemble.brief import Wanted

        wanted = Wanted(
            task=said,
            budget=self._prompt_tokens,
            exclude=self.record.shown,
            strict=True,
        )
        return self._said(wanted, kind="prompt")

    def _before_tool(self) -> Answer:
        """Say what binds or warns about the file that is about to be changed."""
        if not self._speaks or self.happening.tool not in CHANGED:
            return Answer()
        if not self.target or self.target in self.record.files:
            return Answer()
        from tacit.assemble.brief import Wanted

        wanted = Wanted(
            signals=Signals(files=(self.target,)),
            budget=TOOL_TOKENS,
            exclude=self.record.shown,
            binding_only=True,
        )
        return self._said(wanted, kind="tool")

    def _after_tool(self) -> Answer:
        if self.happening.tool in WORKED_ON and self.target:
            from collections import Counter

            from tacit.ingest.reading import word

            path = word(self.target, Counter(), PATH_CHARS)
            self.opened = "" if path in self.record.files else path
            files = dict.fromkeys([*self.record.files, path])
            self.record = self.record.replace(files=tuple(files)[-MOST_FILES:])
        self.record = self.record.replace(pending=True)
        return Answer()

    def _failed(self) -> Answer:
        """Bring the earlier fix, also one that was read at the start: now it matters."""
        self.record = self.record.replace(pending=True)
        if not self._speaks or not self.happening.output.strip():
            return Answer()
        from tacit.assemble.brief import Wanted

        wanted = Wanted(
            signals=Signals(errors=(self.happening.output[:4_000],)),
            budget=ERROR_TOKENS,
            activity="debugging",
            exclude=self.record.shown,
            brought=self.record.at_errors,
            strict=True,
        )
        answer = self._said(wanted, kind="error")
        known = dict.fromkeys([*self.record.at_errors, *self.said])
        self.record = self.record.replace(at_errors=tuple(known)[-MOST_SHOWN:])
        return answer

    def _subagent(self) -> Answer:
        """Tell a fresh agent what binds; it has nothing of what the other one knows."""
        if self.record.inject != "auto" or not self.happening.heard:
            return Answer()
        from tacit.assemble.brief import Wanted

        wanted = Wanted(budget=SUBAGENT_TOKENS, by_tier=True, start=True, binding_only=True)
        made = self._brief(wanted, kind="subagent")
        return Answer(context=made.text)

    def _end(self) -> Answer:
        self.record = self.record.replace(ended=self._now, pending=True)
        return Answer()

    def _index(self) -> Answer:
        from tacit.fence import fenced

        text, _ = self._pointers()
        return Answer(context=fenced(text.rstrip("\n")) if text else "")

    def _said(
        self,
        wanted: Wanted,
        *,
        kind: str,
        held: Sequence[Memory] = (),
        pointers: tuple[str, int] = ("", 0),
    ) -> Answer:
        wanted = wanted.replace(pointers=pointers, most_chars=MOST_CHARS)
        made = self._brief(wanted, kind=kind, held=held)
        self.said = tuple(item.memory.id for item in made.items)
        shown = dict.fromkeys([*self.record.shown, *self.said])
        self.record = self.record.replace(
            shown=tuple(shown)[-MOST_SHOWN:],
            profile=made.profile if made.drawn else self.record.profile,
        )
        return Answer(context=made.text)

    def _with_advice(self, answer: Answer) -> Answer:
        """Add a word about the context, once at each mark that is passed."""
        if self.record.context_used is None:
            return answer
        from tacit.session.advise import advise

        advice = advise(self.record.context_used, warned=self.record.warned)
        if not advice.due:
            return answer
        self.record = self.record.replace(warned=advice.warning)
        return answer.replace(context=f"{answer.context}{advice.sentence}\n")


def _share(told: float | None, known: float | None) -> float | None:
    return told if told is not None and 0.0 <= told <= 1.0 else known


def opened(happening: Happening, key: str, scope: str, inject: str, now: datetime) -> SessionRecord:
    """Begin the record of a session that is first heard of."""
    return SessionRecord(
        id=key, host=happening.host, scope=scope, started=now, seen=now, inject=inject
    )
