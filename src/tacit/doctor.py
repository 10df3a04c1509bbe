"""Proof that each path works, end to end, on the real files and models."""

from __future__ import annotations

import os
import stat

from tacit.errors import TacitError
from tacit.store.protocol import EVERYTHING
from tacit.text import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.system import Tacit

    Check = tuple[str, bool, str]

PROBE = "The tacit doctor checks that what is written can be found."


def examine(tacit: Tacit) -> list[Check]:
    """Run every check; one that fails does not keep the others from running."""
    checks: list[tuple[str, Callable[[Tacit], str]]] = [
        ("store", _store),
        ("permissions", _permissions),
        ("integrity", _integrity),
        ("write and recall", _round_trip),
        ("embedder", _embedder),
        ("vectors", _vectors),
        ("tokens", _tokens),
    ]
    report: list[Check] = []
    for name, check in checks:
        try:
            report.append((name, True, check(tacit)))
        except (TacitError, _Wrong) as error:
            report.append((name, False, str(error)))
    return report


class _Wrong(Exception):
    """A check found something wrong; the text says what to do."""


def _store(tacit: Tacit) -> str:
    stats = tacit.status()
    return f"{tacit.store.path}: schema {stats.schema}, {stats.memories:,} memories, {stats.bytes:,} bytes"


def _permissions(tacit: Tacit) -> str:
    if "://" in tacit.store.path:
        return "the database's own rights say who can read the store"
    mode = stat.S_IMODE(os.stat(tacit.store.path).st_mode)
    if os.name == "posix" and mode & 0o077:
        raise _Wrong(
            f"others may read {tacit.store.path} ({mode:o}); run: chmod 600 {tacit.store.path}"
        )
    return "only you can read the store"


def _integrity(tacit: Tacit) -> str:
    wrong = tacit.store.check()
    if wrong:
        raise _Wrong("; ".join(wrong[:3]) + "; restore a backup with: tacit backup load")
    return "file, index and references are sound"


def _round_trip(tacit: Tacit) -> str:
    """Write a probe, find it by its words, and take it back."""

    class Undo(Exception):
        pass

    from tacit.draft import draft
    from tacit.write.remember import Writer

    writer = Writer(
        tacit.store, clock=tacit.clock, scope=tacit.scope, counter=tacit.counter, embedder=None
    )
    found = False
    try:
        with tacit.store.transaction():
            (probe,) = writer.write([draft(PROBE)]).memories
            where = EVERYTHING.replace(ids=(probe.id,))
            matches = tacit.store.match_text(query_terms(PROBE), where, limit=1)
            found = [match.id for match in matches] == [probe.id]
            raise Undo
    except Undo:
        pass
    if not found:
        raise _Wrong(
            "a probe was written but not found by its words; restore a backup with: tacit backup load"
        )
    return "a probe was written, found and taken back"


def _embedder(tacit: Tacit) -> str:
    if tacit.embedder is None:
        return "off: text, graph and recency channels are used"
    (vector,) = tacit.embedder.embed([PROBE])
    if len(vector) != 4 * tacit.embedder.dimension:
        raise _Wrong(
            f"{tacit.embedder.model} gave {len(vector) // 4} numbers, not {tacit.embedder.dimension}"
        )
    return f"{tacit.embedder.model}, {tacit.embedder.dimension} numbers a text"


def _vectors(tacit: Tacit) -> str:
    if tacit.embedder is None:
        return "not needed"
    waiting = len(tacit.store.unembedded(tacit.embedder.model, limit=1))
    if waiting:
        raise _Wrong("some memories have no vector yet; run: tacit reembed --pending")
    return "every memory has its vector"


def _tokens(tacit: Tacit) -> str:
    count = tacit.counter.count(PROBE)
    return f"{tacit.counter.name}: {count} tokens in the probe"
