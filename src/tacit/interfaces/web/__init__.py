"""The page: people see and steer their memory in a browser. NiceGUI is imported here alone.

It lives in the server's own process, needs no build step and fetches nothing: every file comes
from this server. All of it lies below `/ui`, and `/` leads there.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from tacit.interfaces.rest.house import PAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fastapi import FastAPI

    from tacit.interfaces.rest.house import House

FOLDER = Path(__file__).parent / "static"


def mount(app: FastAPI, house: House) -> None:
    """Add the page to a server; last, since whatever is below `/ui` is the page's.

    A process has one page: NiceGUI keeps its pages in one place.
    """
    from fastapi.responses import RedirectResponse
    from nicegui import app as pages
    from nicegui import ui

    from tacit.interfaces.web.head import FAVICON, Guard, head, keys
    from tacit.interfaces.web.routes import show

    seen = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(FOLDER.iterdir())))
    version = seen.hexdigest()[:12]

    @app.get("/", include_in_schema=False)
    async def to_the_page() -> RedirectResponse:
        return RedirectResponse(f"{PAGE}/overview")

    pages.add_static_files("/static", str(FOLDER))  # before the page that takes every other path

    @ui.page("/", title="tacit")
    @ui.page("/{path:path}", title="tacit")
    def window() -> None:
        client = ui.context.client
        ui.add_head_html(head(client.request.scope.get("root_path", PAGE), version))
        ui.add_body_html(keys())
        show(house, client)

    pages.add_middleware(Guard)
    ui.run_with(
        app,
        mount_path=PAGE,
        title="tacit",
        favicon=FAVICON,
        dark=None,
        language="en-US",
        tailwind=False,
        binding_refresh_interval=None,
        reconnect_timeout=30.0,
        show_welcome_message=False,
    )
