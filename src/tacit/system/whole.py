"""The whole facade: all its parts in one class."""

from __future__ import annotations

from tacit.system.advising import Advising
from tacit.system.attending import Attending
from tacit.system.disclosing import Disclosing
from tacit.system.filing import Filing
from tacit.system.keeping import Keeping
from tacit.system.reviewing import Reviewing
from tacit.system.settling import Settling
from tacit.system.watching import Watching


class Tacit(Watching, Filing, Keeping, Advising, Disclosing, Reviewing, Settling, Attending):
    """A memory: remember, recall, and always able to say why and since when."""

    light = False  # whoever opens all of it may load the models

    def doctor(self) -> list[tuple[str, bool, str]]:
        """Prove each path end to end: (what, whether it works, detail)."""
        from tacit.doctor import examine

        return examine(self)
