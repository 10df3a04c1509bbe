"""What a commit's message teaches: a decision with its reason, an error with its cause and fix. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tacit.body import Fact, Pattern
from tacit.draft import Draft, LinkTo
from tacit.encode.cochange import is_product
from tacit.encode.commit_text import is_bot, plain_subject, prose
from tacit.encode.levels import lead
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Polarity, Relation, Role, Trust
from tacit.observation import Commit
from tacit.text import shorten

LEAST_CHARS = 90  # of prose
MOST_FILES = 8
RECENT_DAYS = 730
STANDS = 0.5  # share of an older commit's lines that must still be as it left them
LEAST_SCORE = 3
YEARLY = 0.5  # more for each year beyond the recent ones
FEWEST, MOST, ONE_IN = 20, 150, 25  # lessons of one history; of how many commits

_STRONG = re.compile(
    r"\b(?:because|so (?:that|it|we|they|there|this|the|a|as|include|return|use|add|make|do|don't)"
    r"|(?:the |for .{0,40}\b)(?:main |real |underlying )?(?:reasons?|problem|cause)|root cause|caused?(?: by)?"
    r"|due to|otherwise|(?:to|and|must) (?:avoid|prevent)|prevents?|in order to|on purpose|deliberate(?:ly)?"
    r"|intentional(?:ly)?|policy|rationale|trade-?offs?|which (?:means|meant|is what|causes?|caused|breaks"
    r"|broke|would|leads?|led|makes|made|results?|resulted)|resulting in|it turns out|turned out|(?:not|dis)allowed"
    r"|do not|don't|never|only (?:ever )?(?:when|if|after|from)|regression (?:from|in|introduced|since)"
    r"|have to|had to|compatib(?:le|ility)|unmaintained|vulnerab\w+|CVE-\d+|ensur(?:es?|ing) that)\b",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\b(?:instead of|rather than|since|thus|therefore|hence|would|must|always|should(?: not|n't)?|needs?"
    r"|required|no longer|deprecated|however|but|unfortunately|too (?:slow|large|many|late|early)"
    r"|safe(?:ly)?|unsafe|wrong(?:ly)?|incorrect(?:ly)?|expects?|assum\w+|even (?:if|though|when)|unless|as"
    r"|previously|currently|until now|while|without|cannot|can't|allows?|ensures?|first|ties?|drop-in)\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:not sure|maybe|i guess|i think|hopefully|todo|wip|for now|temporar(?:y|ily)|thanks|hello"
    r"|(?:this|the) pr\b|pull request|apply suggestions|review(?:er)?s?|typos?)\b|(?<!\w)@\w+",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\b(?:\w*(?:Error|Exception)\b(?!s? (?:message|handl|type|class))|panic(?:s|ked)?\b"
    r"|seg(?:mentation )?fault|crash(?:es|ed|ing)?\b|deadlock|race condition|data race|leak(?:s|ed|ing)?\b"
    r"|infinite(?:ly)? |hang(?:s|ing)?\b|regress(?:ion|ed)|overflow|use-after-free|traceback|CVE-\d"
    r"|corrupt\w*|fail(?:s|ed|ing|ures?)?\b|broke\b|breaks\b|broken\b|bug\b)"
)
_FIX = re.compile(
    r"^(?:\[[^\]]+\]\s*|[\w/.,-]+(?:\([^)]*\))?!?:\s*)*(?:(?:hot|bug)?fix(?:e[sd])?|repair|correct"
    r"|handle|prevent|avoid|do not|don't|stop|restore|work ?around)\b"
    r"|^(?:bug)?fix\b",
    re.IGNORECASE,
)
_DOCS = re.compile(r"\b(?:docs?|documentation|readme|comments?|changelog|tests?)\b", re.IGNORECASE)
_END = re.compile(r"[.!?](?=\s|$)|\n|$")
_SENTENCE = re.compile(r"[.!?:](?:\s|$)")
_BECAUSE = re.compile(r"\b(?:because|due to|so that|to avoid|to prevent)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one commit teaches."""

    commit: Commit
    subject: str
    told: str  # the prose of its body
    score: int  # how much of a reason it gives
    error: str  # the sentence that names one, where it was fixed; else it is a decision


def lesson_of(commit: Commit) -> Lesson | None:
    """Read the reason or the fix that a commit's message states, None where it states neither."""
    subject = plain_subject(commit.subject)
    told = "\n\n".join(prose(commit.body)) if commit.body else ""
    argued = len(told) >= LEAST_CHARS and _SENTENCE.search(told) is not None
    if not (argued or _BECAUSE.search(subject)) or is_bot(commit.author):
        return None
    strong = _different(_STRONG, told)
    score = 2 * strong + min(_different(_WEAK, told), 3) - 2 * _different(_DOUBT, told)
    score += (len(told) > 300) - 2 * (_DOCS.search(subject) is not None)
    points = sum(part[:1] in "*-+•" for part in told.split("\n\n"))
    if not argued:
        score = LEAST_SCORE
    elif not strong or points > 2 * strong:
        return None
    named = _ERROR.search(told) if _FIX.match(commit.subject) else None
    error = _sentence_at(told, named.start()) if named else ""
    return Lesson(commit=commit, subject=subject, told=told, score=score, error=error)


def _different(pattern: re.Pattern[str], text: str) -> int:
    return len({match[0].lower() for match in pattern.finditer(text)})


def _sentence_at(text: str, place: int) -> str:
    start = max(text.rfind(mark, 0, place) for mark in (". ", "! ", "? ", "\n"))
    end = _END.search(text, place)
    return text[start + 1 : end.end() if end else len(text)].strip()


def worth_keeping(
    lessons: Sequence[Lesson],
    commits: Sequence[Commit],
    files: Mapping[str, tuple[str, ...]],
    tracked: Collection[str],
) -> list[Lesson]:
    """Give those about files that are there, as far as they still tell something, best first.

    What is old must argue more; what stands around the product is soon outdated.
    """
    newest = commits[-1].at
    rated: list[tuple[float, Lesson]] = []
    for lesson in lessons:
        here = [path for path in files[lesson.commit.sha] if path in tracked]
        product = any(is_product(path) for path in here)
        days = (newest - lesson.commit.at).days
        least = LEAST_SCORE + max(0, days - RECENT_DAYS) / 365 * YEARLY + (not product)
        if here and (product or days <= RECENT_DAYS // 2) and lesson.score >= least:
            rated.append((lesson.score - days / 365, lesson))
    rated.sort(key=lambda pair: -pair[0])
    return [lesson for _, lesson in rated]


def is_old(lesson: Lesson, commits: Sequence[Commit]) -> bool:
    """Tell whether a lesson holds only if the code is still as its commit left it."""
    return (commits[-1].at - lesson.commit.at).days > RECENT_DAYS


def most_lessons(commits: Sequence[Commit]) -> int:
    """Give how many lessons of a history are kept."""
    return min(max(len(commits) // ONE_IN, FEWEST), MOST)


def lesson_draft(lesson: Lesson, files: Sequence[str], blamed: Commit | None) -> Draft:
    """Make a decision, or a warning with its fix, in the commit's whole words."""
    commit = lesson.commit
    fixed = bool(lesson.error)
    body = (
        Pattern(trigger=lesson.error, avoid=lesson.error, do=lesson.subject, why=lesson.told)
        if fixed
        else Fact(why=lesson.told)
    )
    at_fault = (
        [LinkTo(relation=Relation.RELATED_TO, source_ref=f"git:{blamed.sha}")] if blamed else []
    )
    about = [Facet(type=FacetType.FILE, name=path) for path in files[:MOST_FILES]]
    return Draft(
        text=f"{lesson.subject}\n\n{lesson.told}".strip(),
        kind=Kind.PATTERN if fixed else Kind.FACT,
        body=body,
        title=lesson.subject,
        summary=lead(f"{lesson.subject}. {lesson.told}", 300),
        hint=shorten(lesson.subject, 100),
        subtype="pitfall" if fixed else "decision",
        polarity=Polarity.AVOID if fixed else Polarity.NEUTRAL,
        importance=0.6,
        valid_from=commit.at,
        author=commit.author,
        origin=Origin.EXTRACTED,
        trust=Trust.IMPORT,
        source_ref=f"git:{commit.sha}#{'pitfall' if fixed else 'decision'}",
        mentions=(
            Mention(facet=Facet(type=FacetType.COMMIT, name=commit.sha[:8])),
            *(Mention(facet=facet, role=Role.ABOUT) for facet in about),
        ),
        links=(LinkTo(relation=Relation.DERIVED_FROM, source_ref=f"git:{commit.sha}"), *at_fault),
        renews=True,
    )
