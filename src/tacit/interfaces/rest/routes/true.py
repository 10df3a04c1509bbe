"""Staying true: cycles, contradictions, and what waits for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Body, Path, Query
from starlette.responses import Response

from tacit.errors import Invalid
from tacit.interfaces import wire, wire_review, wire_true
from tacit.interfaces.rest import asked, told, told_more
from tacit.interfaces.rest.desk import AtDesk, lines
from tacit.model import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.interfaces.rest.desk import Memo
    from tacit.model import Contradiction
    from tacit.system import Tacit

router = APIRouter(tags=["staying true"])
Contradicting = Annotated[
    str, Path(max_length=200, description="the contradiction's id, or the beginning of it")
]
USUAL = asked.Consolidate()
CYCLE: Any = {
    200: {
        "model": told_more.Cycle,
        "description": "what was done; line by line where Accept is application/x-ndjson",
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
    }
}


@router.post("/consolidate", responses=CYCLE)
async def consolidate(desk: AtDesk, how: Annotated[asked.Consolidate, Body()] = USUAL) -> Response:
    """Merge, generalise, judge, connect, promote and forget; nothing is ever erased.

    With `Accept: application/x-ndjson` each step is told as it is done, then the result.
    """

    def run(tacit: Tacit, progress: Callable[[str, int], None]) -> dict[str, Any]:
        report = tacit.consolidate(
            dry_run=how.dry_run, only=how.only, seconds=how.seconds, progress=progress
        )
        return wire_true.cycle_report(report)

    writes = not how.dry_run
    if desk.wants_lines():
        return desk.stream(lines(run), writes=writes)
    return await desk.long(lambda tacit: run(tacit, lambda _name, _count: None), writes=writes)


@router.get("/contradictions", responses={200: {"model": told.Clashes}})
async def contradictions(
    desk: AtDesk,
    settled: Annotated[bool, Query(description="also those that are settled")] = False,
) -> Response:
    """Give what cannot both hold, each with what both sides say."""

    def give(tacit: Tacit) -> object:
        found = tacit.contradictions(open_only=not settled)
        return {"contradictions": [_clash(tacit, one) for one in found]}

    return await desk.read(give)


@router.post("/contradictions/{id}/resolve", responses={200: {"model": told.Clash}})
async def resolve(desk: AtDesk, id: Contradicting, how: asked.Resolve) -> Response:  # noqa: A002
    """End a contradiction: one side wins, both hold, or a third says what is so."""

    def do(tacit: Tacit) -> Memo:
        record = tacit.resolve(
            id,
            how.resolution,
            note=how.note,
            by=desk.by(tacit),
            text=how.text,
            into=how.into,
        )
        return {"id": record.id}

    def tell(tacit: Tacit, memo: Memo) -> object:
        every = tacit.contradictions(open_only=False)
        return next(_clash(tacit, one) for one in every if one.id == memo["id"])

    return await desk.write(do, tell, operation="update_memory")


@router.get("/review", responses={200: {"model": told_more.Review}})
async def review(desk: AtDesk, limit: Annotated[int, Query(ge=1, le=1_000)] = 50) -> Response:
    """Show what machines found and a person has not seen, and what the next cycle will do."""

    def give(tacit: Tacit) -> object:
        waiting = tacit.candidates()
        shown = [wire.memory(one) for one in waiting[:limit]]
        coming = wire_review.coming(tacit.outlook(), limit)
        return {"waiting": len(waiting), "memories": shown, "coming": coming}

    return await desk.read(give, long=True)


@router.post("/review/accept", responses={200: {"model": told_more.Settled}})
async def accept(desk: AtDesk, several: asked.Several) -> Response:
    """Serve what waited from now on, with your word behind it."""
    return await _settle(desk, several, accepted=True)


@router.post("/review/reject", responses={200: {"model": told_more.Settled}})
async def reject(desk: AtDesk, several: asked.Several) -> Response:
    """Forget what waited; it does not come back."""
    return await _settle(desk, several, accepted=False)


async def _settle(desk: AtDesk, several: asked.Several, *, accepted: bool) -> Response:
    def do(tacit: Tacit) -> Memo:
        by, change = desk.by(tacit), tacit.accept if accepted else tacit.forget
        found = list({one.id: one for one in map(tacit.get, several.refs)}.values())
        for memory in found:
            if memory.state is not State.CANDIDATE:
                raise Invalid(f"[{memory.short}] does not wait for review; change it by itself")
        with tacit.store.transaction():
            return {"ids": [change(memory.id, by=by).id for memory in found]}

    def tell(tacit: Tacit, memo: Memo) -> object:
        done = tacit.list(ids=memo["ids"], history=True)
        return {
            "waiting": len(tacit.candidates()),
            "memories": [wire.memory(one) for one in done],
        }

    return await desk.write(do, tell, operation="update_memory")


def _clash(tacit: Tacit, record: Contradiction) -> dict[str, Any]:
    return wire.clash(record, tacit.get(record.a), tacit.get(record.b))
