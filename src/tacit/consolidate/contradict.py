"""The pass that finds what cannot both hold, settles what rules may settle, and records the rest.

Facts with one key are settled as at write: the newer ends the older unless its word weighs
less. All else is judged: by rules and, where there is one, by a model; what was judged once is
not judged again while both texts stay the same, but what rules alone have judged is, once, when
there is a model. Nothing judged is ever ended here: the record stays open, both sides stay valid,
and a person decides.
"""

from __future__ import annotations

from collections import Counter

from tacit.consolidate.pairs import LIVING, claims, pairs_of, statement
from tacit.consolidate.resolve import end_loser, suggest
from tacit.consolidate.room import BATCH, BY, Done
from tacit.consolidate.verdict import verdict
from tacit.model import Contradiction, Judged, Kind, Resolution, Scope, State
from tacit.store.protocol import Filter
from tacit.text import squash
from tacit.write.history import change
from tacit.write.identity import audience, pair_id
from tacit.write.settle import settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.pairs import Pair
    from tacit.consolidate.room import Room
    from tacit.consolidate.verdict import Verdict
    from tacit.model import Memory

RULES = "rules"  # who has judged where no model was there
MOST_CLASHES = 3  # of one memory that is new; more are items of a list, not contradictions


def contradict(room: Room, mark: str) -> Done:
    """Compare a batch of memories that are new or changed with all that is there.

    The mark tells how far was compared, and behind it how far a model was there to judge: one
    that comes later begins there, and is asked only about what it has not seen.
    """
    compared, asked = (int(number or 0) for number in (*mark.split("|"), "")[:2])
    after = compared if room.judge is None else asked
    touched = room.store.changed(after, limit=BATCH)
    changed = _claiming(room, [id_ for _, id_ in touched])
    counts: Counter[str] = Counter()
    if changed:
        # Who writes waits for the first change made here: what takes time comes before it.
        said = _judge(room, pairs_of(room, changed))
        counts = _settle_lines(room, changed) + _keep(room, said)
    last = touched[-1][0] if touched else after
    asked = asked if room.judge is None else last
    return Done(
        mark=f"{max(last, compared)}|{asked}",
        more=len(touched) == BATCH,
        counts=dict(counts),
    )


def _claiming(room: Room, ids: Sequence[str]) -> list[Memory]:
    return [m for m in room.store.get(ids) if room.seen(m) and claims(m, room.now)]


# Facts with one key


def _settle_lines(room: Room, changed: Sequence[Memory]) -> Counter[str]:
    """Bring the lines of these facts' keys in order, each as if written one after the other."""
    counts: Counter[str] = Counter()
    for key, scope in sorted({(m.key, m.scope.path) for m in changed if _value(m)}):
        where = Filter(
            at=room.now,
            current=True,
            states=LIVING,
            kinds=(Kind.FACT,),
            keys=(key,),
            scopes=(Scope(path=scope),),
        )
        line = [m for m in room.store.scan(where) if _value(m) and claims(m, room.now)]
        for who in sorted({audience(memory) for memory in line}):
            said = [memory for memory in line if audience(memory) == who]
            if len(said) > 1:
                counts += _settle_line(room, said)
    return counts


def _settle_line(room: Room, line: Sequence[Memory]) -> Counter[str]:
    """Let each fact of a line end those before it; what waits for review ends nothing."""
    counts: Counter[str] = Counter()
    placed: list[Memory] = []
    for fact in sorted(line, key=lambda memory: (memory.validity.valid_from, memory.id)):
        settled = settle(fact, placed, now=room.now)
        counts["opened"] += _open(room, [c for c in settled.contradictions if _differ(c, line)])
        if fact.state is not State.ACTIVE:
            continue
        for ended in settled.closed:
            _close(room, fact, ended)
            placed = [memory for memory in placed if memory.id != ended.id]
            counts["settled"] += 1
        if settled.restates is None and settled.fact != fact:
            fact = _stand(room, fact, settled.fact)
        placed.append(fact)
    return +counts


def _close(room: Room, winner: Memory, loser: Memory) -> None:
    """End a fact by a newer one of its key, with a record of it."""
    a, b = sorted((winner, loser), key=lambda memory: memory.id)
    note = f"{winner.key}: {_value(winner)} took the place of {_value(loser)}"
    end_loser(room.store, loser.id, winner, now=room.now, by=BY, note=note)
    record = _record(room, a, b, detector="key", score=1.0, note=note)
    won = Resolution.A_WINS if winner.id == a.id else Resolution.B_WINS
    room.store.add_contradictions(
        [record.replace(resolution=won, resolved_at=room.now, resolved_by=BY, resolution_note=note)]
    )


def _stand(room: Room, fact: Memory, standing: Memory) -> Memory:
    """Let a fact stand as firmly as the one it took the place of."""
    taken = {name: getattr(standing, name) for name in ("tier", "pinned", "importance")}
    note = f"{fact.key}: as firm as what it took the place of"
    (changed,) = change(
        room.store,
        [fact.id],
        lambda memory: memory.replace(**taken),
        op="resolve",
        by=BY,
        at=room.now,
        note=note,
    )
    return changed


def _differ(record: Contradiction, line: Sequence[Memory]) -> bool:
    """Tell whether the two values are more than two spellings of one."""
    values = {squash(_value(m)).removeprefix("v") for m in line if m.id in (record.a, record.b)}
    return len(values) > 1


def _value(memory: Memory) -> str:
    return str(getattr(memory.body, "value", "")).strip() if memory.key else ""


# All else


def _judge(room: Room, pairs: Sequence[Pair]) -> list[tuple[Pair, Verdict]]:
    """Judge the pairs that were not judged before, or not by more than rules."""
    judged = room.store.judged([pair.id for pair in pairs]).values()
    known = {each.pair for each in judged if room.judge is None or each.detector != RULES}
    new = [pair for pair in pairs if pair.id not in known]
    texts = [(statement(pair.a), statement(pair.b)) for pair in new]
    asked = _asked(room, texts)
    return [
        (pair, verdict(a, b, sure)) for pair, (a, b), sure in zip(new, texts, asked, strict=True)
    ]


def _keep(room: Room, said: Sequence[tuple[Pair, Verdict]]) -> Counter[str]:
    """Keep what was said of each pair, and a record of what cannot both hold."""
    by = RULES if room.judge is None else room.judge.name
    room.store.add_judged([Judged(pair=p.id, detector=by, score=v.score) for p, v in said])
    found = _without_lists([(pair, each) for pair, each in said if each.contradicts])
    standing = {m.id for m in _claiming(room, [id_ for p, _ in found for id_ in (p.a.id, p.b.id)])}
    records = [
        _record(room, pair.a, pair.b, detector=each.detector, score=each.score, note=each.reason)
        for pair, each in found
        if {pair.a.id, pair.b.id} <= standing
    ]
    return +Counter({"judged": len(said), "opened": _open(room, records)})


def _without_lists(found: Sequence[tuple[Pair, Verdict]]) -> list[tuple[Pair, Verdict]]:
    """Leave out what is at odds with many: one item of a list differs from each of the others."""
    clashes = Counter(id_ for pair, _ in found for id_ in (pair.a.id, pair.b.id))
    return [
        (pair, each)
        for pair, each in found
        if max(clashes[pair.a.id], clashes[pair.b.id]) <= MOST_CLASHES
    ]


def _asked(room: Room, texts: Sequence[tuple[str, str]]) -> list[float | None]:
    """Ask the model how likely each pair is a contradiction; None where there is no model.

    The one place where a judge is asked. Another one, such as a language model, is to be asked
    here about what the first leaves in doubt.
    """
    if room.judge is None or not texts:
        return [None] * len(texts)
    return list(room.judge.judge(texts))


def _record(
    room: Room, a: Memory, b: Memory, *, detector: str, score: float, note: str
) -> Contradiction:
    return Contradiction(
        id=pair_id(a, b),
        a=a.id,
        b=b.id,
        detector=detector,
        score=score,
        hashes=(a.hash, b.hash),
        detected_at=room.now,
        note=note,
    )


def _open(room: Room, records: Sequence[Contradiction]) -> int:
    """Keep the records that are new; one that was settled is not opened again."""
    there = {record.id for record in room.store.contradictions()} if records else set()
    new = [record for record in records if record.id not in there]
    sides = {m.id: m for m in room.store.get([id_ for r in new for id_ in (r.a, r.b)])}
    room.store.add_contradictions(
        [r.replace(suggestion=r.suggestion or suggest(sides[r.a], sides[r.b])) for r in new]
    )
    return len(new)
