"""A memory in fewer words, by what kind it is: the summary, hint and title its body suggests.

Deterministic and extractive: every word stands in the body or the title, but for the few that
say how an episode ended and count what came of it. A fact is its key and value, a skill its
steps, an episode its goal and how it ended.
"""

from __future__ import annotations

from tacit.body import Body, Episode, Fact, Pattern, Skill
from tacit.encode.levels import TENTH, summary_chars
from tacit.text import content_words, shorten
from tacit.value import Value

HINT_CHARS = 100
TITLE_CHARS = 50


class Gist(Value):
    """What a body suggests for the shorter levels; empty where the text itself is better."""

    summary: str = ""
    hint: str = ""
    title: str = ""


def gist_of(body: Body, title: str = "", compression: int = TENTH) -> Gist:
    """Give the shorter forms of a body."""
    chars = summary_chars(compression)
    match body:
        case Fact() if body.key and body.value:
            return _fact(body, chars)
        case Skill() if body.steps:
            return _skill(body, title)
        case Pattern() if body.do and body.avoid:
            return _pattern(body, chars)
        case Episode() if body.goal and (body.actions or body.errors or body.outcome != "unknown"):
            return _episode(
                body, title, chars
            )  # of one that only says something, its words are the gist
        case _:
            return Gist()


def _fact(body: Fact, chars: int) -> Gist:
    """`db: PostgreSQL (JSON support, team expertise)` · `db:PostgreSQL(JSON support)` · `db:PostgreSQL`."""
    short = f"{body.key}:{body.value}"
    reasons = [part.strip() for part in body.why.split(",") if part.strip()]
    why = f" ({', '.join(reasons)})" if reasons else ""
    return Gist(
        summary=shorten(f"{body.key}: {body.value}{why}", chars),
        hint=shorten(f"{short}({','.join(_key_words(reasons))})" if reasons else short, HINT_CHARS),
        title=shorten(short, TITLE_CHARS),
    )


def _skill(body: Skill, title: str) -> Gist:
    """`deploy: test→build→stage→verify→prod`."""
    name = title or body.trigger.removeprefix("when it is time to ")
    line = f"{name}: {'→'.join(step.name for step in body.steps)}" if name else ""
    return Gist(hint=shorten(line, HINT_CHARS), title=shorten(name, TITLE_CHARS))


def _pattern(body: Pattern, chars: int) -> Gist:
    """`no module named x → pip install x`."""
    half = HINT_CHARS // 2 - 2
    line = f"{shorten(body.avoid, half)} → {shorten(body.do, half)}"
    return Gist(summary=shorten(f"{body.avoid} → {body.do}", chars), hint=line)


def _episode(body: Episode, title: str, chars: int) -> Gist:
    """`fix login: success, 2 files, 1 error`: about ten words of a task of hundreds."""
    name = title or body.goal
    written = {a.target for a in body.actions if a.action in ("edit", "write") and not a.error}
    parts = [body.outcome] if body.outcome != "unknown" else []
    parts += [f"{len(written)} file{'s' * (len(written) != 1)}"] if written else []
    parts += [f"{len(body.errors)} error{'s' * (len(body.errors) != 1)}"] if body.errors else []
    words = " ".join(name.split()[:10])
    hint = f"{shorten(words, 70)}: {', '.join(parts)}" if parts else shorten(words, 80)
    return Gist(summary=_told(body, title, chars), hint=hint, title=shorten(name, TITLE_CHARS))


def _told(body: Episode, title: str, chars: int) -> str:
    goal = shorten(body.goal, 200)
    told = [goal if goal.startswith(title.rstrip("…")) else f"{title}: {goal}" if title else goal]
    if body.outcome != "unknown":
        told.append(f"Ended in {body.outcome}.")
    solved = [e for e in body.errors if e.resolution][:1]
    told += [f"{shorten(e.message, 80)} → {shorten(e.resolution, 80)}" for e in solved]
    return shorten(" ".join(told), chars)


def _key_words(reasons: list[str]) -> list[str]:
    """Give the first telling word of each reason."""
    return [next(iter(content_words(reason)), reason) for reason in reasons]
