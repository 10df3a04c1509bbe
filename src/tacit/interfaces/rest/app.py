"""The server put together: the door, the limits, the routes, the tools and the page."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import anyio.to_thread
from fastapi import FastAPI

from tacit import __version__
from tacit.interfaces.rest import document, login, problems, spans
from tacit.interfaces.rest.guard import Guard
from tacit.interfaces.rest.journal import Journal
from tacit.interfaces.rest.limits import Limits
from tacit.interfaces.rest.login import Visits
from tacit.interfaces.rest.mcp import Tools
from tacit.interfaces.rest.numbers import Numbers
from tacit.interfaces.rest.routes import (
    call,
    files,
    health,
    hold,
    loki,
    mem0,
    memories,
    questions,
    seeds,
    sessions,
    store,
    true,
)
from tacit.interfaces.rest.tokens import Tokens, path_for
from tacit.interfaces.rest.work import Work

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tacit.interfaces.rest.house import House

ROUTERS = (memories, questions, true, sessions, hold, files, store, call, seeds, loki, mem0, health)


def make_app(house: House, tokens: Tokens | None = None) -> FastAPI:
    """Give the server's app; the store is opened when the first request needs it.

    Without `tokens` they are those of the house's store.
    """
    tokens = tokens_of(house) if tokens is None else tokens
    house.late.many = True
    tools, work, numbers, visits = Tools(house), Work(house), Numbers(), Visits()

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        # What others hand to threads is bounded too: each thread holds a connection.
        anyio.to_thread.current_default_thread_limiter().total_tokens = house.terms.threads
        async with tools.live():
            yield
        work.close()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, house.close)
        await loop.run_in_executor(None, spans.switch_off)

    app = FastAPI(
        title=document.TITLE,
        version=__version__,
        lifespan=life,
        docs_url=None,  # the usual viewer is fetched from elsewhere; nothing here is
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
        generate_unique_id_function=document.name_of,
    )
    app.state.work, app.state.numbers, app.state.house = work, numbers, house
    for module in ROUTERS:
        app.include_router(module.router)
    app.include_router(login.routes(tokens, visits))
    tools.add_to(app)
    problems.add_to(app)
    document.add_to(app)
    if house.terms.page and find_spec("nicegui") is not None:
        from tacit.interfaces import web

        web.mount(app, house)
    # The last one added is the first to see a request.
    app.add_middleware(Guard, terms=house.terms, tokens=tokens, visits=visits)
    app.add_middleware(Limits, terms=house.terms)
    app.add_middleware(Journal, numbers=numbers)
    return app


def tokens_of(house: House) -> Tokens:
    """Give the tokens of the server of a store."""
    from tacit.config import load_settings

    home = load_settings(os.environ).home
    return Tokens(path_for(home, house.late.open().store.path))
