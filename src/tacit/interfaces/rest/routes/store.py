"""The store as a whole: what it holds, what it cost, all of it out and in."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tacit import __version__
from tacit.interfaces import wire, wire_disclose, wire_effects, wire_http
from tacit.interfaces.rest import told_more
from tacit.interfaces.rest.desk import AtDesk, batched, lines
from tacit.interfaces.rest.routes.which import moment
from tacit.store.transfer import text_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from tacit.interfaces.rest.work import Say
    from tacit.system import Tacit

router = APIRouter(tags=["the store"])
IN_MEMORY = 1 << 20  # bytes of an import before it is written to disk
LINES: Any = {"description": "lines of JSON", "content": {wire_http.LINES: {}}}
BODY: Any = {
    "requestBody": {
        "required": True,
        "content": {wire_http.LINES: {"schema": {"type": "string", "format": "binary"}}},
    }
}
IMPORTED: Any = {
    200: {
        "model": told_more.Imported,
        "description": "what came in; line by line where Accept is application/x-ndjson",
        "content": {wire_http.LINES: {"schema": {"type": "string"}}},
    }
}


@router.get("/status", responses={200: {"model": told_more.Status}})
async def status(desk: AtDesk) -> Response:
    """Show what the store holds, in numbers."""

    def give(tacit: Tacit) -> object:
        return wire.status(tacit, tacit.status(), tacit.pending(), tacit.unverified())

    return await desk.read(give)


@router.get("/place", responses={200: {"model": told_more.Kept}})
async def place(desk: AtDesk) -> Response:
    """Tell where memories are kept, and for which project and scope."""
    return await desk.read(lambda tacit: wire.place(tacit) | {"version": __version__})


@router.get("/report", responses={200: {"model": told_more.Report}})
async def report(
    desk: AtDesk,
    session: Annotated[str, Query(max_length=200, description="of this session alone")] = "",
    limit: Annotated[int, Query(ge=1, le=1_000)] = 20,
) -> Response:
    """Tell what memory cost in tokens, what it saved, and what each memory brought."""

    def give(tacit: Tacit) -> object:
        account, returns = tacit.economics(session), tacit.roi(session=session, limit=limit)
        return {
            "economics": wire_disclose.economics(account),
            "returns": [wire_disclose.returned(one) for one in returns],
        }

    return await desk.read(give)


@router.get("/effects", responses={200: {"model": told_more.Effects}})
async def effects(
    desk: AtDesk,
    since: Annotated[str, Query(max_length=64, description="a time; else 90 days ago")] = "",
    limit: Annotated[int, Query(ge=1, le=1_000)] = 20,
) -> Response:
    """Tell what helped: by strategy, profile, channel, session and memory, and how sure it is."""
    at = moment(since or None)

    def give(tacit: Tacit) -> object:
        return wire_effects.effects(tacit.effects(since=at), limit)

    return await desk.read(give)


@router.get("/export", responses={200: LINES}, response_class=Response)
async def export(desk: AtDesk) -> Response:
    """Give all of the store without loss, as lines of JSON; vectors are not part of it."""

    def give(tacit: Tacit, say: Say) -> None:
        for chunk in batched(tacit.export()):
            say(chunk)

    return desk.stream(give)


@router.post("/import", responses=IMPORTED, openapi_extra=BODY)
async def import_(
    desk: AtDesk,
    request: Request,
    distrust: Annotated[bool, Query(description="take it as a stranger's word")] = False,
) -> Response:
    """Bring an export in; what is there already stays, and a broken one changes nothing.

    Needs the scope admin. With `Accept: application/x-ndjson` it tells how far it is.
    """
    held = await _received(request)

    def work(tacit: Tacit, step: Callable[[str, int], None]) -> dict[str, Any]:
        return _imported(tacit, held, step, distrust=distrust)

    if desk.wants_lines():
        return desk.stream(lines(work), writes=True)
    return await desk.long(lambda tacit: work(tacit, lambda _name, _count: None))


async def _received(request: Request) -> IO[bytes]:
    """Take a body as it comes, in memory while it is short; whoever reads it closes it."""
    held = tempfile.SpooledTemporaryFile(IN_MEMORY, prefix="tacit-")  # noqa: SIM115  # as said
    try:
        async for chunk in request.stream():
            held.write(chunk)
    except BaseException:
        held.close()
        raise
    held.seek(0)
    return held


def _imported(
    tacit: Tacit, held: IO[bytes], step: Callable[[str, int], None], *, distrust: bool
) -> dict[str, Any]:
    with held:
        found = tacit.import_(
            text_lines(held), distrust=distrust, progress=lambda count: step("import", count)
        )
    return wire.imported(found)
