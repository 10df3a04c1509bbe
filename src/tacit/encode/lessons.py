"""What a commit's message teaches: a decision with its reason, an error with its cause and fix. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tacit.body import Fact, Pattern
from tacit.draft import Draft, LinkTo
from tacit.encode.cochange import is_product
from tacit.encode.commit_text import is_bot, plain_subject, prose
from tacit.encode.facets import about
from tacit.encode.levels import lead
from tacit.model import FacetType, Kind, Origin, Polarity, Relation, Trust
from tacit.observation import Commit
from tacit.text import shorten

LEAST_CHARS = 90  # of prose
MOST_FILES = 8
RECENT_DAYS = 730
STANDS = 0.5  # share of an older commit's lines that must still be as it left them
LEAST_SCORE = 3
YEARLY = 0.5  # more for each year beyond the recent ones
FEWEST, MOST, ONE_IN = 20, 150, 25  # lessons of one history; of how many commits

# Words that give a reason, that may, and that take it back.
_STRONG = re.compile(
    r"(?i)\b(?:because|so (?:that|it|we|they|there|this|the|a|as|include|return|use|add|make|do|don't)|caused?(?: by)?|due to|otherwise|"
    r"(?:the |for .{0,40}\b)(?:main |real |underlying )?(?:reasons?|problem|cause)|root cause|(?:to|and|must) (?:avoid|prevent)|prevents?|"
    r"in order to|on purpose|deliberate(?:ly)?|intentional(?:ly)?|policy|rationale|trade-?offs?|resulting in|it turns out|turned out|"
    r"which (?:means|meant|is what|causes?|caused|breaks|broke|would|leads?|led|makes|made|results?|resulted)|(?:not|dis)allowed|do not|don't|never|"
    r"only (?:ever )?(?:when|if|after|from)|must\b|regression (?:from|in|introduced|since)|have to|had to|compatib(?:le|ility)|unmaintained|"
    r"vulnerab\w+|CVE-\d+|ensur(?:es?|ing) that)\b"
)
_WEAK = re.compile(
    r"(?i)\b(?:instead of|rather than|since|thus|therefore|would|must|always|should(?: not|n't)?|needs?|required|no longer|deprecated|however|but|"
    r"too (?:slow|large|many|late|early)|safe(?:ly)?|unsafe|wrong(?:ly)?|incorrect(?:ly)?|expects?|assum\w+|even (?:if|though|when)|unless|as|previously|"
    r"currently|while|without|cannot|can't|allows?|ensures?|first)\b"
)
_DOUBT = re.compile(
    r"(?i)\b(?:not sure|maybe|i guess|i think|hopefully|todo|wip|for now|temporar(?:y|ily)|thanks|hello|pull request|(?:this|the) pr\b|"
    r"apply suggestions|review(?:er)?s?|typos?)\b|(?<!\w)@\w+"
)
_ERROR = re.compile(
    r"\b(?:\w*(?:Error|Exception)\b(?!s? (?:message|handl|type|class))|panic(?:s|ked)?\b|seg(?:mentation )?fault|crash(?:es|ed|ing)?\b|deadlock|"
    r"(?:race condition|data race)|leak(?:s|ed|ing)?\b|infinite(?:ly)? |hang(?:s|ing)?\b|regress(?:ion|ed)|overflow|use-after-free|traceback|"
    r"CVE-\d|corrupt\w*|fail(?:s|ed|ing|ures?)?\b|broke\b|breaks\b|broken\b|bug\b)"
)
_FIX = re.compile(
    r"(?i)^(?:\[[^\]]+\]\s*|[\w/.,-]+(?:\([^)]*\))?!?:\s*)*(?:(?:hot|bug)?fix(?:e[sd])?|repair|correct|handle|prevent|avoid|do not|don't|stop|"
    r"restore|work ?around)\b"
)
_DOCS = re.compile(r"(?i)\b(?:docs?|documentation|readme|comments?|changelog|tests?)\b")
_SENTENCE = re.compile(r"[.!?:](?:\s|$)")
_BECAUSE = re.compile(r"(?i)\b(?:because|due to|so that|to avoid|to prevent)\b")


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
    score = LEAST_SCORE
    if argued:
        strong = _different(_STRONG, told)
        points = sum(part[:1] in "*-+•" for part in told.split("\n\n"))
        if not strong or points > 2 * strong:
            return None
        score = 2 * strong + min(_different(_WEAK, told), 3) - 2 * _different(_DOUBT, told)
        score += (len(told) > 300) - 2 * (_DOCS.search(subject) is not None)
    sentences = re.split(r"(?<=[.!?])\s|\n", told) if _FIX.match(commit.subject) else []
    error = next((one.strip() for one in sentences if _ERROR.search(one)), "")
    return Lesson(commit=commit, subject=subject, told=told, score=score, error=error)


def _different(pattern: re.Pattern[str], text: str) -> int:
    return len({match[0].lower() for match in pattern.finditer(text)})


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


def lesson_draft(lesson: Lesson, files: Sequence[str]) -> Draft:
    """Make a decision, or a warning with its fix, in the commit's whole words."""
    commit, fixed = lesson.commit, bool(lesson.error)
    body = (
        Pattern(trigger=lesson.error, avoid=lesson.error, do=lesson.subject, why=lesson.told)
        if fixed
        else Fact(why=lesson.told)
    )
    subtype = "pitfall" if fixed else "decision"
    return Draft(
        text=f"{lesson.subject}\n\n{lesson.told}".strip(),
        kind=Kind.PATTERN if fixed else Kind.FACT,
        body=body,
        title=lesson.subject,
        summary=lead(f"{lesson.subject}. {lesson.told}", 300),
        hint=shorten(lesson.subject, 100),
        subtype=subtype,
        polarity=Polarity.AVOID if fixed else Polarity.NEUTRAL,
        importance=0.6,
        valid_from=commit.at,
        author=commit.author,
        origin=Origin.EXTRACTED,
        trust=Trust.IMPORT,
        source_ref=f"git:{commit.sha}#{subtype}",
        mentions=(
            about(FacetType.COMMIT, commit.sha[:8]),
            *(about(FacetType.FILE, path) for path in files[:MOST_FILES]),
        ),
        links=(LinkTo(relation=Relation.DERIVED_FROM, source_ref=f"git:{commit.sha}"),),
        renews=True,
    )
