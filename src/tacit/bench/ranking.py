"""Do learnt weights rank better than those set by hand, on questions they were not learnt from?

Each set is judged twice: by weights learnt from the other sets whose licence allows that, and by
weights learnt from the other groups of its own (repositories, chats, sessions). The weights
set by hand were tuned on these very sets, so that they start ahead; what learning is worth where
nobody tuned is told by starting from the weights of the design documents instead. The shipped
profile `learned` stands beside them, which on the sets it was trained on says nothing. Questions
are not asked again for this: their candidates are scored anew (`pools`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from tacit.bench.ablate import FIRST, judged
from tacit.bench.metrics import mean
from tacit.bench.pools import Pool, pools, rescored
from tacit.bench.quality import all_sets
from tacit.encode.ports import Embedder
from tacit.errors import NotFound
from tacit.learn.gain import gain_of
from tacit.learn.rank import WEIGHTS, fit, folds
from tacit.profile import DEFAULT, SEED, Profile, named

NAME = "ranking"
# Sets under licences that let what is learnt from them be shipped: MIT, BSD and Apache.
TRAINABLE = ("agent-sessions", "swe-issues", "defects4j", "version-facts")

# The default with the weights of the design documents: what was never tuned on these sets.
UNTUNED = DEFAULT.replace(**{weight: getattr(SEED, weight) for weight in WEIGHTS})

Figures = list[dict[str, float]]


def run(
    folder: str | None,
    embedder: Embedder | None,
    cache: str | None,
    progress: Callable[[str], None],
    *,
    names: Sequence[str] = (),
) -> dict[str, Any]:
    """Compare on every set that is there; the candidates are gathered, or read from `cache`."""
    started = time.perf_counter()
    found, missing = gathered(names or list(all_sets()), folder, embedder, cache, progress)
    sections: dict[str, dict[str, Any]] = {}
    for name, own in found.items():
        progress(f"{name}: learning and judging")
        asked = [pool for pool in own if judged(name, FIRST[name])({"category": pool.ask.category})]
        sections[name] = _section(name, asked, found)
    return {
        "set": NAME,
        "questions": sum(len(own) for own in found.values()),
        "seconds": round(time.perf_counter() - started, 1),
        "sections": sections,
        "left_out_sets": missing,
    }


def gathered(
    names: Sequence[str],
    folder: str | None,
    embedder: Embedder | None,
    cache: str | None,
    progress: Callable[[str], None],
) -> tuple[dict[str, list[Pool]], list[str]]:
    """Give the candidates of the questions of each set that is there, and which are not."""
    found: dict[str, list[Pool]] = {}
    missing: list[str] = []
    for name in names:
        try:
            found[name] = pools(name, folder, embedder=embedder, cache=cache, progress=progress)
        except NotFound:
            missing.append(name)
    return found, missing


def trained(
    found: dict[str, list[Pool]], *, without: str = "", start: Profile = DEFAULT
) -> Profile:
    """Learn from every set whose licence allows it, but one."""
    asked = [pool.asked for name in TRAINABLE if name != without for pool in found.get(name, ())]
    return fit([one for one in asked if one.telling], start)


def _section(name: str, own: list[Pool], found: dict[str, list[Pool]]) -> dict[str, Any]:
    hand = [rescored(pool, DEFAULT) for pool in own]
    groups = [pool.group for pool in own]
    others = trained(found, without=name)
    section: dict[str, Any] = {
        "asked": {"questions": len(own), "groups": len(set(groups))},
        "from the other sets": _compared(
            name, hand, [rescored(pool, others) for pool in own], groups
        ),
        "from its other groups": _compared(name, hand, _crossed(own), groups),
    }
    shipped = _compared(name, hand, [rescored(pool, named("learned")) for pool in own], groups)
    if name in TRAINABLE:
        shipped = {"trained on it": "yes"} | shipped
    again = trained(found, without=name, start=UNTUNED)
    plain, better = ([rescored(pool, one) for pool in own] for one in (UNTUNED, again))
    return section | {
        "as shipped": shipped,
        "untuned, others": _compared(name, plain, better, groups),
    }


def _crossed(own: list[Pool]) -> Figures:
    """Judge each group by weights learnt from others of the set."""
    asked = [pool.asked for pool in own]
    groups = sorted({pool.group for pool in own})
    fitted = {
        one.group: profile
        for rest, held in folds(asked, groups)
        for profile in [fit(rest, DEFAULT)]
        for one in held
    }
    return [rescored(pool, fitted[pool.group]) for pool in own]


def _compared(name: str, hand: Figures, learnt: Figures, groups: list[str]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for figure in dict.fromkeys((FIRST[name], "mrr")):
        before, after = [row[figure] for row in hand], [row[figure] for row in learnt]
        gain = gain_of(before, after, groups)
        told[figure] = {
            "hand": round(mean(before), 4),
            "learned": round(mean(after), 4),
            "gain": f"{gain.mean:+.4f} [{gain.low:+.4f}, {gain.high:+.4f}]",
        }
    return told
