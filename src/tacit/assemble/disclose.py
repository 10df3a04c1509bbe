"""The two views that are read before anything else: an index and a timeline of a store.

The index says what there is, in at most 100 tokens; the timeline what was done and decided
lately and what is going on, in at most 500. Both hold for a store of any size, need no
tokenizer, and are the same bytes for the same store: no scores, no "minutes ago".
"""

from __future__ import annotations

from tacit.assemble.ceiling import ELLIPSIS, fit, most_tokens, tokens_of
from tacit.assemble.topics import made_topics, told_of, topic_of, topics
from tacit.body import Block, Episode, Fact
from tacit.line import mark
from tacit.model import Facet, FacetType, Kind, Level
from tacit.retrieve.made_topics import name_of
from tacit.retrieve.served import in_use
from tacit.text import shorten
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from tacit.assemble.topics import MadeTopic, Topic
    from tacit.encode.ports import TokenCounter
    from tacit.model import Memory
    from tacit.store.protocol import Filter, Reader

INDEX_TOKENS = 100
MADE_TOKENS = 45  # of an index that the topics of cycles may take
MOST_MADE = 12  # of them that are looked at: more have no room
TIMELINE_TOKENS = 500
CONTEXT_TOKENS = 120  # of a timeline that what is going on may take
DECISION_TOKENS = 170  # and what was decided, while there is other work to tell
LINE_TOKENS = 60  # of one entry; a script the bound is far above its true count in stays short
ACTION_WORDS = 10
ACTION_CHARS = 100
LATEST = 40  # episodes and facts that are looked at
LATEST_FACTS = 100
MOST_DECISIONS = 12
MADE = "Topics: "
ALSO = "Also: "
MORE = ", and more"
_DECISION = Facet(type=FacetType.TAG, name="decision")
_FOCUS = ("goal", "focus", "current")
_BLOCKED = ("block",)
_NEXT = ("next",)


class IndexView(Value):
    """What a store holds, by topic, in a few lines."""

    text: str
    tokens: int  # exact where a counter was given, else from above
    memories: int
    topics: tuple[Topic, ...]  # those that are named in the text
    more: bool  # whether there are topics that had no room
    made: tuple[MadeTopic, ...] = ()  # above them, those that cycles have made


class Entry(Value):
    """One line of a timeline: when, about ten words, and how it ended or why it was decided."""

    memory: Memory
    action: str
    outcome: str = ""
    why: str = ""
    topic: str = ""

    @property
    def at(self) -> datetime:
        """When it began to hold in the world."""
        return self.memory.validity.valid_from

    @property
    def line(self) -> str:
        """Give the entry as it is shown, without the end of the line."""
        begin = f"{mark(self.memory.tier.value, self.memory.short)} {self.at:%Y-%m-%d} "
        told = f"{self.outcome}: {self.action}" if self.outcome else self.action
        told += f" ({self.why})" if self.why else ""
        return begin + fit(told, LINE_TOKENS - most_tokens(begin))


class Context(Value):
    """What is going on, as far as a block tells it."""

    focus: str = ""
    blocked_by: tuple[str, ...] = ()
    next_up: tuple[str, ...] = ()


class TimelineView(Value):
    """What lately happened, was decided and is going on."""

    text: str
    tokens: int
    actions: tuple[Entry, ...]  # newest first
    decisions: tuple[Entry, ...]  # newest first
    context: Context
    more: bool  # whether older entries had no room


def index_view(reader: Reader, where: Filter, *, counter: TokenCounter | None = None) -> IndexView:
    """Give what the memories that fit are about, in at most 100 tokens.

    The topics that a cycle has made come first, then those that memories name.
    """
    number = reader.count(where)
    if not number:
        return _index(["Memory index: nothing is kept yet."], counter, memories=0)
    noun = "memory" if number == 1 else "memories"
    lines = [f"Memory index: {number:,} {noun}. To read about one of these: expand topic:NAME"]
    made, beyond = _made(reader, where)
    if made:
        lines.append(MADE + ", ".join(f"{one.name} ({one.memories:,})" for one in made))
    also = ALSO if made else ""
    left = INDEX_TOKENS - sum(most_tokens(f"{line}\n") for line in lines)
    left -= most_tokens(f"{MORE}\n") + most_tokens(also)
    known = {one.name.casefold() for one in made}
    found = [topic for topic in topics(reader, where) if topic.name.casefold() not in known]
    shown: list[Topic] = []
    for topic in found:
        cost = most_tokens(f" {topic.name} {topic.memories:,},")
        if cost <= left:
            shown.append(topic)
            left -= cost
    if shown:
        lines.append(also + ", ".join(f"{topic.name} {topic.memories:,}" for topic in shown))
    more = beyond or len(shown) < len(found)
    if more and (made or shown):
        lines[-1] += MORE
    return _index(lines, counter, memories=number, topics=tuple(shown), made=tuple(made), more=more)


def _made(reader: Reader, where: Filter) -> tuple[list[MadeTopic], bool]:
    """Give the topics of cycles there is room for, and whether there are more of them."""
    left = MADE_TOKENS - most_tokens(f"{MADE}\n")
    found = made_topics(reader, where, limit=MOST_MADE)
    shown: list[MadeTopic] = []
    for topic, ids in found:
        cost = most_tokens(f" {name_of(topic)} ({len(ids):,}),")
        if cost <= left:
            shown.append(told_of(reader, topic, ids, where))
            left -= cost
    return shown, len(shown) < len(found)


def _index(
    lines: Sequence[str],
    counter: TokenCounter | None,
    *,
    memories: int,
    topics: tuple[Topic, ...] = (),
    made: tuple[MadeTopic, ...] = (),
    more: bool = False,
) -> IndexView:
    text = "".join(f"{line}\n" for line in lines)
    return IndexView(
        text=text,
        tokens=tokens_of(text, counter),
        memories=memories,
        topics=topics,
        more=more,
        made=made,
    )


def timeline_view(
    reader: Reader, where: Filter, *, counter: TokenCounter | None = None, layers: int = 4
) -> TimelineView:
    """Give recent work, key decisions and what is going on, in at most 500 tokens."""
    context = _context(reader, where)
    episodes = where.replace(kinds=(Kind.EPISODE,))
    actions = [entry(memory) for memory in reader.scan(episodes, order="-valid_from", limit=LATEST)]
    decisions = _decisions(reader, where, layers)
    head = _context_lines(context, CONTEXT_TOKENS)
    left = TIMELINE_TOKENS - sum(most_tokens(line) for line in head)
    enough = DECISION_TOKENS if actions else left
    decided, cost = _fitting("Decided:\n", decisions, min(enough, left))
    done, spent = _fitting("Done:\n", actions, left - cost)
    if len(decided) < len(decisions):  # what recent work left over
        decided, cost = _fitting("Decided:\n", decisions, left - spent)
    text = "".join([*head, *_section("Decided:\n", decided), *_section("Done:\n", done)])
    return TimelineView(
        text=text,
        tokens=tokens_of(text, counter) if text else 0,
        actions=tuple(done),
        decisions=tuple(decided),
        context=context,
        more=len(done) < len(actions) or len(decided) < len(decisions) or len(actions) == LATEST,
    )


def entry(memory: Memory, layers: int = 4) -> Entry:
    """Reduce a memory to its line in a timeline; every word is its own."""
    body = memory.body
    if isinstance(body, Episode):
        told = body.goal.strip() or memory.text
        outcome = body.outcome if body.outcome != "unknown" else ""
        return Entry(memory=memory, action=_brief(told), outcome=outcome, topic=topic_of(memory))
    why = shorten(body.why, ACTION_CHARS) if isinstance(body, Fact) else ""
    told = memory.levels.text(in_use(Level.HINT, layers))
    return Entry(memory=memory, action=_brief(told), why=why, topic=topic_of(memory))


def _brief(text: str) -> str:
    """Give the first ten words of the first line."""
    words = text.strip().split("\n", 1)[0].split()
    cut = " ".join(words[:ACTION_WORDS])
    return shorten(cut, ACTION_CHARS) + (ELLIPSIS if len(words) > ACTION_WORDS else "")


def _decisions(reader: Reader, where: Filter, layers: int) -> list[Entry]:
    facts = where.replace(kinds=(Kind.FACT,))
    latest = reader.scan(facts, order="-valid_from", limit=LATEST_FACTS)
    tagged = reader.get(
        [id_ for id_, _ in reader.mentioning([_DECISION], facts, limit=MOST_DECISIONS)]
    )
    found = {memory.id: memory for memory in [*latest, *tagged] if _is_decision(memory)}
    newest = sorted(found.values(), key=lambda m: (m.validity.valid_from, m.id), reverse=True)
    return [entry(memory, layers) for memory in newest[:MOST_DECISIONS]]


def _is_decision(memory: Memory) -> bool:
    body = memory.body
    return memory.subtype == "decision" or (isinstance(body, Fact) and bool(body.why))


def _fitting(heading: str, entries: Sequence[Entry], budget: int) -> tuple[list[Entry], int]:
    """Take entries, newest first, as long as their lines fit; give them and their cost."""
    spent = most_tokens(heading)
    taken: list[Entry] = []
    for one in entries:
        cost = most_tokens(f"{one.line}\n")
        if spent + cost > budget:
            break
        taken.append(one)
        spent += cost
    return (taken, spent) if taken else ([], 0)


def _section(heading: str, entries: Sequence[Entry]) -> list[str]:
    return [heading, *(f"{one.line}\n" for one in entries)] if entries else []


def _context(reader: Reader, where: Filter) -> Context:
    """Read the newest continuity, and what it does not tell from the newest plan."""
    blocks = list(
        reader.scan(where.replace(kinds=(Kind.BLOCK,)), order="-recorded_at", limit=LATEST)
    )
    found = Context()
    for label in ("continuity", "plan"):
        for memory in blocks:
            if isinstance(memory.body, Block) and memory.body.label == label:
                told = read_context(memory.text)
                found = Context(
                    focus=found.focus or told.focus,
                    blocked_by=found.blocked_by or told.blocked_by,
                    next_up=found.next_up or told.next_up,
                )
                break
    return found


def read_context(text: str) -> Context:
    """Read the sections of a page that tell what is going on; others are passed over."""
    sections: dict[str, list[str]] = {"focus": [], "blocked": [], "next": []}
    now: list[str] = []
    for row in text.split("\n"):
        line = row.strip()
        if line.startswith("#"):
            now = _section_of(line.strip("# :").casefold(), sections)
        elif line:
            now.append(line.removeprefix("- ").removeprefix("* ").strip())
    return Context(
        focus=" ".join(sections["focus"]),
        blocked_by=tuple(_said(sections["blocked"])),
        next_up=tuple(_said(sections["next"])),
    )


def _section_of(heading: str, sections: dict[str, list[str]]) -> list[str]:
    for name, begins in (("blocked", _BLOCKED), ("next", _NEXT), ("focus", _FOCUS)):
        if any(word in heading for word in begins):
            return sections[name]
    return []


def _said(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line.strip("(). ").casefold() not in ("", "none", "n/a")]


def _context_lines(context: Context, budget: int) -> list[str]:
    lines: list[str] = []
    for name, said in (
        ("Now", context.focus),
        ("Blocked by", "; ".join(context.blocked_by)),
        ("Next", "; ".join(context.next_up)),
    ):
        line = fit(f"{name}: {said}", budget // 3 - 1) if said.strip() else ""
        if line and line != f"{name}:":
            lines.append(f"{line}\n")
    return lines
