"""Learn the weights of the profile `learned` from development data whose licence allows it.

Run in the development environment:  python tools/rank/train.py DATA POOLS

The candidates of every question are gathered by the product itself, which takes some minutes, and
kept in the folder POOLS; read again from there it takes seconds. Of what is learnt the numbers of
the profile are printed, as they stand in `profile.py`. Deterministic.
"""

from __future__ import annotations

import sys

from tacit.bench.quality import to_stderr
from tacit.bench.ranking import TRAINABLE, gathered, trained
from tacit.encode.embedding import open_embedder
from tacit.learn.rank import WEIGHTS


def main(data: str, kept: str) -> int:
    """Gather, learn and print."""
    found, missing = gathered(TRAINABLE, data, open_embedder("default", threads=0), kept, to_stderr)
    if missing:
        to_stderr(f"not there: {', '.join(missing)}")
        return 1
    learnt = trained(found)
    for name in WEIGHTS:
        print(f"    {name}={getattr(learnt, name)},")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
