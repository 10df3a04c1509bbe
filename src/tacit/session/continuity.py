"""Continuity: what an agent is doing now, in so few words that they are read at every start.

It is the block `continuity`: goal, decisions, blockers, what comes next, the files at hand, and
which memories bear on it, by their marks and one line each. It is rewritten after every turn by
rule, within its limit, and the same turn gives the same text. It is working memory: what it
drops is in the history, and what is worth keeping is kept elsewhere.
"""

from __future__ import annotations

from tacit.fence import without_fenced
from tacit.model import Memory, Trust
from tacit.session.editing import Edit, Said
from tacit.session.page import CHARS, Page, parse, render
from tacit.text import content_words, shorten, squash
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from tacit.session.blocks import Blocks

    Told = TypeVar("Told", bound=Value)

LABEL = "continuity"
FILE = "CONTINUITY.md"
GOAL_CHARS = 300
LINE_CHARS = 140
LEAST_WORDS = 2  # of a prompt that says what to do; "yes, go on" does not
MOST_FILES = 8
MOST_DECISIONS = 6
MOST_BLOCKERS = 5
MOST_MEMORIES = 6


class Turn(Value):
    """What happened in one turn, as far as it was seen."""

    prompt: str = ""
    goal: str = ""  # said outright; else the prompt is it, when it tells enough
    files: tuple[str, ...] = ()  # touched, in order
    decisions: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()  # met and still open
    solved: tuple[str, ...] = ()  # met before, and gone now
    next: tuple[str, ...] = ()
    memories: tuple[Memory, ...] = ()  # handed to the agent, best first
    mistakes: tuple[Memory, ...] = ()  # what to avoid


class Continuity:
    """The continuity of each agent."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def get(self, agent: str = "") -> Page:
        """Give what an agent is doing now; an empty page where nothing is known."""
        held = self._blocks.find(LABEL, agent)
        return parse(held.text) if held else Page()

    def memory(self, agent: str = "") -> Memory | None:
        """Give the memory that holds it: for a briefing."""
        held = self._blocks.find(LABEL, agent)
        return held.memory if held else None

    def text(self, agent: str = "") -> str:
        """Give it as it is kept; empty where nothing is known."""
        held = self._blocks.find(LABEL, agent)
        return held.text if held else ""

    def update(self, turn: Turn, *, agent: str = "", chars: int = CHARS) -> Page:
        """Take a turn into account; one that changes nothing leaves no revision."""
        seen = _redacted(turn)
        return self._put(agent, lambda page: advanced(page, seen), chars)

    def set(self, page: Page, *, agent: str = "", chars: int = CHARS) -> Page:
        """Say what is being done, in place of all that was said."""
        said = _redacted(page)
        return self._put(agent, lambda _page: said, chars)

    def file_text(self, agent: str = "", *, chars: int = CHARS) -> str:
        """Give the text of CONTINUITY.md; what came from memory is marked, so it is not learnt."""
        return render(self.get(agent), chars=chars, marked=True)

    def write(self, path: str, agent: str = "", *, chars: int = CHARS) -> int:
        """Write CONTINUITY.md where one asked for it, whole or not at all; give its characters."""
        import os

        text = self.file_text(agent, chars=chars)
        beside = f"{path}.{os.getpid()}.tmp"
        try:
            with open(beside, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.replace(beside, path)
        finally:
            if os.path.exists(beside):
                os.unlink(beside)
        return len(text)

    def _put(self, agent: str, change: Callable[[Page], Page], chars: int) -> Page:
        made: list[Page] = []

        def tell(old: str) -> Said:
            text = _fitting(change(parse(old)), chars)
            made.append(parse(text))
            hint = made[0].goal or "what is being done now"
            return Said(text=text, title=LABEL, hint=shorten(hint, 100))

        edit = Edit(
            label=LABEL,
            owner=agent,
            by=agent or "session",
            trust=Trust.AGENT,
            create=True,
            limit=max(chars, CHARS),
        )
        self._blocks.apply(edit, tell)
        return made[0]


def advanced(page: Page, turn: Turn) -> Page:
    """Give the page after a turn: the newest first where the order is of time. Pure."""
    tells = len(content_words(turn.prompt)) >= LEAST_WORDS
    solved = {squash(_line(error)) for error in turn.solved}
    blockers = [one for one in page.blockers if squash(one) not in solved]
    goal = turn.goal or (turn.prompt if tells else "")
    return page.replace(
        goal=shorten(goal, GOAL_CHARS) or page.goal,
        decisions=_newest(turn.decisions, page.decisions, MOST_DECISIONS),
        blockers=_newest(turn.errors, blockers, MOST_BLOCKERS),
        next=tuple(map(_line, turn.next)) if turn.next else page.next,
        files=_newest(turn.files, page.files, MOST_FILES),
        memories=_cited(turn.memories) or page.memories,
        mistakes=_cited(turn.mistakes) or page.mistakes,
    )


def _redacted(told: Told) -> Told:
    """Take secrets out before anything is cut: half a secret is not known for one."""
    from tacit.ingest.redaction import redact

    def clean(value: object) -> object:
        if isinstance(value, str):
            return redact(without_fenced(value)).text
        return tuple(map(clean, value)) if isinstance(value, tuple) else value

    return told.replace(**{name: clean(getattr(told, name)) for name in told._fields})


def _fitting(page: Page, chars: int) -> str:
    """Give the text of a page as it will be kept: what is put in a secret's place may be longer."""
    from tacit.ingest.redaction import redact

    return render(parse(redact(render(page, chars=chars)).text), chars=chars)


def _newest(new: Iterable[str], old: Iterable[str], most: int) -> tuple[str, ...]:
    """Put what is new before what was there, each once."""
    lines = [line for item in new if (line := _line(item))]
    return tuple(dict.fromkeys([*reversed(lines), *old]))[:most]


def _cited(memories: Iterable[Memory]) -> tuple[str, ...]:
    """Name memories by mark and one line: who wants more asks by the mark."""
    from tacit.line import mark

    return tuple(
        f"{mark(memory.tier, memory.short).removeprefix('- ')} {_line(memory.levels.hint)}"
        for memory in memories
    )[:MOST_MEMORIES]


def _line(text: str) -> str:
    return shorten(text, LINE_CHARS)
