"""The hosts, each behind the same two functions: what it told, and what it is answered."""

from __future__ import annotations

from tacit.happening import Answer, Moment
from tacit.interfaces.hooks.events import EVENTS, moment_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.happening import Happening

PROBE = "heard"
LONGEST_ANSWER = 9_500  # characters; from 10,000 on, hosts keep a text back and show its start


def read(host: str, event: str, payload: dict[str, Any], folder: str) -> Happening | None:
    """Understand one call of a hook; None when nothing of ours happens."""
    moment = moment_of(host, event)
    if not moment:
        return None
    found: Happening | None = _host(host).read(Moment(moment), event, payload, folder)
    if found is None:
        return None
    # Some hosts drop what is said at some events: then nothing is worth finding out.
    heard = PROBE in _host(host).answer(Moment(moment), event, Answer(context=PROBE))
    return found if heard else found.replace(heard=False)


def write(host: str, event: str, answer: Answer) -> str:
    """Give what to print, in the host's own words and within its limits."""
    moment = moment_of(host, event)
    if not moment:
        return ""
    said = Answer(context=_bounded(answer.context), notice=_bounded(answer.notice))
    text: str = _host(host).answer(Moment(moment), event, said)
    return text


def _host(host: str) -> Any:
    assert host in EVENTS
    # Only the one host's: and not by `importlib`, which is a module more to load.
    return __import__(f"tacit.interfaces.hooks.{host}", fromlist=["read"])


def _bounded(words: str) -> str:
    """Cut what is too long at a whole line and close the fence; the budget makes this rare."""
    if len(words) <= LONGEST_ANSWER:
        return words
    from tacit.fence import CLOSE

    kept = words[: LONGEST_ANSWER - len(CLOSE) - 1]
    kept = kept[: max(kept.rfind("\n"), 0)] or kept
    return f"{kept}\n{CLOSE}" if CLOSE in words else kept
