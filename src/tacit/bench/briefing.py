"""What a briefing holds against a plain list of the best hits, at the same number of tokens.

For each question of a set the evidence counts as handed over when at least 60 % of its telling
words, or of the answer's, stand in the text. All sides have the same recall behind them: the
list is its hits in full, best first, until the next does not fit; the citable list has the same
with the mark an agent needs to cite them by; the briefing is the product's.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

from tacit.bench.case import Ask, Collection, Remember, read_lines
from tacit.bench.metrics import mean, paired_interval
from tacit.bench.quality import StepClock, default_folder, reader_of
from tacit.bench.unasked import LOOKED_AT, by_cut, handed_unasked, needed_files
from tacit.encode.ports import Embedder
from tacit.errors import NotFound
from tacit.line import mark
from tacit.model import Scope
from tacit.retrieve.query import Hit, Recalled
from tacit.store.connect import connect
from tacit.system import Tacit
from tacit.text import content_words, fold
from tacit.value import Value

SETS = ("locomo", "beam", "agent-sessions")
BUDGETS = (500, 1000, 2000, 8000)
STRANGE = {"agent-sessions": "swe-issues"}  # where a set has one collection alone
ENOUGH = 0.6  # share of the telling words that must stand in the text
MOST_HITS = 200  # as many as a briefing looks at
ELSEWHERE = 20  # questions of another collection asked of each store
ELSEWHERE_BUDGET = 1000


class Once(Tacit):
    """Recalls once for a question; list and briefings of every size have the same hits."""

    def _recall_for_briefing(self, query: str, *, strict: bool, **options: Any) -> Recalled:
        limit = options.pop("limit")
        asked = (query, strict, repr(sorted(options.items())))
        if self._asked != asked:
            options["limit"] = MOST_HITS
            self._found = super()._recall_for_briefing(query, strict=strict, **options)
            self._asked = asked
        return self._found.replace(hits=self._found.hits[:limit])

    _asked: tuple[str, bool, str] | None = None
    _found: Recalled

    def hits(
        self, query: str, files: Sequence[str], exclude: Sequence[str], *, strict: bool = False
    ) -> Sequence[Hit]:
        """Give all hits of a question; `strict`: those of a prompt, where nobody asked."""
        given = {"files": tuple(files), "exclude": tuple(exclude), "limit": MOST_HITS}
        return self._recall_for_briefing(query, strict=strict, **given).hits


class Labels(Value):
    """What a set knows beside the evidence: answers in words, files that were needed."""

    answers: dict[str, str]
    needed: dict[str, frozenset[str]]


def run(
    data: str | None,
    names: Sequence[str],
    embedder: Embedder | None,
    progress: Callable[[str], None],
    *,
    most: int | None = None,
) -> dict[str, Any]:
    """Measure the sets; give a table of both sides at every budget, and the raw rows."""
    started = time.perf_counter()
    raw: list[dict[str, Any]] = []
    elsewhere: list[dict[str, Any]] = []
    for name in names:
        folder = data or default_folder(reader_of(name).FOLDER)
        collections = list(reader_of(name).collections(folder))
        labels = Labels(answers=_answers(folder), needed=needed_files(folder))
        for number, collection in enumerate(collections):
            progress(f"briefing: {name} {collection.name}")
            other = collections[(number + 1) % len(collections)]
            if len(collections) == 1:
                other = _of_another_set(name)
            rows, off = _of_collection(collection, other, labels, embedder, name, most)
            raw += rows
            elsewhere += off
    return {
        "set": "briefing",
        "questions": len(raw),
        "seconds": round(time.perf_counter() - started, 1),
        "sections": {
            **{
                f"{name}: evidence handed over": _table([r for r in raw if r["set"] == name])
                for name in names
                if any(r["set"] == name for r in raw)
            },
            "all sets alike": _mean_table(raw, names),
            "asked about another conversation": _elsewhere(elsewhere, names),
            "labelled_share, of items asked for": _labelled_share(raw, names),
            **{
                f"{name}: labelled_share_unasked, at a prompt": by_cut(rows)
                for name in names
                if (rows := [r["unasked"] for r in raw if r["set"] == name])
            },
        },
        "raw": {"rows": raw, "elsewhere": elsewhere},
    }


def sets_in(data: str | None) -> Sequence[str]:
    """Give the sets a folder holds: one set's own, or all where none is given."""
    if data is None:
        return SETS
    known = {reader_of(name).FOLDER: name for name in SETS}
    name = known.get(os.path.basename(os.path.abspath(data)))
    if name is None:
        raise NotFound(f"{data} is not the folder of one of {', '.join(known)}")
    return (name,)


def _of_collection(
    collection: Collection,
    other: Collection | None,
    labels: Labels,
    embedder: Embedder | None,
    name: str,
    most: int | None,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    asks = [step for step in collection.steps if isinstance(step, Ask)]
    chosen = {ask.id + ask.category for ask in _spread(asks, most)}
    with tempfile.TemporaryDirectory() as folder:
        clock = StepClock()
        scope = Scope(path="project:bench")
        store = connect(os.path.join(folder, "bench.db"))
        with Once(store, scope=scope, embedder=embedder, clock=clock) as tacit:
            names: dict[str, str] = {}
            texts: dict[str, list[str]] = {}
            for step in collection.steps:
                clock.shown = step.at
                if isinstance(step, Remember):
                    kept = tacit.remember_many(step.drafts)
                    for memory, known in zip(kept, step.names, strict=True):
                        if names.setdefault(memory.id, known) == known:
                            texts.setdefault(known, []).append(memory.text)
                    if embedder is not None:
                        tacit.reembed(pending=True)
                elif step.id + step.category in chosen:
                    row = _each(tacit, step, names, texts, labels)
                    rows.append({"set": name} | row)
            clock.shown = None
            strangers = _strangers(other) if other else []
            return rows, [{"set": name} | _strange(tacit, ask) for ask in strangers]


def _each(
    tacit: Once,
    ask: Ask,
    names: dict[str, str],
    texts: dict[str, list[str]],
    labels: Labels,
) -> dict[str, Any]:
    """Give what lists and the briefing hand over for one question, at each budget, and a hook."""
    over = [id_ for id_, name in names.items() if name in ask.passed_over]
    options = dict(ask.options)
    files = options.get("files", ())
    hits = tacit.hits(ask.query, files, over)
    row: dict[str, Any] = {"id": ask.id, "category": ask.category, "budgets": {}}
    evidence = {name: [told(text) for text in texts.get(name, ())] for name in ask.wanted}
    wanted_answer = told(labels.answers.get(ask.id, ""))
    bare = [f"- {' '.join(hit.memory.text.split())}\n" for hit in hits]
    marks = [mark(hit.memory.tier.value, hit.memory.short) for hit in hits]
    marked = [f"{cited}{line[1:]}" for cited, line in zip(marks, bare, strict=True)]
    costs, costs_marked = tacit.counter.count_many(bare), tacit.counter.count_many(marked)
    for budget in BUDGETS:
        listed, spent = _listed(bare, costs, budget)
        citable, _ = _listed(marked, costs_marked, budget)
        signals = {"files": list(files)} if files else None
        made = tacit.brief(ask.query, signals=signals, budget_tokens=budget, exclude=over)
        count = tacit.counter.count(made.text)
        labelled = [names[item.memory.id] in ask.wanted for item in made.items]
        row["budgets"][budget] = {
            "list": _handed("".join(listed), evidence, wanted_answer),
            "citable": _handed("".join(citable), evidence, wanted_answer),
            "briefing": _handed(made.text, evidence, wanted_answer),
            "list_items": len(listed),
            "list_tokens": spent,
            "briefing_items": len(made.items),
            "briefing_tokens": count,
            "over": count > budget or count > made.tokens,
            "labelled_items": sum(labelled),
        }
    strict = tacit.hits(ask.query, (), over, strict=True)[:LOOKED_AT]
    needed = labels.needed.get(ask.id, frozenset())
    row["unasked"] = handed_unasked(tacit, ask, strict, names, over, needed)
    return row


def _listed(lines: Sequence[str], costs: Sequence[int], budget: int) -> tuple[list[str], int]:
    spent = 0
    for number, cost in enumerate(costs):
        if spent + cost > budget:
            return list(lines[:number]), spent
        spent += cost
    return list(lines), spent


def _handed(text: str, evidence: dict[str, list[frozenset[str]]], answer: frozenset[str]) -> float:
    """Give the share of the evidence that stands in a text; all of it when the answer does."""
    words = told(text)
    if answer and len(answer & words) >= ENOUGH * len(answer):
        return 1.0
    found = [
        any(one and len(one & words) >= ENOUGH * len(one) for one in forms)
        for forms in evidence.values()
    ]
    return mean([float(each) for each in found])


def told(text: str) -> frozenset[str]:
    """Give the telling words of a text."""
    return frozenset(fold(word) for word in content_words(text))


def _strange(tacit: Tacit, ask: Ask) -> dict[str, Any]:
    made = tacit.brief(ask.query, budget_tokens=ELSEWHERE_BUDGET)
    return {"id": ask.id, "tokens": made.tokens, "items": len(made.items)}


def _of_another_set(name: str) -> Collection | None:
    """Give what is asked of other repositories; none where that set is not there."""
    reader = reader_of(STRANGE.get(name, "swe-issues"))
    folder = default_folder(reader.FOLDER)
    return next(iter(reader.collections(folder)), None) if os.path.isdir(folder) else None


def _strangers(other: Collection) -> list[Ask]:
    return _spread([step for step in other.steps if isinstance(step, Ask)], ELSEWHERE)


def _spread(asks: Sequence[Ask], most: int | None) -> list[Ask]:
    """Take so many, evenly spread."""
    if most is None or len(asks) <= most:
        return list(asks)
    return [asks[number * len(asks) // most] for number in range(most)]


def _answers(folder: str) -> dict[str, str]:
    try:
        records: Iterator[dict[str, Any]] = read_lines(folder, "questions.jsonl")
        return {one["id"]: str(one.get("answer") or "") for one in records}
    except NotFound:  # not every set has answers in words
        return {}


def _table(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {f"{budget} tokens": _at(rows, budget) for budget in BUDGETS}


def _at(rows: Sequence[dict[str, Any]], budget: int) -> dict[str, Any]:
    cells = [row["budgets"][budget] for row in rows]
    listed, citable, made = (mean([c[s] for c in cells]) for s in ("list", "citable", "briefing"))
    low, high = paired_interval([c["briefing"] - c["list"] for c in cells])
    return {
        "list": round(listed, 4),
        "citable": round(citable, 4),
        "briefing": round(made, 4),
        "gain": round(made - listed, 4),
        "interval": f"[{low:+.3f}, {high:+.3f}]",
        "over citable": round(made - citable, 4),
        "items": f"{mean([c['list_items'] for c in cells]):.1f} / "
        f"{mean([c['briefing_items'] for c in cells]):.1f}",
        "tokens": f"{mean([c['list_tokens'] for c in cells]):.0f} / "
        f"{mean([c['briefing_tokens'] for c in cells]):.0f}",
        "over budget": sum(c["over"] for c in cells),
    }


def _mean_table(raw: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Give the mean over the sets, each weighing the same."""
    each = [_table([r for r in raw if r["set"] == name]) for name in names]
    return {
        f"{budget} tokens": {
            side: round(mean([table[f"{budget} tokens"][side] for table in each]), 4)
            for side in ("list", "citable", "briefing", "gain", "over citable")
        }
        for budget in BUDGETS
    }


def _elsewhere(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    out: dict[str, dict[str, Any]] = {}
    for name in names:
        tokens = [row["tokens"] for row in rows if row["set"] == name]
        if tokens:
            out[name] = {
                "questions": len(tokens),
                "median tokens": median(tokens),
                "mean tokens": round(mean(tokens), 1),
                "empty": round(mean([float(not t) for t in tokens]), 3),
            }
    return out


def _labelled_share(
    raw: Sequence[dict[str, Any]], names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    out: dict[str, dict[str, Any]] = {}
    for name in names:
        cells = [row["budgets"][BUDGETS[0]] for row in raw if row["set"] == name]
        items = sum(cell["briefing_items"] for cell in cells)
        labelled = sum(cell["labelled_items"] for cell in cells)
        if items:
            out[name] = {"items": items, "labelled_share": round(labelled / items, 4)}
    return out
