"""Which arm a session gets: drawn by a hash, so it is the same whoever asks and needs no record.

A share of all sessions explores: half of it tries the control, which every other arm is held
against, the rest every other arm alike. The other sessions follow the lead, which learning moves.
Pure, and light enough for a hook.
"""

from __future__ import annotations

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONTROL_PART = 0.5  # of what explores
_WORD = (1 << 64) - 1


class Assigned(Value):
    """The arm of a session for one type of task, and whether it was drawn to explore."""

    arm: str
    explored: bool = False


def draw(
    lead: Mapping[str, float],
    tried: Mapping[str, float],
    explore: float,
    *,
    session: str,
    task_type: str,
    seed: int,
) -> Assigned:
    """Draw the arm of a session; the same session, type and seed draw the same point."""
    point = unit(f"{seed}\0{task_type}\0{session}")
    if point < explore:
        return Assigned(arm=_at(point / explore, tried), explored=True)
    return Assigned(arm=_at((point - explore) / (1.0 - explore), lead))


def explored(control: str, arms: Sequence[str]) -> dict[str, float]:
    """Give how the exploring share is divided: half the control, the others alike."""
    others = [arm for arm in arms if arm != control]
    if not others:
        return {control: 1.0}
    return {control: CONTROL_PART} | {arm: (1.0 - CONTROL_PART) / len(others) for arm in others}


def mixed(
    lead: Mapping[str, float], tried: Mapping[str, float], explore: float
) -> dict[str, float]:
    """Give the chance of each arm in all."""
    return {
        arm: explore * tried.get(arm, 0.0) + (1.0 - explore) * lead.get(arm, 0.0)
        for arm in dict.fromkeys((*tried, *lead))
    }


def unit(text: str) -> float:
    """Give a number from 0 up to 1, evenly spread over texts and the same for the same text.

    FNV-1a, then the last steps of MurmurHash3, since the former alone leaves like texts near each
    other; `hashlib` is more than a hook should load.
    """
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * 0x100000001B3 & _WORD
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        value = (value ^ value >> 33) * factor & _WORD
    return ((value ^ value >> 33) >> 11) / (1 << 53)


def _at(point: float, shares: Mapping[str, float]) -> str:
    """Give the arm in whose part of the line a point lies."""
    passed = 0.0
    chosen = ""
    for arm, share in shares.items():
        if share <= 0.0:
            continue
        chosen = arm  # the last one takes what rounding leaves
        passed += share
        if point < passed:
            break
    return chosen
