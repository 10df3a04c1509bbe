"""The whole facade: all its parts in one class."""

from __future__ import annotations

from tacit.system.advising import Advising
from tacit.system.attending import Attending
from tacit.system.disclosing import Disclosing
from tacit.system.evolving import Evolving
from tacit.system.filing import Filing
from tacit.system.judging import Judging
from tacit.system.keeping import Keeping
from tacit.system.learning import Learning
from tacit.system.lifting import Lifting
from tacit.system.ranking import Ranking
from tacit.system.reporting import Reporting
from tacit.system.reviewing import Reviewing
from tacit.system.settling import Settling
from tacit.system.sharing import Sharing
from tacit.system.teams import Teams
from tacit.system.watching import Watching


class Tacit(
    Watching,
    Filing,
    Keeping,
    Sharing,
    Teams,
    Advising,
    Disclosing,
    Judging,
    Reporting,
    Learning,
    Evolving,
    Reviewing,
    Settling,
    Ranking,
    Lifting,
    Attending,
):
    """A memory: remember, recall, and always able to say why and since when."""

    light = False  # whoever opens all of it may load the models

    def doctor(self, *, deep: bool = False) -> list[tuple[str, bool, str]]:
        """Prove each path end to end: (what, whether it works, detail).

        With `deep` every record is read and held against the others too; nothing is changed.
        """
        from tacit.doctor import examine

        found = examine(self)
        if deep:
            from tacit.doctor_deep import examine_deeply

            found += examine_deeply(self)
        return found
