"""What every page has in its head, and the rule that nothing comes from elsewhere."""

from __future__ import annotations

from tacit.interfaces.web.icons import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

FAVICON = MARK.replace(
    "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" fill="#0b6e5f" ', 1
).replace(' class="mark"', "")

# NiceGUI compiles its templates in the browser, which needs `unsafe-eval`; all of it is ours.
POLICY = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
# Before anything is drawn, so that a dark page never flashes white.
THEME = """
<script>
  document.documentElement.dataset.theme = localStorage.getItem("tacit-theme") || "system";
</script>
"""

_KEYS = (
    ("/", "ask your memory"),
    ("j k", "go down and up a list"),
    ("Enter", "open what is chosen"),
    ("g o", "overview; g s search, g t timeline, g g graph"),
    ("g c", "contradictions; g r review, g b briefing"),
    ("g e", "sessions; g l learning, g p settings"),
    ("n", "remember something"),
    ("e p c f", "edit, pin, confirm, forget a memory"),
    ("r", "restore it"),
    ("a x", "accept or reject a draft"),
    ("a b o m", "settle a contradiction: keep A, keep B, both, merge"),
    ("u", "take the last thing back"),
    ("Esc", "close, or leave a field"),
    ("?", "this list"),
)


def keys() -> str:
    """Give the list of keys, as a dialog that is there from the start."""
    rows = "".join(
        f"<dt>{' '.join(f'<kbd>{key}</kbd>' for key in pressed.split())}</dt><dd>{does}</dd>"
        for pressed, does in _KEYS
    )
    return (
        '<dialog class="sheet" id="keys" aria-label="Keys"><header class="sheet-head"><h2>Keys</h2>'
        '<form method="dialog"><button class="button" type="submit">Close</button></form></header>'
        f'<div class="sheet-body"><dl class="key-list">{rows}</dl></div></dialog>'
    )


def head(prefix: str, version: str) -> str:
    """Give what goes into the head; `version` changes with the files."""
    return (
        f"{THEME}"
        '<meta name="color-scheme" content="light dark">'
        f'<link rel="stylesheet" href="{prefix}/static/tokens.css?{version}">'
        f'<link rel="stylesheet" href="{prefix}/static/tacit.css?{version}">'
        f'<script src="{prefix}/static/tacit.js?{version}"></script>'
    )


class Guard:
    """Tells the browser to load nothing from elsewhere, and to let no other page frame this one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to an answer."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)
