"""The briefing: what is handed to an agent, chosen within a budget.

Mandates come first and whole. Then each band's candidates are chosen by `choose` within the
band's share; what one band leaves, another may use. The text is the same for the same store:
order is decided by value, then by id, and nothing in it tells a score or the time.
"""

from __future__ import annotations

from tacit.assemble import render
from tacit.assemble.budget import LENDING, Band, split
from tacit.assemble.candidates import FOUND, of_a_page, telling
from tacit.assemble.choose import Option, choose
from tacit.model import Level, Polarity, Tier
from tacit.retrieve.served import LAYERS, in_use
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tacit.assemble.candidates import Candidate
    from tacit.assemble.card import Card
    from tacit.model import Levels, Memory
    from tacit.profile import Profile

MANDATES = 600  # per thousand of the budget that mandates may take
MOST_WHOLE = 600  # and what is left that the best hit may take, others being near
NAMED = 150  # and that the names of those without room may take
TOKENS_A_DOCUMENT = 1000  # of a budget, for one more part of the same document
CURT = 0.97  # what a text is worth that tells all, in fewer words
# Which levels a band shows; what is left out of the others is named in the index.
SHOWN = {
    Band.CRITICAL: (Level.FULL, Level.SUMMARY, Level.HINT),
    Band.RELEVANT: (Level.FULL, Level.SUMMARY, Level.HINT),
    Band.BACKGROUND: (Level.SUMMARY, Level.HINT, Level.TITLE),
    Band.INDEX: (Level.TITLE,),
}
# What binds or warns is told in sentences: a word less could turn it round.
WORDED = (Level.FULL, Level.SUMMARY)
# A session starts with many things at a glance, in words a person would use.
AT_START = (Level.FULL, Level.SUMMARY, Level.TITLE)


class Item(Value):
    """A memory that is shown: where, in how much detail, what it costs and why it is there."""

    memory: Memory
    level: Level
    band: Band
    tokens: int
    score: float
    why: str
    shares: tuple[tuple[str, int], ...] = ()


class Briefing(Value):
    """What is handed over."""

    text: str
    tokens: int
    budget: int
    bands: dict[str, int]
    items: tuple[Item, ...]
    omitted: tuple[str, ...]  # shorts of what was considered and had no room
    query_id: str = ""
    task_type: str = ""
    activity: str = ""
    profile: str = ""  # it was made with, as name@version
    drawn: bool = False  # by learning, for the session


def compose(
    candidates: Iterable[Candidate],
    *,
    budget: int,
    shares: Mapping[Band, int],
    profile: Profile,
    by_tier: bool = False,
    pointers: str = "",
    pointer_tokens: int = 0,
    card: Card | None = None,
) -> Briefing:
    """Choose among the candidates and write the text; never more tokens than the budget.

    The project card comes first and whole.
    """
    unique = _unique(candidates, parts=max(1, budget // TOKENS_A_DOCUMENT))
    room = budget - render.AROUND_TOKENS - (card.tokens if card else 0)
    must = [one for one in unique if one.whole]
    items = _mandates(must, budget * MANDATES // 1000, room)
    spent = sum(item.tokens for item in items) + _headings(items, by_tier=by_tier)
    taken = {item.memory.id for item in items}
    left_out, cost = render.omitted_line(
        [one.memory.short for one in must if one.memory.id not in taken],
        min(room - spent, budget * NAMED // 1000),
    )
    rest = [one for one in unique if not one.whole]
    left = room - spent - cost
    if not by_tier and (best := _best(rest, left, profile, known=items)):
        items.append(best)
        rest = [one for one in rest if one.memory.id != best.memory.id]
        left -= _cost([best], by_tier=False, headed={item.band.value for item in items[:-1]})
    parts = split(max(0, left - pointer_tokens), shares)
    items += _fill(rest, parts, profile, by_tier=by_tier, known=items)
    return _written(
        items,
        unique,
        budget=budget,
        by_tier=by_tier,
        left_out=(left_out, cost),
        pointers=(pointers, pointer_tokens),
        card=card,
    )


def _unique(candidates: Iterable[Candidate], parts: int) -> list[Candidate]:
    """Keep each memory once, where it stands highest, and only one of those that say the same.

    Of one document only so many parts are kept: a page that fits well fits with all its parts.
    """
    order = {band: place for place, band in enumerate(Band)}
    ranked = sorted(candidates, key=lambda c: (not c.whole, order[c.band], -c.value, c.memory.id))
    seen: set[str] = set()
    of_documents: dict[str, int] = {}
    kept: list[Candidate] = []
    for one in ranked:
        hint, full = (_said(text) for text in (one.memory.levels.hint, one.memory.text))
        document = _document(one.memory)
        # What binds is left out only for the very same words.
        if one.memory.id in seen or (full if one.whole else hint) in seen:
            continue
        if document and not one.whole and of_documents.get(document, 0) >= parts:
            continue
        of_documents[document] = of_documents.get(document, 0) + 1
        seen |= {one.memory.id, hint, full}
        kept.append(one)
    return kept


def _said(text: str) -> str:
    return " ".join(text.casefold().split())


def _document(memory: Memory) -> str:
    """Name the file a memory was read from; empty for all that was not read from one."""
    source = memory.source_ref
    return source.partition("#")[0] if source.startswith("file:") else ""


def _mandates(must: Sequence[Candidate], most: int, room: int) -> list[Item]:
    """Take whole mandates as long as they fit."""
    items: list[Item] = []
    left = min(most, room) - render.HEADING_TOKENS["mandate"]
    for one in must:
        cost = render.cost(one.memory, Level.FULL)
        if cost <= left:
            items.append(_item(one, Level.FULL))
            left -= cost
    return items


def _best(
    candidates: Sequence[Candidate], room: int, profile: Profile, *, known: Sequence[Item]
) -> Item | None:
    """Give the best hit in whole sentences: before any hint of another it has what it needs."""
    found = [one for one in candidates if one.why == FOUND]
    if not found:
        return None
    best, *others = sorted(found, key=lambda one: -one.value)
    alone = not others or others[0].value < best.value / 2
    room -= 0 if any(item.band is best.band for item in known) else render.HEADING_TOKENS[best.band]
    whole = room if alone else room * MOST_WHOLE // 1000
    for level, most in ((Level.FULL, whole), (Level.SUMMARY, room)):
        if level in LAYERS[profile.layers] and render.cost(best.memory, level) <= most:
            return _item(best, level)
    return None


def _fill(
    candidates: Sequence[Candidate],
    parts: Mapping[Band, int],
    profile: Profile,
    *,
    by_tier: bool,
    known: Sequence[Item],
) -> list[Item]:
    """Choose in each band within its part; then let each have what the others left."""
    left = sum(parts.values())
    chosen: dict[Band, list[Item]] = {}
    headed = {render.section_of(i.memory, i.band, by_tier=by_tier) for i in known}
    for band in LENDING:
        mine = [one for one in candidates if one.band is band]
        chosen[band] = _band(mine, parts[band], profile, by_tier=by_tier, headed=headed)
        left -= _cost(chosen[band], by_tier=by_tier, headed=headed)
    for band in LENDING:
        mine = [one for one in candidates if one.band is band]
        before = _cost(chosen[band], by_tier=by_tier, headed=headed)
        more = _band(mine, before + left, profile, by_tier=by_tier, headed=headed)
        left -= _cost(more, by_tier=by_tier, headed=headed) - before
        chosen[band] = more
    return [item for band in Band for item in chosen[band]]


def _band(
    candidates: Sequence[Candidate],
    part: int,
    profile: Profile,
    *,
    by_tier: bool,
    headed: set[str],
) -> list[Item]:
    sections = {render.section_of(c.memory, c.band, by_tier=by_tier) for c in candidates}
    part -= sum(render.HEADING_TOKENS[name] for name in sections - headed)
    if part <= 0 or not candidates:
        return []
    usual = AT_START if by_tier else SHOWN[candidates[0].band]
    levels = tuple(dict.fromkeys(in_use(level, profile.layers) for level in usual))
    worded = tuple(level for level in WORDED if level in LAYERS[profile.layers])
    # The title of a page that nobody has opened tells nothing.
    told = tuple(level for level in levels if level is not Level.TITLE)

    def shown(one: Candidate) -> Sequence[Level]:
        if _binds(one.memory):
            return worded
        return told if by_tier and of_a_page(one.memory) else levels

    picked = choose([_options(one, shown(one), profile) for one in candidates], part)
    return [
        _item(one, Level(option.name))
        for one, option in zip(candidates, picked, strict=True)
        if option is not None
    ]


def _binds(memory: Memory) -> bool:
    return memory.tier is not Tier.REFERENCE or memory.polarity is Polarity.AVOID


def _options(candidate: Candidate, shown: Sequence[Level], profile: Profile) -> list[Option]:
    """Give the ways to show a memory: each level's cost and the share of its worth it keeps."""
    levels = candidate.memory.levels
    told = telling(levels.full)
    return [
        Option(
            tokens=render.cost(candidate.memory, level),
            value=candidate.value * _worth(levels, level, told, profile),
            name=level.value,
        )
        for level in shown
    ]


def _worth(levels: Levels, level: Level, told: frozenset[str], profile: Profile) -> float:
    """Give the share of a memory's worth that a level keeps; whole sentences read best."""
    if level is Level.FULL:
        return 1.0
    return CURT * float(_kept(levels.text(level), told) ** profile.brief_level)


def _kept(text: str, told: frozenset[str]) -> float:
    """Give the share of what a memory tells that a shorter text of it still tells."""
    return len(telling(text) & told) / len(told) if told else 1.0


def _item(one: Candidate, level: Level) -> Item:
    return Item(
        memory=one.memory,
        level=level,
        band=one.band,
        tokens=render.cost(one.memory, level),
        score=one.value,
        why=one.why,
        shares=one.shares,
    )


def _card_item(card: Card) -> Item:
    return Item(
        memory=card.memory,
        level=Level.FULL,
        band=Band.CRITICAL,
        tokens=card.tokens,
        score=1.0,
        why="project card",
    )


def _cost(items: Sequence[Item], *, by_tier: bool, headed: set[str]) -> int:
    sections = {render.section_of(i.memory, i.band, by_tier=by_tier) for i in items} - headed
    return sum(i.tokens for i in items) + sum(render.HEADING_TOKENS[name] for name in sections)


def _headings(items: Sequence[Item], *, by_tier: bool) -> int:
    return _cost(items, by_tier=by_tier, headed=set()) - sum(item.tokens for item in items)


def _written(
    items: Sequence[Item],
    unique: Sequence[Candidate],
    *,
    budget: int,
    by_tier: bool,
    left_out: tuple[str, int],
    pointers: tuple[str, int],
    card: Card | None,
) -> Briefing:
    """Write the text: the card, sections in order, then what was left out, as far as there is room."""
    sections: dict[str, list[Item]] = {}
    order = ("mandate", "guardrail", "reference") if by_tier else tuple(map(str, Band))
    for item in items:
        name = render.section_of(item.memory, item.band, by_tier=by_tier)
        sections.setdefault(name, []).append(item)
    parts = [card.text] if card else []
    spent = render.AROUND_TOKENS + (card.tokens if card else 0)
    for name in order:
        if name in sections:
            parts.append(render.HEADINGS[name])
            spent += render.HEADING_TOKENS[name]
            parts += [render.line(item.memory, item.level) for item in sections[name]]
            spent += sum(item.tokens for item in sections[name])
    shown = {item.memory.id for item in items}
    omitted = tuple(one.memory.short for one in unique if one.memory.id not in shown)
    for line, cost in (left_out, pointers):
        if line and cost <= budget - spent:
            parts.append(line)
            spent += cost
    text = render.whole(parts)
    bands: dict[str, int] = dict.fromkeys(map(str, Band), 0)
    for item in items:
        bands[item.band.value] += item.tokens
    return Briefing(
        text=text,
        tokens=spent if text else 0,
        budget=budget,
        bands=bands,
        items=(
            *([_card_item(card)] if card else ()),
            *(item for name in order for item in sections.get(name, ())),
        ),
        omitted=omitted,
    )
