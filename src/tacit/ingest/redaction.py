"""Secrets and private spans are removed here, before anything is kept, indexed or embedded.

Knows how to find and replace; what a secret looks like is in `secret_patterns`. Every rule reads the
same text, and overlapping finds become one placeholder. Nothing is compiled until a text holds
a rule's trigger, because most texts hold few and hooks start cold.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from tacit.hidden import without_hidden
from tacit.ingest import secret_patterns as secrets
from tacit.ingest.secret_values import CHECKS, compiled, machine_setting
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Start, end, rank, type. Where finds overlap the lowest rank names the placeholder.
Span = tuple[int, int, int, str]
LAST_RANK = 1000

# A literal, where it is looked for (the text, its long words, the text in lower case), and the
# pattern it calls for with its rank and type.
Trigger = tuple[str, int, str, int, str]
IN_TEXT, IN_LONG_WORDS, IN_LOWERED = range(3)

# A replacement can give its neighbour the word boundary it lacked, so we look again until
# nothing is found: mostly once more. Neighbours do not unlock each other in longer chains.
LOOKS = 8
SHORTEST = 14  # characters of the shortest secret that begins with a mark of its own

# A value is judged by its beginning: after a name this is enough, and keeps texts full of half
# assignments cheap; a cookie may begin with many harmless pairs.
NAMED_CHARS = 64
MARKED_CHARS = 4000

PRIVATE_TAG = r"(?i)(?:<|&lt;|\\u003c)(?P<closing>/?)\s{0,8}private\s{0,8}(?:>|&gt;|\\u003e)"

# `name = value` in the ways of shells, JSON, YAML, headers, programs and people.
SIGN = (
    r"[\\\"'`\]*)]{0,6}+[ \t]{0,20}+"
    r"(?P<sign>:[ \t]{0,4}[\w.\[\]|&<>?]{1,40}+[ \t]{0,4}=(?![=>~])|[:!=]==?|=>|->|[?:+]=|=|:"
    r"|\((?=\\*[\"'])|(?<=[\"']),(?= ?[\"'])|is(?= ))[ \t*]{0,20}+"
)
# The value may stand on the next line, as a block of YAML does.
BELOW = r"(?:(?:[|>][-+]?\d?|\()?[ \t]*(?:\r?\n|\\+n)[ \t]+|<<[-~]?\w+(?:\r?\n|\\+n)[ \t]*)"
LINE_END = r"\\*[\"'`]?[ \t),;]*(?:\r|\n|\\+n|\\*\"|$)"
JOINTS = str.maketrans("", "", " _.-")
OPENING = r"[bBrRuUfF]{0,2}(?P<escape>\\*)(?P<quote>[\"'`])"
TO_QUOTE = r"(?:[^%s\\\n]++|\\.)*"
TO_ESCAPED_QUOTE = r"[^%s\\\n]*+"
TO_SPACE = r"[^\s\"'`\\]*+"
TO_BRACKET = r"[^\s\"'`\\<>(){}\[\]]*+(?![(\[{<])"
TO_DELIMITER = r"[^\s\"'`\\<>(){}\[\]&,;|]*+(?![(\[{<])"


class Redacted(Value):
    """A text without its secrets, and how many of each type were taken out, by type."""

    text: str
    counts: tuple[tuple[str, int], ...]


def redact(text: str) -> Redacted:
    """Replace every secret and every private span by `[REDACTED:type]`.

    Characters that nobody sees go too, or one of them would hide a secret. Redacting twice
    changes nothing. Time grows with the length of the text, whatever its shape.
    """
    counts: dict[str, int] = {}
    text = without_hidden(text)
    text = _replace(text, list(_private(text)), counts)
    triggers = _triggers()
    for _ in range(LOOKS):
        lowered = text.replace("İ", "i").lower()  # the one letter that grows in lower case
        long = " ".join([word for word in text.split() if len(word) >= SHORTEST])
        within = (text, long, lowered)
        # What is not in this text will not be in it after replacing either.
        triggers = [t for t in triggers if t[0] in within[t[1]]]
        spans = [*_marked(text, lowered, triggers), *_key_bodies(text)]
        if any(word in lowered for word in secrets.NAME_TRIGGERS):
            spans += [*_named(text, lowered), *_assigned(text, lowered)]
        if not spans:
            break
        text = _replace(text, spans, counts)
    return Redacted(text=text, counts=tuple(sorted(counts.items())))


def _replace(text: str, spans: list[Span], counts: dict[str, int]) -> str:
    pieces = []
    kept_from = 0
    for start, end, _, type_ in _merged(spans):
        pieces += [text[kept_from:start], f"[REDACTED:{type_}]"]
        counts[type_] = counts.get(type_, 0) + 1
        kept_from = end
    return "".join([*pieces, text[kept_from:]])


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span[0] < merged[-1][1]:
            start, end = merged[-1][:2]
            rank, type_ = min((merged[-1][2], merged[-1][3]), (span[2], span[3]))
            merged[-1] = (start, max(end, span[1]), rank, type_)
        else:
            merged.append(span)
    return merged


def _private(text: str) -> Iterator[Span]:
    """Give the outermost `<private>` spans; one that is never closed ends with the text."""
    if "private" not in text.lower():
        return
    depth = start = 0
    for tag in compiled(PRIVATE_TAG).finditer(text):
        if not tag["closing"]:
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield start, tag.end(), 0, "private"
    if depth:
        yield start, len(text), 0, "private"


def _marked(text: str, lowered: str, triggers: list[Trigger]) -> Iterator[Span]:
    """Give the secrets that bear the mark of a format, or stand where a secret must."""
    rules = {source: (where, rank, type_) for _, where, source, rank, type_ in reversed(triggers)}
    for source, (where, rank, type_) in rules.items():
        pattern = compiled(source)
        group = next(iter(pattern.groupindex), None)
        check = CHECKS[group or "secret"]
        for match in pattern.finditer(lowered if where == IN_LOWERED else text):
            start, end = match.span(group or 0)
            if check(text[start : min(end, start + MARKED_CHARS)]):
                yield start, end, rank, type_


def _key_bodies(text: str) -> Iterator[Span]:
    """Give the lines of a key that stand without its header: base64, all of one width."""
    for newline in ("\n", "\\n"):
        if text.count(newline) < 2:
            continue
        for body in compiled(secrets.key_body(newline)).finditer(newline + text):
            start, end = (place - len(newline) for place in body.span("secret"))
            yield start, end, LAST_RANK, "private-key"


def _named(text: str, lowered: str) -> Iterator[Span]:
    """Give the secrets that follow their name in a table, a sentence, a command or a block."""
    for triggers, source, check in secrets.NAMED:
        if not any(trigger in lowered for trigger in triggers.split(",")):
            continue
        for found in compiled(source).finditer(lowered):
            start, end = found.span("value")
            value = text[start:end].rstrip(".,;:)]}" if check == "spoken" else " ")
            if type_ := _type_of_named(found["name"], value, check):
                yield start, start + len(value), LAST_RANK, type_


def _assigned(text: str, lowered: str) -> Iterator[Span]:
    """Give the secrets that only the name they are assigned to betrays."""
    pattern = compiled(secrets.NAME + SIGN)
    at = 0
    while match := pattern.search(lowered, at):
        at = match.end("name")
        below = compiled(BELOW).match(text, match.end())
        start = below.end() if below else match.end()
        opening = compiled(OPENING).match(text, start)
        start = opening.end() if opening else start
        run = compiled(_run_of_value(text, match, opening))
        value = _read(run, text, start, start + NAMED_CHARS, quoted=bool(opening))
        if below and not compiled(LINE_END).match(text, start + len(value)):
            continue
        type_ = _type_of_named(match["name"], value, _check_after(text, match, opening))
        if type_ and (whole := _read(run, text, start, len(text), quoted=bool(opening))):
            at = start + len(whole)
            yield start, at, LAST_RANK, type_


def _run_of_value(text: str, name: re.Match[str], opening: re.Match[str] | None) -> str:
    if opening:
        return (TO_ESCAPED_QUOTE if opening["escape"] else TO_QUOTE) % opening["quote"]
    if name["sign"] == "=" and text[name.start("name") : name.end("name")].isupper():
        return TO_SPACE
    return TO_DELIMITER if text[name.end() - 1] in "=:" else TO_BRACKET


def _check_after(text: str, name: re.Match[str], opening: re.Match[str] | None) -> str:
    """Give the check of a password that follows a name so; "" for the usual one."""
    if name["sign"] == "," or (name["sign"] == "is" and not opening):
        return "spoken"
    start, end = name.span("name")
    if name["name"] == "pass" and name["sign"] == ":":  # so do reports of tests begin
        return "spoken" if text[start] == "p" else "never"
    direct = name["sign"] == "=" and name.end() == name.end("sign")
    flag = text[max(start - 1, 0)] == "-"
    return "setting" if direct and (flag or text[start:end].isupper()) else ""


def _read(run: re.Pattern[str], text: str, start: int, stop: int, *, quoted: bool) -> str:
    found = run.match(text, start, stop)
    value = found.group() if found else ""
    return value if quoted else value.rstrip(".,;:)]}")


def _type_of_named(name: str, value: str, how: str) -> str | None:
    """Give the type of secret that the value is under this lower-case name, if it is one.

    `how` is the check of a password that stands as this one does; "" for the usual check.
    """
    if value.count("=") > 3:  # more assignments, not a value
        return None
    owners, type_, check = _expected(name)
    for owner, shape in owners:
        if compiled(shape).fullmatch(value) and len(set(value)) > 4:
            return owner
    if check == "password":
        check = how or check
    elif check == "token" and how == "setting":
        return type_ if machine_setting(value) else None
    return type_ if CHECKS[check](value) else None


@lru_cache(maxsize=1000)
def _expected(name: str) -> tuple[list[tuple[str, str]], str, str]:
    name = name.translate(JOINTS).rstrip("0123456789")
    owners = [
        (type_, shape)
        for type_, words, shape in secrets.OWNERS
        if any(word in name for word in words.split())
    ]
    _, type_, check = next(row for row in secrets.ENDINGS if name.endswith(row[0]))
    return owners, type_, check


@cache
def _triggers() -> list[Trigger]:
    tables = (
        (secrets.PATTERNS, IN_TEXT),
        (secrets.LONG_WORDS, IN_LONG_WORDS),
        (secrets.PREFIXES, IN_LONG_WORDS),
        (secrets.WORDS, IN_LONG_WORDS),
        (secrets.CONTEXTS, IN_LOWERED),
    )
    rules = [(table, where, *rule) for table, where in tables for rule in table]
    return [
        (trigger, where, _start(trigger, table) + rest, rank, type_)
        for rank, (table, where, type_, triggers, rest) in enumerate(rules)
        for trigger in triggers.split()
    ]


def _start(trigger: str, table: tuple[secrets.Rule, ...]) -> str:
    """Give how the pattern of a rule begins, where its trigger is the beginning of the secret."""
    if table is secrets.WORDS:
        return re.escape(trigger) + secrets.word_start(len(trigger))
    return re.escape(trigger) if table is secrets.PREFIXES else ""
