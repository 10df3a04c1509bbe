"""How a process that has a memory open answers the hooks of others."""

from __future__ import annotations

import os

from tacit.interfaces.hooks.events import WARM, moment_of
from tacit.interfaces.hooks.log import note
from tacit.interfaces.hooks.payload import parse
from tacit.interfaces.hooks.run import respond
from tacit.interfaces.warm.call import unpacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def answerer(memory: Any) -> Callable[[bytes], bytes | None]:
    """Give the function that answers calls by this memory, for `warm.server.serve`."""

    def answer(request: bytes) -> bytes | None:
        call = unpacked(request)
        if call is None or moment_of(call.host, call.event) not in WARM:
            return None
        told = parse(call.data)
        if told is None:
            return None
        said = respond(told, call.host, call.event, call.folder, memory)
        for what in memory.take_troubles():
            note(os.environ, call.host, call.event, what)
        return said.encode()

    return answer
