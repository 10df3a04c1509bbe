"""What gets into a memory: labelled junk and keepers, mixed among what real sessions give.

A store holds what a pretended project knows and its rule files. Then all drafts come the way
of an observation: through the gate in batches, and what it lets through is written. Junk that
is not new to the writer, because the very same is there, counts as refused too.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tacit.bench.case import read_lines
from tacit.bench.encoding import READERS
from tacit.bench.quality import default_folder
from tacit.draft import Draft
from tacit.encode.embedding import Nearness
from tacit.encode.pages import document_drafts, rule_statements
from tacit.encode.ports import Embedder
from tacit.errors import Invalid, NotFound
from tacit.ingest.reading import blob_sha
from tacit.model import Kind, Origin, Scope, Trust
from tacit.observation import Document, Sort
from tacit.observe.pipeline import BATCH
from tacit.store.connect import connect
from tacit.system import Tacit
from tacit.text import shorten
from tacit.value import Value
from tacit.write.gate import Gate, Refusal

JUNK = os.path.join(os.path.dirname(__file__), "junk")
SETS = {
    "tuning": JUNK,
    "held-out": os.path.join(JUNK, "held-out"),
    "final": os.path.join(JUNK, "final"),
}
KEEPER = "keeper"
SEED = 11
SHOWN = 100  # kept memories to be read by eye
SHOWN_CHARS = 400
AGAIN = "met again at write"


class Proposed(Value):
    """A draft that is proposed, and what is known of it: a label, or only where it is from."""

    draft: Draft
    id: str
    label: str  # the class of a candidate; of others the set they come from
    labelled: bool = True
    close_to: str = ""
    stated: bool = False  # by a commit: nobody claimed it


class Judged(Value):
    """What became of a proposal: kept, or not and why."""

    proposed: Proposed
    reason: str = ""

    @property
    def kept(self) -> bool:
        """Whether it is a memory of its own now."""
        return not self.reason


def run(
    data: str | None, sets: str | None, embedder: Embedder | None, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Measure the gate on sets of candidates, or on one folder of the same form."""
    started = time.perf_counter()
    folders = {os.path.basename(os.path.abspath(data)): data} if data else _chosen(sets)
    progress("junk: encoding sessions")
    sessions, left_out = real_drafts()
    out: dict[str, Any] = {
        "set": "junk",
        "embedder": embedder.model if embedder else "off",
        "left_out_sets": left_out,
        "sections": {},
        "raw": {"judged": {}, "sample": []},
    }
    for name, folder in folders.items():
        progress(f"junk: {name}")
        judged = judge(folder, sessions, embedder)
        out["sections"][name] = figures(judged)
        out["raw"]["judged"][name] = [_row(one) for one in judged if one.proposed.labelled]
        out["raw"]["sample"] = out["raw"]["sample"] or sample(judged)
    out["seconds"] = round(time.perf_counter() - started, 1)
    return out


def real_drafts() -> tuple[list[Proposed], list[str]]:
    """Give what the sessions at hand become, and which sets are not at hand."""
    found: list[Proposed] = []
    left_out: list[str] = []
    for name, reader in READERS.items():
        folder = default_folder(name)
        if not os.path.isdir(folder):
            left_out.append(f"{name}: not among the candidates, {folder} is not there")
            continue
        found += [_unlabelled(draft, name) for one in reader(folder) for draft in one.drafts]
    return found, left_out


def candidates(folder: str) -> list[Proposed]:
    """Read the labelled candidates of a set."""
    return [
        Proposed(
            draft=_draft(row, basis=row["evidence"] or ""),
            id=row["id"],
            label=row["class"],
            close_to=row.get("close_to") or "",
        )
        for row in read_lines(folder, "candidates.jsonl")
    ]


def judge(folder: str, others: Sequence[Proposed], embedder: Embedder | None) -> list[Judged]:
    """Let a set's candidates, mixed among others, through gate and writer of a fresh store."""
    mixed = mix(candidates(folder), others, random.Random(SEED))
    rules = list(read_lines(folder, "rules.jsonl"))
    with tempfile.TemporaryDirectory() as place:
        store = connect(os.path.join(place, "bench.db"))
        with Tacit(store, scope=Scope(path="project:bench"), embedder=embedder) as tacit:
            files = [_rule_file(row["path"], row["text"]) for row in rules]
            tacit.write(list(document_drafts(files)))
            tacit.write([_draft(row) for row in read_lines(folder, "known.jsonl")])
            statements = [s.text for row in rules for s in rule_statements(row["text"])]
            near = Nearness(embedder) if embedder else None
            gate = Gate(store, statements, tacit.clock.now(), near)
            judged: list[Judged] = []
            for start in range(0, len(mixed), BATCH):
                judged += _batch(tacit, gate, mixed[start : start + BATCH])
    return judged


def mix(
    chosen: Sequence[Proposed], others: Sequence[Proposed], chance: random.Random
) -> list[Proposed]:
    """Put candidates in any order among others, which keep their own."""
    places = [*[True] * len(chosen), *[False] * len(others)]
    chance.shuffle(places)
    shuffled = iter(chance.sample(list(chosen), len(chosen)))
    in_order = iter(others)
    return [next(shuffled) if mine else next(in_order) for mine in places]


def _batch(tacit: Tacit, gate: Gate, batch: Sequence[Proposed]) -> list[Judged]:
    """Judge as an observation does: all of a batch, then what is left of it is written."""
    refused: dict[int, Refusal] = {}
    passed: list[tuple[int, Draft]] = []
    for place, one in enumerate(batch):
        kept, turned_away = gate.sift([one.draft], stated=one.stated)
        passed += [(place, draft) for draft in kept]
        if turned_away:
            refused[place] = turned_away[0]
    written = tacit.write([draft for _, draft in passed])
    new = {memory.id for memory in written.fresh}
    again: set[int] = set()
    for (place, _), memory in zip(passed, written.memories, strict=True):
        if memory.id in new:
            new.remove(memory.id)  # a second draft that ends in the same memory adds nothing
        else:
            again.add(place)
    return [
        Judged(
            proposed=one,
            reason=refused[place].reason if place in refused else AGAIN if place in again else "",
        )
        for place, one in enumerate(batch)
    ]


def figures(judged: Sequence[Judged]) -> dict[str, dict[str, Any]]:
    """Give the shares of a set, then each class by trust with the reasons that were given."""
    labelled = [one for one in judged if one.proposed.labelled]
    junk = [one for one in labelled if one.proposed.label != KEEPER]
    keepers = [one for one in labelled if one.proposed.label == KEEPER]
    hard = [one for one in keepers if one.proposed.close_to]
    rows: dict[str, dict[str, Any]] = {
        "all": {
            "junk refused": _share(not one.kept for one in junk),
            "keepers kept": _share(one.kept for one in keepers),
            "hard keepers kept": _share(one.kept for one in hard),
        }
    }
    for label in dict.fromkeys(one.proposed.label for one in sorted(labelled, key=_label)):
        of_class = [one for one in labelled if one.proposed.label == label]
        rows[label] = _class(of_class, kept=label == KEEPER)
    for name in dict.fromkeys(one.proposed.label for one in judged if not one.proposed.labelled):
        given = [o for o in judged if o.proposed.label == name and not o.proposed.labelled]
        rows[f"of {name}"] = _class(given, kept=True)
    return rows


def sample(judged: Sequence[Judged]) -> list[dict[str, str]]:
    """Give some of what was kept, chosen by chance, to be read by eye."""
    kept = [one.proposed for one in judged if one.kept]
    chosen = random.Random(SEED).sample(kept, min(SHOWN, len(kept)))
    return [
        {
            "from": one.label,
            "kind": f"{_kind(one.draft)} {one.draft.subtype}".strip(),
            "trust": one.draft.trust.value,
            "text": shorten(" ".join(one.draft.text.split()), SHOWN_CHARS),
        }
        for one in chosen
    ]


def _class(judged: Sequence[Judged], *, kept: bool) -> dict[str, Any]:
    """Give how many were kept, or refused: in all, by trust, and for which reasons."""
    verb = "kept" if kept else "refused"
    row: dict[str, Any] = {verb: _share(one.kept == kept for one in judged)}
    for trust in Trust:
        of_trust = [one for one in judged if one.proposed.draft.trust is trust]
        if of_trust:
            right = sum(one.kept == kept for one in of_trust)
            row[trust.value] = f"{right} of {len(of_trust)}"
    reasons = Counter(one.reason for one in judged if one.reason).most_common()
    return row | ({"reasons": dict(reasons)} if reasons else {})


def _share(right: Iterable[bool]) -> float:
    each = list(right)
    return round(sum(each) / max(len(each), 1), 3)


def _chosen(sets: str | None) -> dict[str, str]:
    names = [name.strip() for name in sets.split(",")] if sets else list(SETS)
    unknown = [name for name in names if name not in SETS]
    if unknown:
        raise Invalid(f"there is no junk set {unknown[0]!r}; there are {', '.join(SETS)}")
    missing = [name for name in names if not os.path.isdir(SETS[name])]
    if missing:
        raise NotFound(f"{SETS[missing[0]]} is not there; give a folder of the form with --data")
    return {name: SETS[name] for name in names}


def _draft(row: dict[str, Any], *, basis: str = "") -> Draft:
    return Draft(
        text=row["text"],
        kind=Kind(row["kind"]),
        subtype=row["subtype"] or "",
        origin=Origin.EXTRACTED,
        trust=Trust(row["trust"]),
        source_ref=row["source_ref"] or "",
        basis=basis,
    )


def _unlabelled(draft: Draft, name: str) -> Proposed:
    return Proposed(
        draft=draft,
        id=draft.source_ref,
        label=name,
        labelled=False,
        stated=draft.source_ref.startswith("git:"),
    )


def _rule_file(path: str, text: str) -> Document:
    return Document(path=path, text=text, sort=Sort.RULE, sha=blob_sha(text.encode()))


def _row(one: Judged) -> dict[str, Any]:
    return {"id": one.proposed.id, "class": one.proposed.label, "reason": one.reason}


def _label(one: Judged) -> tuple[bool, str]:
    return one.proposed.label == KEEPER, one.proposed.label


def _kind(draft: Draft) -> str:
    return draft.body.kind if draft.body is not None else draft.kind.value
