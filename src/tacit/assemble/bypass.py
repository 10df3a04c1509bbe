"""Types of tasks whose prompts do without memory, because what they were handed was never used.

Only what was judged counts: memories that a finished session cited or ignored. Whoever goes
without gives no new evidence, so what lies further back is left out of the count: after that time
the type is handed memory again, and shows anew whether it is of use.
"""

from __future__ import annotations

from tacit import plain_json
from tacit.assemble.economics import USED
from tacit.clock import timedelta
from tacit.model import UsageEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tacit.model import Usage
    from tacit.record import QueryRecord
    from tacit.store.protocol import Store

DOCUMENT = "bypass"
QUERIES = 2_000  # the latest
LOOK_BACK = timedelta(days=30)
# Where one memory in ten is of use, twenty that are not in a row are met once in eight times;
# five sessions, so that it is not the work of one afternoon.
LEAST_IGNORED = 20
LEAST_SESSIONS = 5


def without_use(
    prompts: Iterable[tuple[str, QueryRecord]],
    queries: Iterable[QueryRecord],
    usage: Iterable[Usage],
) -> tuple[str, ...]:
    """Give the types, of prompts with their types, for which nothing handed over was used.

    A memory is of use to a session by whichever query of it that was told.
    """
    sessions = {query.id: query.session for query in queries}
    used: set[tuple[str, str]] = set()
    ignored: set[tuple[str, str]] = set()
    for one in usage:
        if one.event in USED:
            used.add((sessions.get(one.query_id, one.query_id), one.memory_id))
        elif one.event is UsageEvent.IGNORED:
            ignored.add((one.query_id, one.memory_id))
    idle: dict[str, list[str]] = {}  # type → the session of each memory that was ignored
    helped = set()
    for type_, prompt in prompts:
        for chosen in prompt.selected:
            if (prompt.session, chosen.memory) in used:
                helped.add(type_)
            elif (prompt.id, chosen.memory) in ignored:
                idle.setdefault(type_, []).append(prompt.session)
    return tuple(
        sorted(
            type_
            for type_, where in idle.items()
            if type_ not in helped
            and len(where) >= LEAST_IGNORED
            and len(set(where)) >= LEAST_SESSIONS
        )
    )


def tally_bypass(store: Store, now: datetime) -> tuple[str, ...]:
    """Count which types of tasks had no use of memory lately, and keep their names."""
    from tacit.retrieve.task import detect

    queries = store.queries(limit=QUERIES)
    lately = [one for one in queries if one.kind == "prompt" and now - one.at <= LOOK_BACK]
    detected = [(detect(one.text), one) for one in lately]
    prompts = [(found.task_type, one) for found, one in detected if found.known]
    found = without_use(prompts, queries, store.usage())
    if found != bypassed_types(store):
        store.save(DOCUMENT, plain_json.dumps(list(found)))
    return found


def bypassed_types(store: Store) -> tuple[str, ...]:
    """Give the types that were found to have no use of memory."""
    kept = plain_json.loads(store.load(DOCUMENT) or "[]")
    return tuple(map(str, kept)) if isinstance(kept, list) else ()


def type_without_use(store: Store, said: str) -> str:
    """Give the type of what a person asks for where that type goes without; else nothing."""
    types = bypassed_types(store)
    if not types:
        return ""
    from tacit.retrieve.task import detect

    found = detect(said)
    return found.task_type if found.known and found.task_type in types else ""
