"""`status` and `doctor`: where memories are kept, how many, and whether all works."""

from __future__ import annotations

from tacit.errors import TacitError
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.store.protocol import Stats
    from tacit.system import Tacit

STATUS_EXAMPLES = """\
examples:
  tacit status
  tacit status --json"""
DOCTOR_EXAMPLES = """\
examples:
  tacit doctor
  tacit doctor --json

The exit status is 1 when something is wrong; each such line says what to do."""


def add_status(parser: ArgumentParser) -> None:
    """Add the arguments of `status`: none of its own."""
    parser.epilog = STATUS_EXAMPLES


def run_status(given: Namespace, console: Console) -> int:
    """Show what the store holds."""
    with options.open_tacit(given) as tacit:
        stats, pending, unverified = tacit.status(), tacit.pending(), tacit.unverified()
        if console.json:
            from tacit.interfaces import wire

            console.data(wire.status(tacit, stats, pending, unverified))
        else:
            rows = [*show.place(tacit), *_numbers(tacit, stats, pending, unverified)]
            for line in show.fields(console, rows):
                console.result(line)
    return 0


def add_doctor(parser: ArgumentParser) -> None:
    """Add the arguments of `doctor`: none of its own."""
    parser.epilog = DOCTOR_EXAMPLES


def run_doctor(given: Namespace, console: Console) -> int:
    """Check every part; the exit status is 1 when one fails."""
    root = ""
    try:
        with options.open_tacit(given) as tacit:
            checks = tacit.doctor()
            root = tacit.project.root if tacit.project else ""
    except TacitError as error:  # a store that cannot be opened is what a doctor is for
        checks = [("store", False, str(error))]
    checks += _hosts(root)
    well = all(ok for _, ok, _ in checks)
    if console.json:
        from tacit.interfaces import wire

        console.data(wire.doctor(checks))
        return 0 if well else 1
    width = max(len(name) for name, _, _ in checks)
    for name, ok, detail in checks:
        if not ok or not console.quiet:
            mark = console.paint("ok  ", "good") if ok else console.paint("FAIL", "bad")
            console.result(f"{mark}  {name.ljust(width)}  {detail}")
    return 0 if well else 1


def _hosts(root: str) -> list[tuple[str, bool, str]]:
    import os

    from tacit.config import load_settings
    from tacit.interfaces.install.check import check_hosts

    try:
        return check_hosts(load_settings(os.environ), os.environ, root)
    except TacitError as error:
        return [("hosts", False, str(error))]


def _numbers(tacit: Tacit, stats: Stats, pending: int, unverified: int) -> list[tuple[str, str]]:
    waiting = stats.by_state.get("candidate", 0)
    past = stats.memories - stats.live
    vectors = [f"{number:,} of {model}" for model, number in stats.vectors.items()]
    if pending:
        vectors.append(f"{pending:,} missing; run: tacit reembed --pending")
    more = [
        (stats.links, "link"),
        (stats.facets, "facet"),
        (stats.revisions, "revision"),
        (stats.usage, "usage event"),
        (stats.contradictions, "open contradiction"),
    ]
    return [
        ("memories", f"{stats.live:,} live" + (f", {past:,} past or put away" if past else "")),
        ("by kind", _groups(stats.by_kind)),
        ("by tier", _groups(stats.by_tier, usual="reference")),
        ("by state", _groups(stats.by_state, usual="active")),
        ("beside", ", ".join(show.count(number, one) for number, one in more if number)),
        ("unverified", f"{unverified:,} whose files have changed since" if unverified else ""),
        ("waiting", f"{waiting:,} for review; see: tacit review" if waiting else ""),
        ("vectors", ", ".join(vectors) or "none"),
        ("embedder", tacit.embedder.model if tacit.embedder else "off"),
        ("language model", _language_model(tacit)),
        ("profile", tacit.profile.name),
        ("size", f"{show.size(stats.bytes)}, schema {stats.schema}"),
    ]


def _language_model(tacit: Tacit) -> str:
    """Give the model, whether it is left alone, and today's meter; nothing when it is off."""
    model = tacit.language_model
    if model is None:
        return ""
    meter, resting = model.meter(), "" if model.state == "closed" else f" ({model.state})"
    more = [
        (meter.calls, "call"),
        (meter.cached, "cached answer"),
        (meter.refused, "refusal"),
        (meter.failures, "failure"),
    ]
    told = [show.count(number, one) for number, one in more if number]
    spent = f"{meter.spent:,} of {model.budget.daily_tokens:,} tokens today"
    return f"{model.name}{resting}, " + ", ".join([spent, *told])


def _groups(numbers: dict[str, int], usual: str = "") -> str:
    """Give the numbers in words; nothing when all are as usual."""
    found = {name: number for name, number in numbers.items() if number}
    if set(found) == {usual}:
        return ""
    return ", ".join(f"{name} {number:,}" for name, number in found.items())
