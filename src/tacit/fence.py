"""The marks around what Tacit hands to an agent, so that it is known again when it comes back.

Whatever is injected stands between the marks; a reader of transcripts takes it out again, or
the memory would learn from itself. A text can neither end the fence nor look as if it did: a
model reads letters, not bytes.
"""

from __future__ import annotations

from tacit.hidden import printable
from tacit.pattern import pattern

NAME = "tacit-memory"
OPEN = f"<{NAME}>"
CLOSE = f"</{NAME}>"
CITATION = pattern(r"\[[MGR]:([a-z2-7]{8,})\]")

_BRACKETS = "<\uff1c\u2039\u3008\u27e8\ufe64\u02c2\u276e\u1438"
# Letters of other scripts that look like those of the name, or their capitals do.
_ALIKE = dict(
    zip(
        "\u0430\u0441\u0435\u043e\u0456\u0442\u043c\u0443\u03c4\u03b1\u03b9\u03bf\u03bc",
        "aceoitmytaiom",
        strict=True,
    )
)
_MARK = pattern(
    rf"[{_BRACKETS}][\s/\u2044\u2215\u200c\u200d]*(t~a~c~i~t[\s\u200c\u200d]*"
    r"[-_\u2010-\u2015\u2212][\s\u200c\u200d]*m~e~m~o~r~y)".replace("~", "[\u200c\u200d]*")
)

# A fence that was cut off ends with the text: what follows an open mark is never the user's.
_FENCED = pattern(rf"(?s)<{NAME}\b[^>]*>.*?(?:</{NAME}>|\Z)")


def fenced(text: str) -> str:
    """Put a text between the marks; marks within it are broken, however they are nested."""
    return f"{OPEN}\n{harmless(text)}\n{CLOSE}"


def harmless(text: str) -> str:
    """Break the marks in a text and what looks like them; take out what nobody sees."""
    text = printable(text)
    if not any(bracket in text for bracket in _BRACKETS):
        return text
    seen = text.lower() if text.isascii() else "".join(map(_seen_as, text))
    if "memory" not in seen and text.isascii():
        return text
    for found in reversed(list(_MARK.finditer(seen))):
        begin, end = found.span(1)
        text = text[:begin] + NAME.replace("-", " ") + text[end:]
    return text


def _seen_as(letter: str) -> str:
    """Give the plain letter that one looks like; always one, so that places stay the same."""
    if letter.isascii():
        return letter.lower()
    from unicodedata import normalize

    plain = normalize("NFKC", letter).lower()
    return _ALIKE.get(plain, plain) if len(plain) == 1 else letter


def without_fenced(text: str) -> str:
    """Give a text without what Tacit had put into it."""
    return _FENCED.sub("", text) if f"<{NAME}" in text else text
