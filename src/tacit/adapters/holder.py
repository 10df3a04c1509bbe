"""Who holds an open memory: it was lent and stays open, or was opened here and is closed here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from tacit.system import Tacit


class Holder:
    """Something that stands on a memory and may be closed with it."""

    tacit: Tacit
    opened_here = False

    def close(self) -> None:
        """Close the memory if it was opened here."""
        if self.opened_here:
            self.tacit.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
