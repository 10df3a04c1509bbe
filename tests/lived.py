"""A small life of a memory, the same each time: a session, facts, questions, a briefing, a cycle."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

from sessions import a_prompt, a_reply, a_session, edited, ran
from tacit.codec import to_json
from tacit.model import Level
from tacit.store.protocol import EVERY_STATE, Filter

if TYPE_CHECKING:
    from fakes import FrozenClock
    from tacit.system import Tacit

LEVELS = (Level.SUMMARY, Level.HINT, Level.TITLE)
LONG = " ".join(
    f"Invoice rule {number} says that amounts of currency {number} are rounded half up."
    for number in range(30)
)
SESSION = a_session(
    a_prompt("Fix the cart total, it is off by a cent for some orders"),
    ran("make test", "KeyError: 'cart'", failed=True),
    edited("src/cart.py", "c['cart']", "c.get('cart')"),
    ran("make test"),
    a_reply("The cart total is right now: a cart that is missing counts as empty."),
)


def observe_session(tacit: Tacit) -> None:
    """Hand the session over as events of a program."""
    told = {"session": SESSION.id, "host": SESSION.host}
    # The numbers of calls count up over all tests; what is kept must not depend on them.
    calls = {
        name: f"c{place}" for place, name in enumerate(sorted({e.call for e in SESSION.events}))
    }
    events = (event.replace(call=event.call and calls[event.call]) for event in SESSION.events)
    lines = "".join(json.dumps(to_json(event) | told) + "\n" for event in events)
    tacit.observe_stream(io.BytesIO(lines.encode()))


def live(tacit: Tacit, clock: FrozenClock) -> dict[str, object]:
    """Let a memory live for a while; give what came of it, with nothing that differs by machine."""
    observe_session(tacit)
    tacit.remember(LONG)
    tacit.remember(
        "Cart totals are kept in cents", files=["src/cart.py"], key="cart.unit", value="cents"
    )
    tacit.remember("Never round a cart total twice", tier="guardrail", polarity="avoid")
    asked = tacit.recall_explained("how is the cart total rounded?", files=["src/cart.py"])
    briefing = tacit.brief("fix the cart total", budget_tokens=400, session="s2")
    clock.advance(days=45)
    later = tacit.recall("fix the cart total")
    report = tacit.consolidate()
    memories = tacit.store.scan(Filter(states=EVERY_STATE), order="id")
    return {
        "memories": [
            [m.id, m.kind.value, m.state.value, m.source_ref, *map(m.levels.text, LEVELS)]
            for m in memories
        ],
        "channels": [pool.channel for pool in asked.pools],
        "ranking": [[hit.memory.id, round(hit.score, 9), hit.level.value] for hit in asked.hits],
        "later": [[hit.memory.id, round(hit.score, 9), hit.level.value] for hit in later],
        "briefing": briefing.text,
        "timeline": tacit.timeline_view().text,
        "cycle": report.counts,
    }
