"""Sessions of agents: where each stands, what it was handed and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from tacit.errors import NotFound
from tacit.interfaces import wire_brief
from tacit.interfaces.rest import asked_more, told_more
from tacit.interfaces.rest.desk import AtDesk

if TYPE_CHECKING:
    from tacit.interfaces.rest.desk import Memo
    from tacit.record import SessionRecord
    from tacit.system import Tacit

router = APIRouter(tags=["sessions"])
Id = Annotated[str, Path(max_length=200, description="as it is listed", examples=["claude:3f0c"])]
Limit = Annotated[int, Query(ge=1, le=1_000)]


@router.get("/sessions", responses={200: {"model": told_more.Sessions}})
async def sessions(desk: AtDesk, limit: Limit = 20) -> Response:
    """List the sessions of agents, the last seen first."""

    def give(tacit: Tacit) -> object:
        return {"sessions": [_shape(tacit, one) for one in tacit.sessions(limit)]}

    return await desk.read(give)


@router.get("/sessions/{id}", responses={200: {"model": told_more.Session}})
async def session(desk: AtDesk, id: Id) -> Response:  # noqa: A002  # the word of the path
    """Show where one session stands."""
    return await desk.read(lambda tacit: _shape(tacit, _named(tacit, id)))


@router.get("/sessions/{id}/injected", responses={200: {"model": told_more.Injected}})
async def injected(desk: AtDesk, id: Id, limit: Limit = 20) -> Response:  # noqa: A002
    """Tell what a session was handed and why, the last first."""

    def give(tacit: Tacit) -> object:
        queries = tacit.injected(id)[:limit]
        if not queries:
            _named(tacit, id)
        ids = {one.memory for query in queries for one in query.selected}
        known = tacit.list(ids=sorted(ids), history=True) if ids else []
        memories = {memory.id: memory for memory in known}
        shown = [wire_brief.handed(query, memories) for query in queries]
        return {"session": id, "injected": shown}

    return await desk.read(give)


@router.post("/sessions/{id}/incognito", responses={200: {"model": told_more.Session}})
async def incognito(desk: AtDesk, id: Id, how: asked_more.Incognito) -> Response:  # noqa: A002
    """Change what a session is handed; one that is off is neither handed nor remembered."""

    def do(tacit: Tacit) -> Memo:
        return {"id": tacit.incognito(id, inject=how.inject).id}

    return await desk.write(do, lambda tacit, memo: _shape(tacit, _named(tacit, memo["id"])))


@router.post("/sessions/{id}/close", responses={200: {"model": told_more.Session}})
async def close(desk: AtDesk, id: Id, how: asked_more.Close) -> Response:  # noqa: A002
    """Say how a session went; what it used then helped or hurt, the rest was ignored."""

    def do(tacit: Tacit) -> Memo:
        return {"id": tacit.close_session(id, how.outcome).id}

    return await desk.write(do, lambda tacit, memo: _shape(tacit, _named(tacit, memo["id"])))


def _named(tacit: Tacit, id_: str) -> SessionRecord:
    record = tacit.store.session(id_)
    if record is None:
        raise NotFound(f"there is no session {id_!r}; see: tacit session list")
    return record


def _shape(tacit: Tacit, record: SessionRecord) -> object:
    return wire_brief.session(record, tacit.injected(record.id))
