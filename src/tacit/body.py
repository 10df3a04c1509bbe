"""What a memory says, one shape per kind.

The body decides the kind, so a fact with the body of a skill cannot be said. Bodies are the
structured half of a memory; its text in four levels of detail is in `model.Levels`.
"""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class Action(Value):
    """One step of an episode, `t` seconds after its start; unknown keys of a source stay in `extra`."""

    t: float = 0.0
    action: str
    target: str = ""
    result: str = ""
    error: str = ""
    extra: tuple[tuple[str, str], ...] = ()


class Failure(Value):
    """An error met in an episode, and what resolved it."""

    type: str
    message: str = ""
    resolution: str = ""


class Step(Value):
    """One step of a skill."""

    name: str
    command: str = ""


class Fix(Value):
    """A known error of a skill and its fix."""

    error: str
    fix: str


class Episode(Value):
    """What happened when something was tried."""

    kind: ClassVar[str] = "episode"
    task_id: str = ""
    goal: str = ""
    phase: str = ""
    constraints: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    outcome: str = "unknown"
    errors: tuple[Failure, ...] = ()
    artifacts: tuple[str, ...] = ()
    commit: str = ""
    duration_s: float | None = None

    def __post_init__(self) -> None:
        if self.outcome not in OUTCOMES:
            raise Invalid(f"outcome {self.outcome!r} is unknown; use one of {', '.join(OUTCOMES)}")


class Fact(Value):
    """What is so. With a key (subject.attribute) it has one value at a time and can be superseded."""

    kind: ClassVar[str] = "fact"
    key: str = ""
    value: str = ""
    qualifier: str = ""
    why: str = ""
    rejected: tuple[str, ...] = ()
    tradeoffs: tuple[str, ...] = ()
    breaking: str = ""

    def __post_init__(self) -> None:
        if self.value and not self.key:
            raise Invalid("a fact with a value needs a key; give key= as subject.attribute")


class Pattern(Value):
    """What works, or, with polarity avoid, what does not."""

    kind: ClassVar[str] = "pattern"
    trigger: str = ""
    conditions: tuple[str, ...] = ()
    do: str = ""
    avoid: str = ""
    why: str = ""
    template: str = ""
    ast: str = ""


class Skill(Value):
    """How to do something, with how often it was run and went well."""

    kind: ClassVar[str] = "skill"
    trigger: str = ""
    prerequisites: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    errors: tuple[Fix, ...] = ()
    exit: tuple[str, ...] = ()
    runs: int = 0
    ok: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.ok <= self.runs:
            raise Invalid(f"a skill cannot have {self.ok} good runs of {self.runs}")


class Resource(Value):
    """A document or part of one, by its address."""

    kind: ClassVar[str] = "resource"
    uri: str
    mime: str = "text/plain"
    chunk: int | None = None
    of: int | None = None


class Block(Value):
    """A small labelled text, edited in place: persona, continuity, ledger, handoff, plan."""

    kind: ClassVar[str] = "block"
    label: str
    limit: int = 5000
    read_only: bool = False
    owner: str = ""
    sources: tuple[str, ...] = ()  # where each line comes from, as `path:line`


Body = Episode | Fact | Pattern | Skill | Resource | Block
OUTCOMES = ("success", "partial", "failure", "unknown")
BODIES: dict[str, type[Body]] = {
    cls.kind: cls for cls in (Episode, Fact, Pattern, Skill, Resource, Block)
}
