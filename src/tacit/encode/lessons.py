"""What a commit's message teaches: a decision with its reason, an error with its cause and fix."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tacit.encode.commit_text import is_bot, plain_subject, useful_body
from tacit.observation import Commit
from tacit.value import Value

LEAST_CHARS = 90  # of prose
MOST_CHARS = 2000
MOST_FILES = 8
RECENT_DAYS = 730
STANDS = 0.4  # share of an older commit's lines that must still be there
LEAST_SCORE, LEAST_SCORE_OLD = 3, 4
FEWEST, MOST, ONE_IN = 20, 150, 25  # lessons of one history; of how many commits

_STRONG = re.compile(
    r"\b(?:because|so that|the (?:main |real |underlying )?(?:reason|problem|cause)|root cause|caused by"
    r"|due to|otherwise|(?:to|and) (?:avoid|prevent)|in order to|on purpose|deliberate(?:ly)?"
    r"|intentional(?:ly)?|policy|rationale|trade-?offs?|which (?:means|meant|is what|causes?|caused|breaks"
    r"|broke|would|leads?|led|makes|made|results?|resulted)|resulting in|it turns out|turned out"
    r"|do not|don't|never|only (?:ever )?(?:when|if|after|from)|regression (?:from|in|introduced|since))\b",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\b(?:instead of|rather than|since|thus|therefore|hence|would|must|always|should(?: not|n't)?|needs?"
    r"|required|no longer|unmaintained|deprecated|however|unfortunately|too (?:slow|large|many|late|early)"
    r"|safe(?:ly)?|unsafe|wrong(?:ly)?|incorrect(?:ly)?|expects?|assum\w+|even (?:if|though|when)|unless"
    r"|previously|currently|until now|while|without|cannot|can't|allows?|ensures?|first|ties?)\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:not sure|maybe|i guess|i think|hopefully|todo|wip|for now|temporar(?:y|ily)|thanks|hello"
    r"|this pr\b|pull request|apply suggestions|review(?:er)?s?|see (?:the )?(?:issue|discussion))\b|@\w+",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\b(?:\w*(?:Error|Exception)\b(?!s? (?:message|handl|type))|panic(?:s|ked)?\b|seg(?:mentation )?fault"
    r"|crash(?:es|ed|ing)?\b|deadlock|race condition|data race|leak(?:s|ed|ing)?\b|infinite(?:ly)? "
    r"|hang(?:s|ing)?\b|regress(?:ion|ed)|overflow|use-after-free|traceback|CVE-\d|corrupt\w*"
    r"|fail(?:s|ed|ing|ures?)?\b|broke\b|breaks\b|broken\b|bug\b)"
)
_FIX = re.compile(
    r"^(?:\[[^\]]+\]\s*|[\w/.,-]+(?:\([^)]*\))?!?:\s*)*(?:hot)?(?:fix|fixe[sd]|bugfix|resolve|repair|correct"
    r"|handle|prevent|avoid|do not|don't|stop|guard|restore|work ?around|patch)\b|^(?:bug)?fix\b",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_BULLET = re.compile(r"^[*+•-]\s+|^\d+[.)]\s+")
_REFERENCE = re.compile(
    r"^(?:(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|relate[sd]?(?:[- ]to)?|refs?|see(?: also)?|issue|pr|part of"
    r"|supersedes|replaces|ref)\b:?\s*)?(?:[\w./-]*#\d+|https?://\S+|\[\d+\]:?.*)[\s,.;]*$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?:](?:\s|$)")
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|docs?|site|examples?|bench(?:marks?)?|\.github|\.circleci)/|(?:^|/)test_|_test\.\w+$"
    r"|\.(?:md|rst|txt|lock|ya?ml|sum|svg|html|css)$|(?:^|/)(?:Makefile|\.[^/]+)$",
    re.IGNORECASE,
)


class Lesson(Value):
    """What one commit teaches."""

    commit: Commit
    text: str  # its subject and the prose of its body
    score: int
    error: str  # the sentence that names one; empty for a decision


def lesson_of(commit: Commit) -> Lesson | None:
    """Read the reason or the fix that a commit's message states, None where it states neither."""
    if is_bot(commit.author):
        return None
    paragraphs = prose(commit.body)
    told = "\n\n".join(paragraphs)
    subject = plain_subject(commit.subject)
    reason = len(told) >= LEAST_CHARS and _SENTENCE.search(told) is not None
    if not reason and not re.search(r"\bbecause\b", subject):
        return None
    strong = len({match[0].lower() for match in _STRONG.finditer(told)})
    weak = len({match[0].lower() for match in _WEAK.finditer(told)})
    doubts = len(_DOUBT.findall(told))
    score = 2 * strong + min(weak, 3) - 2 * doubts + (len(told) > 300) + 3 * (not reason)
    if strong == 0 and reason:
        score = min(score, LEAST_SCORE - 1)
    named = _ERROR.search(told)
    fixed = named is not None and _FIX.match(commit.subject) is not None
    error = _sentence_with(told, named.start()) if named and fixed else ""
    return Lesson(commit=commit, text=f"{subject}\n\n{told}".strip(), score=score, error=error)


def prose(body: str) -> list[str]:
    """Give the paragraphs of a body that are sentences, each on one line."""
    text = _FENCE.sub("", body)
    shown = useful_body("\n".join(_not_code(text.splitlines())), MOST_CHARS)
    found: list[str] = []
    for block in re.split(r"\n\s*\n", shown):
        lines = [line for line in block.splitlines() if not _REFERENCE.match(line.strip())]
        joined = _joined(lines)
        found += [part for part in joined if _is_sentence(part)]
    return found


def _not_code(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if not line.startswith(("    ", "\t", ">", "$ "))]


def _joined(lines: Sequence[str]) -> list[str]:
    """Join wrapped lines; a bullet begins anew."""
    found: list[str] = []
    for line in lines:
        if found and not _BULLET.match(line):
            found[-1] = f"{found[-1]} {line}"
        else:
            found.append(line)
    return found


def _is_sentence(text: str) -> bool:
    bare = _BULLET.sub("", text)
    if _BULLET.match(text):  # a squashed subject, or a point that is argued
        return len(bare) > 70 or _STRONG.search(bare) is not None
    return len(bare.split()) >= 4


def _sentence_with(text: str, place: int) -> str:
    start = max(text.rfind(". ", 0, place), text.rfind("\n", 0, place)) + 1
    end = re.compile(r"[.!?](?=\s|$)|\n|$").search(text, place)
    return text[start : end.end() if end else len(text)].strip()


def choose_lessons(
    lessons: Sequence[Lesson],
    commits: Sequence[Commit],
    files: Mapping[str, tuple[str, ...]],
    standing: Mapping[str, float],
    alive: frozenset[str],
) -> list[Lesson]:
    """Give those that still tell something, the best of them."""
    newest = commits[-1].at
    most = min(max(len(commits) // ONE_IN, FEWEST), MOST)
    rated = []
    for lesson in lessons:
        paths = files.get(lesson.commit.sha, ())
        here = [path for path in paths if path in alive]
        product = [path for path in here if not _ASIDE.search(path)]
        age = (newest - lesson.commit.at).days
        if not here or (not product and age > 365):
            continue
        if age > RECENT_DAYS and (
            lesson.score < LEAST_SCORE_OLD or standing.get(lesson.commit.sha, 0.0) < STANDS
        ):
            continue
        if lesson.score >= LEAST_SCORE + (not product):
            rated.append((lesson.score - age / 365, lesson))
    rated.sort(key=lambda pair: -pair[0])
    return [lesson for _, lesson in rated[:most]]
