"""Arguments that several commands share, and how their values are read."""

from __future__ import annotations

from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator
    from datetime import datetime
    from typing import Any

    from tacit.system import Tacit

WHEN = "a date or time (2026-01-31, 2026-01-31T09:30Z) or how long ago (7d, 2h, 3w)"
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
REF_HELP = "a short name such as abcd2345, the beginning of one, an id, or [M:abcd2345]"
# Option → the field of the filter it fills.
_FILTERS = {
    "kind": "kinds",
    "tier": "tiers",
    "state": "states",
    "polarity": "polarities",
    "facet": "facets",
    "scope": "scopes",
    "session": "sessions",
    "author": "authors",
    "key": "keys",
}


def when(text: str) -> datetime:
    """Read a moment: ISO 8601, or how long ago; with a plus, how long from now."""
    from datetime import timedelta

    from tacit.clock import Clock, parse_time

    ahead = text.startswith("+")
    number, unit = text[ahead:-1], text[-1:]
    if unit not in _UNITS or not (number.isascii() and number.isdigit()):
        try:
            return parse_time(text)
        except Invalid:
            raise Invalid(f"{text!r} is not a time; write {WHEN}") from None
    try:
        span = timedelta(**{_UNITS[unit]: int(number)})
        return Clock().now() + (span if ahead else -span)
    except OverflowError:
        raise Invalid(f"{text!r} lies too far away; write a date") from None


def words(text: str) -> list[str]:
    """Read a list with commas between."""
    return [word for word in (part.strip() for part in text.split(",")) if word]


def number_from(text: str) -> float:
    """Read a number from 0 to 1."""
    try:
        return float(text)
    except ValueError:
        raise Invalid(f"{text!r} is not a number; write one from 0 to 1, such as 0.8") from None


def add_ref(parser: ArgumentParser, *, many: bool = False) -> None:
    """Add the argument that names a memory, or several."""
    if many:
        parser.add_argument("refs", metavar="REF", nargs="+", help=REF_HELP)
    else:
        parser.add_argument("ref", metavar="REF", help=REF_HELP)


def add_filters(parser: ArgumentParser) -> None:
    """Add the options that choose among memories; repeated ones widen the choice."""
    from tacit.model import Kind, Polarity, State, Tier

    group = parser.add_argument_group("which memories (repeat an option to allow more)")
    for name, enum in (("kind", Kind), ("tier", Tier), ("state", State), ("polarity", Polarity)):
        choices = [str(word) for word in enum]
        group.add_argument(
            f"--{name}",
            action="append",
            choices=choices,
            metavar=name.upper(),
            help="of " + ", ".join(choices),
        )
    group.add_argument(
        "--facet", action="append", metavar="TYPE:NAME", help="about file:src/auth.py, tag:auth, …"
    )
    group.add_argument("--scope", action="append", metavar="SCOPE", help="of exactly this scope")
    group.add_argument("--session", action="append", metavar="NAME", help="of this session")
    group.add_argument("--author", action="append", metavar="NAME", help="said by this author")
    group.add_argument("--key", action="append", metavar="KEY", help="facts with this key")


def add_times(parser: ArgumentParser) -> None:
    """Add the options that choose by time."""
    group = parser.add_argument_group(f"times: {WHEN}")
    group.add_argument("--since", type=when, metavar="TIME", help="that began then or later")
    group.add_argument("--until", type=when, metavar="TIME", help="that began before then")
    group.add_argument("--as-of", type=when, metavar="TIME", help="that held in the world then")
    group.add_argument("--known-at", type=when, metavar="TIME", help="as Tacit knew it then")


def add_known_at(parser: ArgumentParser) -> None:
    """Add the option that looks back on one memory."""
    parser.add_argument("--known-at", type=when, metavar="TIME", help=f"as it stood then: {WHEN}")


def filters_of(given: Namespace) -> dict[str, Any]:
    """Give the facade's filters for the options above."""
    filters = {field: getattr(given, name) for name, field in _FILTERS.items()}
    filters |= {"since": given.since, "until": given.until}
    return {field: value for field, value in filters.items() if value is not None}


def open_tacit(given: Namespace, *, create: bool = False, scope: str | None = None) -> Tacit:
    """Open what `--store` or `--project` names, else the project of the present folder."""
    from tacit.system import Tacit

    return Tacit.open(given.store, project=given.project, scope=scope, create=create)


def read_stdin() -> str:
    """Read all of standard input, which must be UTF-8."""
    import sys

    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Invalid(f"standard input is not UTF-8 (byte {error.start}); convert it") from None


def read_lines(path: str) -> Iterator[str]:
    """Give the lines of a UTF-8 file, or of standard input for `-`."""
    import sys

    from tacit.store.transfer import text_lines

    file = sys.stdin.buffer if path == "-" else open(path, "rb")  # noqa: SIM115  # closed below
    try:
        yield from text_lines(file, f" of {path}")
    finally:
        if path != "-":
            file.close()
