"""How a `Tacit` is put together by convention: settings, project, stores, models."""

from __future__ import annotations

import os

from tacit.config import load_settings, project_store_path, user_store_path
from tacit.errors import Invalid
from tacit.model import Scope
from tacit.project import resolve_project
from tacit.store.connect import connect
from tacit.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tacit.clock import Clock
    from tacit.config import Settings
    from tacit.encode.llm.guard import Guarded
    from tacit.encode.ports import TokenCounter
    from tacit.store.protocol import Store


def open_parts(
    location: str | None,
    project: str | None,
    scope: str | None,
    settings: Settings | None,
    *,
    create: bool,
) -> dict[str, Any]:
    """Give the arguments of `Tacit`: stores, scope, profile and models.

    A location opens that store alone. A project opens its file, or the store named in the
    settings, under the project's own scope; and, where there is one, the user's own store
    beside it.
    """
    settings = settings or load_settings(os.environ)
    if location and project is not None:
        raise Invalid("give a store's location or a project's folder, not both")
    parts: dict[str, Any] = {
        "settings": settings,
        "profile": settings.profile,
        "embedder": lambda: _embedder(settings, parts["store"]),
        "reranker": _reranker(settings),
    }
    if location:
        name = os.path.splitext(os.path.basename(location))[0] or "store"
        parts["store"] = connect(location, create=create)
        parts["scope"] = Scope(path=scope or f"project:{_plain(name)}")
        return parts
    found = parts["project"] = resolve_project(project or os.getcwd(), settings)
    place = settings.store or project_store_path(settings, found.id)
    parts["store"] = connect(place, create=create)
    parts["scope"] = Scope(path=scope or f"project:{found.id}")
    if settings.store:  # other projects may lie in the same store
        own = Scope(path=f"user:{_plain(settings.user)}")
        parts["visible"] = (*parts["scope"].chain, own, Scope(path="system:tacit"))
    parts["user_location"] = user_store_path(settings)
    if os.path.exists(parts["user_location"]):
        parts["user_store"] = connect(parts["user_location"])
    return parts


def open_language_model(
    settings: Settings,
    store: Store,
    *,
    clock: Clock,
    counter: TokenCounter,
    alive: Callable[[], bool],
) -> Guarded | None:
    """Open the language model the settings name, asked only while `alive`; None when it is off."""
    if settings.llm == "off":
        return None
    from tacit.encode.llm.open import open_guarded
    from tacit.ingest.redact import redact

    return open_guarded(
        settings.llm,
        store,
        now=clock.now,
        counter=counter,
        daily_tokens=settings.llm_daily_tokens,
        allowed=alive,
        clean=lambda text: redact(text).text,
    )


def _embedder(settings: Settings, store: Store) -> Any:
    """Open the embedder the settings name; by default the one the store was switched to."""
    from tacit.encode.breaker import Breaker, Guarded
    from tacit.encode.embed import open_embedder
    from tacit.write.reembed import active_spec

    spec = settings.embedder
    if spec == "default":
        spec = active_spec(store) or spec
    embedder = open_embedder(spec, threads=settings.embed_threads)
    return embedder and Guarded(embedder, Breaker())


def _reranker(settings: Settings) -> Any:
    if settings.reranker == "off":
        return None
    from tacit.encode.rerank import open_reranker

    return open_reranker(settings.reranker)


def _plain(name: str) -> str:
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in fold(name))
    return kept.strip("-") or "store"
