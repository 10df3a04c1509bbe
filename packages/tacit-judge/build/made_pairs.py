"""Pairs made by script: statements about projects and people whose relation is known.

The labelled sets are captions and encyclopaedia; nothing there says what a port, a version or
"I never did" contradicts, nor that two commit messages about one file contradict nothing.
Everything is drawn from tables by a seeded generator.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

import made_words as words
from pairs import CONTRADICTION, ENTAILMENT, NEGATION, NEUTRAL, Pair, content

Made = tuple[str, str, int]
WHEN = ("", "", "", " yesterday", " last week", " recently", " in March", " today")


def made_pairs(count: int, seed: int) -> list[Pair]:
    """Give that many different pairs of all sorts, in equal shares."""
    chance = random.Random(seed)
    found: dict[tuple[str, str], Pair] = {}
    while len(found) < count:
        for maker, share in MAKERS:
            for _ in range(share):
                a, b, label = maker(chance)
                if chance.random() < 0.5 and label != ENTAILMENT:
                    a, b = b, a
                a, b = _styled(a, chance), _styled(b, chance)
                found.setdefault((a, b), Pair(f"made-{len(found)}", "made", a, b, label))
    return list(found.values())[:count]


def _styled(text: str, chance: random.Random) -> str:
    text = text[:1].upper() + text[1:] if chance.random() < 0.85 else text
    return text + "." if chance.random() < 0.6 and text[-1] not in ".!?" else text


def attribute(chance: random.Random) -> Made:
    """One attribute of one service: another value contradicts, the same value entails."""
    ways, values = (
        part.split(sep) for part, sep in zip(chance.choice(words.ATTRIBUTES), "/;", strict=True)
    )
    who, other = chance.sample(words.SERVICES, 2)
    mine, yours = chance.sample(values, 2)
    one, two = chance.choice(ways), chance.choice(ways)
    first = one.format(s=who, v=mine)
    sort = chance.random()
    if sort < 0.42:
        return first, _changed(two.format(s=who, v=yours), chance), CONTRADICTION
    if sort < 0.62:
        two = chance.choice([way for way in ways if way != one])
        return first, two.format(s=who, v=mine), ENTAILMENT
    if sort < 0.75:
        return first, two.format(s=other, v=chance.choice([mine, yours])), NEUTRAL
    if sort < 0.87:
        places = chance.sample(
            ["in staging", "in production", "on my laptop", "in CI", "for the demo"], 2
        )
        return f"{first} {places[0]}", f"{two.format(s=who, v=yours)} {places[1]}", NEUTRAL
    ways, values = (
        part.split(sep) for part, sep in zip(chance.choice(words.ATTRIBUTES), "/;", strict=True)
    )
    second = chance.choice(ways).format(s=who, v=chance.choice(values))
    return (first, second, NEUTRAL) if ways[0] != one and one not in ways else attribute(chance)


def _changed(text: str, chance: random.Random) -> str:
    return (
        chance.choice(["", "", "", "now ", "since yesterday ", "as of this week ", "actually, "])
        + text
    )


def switch(chance: random.Random) -> Made:
    """Two sides that exclude each other."""
    sides = list(chance.choice(words.SWITCHES))
    who, other = chance.sample(words.SERVICES, 2)
    chance.shuffle(sides)
    first = chance.choice(sides[0])
    sort = chance.random()
    if sort < 0.5:
        return first.format(s=who), chance.choice(sides[1]).format(s=who), CONTRADICTION
    if sort < 0.7 and len(sides[0]) > 1:
        second = chance.choice([way for way in sides[0] if way != first])
        return first.format(s=who), second.format(s=who), ENTAILMENT
    return first.format(s=who), chance.choice(sides[1]).format(s=other), NEUTRAL


def use(chance: random.Random) -> Made:
    """Which tool is used for what; "we moved from X to Y"."""
    tools, purposes = chance.choice(words.USES)
    mine, yours = chance.sample(tools, 2)
    purpose = chance.choice(purposes)
    ways = (
        "we use {t} for {p}",
        "{t} is our choice for {p}",
        "for {p} we use {t}",
        "{p} is done with {t}",
        "I prefer {t} for {p}",
        "always use {t} for {p}",
        "the team decided to use {t} for {p}",
    )
    one, two = chance.sample(ways, 2)
    first = one.format(t=mine, p=purpose)
    sort = chance.random()
    if sort < 0.3:
        return first, two.format(t=yours, p=purpose), CONTRADICTION
    if sort < 0.42:
        moved = chance.choice(
            [
                "we moved from {t} to {u} for {p}",
                "we replaced {t} by {u} for {p}",
                "we no longer use {t} for {p}",
                "{t} was dropped, {p} is done with {u} now",
            ]
        )
        return first, moved.format(t=mine, u=yours, p=purpose), CONTRADICTION
    if sort < 0.5:
        return first, f"we switched from {yours} to {mine} for {purpose}", NEUTRAL
    if sort < 0.65:
        return first, two.format(t=mine, p=purpose), ENTAILMENT
    others, aims = chance.choice([row for row in words.USES if row[0] != tools])
    return (
        first,
        chance.choice(ways).format(t=chance.choice(others), p=chance.choice(aims)),
        NEUTRAL,
    )


def rule(chance: random.Random) -> Made:
    """Rules and their denial."""
    what, other = chance.sample(words.RULES, 2)
    gerund = _gerund(what)
    yes = (
        "always {w}",
        "you should {w}",
        "{w}",
        "we {w}",
        "please {w}",
        "it is fine to {w}",
        "{g} is encouraged",
    )
    no = (
        "never {w}",
        "do not {w}",
        "you should not {w}",
        "we do not {w}",
        "don't {w}",
        "avoid {g}",
        "{g} is forbidden",
        "we stopped {g}",
    )
    sides = [yes, no]
    chance.shuffle(sides)
    first = chance.choice(sides[0]).format(w=what, g=gerund)
    sort = chance.random()
    if sort < 0.45:
        return first, chance.choice(sides[1]).format(w=what, g=gerund), CONTRADICTION
    if sort < 0.65:
        return first, chance.choice(sides[0]).format(w=what, g=gerund), ENTAILMENT
    return first, chance.choice(chance.choice(sides)).format(w=other, g=_gerund(other)), NEUTRAL


def _gerund(phrase: str) -> str:
    verb, _, rest = phrase.partition(" ")
    if re.search(r"[^aeiou][aeiou][nt]$", verb) and len(verb) < 5:
        verb += verb[-1]
    return f"{verb.removesuffix('e') if len(verb) > 2 else verb}ing {rest}"


def experience(chance: random.Random) -> Made:
    """Never having done it against having done it, in the many shapes people say it."""
    action, other = chance.sample(words.ACTIONS, 2)
    who = chance.choice(("I", "You", "We"))
    sort = chance.random()
    if sort < 0.47:
        return _never(who, action, chance), _done(who, action, chance), CONTRADICTION
    if sort < 0.80:
        return _never(who, action, chance), _done(who, other, chance), NEUTRAL
    if sort < 0.90:
        return _done(who, action, chance), _done(who, other, chance), NEUTRAL
    if sort < 0.95:
        return _never(who, action, chance), _never(who, other, chance), NEUTRAL
    return _never(who, action, chance), _never(who, action, chance), ENTAILMENT


def _never(who: str, action: tuple[str, str, list[str]], chance: random.Random) -> str:
    verb, any_, _ = action
    past, participle, gerund = words.VERBS[verb]
    have = who + chance.choice((" have", "'ve"))
    return chance.choice(
        [
            f"{have} never {participle} {any_}",
            f"{have} never actually {participle} {any_}",
            f"never {gerund} {any_}",
            f"{who} never {past} {any_}",
            f"{who} did not {verb} {any_}",
            f"{who} mentioned never {gerund} {any_}",
            f"{have} not {participle} {any_} yet",
        ]
    )


def _done(who: str, action: tuple[str, str, list[str]], chance: random.Random) -> str:
    verb, any_, specials = action
    past, participle, gerund = words.VERBS[verb]
    have = who + chance.choice((" have", "'ve"))
    what = (
        chance.choice(specials)
        if chance.random() < 0.8
        else re.sub(r"\bany\b|\bor any\b.*|\bor anyone\b.*", "", any_).strip()
    )
    return chance.choice(
        [
            f"{who} {past} {what}",
            f"{who} {past} {what}{chance.choice(WHEN)}",
            f"{have} {participle} {what}",
            f"{gerund} {what}",
            f"having {participle} {what}",
            f"recently {gerund} {what}",
            f"{who} mentioned {gerund} {what}",
            f"{have} been {gerund} {what}",
        ]
    )


def commit(chance: random.Random) -> Made:
    """Changes and properties of modules: they share words and contradict nothing."""
    module, other = chance.sample(words.MODULES, 2)
    pool = chance.choice(
        [(words.CHANGES, words.CHANGES), (words.FACTS, words.FACTS), (words.CHANGES, words.FACTS)]
    )
    one, two = chance.choice(pool[0]), chance.choice(pool[1])
    if one == two:
        return one.format(m=module), two.format(m=other), NEUTRAL
    same = chance.random() < 0.6
    return one.format(m=module), two.format(m=module if same else other), NEUTRAL


def bump(chance: random.Random) -> Made:
    """Versions that follow each other in time contradict nothing; two current ones do."""
    name, other = chance.sample(
        [
            "requests",
            "react",
            "django",
            "numpy",
            "webpack",
            "pydantic",
            "eslint",
            "tokio",
            "spring-boot",
        ],
        2,
    )
    major = chance.randint(1, 9)
    low, mid, high = (f"{major}.{minor}" for minor in sorted(chance.sample(range(20), 3)))
    sort = chance.random()
    if sort < 0.3:
        return f"bump {name} from {low} to {mid}", f"bump {name} from {mid} to {high}", NEUTRAL
    if sort < 0.5:
        return f"bump {name} from {low} to {mid}", f"bump {other} from {low} to {high}", NEUTRAL
    ways = (
        "we use {n} {v}",
        "{n} is pinned to {v}",
        "the project depends on {n} {v}",
        "{n} {v} is installed",
    )
    one, two = chance.sample(ways, 2)
    if sort < 0.75:
        return one.format(n=name, v=low), two.format(n=name, v=high), CONTRADICTION
    if sort < 0.87:
        return one.format(n=name, v=low), two.format(n=name, v=low), ENTAILMENT
    return one.format(n=name, v=low), two.format(n=other, v=high), NEUTRAL


def quantity(chance: random.Random) -> Made:
    """Numbers and years against "more than", "at most", "before", "after"."""
    exact, compared, bounds = chance.choice(words.QUANTITIES)
    low, high = (int(bound) for bound in bounds.split(";"))
    value = chance.randint(low, high)
    step = max(
        1, int((value if high < 1900 or high > 2100 else 60) * chance.choice([0.02, 0.1, 0.3]))
    )
    bound = max(low, value + chance.choice([-step, step, -step, step, 0]))
    name, other = chance.sample(words.NAMES, 2)
    year = "{y}" in compared
    sign = chance.choice(["over", "under", "same"])
    said = {
        "over": ["after"] if year else ["more than", "over", "at least"],
        "under": ["before"] if year else ["less than", "fewer than", "under"],
        "same": ["in"] if year else ["", "exactly"],
    }[sign]
    word = chance.choice(said)
    holds = {
        "over": value > bound or (word == "at least" and value == bound),
        "under": value < bound,
        "same": value == bound,
    }[sign]
    second = compared.format(n=name, c=word, y=word, v=bound).replace("  ", " ")
    first = exact.format(n=name, v=value)
    if chance.random() < 0.15:
        return exact.format(n=other, v=value), second, NEUTRAL
    return first, second, ENTAILMENT if holds else CONTRADICTION


MAKERS: Sequence[tuple[Callable[[random.Random], Made], int]] = (
    (attribute, 6),
    (switch, 4),
    (use, 3),
    (rule, 3),
    (experience, 8),
    (commit, 3),
    (bump, 1),
    (quantity, 5),
)

AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must)\b(?! (?:not|no|never)\b)"
)
CAPTION = re.compile(r"^(?:An?|The|Two|Three|Some|Several)\s+(.+?)\s+(?:is|are)\s+(\w+ing\b.*)$")


def denied(text: str, chance: random.Random) -> str | None:
    """Deny a plain sentence; None where no rule fits or it is denied already."""
    if NEGATION.search(text) or len(text.split()) > 22:
        return None
    caption = CAPTION.match(text)
    if caption and chance.random() < 0.6:
        who, what = caption.groups()
        return chance.choice(
            [f"There is no {who} {what}", f"No {who} is {what}", f"Nobody is {what}"]
        )
    if not AUXILIARY.search(text):
        return None
    return AUXILIARY.sub(r"\1 not", text, count=1)


def denials(pairs: Sequence[Pair], count: int, seed: int) -> list[Pair]:
    """Deny hypotheses.

    An entailed one then contradicts, a neutral one stays neutral, a contradicted one no longer
    contradicts, and a sentence contradicts its own denial.
    """
    chance = random.Random(seed)
    made: list[Pair] = []
    for pair in chance.sample(pairs, len(pairs)):
        no = denied(pair.b, chance)
        if no is None:
            continue
        sort = chance.random()
        if sort < 0.25:
            a, b, label = pair.b, no, CONTRADICTION
        else:
            label = {ENTAILMENT: CONTRADICTION, NEUTRAL: NEUTRAL, CONTRADICTION: ENTAILMENT}[
                pair.label
            ]
            a, b = pair.a, no
        made.append(Pair(f"denied-{len(made)}", "denied", a, b, label))
        if len(made) == count:
            break
    return made


def strangers(pairs: Sequence[Pair], count: int, seed: int) -> list[Pair]:
    """Pair sentences of different places that share a word: neutral, however they differ."""
    chance = random.Random(seed)
    by_word: dict[str, list[str]] = {}
    for text in dict.fromkeys(p.a for p in pairs if len(p.a.split()) <= 20):
        for word in content(text):
            by_word.setdefault(word, []).append(text)
    shared = [texts for texts in by_word.values() if 2 <= len(texts) <= 60]
    made = []
    for number in range(count):
        a, b = chance.sample(chance.choice(shared), 2)
        if chance.random() < 0.2:
            b = denied(b, chance) or b
        made.append(Pair(f"stranger-{number}", "stranger", a, b, NEUTRAL))
    return made


def swapped(pairs: Sequence[Pair], count: int, seed: int) -> list[Pair]:
    """Put another number or name into entailed pairs.

    Changed in one of the two texts they contradict; changed in both alike they still entail,
    so that the strange name alone tells nothing.
    """
    chance = random.Random(seed)
    entailed = [pair for pair in pairs if pair.label == ENTAILMENT and _shared_marks(pair)]
    pool = {
        kind: sorted({m for p in entailed for m in _shared_marks(p) if m.isdigit() == kind})
        for kind in (True, False)
    }
    made: list[Pair] = []
    while len(made) < count:
        pair = chance.choice(entailed)
        mark = chance.choice(_shared_marks(pair))
        other = _another(mark, pool[mark.isdigit()], chance)
        if other in pair.a or other in pair.b:
            continue
        a, b = (re.sub(rf"\b{mark}\b", other, text) for text in (pair.a, pair.b))
        label = chance.choice((CONTRADICTION, ENTAILMENT))
        if label == CONTRADICTION:
            a, b = (pair.a, b) if chance.random() < 0.5 else (a, pair.b)
        made.append(Pair(f"swapped-{len(made)}", "swapped", a, b, label))
    return made


def _shared_marks(pair: Pair) -> list[str]:
    """Give the numbers and the names inside a sentence that both texts hold."""
    found = re.findall(r"(?<=[a-z,] )(?:[A-Z][a-z]{2,}|\d+)\b", pair.b)
    return [mark for mark in dict.fromkeys(found) if re.search(rf"\b{mark}\b", pair.a)]


def _another(mark: str, pool: Sequence[str], chance: random.Random) -> str:
    if not mark.isdigit() or chance.random() < 0.3:
        return chance.choice(pool)
    value = int(mark)
    return str(
        max(
            1, value + chance.choice([-1, 1]) * max(1, int(value * chance.choice([0.01, 0.2, 0.5])))
        )
    )
