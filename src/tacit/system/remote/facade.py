"""`Tacit` over a server: every method of the facade, asked of it or refused with a reason.

The methods are made of the facade's own, so they have its names, arguments and words; a test
holds that each is either served, or right here as it is, or refused. Values come back as the
facade gives them. There is no store here: what needs the file itself is run where the file is.
"""

from __future__ import annotations

import json
import os
from functools import wraps
from importlib import import_module

from tacit.config import load_settings
from tacit.errors import Denied, Invalid, TacitError, Unavailable
from tacit.model import Scope
from tacit.system.remote.arguments import sent
from tacit.system.remote.carry import unpacked
from tacit.system.remote.connection import LONG_SECONDS, SECONDS, Connection, error_of
from tacit.system.remote.verbs import HELD, HERE, VERBS
from tacit.system.whole import Tacit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, NoReturn, Self, TypeVar

    from tacit.config import Settings
    from tacit.session.blocks import Blocks
    from tacit.session.continuity import Continuity
    from tacit.session.handoffs import Handoffs
    from tacit.session.ledgers import Ledgers
    from tacit.session.memory_files import MemoryFiles
    from tacit.store.transfer import Imported
    from tacit.system.opened import Opened

    Opened_ = TypeVar("Opened_", bound=Opened)

PROGRESS = "progress"  # the argument by which long work is told of; it stays here
BATCH = 1 << 16  # characters of an import that are sent at once


class Elsewhere:
    """Stands where a store would: it has a name, and nothing can be done to it from here."""

    def __init__(self, path: str) -> None:
        self.path = path

    def close(self) -> None:
        """Close nothing: the server keeps the store."""

    def __getattr__(self, name: str) -> NoReturn:
        raise _refusal("this", self.path)


class RemoteTacit(Tacit):
    """A memory that a server keeps."""

    connection: Connection

    @classmethod
    def reach(cls, location: str, *, token: str, settings: Settings) -> Self:
        """Reach a server; it must be there, and let one in."""
        connection = Connection(location, token)
        try:
            scope = Scope(path=connection.ask("GET", "/place")["scope"])
        except (KeyError, TypeError):
            connection.close()
            raise Unavailable(f"{connection.url} is no Tacit server, or an old one") from None
        except TacitError:
            connection.close()
            raise
        store: Any = Elsewhere(connection.url)
        made = cls(store, scope=scope, settings=settings)
        made.connection = connection
        return made

    def told_status(self) -> dict[str, Any]:
        """Give the status as the server tells it, with what it was wired with."""
        found: dict[str, Any] = self.connection.ask("GET", "/status")
        return found

    @property
    def blocks(self) -> Blocks:
        """The blocks of agents."""
        found: Blocks = self._held("blocks")
        return found

    @property
    def ledgers(self) -> Ledgers:
        """The checkpoints of agents."""
        found: Ledgers = self._held("ledgers")
        return found

    @property
    def handoffs(self) -> Handoffs:
        """What agents leave for one another."""
        found: Handoffs = self._held("handoffs")
        return found

    @property
    def continuity(self) -> Continuity:
        """What agents are doing now."""
        found: Continuity = self._held("continuity")
        return found

    @property
    def memory_files(self) -> MemoryFiles:
        """Memory as files."""
        found: MemoryFiles = self._held("memory_files")
        return found

    def export(self) -> Iterator[str]:
        """Give the project's store as lines of JSON, without loss."""
        return self.connection.lines("GET", "/export", None, told=False)

    def import_(
        self,
        lines: Iterable[str],
        *,
        distrust: bool = False,
        progress: Callable[[int], None] = lambda _count: None,
    ) -> Imported:
        """Bring an export in; what is there already stays as it is."""
        from tacit.store.transfer import Imported

        path = "/import?distrust=true" if distrust else "/import"
        told = self.connection.lines("POST", path, _bytes(lines), told=True)
        found = _result(told, lambda _step, count: progress(count))
        return Imported(read=found["read"], new=found["new"])

    def close(self) -> None:
        """Close the connections."""
        self.connection.close()

    def _held(self, name: str) -> Any:
        home, cls = HELD[name]
        found = object.__new__(_reaching(vars(import_module(home))[cls], name))
        found.connection = self.connection
        return found


def reached(
    cls: type[Opened_],
    location: str,
    *,
    token: str | None,
    scope: str | None,
    settings: Settings | None,
) -> Opened_:
    """Give the memory that a server keeps, for whoever opened it by its address."""
    if not issubclass(RemoteTacit, cls):
        raise Invalid(f"hooks need a store on this machine, and {location} is a server")
    if scope is not None:
        raise Invalid("a server serves the scope it was started with; leave scope out")
    settings = settings or load_settings(os.environ)
    made: Any = RemoteTacit.reach(location, token=token or settings.token, settings=settings)
    found: Opened_ = made  # it is one, as was just asked
    return found


def _reaching(cls: type, held: str) -> Any:
    """Make a class whose methods are asked of a server."""
    methods = {name: _method(getattr(cls, name), f"{held}.{name}") for name in _public(cls)}
    return type(f"Remote{cls.__name__}", (cls,), methods)


def _method(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    if name not in VERBS:
        return _refusing(function, name)
    return _asking_long(function, name) if VERBS[name].long else _asking(function, name)


def _asking(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    @wraps(function)
    def ask(self: Any, *args: Any, **named: Any) -> Any:
        body = {"arguments": sent(function, args, named)}
        found = self.connection.ask("POST", f"/call/{name}", body, seconds=SECONDS)
        return unpacked(_answer(found))

    return ask


def _asking_long(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    @wraps(function)
    def ask(self: Any, *args: Any, **named: Any) -> Any:
        progress = named.pop(PROGRESS, None)
        body = {"arguments": sent(function, args, named)}
        if progress is None:
            found = self.connection.ask("POST", f"/call/{name}", body, seconds=LONG_SECONDS)
            return unpacked(_answer(found))
        data = json.dumps(body).encode()
        told = self.connection.lines("POST", f"/call/{name}", data, told=True)
        return unpacked(_answer(_result(told, progress)))

    return ask


def _refusing(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    @wraps(function)
    def refuse(self: Any, *_args: Any, **_named: Any) -> NoReturn:
        raise _refusal(name, self.connection.url)

    return refuse


def _refusal(what: str, url: str) -> Denied:
    return Denied(f"{what} needs the store itself, which {url} keeps; run it where that store is")


def _answer(found: Any) -> Any:
    if not isinstance(found, dict) or "answer" not in found:
        raise Unavailable("the answer is not that of a Tacit server")
    return found["answer"]


def _result(lines: Iterable[str], progress: Callable[[str, int], None]) -> Any:
    """Give what long work came to; its steps are told as they come."""
    for line in lines:
        told: Mapping[str, Any] = json.loads(line)
        if told["event"] == "progress":
            progress(told["step"], told["count"])
        elif told["event"] == "error":
            raise error_of(str(told["code"]), str(told["detail"]))
        else:
            return told["result"]
    raise Unavailable("the server ended before the work did; ask it how far it came")


def _bytes(lines: Iterable[str]) -> Iterator[bytes]:
    held: list[str] = []
    chars = 0
    for line in lines:
        if not isinstance(line, str):
            raise Invalid(f"an import is lines of text, not {type(line).__name__}")
        held.append(line if line.endswith("\n") else f"{line}\n")
        chars += len(line)
        if chars >= BATCH:
            yield "".join(held).encode()
            held, chars = [], 0
    if held:
        yield "".join(held).encode()


def _public(cls: type) -> list[str]:
    """Give the names of the methods that are for others."""
    found = [name for name in dir(cls) if not name.startswith("_")]
    return [name for name in found if callable(getattr(cls, name))]


for _name in _public(Tacit):
    if _name not in HERE and _name not in vars(RemoteTacit):
        setattr(RemoteTacit, _name, _method(getattr(Tacit, _name), _name))
