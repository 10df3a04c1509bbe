"""The marks around what Tacit hands to an agent, so that it is known again when it comes back.

Whatever is injected stands between the marks; a reader of transcripts takes it out again, or
the memory would learn from itself.
"""

from __future__ import annotations

from tacit.pattern import pattern

NAME = "tacit-memory"
OPEN = f"<{NAME}>"
CLOSE = f"</{NAME}>"
CITATION = pattern(r"\[[MGR]:([a-z2-7]{8,})\]")

# A fence that was cut off ends with the text: what follows an open mark is never the user's.
_FENCED = pattern(rf"(?s)<{NAME}\b[^>]*>.*?(?:</{NAME}>|\Z)")


def fenced(text: str) -> str:
    """Put a text between the marks; marks within it are broken, however they are nested."""
    broken = NAME.replace("-", " ")
    for begin in ("<", "</"):
        text = text.replace(f"{begin}{NAME}", f"{begin}{broken}")
    return f"{OPEN}\n{text}\n{CLOSE}"


def without_fenced(text: str) -> str:
    """Give a text without what Tacit had put into it."""
    return _FENCED.sub("", text) if f"<{NAME}" in text else text
