"""What reading another memory's files gives, whatever their format."""

from __future__ import annotations

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.draft import Draft


class Brought(Value):
    """What a foreign memory gave.

    `drafts` are to be written. `documents` are kept beside them by name, so that the way back
    loses nothing. `counts` say what was read and what was left out, by name.
    """

    drafts: tuple[Draft, ...]
    documents: tuple[tuple[str, str], ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
