"""The interface of loki-mode, so that its tools go on working: `/api/memory/…`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query
from pydantic import ConfigDict, Field
from starlette.responses import Response

from tacit.clock import parse_time, show_time
from tacit.errors import NotFound
from tacit.interfaces import wire_disclose, wire_loki
from tacit.interfaces.rest.asked import Asked
from tacit.interfaces.rest.desk import AtDesk
from tacit.interfaces.rest.told import Told
from tacit.model import Kind

if TYPE_CHECKING:
    from tacit.interfaces.rest.desk import Desk
    from tacit.model import Memory
    from tacit.system import Tacit

router = APIRouter(prefix="/api/memory", tags=["loki-mode"])
Id = Annotated[str, Path(max_length=300, description="its id, or a short name")]
Limit = Annotated[int, Query(ge=1, le=1_000)]
Named = Literal["episodes", "patterns", "skills"]
SHAPES: dict[str, tuple[Kind, Any]] = {
    "episodes": (Kind.EPISODE, wire_loki.episode),
    "patterns": (Kind.PATTERN, wire_loki.pattern),
    "skills": (Kind.SKILL, wire_loki.skill),
}


class Retrieve(Asked):
    """A question in the words of loki-mode."""

    model_config = ConfigDict(json_schema_extra={"example": {"query": "token refresh", "topK": 5}})

    query: Annotated[str, Field(min_length=1, max_length=100_000)]
    taskType: Annotated[str, Field(max_length=100)] = "auto"  # noqa: N815  # its name
    topK: Annotated[int, Field(ge=1, le=100)] = 5  # noqa: N815  # as above


class Since(Asked):
    """How far back a consolidation is wanted; a cycle finds by itself what is new."""

    sinceHours: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] = 24  # noqa: N815  # as above


class Retrieved(Told):
    """What a question found."""

    memories: list[dict[str, Any]]
    tokenMetrics: dict[str, float]  # noqa: N815  # as above


ALL_OF_IT = Since()


@router.get("", responses={200: {"description": "what there is, in numbers"}})
async def summary(desk: AtDesk) -> Response:
    """Say how much there is of each kind."""

    def give(tacit: Tacit) -> object:
        latest = tacit.list(kinds=["episode"], order="-valid_from", limit=1)
        avoided = len(tacit.list(kinds=["pattern"], polarities=["avoid"]))
        tokens = wire_loki.tokens(_account(tacit))
        return wire_loki.summary(tacit.status(), next(iter(latest), None), avoided, tokens)

    return await desk.read(give)


@router.get("/stats", responses={200: {"description": "what there is, in numbers"}})
async def stats(desk: AtDesk) -> Response:
    """Say how much there is of each kind."""
    return await summary(desk)


@router.get("/index", responses={200: {"description": "the first layer"}})
async def index(desk: AtDesk) -> Response:
    """Give the first layer: topics."""

    def give(tacit: Tacit) -> object:
        from tacit.store.protocol import Filter

        tokens = tacit.store.full_tokens(Filter(at=tacit.clock.now(), current=True))
        return wire_loki.index(tacit.index_view(), tokens, _last(tacit))

    return await desk.read(give)


@router.get("/timeline", responses={200: {"description": "the second layer"}})
async def timeline(desk: AtDesk) -> Response:
    """Give the second layer: what happened and what was decided."""
    return await desk.read(lambda tacit: wire_loki.timeline(tacit.timeline_view(), _last(tacit)))


@router.get("/episodes", responses={200: {"description": "episodes, newest first"}})
async def episodes(
    desk: AtDesk,
    since: Annotated[str, Query(max_length=40, description="a date or time")] = "",
    limit: Limit = 50,
) -> Response:
    """List episodes, newest first."""
    from_ = {"since": parse_time(since)} if since else {}
    return await _listed(desk, "episodes", limit, **from_)


@router.get("/patterns", responses={200: {"description": "patterns, newest first"}})
async def patterns(
    desk: AtDesk,
    category: Annotated[str, Query(max_length=200)] = "",
    minConfidence: Annotated[float, Query(ge=0, le=1)] = 0.5,  # noqa: N803  # its name
    limit: Limit = 1_000,
) -> Response:
    """List patterns, and what to avoid, newest first."""

    def fits(memory: Memory) -> bool:
        category_ = wire_loki.pattern(memory)["category"]
        return memory.confidence >= minConfidence and category in ("", category_)

    return await _listed(desk, "patterns", limit, fits=fits)


@router.get("/skills", responses={200: {"description": "skills, newest first"}})
async def skills(desk: AtDesk, limit: Limit = 1_000) -> Response:
    """List skills, newest first."""
    return await _listed(desk, "skills", limit)


@router.get("/files", responses={200: {"description": "the files memories are about"}})
async def files(desk: AtDesk, limit: Limit = 100) -> Response:
    """List the files that most memories are about."""

    def give(tacit: Tacit) -> object:
        from tacit.model import FacetType
        from tacit.store.protocol import Filter

        where = Filter(at=tacit.clock.now(), current=True)
        found = tacit.store.frequent([FacetType.FILE], where, limit=limit)
        shown = [{"path": one.facet.name, "memories": one.memories} for one in found]
        return {"files": shown, "total": len(shown)}

    return await desk.read(give)


@router.get("/search", responses={200: {"model": Retrieved}})
async def search(
    desk: AtDesk, q: Annotated[str, Query(min_length=1, max_length=2_000)], limit: Limit = 10
) -> Response:
    """Find what is relevant to words."""
    return await desk.read(lambda tacit: _found(tacit, q, min(limit, 100)), "search_memory")


@router.get("/suggestions", responses={200: {"model": Retrieved}})
async def suggestions(
    desk: AtDesk, context: Annotated[str, Query(max_length=2_000)] = "", limit: Limit = 5
) -> Response:
    """Suggest what to read, given what is being done; without a word, nothing."""

    def give(tacit: Tacit) -> object:
        return _found(tacit, context, min(limit, 100)) if context.strip() else _nothing(tacit)

    return await desk.read(give, "search_memory")


@router.get("/economics", responses={200: {"description": "what was spent and saved"}})
async def economics(desk: AtDesk) -> Response:
    """Tell what was spent and saved."""
    return await desk.read(lambda tacit: wire_loki.economics(_account(tacit)))


@router.get("/{sort}/{id}", responses={200: {"description": "one of them, whole"}})
async def one(desk: AtDesk, sort: Named, id: Id) -> Response:  # noqa: A002  # as in the path
    """Give one episode, pattern or skill."""
    kind, shape = SHAPES[sort]

    def give(tacit: Tacit) -> object:
        memory = tacit.get(id)
        if memory.kind is not kind:
            raise NotFound(f"{id} is a {memory.kind}, not one of the {sort}")
        return shape(memory)

    return await desk.read(give)


@router.post("/retrieve", responses={200: {"model": Retrieved}})
async def retrieve(desk: AtDesk, asked: Retrieve) -> Response:
    """Find what is relevant to a task."""
    return await desk.read(lambda tacit: _found(tacit, asked.query, asked.topK), "search_memory")


@router.post("/consolidate", responses={200: {"description": "what a cycle did"}})
async def consolidate(desk: AtDesk, since: Annotated[Since, Body()] = ALL_OF_IT) -> Response:
    """Run a cycle over what is new."""
    return await desk.long(lambda tacit: wire_loki.cycle(tacit.consolidate()))


async def _listed(
    desk: Desk, sort: str, limit: int, fits: Any = lambda _memory: True, **filters: Any
) -> Response:
    kind, shape = SHAPES[sort]

    def give(tacit: Tacit) -> object:
        found = tacit.list(kinds=[kind], order="-valid_from", **filters)
        shown = [shape(memory, whole=False) for memory in found if fits(memory)][:limit]
        return {sort: shown, "total": len(shown)}

    return await desk.read(give)


def _found(tacit: Tacit, query: str, limit: int) -> object:
    hits = tacit.recall(query, limit=limit)
    return {
        "memories": [wire_loki.found(hit) for hit in hits],
        "tokenMetrics": wire_loki.tokens(_account(tacit)),
    }


def _nothing(tacit: Tacit) -> object:
    return {"memories": [], "tokenMetrics": wire_loki.tokens(_account(tacit))}


def _account(tacit: Tacit) -> dict[str, Any]:
    now = show_time(tacit.clock.now())
    return wire_disclose.token_economics(tacit.economics(), now=now)


def _last(tacit: Tacit) -> str:
    newest = tacit.list(limit=1)
    return show_time(newest[0].recorded_at if newest else tacit.clock.now())
