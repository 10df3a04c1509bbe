"""`recall`: find what is relevant to a question."""

from __future__ import annotations

from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.retrieve.query import Hit, Recalled

EXAMPLES = """\
examples:
  tacit recall "how are tokens signed?"
  tacit recall "token refresh" --limit 5 --kind fact --kind pattern
  tacit recall "which database?" --as-of 2026-01-15
  tacit recall "login fails" --file src/auth.py --explain
  tacit recall "what broke the login?" --full
  git log -1 --format=%s | tacit recall -

What happened is shown in fewer words the older it is: after 7 days its summary, after 30 a hint.
Nothing found is no error: it prints a line that says so, or [] with --json."""


def add_recall(parser: ArgumentParser) -> None:
    """Add the arguments of `recall`."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "query", metavar="QUERY", nargs="+", help="a question or words; - for stdin"
    )
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="how many (default 10)")
    parser.add_argument(
        "--channels",
        type=options.words,
        metavar="LIST",
        help="ways to look, of text,vector,graph,recency (default all)",
    )
    parser.add_argument(
        "--file", action="append", default=[], metavar="PATH", help="a file that is open now"
    )
    parser.add_argument(
        "--profile", metavar="NAME", help="use this one: a name of `tacit profile list`"
    )
    parser.add_argument("--rerank", action="store_true", help="let the reranker sort the best hits")
    parser.add_argument("--full", action="store_true", help="show each hit whole, below its line")
    parser.add_argument("--explain", action="store_true", help="show how each score came about")
    options.add_filters(parser)
    options.add_times(parser)


def run_recall(given: Namespace, console: Console) -> int:
    """Recall and show the hits."""
    query = options.read_stdin() if given.query == ["-"] else " ".join(given.query)
    with options.open_tacit(given) as tacit:
        found = tacit.recall_explained(
            query,
            limit=given.limit,
            as_of=given.as_of,
            known_at=given.known_at,
            channels=given.channels,
            files=given.file,
            profile=given.profile,
            rerank=given.rerank,
            **options.filters_of(given),
        )
    if console.json:
        from tacit.interfaces import wire

        hits = [wire.hit(hit) for hit in found.hits]
        console.data(wire.recalled(found) if given.explain else hits)
    elif given.explain:
        _explain(console, found)
    else:
        _list(console, found, whole=given.full)
    if found.missing and not given.explain:
        console.note(f"not used: {'; '.join(found.missing)}")
    return 0


def _list(console: Console, found: Recalled, *, whole: bool) -> None:
    if not found.hits:
        console.result("Nothing relevant is remembered.")
    for line, hit in zip(_lines(console, found), found.hits, strict=True):
        console.result(line)
        if whole:
            console.result(f"{show.plain(hit.memory.text)}\n")


def _lines(console: Console, found: Recalled) -> list[str]:
    rows = [
        [(f"{rank:>2}", "dim"), *show.memory_cells(hit.memory, level=hit.level)]
        for rank, hit in enumerate(found.hits, 1)
    ]
    return show.table(console, rows)


def _explain(console: Console, found: Recalled) -> None:
    if not found.hits:
        console.result("Nothing relevant is remembered.\n")
    best = max((hit.score for hit in found.hits), default=1.0) or 1.0
    for line, hit in zip(_lines(console, found), found.hits, strict=True):
        console.result(line)
        for part in _parts(console, hit, best):
            console.result(f"      {part}")
        console.result()
    pools = [
        f"{pool.channel} {show.count(pool.candidates, 'candidate')} in {pool.ms:.1f} ms"
        for pool in found.pools
    ]
    cut = f"{show.count(found.cut, 'candidate')} not relevant enough" if found.cut else ""
    about = [
        ("looked", "\n".join(pools)),
        ("left out", cut),
        ("not used", "\n".join(found.missing)),
    ]
    for line in show.fields(console, about):
        console.result(line)


def _parts(console: Console, hit: Hit, best: float) -> list[str]:
    """Give each part of the score with its share and a bar, then what it was measured against.

    The best score of all fills its bar, so that bars can be compared between hits.
    """
    from tacit.retrieve.shares import PARTS, shares

    lines = [f"score      {hit.score:5.2f}  {show.bar(console, hit.score / best)}"]
    for name, share in shares(hit.parts):
        value = getattr(hit.parts, name)
        bar = console.paint(show.bar(console, value / best), "kind")
        lines.append(f"{name:<10} {value:5.2f} {share:>4} %  {PARTS[name]}  {bar}")
    measured = [f"words of the query covered: {hit.parts.coverage:.0%}"]
    if hit.parts.cosine is not None:
        measured.append(f"cosine {hit.parts.cosine:.2f}")
    if hit.parts.rerank is not None:
        measured.append(f"reranker {hit.parts.rerank:.2f}")
    if hit.parts.factor != 1.0:
        measured.append(f"times {hit.parts.factor:.2f} for its tier and kind")
    if hit.parts.near_miss != 1.0:
        measured.append(f"times {hit.parts.near_miss:.2f}: passed over where others were used")
    return [*lines, console.paint("; ".join(measured), "dim")]
