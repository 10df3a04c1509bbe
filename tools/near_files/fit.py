"""Fit the weights by which files near an open one are ranked, and how sure a rank is.

Run in the development environment:  python tools/near_files/fit.py DATA/git-history

The score of a file is  s = sharpness · log(shares · w + floor) + traits · v ; all weights are
found by gradient descent on the listwise softmax loss of the files that were needed. First each
repository is held out in turn and told how files it was not fitted on are ranked; then all are
used, and the numbers of `near_weights.py` are printed. Deterministic.
"""

from __future__ import annotations

import sys

import numpy as np

from tacit.assemble.near_signs import SHARES, TASK_SHARES, TASK_TRAITS, TRAITS, Signs
from tacit.bench.sets.git_history import Opening, repositories
from tacit.encode.cochange import ChangeSets
from tacit.text import query_terms

FLOOR = 1e-4
STEPS, RATE = 300, 0.1
L2_TRAITS, L2_SHARES = 2e-3, 1e-3
EDGES = (
    0,
    0.001,
    0.002,
    0.004,
    0.007,
    0.01,
    0.015,
    0.02,
    0.03,
    0.045,
    0.07,
    0.1,
    0.15,
    0.22,
    0.33,
    0.5,
    1.01,
)


def read(
    folder: str, *, task: bool
) -> dict[str, list[tuple[np.ndarray, np.ndarray, np.ndarray, int]]]:
    """Give each repository's cases: shares, traits, what was needed, and how many in all."""
    names = SHARES + (TASK_SHARES if task else ())
    found = {}
    for repository, steps in repositories(folder):
        sets, rows = ChangeSets(), []
        for step in steps:
            if not isinstance(step, Opening):
                sets.add_commit(step)
                continue
            signs = Signs(sets, step.opened, step.at)
            if task:
                signs.tell_task(query_terms(step.task))
            files = signs.candidates
            shares = [[signs.shares.get(n, {}).get(f, 0.0) for n in names] for f in files]
            traits = [signs.traits(f) + (signs.task_traits(f) if task else []) for f in files]
            wanted = [sets.files[f] in step.needed for f in files]
            rows.append(
                (
                    np.array(shares),
                    np.array(traits),
                    np.array(wanted),
                    len(step.needed),
                    signs.known,
                )
            )
        found[repository] = rows
        print(f"read {repository}: {len(rows)} cases", file=sys.stderr)
    return found


def fit(rows):
    """Give sharpness, the weights of shares and those of traits."""
    rows = [row for row in rows if len(row[0]) and row[2].any()]
    shares, traits = (np.concatenate([row[k] for row in rows]) for k in (0, 1))
    lengths = np.array([len(row[0]) for row in rows])
    wanted = np.concatenate([row[2] / row[2].sum() for row in rows])
    starts = np.cumsum(np.append(0, lengths[:-1]))
    spread = traits.std(0) + 1e-9
    traits = traits / spread
    n, m = shares.shape[1], traits.shape[1]
    at = np.concatenate([np.zeros(m), np.full(n, -2.0), [0.0]])
    mean, square = np.zeros_like(at), np.zeros_like(at)
    for step in range(1, STEPS + 1):
        v, logs, sharp = at[:m], at[m:-1], np.exp(at[-1])
        w = np.exp(logs)
        mixed = shares @ w + FLOOR
        score = sharp * np.log(mixed) + traits @ v
        score -= np.repeat(np.maximum.reduceat(score, starts), lengths)
        odds = np.exp(score)
        off = (odds / np.repeat(np.add.reduceat(odds, starts), lengths) - wanted) / len(rows)
        slope = np.concatenate(
            [
                traits.T @ off + L2_TRAITS * v,
                sharp * (shares.T @ (off / mixed)) * w + L2_SHARES * (logs + 2),
                [sharp * (off @ np.log(mixed))],
            ]
        )
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        at = at - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return np.exp(at[-1]), np.exp(at[m:-1]), at[:m] / spread


def parts(row, weights):
    """Give each candidate's part of what is needed."""
    sharp, w, v = weights
    if not len(row[0]):
        return np.zeros(0)
    score = sharp * np.log(row[0] @ w + FLOOR) + row[1] @ v
    odds = np.exp(score - score.max())
    return row[4] * odds / odds.sum()


def figures(rows, weights) -> np.ndarray:
    """Give recall at 5 and 10, and whether any of the first five was needed."""
    found = np.zeros(3)
    for row in rows:
        best = np.argsort(-parts(row, weights), kind="stable")
        hits = row[2][best] if len(best) else np.zeros(1)
        found += [hits[:5].sum() / row[3], hits[:10].sum() / row[3], hits[:5].any()]
    return found / len(rows)


def reliability(rows, weights):
    """Give (mean part, share needed, number) in each bin of the twenty first of each case."""
    told, true = [], []
    for row in rows:
        part = parts(row, weights)
        best = np.argsort(-part, kind="stable")[:20]
        told.append(part[best])
        true.append(row[2][best] if len(best) else np.zeros(0))
    told, true = np.concatenate(told), np.concatenate(true)
    bins = np.digitize(told, EDGES)
    return [
        (told[bins == b].mean(), true[bins == b].mean(), int((bins == b).sum()))
        for b in np.unique(bins)
    ]


def rising(table):
    """Pool neighbours until the share needed never falls (isotonic regression)."""
    pools = []
    for told, true, number in table:
        pools.append([told * number, true * number, number])
        while len(pools) > 1 and pools[-2][1] / pools[-2][2] > pools[-1][1] / pools[-1][2]:
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    return [(a / n, b / n) for a, b, n in pools]


def error(rows, weights, table) -> float:
    """Give the expected calibration error of a table on cases it was not made of."""
    xs, ys = zip(*table, strict=True)
    told, true = [], []
    for row in rows:
        part = parts(row, weights)
        best = np.argsort(-part, kind="stable")[:10]
        told.append(np.interp(part[best], xs, ys))
        true.append(row[2][best] if len(best) else np.zeros(0))
    told, true = np.concatenate(told), np.concatenate(true)
    bins = np.minimum((told * 10).astype(int), 9)
    return sum(
        abs(told[bins == b].mean() - true[bins == b].mean()) * (bins == b).mean()
        for b in np.unique(bins)
    )


def main(folder: str) -> None:
    for task in (False, True):
        data = read(folder, task=task)
        held, cases = np.zeros(3), 0
        for out in data:
            others = [row for name, rows in data.items() if name != out for row in rows]
            weights = fit(others)
            got = figures(data[out], weights)
            off = error(data[out], weights, rising(reliability(others, weights)))
            print(
                f"{'task ' if task else ''}held out {out}: R@5 {got[0]:.3f} R@10 {got[1]:.3f} hit@5 {got[2]:.3f} ECE {off:.3f}",
                flush=True,
            )
            held, cases = held + got * len(data[out]), cases + len(data[out])
        print(
            f"held out, all: R@5 {held[0] / cases:.4f} R@10 {held[1] / cases:.4f} hit@5 {held[2] / cases:.4f}"
        )
        every = [row for rows in data.values() for row in rows]
        weights = fit(every)
        print("fitted on all:", figures(every, weights).round(4))
        print("SHARPNESS", round(float(weights[0]), 3))
        print(
            "SHARES",
            dict(
                zip(
                    SHARES + (TASK_SHARES if task else ()),
                    (round(float(x), 4) for x in weights[1]),
                    strict=True,
                )
            ),
        )
        print(
            "TRAITS",
            dict(
                zip(
                    TRAITS + (TASK_TRAITS if task else ()),
                    (round(float(x), 3) for x in weights[2]),
                    strict=True,
                )
            ),
        )
        print(
            "TABLE",
            [
                (round(float(a), 4), round(float(b), 3))
                for a, b in rising(reliability(every, weights))
            ],
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1])
