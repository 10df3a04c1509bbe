"""What an agent puts off with an excuse: "I'll refactor this later", "good enough for now".

Such words are kept as an episode of their own, about the files at hand, so that what was put off
is found when somebody comes back to them. Only plain phrases count, in English and in the first
person: what is missed was said otherwise, what is taken was said so. Questions and code are left
out, for they promise nothing.
"""

from __future__ import annotations

from tacit.body import Episode
from tacit.draft import Draft
from tacit.fence import without_fenced
from tacit.model import Kind, Origin, State, Trust
from tacit.pattern import pattern
from tacit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.record import SessionRecord

SUBTYPE = "rationalisation"
LONGEST_READ = 40_000  # characters of one answer
MOST = 3  # of one answer
SENTENCE_CHARS = 300
MOST_FILES = 10
IMPORTANCE = 0.3  # a remark in passing
# Without one of these there is nothing to find, and most answers have none.
_TELLING = ("later", "afterwards", "eventually", "another time", "for now")
_CODE = pattern(r"(?s)```.*?(?:```|\Z)|`[^`\n]*`")
_SENTENCE = pattern(r"[^.!?\n]+[.!?]?")
_PUT_OFF = pattern(
    r"(?i)\b(?:I|we|let's)\b[^,;:]{0,40}?\b(?:refactor|clean(?: \w+){0,3} up|tidy|fix|rewrite"
    r"|revisit|document|address|improve|(?:add|write)(?: \w+){0,2} tests?|test)\b[^,;:]{0,60}"
    r"\b(?:later|afterwards|eventually|another time)\b"
    r"|\b(?:skip|ignor|disabl|silenc|bypass)\w*\b.{0,40}\b(?:tests?|checks?|lint\w*|types?|errors?"
    r"|warnings?)\b.{0,30}\bfor now\b"
    r"|\b(?:good enough|quick fix|hack\w*|workaround|hard-?cod\w+|stub\w*)\b.{0,60}\bfor now\b"
    r"|\bfor now\b.{0,60}\b(?:good enough|quick fix|hack\w*|workaround|hard-?cod\w+|stub\w*)\b"
)


def put_off(text: str) -> list[str]:
    """Give the sentences of an answer that put something off, each once, in order."""
    low = text[:LONGEST_READ].casefold()
    if not any(word in low for word in _TELLING):
        return []
    plain = _CODE.sub(" ", without_fenced(text[:LONGEST_READ]))
    sentences = (" ".join(one.split()) for one in _SENTENCE.findall(plain))
    found = [one for one in sentences if not one.endswith("?") and _PUT_OFF.search(one)]
    return list(dict.fromkeys(found))[:MOST]


def rationalisations(text: str, record: SessionRecord, *, review: bool) -> list[Draft]:
    """Give an episode for each thing that was put off; they wait for a person where asked for."""
    from hashlib import sha256

    from tacit.ingest.redaction import redact

    goal = redact(record.goal).text
    return [
        Draft(
            text=f"Put off: “{said}” The task was: {goal}",
            kind=Kind.EPISODE,
            body=Episode(task_id=record.id, goal=goal),
            title=shorten(f"Put off: {said}", 50),
            subtype=SUBTYPE,
            importance=IMPORTANCE,
            state=State.CANDIDATE if review else State.ACTIVE,
            session=record.id,
            author=record.agent,
            origin=Origin.EXTRACTED,
            trust=Trust.AGENT,
            files=record.files[-MOST_FILES:],
            source_ref=f"{record.id}#{SUBTYPE}-{sha256(said.encode()).hexdigest()[:12]}",
            renews=True,
        )
        for said in (shorten(redact(one).text, SENTENCE_CHARS) for one in put_off(text))
    ]
