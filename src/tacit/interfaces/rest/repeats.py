"""Requests that are sent again: done once, told as often as they are asked for.

What is kept of a request is in the store itself and in the same transaction as what it did, so
that after a crash both are there or neither, and of two that come at once the second sees the
first. Only ids and numbers are kept: what is erased leaves no words here. Records lie in a fixed
number of documents, each with those of a share of the keys; they go after a day.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import nullcontext
from datetime import timedelta

from tacit.clock import parse_time, show_time
from tacit.errors import Conflict, Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import Any

    from tacit.store.protocol import Store

    Memo = dict[str, Any]

KEPT = timedelta(days=1)
SHARES = 256
MOST_KEPT = 2_000  # records of one share: half a million in a day
LONGEST_KEY = 255
DOCUMENT = "serve:repeats:"


class Once:
    """One request that may have been done before."""

    def __init__(
        self, store: Store, caller: str, key: str | None, print_: str, now: Callable[[], datetime]
    ) -> None:
        self._store, self._print, self._now = store, print_, now
        self._id = "" if key is None else _id_of(caller, key)

    def done(self, do: Callable[[], Memo], *, whole: bool) -> tuple[Memo, bool]:
        """Give what is kept of it, done now unless it was done before, and whether it was."""
        # An erasure empties the log at its end, which it cannot within another transaction.
        with self._store.transaction() if whole else nullcontext():
            if not self._id:
                return do(), False
            if (memo := self._found()) is not None:
                return memo, True
            memo = do()
            self._keep(memo)
            return memo, False

    def _found(self) -> Memo | None:
        record = self._records().get(self._id)
        if record is None or self._now() - parse_time(record["at"]) > KEPT:
            return None
        if record["print"] != self._print:
            raise Conflict(
                "this Idempotency-Key was used for another request; use a new key for a new one"
            )
        memo: Memo = record["memo"]
        return memo

    def _keep(self, memo: Memo) -> None:
        with self._store.transaction():
            now = self._now()
            kept = {
                id_: record
                for id_, record in self._records().items()
                if now - parse_time(record["at"]) <= KEPT
            }
            while len(kept) >= MOST_KEPT:
                del kept[next(iter(kept))]
            kept[self._id] = {"at": show_time(now), "print": self._print, "memo": memo}
            self._store.save(self._document(), json.dumps(kept, separators=(",", ":")))

    def _records(self) -> dict[str, Any]:
        told = self._store.load(self._document())
        return json.loads(told) if told else {}

    def _document(self) -> str:
        return DOCUMENT + str(int(self._id[:8], 16) % SHARES)


def _id_of(caller: str, key: str) -> str:
    plain = all("!" <= char <= "~" for char in key)
    if not key or len(key) > LONGEST_KEY or not plain:
        raise Invalid(
            f"an Idempotency-Key has 1 to {LONGEST_KEY} letters, digits and signs of ASCII"
        )
    return hashlib.sha256(f"{caller}\0{key}".encode("utf-8", "replace")).hexdigest()[:32]
