"""What a session came to: the rule its last replies settle, why, and what was turned down. Pure.

A talk meanders and its end settles. So the ending is read, not the opening: the last reply that
restates a rule, with what a person ruled on the way and no reply repeats. A part is kept whole or
left out whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tacit.body import Fact
from tacit.draft import Draft
from tacit.encode.facets import about, find_mentions
from tacit.encode.replies import without_opener
from tacit.encode.tasks import CHANGING, Task, extracted, source_of
from tacit.model import FacetType, Kind, Mention
from tacit.observation import Event, Session, What
from tacit.text import content_words
from tacit.value import Value

LONGEST = 1200  # characters of a rule with all its parts
WITH_REASONS = 900  # characters with its reason, what was turned down and what was ruled besides
LONGEST_PROMPT = 1500  # a longer one is mostly pasted
READ_BACK = 4  # replies from the last one, among which the one that settles is looked for
LONGEST_REASON = 260
MOST_NAMES = 3
DECISION = "decision"
AMENDS = "amends"  # the tag of a decision that takes the place of another
SETTLED = 3.0  # weight from which a reply counts as settling
FEWEST_PARTS = 2  # of a rule that does not say of itself that it is one
SAID = 0.6  # share of a sentence's words from which another text says it already

_CODE = re.compile(r"```.*?(?:```|\Z)", re.S)
_PASTED = re.compile(r"^(?:>|\t| {4}|\|).*$|<[a-z_-]+>.*?</[a-z_-]+>", re.M | re.S)
_ITEM = re.compile(r"^\s*(?:[-*•]|(?P<number>\d+)[.)])\s+(?P<words>.+)$")
_SENTENCE = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!etc\.)[\"')*_]*\s+")
# What says of itself that it restates or states a rule.
_NAMES_RULE = re.compile(
    r"(?im)^\W*(?:(?:full|final|quick|short|here'?s the|the)\s+)*(?:settled|recap|to recap|to sum(?:mari[sz]e| up)|"
    r"decision|decided|we(?:'ve| have)? (?:decided|agreed|settled)|agreed\s*[:—–-]|amend\w*|updated? (?:rule|policy)|"
    r"final(?:ly)?(?: [\w-]+){0,4}\s*[:—–-]|(?:so )?(?:then )?the (?:[\w-]+ ){0,2}(?:rule|policy|contract|order|convention) (?:is|becomes|then|now)|"
    r"going with|locked in|to be explicit|for the record)|"
    r"\b(?:that'?s|this is|is now|becomes|remains) (?:now )?the (?:final |new )?(?:[\w-]+ )?(?:rule|policy|contract|decision|convention)\b|"
    r"\b(?:the|our|new|final|amended|whole|full) (?:[\w-]+ )?(?:rule|policy|contract|convention|decision)\b(?: is\b|:| then\b| going forward)|"
    r"\bsupersed\w+|\bwe(?:'ve| have) (?:decided|agreed|settled)\b|\bgoing forward\b"
)
# What a rule is made of: bounds, sets, order, exceptions.
_PARTS = re.compile(
    r"(?i)\b(?:only|never|always|exactly|must|at (?:most|least)|no (?:more|less|other|longer)|unless|except|whatever|regardless|"
    r"ordered by|order|tie\w*|tiebreak\w*|cap(?:s|ped)?|inclusive|exclusive|defaults? to|fall(?:s|ing)? back|reject\w*|raises?|"
    r"drop(?:s|ped)?|keep|kept|stays?|every(?:thing)? else|all other|nothing else|any other|instead of|rather than|"
    r"before|after|first|then|without|round\w*|per|each|every|unchanged|whole|ascending|descending|highest|lowest|"
    r"not|no|neither|nor)\b|\d+|->|→|[<>]=?|==|;"
)
# What an agent says of the work it did, and what a person asks for now: neither is a rule.
_REPORTS = re.compile(
    r"(?i)^\W*(?:\d+[.)]\W*)?(?:also )?(?:added|fix(?:ed|es)|updated(?! (?:rule|policy|decision))|renamed|extracted|refactored|created|removed|changed|moved|implemented|"
    r"replaced|consolidated|rewrote|simplified|switched|deleted|committed|pushed|merged|deployed|tests?|all (?:\w+ )?(?:tests|checks))\b|"
    r"\b(?:tests? (?:all )?pass|tests? added|lint\w*|changes made|the fix|fixed (?:in|by|both|the)|root cause|added (?:a|an|the|to))\b"
)
# What a person asks for now, a mere yes, and what is pasted from a log.
_NO_RULING = re.compile(
    r"(?i)^\W*(?:(?:yes|ok(?:ay)?|no|then|so|and|also|now|please|just|first|next|let'?s|can you|could you|you can|sorry)\b[\s,.!:;—–-]*)*"
    r"(?:can you|could you|add|fix|write|create|implement|commit|push|run|review|check|look|find|show|explain|update|merge|rebase|"
    r"deploy|test|debug|investigate|continue|go (?:on|ahead)|do (?:it|that|both|the)|try|rename|refactor|remove|delete|move|simplify|"
    r"i (?:got|have|see|get)|here(?:'s| is| are)|consider|handle|we need to|we have to)\b|"
    r"^\W*(?:(?:yes|yep|yeah|ok(?:ay)?|sure|no|right|exactly|thanks?|please|cool|do it|go ahead|option|[a-d]|\d)\b\W*)*$|"
    r"\w\.\w+:\d+|^\W{2,}\w|\bhttps?://|\$ |\w+=\w+ \w+=|\.{3}$|…|\*\*|\bfunction\b.*\bline\b|\bline \d+"
)
# How people talk about what might be, what they will do and how nice that is.
_TALK = re.compile(
    r"(?i)\b(?:hey|hi|i['’](?:ll|m|d|ve)|i will|reminds|seems|looks like|it feels|i (?:know|remember|recall|was|wonder|mean|agree|saw|noticed|like|liked)|we'?ll need|i (?:can|could|would|think|guess|believe|need|want)|let me|let'?s (?:see|think|talk|look|discuss)|good (?:catch|point|call|question)|"
    r"sounds? (?:good|like)|might|maybe|perhaps|probably|could|would|should be (?:able|fine)|we should|worth|thanks|thank you|"
    r"glad|happy to|no problem|interesting|makes sense|definitely|totally|absolutely|that would|hope\w*|apolog\w+|"
    r"you(?:'re| are) (?:absolutely )?right|great|excellent|nice|cool|feel free|shall i|do you want|want me to)\b"
)
_CONFIRMS = re.compile(
    r"(?i)^\W*(?:(?:yes|yep|right|correct|exactly|perfect|good|great|ok(?:ay)?|agreed|confirmed)\b[\s,.!:;—–-]*)*"
    r"(?:that'?s (?:the|it|right|correct|exactly|our)|ship it|leave it|keep it|go (?:with|ahead)|do (?:it|that)|"
    r"(?:yes|right|correct|exactly|agreed|confirmed|perfect)\b)"
)
_AMENDS = re.compile(
    r"(?i)\bamend(?:s|ed|ing|ment)?\b|\bsupersed\w+|\b(?:replaces|overrides|revises) the (?:old|earlier|previous)\b|"
    r"\bupdat(?:e|es|ed|ing) (?:to )?the (?:[\w-]+ )?(?:rule|policy|decision|contract|limit|threshold)\b|"
    r"\bno longer\b|\bnot the old\b|\bchange of plans?\b|\bupdated (?:rule|policy|decision)\b|\b(?:as|than) before\b|\bthe (?:rule|policy|decision) (?:has )?change[sd]\b|\bwe(?:'re| are) changing\b|"
    r"\b(?:revisit\w*|revers\w+|overturn\w*) (?:the|our|that|this) (?:[\w-]+ )?(?:rule|policy|decision)\b"
)
_REASON = re.compile(
    r"(?i)\b(?:because|since|so that|due to|otherwise|the reason|that'?s (?:how|why|what)|is how|lest|measured|the last time|"
    r"signed off|legal|audit\w*|finance|incident|outage|we (?:run|rely|depend|tried|measured))\b"
)
_RULING = re.compile(
    r"(?i)^(?:no|nope|yes|not|never|always|only|don'?t|do not|keep|drop|use|cap|leave|exactly|must|make|treat|take|count|"
    r"skip|reject|round|sort|order|stop|ok(?:ay)?,? (?:let'?s|then|we)|let'?s (?:go with|use|keep|take|stick|drop|make|do)|we (?:want|use|need|go with|only|always|never)|both|same|anything|everything|nothing|if|when|whenever|unless)\b"
)
_TURNED_DOWN = re.compile(r"(?i)^\W*(?:no|nope|not|careful|wrong|never|don'?t|do not|stop|leave)\b")
_POINTS_BACK = re.compile(
    r"(?i)^\W*(?:(?:no|yes|right)\W+)?(?:that|it|this|these|those)(?:['’]s)?\b(?! \w+ (?:is|are|must|never|always)\b)"
)
_NO_WORDS = re.compile(r"`[^`]*`|\b(?=\w*\d)[0-9a-f]{7,40}\b|#\d+")  # names and ids


class Conclusion(Value):
    """A rule that a session settled."""

    text: str
    reply: Event  # that says it
    why: str = ""
    rejected: str = ""
    besides: str = ""  # what a person ruled and the reply does not repeat


def decision_draft(session: Session, task: Task) -> Draft | None:
    """Give the decision that a task came to, whole, with its reason and what was turned down."""
    turns = [e for e in task.order if e.what in (What.PROMPT, What.REPLY) and e.text.strip()]
    made = conclusion(turns)
    if made is None:
        return None
    lines = (made.text, made.besides, made.why and f"Why: {made.why}", made.rejected)
    spoken = "\n".join(turn.text for turn in turns)
    heard = "\n".join(turn.text for turn in turns if turn.what is What.PROMPT)
    return Draft(
        text="\n".join(line for line in lines if line),
        summary=made.text,
        kind=Kind.FACT,
        subtype=DECISION,
        body=Fact(why=made.why, rejected=(made.rejected,) if made.rejected else ()),
        confidence=0.8,
        importance=0.75,
        valid_from=made.reply.at or task.ended,
        source_ref=source_of(session, task, "#decided"),
        tags=(AMENDS,) if _AMENDS.search(f"{made.text}\n{heard}") else (),
        mentions=_about(spoken, task),
        basis=spoken,
        **extracted(session),
    )


def conclusion(turns: Sequence[Event]) -> Conclusion | None:
    """Give the rule that the last replies of a talk settle; None where they settle none."""
    spoken = [n for n, turn in enumerate(turns) if turn.what is What.REPLY and sentences(turn.text)]
    for n in reversed(spoken[-READ_BACK:]):
        if _weight(turns[n].text, turns[:n], turns[n + 1 :]) >= SETTLED:
            return _concluded(turns, turns[n])
    return None


def _weight(reply: str, before: Sequence[Event], after: Sequence[Event]) -> float:
    """Weigh the signs that a reply states a settled rule: its own words, and that a person ruled."""
    said = sentences(reply)
    stated = max((len(_parts(one)) for one in said if not _TALK.search(one)), default=0)
    named = bool(_NAMES_RULE.search(prose(reply)))
    ruled = _rulings(before)
    if not ruled or (stated < FEWEST_PARTS and not named):
        return 0.0
    heard = sum(len(sentences(turn.text)) for turn in before if turn.what is What.PROMPT)
    return (
        2.0 * named
        + min(stated, 6) / 3
        - 3.0 * sum(bool(_REPORTS.search(one)) for one in said) / len(said)
        + 4.0 * min(len(ruled) / heard, 0.75)
        + 1.0 * any(_TURNED_DOWN.search(one) for one in ruled)
        + 1.0 * any(_CONFIRMS.search(turn.text) for turn in after if turn.what is What.PROMPT)
        - 2.0 * sum(bool(_TALK.search(one)) for one in said) / len(said)
    )


def _parts(sentence: str) -> set[str]:
    """Give the words and signs of a sentence that make a rule; names in backticks are not looked at."""
    return {part.lower() for part in _PARTS.findall(_NO_WORDS.sub("", sentence))}


def _bearing(sentence: str) -> int:
    """Count the parts of a rule that a sentence holds; one that names the rule comes first."""
    return len(_parts(sentence)) + 5 * bool(_NAMES_RULE.search(sentence))


def prose(text: str) -> str:
    """Give a text without code, quotations and what is pasted."""
    plain = _PASTED.sub("\n", _CODE.sub("\n", text))
    return "\n".join(line.strip() for line in plain.splitlines() if line.strip())


def sentences(text: str) -> list[str]:
    """Give the sentences of a text, each whole; a list is one, with what leads to it."""
    found: list[str] = []
    listed = False
    for line in prose(text).splitlines():
        item = _ITEM.match(line)
        if item:
            words = (f"{item['number']}) " if item["number"] else "") + item["words"].rstrip(".;,")
            if listed or (found and found[-1].endswith(":")):
                found[-1] += f"{';' if listed else ''} {words}"
            else:
                found.append(words)
        elif not line.startswith("#"):
            found += [one.strip() for one in _SENTENCE.split(line) if one.strip()]
        listed = bool(item)
    return found


def _rulings(turns: Sequence[Event]) -> list[str]:
    """Give the sentences in which a person says how it is to be; the answer to a question does."""
    found: list[str] = []
    answers = False
    for turn in turns:
        if turn.what is What.PROMPT and len(turn.text) <= LONGEST_PROMPT:
            said = sentences(turn.text)
            found += [one for n, one in enumerate(said) if _rules(one, answers=answers and n == 0)]
        answers = turn.what is What.REPLY and turn.text.rstrip().endswith("?")
    return found


def _rules(sentence: str, *, answers: bool) -> bool:
    if sentence.endswith(("?", ":")) or _TALK.search(sentence) or _NO_RULING.search(sentence):
        return False
    return answers or bool(_RULING.search(sentence)) or len(_parts(sentence)) >= FEWEST_PARTS


def _concluded(turns: Sequence[Event], reply: Event) -> Conclusion:
    """Give the rule of a reply with why, what was turned down, and what a person ruled besides."""
    taken = [_rule(reply.text)]

    def take(said: Sequence[str], by: Callable[[str], int]) -> str:
        """Take the sentence that weighs most of those that fit and are not known."""
        known, room = " ".join(taken), min(WITH_REASONS - sum(map(len, taken)), LONGEST_REASON)
        fit = [one for one in said if len(one) <= room and not says(known, one)]
        taken.append(max(fit, key=by, default=""))
        return taken[-1]

    heard = [sentences(turn.text) for turn in turns if turn.what is What.PROMPT]
    complaint = heard[0] if heard else []  # a talk begins with what is wrong
    ruled = [
        one
        for one in _rulings(turns)
        if (one not in complaint or _RULING.search(one)) and not _POINTS_BACK.search(one)
    ]
    why = take(_reasons(turns), by=lambda one: len(_REASON.findall(one)))
    rejected = take([one for one in ruled if _TURNED_DOWN.search(one)], by=_bearing)
    while take(ruled, by=_bearing):
        pass
    besides = " ".join(one for one in ruled if one in taken[3:])
    return Conclusion(text=taken[0], reply=reply, why=why, rejected=rejected, besides=besides)


def _reasons(turns: Sequence[Event]) -> list[str]:
    """Give the sentences in which a person gives a reason."""
    prompts = [turn.text for turn in turns if turn.what is What.PROMPT]
    said = (one for text in prompts if len(text) <= LONGEST_PROMPT for one in sentences(text))
    return [one for one in said if _REASON.search(one) and not one.endswith("?")]


def _rule(reply: str) -> str:
    """Give the sentences that state the rule, in their order, as many as fit whole."""
    said = sentences(reply)
    said[0] = without_opener(said[0])
    recap = any(_NAMES_RULE.search(one) for one in said)  # then talk may stand around a part
    stating = [n for n, one in enumerate(said) if _states(one, recap=recap)] or [*range(len(said))]
    room, chosen = LONGEST, []
    for n in sorted(stating, key=lambda n: (-_bearing(said[n]), n)):
        if said[n] and len(said[n]) < room:
            chosen.append(n)
            room -= len(said[n]) + 1
    return " ".join(said[n] for n in sorted(chosen))


def _states(sentence: str, *, recap: bool) -> bool:
    if _NAMES_RULE.search(sentence) or (recap and len(_parts(sentence)) >= FEWEST_PARTS):
        return True
    return bool(_PARTS.search(sentence)) and not _TALK.search(sentence)


def says(text: str, sentence: str) -> bool:
    """Tell whether a text says a sentence already, by its words."""
    words, known = set(content_words(sentence)), set(content_words(text))
    return len(words & known) >= SAID * len(words)


def _about(spoken: str, task: Task) -> tuple[Mention, ...]:
    """Give the functions, modules and files that are spoken of most, and those that were changed."""
    named = [
        mention
        for mention in find_mentions(spoken)
        if mention.facet.type in (FacetType.FILE, FacetType.SYMBOL)
        and not mention.facet.name.rpartition("/")[2].startswith("test_")
    ]
    most = sorted(named, key=lambda mention: -mention.count)[:MOST_NAMES]
    changed = [about(FacetType.FILE, path) for path in task.files(*CHANGING)[:MOST_NAMES]]
    return tuple(dict.fromkeys([*(mention.replace(count=1) for mention in most), *changed]))
