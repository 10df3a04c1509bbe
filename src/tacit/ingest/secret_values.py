"""Whether a value is a secret: made by a machine, chosen by a person, or only a name for one."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


@cache
def compiled(source: str) -> re.Pattern[str]:
    """Compile a pattern the first time it is needed. Letters and digits are ASCII here."""
    return re.compile(source, re.ASCII)


# Signs that a value stands for another, or that a person is to put theirs here.
_STAND_IN_PARTS = (
    "[redacted:", "${", "$(", "{{", "(?", "://", "[a-z", "[0-9", "0-9a-z", "xxxx", "***", "...",
    "…", "•", "your", "example", "changeme", "change_me", "change-me", "placeholder", "dummy",
    "redacted", "insert", "replace",
)  # fmt: skip
_STAND_IN = (
    r"<|[!*&][a-z_.-]+\d{0,3}$|&#|%\(?\w+\)?[%s]|\$\w+$|[^{]*\{[\w.]*\}|arn:|\d{4}-\d\d-\d\dt"
    r"|(?:x+|none|null|nil|true|false|undefined|string|bytes|username|(?:my)?pass(?:word|wd)?|pwd"
    r"|secret|token|test|empty|default|required|optional)$"
)
_ALGORITHM = (
    r"(?:sha|md|utf|base|o?auth|argon|bcrypt|pbkdf|scrypt|aes|rsa|ed|x|rfc|tls|ssl|http|ipv|py"
    r"|python|win|int|uint|float|latin|pkcs|ntlmv|cp|iso|mp|h|v|f|rot|crc|des|id|ec|sec|es|hs|rs"
    r"|ps|p)[-_]?\d[\d.]*(?:[-_/][\w./-]*|[a-z]{3,})?"
)
_PROSE = frozenset(
    "a an the is are was be must may can should will not no to of at for in on with without and or "
    "if your you my his her their its this that these please enter field input value least more "
    "than characters chars letters digits required optional invalid wrong incorrect missing "
    "password passwords token secret key user username from by has have as it default text".split()
)
_COMMON = frozenset("postgres mysql mariadb guest admin docker production development".split())
_NAME_LIKE = r"[._/:@~+-]*(?:(?:[A-Za-z]+\d{0,3}|\d+|[a-z]\d[a-z])(?:[._/:@~+-]+|$))+"
_ATTRIBUTE = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"
_NOT_RANDOM = rf"{_ATTRIBUTE}|(?:AAAA[BCE]3NzaC|sha\d+-|data:).*|[^0-9]+"
_SAME_SORT = r"[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+"
_PIECE = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+"
# The two hundred commonest pairs of letters in words and names: the first and what follows it.
_FOLLOWERS = {
    row[0]: row[1:]
    for row in (
        "abcdgilmnprstuvy baeilou caehiklortu daeiosu eacdefglmnprstvx faefilou gaehinr haeio "
        "iabcdefglmnoprstvz keis ladeilostuy maeiop nacdefginostv oacdglmnoprstuvw paeiloprstu qu "
        "racdeimnorstuy sacehiopstu tacehilorstuy uabcegilmnprst vaei waei xpt yp ze"
    ).split()
}

_DIGITS = frozenset("0123456789")
_SIGNS = frozenset("!@#$%^&*+?~|")


def real(value: str) -> bool:
    """Whether this is a value, not a reference to one or a place left for one."""
    lowered = value.lower()
    if len(set(lowered)) < 3 or any(part in lowered for part in _STAND_IN_PARTS):
        return False
    return not compiled(_STAND_IN).match(lowered)


def password(value: str) -> bool:
    """Whether a person may have chosen this: not a plain word, not code, not a path."""
    if len(value.split()) != 1:
        return _phrase(value)
    signed = not _SIGNS.isdisjoint(value.rstrip("!?"))
    if len(value) < 6 or not (signed or not _DIGITS.isdisjoint(value) or _made_up(value)):
        return False
    if not real(value) or compiled(rf"[~.]?/.*|{_ATTRIBUTE}").fullmatch(value):
        return False
    named = compiled(r"(?i)pass|pwd|secret|token|key").search(value)
    return signed or not named or not compiled(_NAME_LIKE).fullmatch(value)


def setting(value: str) -> bool:
    """Whether this is a password where nothing but a value can stand: a plain word may be one."""
    if password(value):
        return True
    lowered = value.lower()
    words = lowered.split()
    if len(value) < 6 or not lowered.replace(" ", "").isalpha() or not real(value):
        return False
    named = compiled(r"pass|pwd|secret|token|key").search(lowered)
    return not named and _PROSE.isdisjoint(words) and _COMMON.isdisjoint(words)


def machine_setting(value: str) -> bool:
    """Whether this is a token where nothing but a value can stand: a word with digits may be one."""
    if token(value):
        return True
    named = compiled(r"(?i)pass|pwd|secret|token|key|test|demo|fake").search(value)
    digits = sum(letter.isdigit() for letter in value)
    return len(value) >= 12 and value.isalnum() and digits > 1 and not named and real(value)


def spoken(value: str) -> bool:
    """Whether a word of a sentence can only be a password."""
    value = value.rstrip(".,;:!?)")
    if len(value) < 6 or not password(value) or compiled(rf"(?i){_ALGORITHM}").fullmatch(value):
        return False
    if not value.isascii() or not compiled(r"[^<>(){}\[\]\"'`\\]+").fullmatch(value):
        return False
    if value.isalpha():
        return _made_up(value)
    if not any(letter.isalpha() for letter in value):
        return False
    if compiled(_NAME_LIKE).fullmatch(value) and not value.isalnum():
        return _legible(value) < 0.5 and _DIGITS.isdisjoint(value[:1])
    return True


def token(value: str) -> bool:
    """Whether a machine made this: letters and digits that no one would read aloud."""
    if len(value) < 8 or len(value.split()) != 1 or value.isdigit() or not real(value):
        return False
    if _DIGITS.isdisjoint(value):
        return _made_up(value) and (value.isalpha() or not compiled(_NAME_LIKE).fullmatch(value))
    if compiled(_NAME_LIKE).fullmatch(value):
        letters = "".join(compiled(r"[A-Za-z]+").findall(value))
        return len(letters) >= 5 and value.isalnum() and _legible(letters) < 0.6
    if compiled(_ATTRIBUTE).fullmatch(value):
        return _legible(value) < 0.25
    many = max(2 if value.isalnum() and len(value) >= 10 else 3, len(value) // 12)
    return len(compiled(r"[0-9]+").findall(value)) >= many or _legible(value) < 0.6


def random(value: str) -> bool:
    """Whether this is long and of all sorts, for names that do not say "secret"."""
    if len(value) < 20 or value.lower() == value or value.upper() == value:
        return False
    if not token(value) or compiled(_NOT_RANDOM).fullmatch(value):
        return False
    return _sorts_share(value) > 0.45


def cookie(value: str) -> bool:
    """Whether one of these `name=value` pairs carries a session."""
    pairs = [part.partition("=")[2].strip() for part in value.split(";")]
    return "[REDACTED:" not in value and any(len(pair) >= 16 and token(pair) for pair in pairs)


def card(value: str) -> bool:
    """Whether this is a payment card: a known issuer, and Luhn's check (ISO/IEC 7812-1)."""
    digits = [int(c) for c in reversed(value) if c.isdigit()]
    issuers = "3[47]" if len(digits) == 15 else "4|5[1-5]|6011|65"
    if not value.isdigit():  # grouped as on a card, so the rarer issuers are believed too
        issuers += "|2[2-7]|35|64"
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    valid = (sum(digits[::2]) + sum(doubled)) % 10 == 0
    return valid and len(set(digits)) > 2 and bool(compiled(issuers).match(value))


def _phrase(value: str) -> bool:
    """Whether some words are a password: few, no sentence, and one that no sentence has."""
    words = value.split()
    if not 2 <= len(words) <= 6 or len(value) > 60 or not real(value):
        return False
    if not compiled(r"[^<>(){}\[\]\"'`\\=:,;]+").fullmatch(value) or value[-1] in ".?":
        return False
    return _PROSE.isdisjoint(value.lower().split()) and any(
        any(c.isalpha() for c in word) and not word.rstrip("!").isalpha() and word[0] != "%"
        for word in words
    )


def _made_up(value: str) -> bool:
    """Whether letters alone are no words: too few of their pairs are, and they are mixed."""
    if len(value) < 8 or value.lower() == value or value.upper() == value:
        return len(value) >= 12 and value.isalpha() and _legible(value) < 0.3
    return _legible(value) < 0.4 and (value.isalpha() or _sorts_share(value) > 0.6)


def _legible(value: str) -> float:
    """Give the share of the letters that stand in pieces made of the pairs of words."""
    pieces = compiled(_PIECE).findall(value)
    legible = sum(len(piece) for piece in pieces if len(piece) > 2 and _has_pairs(piece.lower()))
    return legible / max(sum(map(len, pieces)), 1)


def _has_pairs(piece: str) -> bool:
    common = sum(b in _FOLLOWERS.get(a, "") for a, b in pairwise(piece))
    return common >= 0.6 * (len(piece) - 1)


def _sorts_share(value: str) -> float:
    return len(compiled(_SAME_SORT).findall(value)) / len(value)


CHECKS: dict[str, Callable[[str], bool]] = {
    "secret": bool,
    "real": real,
    "password": password,
    "setting": setting,
    "spoken": spoken,
    "token": token,
    "random": random,
    "cookie": cookie,
    "card": card,
    "never": lambda _value: False,
}
