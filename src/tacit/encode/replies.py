"""What an agent says came of its work: the cause, what was changed, in its own sentences. Pure.

Replies announce, praise and report more than they tell. A sentence counts that says why
something was wrong, or what was done about it; the more it names, the more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tacit.text import content_words, shorten
from tacit.value import Value

ACCOUNT_CHARS = 360  # of cause and fix together: with the files some 150 tokens
SENTENCE_CHARS = 230
CODE_CHARS = 80  # of a line that a sentence with a colon leads to
LOOKED_BACK = 8  # replies to one prompt that are looked at, from the last
LEAST = 3  # a sentence that scores less tells neither
CAUSE, FIX = "cause", "fix"
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+\S")
_HEAD = re.compile(r"^\s*(?:#{1,6}\s+(?P<head>.+?)|\*\*(?P<bold>[^*]{2,60}?)\*\*)\s*:?\s*$")
_LABEL = re.compile(
    r"^\s*(?:[-*•]\s+|\d+[.)]\s+)?(?:\*\*|__)(?P<label>[\w /&'-]{3,40}?):?(?:\*\*|__):?\s+(?=\S)"
)
_BULLET = re.compile(r"^(?:[-*•✅✓✔❌🎯🔧☑→>\s]+|\d+[.)]\s+)+")
_SENTENCE = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<=[.!?])[\"')\]]?\s+(?=[A-Z`\"'(*])")
_OPENER = re.compile(
    r"(?i)^(?:(?:got it|understood|(?:crystal )?clear|perfect|great|excellent|good(?: catch| point)?|makes sense|right|(?:you're )?(?:absolutely )?right|"
    r"ok(?:ay)?|sure|absolutely|agreed|yes|yep|(?:all )?done|fixed|found it|confirmed|noted|will do|exactly|thanks?(?: you)?|of course|"
    r"(?:to|in) summar(?:i[sz]e|y)|so)\s*(?:[!.,:;–—-]+\s*|$))+"
)
# What a heading announces: why, what was done, or something beside the matter.
_WHY = re.compile(
    r"(?i)\b(?:problem|root cause|cause|issue|why|bug|what (?:was|went) wrong|background|motivation)\b"
)
_WHAT = re.compile(
    r"(?i)\b(?:solution|fix(?:es|ed)?|change[sd]?|what i did|implement\w*|summary|result|resol\w+|added|removed|updated|after|"
    r"refactor\w*|key insight|decision|approach|modified)\b"
)
_BESIDE = re.compile(
    r"(?i)\b(?:test(?:s|ing|ed)?|verif\w+|next|usage|how to|benefits?|status|suggest\w*|example|output|files?|quality|optional|"
    r"what this|would you|todo|remaining|review)\b"
)
_PLAN = re.compile(
    r"(?i)^(?:(?:now|first|next|then|so|also|and|let's see|alright),? )*(?:let me|let's|i'll|i will|i(?:'m| am) (?:going|now)|i need to|"
    r"i should|we need to|we should|i can (?:now|help)|here(?:'s| is| are)|you (?:can|should|may|might)|to (?:test|use|run|verify)|try|run|"
    r"rebuild|would you|do you|should (?:i|we)|shall|if you|feel free|please|this (?:commit )?(?:message|fix|change) (?:is|follows)|let us)\b"
)
# What it is about to do; a reply that says no more is all there is to tell.
_INTENDED = re.compile(
    r"(?i)^(?:now )?(?:i'll|i will|let me) (?=(?:fix|update|change|add|remove|replace|move|rename|use|make|send|wrap|convert)\b)"
)
# Nobody is the wiser for these.
_STOCK = re.compile(
    r"(?i)^(?:now )?(?:i (?:can )?(?:see|found|understand|identified|have found)|found|confirmed|there(?:'s| is)|the) (?:what's |where |exactly )?"
    r"(?:the |an? )?(?:actual |real )?(?:issue|problem|bug|cause|error)s?(?: now| here| is clear| clearly)?\W*$|"
    r"\btests? (?:confirm|reproduce)|\ball (?:\w+ )?(?:tests?|checks|edge cases)\b.*\b(?:pass|work)|\b(?:tests?|lint\w*|build) (?:now )?(?:all )?"
    r"(?:pass(?:es|ed)?|(?:is|are) (?:clean|green))|\b0 issues\b|backwards? compatib|as expected|(?:fix|change|implementation|solution|code) is "
    r"(?:minimal|clean|complete|simple|now|already|correct)|ready (?:to|for)|successfully|best practice|maintainab|should now (?:pass|work)|"
    r"^(?:the )?changes? (?:is|are|have been) (?:complete|made|done)|^that\b|^based on\b|^this makes sense|"
    r"^(?:i|we)(?:'ve| have) (?:fixed|resolved|addressed|identified)(?: and fixed)? (?:the|this|all|both|your) (?:\w+ )?(?:issue|problem|bug|error)s?\W*$"
)
_CAUSE = re.compile(
    r"(?i)\b(?:because|root cause|due to|caused by|(?:issue|problem|bug|error|cause|reason|failure) (?:was|is|were|occurred|occurs|happened|"
    r"came|comes|stems|arises)|happens when|which (?:meant|caused|made|led|means|causes)|that's why|failed (?:because|when|since)|"
    r"was(?:n't| not)|were(?:n't| not)|did(?:n't| not)|does(?:n't| not)|omits?|(?:was|were|is|are) (?:missing|never|failing|being|lost|orphaned|"
    r"undefined|ignored)|instead of|previously|since the|wrongly|incorrectly|expects?|requires?|but (?:it|the|then|was|is|still))\b"
)
_STRONG = re.compile(
    r"(?i)\b(?:because|root cause|due to|caused by|(?:issue|problem|bug|cause|reason) (?:was|is|were|occurred)|the error (?:was|occurred)|expect\w* .* but)\b"
)
_DID = (
    "fixed|added|changed|replaced|removed|updated|moved|renamed|modified|extracted|refactored|implemented|created|introduced|"
    "converted|switched|made|wrapped|dropped|deleted|merged|migrated|rewrote|reverted|handled|simplified|unified|consolidated|"
    "registered|passed|split|inlined|bumped|disabled|enabled|adjusted|corrected|resolved|increased|set|kept|chose|decided|enhanced|improved|integrated|organi[sz]ed|configured|installed|restored|protected|excluded"
)
_FIRST = re.compile(
    rf"(?i)(?:(?:i|we)(?:'ve| have)? (?:also |now |then |only )?)?(?:{_DID})\b|the (?:key |main )?(?:fix|solution|change)\b"
)
_FIX = re.compile(
    rf"(?i)\b(?:i|we)(?:'ve| have)? (?:also |now )?(?:{_DID})\b|\bnow (?:\w+s|has|have|also)\b|\b(?:is|are|will) now\b|"
    rf"^now\b(?:.*\bwill\b|:)|\b(?:has|have) been (?:{_DID})\b|→|`[^`]+`,? (?:(?:which|that|method|function|class) )?(?:{_DID})\b"
)
_KEPT = re.compile(r"(?i)\b(?:remains?|stays?|still (?:needed|used|required)|(?:was|were) kept)\b")
_NAMED = re.compile(
    r"`[^`]+`|\b\w+\(\)|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|\b\w+_\w+\b|\b[\w-]+(?:/[\w.-]+)*\.[a-z]{1,4}\b|--\w+"
)


class Account(Value):
    """What came of some work, in the sentences of who did it; empty where nothing tells."""

    cause: str = ""
    fix: str = ""

    @property
    def text(self) -> str:
        """Cause, then fix."""
        return f"{self.cause} {self.fix}".strip()


class _Said(Value):
    text: str
    role: str = ""  # cause or fix
    score: int = 0


def account_of(turns: Sequence[Sequence[str]], room: int = ACCOUNT_CHARS) -> Account:
    """Tell what came of work from the replies to each prompt; what was said last weighs most."""
    causes: list[str] = []
    fixes: list[str] = []
    for replies in reversed(turns):
        left = room - sum(len(text) + 1 for text in (*causes, *fixes))
        if left < SENTENCE_CHARS // 3:
            break
        cause, fix = _of_turn(replies)
        found = _fitting(cause[:2], min(left, room // 2) if fix else left, causes)
        causes = [*found, *causes]
        left -= sum(map(len, found))
        fixes = [*_fitting(fix, left, [*causes, *fixes]), *fixes]
    return Account(cause=" ".join(causes), fix=" ".join(fixes))


def ending_of(turns: Sequence[Sequence[str]], room: int) -> str:
    """Give what the last reply says that is neither a plan nor praise, as far as there is room."""
    said = [one.text for one in _read(telling_reply(turns)) if not _idle(one.text)]
    return " ".join(_fitting(said, room, ()))


def reason_in(text: str) -> str:
    """Give the sentence of some words that says why something failed, where one does."""
    return next(iter(_best(_read(text), CAUSE, LEAST - 1)), "")


def telling_reply(turns: Sequence[Sequence[str]]) -> str:
    """Give the last reply that tells something, else the last."""
    replies = [text for turn in turns for text in turn]
    for text in reversed(replies[-LOOKED_BACK:]):
        if any(one.score >= LEAST for one in _read(text)):
            return text
    return replies[-1] if replies else ""


def _of_turn(replies: Sequence[str]) -> tuple[list[str], list[str]]:
    """Give the causes and fixes that the replies to one prompt tell, best first."""
    causes: list[str] = []
    fixes: list[str] = []
    intended: list[str] = []
    for text in reversed(replies[-LOOKED_BACK:]):
        if causes and fixes:
            break
        said = _read(text)
        # A reason given earlier than what was done must be plainly one: guesses come first.
        causes = causes or [t for t in _best(said, CAUSE) if not fixes or _STRONG.search(t)]
        fixes = fixes or _best(said, FIX)
        intended = intended or [
            _INTENDED.sub("", one.text) for one in said if _INTENDED.match(one.text)
        ]
    named = [text for text in intended[:1] if _NAMED.search(text) or not fixes]
    return causes, [*fixes, *named]


def _best(said: Sequence[_Said], role: str, least: int = LEAST) -> list[str]:
    """Give the sentences of a role, the highest score first, else in their order."""
    chosen = [one for one in said if one.role == role and one.score >= least]
    return [one.text for one in sorted(chosen, key=lambda one: -one.score)]


def _fitting(texts: Sequence[str], room: int, known: Sequence[str]) -> list[str]:
    """Give what fits, without what is said already."""
    kept: list[str] = []
    for text in texts:
        words = set(content_words(text))
        said = [set(content_words(other)) for other in (*known, *kept)]
        if any(len(words & other) > 0.7 * len(words) for other in said):
            continue
        if len(text) + sum(len(one) + 1 for one in kept) <= room:
            kept.append(text)
    if not kept and texts and not known and room > SENTENCE_CHARS // 3:
        kept = [shorten(texts[0], room)]
    return kept


def _read(text: str) -> list[_Said]:
    """Give the sentences of a reply with how much each tells of cause or of fix."""
    return [
        _weighed(plain, label)
        for label, line in _lines(text)
        for sentence in _SENTENCE.split(line)
        if (plain := _clean(sentence))
    ]


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Give the lines of a reply under their headings; what ends with a colon takes its list along."""
    section, open_line, fence = "", "", ""
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fence = "" if fence else line.strip()
            continue
        listed = _ITEM.match(line)
        if open_line.endswith(":") and fence and len(line.strip()) in range(1, CODE_CHARS):
            open_line = f"{open_line} `{line.strip()}`"
        if not line.strip() or (fence and not (fence == "```" and listed)):
            continue  # a commit's message is a list too
        if open_line and not fence and listed and not _LABEL.match(line):
            point = _BULLET.sub("", line).strip().rstrip(".")
            joined = f"{open_line}{' ' if open_line.endswith(':') else '; '}{point}"
            if len(joined) <= SENTENCE_CHARS:
                open_line = joined
                continue
        if open_line:
            yield from _closed(section, open_line)
            open_line = ""
        head, label = _HEAD.match(line), _LABEL.match(line)
        if head and not _says(head["head"] or head["bold"]):
            section = head["head"] or head["bold"]
            continue
        # `**Cause**: it was late` is of its own.
        under, body = "changes" if fence else section, line
        if label and not _says(label["label"]):
            under, body = label["label"], line[label.end() :]
        if body.rstrip(" *").endswith(":"):
            *before, last = _SENTENCE.split(body)
            yield from ((under, one) for one in before)
            section, open_line = under, last.replace("**", "").rstrip()
        else:
            yield under, body
    if open_line:
        yield from _closed(section, open_line)


def _closed(section: str, line: str) -> Iterator[tuple[str, str]]:
    """Give what its list was put to; without it, half a sentence of a few words tells nothing."""
    if not line.endswith(":") or len(line) > SENTENCE_CHARS // 3:
        yield section, line.rstrip(":")


def _says(label: str) -> bool:
    """Tell whether a heading says itself what was done, or to what."""
    return bool(_NAMED.search(label) or re.match(rf"(?:{_DID})\b", label, re.I))


def without_opener(text: str) -> str:
    """Give what a reply says, without the words of agreement and praise it begins with."""
    rest = _OPENER.sub("", text)
    first = rest.split(" ", 1)[0]  # gets a capital, unless it is a name
    plain = rest != text and first.isalpha() and first.islower()
    return rest[:1].upper() + rest[1:] if plain else rest


def _clean(sentence: str) -> str:
    plain = without_opener(" ".join(_BULLET.sub("", sentence).replace("**", "").split()))
    if len(content_words(plain)) < 2:
        return ""
    whole = shorten(plain, SENTENCE_CHARS).rstrip(":;,")
    return whole if whole.endswith((".", "!", "?", "…")) else f"{whole}."


def _idle(text: str) -> bool:
    return bool(_STOCK.search(text) or _PLAN.match(text) or text.endswith("?"))


def _weighed(text: str, label: str) -> _Said:
    if _idle(text):
        return _Said(text=text)
    what = bool(_WHAT.search(label))
    why = bool(_WHY.search(label)) and not what
    beside = bool(_BESIDE.search(label)) and not what and not why
    did = bool(_FIRST.match(text))
    cause = 3 if why or _STRONG.search(text) else 2 * bool(_CAUSE.search(text))
    fix = 3 if did or what or _FIX.search(text) else 0
    if _KEPT.search(text):
        return _Said(text=text, role=FIX, score=LEAST - 3 * beside)
    bonus = min(2, len(_NAMED.findall(text))) - 3 * beside
    if cause >= fix and not did:
        return _Said(text=text, role=CAUSE, score=cause + bonus) if cause else _Said(text=text)
    return _Said(text=text, role=FIX, score=fix + bonus + did)
