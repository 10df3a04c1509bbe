"""Files likely to be needed beside those that are open, with how sure that is. Pure.

The signs of `near_signs.py` are weighed by the numbers of `near_weights.py` into one score for
each candidate; the softmax of the scores is a file's part of what will be needed, and a table
of what such parts turned out to be worth makes a confidence of it.
"""

from __future__ import annotations

from math import exp, log

from tacit.assemble.near_signs import TASK_TRAITS, TRAITS, Signs
from tacit.assemble.near_weights import ALONE, FLOOR, IMPORTED, WITH_TASK, sure
from tacit.assemble.path_likeness import parts_of, same_name
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from tacit.assemble.near_weights import Weights
    from tacit.encode.cochange import ChangeSets

MOST_OPENED = 5  # files whose neighbours are looked at, the latest first
LATER = 0.6  # what each earlier one counts against the one after it


class Near(Value):
    """A file likely to be needed."""

    path: str
    part: float  # of all that will be needed, 0 to 1
    confidence: float  # the share of such guesses that came true
    why: str


def near_files(
    sets: ChangeSets,
    opened: Sequence[str],
    now: datetime,
    *,
    limit: int = 10,
    terms: Sequence[str] = (),
    imported: Mapping[str, Collection[str]] | None = None,
    set_name: str = "commits",
) -> tuple[Near, ...]:
    """Give the files to think of when these are open, the latest of them first; best first.

    `terms` are the words of the task, `imported` the files each open one imports.
    """
    weights = WITH_TASK if terms else ALONE
    parts: dict[str, float] = {}
    whys: dict[str, tuple[float, str]] = {}
    chosen = list(dict.fromkeys(opened))[:MOST_OPENED]
    whole = sum(LATER**place for place in range(len(chosen)))
    for place, path in enumerate(chosen):
        uses = (imported or {}).get(path, ())
        for use in uses:
            sets.named(use)
        signs = Signs(sets, path, now)
        if terms:
            signs.tell_task(terms)
        for file, part in _parts(signs, weights, uses).items():
            name, share = sets.files[file], part * LATER**place / whole
            if name in chosen:
                continue
            parts[name] = parts.get(name, 0.0) + share
            if share > whys.get(name, (0.0, ""))[0]:
                whys[name] = (share, _why(signs, file, name in uses, set_name))
    best = sorted(parts, key=lambda name: (-parts[name], name))[:limit]
    return tuple(
        Near(
            path=name,
            part=min(1.0, parts[name]),
            confidence=sure(parts[name], weights.table),
            why=whys[name][1],
        )
        for name in best
    )


def _parts(signs: Signs, weights: Weights, uses: Collection[str]) -> dict[int, float]:
    """Give each candidate its part of what will be needed."""
    used = {file for path in uses if (file := signs.sets.number(path)) is not None}
    files = sorted({*signs.candidates, *used} - {signs.sets.number(signs.opened)})
    mixed = dict.fromkeys(files, FLOOR)
    for name, weight in weights.shares.items():
        for file, share in signs.shares.get(name, {}).items():
            mixed[file] += weight * share
    for file in used:
        mixed[file] = mixed.get(file, FLOOR) + IMPORTED / len(used)
    names = (*TRAITS, *TASK_TRAITS) if weights is WITH_TASK else TRAITS
    factors = [weights.traits[name] for name in names]
    scores: dict[int, float] = {}
    for file in files:
        traits = signs.traits(file)
        if weights is WITH_TASK:
            traits += signs.task_traits(file)
        told = sum(factor * trait for factor, trait in zip(factors, traits, strict=True))
        scores[file] = weights.sharpness * log(mixed[file]) + told
    top = max(scores.values(), default=0.0)
    odds = {file: exp(score - top) for file, score in scores.items()}
    # Where little is known of the open file, part of what is needed lies elsewhere.
    whole = (sum(odds.values()) or 1.0) / signs.known
    return {file: odd / whole for file, odd in odds.items()}


def _why(signs: Signs, file: int, imported: bool, set_name: str) -> str:
    """Say the plainest reason there is."""
    support = signs.support(file)
    one, other = parts_of(signs.opened), parts_of(signs.sets.files[file])
    if support:
        times = f"in {support} {set_name}" if support > 1 else "once"
        return f"changed together {times}"
    if imported:
        return "imported"
    if same_name(one, other):
        return "test and source" if one.test != other.test else "same name"
    if signs.shares["second"].get(file, 0.0) > 0:
        return "changes with what changes with it"
    if signs.shares.get("task_path", {}).get(file, 0.0) > 0:
        return "named by the task"
    return "same folder" if one.folder == other.folder else "changed lately"
