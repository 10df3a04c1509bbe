"""What an agent should have read before it begins: what works, what to avoid, how to do it.

Three questions are asked of the memory, each with its own answer, so that no weight of a task
type can push the warnings out.
"""

from __future__ import annotations

from tacit.model import Kind, Polarity, Tier
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.model import Memory
    from tacit.retrieve.query import Hit
    from tacit.retrieve.task import Detected

    # As `Tacit.recall`: a question and its options in, hits out.
    Recall = Callable[..., Sequence[Hit]]

FEW = 5


class BeforeTask(Value):
    """What is worth reading before a task, and what type of task it was taken for."""

    detected: Detected
    relevant: tuple[Memory, ...]
    avoid: tuple[Memory, ...]
    skills: tuple[Memory, ...]

    @property
    def critical_avoid(self) -> tuple[Memory, ...] | None:
        """The warnings that count most, binding ones first; None unless something is broken."""
        if self.detected.task_type != "debugging":
            return None
        return tuple(sorted(self.avoid, key=lambda memory: memory.tier is Tier.REFERENCE))


def before_task(goal: str, detected: Detected, recall: Recall, *, limit: int = FEW) -> BeforeTask:
    """Ask what a task needs; outcomes are told, not filtered by: failures teach as well."""
    kinds = [Kind.FACT, Kind.PATTERN]
    if detected.task_type in ("debugging", "exploration"):
        kinds.append(Kind.EPISODE)  # how it went before is what is looked for

    def found(**options: object) -> tuple[Memory, ...]:
        return tuple(hit.memory for hit in recall(goal, limit=limit, **options))

    return BeforeTask(
        detected=detected,
        relevant=found(kinds=kinds, polarities=(Polarity.DO, Polarity.NEUTRAL)),
        avoid=found(polarities=(Polarity.AVOID,)),
        skills=found(kinds=(Kind.SKILL,)),
    )
