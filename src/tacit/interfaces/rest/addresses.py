"""Names and addresses: which are this machine's own, and by which a server may be called. Pure."""

from __future__ import annotations

from ipaddress import ip_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = ("localhost", "127.0.0.1", "::1")
ANYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  # the names of it, nothing is bound here


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches an address."""
    name = host.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def host_of(given: str) -> tuple[str, str]:
    """Split `name:port` as it stands in a header into a name in lower case and a port."""
    given = given.strip().lower()
    if given.startswith("["):
        name, _, rest = given[1:].partition("]")
        return name, rest.removeprefix(":")
    name, _, port = given.partition(":")
    return name.rstrip("."), port


def may_be_called(header: str, names: Sequence[str]) -> bool:
    """Tell whether a `Host` header names this server, by one of its names or this machine's."""
    name, _ = host_of(header)
    known = {*HERE, *(one.strip("[]").lower() for one in names if one not in ANYWHERE)}
    return name in known
