"""Every error Tacit raises on purpose.

    TacitError                     base; carries a `code`
    ├── Invalid      invalid       the input cannot mean anything: change it
    ├── NotFound     not_found     the thing named is not there
    ├── Conflict     conflict      it clashes with what is there: newer schema, changed meanwhile
    ├── Denied       denied        not allowed: read-only file, private memory
    └── Unavailable  unavailable   could not look or write: busy, full, corrupt, model missing
        ├── Busy                   another process holds the store for too long: try again
        ├── Lost                   a language model may bill, but no answer came (encode.ports)
        └── Corrupt                the store's file is damaged: restore a backup

A message says what happened, to what, and what to do about it. The interfaces turn `code`
into an exit status, an HTTP status or an MCP error in one place (`interfaces.wire`).
"""


class TacitError(Exception):
    """Base of all errors; `code` is stable and meant for programs."""

    code = "unavailable"


class Invalid(TacitError):
    """The input cannot mean anything; sending it again will not help."""

    code = "invalid"


class NotFound(TacitError):
    """The memory, file or profile that was named does not exist."""

    code = "not_found"


class Conflict(TacitError):
    """What was asked clashes with what is there."""

    code = "conflict"


class Denied(TacitError):
    """The caller or the process may not do this."""

    code = "denied"


class Unavailable(TacitError):
    """Tacit could not look or could not write; never the same as finding nothing."""

    code = "unavailable"


class Busy(Unavailable):
    """Another process held the store longer than the busy timeout."""


class Corrupt(Unavailable):
    """The store's file is damaged or is not a Tacit store."""
