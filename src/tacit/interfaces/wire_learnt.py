"""JSON shapes of what was learnt: weights and what they are worth, patterns that were lifted."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.system.lifting import Lifted
    from tacit.system.ranking import Ranked

    Object = dict[str, Any]

DIGITS = 4


def ranked(given: Ranked) -> Object:
    """Give the weights before and after, the gain on held-out questions, and what became of it."""
    from tacit.learn.rank import WEIGHTS

    learnt = given.learnt
    gain = learnt.gain
    return {
        "questions": learnt.questions,
        "sessions": learnt.groups,
        "refused": learnt.refused,
        "validated": learnt.validated,
        "gain": {name: round(getattr(gain, name), DIGITS) for name in gain._fields}
        if gain is not None
        else None,
        "before": {name: getattr(given.before, name) for name in WEIGHTS},
        "learnt": {name: getattr(learnt.profile, name) for name in WEIGHTS},
        "kept": given.kept,
        "adopted": given.adopted,
    }


def lifted(given: Lifted) -> Object:
    """Give what was proposed, with what keeps it back, and the copies that were made."""
    from tacit.interfaces import wire

    return {
        "proposals": [
            {
                "id": one.memory.id,
                "short": one.memory.short,
                "title": one.memory.levels.title,
                "helped": one.helped,
                "hurt": one.hurt,
                "sessions": one.sessions,
                "why": one.why,
                "kept_back": one.kept_back,
            }
            for one in given.proposals
        ],
        "copies": [wire.memory(copy) for copy in given.copies],
    }
