"""An evolution as plain JSON: where it stands, the front, the champion and its proof."""

from __future__ import annotations

from tacit.clock import show_time
from tacit.learn.genome import changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.learn.evolve import Evolution, Judged
    from tacit.value import Value


def evolution(state: Evolution) -> dict[str, Any]:
    """Give all that is known of an evolution."""
    verdict = state.verdict
    return {
        "base": state.base,
        "seed": state.plan.seed,
        "population": state.plan.population,
        "generation": state.generation,
        "until": show_time(state.until),
        "best": [round(one, 4) for one in state.best],
        "asked": state.asked,
        "tokens": state.tokens,
        "seconds": round(state.seconds, 1),
        "start": _judged(state, state.start) if state.start else None,
        "front": [_judged(state, one) for one in state.front],
        "champion": _judged(state, state.champion) if state.champion else None,
        "verdict": None
        if verdict is None
        else {
            "won": verdict.won,
            "worth": _fields(verdict.worth),
            "score": _fields(verdict.score),
            "base": _fields(verdict.base),
            "champion": _fields(verdict.champion),
        },
        "limits": list(state.limits),
    }


def _judged(state: Evolution, one: Judged) -> dict[str, Any]:
    changed = changes(one.genome, state.origin)
    return {
        "fitness": round(one.fitness, 4),
        **_fields(one.figures),
        "changes": {name: {"from": old, "to": new} for name, (old, new) in changed.items()},
    }


def _fields(value: Value) -> dict[str, Any]:
    fields = {name: getattr(value, name) for name in value._fields}
    return {name: round(one, 4) if isinstance(one, float) else one for name, one in fields.items()}
