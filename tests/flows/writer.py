"""A process that writes memories one by one and prints each id once it is acknowledged.

    python writer.py STORE NAME COUNT

Every memory comes in one transaction with a mention, a revision and a link to the one before,
so that a half written one can be told. It prints `ready`, waits for a line, then writes.
"""

from __future__ import annotations

import sys

from builders import a_fact, a_link, a_mention, a_revision
from tacit.clock import Clock
from tacit.store.sqlite.engine import SqliteStore


def main(path: str, name: str, count: int) -> None:
    """Write as many memories as asked for, each in a transaction of its own."""
    clock = Clock()
    print("ready", flush=True)
    sys.stdin.readline()
    store, before = SqliteStore(path), None
    for number in range(count):
        id_ = clock.new_id()
        fact = a_fact(
            f"{name} wrote number {number}",
            id=id_,
            author=name,
            recorded_at=clock.now(),
            mentions=(a_mention(f"writer {name}"),),
        )
        with store.transaction():
            store.put([fact])
            store.add_revisions([a_revision(fact, by=name)])
            if before is not None:
                store.link([a_link(fact, before)])
        print(id_, flush=True)
        before = fact
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
