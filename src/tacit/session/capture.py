"""What hosts tell becomes events of a session, redacted and cut, kept at once.

Capturing goes on all the time, so that nothing depends on a session ending well. The events
wait in the store until they are made into memories (`tacit observe --pending`).
"""

from __future__ import annotations

from collections import Counter

from tacit import plain_json
from tacit.codec import to_json
from tacit.happening import Moment
from tacit.ingest.noise import words_of_prompt, words_of_result, words_of_summary
from tacit.ingest.reading import clean_text, digest
from tacit.observation import Event, Tool, What
from tacit.store.protocol import Observed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tacit.happening import Happening
    from tacit.store.protocol import Store

MOST_WORDS = 4_000
MOST_OUTPUT = 3_000
MOST_TARGET = 1_000
_WORDS: dict[Moment, tuple[What, Callable[[str], str]]] = {
    Moment.PROMPT: (What.PROMPT, words_of_prompt),
    Moment.TURN_END: (What.REPLY, str),
    Moment.SUBAGENT_END: (What.REPLY, str),
    Moment.POST_COMPACT: (What.SUMMARY, words_of_summary),
}


def capture(store: Store, happening: Happening, session: str, target: str, now: datetime) -> int:
    """Keep what happened as events of the session; give how many are new."""
    seen = [
        Observed(
            source=f"{session}#{event.id}",
            session=session,
            at=event.at or now,
            json=plain_json.dumps(to_json(event), ensure_ascii=False),
        )
        for event in events_of(happening, target, now)
    ]
    return store.observe(seen) if seen else 0


def said_in(happening: Happening) -> str:
    """Give what a person wrote in a prompt, clean and without what the host put around it."""
    return clean_text(words_of_prompt(happening.text), Counter(), MOST_WORDS)


def events_of(happening: Happening, target: str, now: datetime) -> list[Event]:
    """Give the events a happening tells of; `target` is its path within the project."""
    counts: Counter[str] = Counter()
    at = happening.at or now
    if happening.moment in _WORDS:
        what, words = _WORDS[happening.moment]
        text = clean_text(words(happening.text), counts, MOST_WORDS)
        if not text.strip() or (what is What.PROMPT and not happening.asked):
            return []
        id_ = digest(what.value, text, at.isoformat())
        return [Event(id=id_, what=what, at=at, text=text, side=bool(happening.agent))]
    if happening.moment not in (Moment.POST_TOOL, Moment.TOOL_FAILED):
        return []
    from tacit.ingest.tool_names import is_own

    if is_own(happening.name):
        return []
    return _of_tool(happening, target, at, counts)


def _of_tool(happening: Happening, target: str, at: datetime, counts: Counter[str]) -> list[Event]:
    call = happening.call or digest(happening.name, target, at.isoformat())
    made = Event(
        id=f"{call}-call",
        what=What.CALL,
        at=at,
        tool=happening.tool or Tool.OTHER,
        name=happening.name[:100],
        call=call,
        target=clean_text(target, counts, MOST_TARGET),
        side=bool(happening.agent),
    )
    result = made.replace(
        id=f"{call}-result",
        what=What.RESULT,
        text=clean_text(words_of_result(happening.output), counts, MOST_OUTPUT),
        failed=happening.moment is Moment.TOOL_FAILED,
    )
    before = clean_text(happening.before, counts, MOST_OUTPUT)
    after = clean_text(happening.after, counts, MOST_OUTPUT)
    return [made.replace(before=before, after=after), result]
