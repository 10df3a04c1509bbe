"""Made-up Python: functions that differ from one another as those of a real project do.

Every function is drawn statement by statement, so that few have the same shape; reading code
would otherwise find one shape thousands of times, which no project has.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import random

NOUNS = "token cache session invoice parser index client retry schema worker limit router".split()
VERBS = "validate load render refresh merge split schedule encode resolve archive".split()
WAYS = (
    "once per request", "before a deploy", "in batches of fifty", "for guests too", "per customer",
    "without a lock", "on every retry", "after midnight in UTC", "when the disk is full", "lazily",
)  # fmt: skip
DEEPEST = 3
SIMPLE = (
    "{a} = {verb}({b}, {n})",
    "{a} = {b}.{verb}({n}) or {c}",
    "{a}, {b} = {b}, {verb}({c})",
    "{a} = [{verb}(each) for each in {b} if each.{noun}]",
    '{a} = {{"{noun}": {b}, "limit": {n}}}',
    "{a}.{verb}({b}.{noun}, limit={n})",
    'log.info("{verb} %s", {a})',
    "{a} += {b}[{n}:] if {c} else {b}",
    "assert {a} is not {b}",
    "del {a}[{n}]",
    'raise LookupError(f"no {noun} among {{{a}}}")',
    "yield {a}, {b}.{noun}",
    "await {a}.{verb}(timeout={n})",
    "self.{noun} = {a} | {b}",
    "return {verb}({a}, {b})",
)
BLOCKS = (
    "if {a}.{noun} > {n}:",
    "for {a} in {verb}({b}):",
    "while {a} and not {b}:",
    "with {verb}({a}) as {b}:",
    "if not isinstance({a}, {C}):",
    "async for {a} in {b}.{verb}():",
)


def function(chance: random.Random, stem: str) -> list[str]:
    """Give a function as lines, with two empty ones before it."""
    verb, number = chance.choice(VERBS), chance.randrange(10_000)
    names = chance.sample(NOUNS, chance.randrange(1, 4))
    head = f"async def {verb}_{stem}_{number}({', '.join(names)}):"
    words = f'    """{verb.title()} the {stem}, {chance.choice(WAYS)}."""'
    return ["", "", head, words, *_body(chance, names, 1)]


def statement(chance: random.Random) -> str:
    """Give a single statement."""
    return _filled(chance, chance.choice(SIMPLE), chance.sample(NOUNS, 3))


def _body(chance: random.Random, names: list[str], depth: int) -> list[str]:
    lines: list[str] = []
    for _ in range(max(1, int(chance.expovariate(0.25 * depth)))):
        if depth < DEEPEST and chance.random() < 0.25:
            lines.append("    " * depth + _filled(chance, chance.choice(BLOCKS), names))
            lines += _body(chance, names, depth + 1)
        else:
            lines.append("    " * depth + _filled(chance, chance.choice(SIMPLE), names))
    return lines


def _filled(chance: random.Random, template: str, names: list[str]) -> str:
    return template.format(
        a=chance.choice(names),
        b=chance.choice(names),
        c=chance.choice(NOUNS),
        C=chance.choice(NOUNS).title(),
        noun=chance.choice(NOUNS),
        verb=chance.choice(VERBS),
        n=chance.randrange(1000),
    )
