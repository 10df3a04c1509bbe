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


def draw_briefing(sections: dict[str, dict[str, dict[str, Any]]], path: str) -> None:
    """Draw the evidence handed over by list and briefing, one panel a set, over the budget."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    panels = {name: rows for name, rows in sections.items() if "8000 tokens" in rows}
    figure, axes = pyplot.subplots(
        1, len(panels), figsize=(4 * len(panels), 3.6), layout="constrained", squeeze=False
    )
    for axis, (name, rows) in zip(axes[0], panels.items(), strict=True):
        budgets = [int(label.split()[0]) for label in rows]
        for side, width in (("list", 1.2), ("briefing", 2.5)):
            values = [row[side] for row in rows.values()]
            axis.plot(budgets, values, marker="o", linewidth=width, label=side)
        axis.set(xscale="log", xlabel="tokens", ylim=(0, 1), title=name.partition(":")[0])
        axis.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
        axis.minorticks_off()
        axis.grid(visible=True, alpha=0.3)
    axes[0][0].set_ylabel("evidence handed over")
    axes[0][0].legend()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def draw_cycle(rows: list[dict[str, Any]], path: str) -> None:
    """Draw the processor seconds of a cycle, pass by pass, and its peak of memory over the store's size."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    sizes = [row["memories"] for row in rows]
    figure, (time, room) = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained")
    whole = [row["processor_seconds"] for row in rows]
    time.plot(sizes, whole, marker="o", linewidth=2.5, label="whole")
    for name in rows[-1]["passes"]:
        spent = [max(0.01, row["passes"].get(name, 0.0)) for row in rows]
        time.plot(sizes, spent, marker=".", linewidth=1, label=name)
    linear = [whole[0] * size / sizes[0] for size in sizes]
    time.plot(sizes, linear, color="grey", linestyle="--", linewidth=1, label="linear")
    time.set(xscale="log", yscale="log", xlabel="memories", title="processor seconds of a cycle")
    room.plot(sizes, [row["peak_mb"] for row in rows], marker="o", linewidth=2.5)
    room.set(xscale="log", xlabel="memories", title="peak memory, MB", ylim=(0, None))
    for axis in (time, room):
        axis.grid(visible=True, alpha=0.3)
    time.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def draw_learning(raw: dict[str, Any], path: str) -> None:
    """Draw over the days what share is as good as the best, and the regret of each way below it."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        2, len(raw), figsize=(5 * len(raw), 6), layout="constrained", squeeze=False, sharex=True
    )
    for (share, regret), (name, one) in zip(axes.T, raw.items(), strict=True):
        for life in one["lives"]:
            near = [day["near"] for day in life["days"]]
            share.plot(near, color="C0", linewidth=1, alpha=0.6)
            share.axvline(len(near) // 2, color="grey", linestyle="--", linewidth=1)
        share.set(title=name, ylim=(0, 1.02), ylabel="share on the best arms")
        life = one["lives"][0]
        ways = {
            "policy": [day["regret"] for day in life["days"]],
            "UCB": life["ucb_regret"],
            "static": life["static_regret"],
        }
        for way, days in ways.items():
            summed = [sum(days[: place + 1]) for place in range(len(days))]
            regret.plot(summed, label=way)
        regret.set(xlabel="days", ylabel="hits missed, summed up")
        regret.legend()
        for axis in (share, regret):
            axis.grid(visible=True, alpha=0.3)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
