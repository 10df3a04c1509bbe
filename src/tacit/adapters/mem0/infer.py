"""What of a conversation is worth keeping, sentence by sentence and without a language model. Pure.

A sentence is kept when it states something: who somebody is, what they like, have, do or decided.
Questions, requests, thanks and code are passed over. The words stay those that were said.
"""

from __future__ import annotations

import re

from tacit.text import content_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

LONGEST = 500  # characters of a sentence; a longer one is pasted, not said
MOST = 200  # sentences of one call
_CODE = re.compile(r"```.*?(?:```|\Z)|^(?:>|\t| {4}).*$", re.S | re.M)
_END = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\b[A-Z]\.)(?<!\b[DM]r\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)"
    r"(?<=[.!?…])[\"')\]]*\s+|\n+"
)
_LEAD = re.compile(
    r"^(?:[-*•]\s+|\d+[.)]\s+|(?:hi|hello|hey|dear all|good (?:morning|evening|afternoon)|thanks?(?: you)?|ok(?:ay)?|"
    r"sure|well|so|oh|yes|yeah|no|and|but|also|btw|by the way|please note(?: that)?|remember that|note that|fyi|great|cool|nice)\b"
    r"(?:\s+(?:there|again|everyone|all|a lot|so much|very much))?[,:;.!\s–—-]*)+",
    re.I,
)
_ASKS = re.compile(
    r"^(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|can|could|will|would|shall|should|may|"
    r"might|have|has|had|any)\b.*\?|\?[\"')\]]*$",
    re.I | re.S,
)
_WANTS = re.compile(
    r"^(?:please|can you|could you|would you|will you|let me know|let's|let us|tell me|show me|give me|help me|explain|"
    r"write|make|find|list|summari[sz]e|translate|try|fix|check|go ahead|i(?:'d| would) like you to|i want you to|i need you to)\b",
    re.I,
)
_OWN = re.compile(
    r"\b(?:i|i'm|i'd|i've|i'll|my|mine|me|we|we're|we've|our|us|name is|called)\b", re.I
)


def understood(messages: Sequence[dict[str, Any]], *, of_agent: bool) -> list[tuple[str, str]]:
    """Give the sentences that state something, each once, with who said it.

    What the assistant says is its own doing, and kept only where an agent's memory is meant.
    """
    roles = ("user", "assistant") if of_agent else ("user",)
    found: dict[str, str] = {}
    for message in messages:
        if message["role"] in roles:
            for sentence in statements(message["content"]):
                found.setdefault(sentence, message["role"])
    return list(found.items())[:MOST]


def statements(text: str) -> Iterator[str]:
    """Give the sentences of a text that state something."""
    for part in _END.split(_CODE.sub("\n", text)):
        sentence = _LEAD.sub("", " ".join(part.split())).strip()
        if sentence and len(sentence) <= LONGEST and _states(sentence):
            yield sentence


def texts_of(messages: Sequence[Any]) -> list[dict[str, Any]]:
    """Give the messages that hold words: of several blocks the texts, joined; pictures are left out."""
    found: list[dict[str, Any]] = []
    for message in messages:
        if not isinstance(message, dict) or not message.get("role"):
            continue
        content = message.get("content")
        if isinstance(content, list):
            blocks = [each for each in content if isinstance(each, dict)]
            content = " ".join(str(b["text"]) for b in blocks if b.get("type") == "text")
        if isinstance(content, str) and content.strip():
            found.append({**message, "content": content})
    return found


def _states(sentence: str) -> bool:
    if _ASKS.search(sentence) or _WANTS.match(sentence):
        return False
    telling = len(content_words(sentence))
    return telling >= (1 if _OWN.search(sentence) else 2)
