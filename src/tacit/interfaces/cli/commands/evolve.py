"""`evolve`: breed profiles by what was asked and used, and adopt what proved itself."""

from __future__ import annotations

from tacit.errors import Conflict, Invalid, Unavailable
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.cli.show import Cell
    from tacit.learn.evolve import Evolution, Judged

EXAMPLES = """\
examples:
  tacit evolve run
  tacit evolve run --generations 2 --seconds 60
  tacit evolve show --plot front.png
  tacit evolve adopt
  tacit evolve space

A profile is every number and choice that retrieval depends on. `run` asks again what agents asked,
each question as of its own moment, under many variants of the profile in use; those that find more
of what was then used, with fewer tokens, have children. Half of the sessions take no part: on them
the champion must prove that it is better, else nothing is adopted. `run` changes nothing but its
own notes; stopped, or told more generations, it goes on where it was. `adopt` takes the champion
into use as a version of the profile `evolved`, which can be taken back."""
ACTIONS = ("run", "show", "adopt", "space")
FRONT = 10  # rows
NONE_YET = "Nothing was bred yet; run: tacit evolve run"


def add_evolve(parser: ArgumentParser) -> None:
    """Add the arguments of `evolve`."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "action",
        metavar="ACTION",
        nargs="?",
        choices=ACTIONS,
        default="show",
        help="run: breed; show: front and champion; adopt: use it; space: the 243 structures",
    )
    group = parser.add_argument_group("run")
    group.add_argument(
        "--generations", type=int, default=8, metavar="N", help="live to be N (default 8)"
    )
    group.add_argument(
        "--population", type=int, default=12, metavar="N", help="N in a generation (default 12)"
    )
    group.add_argument("--seed", type=int, default=1, metavar="N", help="of chance (default 1)")
    group.add_argument(
        "--seconds", type=float, metavar="N", help="begin no generation after N seconds"
    )
    group.add_argument("--afresh", action="store_true", help="begin anew")
    parser.add_argument("--plot", metavar="FILE.png", help="show: draw the front to a file")


def run_evolve(given: Namespace, console: Console) -> int:
    """Breed, show or adopt."""
    if given.plot and given.action != "show":
        raise Invalid("--plot draws what `tacit evolve show` shows")
    actions = {"run": _run, "show": _show, "adopt": _adopt, "space": _space}
    return actions[given.action](given, console)


def _run(given: Namespace, console: Console) -> int:
    def told(state: Evolution) -> None:
        best = state.best[-1]
        console.note(
            f"generation {state.generation} of {given.generations}: worth {best:.3f}, "
            f"{state.asked:,} questions asked, {state.seconds:.0f} s"
        )

    with options.open_tacit(given) as tacit:
        state = tacit.evolve(
            generations=given.generations,
            population=given.population,
            seed=given.seed,
            seconds=given.seconds,
            afresh=given.afresh,
            progress=told,
        )
    return _tell(state, console)


def _show(given: Namespace, console: Console) -> int:
    with options.open_tacit(given) as tacit:
        state = tacit.evolution()
    if state is None:
        if given.plot:
            raise Conflict(NONE_YET)
        if console.json:
            console.data(None)
        else:
            console.result(NONE_YET)
        return 0
    if given.plot:
        _draw(state, given.plot)
        console.note(f"drawn: {given.plot}")
    return _tell(state, console)


def _adopt(given: Namespace, console: Console) -> int:
    with options.open_tacit(given) as tacit:
        adopted = tacit.adopt_champion(by=tacit.settings.user if tacit.settings else "")
    if console.json:
        console.data({"profile": adopted.ref, "why": adopted.why})
    else:
        console.result(f"{adopted.ref} is in use from now on: {adopted.why}")
    return 0


def _space(_given: Namespace, console: Console) -> int:
    from tacit.profile import CHOICES
    from tacit.system import Tacit

    points = Tacit.profile_space()
    if console.json:
        console.data(
            {
                "points": len(points),
                "choices": {name: list(given) for name, given in CHOICES.items()},
                "list": [dict(zip(CHOICES, point, strict=True)) for point in points],
            }
        )
        return 0
    console.result(f"{len(points)} structures")
    for line in show.fields(
        console, [(name, ", ".join(map(str, given))) for name, given in CHOICES.items()]
    ):
        console.result(line)
    if not console.quiet:
        for point in points:
            console.result("  ".join(map(str, point)))
    return 0


def _tell(state: Evolution, console: Console) -> int:
    if console.json:
        from tacit.interfaces import wire_evolution

        console.data(wire_evolution.evolution(state))
        return 0
    for line in (*_course(state, console), *_front(state, console), *_champion(state, console)):
        console.result(line)
    for limit in state.limits:
        console.note(f"known limit: {limit}")
    return 0


def _course(state: Evolution, console: Console) -> list[str]:
    """Give what it cost, and the worth of the best by generation as bars."""
    head = (
        f"bred from {state.base}, {show.count(state.generation, 'generation')} of "
        f"{state.plan.population}, seed {state.plan.seed}: {state.asked:,} questions asked in "
        f"{state.seconds:.0f} s"
    )
    most = max(state.best, default=0.0) or 1.0
    return [
        console.paint(head, "bold"),
        *(
            f"  {number:>3}  {one:+.3f}  {console.paint(show.bar(console, one / most), 'good')}"
            for number, one in enumerate(state.best, 1)
        ),
    ]


def _front(state: Evolution, console: Console) -> list[str]:
    """Give those that no other beats, with a bar for what they find and one for what they cost."""
    heads = ("worth", "found", "", "tokens", "", "looked at", "ms", "changes")
    rows: list[list[Cell]] = [[(name, "dim") for name in heads]]
    dearest = max((one.figures.tokens for one in state.front), default=0.0) or 1.0
    for one in state.front[:FRONT]:
        figures = one.figures
        rows.append(
            [
                (f"{one.fitness:+.3f}", "bold" if one == state.champion else ""),
                (f"{figures.score:.3f}", ""),
                (show.bar(console, figures.score), "good"),
                (f"{figures.tokens:,.0f}", ""),
                (show.bar(console, figures.tokens / dearest), "kind"),
                (f"{figures.looked:,.0f}", ""),
                (f"{figures.ms:.1f}", "dim"),
                (str(one.changed), ""),
            ]
        )
    return ["", *show.table(console, rows, text=None)]


def _champion(state: Evolution, console: Console) -> list[str]:
    from tacit.learn.genome import changes

    if state.champion is None:
        return ["", "It was stopped before a champion was chosen; to go on: tacit evolve run"]
    if not state.champion.changed:
        return ["", "Nothing was found that is better than the profile in use."]
    changed = changes(state.champion.genome, state.origin)
    lines = ["", console.paint("champion", "bold")]
    lines += show.fields(
        console, [(name, f"{old} → {new}") for name, (old, new) in changed.items()]
    )
    verdict = state.verdict
    if verdict is None:
        return lines
    gain = verdict.worth
    proof = (
        f"on {show.count(gain.cases, 'question')} of {show.count(gain.sessions, 'session')} that "
        f"played no part: worth {gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}], "
        f"found {verdict.base.score:.3f} → {verdict.champion.score:.3f}, "
        f"tokens {verdict.base.tokens:,.0f} → {verdict.champion.tokens:,.0f}"
    )
    end = "proved; to use it: tacit evolve adopt" if verdict.won else "not proved: nothing to adopt"
    return [*lines, proof, console.paint(end, "good" if verdict.won else "binding")]


def _draw(state: Evolution, path: str) -> None:
    """Draw what was judged, the front and the champion: found against tokens."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise Unavailable("to draw, matplotlib is needed: pip install 'tacit[bench]'") from None
    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(7, 5), layout="constrained")
    axis.scatter(*_points(state.judged), color="lightgrey", label="judged")
    axis.plot(*_points(state.front), marker="o", linestyle="--", label="front")
    for name, one, mark in (("in use", state.start, "s"), ("champion", state.champion, "*")):
        if one is not None:
            axis.scatter(*_points([one]), marker=mark, s=140, label=name, zorder=3)
    axis.set(xlabel="tokens a question", ylabel="share found of what was used")
    axis.grid(visible=True, alpha=0.3)
    axis.legend()
    try:
        figure.savefig(path, dpi=110)
    except (OSError, ValueError) as error:
        raise Invalid(f"{path} cannot be drawn to: {error}") from error
    finally:
        pyplot.close(figure)


def _points(judged: Sequence[Judged]) -> tuple[list[float], list[float]]:
    return [one.figures.tokens for one in judged], [one.figures.score for one in judged]
