"""Learning to rank by way of the facade: from one's own use, kept as a version, adopted if told."""

from __future__ import annotations

from tacit.system.profiles import Profiles
from tacit.system.reading import Reading
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.learn.rank import Learnt
    from tacit.profile import Profile

NAME = "ranked"  # under which what was learnt from a built-in profile is kept


class Ranked(Value):
    """What came of learning to rank: from what, what was learnt, and what became of it."""

    before: Profile
    learnt: Learnt
    kept: str = ""  # name@version; empty: nothing was learnt
    adopted: bool = False


class Ranking(Reading, Profiles):
    """What learns the weights of the ranking."""

    def learn_rank(self, *, adopt: bool = False) -> Ranked:
        """Learn weights from what was used of what was handed over, and keep them as a version.

        With `adopt` they are taken into use, but only where they are better beyond doubt on
        questions they were not learnt from. With too little to learn from nothing is kept, and
        the reason is told. A built-in profile stays as it is: what is learnt from it is `ranked`.
        """
        from tacit.learn.profiles import keep
        from tacit.learn.rank import learn
        from tacit.learn.wanted import asked_again
        from tacit.profile import PROFILES

        self._require("consolidate")
        before = self.profile
        learnt = learn(list(asked_again(self.store, self.recall, before)), before)
        if learnt.refused:
            return Ranked(before=before, learnt=learnt)
        name = NAME if before.name in PROFILES else before.name
        kept = keep(self.store, learnt.profile.replace(name=name))
        taken = adopt and learnt.validated
        if taken and learnt.gain is not None:
            gain = learnt.gain
            why = (
                f"reciprocal rank {gain.before:.3f} → {gain.after:.3f} on {learnt.questions} "
                f"held-out questions ({gain.low:+.3f} to {gain.high:+.3f})"
            )
            self.adopt_profile(kept.ref, why=why)
        return Ranked(before=before, learnt=learnt, kept=kept.ref, adopted=taken)
