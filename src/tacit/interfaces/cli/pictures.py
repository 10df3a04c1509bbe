"""Pictures of what helped: shares with their ranges, costs, and what memories earned."""

from __future__ import annotations

from tacit.errors import Invalid, Unavailable
from tacit.interfaces.cli import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from tacit.interval import Rate
    from tacit.learn.effects import Effects
    from tacit.learn.usage import Figures

ENDINGS = (".png", ".svg", ".pdf")
MOST = 20  # rows that can still be read
SURE, UNSURE, GOOD, BAD = "#1f6f8b", "#b8b8b8", "#3a7d44", "#b23a48"


def draw(subject: str, found: Effects, path: str) -> None:
    """Draw a subject into a file."""
    if not path.endswith(ENDINGS):
        raise Invalid(f"{path} is no picture's name; let it end with one of {', '.join(ENDINGS)}")
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise Unavailable(
            f"pictures need {error.name}; install it with: pip install 'tacit[bench]'"
        ) from error
    mpl.use("Agg")
    from matplotlib import pyplot

    drawn = DRAWN[subject](found, pyplot)
    try:
        drawn.savefig(path, dpi=120)
    except OSError as error:
        raise Unavailable(f"cannot write {path}: {error.strerror}") from error
    finally:
        pyplot.close(drawn)


def _groups(found: Sequence[Figures], title: str, pyplot: Any) -> Any:
    """Draw what each group completed, used and cost, one row a group."""
    found = found[:MOST][::-1]
    names = [f"{' '.join(one.key)}\n{show.count(one.sessions, 'session')}" for one in found]
    height = 1.9 + 0.5 * max(1, len(found))
    figure, axes = pyplot.subplots(1, 5, figsize=(14, height), layout="constrained", sharey=True)
    figure.suptitle(f"{title}\ngrey: too few to tell", fontsize=11)
    rates: dict[str, Callable[[Figures], Rate]] = {
        "sessions completed": lambda one: one.completed,
        "memories used": lambda one: one.used,
        "helped, of those judged": lambda one: one.satisfied,
    }
    for axis, (label, rate_of) in zip(axes, rates.items(), strict=False):
        for row, one in enumerate(found):
            _interval(axis, row, rate_of(one))
        axis.set(xlim=(-0.02, 1.02), xlabel=label)
        axis.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "50 %", "", "100 %"])
    axes[3].barh(range(len(found)), [one.tokens for one in found], 0.4, color=SURE)
    axes[3].set(xlabel="tokens a briefing")
    axes[4].barh(range(len(found)), [one.latency_ms or 0.0 for one in found], 0.4, color=SURE)
    axes[4].set(xlabel="ms a briefing")
    axes[0].set_yticks(range(len(found)), names)
    for axis in axes:
        axis.set_ylim(-0.6, len(found) - 0.4)
        axis.grid(axis="x", alpha=0.3)
        axis.spines[["top", "right"]].set_visible(False)
    return figure


def _interval(axis: Any, row: int, rate: Rate) -> None:
    if rate.share is None:
        return
    colour = SURE if rate.clear else UNSURE
    axis.plot([rate.least, rate.most], [row, row], color=colour, linewidth=5, alpha=0.5)
    axis.plot(rate.share, row, "o", color=colour)
    axis.annotate(
        f"{rate.hits}/{rate.chances}", (rate.share, row), (0, 7), textcoords="offset points",
        ha="center", fontsize=8, color="#444444",
    )  # fmt: skip


def _sessions(found: Effects, pyplot: Any) -> Any:
    """Draw what each session was handed and used, from the oldest to the last."""
    rows = found.sessions[: 3 * MOST][::-1]
    figure, axis = pyplot.subplots(figsize=(12, 4), layout="constrained")
    places = range(len(rows))
    axis.bar(places, [one.handed for _, one in rows], color="#d9d9d9", label="handed over")
    ends = {"success": ("went well", GOOD), "failure": ("failed", BAD), "": ("other end", SURE)}
    for outcome, (label, colour) in ends.items():
        mine = [(record.outcome if record.outcome in ends else "") == outcome for record, _ in rows]
        used = [one.cited if told else 0 for (_, one), told in zip(rows, mine, strict=True)]
        if any(mine):
            axis.bar(places, used, color=colour, label=f"used, {label}")
    labels = [f"{record.seen:%m-%d}" for record, _ in rows]
    step = max(1, len(rows) // 15)
    axis.set_xticks(list(places)[::step], labels[::step])
    axis.set(ylabel="memories", xlabel="sessions, the last at the right")
    axis.set_title("What sessions were handed, and what they used", fontsize=11)
    axis.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside right upper", frameon=False, fontsize=9)
    return figure


def _memories(found: Effects, pyplot: Any) -> Any:
    """Draw how often the most used memories were cited and passed over, and what they saved."""
    rows = found.memories[:MOST][::-1]
    height = 1.5 + 0.32 * max(1, len(rows))
    figure, (uses, saved) = pyplot.subplots(
        1, 2, figsize=(13, height), layout="constrained", sharey=True
    )
    places = range(len(rows))
    cited = [one.cited for one in rows]
    uses.barh(places, cited, color=GOOD, label="cited")
    uses.barh(places, [one.ignored for one in rows], left=cited, color="#d9d9d9", label="ignored")
    titles = [" ".join(one.returned.memory.levels.title.split())[:48] for one in rows]
    uses.set_yticks(places, [title.replace("$", r"\$") for title in titles], fontsize=8)
    uses.set(xlabel="sessions that judged it")
    uses.legend(frameon=False, fontsize=9)
    known = [bool(one.returned.learn_tokens or not one.cited) for one in rows]
    kept = [one.returned.saved if told else 0 for one, told in zip(rows, known, strict=True)]
    saved.barh(places, kept, color=[GOOD if one > 0 else BAD for one in kept])
    for place in (place for place, told in zip(places, known, strict=True) if not told):
        saved.annotate("not known what it cost to learn", (0, place), fontsize=7, va="center")
    saved.axvline(0, color="#444444", linewidth=0.8)
    saved.set(xlabel="tokens saved, less what showing it cost")
    for axis in (uses, saved):
        axis.grid(axis="x", alpha=0.3)
        axis.spines[["top", "right"]].set_visible(False)
    figure.suptitle("What memories earned", fontsize=11)
    return figure


DRAWN: dict[str, Callable[[Effects, Any], Any]] = {
    "strategies": lambda found, plot: _groups(found.strategies, "Types of tasks", plot),
    "profiles": lambda found, plot: _groups(found.profiles, "Profiles", plot),
    "sessions": _sessions,
    "memories": _memories,
}
