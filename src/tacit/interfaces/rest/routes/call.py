"""The facade's methods by name, for Tacit's own client: the same arguments, the same values.

Other programs have the routes beside this one, whose shapes are made to be read. Here an answer
is whatever the method gives, without loss (`tacit.system.remote.carry`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Path
from starlette.responses import Response

from tacit.errors import Invalid, NotFound
from tacit.interfaces.rest import asked_more, told_more
from tacit.interfaces.rest.desk import AtDesk, lines
from tacit.model import Contradiction, Memory
from tacit.record import SessionRecord
from tacit.session.handoffs import Handoff
from tacit.session.ledgers import Ledger
from tacit.session.page import Page
from tacit.system.remote import arguments, carry
from tacit.system.remote.verbs import verb_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.interfaces.rest.desk import Desk, Memo
    from tacit.system import Tacit

router = APIRouter(tags=["the facade"])
Name = Annotated[
    str, Path(max_length=100, description="a method of Tacit, such as recall_explained")
]
ANSWER: Any = {
    200: {
        "model": told_more.Answered,
        "description": "what the method gives; line by line where Accept is application/x-ndjson",
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
    }
}


@router.post("/call/{verb}", responses=ANSWER)
async def call(desk: AtDesk, verb: Name, what: asked_more.Call) -> Response:
    """Call a method of the facade; this is how `Tacit.open("http://…")` asks.

    Needs the scope that the method needs.
    """
    found = verb_named(verb)

    def do(tacit: Tacit) -> Any:
        return _called(tacit, verb, what.arguments, by=desk.caller)

    if found.long:
        return await _long(desk, verb, what, writes=found.changes)
    if not found.changes:
        return await desk.read(lambda tacit: {"answer": carry.packed(do(tacit))}, "search_memory")
    made: list[Any] = []

    def once(tacit: Tacit) -> Memo:
        made.append(do(tacit))
        agent = str(what.arguments.get("agent", ""))
        return {"answer": carry.packed(made[0], lambda value: _instead(value, agent))}

    def tell(tacit: Tacit, memo: Memo) -> object:
        answer = made[0] if made else carry.unpacked(memo["answer"], _finding(tacit))
        return {"answer": carry.packed(answer)}

    return await desk.write(once, tell, operation="update_memory", whole=verb != "erase")


async def _long(desk: Desk, verb: str, what: asked_more.Call, *, writes: bool) -> Response:
    def run(tacit: Tacit, **more: Any) -> dict[str, Any]:
        answer = _called(tacit, verb, what.arguments, by=desk.caller, **more)
        return {"answer": carry.packed(answer)}

    if desk.wants_lines():
        told = lines(lambda tacit, step: run(tacit, progress=step))
        return desk.stream(told, writes=writes)
    return await desk.long(run, writes=writes)


def _called(tacit: Tacit, verb: str, given: dict[str, Any], *, by: str, **more: Any) -> Any:
    """Call a method; what a token changes is put down to its name."""
    owner: Any = tacit
    held, _, name = verb.rpartition(".")
    if held:
        owner = getattr(tacit, held)
    function: Callable[..., Any] = getattr(type(owner), name)
    read = arguments.received(function, given)
    if by and "by" in arguments.names(function):
        read["by"] = by
    try:
        return function(owner, **read, **more)
    except (TypeError, AttributeError, ValueError, KeyError, OverflowError) as error:
        raise Invalid(f"{verb} cannot make anything of these arguments ({error})") from error


def _instead(value: Any, agent: str) -> Any:
    """Give what is kept of an answer in the place of words: what it can be found by."""
    match value:
        case Memory() | Contradiction() | SessionRecord() | Handoff():
            return {"$": "->", "=": [type(value).__name__, value.id]}
        case Ledger():
            return {"$": "->", "=": ["Ledger", value.agent]}
        case Page():
            return {"$": "->", "=": ["Page", agent]}
    return None


def _finding(tacit: Tacit) -> Callable[[str, str], Any]:
    def find(sort: str, name: str) -> Any:
        match sort:
            case "Memory":
                return tacit.get(name)
            case "Handoff":
                return tacit.handoffs.get(name)
            case "Ledger":
                return tacit.ledgers.get(name)
            case "Page":
                return tacit.continuity.get(name)
            case "SessionRecord":
                found: Any = tacit.store.session(name)
            case _:
                every = tacit.contradictions(open_only=False)
                found = next((one for one in every if one.id == name), None)
        if found is None:
            raise NotFound("what this request gave is gone since; ask for it anew")
        return found

    return find
