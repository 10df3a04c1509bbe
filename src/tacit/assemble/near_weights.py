"""How much each sign tells, and how sure what follows from them is: plain numbers.

Fitted by `tools/near_files/fit.py` on the histories of three open repositories (2,150 openings,
each with only its past): a listwise softmax over the files that were needed. Of what was needed,
the first ten hold .733 (.729 on a repository that was held out of the fit); with the words of
the task .796 (.793). The tables say what share of guesses of such a part came true; held out, the
expected calibration error is .005 to .021.
"""

from __future__ import annotations

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Table = tuple[tuple[float, float], ...]  # score, share that came true; both rise

FLOOR = 1e-4  # of a file without any sign
# The histories hold no code, so this is not fitted: as much as what changes with what changes.
IMPORTED = 0.5


class Weights(Value):
    """One way to weigh signs: shares are mixed, the logarithm of that and the traits added."""

    sharpness: float
    shares: dict[str, float]
    traits: dict[str, float]
    table: tuple[tuple[float, float], ...]


ALONE = Weights(
    sharpness=1.027,
    shares={
        "days_180": 0.174,
        "turns_4": 0.3539,
        "turns_16": 0.1692,
        "turns_64": 0.9161,
        "second": 0.5006,
        "hot_quick": 0.0637,
        "hot_slow": 0.0603,
        "hot_folder": 0.1054,
        "own_folder": 0.122,
        "same_name": 0.0379,
        "leans_back": 0.0777,
        "even": 0.0746,
    },
    traits={
        "apart": 0.583,
        "same_folder": -1.069,
        "same_name": -0.396,
        "test_and_source": 0.69,
        "same_ending": -0.022,
        "same_folder_name": 0.907,
        "log_changes": -0.072,
        "in_last": 0.173,
        "latest_1": 0.253,
        "latest_5": -0.153,
        "latest_20": -0.173,
        "two_days": 0.212,
        "log_days": 0.058,
        "log_sets": -0.306,
        "cosine": 1.578,
        "name_within": 0.489,
    },
    table=(
        (0.0, 0.0),
        (0.0014, 0.008),
        (0.0031, 0.014),
        (0.0055, 0.018),
        (0.0085, 0.03),
        (0.0124, 0.037),
        (0.0173, 0.046),
        (0.0244, 0.071),
        (0.0366, 0.1),
        (0.0554, 0.151),
        (0.0832, 0.221),
        (0.1212, 0.291),
        (0.1807, 0.449),
        (0.2667, 0.606),
        (0.4087, 0.767),
        (0.6582, 0.877),
    ),
)

WITH_TASK = Weights(
    sharpness=1.187,
    shares={
        "days_180": 0.0978,
        "turns_4": 0.1201,
        "turns_16": 0.1389,
        "turns_64": 0.1071,
        "second": 0.4953,
        "hot_quick": 0.0856,
        "hot_slow": 0.0771,
        "hot_folder": 0.0804,
        "own_folder": 0.0833,
        "same_name": 0.0646,
        "leans_back": 0.0494,
        "even": 0.2028,
        "task_path": 0.0822,
        "task_past": 0.6822,
        "task_together": 0.5289,
    },
    traits={
        "apart": -0.083,
        "same_folder": -0.759,
        "same_name": -0.291,
        "test_and_source": 0.26,
        "same_ending": -0.03,
        "same_folder_name": 0.69,
        "log_changes": -0.112,
        "in_last": 0.16,
        "latest_1": 0.085,
        "latest_5": -0.21,
        "latest_20": -0.234,
        "two_days": 0.224,
        "log_days": 0.085,
        "log_sets": -0.35,
        "cosine": 1.758,
        "name_within": 0.345,
        "log_words": 0.903,
        "any_word": -0.516,
    },
    table=(
        (0.0, 0.0),
        (0.0006, 0.001),
        (0.0015, 0.005),
        (0.0044, 0.015),
        (0.0085, 0.026),
        (0.0123, 0.04),
        (0.0173, 0.051),
        (0.0244, 0.069),
        (0.0367, 0.1),
        (0.0556, 0.155),
        (0.0833, 0.239),
        (0.1218, 0.375),
        (0.1811, 0.479),
        (0.266, 0.625),
        (0.4038, 0.735),
        (0.688, 0.887),
    ),
)

# How often a memory that a signal called up was needed, by its raw score. `file` is measured: past
# commits that would have told of a needed file (git histories, 2,051 openings) and earlier
# sessions with the same work (161 openings) agree within .08. `task` is measured on the first
# words of 169 sessions. `time` is a share by itself.
# `module`, `branch`, `error` and `collaborator` are set by hand, since no data has these signs:
# `branch` goes by words as `task` does, `error` rises to .7 where the very error was mended before,
# the other two begin low. The nearest that git histories hold (`tools/near_files/others.py`): of
# the last commits in the folder of an open file .20 to .32 touched one that was needed, of those
# by whoever made the next commit .17 to .30, of anyone's .14 to .24. What comes true in a store
# corrects them all.
_WORDS: Table = ((0.0, 0.03), (0.05, 0.05), (0.15, 0.1), (0.25, 0.155), (0.45, 0.175), (1.0, 0.2))
MEMORY_TABLES: dict[str, Table] = {
    "file": (
        (0.0, 0.05),
        (0.07, 0.17),
        (0.25, 0.2),
        (0.45, 0.36),
        (0.53, 0.45),
        (0.57, 0.56),
        (0.62, 0.69),
        (0.68, 0.82),
        (0.74, 0.91),
        (1.0, 0.95),
    ),
    "module": ((0.0, 0.02), (1.0, 0.2)),
    "task": _WORDS,
    "branch": _WORDS,
    "error": ((0.0, 0.03), (0.25, 0.18), (0.4, 0.2), (0.6, 0.4), (1.0, 0.7)),
    "time": ((0.0, 0.0), (1.0, 1.0)),
    "collaborator": ((0.0, 0.0), (1.0, 0.3)),
}


def sure(score: float, table: Sequence[tuple[float, float]]) -> float:
    """Give the share of guesses with such a score that came true, between the rows of a table."""
    before, low = table[0]
    if score <= before:
        return low
    for at, high in table[1:]:
        if score <= at:
            return low + (high - low) * (score - before) / (at - before)
        before, low = at, high
    return low
