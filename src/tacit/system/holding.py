"""Holding by way of the facade: what is edited in place and handed from one agent to the next."""

from __future__ import annotations

from tacit.errors import Denied
from tacit.system.writing import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.draft import Draft
    from tacit.encode.ports import TokenCounter
    from tacit.model import Memory
    from tacit.session.blocks import Blocks
    from tacit.session.continuity import Continuity
    from tacit.session.dead_letters import DeadLetters
    from tacit.session.handoffs import Handoffs
    from tacit.session.ledgers import Ledgers
    from tacit.store.protocol import Store
    from tacit.write.remember import Written


class Holding(Writing):
    """What an agent holds: blocks, ledgers, handoffs, continuity, and what keeps failing."""

    @property
    def blocks(self) -> Blocks:
        """Small labelled texts, edited in place: `blocks.set("persona", "…")`."""
        return self._blocks(lambda: self.counter)

    @property
    def ledgers(self) -> Ledgers:
        """Where each agent stands: `ledgers.get("eng-1")`."""
        from tacit.session.ledgers import Ledgers

        return Ledgers(self.blocks)

    @property
    def handoffs(self) -> Handoffs:
        """What agents leave for each other: `handoffs.inbox("qa-1")`."""
        from tacit.session.handoffs import Handoffs

        return Handoffs(self.blocks)

    @property
    def continuity(self) -> Continuity:
        """What is being done now: `continuity.get()`."""
        from tacit.session.continuity import Continuity

        # Written after every turn by a process that has no time to load a tokenizer.
        return Continuity(self._blocks(self._counter_at_hand))

    @property
    def dead_letters(self) -> DeadLetters:
        """Tasks that keep failing: `dead_letters.note_failure("task-7", …)`."""
        from tacit.session.dead_letters import DeadLetters

        return DeadLetters(
            self._held_in(),
            scope=self.scope,
            clock=self.clock,
            write=lambda drafts: self._hold(drafts, self._counter_at_hand()),
            permit=self._permit,
        )

    def for_phase(self, phase: str) -> list[Memory]:
        """Give what a phase of work builds on, by links alone."""
        from tacit.assemble.phases import for_phase

        return for_phase(self._reader(), phase)

    def _blocks(self, counter: Callable[[], TokenCounter]) -> Blocks:
        from tacit.session.blocks import Blocks

        return Blocks(
            self._held_in(),
            scope=self.scope,
            clock=self.clock,
            counter=counter,
            write=lambda drafts: self._hold(drafts, counter()),
            permit=self._permit,
        )

    def _hold(self, drafts: Sequence[Draft], counter: TokenCounter) -> Written:
        """Write without vectors, which wait in the queue: a lock is held, and hooks are short."""
        from tacit.write.remember import Writer

        self._permit()
        writer = Writer(
            self._held_in(), clock=self.clock, scope=self.scope, counter=counter, embedder=None
        )
        return writer.write(drafts)

    def _held_in(self) -> Store:
        return self._personal() if self.scope.type == "user" else self.store

    def _permit(self) -> None:
        if self.settings is not None and self.settings.write == "off":
            raise Denied("the setting write = 'off' keeps anything from being written")

    def _counter_at_hand(self) -> TokenCounter:
        """Give the counter in use; one that is not loaded yet is stood in for from above."""
        from tacit.encode.tokens import Estimate

        return self._counter or Estimate()
