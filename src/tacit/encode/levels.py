"""A memory's four levels of detail, made once, by cutting and never by inventing.

Every word of a level comes from the full text, so a level can be trusted as far as the text
can; or from the body, where a memory of its kind is said in fewer words: a fact is its key and
value, a skill its steps, an episode its goal and how it ended. A language model may write
better ones later; the full text always stays.
"""

from __future__ import annotations

import re

from tacit.body import Body, Episode, Fact, Pattern, Skill
from tacit.line import mark, rest
from tacit.model import TITLE_CHARS, Levels
from tacit.text import STOP_WORDS, content_words, shorten, without_markup
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.encode.ports import TokenCounter

SUMMARY_CHARS = 400  # of what is shortened to a tenth
TENTH = 10
HINT_CHARS = 140
PLAIN_CHARS = 60  # a text no longer than this is a hint as it is
BODY_HINT_CHARS = 100
BODY_TITLE_CHARS = 50
FILLERS = frozenset(
    "hey hi hello wow thanks thank really just so great good yeah yes sure oh ok okay well glad "
    "nice awesome haha totally definitely please also very".split()
)
TURNING = frozenset(
    "no not never without unless except only nor neither none nothing cannot before after instead "
    "until if when must than over under above below against off out both either all any".split()
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n{2,}|\n(?=[-*#\d])")
# A piece that is shown whole or not at all: a word, or what stands in backticks or quotes.
_PIECE = re.compile(r"[^\s`\"]*(?:`[^`\n]{1,200}`|\"[^\"\n]{1,200}\")[^\s`\"]*|\S+")


def make_levels(
    full: str,
    counter: TokenCounter,
    *,
    short: str,
    summary: str = "",
    hint: str = "",
    title: str = "",
    compression: int = TENTH,
) -> Levels:
    """Give all four levels, with what each costs as a line; those given are taken as they are."""
    told = summary or lead(full, SUMMARY_CHARS)  # the hint is the same for every compression
    summary = summary or lead(full, summary_chars(compression))
    hint = hint or telegram(without_markup(told))
    title = shorten(title, TITLE_CHARS) if title else telegram(hint, TITLE_CHARS, TITLE_CHARS)
    texts = (full, summary, hint, title)
    marked, *costs = counter.count_many([mark("reference", short), *map(rest, texts)])
    kept = [(full, marked + costs[0])]
    for text, cost in zip(texts[1:], costs[1:], strict=True):  # none costs more than a longer one
        kept.append((text, marked + cost) if marked + cost <= kept[-1][1] else kept[-1])
    (full, a), (summary, b), (hint, c), (title, d) = kept
    if len(title) > TITLE_CHARS:  # the hint, which costs less: some of it costs no more
        title = shorten(title, TITLE_CHARS)
        while (d := marked + counter.count(rest(title))) > c and len(title) > TITLE_CHARS // 4:
            title = shorten(title, len(title) - 4)
    return Levels(full=full, summary=summary, hint=hint, title=title, tokens=(a, b, c, d))


def summary_chars(compression: int) -> int:
    """Give how long a summary may be that shortens a long text to one part in so many."""
    return SUMMARY_CHARS * TENTH // compression


def lead(text: str, chars: int) -> str:
    """Give the first whole sentences that fit; a single long one is cut at a word."""
    kept = ""
    for sentence in _SENTENCE.split(text.strip()[: chars * 20]):
        piece = " ".join(sentence.split())
        if kept and len(kept) + 1 + len(piece) > chars:
            break
        kept = f"{kept} {piece}".strip()
    return shorten(kept or text, chars)


def telegram(text: str, most_chars: int = HINT_CHARS, plain_chars: int = PLAIN_CHARS) -> str:
    """Give a longer text as one would wire it: without the words that say nothing, and cut."""
    if len(text) <= plain_chars:
        return text
    words = _PIECE.findall(text)
    telling = [word for word in words if not _says_nothing(word)]
    return _cut(telling if len(telling) >= 2 else words, most_chars)


def _says_nothing(word: str) -> bool:
    """Tell whether a word can go; one that turns the meaning round never can."""
    bare = word.strip(",.;:!?'\"()").lower().replace("’", "'")
    if bare in TURNING or bare.endswith("n't"):
        return False
    return bare in STOP_WORDS or bare in FILLERS


def _cut(pieces: list[str], chars: int) -> str:
    """Join pieces while they fit; a piece is cut only if hardly anything else would be left."""
    text = " ".join(pieces)
    if len(text) <= chars:
        return text
    while len(pieces) > 1 and len(" ".join(pieces)) >= chars:
        pieces = pieces[:-1]
    head = " ".join(pieces)
    return head.rstrip(" ,;:-") + "…" if chars // 3 < len(head) < chars else shorten(text, chars)


class ShortForms(Value):
    """Shorter levels that somebody suggests to `make_levels`; empty where its own are better."""

    summary: str = ""
    hint: str = ""
    title: str = ""


def short_forms(body: Body, title: str = "", compression: int = TENTH) -> ShortForms:
    """Give the shorter levels of a body.

    Every word stands in the body or the title, but for the few that say how an episode ended
    and count what came of it.
    """
    chars = summary_chars(compression)
    match body:
        case Fact() if body.key and body.value:
            return _of_fact(body, chars)
        case Skill() if body.steps:
            name = title or body.trigger.removeprefix("when it is time to ")
            line = f"{name}: {'→'.join(step.name for step in body.steps)}" if name else ""
            return ShortForms(
                hint=shorten(line, BODY_HINT_CHARS), title=shorten(name, BODY_TITLE_CHARS)
            )
        case Pattern() if body.do and body.avoid:
            half = BODY_HINT_CHARS // 2 - 2
            return ShortForms(
                summary=shorten(f"{body.avoid} → {body.do}", chars),
                hint=f"{shorten(body.avoid, half)} → {shorten(body.do, half)}",
            )
        case Episode() if body.goal and (body.actions or body.errors or body.outcome != "unknown"):
            return _of_episode(body, title, chars)
        case _:  # of an episode that only says something, too, its words are the best
            return ShortForms()


def _of_fact(body: Fact, chars: int) -> ShortForms:
    """`db: PostgreSQL (JSON support, team expertise)` · `db:PostgreSQL(json,team)` · `db:PostgreSQL`."""
    short = f"{body.key}:{body.value}"
    reasons = [part.strip() for part in body.why.split(",") if part.strip()]
    why = f" ({', '.join(reasons)})" if reasons else ""
    words = ",".join(next(iter(content_words(reason)), reason) for reason in reasons)
    return ShortForms(
        summary=shorten(f"{body.key}: {body.value}{why}", chars),
        hint=shorten(f"{short}({words})" if reasons else short, BODY_HINT_CHARS),
        title=shorten(short, BODY_TITLE_CHARS),
    )


def _of_episode(body: Episode, title: str, chars: int) -> ShortForms:
    """`fix login: success, 2 files, 1 error`: about ten words of a task of hundreds."""
    name = title or body.goal
    ended = "" if body.outcome == "unknown" else body.outcome
    written = {a.target for a in body.actions if a.action in ("edit", "write") and not a.error}
    parts = [ended, _counted(len(written), "file"), _counted(len(body.errors), "error")]
    came = ", ".join(filter(None, parts))
    words = " ".join(name.split()[:10])
    goal = shorten(body.goal, 200)
    told = [goal if goal.startswith(title.rstrip("…")) else f"{title}: {goal}"]
    told += [f"Ended in {ended}."] if ended else []
    solved = [e for e in body.errors if e.resolution][:1]
    told += [f"{shorten(e.message, 80)} → {shorten(e.resolution, 80)}" for e in solved]
    return ShortForms(
        summary=shorten(" ".join(told), chars),
        hint=f"{shorten(words, 70)}: {came}" if came else shorten(words, 80),
        title=shorten(name, BODY_TITLE_CHARS),
    )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}" if count else ""
