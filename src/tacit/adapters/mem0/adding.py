"""How messages become memories: as they were said, or what they state."""

from __future__ import annotations

import logging
from datetime import timedelta

from tacit.adapters.mem0.checks import PROCEDURAL
from tacit.adapters.mem0.payload import (
    IDENTITY,
    MADE,
    SOURCE,
    began,
    cleaned,
    episode_of,
    fact_of,
    held,
)
from tacit.adapters.mem0.place import mentions_of, scope_of
from tacit.draft import Draft
from tacit.model import Origin, Temporal, Trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from tacit.model import Memory
    from tacit.system import Tacit

    Known = dict[str, Any]
    Saying = tuple[str, Known]  # a text and what is known of it

TICK = timedelta(microseconds=1)
_log = logging.getLogger(__name__)


def as_said(tacit: Tacit, sayings: Sequence[Saying], ids: Mapping[str, str]) -> list[Memory]:
    """Keep texts as they are, each as a memory of its own; give the memories in order.

    What was said is a happening: the same words said again are another one. Of two at the very
    same moment one is kept as a moment earlier.
    """
    drafts = _drafts(tacit, sayings, ids, said=True)
    kept: dict[str, Memory] = {}
    waiting = drafts
    while waiting:
        kept |= {each.source_ref: each for each in tacit.write(waiting).memories}
        waiting = [_earlier(each) for each in waiting if each.source_ref not in kept]
    return [kept[each.source_ref] for each in drafts]


def as_understood(tacit: Tacit, sayings: Sequence[Saying], ids: Mapping[str, str]) -> list[Memory]:
    """Keep what is stated, once for these ids; give what was new."""
    drafts = _drafts(tacit, sayings, ids, said=False)
    return list(tacit.write(drafts).fresh) if drafts else []


def metadata_of(given: Mapping[str, Any] | None, known: Known, context: str) -> Known:
    """Give metadata as it may be kept: it says nothing of whose a memory is, and no secrets."""
    kept: Known = {}
    for name, value in (given or {}).items():
        if name in IDENTITY:
            if value != known.get(name):
                _log.warning("%s: ignoring metadata[%r]: ids are set by arguments", context, name)
        elif name not in MADE:
            kept[str(name)] = cleaned(value, str(name))
    return kept


def procedure(said: Sequence[Known], known: Known) -> list[Saying]:
    """Give a conversation as one text, for a memory of how something was done."""
    text = "\n".join(f"{each['role']}: {each['content']}" for each in said)
    return [(text, known | {"memory_type": PROCEDURAL})] if text else []


def _drafts(
    tacit: Tacit, sayings: Sequence[Saying], ids: Mapping[str, str], *, said: bool
) -> list[Draft]:
    now, scope = tacit.clock.now(), scope_of(tacit.scope, ids)
    drafts: list[Draft] = []
    for number, (text, known) in enumerate(sayings):
        at = began(known, now - (len(sayings) - 1 - number) * TICK)
        holds = held(at, known.get("expiration_date"))
        drafts.append(
            Draft(
                text=text,
                body=episode_of(known) if said else fact_of(known),
                subtype=str(known.get("role") or "") if said else "",
                temporal=Temporal.TIMELESS,  # mem0's memories do not age
                valid_from=holds.valid_from,
                valid_to=holds.valid_to,
                scope=scope,
                session=scope.path if "run_id" in ids else "",
                origin=Origin.AGENT,
                trust=Trust.AGENT,
                source_ref=f"{SOURCE}{tacit.clock.new_id()}",
                mentions=mentions_of(ids),
            )
        )
    return drafts


def _earlier(given: Draft) -> Draft:
    assert given.valid_from is not None
    return given.replace(valid_from=given.valid_from - TICK)
