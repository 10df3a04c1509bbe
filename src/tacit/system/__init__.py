"""The facade `Tacit`: wires the stages together and holds no logic of its own.

A `Tacit` reads from a project's store and, where there is one, from the user's own; it
writes to the one the memory belongs to. Every method takes plain arguments, so the command
line, hooks and servers are thin. Its parts, one a module: `opened` (what all stand on),
`reading`, `writing`, `watching`, `keeping`; and `whole`, which is loaded when it is asked for, since
a hook needs only `attending`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.system.whole import Tacit as Tacit


def __getattr__(name: str) -> object:
    if name != "Tacit":
        raise AttributeError(f"module 'tacit.system' has no attribute {name!r}")
    from tacit.system.whole import Tacit

    return Tacit
