"""What memory hands an agent at a moment of its session: the one place replay meets the product.

Two ways: an agent that says nothing and is told what hooks tell it, and one that asks, as it
can with the tools: recall at each prompt, before a step and at an error, and what is likely to
follow the files it has found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tacit.fence import CITATION
from tacit.happening import Happening, Moment
from tacit.model import FacetType, Memory, Role
from tacit.retrieve.query import Hit
from tacit.system import Tacit
from tacit.value import Value

MOST_HITS = {Moment.PROMPT: 10, Moment.PRE_TOOL: 3, Moment.TOOL_FAILED: 3}

MOST_NEAR = 5


class Handed(Value):
    """A text as the agent sees it, the files it points at, best first, and what it was made of."""

    text: str = ""
    files: tuple[str, ...] = ()
    memories: tuple[Memory, ...] = ()
    tokens: int = 0


class Asking:
    """The way of an agent that asks."""

    def __init__(self, tacit: Tacit, channels: Sequence[str] | None) -> None:
        self._tacit = tacit
        self._channels = channels

    def hand(self, happening: Happening, own: Sequence[str]) -> Handed:
        """Give what is handed over; `own` memories come of this very session and stay out."""
        question = happening.output or happening.text or happening.target
        most = MOST_HITS.get(happening.moment, 0)
        if not most or not question.strip():
            return Handed()
        files = (happening.target,) if happening.moment is Moment.PRE_TOOL else ()
        hits = self._tacit.recall(
            question, limit=most, channels=self._channels, files=files, exclude=own
        )
        text = "".join(f"- [{hit.memory.short}] {hit.memory.text}\n" for hit in hits)
        return Handed(
            text=text,
            files=_voted(hits),
            memories=tuple(hit.memory for hit in hits),
            tokens=self._tacit.counter.count(text),
        )

    def near(self, files: Sequence[str], task: str, own: Sequence[str]) -> list[str]:
        """Give the files that are likely to follow those the agent has found, the surest first."""
        signals = {"files": list(files), "task": task}
        found = self._tacit.predict(signals, limit=MOST_NEAR, exclude=tuple(own))
        return [one.path for one in found.files]


class Told:
    """The way of an agent that is told by hooks; what it knows is in the text alone."""

    def __init__(self, tacit: Tacit) -> None:
        self._tacit = tacit

    def hand(self, happening: Happening, own: Sequence[str]) -> Handed:
        """Give the answer without the lines that cite memories of the same session."""
        lines = []
        memories: dict[str, Memory] = {}
        passing = False  # over a memory that stays out, with the lines set in below it
        for line in self._tacit.attend(happening).context.splitlines():
            cited = [self._tacit.get(short) for short in CITATION.findall(line)]
            if cited or not line.startswith("  "):
                passing = any(memory.id in own for memory in cited)
            if not passing:
                lines.append(line)
                memories |= {memory.id: memory for memory in cited}
        text = "\n".join(lines)
        tokens = self._tacit.counter.count(text) if memories else 0
        return Handed(text=text, memories=tuple(memories.values()), tokens=tokens)

    def near(self, _files: Sequence[str], _task: str, _own: Sequence[str]) -> list[str]:
        """Give nothing: no hook speaks while an agent looks at files."""
        return []


def _voted(hits: Sequence[Hit]) -> tuple[str, ...]:
    """Give the files the hits changed, those of many good hits first."""
    votes: Counter[str] = Counter()
    for hit in hits:
        for mention in hit.memory.mentions:
            if mention.facet.type is FacetType.FILE and mention.role is not Role.READS:
                votes[mention.facet.name] += hit.score  # type: ignore[assignment]  # a weight
    return tuple(sorted(votes, key=lambda path: (-votes[path], path)))
