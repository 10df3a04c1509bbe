"""One thing at a time, and only the last that was asked for: dragging must not pile up work."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class Latest:
    """Does something whenever it is called; calls that come meanwhile become one more, after it."""

    def __init__(self, act: Callable[[], Awaitable[None]]) -> None:
        self._act = act
        self._running = False
        self._again = False

    async def __call__(self) -> None:
        """Do it now, or once more when what is running is done."""
        self._again = True
        if self._running:
            return
        self._running = True
        try:
            while self._again:
                self._again = False
                await self._act()
        finally:
            self._running = False
