"""How a `Tacit` is put together by convention: settings, project, stores, models."""

from __future__ import annotations

import os
import sys

from tacit.config import load_settings, project_store_path, user_store_path
from tacit.errors import Invalid, Unavailable
from tacit.model import Scope
from tacit.project import resolve_project
from tacit.store.connect import address_of, connect, groups_of, is_shared
from tacit.text import fold

SERVERS = ("http://", "https://")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tacit.clock import Clock
    from tacit.config import Settings
    from tacit.encode.llm.guard import Guarded
    from tacit.encode.ports import TokenCounter
    from tacit.store.protocol import Store


def server_of(location: str | None, project: str | None, settings: Settings | None) -> str:
    """Give the address of the server that is meant, empty where a store is to be opened.

    It is the location itself, or where none is given the store that the settings name.
    """
    if location is None and project is None:
        location = (settings or load_settings(os.environ)).store
    return location if location and location.lower().startswith(SERVERS) else ""


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
        address = location.partition("?")[0] if "://" in location else location
        name = os.path.splitext(os.path.basename(address))[0] or "store"
        parts["store"] = _connect(location, settings, create=create)
        if is_shared(location):
            parts["open_for"] = _asked_by(location, settings)
        parts["scope"] = Scope(path=scope or f"project:{plain_name(name)}")
        return parts
    found = parts["project"] = resolve_project(project or os.getcwd(), settings)
    place = settings.store or project_store_path(settings, found.id)
    parts["store"] = _connect(place, settings, create=create)
    if is_shared(place):
        parts["open_for"] = _asked_by(place, settings)
    parts["scope"] = Scope(path=scope or f"project:{found.id}")
    if settings.store:  # other projects may lie in the same store
        own = Scope(path=f"user:{plain_name(settings.user)}")
        groups = groups_of(parts["store"])
        parts["visible"] = (*parts["scope"].chain, own, *groups, Scope(path="system:tacit"))
    parts["user_location"] = user_store_path(settings)
    if os.path.exists(parts["user_location"]):
        parts["user_store"] = connect(parts["user_location"])
    return parts


def _asked_by(location: str, settings: Settings) -> Callable[[str], Store]:
    """Give what opens a store of many people for any of them."""

    def open_for(member: str) -> Store:
        address = address_of(location, member)
        return connect(address, create=False, tenant=settings.tenant, member=member)

    return open_for


def _connect(location: str, settings: Settings, *, create: bool) -> Store:
    """Open a store, as the settings' user where it is one of many people.

    One person's file says from its beginning whose it is.
    """
    path = location.partition("://")[2] or location
    new = create and not is_shared(location) and not os.path.exists(path)
    store = connect(location, create=create, tenant=settings.tenant, member=settings.user)
    if new:
        from tacit.store.owner import say_owner

        say_owner(store, settings.user)
    return store


def named_part(key: str, named: str) -> Any:
    """Import the function that stands for a part of the pipeline, by `module:function`.

    What the present folder holds is not imported: it may be anybody's, and the setting is the
    user's.
    """
    from importlib import import_module

    module, _, name = named.partition(":")
    before, here = sys.path, ("", os.curdir, os.getcwd())
    sys.path = [place for place in before if place not in here]
    try:
        found = getattr(import_module(module), name)
    except Exception as error:  # whatever somebody's module raises when it is imported
        raise Unavailable(
            f"{key} names {named}, which cannot be imported: {error}; install it for the Python "
            "that runs Tacit (the present folder is not searched), or leave the setting out"
        ) from error
    finally:
        sys.path = before
    if not callable(found):
        raise Invalid(f"{key} names {named}, which is no function")
    return found


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
    from tacit.encode.llm.guard import Guarded
    from tacit.encode.llm.providers import open_model
    from tacit.ingest.redaction import redact

    model = open_model(settings.llm)
    if model is None:
        return None
    return Guarded(
        model,
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
    from tacit.encode.embedding import open_embedder
    from tacit.write.reembed import active_spec

    spec = settings.embedder
    if spec == "default":
        spec = active_spec(store) or spec
    embedder = open_embedder(spec, threads=settings.embed_threads)
    return embedder and Guarded(embedder, Breaker())


def _reranker(settings: Settings) -> Any:
    if settings.reranker == "off":
        return None
    from tacit.encode.pair_models import open_reranker

    return open_reranker(settings.reranker)


def plain_name(name: str) -> str:
    """Give a name in the letters that a scope may have."""
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in fold(name))
    return kept.strip("-") or "store"
