"""What a person or an agent said that stays true: preferences, conventions, decisions. Pure.

By rule, sentence by sentence, and rather too little than too much: a sentence must say how
things are done here in general, not what to do next. Questions, pasted text and code are
passed over.
"""

from __future__ import annotations

import re

from tacit.text import content_words
from tacit.value import Value

LONGEST = 320  # characters of a sentence
PASTED = 900  # characters; a longer prompt is mostly pasted, only its edges are the person's own
EDGE = 300

_CODE = re.compile(r"```.*?(?:```|\Z)|^(?:>|\t| {4}).*$|<[a-z_-]+>.*?</[a-z_-]+>", re.S | re.M)
# People type in lower case too, so a full stop ends a sentence whatever follows.
_SENTENCE = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!etc\.)(?<=[.!?])\s+|\n+", re.I)
_LEAD = re.compile(
    r"^(?:[-*•]\s+|\d+[.)]\s+|(?:and|but|so|also|oh|ok(?:ay)?|hmm+|ah|btw|fyi|well|yeah|yes|please|one more thing|right|sure|great|cool|thanks?)\b[,:;.!\s]*)+",
    re.I,
)
# Points at the moment: such a sentence is an instruction for now.
_NOW = re.compile(
    r"\b(?:yet|right now|for now|this time|just now|at the moment|today|tomorrow|above|below|again|still|first|next|"
    r"that one|this one|the (?:first|second|third|last|other) (?:one|part|option))\b|\boption \w\b|#\d+|\bhttps?://",
    re.I,
)
_GENERAL = re.compile(
    r"\b(?:always|never|ever|every(?: time)?|any(?:thing|where|time)?|all|from now on|going forward|in (?:the )?future|by default|"
    r"in this (?:repo\w*|project|code ?base)|in general|generally|we|our|convention\w*|policy|rule|standard|whenever|unless|"
    r"without|must|mustn't|must not)\b",
    re.I,
)
# Verbs after which `we never …` tells of the past or of a wish, not of how it is done here.
_TOLD = (
    r"need|ha[vsd]|know|want|see|think|really|get|got|care|did|do\b|saw|tr[iy]|bee?n|wa?s|were|"
    r"understand|yet|even|actually|appear|mean|\w+ed\b"
)


def _table(*rows: tuple[str, float, str]) -> list[tuple[str, float, re.Pattern[str]]]:
    """Give what a sentence is by its form, with how sure that is; the first form counts."""
    return [(subtype, sure, re.compile(form, re.I)) for subtype, sure, form in rows]


_RULES = _table(
    ("convention", 0.85, r"^(?:remember(?! when| last)|keep in mind|don't forget|be aware)\b(?: that| to|:|,)?\s+\S+"),
    ("convention", 0.85, r"\b(?:from now on|going forward|as a (?:rule|convention)|(?:our|the|a) (?:convention|policy|style|standard|rule) (?:here )?is)\b"),
    ("convention", 0.75, r"^note\b(?: that|:|,)\s+\S+"),
    ("convention", 0.85, r"^(?:you |we |agents? |i want you to )?(?:should |must |need to |have to )?(?:always|never)\s+(?!mind\b|got\b|had\b|saw\b|did\b|was\b|were\b|worked\b|happened\b)\w+"),
    ("convention", 0.75, rf"\b(?:we|you) (?:should |must |need to )?(?:always|never|don't|do not|only) (?!{_TOLD})\w+"),
    ("convention", 0.75, r"^(?!(?:i|we|you) )[\w-]+(?: [\w-]+){0,4} (?:must(?: not| never| always)? (?!have\b)\w+|always needs?|may only|may not)\b"),
    ("preference", 0.7, r"^i(?:'d| would)? (?:always |really |strongly |generally )?(?:(?:prefer|hate|dislike)\b|(?:like|want) (?:you to )?(?:always|never)\b|don't (?:like|want) (?!to |you |us |this\b|that\b|it\b|these\b|those\b)).{10,}"),
    ("preference", 0.8, r"^(?:please )?prefer\w*\s+.+?\s(?:over|to|instead of|rather than)\s"),
    ("correction", 0.75, r"^(?:(?:no|nope|wrong|not quite)\s*[,.!:–—-]+|actually\b,?|stop (?=\w+ing\b)).*\b(?:use|should|must|instead|rather|never|always|is|are|we|not|using)\b"),
    ("correction", 0.7, r"\b(?:is|are|was|were|that's)(?:n't| not) (?:correct|right|true|accurate|how)\b.{12,}"),
    ("decision", 0.75, r"\b(?:we|i)(?:'ve| have)? (?:decided|agreed|chose|settled on|opted)\b|^decision:"),
    ("decision", 0.65, r"\b(?:let's|we(?:'ll| will| should)|i(?:'d| would) rather|we want to)\s+(?:go with|use|keep|stick (?:with|to)|switch to|move to|standardi[sz]e on|drop|avoid|stay with)\b"),
    ("convention", 0.75, r"\buse\s+`?[\w./@ -]{2,40}`?,?\s+(?:instead of|rather than|not|over|and not)\s+\S+"),
    ("convention", 0.7, r"^(?:don't|do not|avoid|no)\s+(?:use|using|add|adding|write|writing|create|creating|import|importing|call|calling|mock|mocking|put|commit|push|edit|touch|hard-?cod\w+|skip|run)\b"),
)  # fmt: skip
_BY_AGENT = _table(
    ("decision", 0.55, r"\b(?:we|i)(?:'ve| have)? (?:decided|chose|opted|went with|settled on)\b.*\b(?:because|since|instead of|rather than|so that|over)\b"),
    ("question", 0.6, r"^(?:open question|todo|follow-?up|still (?:open|to do)|not (?:yet )?(?:done|covered|implemented))\b\s*[:–-]"),
    ("question", 0.55, r"\b(?:should be|can be|left|leave (?:this|that|it)) (?:for|to|as|in) (?:a )?(?:later|follow-?up|separate (?:pr|change|issue))\b"),
)  # fmt: skip
_HEDGED = re.compile(
    r"\b(?:i think|i guess|i (?:might|may)|maybe|may not|perhaps|consider|could|might|can (?:you|we|i)|shall we|what if|how about|"
    r"do we|would it|wonder\w*|if we|not sure|i'm not|seems?|looks like|issue with|when we|so we)\b",
    re.I,
)
_ASKED_LATER = re.compile(
    r"\b(?:let's|we(?:'ll| will| can| should)|i(?:'ll| will))\b.*"
    r"(?:\b(?:leave|keep|save|park|postpone)\b.*\bfor later|(?<!for )\blater|\beventually|\bat some point|"
    r"\bin a (?:follow-?up|separate (?:pr|change|issue)))\b\W*$",
    re.I,
)
# What is not to be done in this task alone.
_ONE_OFF = re.compile(
    r"\b(?:it|this|that|these|those|them|the (?:changes?|tests?|fix|files?|code|branch|pr|plan|rest)|"
    r"a (?:pr|commit|branch|file|test|plan)|anything|any (?:code|changes|files|tests)|too? (?:many|much)|just)\b",
    re.I,
)
# Whose subject stands in another sentence, or nowhere: alone it says nothing.
_POINTS_BACK = re.compile(
    r"^\W*(?:that|this|these|those|it|they|he|she|which|who|and|or|but|then|same|both|here|there)\b"
    r"(?!\s+(?:project|repo\w*|code ?base|package|service|team|library|file|module|class|folder)\b)|"
    r"^(?:remember|keep in mind|note)\b(?: that| also|:|,)*\s+(?:you|i|it|this)\b|^\(",
    re.I,
)
_WOULD = re.compile(r"\b(?:would|wouldn't|ensuring|hopefully|supposed to|used to)\b", re.I)
_LATER_THING = re.compile(r"\b(?:it|this|that|them|these|those)\b", re.I)
_WHY = re.compile(r"\b(?:because|since|as (?=we|it|they|the)|so that|due to)\s+(?P<why>.+)$", re.I)
_REJECTED = re.compile(
    r"\b(?:instead of|rather than|and not|over using|, not)\s+(?P<not>[^,.;]+?)(?=\s+(?:because|since|so that|due to)\b|[,.;]|$)",
    re.I,
)
_AVOIDS = re.compile(r"\b(?:never|don't|do not|avoid|mustn't|must not|no longer|stop)\b", re.I)


class Statement(Value):
    """A sentence worth keeping, what it is, and the reason and the rejected way where it says so."""

    text: str
    subtype: str  # preference, convention, correction, decision, question
    confidence: float
    why: str = ""
    rejected: str = ""
    avoids: bool = False


def by_person(text: str) -> list[Statement]:
    """Give what a person's words say in general."""
    found: list[Statement] = []
    for sentence in _sentences(text):
        if _ASKED_LATER.search(sentence) and not _LATER_THING.search(sentence):
            found.append(_statement(sentence, "question", 0.65))
            continue
        for subtype, confidence, form in _RULES:
            if form.search(sentence) and _lasting(sentence, subtype, confidence):
                found.append(_statement(sentence, subtype, confidence))
                break
    return found


def by_agent(text: str) -> list[Statement]:
    """Give decisions with their reason, and what an agent left open."""
    found: list[Statement] = []
    for sentence in _sentences(text):
        for subtype, confidence, form in _BY_AGENT:
            if form.search(sentence) and len(content_words(sentence)) >= 4:
                found.append(_statement(sentence, subtype, confidence))
                break
    return found


def _sentences(text: str) -> list[str]:
    own = text if len(text) <= PASTED else f"{text[:EDGE]}\n{text[-EDGE:]}"
    plain = _CODE.sub("\n", own)
    out = []
    for piece in _SENTENCE.split(plain):
        sentence = _LEAD.sub("", " ".join(piece.split())).strip(" *_\"'")
        if 12 <= len(sentence) <= LONGEST and not sentence.endswith(("?", ":")):
            out.append(sentence)
    return out


def _lasting(sentence: str, subtype: str, confidence: float) -> bool:
    """Tell whether a sentence says something in general; the surest forms need no further sign."""
    words = [word for word in content_words(sentence) if not word.endswith("ly")]
    if len(words) < 3 or sentence.endswith(("…", "...")):
        return False
    if subtype != "correction" and (_POINTS_BACK.search(sentence) or _WOULD.search(sentence)):
        return False
    if confidence >= 0.85:
        return True
    if _NOW.search(sentence) or _HEDGED.search(sentence):
        return False
    if subtype == "decision":
        named = re.search(
            r"`[^`]+`|\b\w+[._/-]\w+\b|\b[A-Z]\w*[A-Z]\w*\b|\b[A-Z][a-z]+\w*(?!^)", sentence[1:]
        )
        return bool(
            _WHY.search(sentence) or _REJECTED.search(sentence) or (named and len(words) >= 4)
        )
    if subtype == "correction":
        return bool(_GENERAL.search(sentence) or _REJECTED.search(sentence) or "`" in sentence)
    if sentence.lower().startswith(("don't", "do not", "avoid", "no ")):
        return not _ONE_OFF.search(sentence)
    return True


def _statement(sentence: str, subtype: str, confidence: float) -> Statement:
    why, rejected = _WHY.search(sentence), _REJECTED.search(sentence)
    return Statement(
        text=sentence,
        subtype=subtype,
        confidence=confidence,
        why=why["why"].rstrip(".") if why else "",
        rejected=rejected["not"].strip() if rejected else "",
        avoids=bool(_AVOIDS.search(sentence)),
    )
