"""Answers kept by what was asked, so that the same question is paid for once.

One document in the store, bounded in number and size; the oldest go first. It holds the hash
of what was asked and the answer, never the question.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.encode.llm.port import Documents

DOCUMENT = "llm:cache"
MOST_ANSWERS = 200
MOST_CHARS = 500_000  # of all answers together
MOST_ANSWER_CHARS = 50_000  # a longer one is not kept: it would push out too many others


def key_of(name: str, system: str, prompt: str, most_tokens: int) -> str:
    """Give the hash of all that decides an answer."""
    import json
    from hashlib import sha256

    asked = json.dumps([name, system, prompt, most_tokens])
    return sha256(asked.encode()).hexdigest()


class Cache:
    """The answers kept in a store."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def get(self, key: str) -> str | None:
        """Give the answer kept under a key."""
        return self._read().get(key)

    def put(self, key: str, answer: str) -> None:
        """Keep an answer and let the oldest go that no longer fit."""
        if len(answer) > MOST_ANSWER_CHARS:
            return
        with self._documents.transaction(durable=False):
            answers = self._read()
            answers.pop(key, None)
            answers[key] = answer
            chars = sum(map(len, answers.values()))
            while len(answers) > MOST_ANSWERS or chars > MOST_CHARS:
                oldest = next(iter(answers))
                chars -= len(answers.pop(oldest))
            self._write(answers)

    def clear(self) -> None:
        """Forget all answers: they quote sessions, and what is erased must not stay in them."""
        if self._documents.load(DOCUMENT) is not None:
            self._write({})

    def _read(self) -> dict[str, str]:
        import json

        try:
            data = json.loads(self._documents.load(DOCUMENT) or "{}")
        except ValueError:  # a cache that cannot be read is as good as an empty one
            return {}
        pairs = data.items() if isinstance(data, dict) else ()
        return {key: answer for key, answer in pairs if isinstance(answer, str)}

    def _write(self, answers: dict[str, str]) -> None:
        import json

        self._documents.save(DOCUMENT, json.dumps(answers))
