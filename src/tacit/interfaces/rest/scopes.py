"""What a request needs: the one table of who may do what. Pure.

A reading method needs `read`, any other `write`, so that a new route is guarded before anybody
thinks of it; the lists below say where that is too much or too little.
"""

from __future__ import annotations

from tacit.interfaces.rest.house import PAGE
from tacit.system.remote.verbs import VERBS

# Anybody may know that the server lives, and show a token at the door.
OPEN = ("/healthz", "/readyz", "/login", "/logout")
# Questions that are too long for an address are sent as POST and read all the same.
QUESTIONS = (
    "/recall",
    "/brief",
    "/predict",
    "/expand",
    "/context/assemble",
    "/context/predict",
    "/api/memory/retrieve",
    "/mem0/search",
)
# What acts on the whole store; what is erased is gone, wherever it is erased.
WHOLE = (("POST", "/import"), ("POST", "/mem0/reset"), ("DELETE", "/mem0/memories"))
ERASING = "/erase"
CALL = "/call/"  # the facade's methods, each of which needs what it needs
READING = ("GET", "HEAD", "OPTIONS")


def needed(kind: str, method: str, path: str) -> str | None:
    """Give the scope that a request needs; None where it needs none.

    `kind` is that of the connection: http or websocket. The page acts with all rights of its
    owner, so it needs all of them.
    """
    if kind == "websocket" or is_page(path):
        return "admin"
    if path in OPEN:
        return None
    if method == "POST" and path.startswith(CALL) and (verb := VERBS.get(path[len(CALL) :])):
        return verb.scope
    if method in READING or (method == "POST" and path in QUESTIONS):
        return "read"
    return "admin" if path.endswith(ERASING) or (method, path) in WHOLE else "write"


def is_page(path: str) -> bool:
    """Tell whether a path belongs to the page for people, or to what the page is made of."""
    return path in ("/", PAGE) or path.startswith((f"{PAGE}/", "/_nicegui"))
