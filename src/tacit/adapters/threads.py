"""How async interfaces call Tacit, which is written once and waits: in a thread."""

from __future__ import annotations

import asyncio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


async def in_thread(call: Callable[..., T], *given: object) -> T:
    """Give what a call gives; one that has begun is waited for, also when the caller is cancelled.

    A thread cannot be stopped: who was told of a cancellation while it still wrote would take
    for undone what is about to be done.
    """
    task = asyncio.ensure_future(asyncio.to_thread(call, *given))
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = cancelled or error
    if cancelled is not None:
        task.exception()  # taken note of: the cancellation is what the caller hears
        raise cancelled
    return task.result()
