"""Tokens: who may ask, and for how much. Kept hashed, in a file for its owner alone.

The file lies beside the data of Tacit and not in the store: whoever may bring an export, a
backup or another store in must not bring a token in with it. A token is 256 random bits, so one
fast hash is enough to keep it by. A running server sees a change of the file at its next request.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from contextlib import suppress
from threading import Lock

from tacit.clock import Clock, show_time
from tacit.errors import Conflict, Invalid, NotFound, Unavailable
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCOPES = ("read", "write", "admin")  # each may what those before it may
PREFIX = "tacit_"
FOLDER = "serve"
LONGEST_NAME = 64


class Token(Value):
    """What is kept of a token: its name, its scope, and by what it is known again."""

    name: str
    scope: str
    hash: str
    made_at: str
    member: str = ""  # of a team's store: as whom it asks

    def allows(self, scope: str) -> bool:
        """Tell whether it is enough for something that needs a scope."""
        return SCOPES.index(self.scope) >= SCOPES.index(scope)


def path_for(home: str, location: str) -> str:
    """Give where the tokens of the server of one store are kept."""
    place = location if "://" in location else os.path.abspath(location)
    name = hashlib.sha256(place.encode("utf-8", "replace")).hexdigest()[:16]
    return os.path.join(home, FOLDER, f"{name}.json")


class Tokens:
    """The tokens of one server; safe from many threads."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = Lock()
        self._stamp: tuple[int, int, int] | None = (0, 0, 0)
        self._by_hash: dict[str, Token] = {}

    def __bool__(self) -> bool:
        return bool(self._read())

    def all(self) -> list[Token]:
        """Give all tokens by name."""
        return sorted(self._read().values(), key=lambda token: token.name)

    def find(self, secret: str) -> Token | None:
        """Give the token of a secret, None where there is none."""
        # By its hash: how long the look-up takes tells nothing about any token.
        return self._read().get(_hash(secret))

    def named(self, name: str) -> Token | None:
        """Give the token of a name, None where it was revoked."""
        return next((token for token in self._read().values() if token.name == name), None)

    def add(self, name: str, scope: str, member: str = "") -> str:
        """Make a token and give its secret, which is kept nowhere."""
        if not name or len(name) > LONGEST_NAME or not name.isprintable() or name != name.strip():
            raise Invalid(f"{name!r} is no name; use up to {LONGEST_NAME} letters and digits")
        if scope not in SCOPES:
            raise Invalid(f"scope {scope!r} is unknown; use one of {', '.join(SCOPES)}")
        found = self.all()
        if any(token.name == name for token in found):
            raise Conflict(f"there is a token {name!r} already; revoke it or choose another name")
        secret = PREFIX + secrets.token_urlsafe(32)
        at = show_time(Clock().now())
        made = Token(name=name, scope=scope, hash=_hash(secret), made_at=at, member=member)
        self._write([*found, made])
        return secret

    def revoke(self, name: str) -> None:
        """Take a token away."""
        found = self.all()
        left = [token for token in found if token.name != name]
        if len(left) == len(found):
            raise NotFound(f"there is no token {name!r}; see: tacit serve --tokens")
        self._write(left)

    def _read(self) -> dict[str, Token]:
        """Give what the file holds; a file that cannot be read lets nobody in."""
        try:
            stat = os.stat(self.path)
            stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        except FileNotFoundError:
            stamp = None
        except OSError as error:
            raise Unavailable(f"{self.path} cannot be read ({error.strerror})") from error
        with self._lock:
            if stamp != self._stamp:
                self._by_hash = _load(self.path) if stamp else {}
                self._stamp = stamp
            return self._by_hash

    def _write(self, tokens: list[Token]) -> None:
        from tacit.config import make_folder

        make_folder(os.path.dirname(self.path))
        part = f"{self.path}.{os.getpid()}"
        shape = {"tokens": [{n: getattr(t, n) for n in Token._fields} for t in tokens]}
        with suppress(FileNotFoundError):
            os.unlink(part)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="utf-8") as file:
            json.dump(shape, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, self.path)


def _load(path: str) -> dict[str, Token]:
    try:
        with open(path, encoding="utf-8") as file:
            shape: Any = json.load(file)
        found = [
            Token(**{n: str(one[n]) for n in Token._fields if n != "member" or n in one})
            for one in shape["tokens"]
        ]
    except OSError as error:
        raise Unavailable(f"{path} cannot be read ({error.strerror})") from error
    except (ValueError, TypeError, KeyError) as error:
        raise Unavailable(
            f"{path} is not a file of tokens; move it away and make new ones"
        ) from error
    if any(token.scope not in SCOPES for token in found):
        raise Unavailable(f"{path} names a scope that is unknown; upgrade tacit")
    return {token.hash: token for token in found}


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
