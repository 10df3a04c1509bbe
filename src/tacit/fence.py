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
MOST_CITED = 200
LONGEST_READ = 400_000
# Codex ends an answer with a block of its own in which a line may name a memory.
_CODEX = pattern(r"(?s)<oai-mem-citation>(.*?)(?:</oai-mem-citation>|\Z)")
_NAMED = pattern(r"\btacit:(?://memory/)?([a-z2-7]{8,50})\b")
_CITATIONS = (  # with what leads to them: `Applied: [M:…], [R:…]`, `(per [G:…])`, `as [R:…] says,`
    r"(?i:(?:\b(?:applied|applying|used|using|per|see|via|cited|following|from|as)\b|memor(?:y|ies))\**[ \t]*:?\**[ \t]*)?"
    r"`?\[[MGR]:[a-z2-7]{4,50}\]`?(?:[ \t]*(?:,|;|and|&)?[ \t]*(?:again[ \t]+)?`?\[[MGR]:[a-z2-7]{4,50}\]`?)*"
    r"(?:[ \t]+(?:says|states|notes|requires|said),)?"
)
_CITING_LINE = pattern(rf"(?m)^[ \t>*_-]*{_CITATIONS}[ \t.*_]*(?:\n|\Z)")
_CITED = pattern(rf"[ \t]*\([ \t]*{_CITATIONS}[ \t]*\)|[ \t]*{_CITATIONS}")
_CITES = ("[M:", "[G:", "[R:")

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


def cited_in(text: str) -> list[str]:
    """Give the short names of the memories an agent's words cite, each once, in order."""
    text = without_fenced(text[:LONGEST_READ])  # what was handed over is not a citation
    found = CITATION.findall(text)
    for block in _CODEX.findall(text):
        found += _NAMED.findall(block)
    return list(dict.fromkeys(found))[:MOST_CITED]


def without_marks(text: str) -> str:
    """Give a text without what Tacit had put into it and without citations of its memories."""
    text = _CODEX.sub("", without_fenced(text)) if "<oai-mem" in text else without_fenced(text)
    if any(sign in text for sign in _CITES):
        text = _CITED.sub("", _CITING_LINE.sub("", text))
    return text
