"""MCP over HTTP at `/mcp`: the same server with the same tools as over standard input."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.routing import Route

from tacit.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fastapi import FastAPI

    from tacit.interfaces.rest.house import House

PATH = "/mcp"


class Tools:
    """The tools' own app, to be added to the server and to live as long as it."""

    def __init__(self, house: House) -> None:
        try:
            from mcp.server.transport_security import TransportSecuritySettings

            from tacit.interfaces.mcp.serve import build
        except ModuleNotFoundError as error:
            raise Unavailable(
                f"tools by MCP need {error.name}; install it with: pip install 'tacit[mcp]'"
            ) from error
        # Names and origins are checked at the door, for everything alike.
        security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        self._app = build(house.late, house.terms.mcp_sets).streamable_http_app(
            streamable_http_path=PATH,
            stateless_http=True,  # every call says all it needs, in both eras of the protocol
            json_response=True,
            max_request_body_size=house.terms.body_bytes,
            transport_security=security,
        )

    def add_to(self, app: FastAPI) -> None:
        """Add the one route of the tools."""
        (route,) = [one for one in self._app.routes if isinstance(one, Route) and one.path == PATH]
        app.router.routes.append(route)

    @asynccontextmanager
    async def live(self) -> AsyncIterator[None]:
        """Let the tools' own tasks run."""
        async with self._app.router.lifespan_context(self._app):
            yield
