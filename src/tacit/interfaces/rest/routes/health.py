"""How the server is: whether it lives, whether it can answer, and its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from tacit import __version__
from tacit.interfaces.rest import told_more
from tacit.interfaces.rest.desk import AtDesk

if TYPE_CHECKING:
    from tacit.interfaces.rest.numbers import Numbers
    from tacit.system import Tacit

router = APIRouter(tags=["health"])
PLAIN = "text/plain; version=1.0.0; charset=utf-8"
TEXT: Any = {"description": "Prometheus' text format", "content": {"text/plain": {}}}


@router.get("/healthz", responses={200: {"model": told_more.Health}})
async def healthz() -> Response:
    """Say that the server lives; needs no token."""
    return JSONResponse({"status": "ok", "version": __version__})


@router.get("/readyz", responses={200: {"model": told_more.Health}})
async def readyz(desk: AtDesk) -> Response:
    """Say that the store can be read; needs no token."""

    def give(tacit: Tacit) -> object:
        tacit.store.load("serve:ready")  # one row by its key: whether the file answers
        return {"status": "ok", "version": __version__}

    return await desk.read(give)


@router.get("/metrics", responses={200: TEXT}, response_class=Response)
async def metrics(desk: AtDesk, request: Request) -> Response:
    """Give the server's numbers for Prometheus."""
    numbers: Numbers = request.app.state.numbers
    stats = await request.app.state.work.run(lambda tacit: tacit.status())
    return Response(numbers.text(stats), 200, None, PLAIN)
