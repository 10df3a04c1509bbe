"""`learn rank`: weights of the ranking from what was used of what was handed over."""

from __future__ import annotations

from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.cli.show import Cell
    from tacit.system.ranking import Ranked

EXAMPLES = """\
  tacit learn rank
  tacit learn rank --adopt
"""


def add(parser: ArgumentParser) -> None:
    """Add the options of `learn rank`."""
    parser.add_argument(
        "--adopt",
        action="store_true",
        help="rank: use the weights from now on, if they are better beyond doubt",
    )


def run(given: Namespace, console: Console) -> int:
    """Learn, and say what was learnt and what it is worth."""
    with options.open_tacit(given) as tacit:
        found = tacit.learn_rank(adopt=given.adopt)
    if console.json:
        from tacit.interfaces import wire_learnt

        console.data(wire_learnt.ranked(found))
        return 0
    learnt = found.learnt
    if learnt.gain is not None:
        gain = learnt.gain
        console.result(
            f"Held out: reciprocal rank {gain.before:.3f} → {gain.after:.3f} "
            f"({gain.mean:+.3f}, 95 % from {gain.low:+.3f} to {gain.high:+.3f}), "
            f"{show.count(learnt.questions, 'question')} of {show.count(learnt.groups, 'session')}."
        )
    if learnt.refused:
        console.result(f"Nothing was learnt: {learnt.refused}.")
        return 0
    for line in show.table(console, _weights(found), text=None):
        console.result(line)
    console.result(_what_became(found, adopt=given.adopt))
    return 0


def _weights(found: Ranked) -> list[list[Cell]]:
    from tacit.learn.rank import WEIGHTS
    from tacit.retrieve.shares import PARTS

    rows: list[list[Cell]] = [[(name, "dim") for name in ("weight", "before", "learnt", "")]]
    for name, part in WEIGHTS.items():
        before, after = getattr(found.before, name), getattr(found.learnt.profile, name)
        rows.append(
            [(name, "short"), (f"{before:.3f}", ""), (f"{after:.3f}", ""), (PARTS[part], "dim")]
        )
    return rows


def _what_became(found: Ranked, *, adopt: bool) -> str:
    if found.adopted:
        return f"In use from now on as {found.kept}; to go back: tacit learn rollback"
    if adopt:
        return f"Kept as {found.kept}, not taken into use: it could be chance that it is better."
    return f"Kept as {found.kept}; try it: tacit recall QUERY --profile {found.kept}"
