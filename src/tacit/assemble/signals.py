"""What just happened, read from plain words: files opened, branch, error, hour, who joined, task."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

KEYS = ("file", "files", "branch", "error", "errors", "time", "collaborator", "task")
RESOLVED = "resolved the same error"  # the best that can be said of a memory at an error
MOST_FILES = 20
MOST_ERRORS = 5
LONGEST = 8_000  # characters of one signal
_HOUR = 60


class Signals(Value):
    """What just happened; empty where nothing was told."""

    files: tuple[str, ...] = ()  # opened, the latest first
    branch: str = ""
    errors: tuple[str, ...] = ()
    minute: int | None = None  # of the day, in UTC
    collaborator: str = ""
    task: str = ""

    @property
    def told(self) -> bool:
        """Whether anything was told at all."""
        return self != Signals()


def signals_of(given: Mapping[str, object], root: str = "") -> Signals:
    """Read signals by their names; files become paths within the project."""
    unknown = [name for name in given if name not in KEYS]
    if unknown:
        raise Invalid(f"there is no signal {unknown[0]!r}; there are {', '.join(KEYS)}")
    files = [*_texts(given, "file"), *_texts(given, "files")]
    within = (path_within(path, root) for path in files)
    return Signals(
        files=tuple(dict.fromkeys(path for path in within if path))[:MOST_FILES],
        branch=_text(given, "branch"),
        errors=tuple([*_texts(given, "error"), *_texts(given, "errors")][:MOST_ERRORS]),
        minute=_minute(given.get("time")),
        collaborator=_text(given, "collaborator"),
        task=_text(given, "task"),
    )


def path_within(path: str, root: str) -> str:
    """Give a path as the history names it: from the root, with `/`."""
    path = path.replace("\\", "/").strip()
    if root and path.startswith(f"{root.rstrip('/')}/"):
        path = path[len(root.rstrip("/")) + 1 :]
    while path.startswith("./"):
        path = path[2:]
    return path


def minute_of_day(moment: datetime) -> int:
    """Give the minute of the day in UTC."""
    from tacit.clock import aware

    there = aware(moment)
    return there.hour * _HOUR + there.minute


def _minute(given: object) -> int | None:
    """Read a time of day: 09:30, a moment in ISO 8601, or one that is read already."""
    if given is None or given == "":
        return None
    if isinstance(given, str):
        hour, colon, minute = given.strip().partition(":")
        if colon and hour.isdecimal() and minute.isdecimal() and len(given.strip()) <= len("23:59"):
            if int(hour) < 24 and int(minute) < _HOUR:
                return int(hour) * _HOUR + int(minute)
            raise Invalid(f"{given!r} is no time of day; write 09:30")
        from tacit.clock import parse_time

        return minute_of_day(parse_time(given))
    from datetime import datetime

    if isinstance(given, datetime):
        return minute_of_day(given)
    raise Invalid(f"signal 'time' is a text or a moment, not {type(given).__name__}")


def _text(given: Mapping[str, object], name: str) -> str:
    return next(iter(_texts(given, name)), "")


def _texts(given: Mapping[str, object], name: str) -> list[str]:
    value = given.get(name)
    if value is None:
        return []
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, (list, tuple)) or not all(isinstance(v, str) for v in values):
        raise Invalid(f"signal {name!r} is a text, not {type(value).__name__}")
    return [text[:LONGEST] for text in values if text.strip()]
