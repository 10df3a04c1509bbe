"""The facade `Tacit`: wires the stages together and holds no logic of its own.

A `Tacit` reads from a project's store and, where there is one, from the user's own; it
writes to the one the memory belongs to. Every method takes plain arguments, so the command
line, hooks and servers are thin. Its parts, one a module: `opened` (what all stand on),
`reading`, `writing`, `watching`, `keeping`.
"""

from __future__ import annotations

from tacit.system.advising import Advising
from tacit.system.attending import Attending
from tacit.system.disclosing import Disclosing
from tacit.system.filing import Filing
from tacit.system.keeping import Keeping
from tacit.system.watching import Watching


class Tacit(Watching, Filing, Keeping, Advising, Disclosing, Attending):
    """A memory: remember, recall, and always able to say why and since when."""

    light = False  # whoever opens all of it may load the models

    def doctor(self) -> list[tuple[str, bool, str]]:
        """Prove each path end to end: (what, whether it works, detail)."""
        from tacit.doctor import examine

        return examine(self)
