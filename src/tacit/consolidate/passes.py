"""The passes of a cycle, in the order they run.

What says the same is made one before anything is made of it; what is derived comes before what
may contradict it; what is doubted, promoted and put away is decided with all of it known, and
topics are made of what is left.
"""

from __future__ import annotations

from tacit.consolidate.ageing import compact
from tacit.consolidate.connect import connect
from tacit.consolidate.contradict import contradict
from tacit.consolidate.doubt_sources import doubt_sources
from tacit.consolidate.forget import forget
from tacit.consolidate.generalise import generalise
from tacit.consolidate.merge import merge
from tacit.consolidate.practise import practise
from tacit.consolidate.temporal import temporal
from tacit.consolidate.tiers import promote
from tacit.consolidate.topics import topics
from tacit.consolidate.warn import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.consolidate.room import Pass

PASSES: tuple[tuple[str, Pass], ...] = (
    ("merge", merge),
    ("generalise", generalise),
    ("warn", warn),
    ("practise", practise),
    ("contradict", contradict),
    ("connect", connect),
    ("temporal", temporal),
    ("doubt", doubt_sources),
    ("promote", promote),
    ("compact", compact),
    ("forget", forget),
    ("topics", topics),
)
