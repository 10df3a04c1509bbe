"""What every part of the facade stands on: the stores, the scope, the clock and the models."""

from __future__ import annotations

from tacit.clock import Clock
from tacit.errors import Conflict, Denied, Invalid, NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, Self, TypeVar

    from tacit.config import Settings
    from tacit.encode.llm.guard import Guarded
    from tacit.encode.ports import Embedder, Reranker, TokenCounter
    from tacit.model import Memory, Scope
    from tacit.profile import Profile
    from tacit.project import Project
    from tacit.store.protocol import Filter, Reader, Store

    Part = TypeVar("Part", bound=Callable[..., Any])

MOST_NAMED_ALIKE = 5


def _plain(name: str) -> str:
    from tacit.opening import plain_name

    return plain_name(name)


def _binds_others(memory: Memory) -> bool:
    """Tell whether a memory is a rule of the team: whoever said it first, it is not theirs alone."""
    from tacit.model import Tier, Visibility

    return memory.tier is not Tier.REFERENCE and memory.visibility is not Visibility.PRIVATE


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
        profile: str | Profile = "default",
        settings: Settings | None = None,
        project: Project | None = None,
        open_for: Callable[[str], Store] | None = None,
    ) -> None:
        """Wire the given parts; `Tacit.open` finds them by convention.

        An embedder may be given as a function that opens it when it is first needed.
        """
        self.settings = settings
        self.project = project
        self._open_for = open_for  # how a team's store is opened for another of its members
        self.store = store
        self.scope = scope
        self.user_store = user_store
        self._user_location = user_location
        self._visible = visible  # where several projects share a store; empty: all of it
        self.clock = clock or Clock()
        self._profile = profile
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
        token: str | None = None,
    ) -> Self:
        """Open a store by path or URL, or the store of the project a folder belongs to.

        With neither, the project of the present folder. The address of a server
        (`http://127.0.0.1:7878`) gives the same methods, answered by it; the `token` it asks
        for may stand in TACIT_TOKEN. Settings come from the environment and the settings file
        unless given.
        """
        from tacit.opening import open_parts, server_of

        if server := server_of(location, project, settings):
            from tacit.system.remote.facade import reached

            return reached(cls, server, token=token, scope=scope, settings=settings)
        if token is not None:
            raise Invalid("a token opens a server, such as http://127.0.0.1:7878; leave it out")
        return cls(**open_parts(location, project, scope, settings, create=create))

    def as_member(self, name: str) -> Self:
        """Open the same memory for another member of the team: as they see it, with their role.

        Models are shared. Nothing of the one who opened it first is read: their own store stays
        out. `Denied` when they are not a member, or the database takes them for somebody else.
        """
        from tacit.model import Scope

        if self._open_for is None or self.settings is None:
            raise Invalid("a file is one person's; only a team's store is opened for others")
        store = self._open_for(name)
        if store.asker().member != name:
            store.close()
            raise Denied(
                f"the database holds this login for one member alone, and that is not {name}; "
                "serve with a login of the role tacit_server"
            )
        from tacit.store.connect import groups_of

        mine, theirs = (Scope(path=f"user:{_plain(user)}") for user in (self.settings.user, name))
        general = [scope for scope in self._visible if not scope.path.startswith("team:")]
        seen = [theirs if scope == mine else scope for scope in general]
        return type(self)(
            store,
            scope=self.scope,
            visible=(*seen, *groups_of(store)) if seen else (),
            clock=self.clock,
            embedder=lambda: self.embedder,
            reranker=self.reranker,
            counter=self._counter,
            profile=self._profile,
            settings=self.settings.replace(user=name),
            project=self.project,
        )

    @property
    def profile(self) -> Profile:
        """The profile in use: the one that was named, else the one the store has adopted."""
        if isinstance(self._profile, str):
            from tacit.learn.profiles import find, in_use

            unnamed = self._profile == "default"
            self._profile = in_use(self.store) if unnamed else find(self.store, self._profile)
        return self._profile

    @profile.setter
    def profile(self, profile: Profile) -> None:
        self._profile = profile

    def _part(self, key: str, built_in: Part) -> Part:
        """Give the part of the pipeline that a setting names, else the built-in one."""
        named = getattr(self.settings, key) if self.settings is not None else ""
        if not named:
            return built_in
        from tacit.opening import named_part

        part: Part = named_part(key, named)
        return part

    @property
    def embedder(self) -> Embedder | None:
        """The embedder in use; opened when it is first asked for."""
        opened = self._embedder
        if callable(opened):  # of two threads that come first each opens one, and one stays
            self._embedder = opened = opened()
        return opened

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

    def _seen_with(self, collaborator: str) -> tuple[Scope, ...]:
        """Give the scopes seen from here while somebody works along: what they shared too."""
        if not self._visible or not collaborator:
            return self._visible
        from tacit.model import Scope

        theirs = Scope(path=f"user:{_plain(collaborator.strip().lstrip('@'))}")
        return tuple(dict.fromkeys((*self._visible, theirs)))

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
            from tacit.store.connect import connect, is_shared

            if not self._user_location and is_shared(self.store.path):
                return self.store  # what is a member's own lies with the team, behind its walls
            if not self._user_location:
                raise NotFound(
                    "a single store has no place for a user's own memories; open by project"
                )
            self.user_store = connect(self._user_location)
        return self.user_store

    def may(self, act: str, author: str | None = None) -> bool:
        """Tell whether who asks may do something, such as `edit`, to a memory of an author.

        Without an author it is about their own. Nothing is put on record.
        """
        from tacit.roles import allows

        asker = self.store.asker()
        return asker.alone or allows(asker.role, act, own=author in (None, asker.member))

    def _require(self, act: str, memory: Memory | None = None, store: Store | None = None) -> None:
        """Raise `Denied` where the asker's role is not enough, and put that on record.

        The one place for it, below every interface; the table is `tacit.roles`.
        """
        store = store or self.store
        asker = store.asker()
        if asker.alone:
            return
        from tacit.roles import allows, needed

        own = memory is None or (memory.author == asker.member and not _binds_others(memory))
        if allows(asker.role, act, own=own):
            return
        what = f"{act} {memory.short}" if memory is not None else act
        self._audit(f"refused: {act}", memory.id if memory is not None else "", store)
        raise Denied(
            f"{asker.member} is a {asker.role} of this team; to {what} one must be "
            f"{needed(act, own=own)}; ask an admin: tacit team members"
        )

    def _audit(self, act: str, subject: str = "", store: Store | None = None) -> None:
        """Put on record that something was done that others may ask about."""
        from tacit.roles import AuditEntry

        store = store or self.store
        member = self._by(store)
        entry = AuditEntry(at=self.clock.now(), member=member, act=act, subject=subject)
        store.add_audit([entry])

    def _by(self, store: Store | None = None) -> str:
        """Name who asks: in a team the member, else the user of the settings."""
        return (store or self.store).asker().member or (self.settings.user if self.settings else "")

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
        from tacit.store.protocol import EVERYTHING, Filter

        try:
            return find(self._stores(), ref)
        except (Invalid, NotFound):
            past = EVERYTHING.replace(scopes=self._visible)
            now = Filter(scopes=self._visible, at=self.clock.now(), current=True, evidence=None)
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
        if not name:  # most memories have no source; a name that is none must not mean them
            return []
        named = "project:card" if name == "project-card" else name
        where = where.replace(sources=(named, f"loki:{name}"))
        return [
            (store, memory)
            for store in self._stores()
            for memory in store.scan(where, order="-recorded_at", limit=limit)
        ][:limit]
