"""From a task and its signals to a briefing: gather the candidates, then compose them."""

from __future__ import annotations

from tacit.assemble.briefing import Briefing, compose
from tacit.assemble.budget import Band, shares_of
from tacit.assemble.candidates import (
    Candidate,
    binding,
    clashing,
    found,
    named,
    rank_worth,
    standing,
)
from tacit.assemble.card import find_card
from tacit.assemble.signals import RESOLVED, Signals
from tacit.model import FacetType, Polarity, Role, Tier
from tacit.profile import strategy
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.assemble.card import Card
    from tacit.assemble.predict import Prediction
    from tacit.model import Memory
    from tacit.profile import Profile
    from tacit.retrieve.query import Hit, Recalled
    from tacit.store.protocol import Filter, Reader

    Recall = Callable[..., Recalled]
    Predict = Callable[[Signals], Prediction]

FEWEST_HITS = 30
FEWEST_UNASKED = 12
MOST_HITS = 200
TOKENS_A_HIT = 20  # about what a hit costs at its shortest: more would not fit anyway
FILES = 6
MOST_PATHS = 12  # of one memory; one about more says little about each
LEAST_WORTH = 0.15
LEAST_FOR_FILES = 150  # tokens; in less a line of paths has no place
LEAST_SURE = 0.15  # a prediction below this is not worth its tokens
DEFAULT_ACTIVITY = "feature"


class Wanted(Value):
    """What a briefing is for."""

    task: str = ""
    signals: Signals = Signals()
    budget: int = 8000
    most_chars: int = 0  # hosts count characters too; 0: as many as the tokens have
    activity: str = DEFAULT_ACTIVITY
    exclude: tuple[str, ...] = ()  # ids that are in the agent's context already
    brought: tuple[str, ...] | None = None  # what was predicted already, if not what is excluded
    by_tier: bool = False
    start: bool = False  # of a session: what stands by itself is wanted too
    strict: bool = False  # only what is clearly relevant: nobody asked for it
    binding_only: bool = False  # mandates, guardrails and warnings alone
    card_tokens: int = 0  # that the project card may take beside the budget; 0: half of it
    pointers: tuple[str, int] = ("", 0)  # what there is besides, and what saying it costs
    task_type: str = ""


def brief(
    wanted: Wanted,
    reader: Reader,
    *,
    where: Filter,
    recall: Recall,
    predict: Predict,
    held: Sequence[Memory],
    now: datetime,
    profile: Profile,
) -> tuple[Briefing, Recalled | None]:
    """Give the briefing, and how what is in it was found."""
    where = where.replace(exclude=wanted.exclude)
    predicted = _predicted(wanted, predict)
    # An error whose fix is known by its signature need not be looked up by its words as well.
    known = wanted.strict and not wanted.task and any(c.why == RESOLVED for c in predicted)
    recalled = None if known else _recalled(wanted, recall)
    hits = recalled.hits if recalled else ()
    candidates = binding(reader, where)
    candidates += [
        Candidate(memory=memory, band=Band.CRITICAL, value=0.8, why="at hand")
        for memory in held
        if memory.id not in wanted.exclude
    ]
    candidates += found(hits, wanted.activity, profile)
    candidates += predicted
    if wanted.start:
        candidates += standing(reader, where, now)
    about = {hit.memory.id for hit in hits}
    candidates += [one for one in clashing(reader, where) if wanted.start or one.memory.id in about]
    if wanted.signals.files:
        candidates += named(reader, where, wanted.signals.files, wanted.activity)
    if wanted.binding_only:
        candidates = [one for one in candidates if _binds(one.memory)]
    wanted = wanted.replace(pointers=_pointers(wanted, hits, profile))
    card = _card(wanted, reader, where)
    if card and wanted.card_tokens:
        wanted = wanted.replace(budget=wanted.budget + card.tokens)
    if wanted.start:  # many things at a glance are worth more than a few at length
        profile = profile.replace(brief_level=profile.brief_level_start)
    briefing = _composed(candidates, wanted, profile, card)
    while wanted.most_chars and len(briefing.text) > wanted.most_chars:
        less = wanted.replace(budget=briefing.budget * 3 // 4)
        briefing = _composed(candidates, less, profile, card)
    return briefing.replace(activity=wanted.activity), recalled


def likely_files(hits: Sequence[Hit], known: Sequence[str], profile: Profile) -> list[str]:
    """Give the files that what was found is about, the likeliest first: where to look."""
    worth: dict[str, float] = {}
    for rank, hit in enumerate(hits):
        paths = [m for m in hit.memory.mentions if m.facet.type is FacetType.FILE]
        for mention in paths[:MOST_PATHS]:
            path = mention.facet.norm
            share = 1.0 if mention.role is Role.WRITES else 0.5
            worth[path] = worth.get(path, 0.0) + share * rank_worth(rank, profile)
    ranked = sorted(worth, key=lambda path: (-worth[path], path))
    return [path for path in ranked if path not in known and worth[path] >= LEAST_WORTH][:FILES]


def _pointers(wanted: Wanted, hits: Sequence[Hit], profile: Profile) -> tuple[str, int]:
    """Add the files of what was found to what there is besides, as far as there is room."""
    text, tokens = wanted.pointers
    if not wanted.task.strip() or wanted.budget < LEAST_FOR_FILES or wanted.binding_only:
        return text, tokens
    from tacit.assemble.ceiling import most_tokens

    paths = likely_files(hits, wanted.signals.files, profile)
    while paths:
        line = f"Files of such work: {', '.join(paths)}\n"
        cost = most_tokens(line)
        if tokens + cost <= wanted.budget // 5:
            return text + line, tokens + cost
        paths.pop()
    return text, tokens


def _card(wanted: Wanted, reader: Reader, where: Filter) -> Card | None:
    """Give the project card, which every session starts with."""
    if not wanted.start or wanted.binding_only:
        return None
    return find_card(reader, where, wanted.card_tokens or wanted.budget // 2)


def _composed(
    candidates: Sequence[Candidate], wanted: Wanted, profile: Profile, card: Card | None
) -> Briefing:
    text, tokens = wanted.pointers
    return compose(
        candidates,
        budget=wanted.budget,
        shares=shares_of(strategy(wanted.activity).bands),
        profile=profile,
        by_tier=wanted.by_tier,
        pointers=text,
        pointer_tokens=tokens,
        card=card,
    )


def _binds(memory: Memory) -> bool:
    return memory.tier is not Tier.REFERENCE or memory.polarity is Polarity.AVOID


def _recalled(wanted: Wanted, recall: Recall) -> Recalled | None:
    """Ask about the task and the errors together; a branch is asked about by prediction."""
    query = "\n".join(part for part in (wanted.task, *wanted.signals.errors) if part.strip())
    if not query:
        return None
    return recall(
        query,
        limit=min(MOST_HITS, max(_fewest(wanted), wanted.budget // TOKENS_A_HIT)),
        files=wanted.signals.files,
        exclude=wanted.exclude,
        strict=wanted.strict,
    )


def _fewest(wanted: Wanted) -> int:
    """Give how many hits are looked at at least; unasked, few will do, and quickly."""
    return FEWEST_UNASKED if wanted.strict else FEWEST_HITS


def _predicted(wanted: Wanted, predict: Predict) -> list[Candidate]:
    signals = wanted.signals
    if not signals.replace(task="").told:
        return []
    return [
        Candidate(
            memory=one.memory,
            band=Band.CRITICAL if one.signal == "error" else Band.RELEVANT,
            value=one.confidence,
            why=one.why,
        )
        for one in predict(signals).memories
        if one.confidence >= LEAST_SURE
    ]
