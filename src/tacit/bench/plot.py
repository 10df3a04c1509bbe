"""Pictures of the speed figures: how search time, memory and files grow."""

from __future__ import annotations

from typing import Any

PANELS = {
    "search_ms_p50": "search, p50 ms",
    "search_peak_mb": "peak memory, MB",
    "disk_mb": "on disk, MB",
}


def draw_race(race: list[dict[str, Any]], path: str) -> None:
    """Draw one panel a figure, one line a system, over the number of memories."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(PANELS), figsize=(13, 4), layout="constrained")
    for axis, (name, label) in zip(axes, PANELS.items(), strict=True):
        for system in dict.fromkeys(row["peer"] for row in race):
            rows = [row for row in race if row["peer"] == system and row[name] is not None]
            width = 2.5 if system == "tacit" else 1.2
            sizes, values = [row["size"] for row in rows], [row[name] for row in rows]
            axis.plot(sizes, values, marker="o", linewidth=width, label=system)
        axis.set(xscale="log", yscale="log", xlabel="memories", title=label)
        axis.grid(visible=True, alpha=0.3)
    axes[0].legend()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def draw_reliability(curves: dict[str, dict[str, Any]], path: str) -> None:
    """Draw what was claimed against what came true, one line a way; the diagonal is honest."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(6, 6), layout="constrained")
    axis.plot([0, 1], [0, 1], color="grey", linewidth=1, linestyle="--")
    for way, curve in curves.items():
        rows = curve["rows"]
        claimed, true = [row["claimed"] for row in rows], [row["true"] for row in rows]
        axis.plot(claimed, true, marker="o", label=f"{way} (error {curve['error']})")
    axis.set(xlabel="confidence", ylabel="share needed", xlim=(0, 1), ylim=(0, 1))
    axis.grid(visible=True, alpha=0.3)
    axis.legend(fontsize=8)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
