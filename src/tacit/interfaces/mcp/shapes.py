"""What the tools give back: the fields an agent needs, under the names all interfaces use.

Each is made from the shape in `wire`, so a name means the same everywhere. Agents pay for what
they read: fields with their usual value are left out of an answer, and texts are as short as
the level says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from pydantic import BaseModel, ConfigDict, Field

from tacit.interfaces import wire, wire_disclose
from tacit.model import Level

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from tacit.assemble.disclose import IndexView
    from tacit.model import Contradiction, Memory
    from tacit.retrieve.query import Hit
    from tacit.system.reading import Explained as ExplainedValue
    from tacit.write.remember import Written

# Up to this many tokens a memory is shown whole where nobody asked for a level.
WHOLE = 160
WHOLE_DECISION = 400  # none of its parts may be missing


class Shape(BaseModel):
    """A result; what it says can be given as text, by default its JSON."""

    model_config = ConfigDict(extra="ignore")

    def as_text(self) -> str:
        """Give what an agent reads."""
        return self.model_dump_json(exclude_defaults=True)


class Named(Shape):
    """What names a memory where it stands beside another."""

    short: str = Field(description="its short name; cite it as [M:short]")
    kind: str
    title: str


class Kept(Shape):
    """One memory."""

    short: str = Field(description="its short name; every tool takes it as a ref")
    kind: str
    text: str
    level: str = Field(
        default="full", description="full, or how the text was shortened; see expand"
    )
    tier: str = "reference"
    polarity: str = "neutral"
    state: str = "active"
    key: str = ""
    value: str = ""
    valid_from: str = Field(description="since when it holds")
    valid_to: str | None = Field(
        default=None, description="until when it held; left out: it still holds"
    )
    unverified: bool = Field(
        default=False, description="its files have changed since: check before use"
    )
    evidence: bool = Field(
        default=False, description="a commit, section or turn it rests on, no memory of its own"
    )
    trust: str = Field(
        default="human", description="whose word it is: human, agent, tool, import, web"
    )
    author: str = ""
    session: str = ""

    @classmethod
    def of(cls, memory: Memory, level: Level | None = None, **more: Any) -> Self:
        """Give a memory at a level; without one whole, or as a summary where it is long."""
        if level is None:
            most = WHOLE_DECISION if memory.subtype in ("decision", "pitfall") else WHOLE
            short = memory.levels.token_count(Level.FULL) <= most
            level = Level.FULL if short else Level.SUMMARY
        if memory.levels.text(level) == memory.text:
            level = Level.FULL
        text = {"text": memory.levels.text(level), "level": level.value}
        return cls.model_validate(wire.memory(memory) | text | more)


class Scored(Kept):
    """A memory that was found, with how well it fits; scores compare within one answer only."""

    score: float

    @classmethod
    def hit(cls, given: Hit, level: Level | None) -> Self:
        """Give a hit at a level; without one an old episode comes in fewer words."""
        if level is None and given.level is not Level.FULL:
            level = given.level
        return cls.of(given.memory, level, score=round(given.score, 3))


class Found(Shape):
    """What a recall found, best first; nothing relevant gives no hits."""

    hits: list[Scored]
    missing: list[str] = Field(
        default=[], description="ways to look that could not be used, and why"
    )
    note: str = Field(default="", description="what was left out and how to get it")


class Clash(Shape):
    """Two memories that cannot both hold."""

    id: str = Field(default="", description="its name, for `resolve`")
    a: str
    b: str
    note: str = ""


class Side(Named):
    """One of two memories that cannot both hold."""

    text: str
    valid_from: str = Field(description="since when it holds")
    author: str = ""
    trust: str = "human"


class Clashing(Shape):
    """Two memories that cannot both hold, why, and how it ended if it did."""

    id: str = Field(description="its name, for `resolve`")
    memory_a: Side
    memory_b: Side
    note: str = Field(default="", description="what was found")
    suggestion: str | None = None
    resolution: str | None = None
    resolution_note: str = ""
    merged_into: str = ""

    @classmethod
    def of(cls, given: Contradiction, a: Memory, b: Memory) -> Self:
        """Give a contradiction with its sides."""
        return cls.model_validate(wire.clash(given, a, b))


class Clashes(Shape):
    """The contradictions that are open, oldest first."""

    contradictions: list[Clashing]
    note: str = Field(default="", description="what was left out and how to get it")


class Remembered(Shape):
    """What a write changed."""

    memory: Kept
    outcome: str = Field(description="new, reinforced, or said before")
    superseded: list[Named] = Field(
        default=[], description="what held until now and does so no more"
    )
    contradictions: list[Clash] = Field(
        default=[], description="tell the user: both cannot be true"
    )
    redacted: dict[str, int] = Field(default={}, description="secrets that were taken out, by type")

    @classmethod
    def of(cls, written: Written, superseded: list[Memory]) -> Self:
        """Give what one draft became."""
        outcome = "new" if written.new else "reinforced" if written.reinforced else "said before"
        shape = wire.written(written)
        return cls(
            memory=Kept.of(written.memories[0]),
            outcome=outcome,
            superseded=[Named.model_validate(wire.brief(each)) for each in superseded],
            contradictions=[Clash.model_validate(each) for each in shape["contradictions"]],
            redacted=shape["redacted"],
        )


class Changed(Shape):
    """The memories a change was made to."""

    memories: list[Named]
    done: bool

    @classmethod
    def of(cls, memories: list[Memory]) -> Self:
        """Give what was changed."""
        return cls.model_validate(wire.changed(memories, done=True))


class Cited(Shape):
    """How many citations were recorded."""

    recorded: int


class Revised(Shape):
    """One entry of a memory's history."""

    rev: int
    at: str
    by: str
    op: str
    note: str = ""
    title: str = ""


class Linked(Shape):
    """Another memory and the relation to it."""

    relation: str
    memory: Named


class Explained(Shape):
    """All that is known about a memory: why it is or is not served, whence it comes, its past."""

    memory: Kept
    status: str
    origin: str
    source_ref: str = ""
    recorded_at: str
    scope: str
    history: list[Revised] = []
    links: list[Linked] = []
    usage: dict[str, int] = {}
    contradictions: list[Clash] = []
    note: str = ""

    @classmethod
    def of(cls, given: ExplainedValue) -> Self:
        """Give what is known, without the texts of the past."""
        shape = wire.explained(given)
        about: Mapping[str, Any] = shape["memory"]
        history = [{**each, "title": each["memory"]["title"]} for each in shape["history"]]
        return cls.model_validate(
            {
                **shape,
                "memory": Kept.of(given.memory),
                "history": history,
                **{name: about[name] for name in ("origin", "source_ref", "recorded_at", "scope")},
            }
        )


class Told(Shape):
    """A text made for an agent to read, with what it cost."""

    text: str
    tokens: int = 0
    note: str = Field(default="", description="what was left out and how to get it")

    def as_text(self) -> str:
        """Give the text, and below it the note."""
        return f"{self.text}\n{self.note}" if self.note else self.text


class MadeTopic(Shape):
    """A topic that memories belong to."""

    short: str = Field(description="its short name: expand it to read its members")
    name: str
    memories: int = Field(description="how many belong to it")
    token_count: int = Field(description="what reading all of them costs")


class Indexed(Told):
    """What is remembered, by topic."""

    made_topics: list[MadeTopic] = []

    @classmethod
    def of(cls, view: IndexView) -> Self:
        """Give an index view."""
        return cls.model_validate(wire_disclose.index(view))


class Briefed(Told):
    """A briefing; its memories are named in the text as [M:short], [G:short] or [R:short]."""

    budget: int
    bands: dict[str, int] = Field(default={}, description="tokens of each part")
    omitted: list[str] = Field(default=[], description="what had no room: see expand")
    query_id: str = Field(default="", description="give it to `cite` with what helped")
    task_type: str = ""


class Expanded(Shape):
    """Memories at the level asked for, in the order asked."""

    memories: list[Kept]
    omitted: list[str] = Field(default=[], description="what had no room: expand it alone")
    note: str = Field(default="", description="what was left out and how to get it")


class Likely(Shape):
    """A file that is likely to be needed."""

    path: str
    confidence: float
    why: str


class Foreseen(Kept):
    """A memory that is likely to be needed."""

    confidence: float
    why: str


class Predicted(Shape):
    """What is likely to be needed next, the surest first."""

    memories: list[Foreseen]
    files: list[Likely]
    confidence: float = Field(description="that at least one of them is needed")
    query_id: str = ""
