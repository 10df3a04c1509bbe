"""`detect`: what type of task a text asks for, and what to take such texts for from now on."""

from __future__ import annotations

from tacit.errors import Busy, Corrupt, Invalid, Unavailable
from tacit.interfaces import wire_advise
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.retrieve.task import Detected

EXAMPLES = """\
examples:
  tacit detect "the export fails for large files"
  tacit detect "look at the parser" --action run_test --phase debugging
  tacit detect "spruce up the settings page" --correct implementation
  tacit detect --corrections
  tacit detect --forget 3
  git log -1 --format=%B | tacit detect -

Where nothing decides it, the task is taken for implementation with confidence 0.
What is corrected counts in this project, for texts that share its words."""


def add_detect(parser: ArgumentParser) -> None:
    """Add the arguments of `detect`."""
    parser.epilog = EXAMPLES
    parser.add_argument("text", metavar="TEXT", nargs="*", help="what is asked; - for stdin")
    parser.add_argument(
        "--action", action="append", default=[], metavar="NAME", help="what is done: read_file, …"
    )
    parser.add_argument("--phase", default="", metavar="NAME", help="planning, development, qa, …")
    parser.add_argument("--correct", metavar="TYPE", help="say what type it is; it is learnt from")
    parser.add_argument("--corrections", action="store_true", help="list what was corrected")
    parser.add_argument("--forget", type=int, metavar="N", help="take correction N back")


def run_detect(given: Namespace, console: Console) -> int:
    """Tell what type of task a text asks for, correct that, or show what was corrected."""
    asked = [bool(given.text), given.corrections, given.forget is not None]
    if sum(asked) != 1:
        raise Invalid("give a text, --corrections or --forget N: one of them")
    if given.corrections:
        return _list(given, console)
    if given.forget is not None:
        with options.open_tacit(given) as tacit:
            gone = tacit.take_back_correction(given.forget)
        if console.json:
            console.data(wire_advise.correction(gone))
        else:
            console.result(f"Taken back: {_said(gone.text)} is no longer called {gone.task_type}.")
        return 0
    text = options.read_stdin() if given.text == ["-"] else " ".join(given.text)
    if given.correct:
        return _correct(given, console, text)
    _tell(console, _taken_for(given, text))
    return 0


def _taken_for(given: Namespace, text: str) -> Detected:
    """Ask the project's memory; where there is none, nothing was corrected."""
    from tacit.system import Tacit

    try:
        with options.open_tacit(given) as tacit:
            return tacit.taken_for(text, given.action, given.phase)
    except Unavailable as error:
        if given.store or isinstance(error, (Busy, Corrupt)):
            raise
        return Tacit.detect(text, given.action, given.phase)


def _tell(console: Console, found: Detected) -> None:
    if console.json:
        console.data(wire_advise.detected(found))
        return
    sure = f"confidence {found.confidence:.2f}" if found.known else "nothing decides it"
    console.result(f"{console.paint(found.task_type, 'bold')}  ({sure})")
    best = max(score for _, score in found.scores) or 1.0
    for type_, score in found.scores:
        if score:
            words = ", ".join(word for word, other in found.matched if other == type_)
            bar = console.paint(show.bar(console, score / best), "kind")
            console.result(f"  {type_:<15}{score:>5g}  {bar}  {show.plain(words)}")


def _correct(given: Namespace, console: Console, text: str) -> int:
    with options.open_tacit(given, create=True) as tacit:
        made = tacit.correct(text, given.correct)
        now = tacit.taken_for(text)
    if console.json:
        console.data(
            wire_advise.correction(made) | {"now": now.task_type if now.known else "unknown"}
        )
        return 0
    after = now.task_type if now.known else "nothing sure yet; correct more texts of this sort"
    console.result(
        f"Kept as correction {made.number}. Taken for {made.taken_for} before, now for {after}."
    )
    return 0


def _list(given: Namespace, console: Console) -> int:
    with options.open_tacit(given) as tacit:
        found = tacit.corrections()
    if console.json:
        console.data([wire_advise.correction(one) for one in found])
        return 0
    if not found:
        console.result("Nothing was corrected.")
    rows = [
        [
            (f"{one.number:>3}", "short"),
            (show.date(one.at), "dim"),
            (f"{one.taken_for} → {one.task_type}", ""),
            (_said(one.text), ""),
        ]
        for one in found
    ]
    for line in show.table(console, rows, text=-1):
        console.result(line)
    return 0


def _said(text: str) -> str:
    return show.plain(" ".join(text.split()))
