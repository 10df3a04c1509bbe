"""Advice by way of the facade: what sort of task it is, whether it drifts, what to save or trim.

All but `before_task` need no store, so they can be asked of the class itself.
"""

from __future__ import annotations

from tacit.system.detecting import Detecting
from tacit.system.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.profile import Strategy
    from tacit.retrieve.before_task import BeforeTask
    from tacit.retrieve.task import Detected
    from tacit.session.advise import Advice
    from tacit.session.drift import Drift
    from tacit.session.trim import Trimmed


class Advising(Reading, Detecting):
    """What looks at the work itself rather than at what is remembered of it."""

    @staticmethod
    def detect(text: str, actions: Sequence[str] = (), phase: str = "") -> Detected:
        """Tell what type of task a text asks for, and how sure that is."""
        from tacit.retrieve.task import detect

        return detect(text, actions, phase)

    @staticmethod
    def strategies() -> tuple[Strategy, ...]:
        """Give what each type of task changes in retrieval and in a briefing."""
        from tacit.profile import STRATEGIES

        return tuple(STRATEGIES.values())

    @staticmethod
    def drift(goal: str, action: str, *, related: Iterable[str] = ()) -> Drift:
        """Tell whether a planned action still serves the goal; `related` files belong to it."""
        from tacit.session.drift import drift

        return drift(goal, action, related=related)

    @staticmethod
    def advise(
        context_used: float | None = None,
        tokens_left: int | None = None,
        window: int | None = None,
        *,
        warned: float = 0.0,
    ) -> Advice:
        """Say what to do about a context that fills; `warned` is the mark last warned at."""
        from tacit.session.advise import advise

        return advise(context_used, tokens_left, window, warned=warned)

    @staticmethod
    def trim(
        text: str,
        *,
        context_used: float | None = None,
        stage: str | None = None,
        keep_chars: int | None = None,
        again: str | None = None,
    ) -> Trimmed:
        """Make old tool output shorter: head, tail and errors stay, or only a note of it."""
        from tacit.session.trim import AGAIN, KEEP_CHARS, trim

        return trim(
            text,
            context_used=context_used,
            stage=stage,
            keep_chars=KEEP_CHARS if keep_chars is None else keep_chars,
            again=again or AGAIN,
        )

    def before_task(
        self, goal: str, *, actions: Sequence[str] = (), phase: str = "", limit: int = 5
    ) -> BeforeTask:
        """Give what to read before a task: what works, what to avoid, how it is done here."""
        from functools import partial

        from tacit.retrieve.before_task import before_task

        detected = self.taken_for(goal, actions, phase)
        return before_task(goal, detected, partial(self.recall, evidence=False), limit=limit)
