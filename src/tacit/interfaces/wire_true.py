"""What staying true looks like to programs: the report of a cycle."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.consolidate.cycle import Report

# The names under which others know what a cycle does, and ours for them.
_KNOWN = {
    "deduped": ("merged",),
    "compressed": ("served_as_summary", "served_as_hint"),
    "forgotten": ("forgotten",),
    "contradictions_found": ("opened",),
    "patterns_created": ("patterns_created",),
    "patterns_merged": ("patterns_merged",),
    "anti_patterns_created": ("anti_patterns_created",),
    "links_created": ("links_created",),
    "episodes_processed": ("episodes_processed",),
}


def cycle_report(report: Report) -> dict[str, Any]:
    """Give the report of a cycle: totals first, then pass by pass."""
    return {
        **{name: sum(map(report.total, ours)) for name, ours in _KNOWN.items()},
        "passes": report.counts,
        "duration_seconds": report.seconds,
        "finished": report.finished,
        "resumed": report.resumed,
        "dry_run": report.dry_run,
    }
