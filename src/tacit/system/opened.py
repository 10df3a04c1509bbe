"""What every part of the facade stands on: the stores, the scope, the clock and the models."""

from __future__ import annotations

from tacit.clock import Clock
from tacit.errors import Conflict, Invalid, NotFound
from tacit.profile import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, Self

    from tacit.config import Settings
    from tacit.encode.llm.guard import Guarded
    from tacit.encode.ports import Embedder, Reranker, TokenCounter
    from tacit.model import Memory, Scope
    from tacit.project import Project
    from tacit.store.protocol import Filter, Reader, Store

MOST_NAMED_ALIKE = 5


class Opened:
    """A memory that is open: its stores and what it was wired with."""

    def __init__(
        self,
        store: Store,
        *,
        scope: Scope,
        user_store: Store | None = None,
        user_location: str = "",
        visible: tuple[Scope, ...] = (),
        clock: Clock | None = None,
        embedder: Embedder | Callable[[], Embedder | None] | None = None,
        reranker: Reranker | None = None,
        counter: TokenCounter | None = None,
        profile: str = "default",
        settings: Settings | None = None,
        project: Project | None = None,
    ) -> None:
        """Wire the given parts; `Tacit.open` finds them by convention.

        An embedder may be given as a function that opens it when it is first needed.
        """
        self.settings = settings
        self.project = project
        self.store = store
        self.scope = scope
        self.user_store = user_store
        self._user_location = user_location
        self._visible = visible  # where several projects share a store; empty: all of it
        self.clock = clock or Clock()
        self.profile = named(profile)
        self._embedder = embedder
        self.reranker = reranker
        self._counter = counter
        self._language_model: Guarded | None = None
        # Whoever runs a session sets it; a language model is never asked without one.
        self.session_is_alive: Callable[[], bool] = lambda: False

    @classmethod
    def open(
        cls,
        location: str | None = None,
        *,
        project: str | None = None,
        scope: str | None = None,
        settings: Settings | None = None,
        create: bool = True,
    ) -> Self:
        """Open a store by path or URL, or the store of the project a folder belongs to.

        With neither, the project of the present folder. Settings come from the environment
        and the settings file unless given.
        """
        from tacit.opening import open_parts

        return cls(**open_parts(location, project, scope, settings, create=create))

    @property
    def embedder(self) -> Embedder | None:
        """The embedder in use; opened when it is first asked for."""
        if callable(self._embedder):
            self._embedder = self._embedder()
        return self._embedder

    @property
    def counter(self) -> TokenCounter:
        """The token counter; opened when it is first asked for."""
        if self._counter is None:
            from tacit.encode.tokens import open_counter

            self._counter = open_counter()
        return self._counter

    @property
    def language_model(self) -> Guarded | None:
        """The optional language model behind its guard; None when it is off."""
        if self._language_model is None and self.settings is not None:
            from tacit.opening import open_language_model

            self._language_model = open_language_model(
                self.settings,
                self.store,
                clock=self.clock,
                counter=self.counter,
                alive=lambda: self.session_is_alive(),
            )
        return self._language_model

    def close(self) -> None:
        """Close the files; nothing that was acknowledged waits for this."""
        for store in self._stores():
            store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _seen(self, filters: dict[str, Any]) -> dict[str, Any]:
        """Add what may be seen from here, unless scopes are named."""
        return filters if filters.get("scopes") else filters | {"scopes": self._visible}

    def _own(self) -> tuple[Scope, ...]:
        """Give the scopes that are this project's alone; none need be named where all are."""
        return (self.scope,) if self._visible else ()

    def _stores(self) -> list[Store]:
        return [self.store] + ([self.user_store] if self.user_store else [])

    def _reader(self) -> Reader:
        if self.user_store is None:
            return self.store
        from tacit.store.joined import Joined

        return Joined(self._stores())

    def _personal(self) -> Store:
        """Give the user's own store; the first memory of a user's own makes it."""
        if self.user_store is None:
            from tacit.store.connect import connect

            if not self._user_location:
                raise NotFound(
                    "a single store has no place for a user's own memories; open by project"
                )
            self.user_store = connect(self._user_location)
        return self.user_store

    def _change(
        self, store: Store, id_: str, alter: Callable[[Memory], Memory], *, op: str, by: str
    ) -> Memory:
        from tacit.write.history import change

        return change(store, [id_], alter, op=op, by=by, at=self.clock.now())[0]

    def _find(self, ref: str) -> tuple[Store, Memory]:
        """Give the one memory a reference names, by its own name or that of its source.

        Of what came from the same source, what holds now is meant before what once did.
        """
        from tacit.retrieve.refs import find
        from tacit.store.protocol import EVERY_STATE, Filter

        try:
            return find(self._stores(), ref)
        except (Invalid, NotFound):
            past = Filter(scopes=self._visible, states=EVERY_STATE)
            now = Filter(scopes=self._visible, at=self.clock.now(), current=True)
            alike = MOST_NAMED_ALIKE
            found = self._from(ref, now, limit=alike) or self._from(ref, past, limit=alike)
            if not found:
                raise
            if len(found) > 1:
                shown = ", ".join(memory.short for _, memory in found)
                raise Conflict(f"{ref} could be any of {shown}; name one of them") from None
            return found[0]

    def _from(self, ref: str, where: Filter, *, limit: int) -> list[tuple[Store, Memory]]:
        """Give what came from a source, newest first; what was imported also by its old name.

        The brackets in which a name is cited may be there: `sem-001`, `[skill: release]`.
        """
        name = ":".join(part.strip() for part in ref.strip().strip("[]").split(":"))
        where = where.replace(sources=(name, f"loki:{name}"))
        return [
            (store, memory)
            for store in self._stores()
            for memory in store.scan(where, order="-recorded_at", limit=limit)
        ][:limit]
