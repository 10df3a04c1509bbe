"""Where a PostgreSQL store is: the address, and who asks for which tenant's memories there.

Passwords are taken in and never given out: what is shown of an address has none.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from tacit.errors import Invalid
from tacit.value import Value

SCHEMES = ("postgresql", "postgres")
DEFAULT_TENANT = "default"


class Location(Value):
    """An address for the driver, and the two words of it that are ours."""

    conninfo: str
    tenant: str
    member: str
    shown: str  # without user, password and options

    def __repr__(self) -> str:
        """Show what may be seen."""
        return f"Location({self.shown!r}, member={self.member!r})"


def parse(address: str, *, tenant: str = "", member: str = "") -> Location:
    """Read `postgresql://user:password@host/database?tenant=…&member=…`.

    What the address says of tenant and member goes before what is given beside it.
    """
    try:
        parts = urlsplit(address)
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Invalid(
            "the address of the store cannot be read; write postgresql://user@host:port/database "
            "and %-escape what is special in a password"
        ) from None
    said = dict(options)
    tenant = said.pop("tenant", "") or tenant or DEFAULT_TENANT
    member = said.pop("member", "") or member
    _check_name("tenant", tenant)
    if member:
        _check_name("member", member)
    rest = [(name, value) for name, value in options if name in said]
    conninfo = parts._replace(scheme="postgresql", query=urlencode(rest, quote_via=quote)).geturl()
    if not parts.netloc:  # geturl would leave out the empty host, and with it the slashes
        conninfo = conninfo.replace("postgresql:/", "postgresql:///", 1).replace("////", "///", 1)
    where = f"{host}{f':{port}' if port else ''}{parts.path}"
    return Location(
        conninfo=conninfo,
        tenant=tenant,
        member=member,
        shown=f"postgresql://{where}?tenant={quote(tenant)}",
    )


def _check_name(what: str, name: str) -> None:
    if len(name) > 200 or not name.isprintable():
        raise Invalid(
            f"{name[:40]!r} cannot be the name of a {what}: it is too long or unprintable"
        )
