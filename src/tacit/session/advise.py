"""How full an agent's context is, what that does to its work, and what to do about it. Pure.

Use is a fraction, 0 to 1. Work is best while little of the context is used and suffers from
half on; when hardly any is left, what has been learnt must be saved before the host compacts.
"""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.value import Value

# Where the quality of work changes with the share of the context that is used.
QUALITIES = ((0.3, "peak"), (0.5, "good"), (0.7, "degrading"), (float("inf"), "poor"))
WARN_ABOVE, WARN_AGAIN = 0.5, 0.7

HARD_MINIMUM = 16_000  # tokens left below which nothing new should begin
WARN_BELOW = 32_000
RESERVE = 20_000  # tokens a host keeps for its answer and for compacting
SOFT_THRESHOLD = 4_000  # above the reserve: the moment to save what has been learnt
FLUSH_AT = RESERVE + SOFT_THRESHOLD

_ADVICE = {
    "peak": "Plenty of context is free; carry on.",
    "good": "Enough context is free; finish this step before you start a large one.",
    "degrading": "Work gets worse from here: finish the step, save what was learnt, and give "
    "what is left to a fresh context.",
    "poor": "Write a handoff and go on in a fresh context: answers suffer when this much is used.",
}


class Advice(Value):
    """How full the context is and what to do; `warning` is the mark that was passed, or 0."""

    quality: str  # peak, good, degrading, poor; unknown without a share
    level: str  # ok, warn, stop
    sentence: str
    context_used: float | None = None
    tokens_left: int | None = None
    flush: bool = False  # save now: the host may compact next
    warning: float = 0.0
    due: bool = False  # the mark was passed since the last warning


def advise(
    context_used: float | None = None,
    tokens_left: int | None = None,
    window: int | None = None,
    *,
    warned: float = 0.0,
) -> Advice:
    """Judge a context by its share in use, by the tokens left, or both; a window joins the two.

    `warned` is the highest mark the agent has been warned at already, so that each is told once.
    """
    used, left = _both(context_used, tokens_left, window)
    quality = "unknown" if used is None else next(name for top, name in QUALITIES if used < top)
    warning = _passed(used)
    level = _level(warning, left)
    return Advice(
        quality=quality,
        level=level,
        sentence=_sentence(quality, level, used, left),
        context_used=used,
        tokens_left=left,
        flush=left is not None and left <= FLUSH_AT,
        warning=warning,
        due=warning > warned,
    )


def _both(
    used: float | None, left: int | None, window: int | None
) -> tuple[float | None, int | None]:
    if used is None and left is None:
        raise Invalid("nothing to judge; give context_used (0 to 1) or tokens_left")
    if used is not None:
        used = fraction(used)
    for name, number in (("tokens_left", left), ("window", window)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
            raise Invalid(f"{name} is a whole number of tokens, not {number!r}")
        if number is not None and number < 0:
            raise Invalid(f"{name} {number} is below 0")
    if window is not None:
        if window == 0:
            raise Invalid(
                "a window of 0 tokens holds nothing; give the size of the model's context"
            )
        if left is not None and left > window:
            raise Invalid(f"{left} tokens cannot be left in a window of {window}")
        if used is None and left is not None:
            used = 1.0 - left / window
        elif left is None and used is not None:
            left = round(window * (1.0 - used))
    return used, left


def fraction(used: float) -> float:
    """Check a share of the context; whoever gives a percentage is told how to write it."""
    if isinstance(used, bool) or not isinstance(used, int | float):
        raise Invalid(f"context_used is a number from 0 to 1, not {used!r}")
    if 1.0 < used <= 100.0:
        raise Invalid(f"context_used is a fraction; for {used:g} % write {used / 100:g}")
    if not 0.0 <= used <= 1.0:
        raise Invalid(f"context_used {used} is not between 0 and 1")
    return float(used)


def _passed(used: float | None) -> float:
    """Give the highest mark that is passed."""
    if used is None or used <= WARN_ABOVE:
        return 0.0
    return WARN_AGAIN if used >= WARN_AGAIN else WARN_ABOVE


def _level(warning: float, left: int | None) -> str:
    if left is not None and left < HARD_MINIMUM:
        return "stop"
    return "warn" if warning or (left is not None and left < WARN_BELOW) else "ok"


def _sentence(quality: str, level: str, used: float | None, left: int | None) -> str:
    tokens = "" if left is None else f"{left:,} tokens are left. "
    if level == "stop":
        return f"{tokens}Begin nothing new: save what was learnt and hand over."
    if left is not None and left <= FLUSH_AT:
        return f"{tokens}Save what was learnt now; the context may be compacted next."
    share = "" if used is None else f"{used:.0%} of the context is used. "
    if left is not None and left < WARN_BELOW:
        return f"{share}{tokens}Finish this step and hand over what is left."
    return share + _ADVICE.get(quality, "Enough context is free; carry on.")
