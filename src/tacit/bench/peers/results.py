"""From samples to figures, and from figures to a table."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, median, quantiles
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    Sample = dict[str, Any]


PARTS = ("load", "broad", "narrow", "add", "durable")
COLUMNS = {
    "search ms p50": "search_ms_p50",
    "p95": "search_ms_p95",
    "min": "search_ms_min",
    "CPU ms": "search_cpu_ms_p50",
    "found": "found",
    "narrow ms p50": "narrow_ms_p50",
    "narrow CPU ms": "narrow_cpu_ms_p50",
    "narrow found": "narrow_found",
    "adds/s": "adds_per_s",
    "durable adds/s": "durable_adds_per_s",
    "add CPU ms": "add_cpu_ms",
    "batched adds/s": "batched_adds_per_s",
    "import CPU s": "import_cpu_s",
    "peak MB": "search_peak_mb",
    "disk MB": "disk_mb",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerResult:
    """What one peer took at one size. A figure is None when it was not measured.

    With a `reason` the peer failed; figures of the parts before it are still given.
    CPU counts all threads of the process, and an add is one call of one memory.
    """

    peer: str
    size: int
    reason: str | None = None
    version: str = ""
    python: str = ""
    search_ms_p50: float | None = None
    search_ms_p95: float | None = None
    search_ms_min: float | None = None
    search_cpu_ms_p50: float | None = None
    searches: int = 0
    found: float | None = None
    """Share of queries whose target was in the top 10: that the work was really done."""
    narrow_ms_p50: float | None = None
    """Within a scope of 2 % of the memories, where the search above has one of 90 %."""
    narrow_cpu_ms_p50: float | None = None
    narrow_found: float | None = None
    adds_per_s: float | None = None
    """As the peer ships; whether a power cut may lose the last ones is its choice."""
    durable_adds_per_s: float | None = None
    """Each flushed to the disk before it is acknowledged (`synchronous = FULL`)."""
    add_cpu_ms: float | None = None
    batched_adds_per_s: float | None = None
    batched_add_cpu_ms: float | None = None
    import_cpu_s: float | None = None
    """From the start of the process until all is imported; the least of all processes."""
    open_cpu_s: float | None = None
    search_peak_mb: float | None = None
    load_peak_mb: float | None = None
    disk_mb: float | None = None
    notes: tuple[str, ...] = ()


def summarise(
    peer: str, size: int, samples: dict[str, list[Sample]], disk_mb: float, reason: str | None
) -> PeerResult:
    """Pool the rounds of each part: percentiles over all calls, rates as the median round."""
    load, search, narrow, add, durable = (samples.get(part, []) for part in PARTS)
    every = [*load, *search, *narrow, *add, *durable]
    walls = _pooled(search, "wall_ms")
    if search and not any(hits for sample in search for hits in sample["hits"]):
        reason = reason or "search found nothing"
        walls = []
    return PeerResult(
        peer=peer,
        size=size,
        reason=reason,
        version=every[0]["version"] if every else "",
        python=every[0]["python"] if every else "",
        search_ms_p50=median(walls) if walls else None,
        search_ms_p95=quantiles(walls, n=20)[-1] if len(walls) > 1 else None,
        search_ms_min=min(walls) if walls else None,
        search_cpu_ms_p50=_median(search, "cpu_ms") if walls else None,
        searches=len(walls),
        found=_found(search),
        narrow_ms_p50=_median(narrow, "wall_ms"),
        narrow_cpu_ms_p50=_median(narrow, "cpu_ms"),
        narrow_found=_found(narrow),
        adds_per_s=_rate(add),
        durable_adds_per_s=_rate(durable),
        add_cpu_ms=_median(add, "cpu_ms"),
        batched_adds_per_s=_rate(load),
        batched_add_cpu_ms=sum(_pooled(load, "cpu_ms")) / size if load else None,
        import_cpu_s=min(sample["import_cpu_s"] for sample in every) if every else None,
        open_cpu_s=min(sample["open_cpu_s"] for sample in search) if search else None,
        search_peak_mb=max(sample["peak_mb"] for sample in search) if search else None,
        load_peak_mb=max(sample["peak_mb"] for sample in load) if load else None,
        disk_mb=disk_mb if load else None,
        notes=tuple(_notes(size, load, search, [*add, *durable])),
    )


def table(results: Sequence[PeerResult]) -> str:
    """Lay the results out as Markdown, one row for each peer and size, remarks below."""
    rows = [("peer", "size", *COLUMNS), ("---",) * (len(COLUMNS) + 2)]
    remarks = []
    for result in results:
        figures = (_figure(getattr(result, name)) for name in COLUMNS.values())
        rows.append((f"{result.peer} {result.version}".strip(), f"{result.size:,}", *figures))
        said = (result.reason, *result.notes)
        remarks += [f"- {result.peer} at {result.size:,}: {remark}" for remark in said if remark]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, *([""] if remarks else []), *remarks])


def _pooled(samples: Sequence[Sample], key: str) -> list[float]:
    return [value for sample in samples for value in sample[key]]


def _median(samples: Sequence[Sample], key: str) -> float | None:
    values = _pooled(samples, key)
    return median(values) if values else None


def _found(samples: Sequence[Sample]) -> float | None:
    asked = len(_pooled(samples, "hits"))
    return sum(sample["found"] for sample in samples) / asked if asked else None


def _rate(samples: Sequence[Sample]) -> float | None:
    """Memories taken a second of wall time, in the median round."""
    rates = [sample["taken"] / sum(sample["wall_ms"]) * 1000 for sample in samples]
    return median(rates) if rates else None


def _notes(
    size: int, load: Sequence[Sample], search: Sequence[Sample], adds: Sequence[Sample]
) -> list[str]:
    """Say where a peer did less than was asked, for its figures then mean less."""
    notes = []
    if load and (taken := sum(sample["taken"] for sample in load)) != size:
        notes.append(f"took {taken:,} of {size:,} memories in batches")
    offered = len(_pooled(adds, "wall_ms"))
    if (taken := sum(sample["taken"] for sample in adds)) != offered:
        notes.append(f"took {taken} of {offered} single memories")
    hits = _pooled(search, "hits")
    if hits and min(hits) < 10:
        notes.append(f"gave {fmean(hits):.1f} hits a query where 10 were asked")
    return notes


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
