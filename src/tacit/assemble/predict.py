"""Signals → the memories and files that are likely to be needed next, each with how sure that is.

Files come from the history of changes, from sessions and from imports; memories from the files
and from every other signal. A confidence is the share of such predictions that came true: by a
table measured once (`near_weights.py`), corrected by what came true in this very store.
"""

from __future__ import annotations

from tacit.assemble import recollect
from tacit.assemble.imported import read_imports
from tacit.assemble.near_files import near_files
from tacit.assemble.near_weights import MEMORY_TABLES, sure
from tacit.assemble.own_record import DOCUMENT, corrected, read_counts
from tacit.assemble.used_together import used_together
from tacit.encode.cochange import CHANGES, WORDS, sets_from_json
from tacit.encode.code.imports import IMPORTS
from tacit.errors import Invalid
from tacit.model import Memory, Visibility
from tacit.store.protocol import Filter
from tacit.text import query_terms
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from tacit.assemble.near_files import Near
    from tacit.assemble.recollect import Clue
    from tacit.assemble.signals import Signals
    from tacit.model import Scope
    from tacit.store.protocol import Reader

    Load = Callable[[str], str | None]  # a document of the project, by name
    Read = Callable[[str], str]  # the beginning of a file of the project; empty if not there

MOST = 100
LEAST = 0.1  # a guess that is less sure is not worth reading
POOL = 4  # times the limit: memories that are read before the best are chosen
# What is worth more when two memories are as likely to be needed: it saves more to know it.
TELLING = {"decision": 1.25, "error-fix": 1.25, "gotcha": 1.25, "preference": 1.15, "fix": 1.15}
KINDS = {"pattern": 1.1, "fact": 1.0, "skill": 1.0, "episode": 0.9, "resource": 0.8, "block": 0.5}


class Likely(Value):
    """A file that is likely to be needed."""

    path: str
    confidence: float
    why: str


class Predicted(Value):
    """A memory that is likely to be needed."""

    memory: Memory
    confidence: float
    why: str
    signal: str  # which called it up
    expected: float  # the confidence before what came true in this store corrected it


class Prediction(Value):
    """What is likely to be needed next, the surest first."""

    memories: tuple[Predicted, ...] = ()
    files: tuple[Likely, ...] = ()
    confidence: float = 0.0  # that at least one of the memories, or else the files, is needed
    query_id: str = ""  # under which it was recorded; empty when it was not


def predict(
    reader: Reader,
    signals: Signals,
    *,
    load: Load,
    now: datetime,
    read: Read = lambda _path: "",
    limit: int = 10,
    scopes: tuple[Scope, ...] = (),
    exclude: tuple[str, ...] = (),
) -> Prediction:
    """Give what is likely to be needed next; without signals there is nothing to go by."""
    if not 1 <= limit <= MOST:
        raise Invalid(f"limit {limit} is not from 1 to {MOST}")
    if not signals.told:
        return Prediction()
    where = Filter(at=now, current=True, scopes=scopes, exclude=exclude)
    uses = read_imports(load(IMPORTS), signals.files, read)
    files = likely_files(reader, signals, load=load, now=now, where=where, uses=uses.files)
    memories: dict[str, Memory] = {}  # those that were read on the way
    clues: dict[str, dict[str, Clue]] = {
        "file": recollect.by_files(reader, signals.files, files, where, now, memories),
        "module": recollect.by_modules(reader, uses.modules, where),
        "task": recollect.by_task(reader, signals.task, where),
        "branch": recollect.by_branch(reader, signals.branch, where),
    }
    for output in signals.errors:
        clues["error"] = clues.get("error", {}) | recollect.by_error(reader, output, where)
    if signals.minute is not None:
        clues["time"] = recollect.by_hour(reader, signals.minute, where)
    if signals.collaborator:
        clues["collaborator"] = recollect.by_person(reader, signals.collaborator, where)
    counts = read_counts(load(DOCUMENT))
    chosen = _chosen(reader, clues, counts, limit, memories, private=not signals.collaborator)
    shown = tuple(
        Likely(path=one.path, confidence=one.confidence, why=one.why) for one in files[:limit]
    )
    return Prediction(
        memories=chosen,
        files=shown,
        confidence=_any([one.confidence for one in chosen or shown]),
    )


def likely_files(
    reader: Reader,
    signals: Signals,
    *,
    load: Load,
    now: datetime,
    where: Filter,
    uses: Mapping[str, tuple[str, ...]] | None = None,
    limit: int = MOST,
) -> tuple[Near, ...]:
    """Give the files likely to follow the open ones: by the history, by sessions, by imports."""
    if not signals.files:
        return ()
    terms = query_terms(signals.task)
    sets = sets_from_json(load(CHANGES) or "", (load(WORDS) or "") if terms else "")
    by_history = near_files(sets, signals.files, now, limit=limit, terms=terms, imported=uses)
    worked = used_together(reader, signals.files, where)
    told = [path for path in signals.files if worked.led_by(path)]
    by_work = near_files(worked, told, now, limit=limit, set_name="sessions")
    best: dict[str, Near] = {}
    for one in (*by_history, *by_work):
        if one.path in signals.files:
            continue
        if one.path not in best or best[one.path].confidence < one.confidence:
            best[one.path] = one
    return tuple(sorted(best.values(), key=lambda near: (-near.confidence, -near.part, near.path)))[
        :limit
    ]


def _chosen(
    reader: Reader,
    clues: Mapping[str, Mapping[str, Clue]],
    counts: Mapping[str, tuple[int, int]],
    limit: int,
    memories: dict[str, Memory],
    *,
    private: bool,
) -> tuple[Predicted, ...]:
    """Give the memories of the strongest clues; with somebody else there, nothing private."""
    best: dict[str, tuple[float, str, str]] = {}  # id → expected, signal, why
    for signal, found in clues.items():
        for id_, clue in found.items():
            expected = sure(clue.score, MEMORY_TABLES[signal])
            if expected >= LEAST and (id_ not in best or best[id_][0] < expected):
                best[id_] = (expected, signal, clue.why)
    ids = sorted(best, key=lambda id_: (-best[id_][0], id_))[: POOL * limit]
    memories |= {m.id: m for m in reader.get([id_ for id_ in ids if id_ not in memories])}
    predicted = [
        Predicted(
            memory=memory,
            confidence=corrected(best[memory.id][1], best[memory.id][0], dict(counts)),
            why=best[memory.id][2],
            signal=best[memory.id][1],
            expected=best[memory.id][0],
        )
        for memory in (memories[id_] for id_ in ids if id_ in memories)
        if private or memory.visibility is not Visibility.PRIVATE
    ]
    predicted.sort(key=lambda one: (-one.confidence * _telling(one.memory), one.memory.id))
    return tuple(predicted[:limit])


def _telling(memory: Memory) -> float:
    return TELLING.get(memory.subtype, 1.0) * KINDS[memory.kind.value]


def _any(confidences: list[float]) -> float:
    """Give how sure it is that at least one is needed; they hang together, so the surest tells."""
    return max(confidences, default=0.0)
