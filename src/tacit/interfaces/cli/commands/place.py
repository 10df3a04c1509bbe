"""`status` and `doctor`: where memories are kept, how many, and whether all works."""

from __future__ import annotations

from tacit.errors import TacitError
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.wire import Object

STATUS_EXAMPLES = """\
examples:
  tacit status
  tacit status --json"""
EMPTY = """\
Nothing is remembered yet.
  tacit init             fills the store from what the project holds
  tacit remember "…"     keeps what you say"""
DOCTOR_EXAMPLES = """\
examples:
  tacit doctor
  tacit doctor --deep
  tacit doctor --json

With --deep every record is read and held against the others; nothing is changed.
The exit status is 1 when something is wrong; each such line says what to do."""


def add_status(parser: ArgumentParser) -> None:
    """Add the arguments of `status`: none of its own."""
    parser.epilog = STATUS_EXAMPLES


def run_status(given: Namespace, console: Console) -> int:
    """Show what the store holds."""
    with options.open_tacit(given) as tacit:
        from tacit.interfaces import wire

        shape, server = wire.status_of(tacit), tacit.store.path
    if console.json:
        console.data(shape)
        return 0
    server = server if server != shape["store"] else ""
    lines = [_heading(console, shape)]
    lines += _kinds(console, shape["by_kind"]) if shape["memories"] else ["", EMPTY]
    rows = [*_numbers(shape), *_wired(shape), *_place(shape, server)]
    for line in [*lines, "", *show.fields(console, rows)]:
        console.result(line)
    return 0


def add_doctor(parser: ArgumentParser) -> None:
    """Add the arguments of `doctor`."""
    parser.epilog = DOCTOR_EXAMPLES
    parser.add_argument("--deep", action="store_true", help="check every record too")


def run_doctor(given: Namespace, console: Console) -> int:
    """Check every part; the exit status is 1 when one fails."""
    root = ""
    try:
        with options.open_tacit(given) as tacit:
            checks = tacit.doctor(deep=given.deep)
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


def _heading(console: Console, shape: Object) -> str:
    """Give whose memory it is, and how much there is of it."""
    project, live, every = shape["project"], shape["live"], shape["memories"]
    name = show.plain(project["name"] if project else shape["scope"])
    more = f": {live:,} live, {every - live:,} past or put away" if every > live else ""
    if beside := shape["evidence"]:
        more += f"; {beside:,} of evidence beside them"
    return f"{console.paint(name, 'bold')}  {show.memories(every)}{more}"


def _kinds(console: Console, numbers: dict[str, int]) -> list[str]:
    """Draw how many there are of each kind, the most first."""
    found = sorted(((number, kind) for kind, number in numbers.items() if number), reverse=True)
    most = max((number for number, _ in found), default=1)
    rows = [
        [
            (f"  {kind}", "kind"),
            (f"{number:>7,}", ""),
            (show.bar(console, number / most), "dim"),
        ]
        for number, kind in found
    ]
    return ["", *show.table(console, rows, text=None)]


def _numbers(shape: Object) -> list[tuple[str, str]]:
    waiting, unverified = shape["by_state"]["candidate"], shape["unverified"]
    clashes = shape["contradictions"]
    more = [
        (shape["links"], "link"),
        (shape["facets"], "facet"),
        (shape["revisions"], "revision"),
        (shape["usage"], "usage event"),
    ]
    return [
        ("by tier", _groups(shape["by_tier"], usual="reference")),
        ("by state", _groups(shape["by_state"], usual="active")),
        ("beside", ", ".join(show.count(number, one) for number, one in more if number)),
        ("waiting", f"{waiting:,} for review; see: tacit review" if waiting else ""),
        (
            "clashing",
            f"{show.count(clashes, 'pair')}; see: tacit contradictions" if clashes else "",
        ),
        ("refused", _refused(shape["refused"])),
        ("unverified", f"{unverified:,} whose files have changed since" if unverified else ""),
    ]


def _refused(refused: Object) -> str:
    return "; ".join(
        f"{one['number']:,} {reason}"
        + (f", such as “{show.plain(one['example'])}”" if one["example"] else "")
        for reason, one in refused.items()
    )


def _wired(shape: Object) -> list[tuple[str, str]]:
    vectors = [f"{number:,} of {model}" for model, number in shape["vectors"].items()]
    if pending := shape["pending"]:
        vectors.append(f"{pending:,} missing; run: tacit reembed --pending")
    embedder, profile = shape["embedder"], shape["profile"]
    return [
        ("vectors", ", ".join(vectors)),
        ("embedder", embedder["model"] if embedder else "off"),
        ("language model", _language_model(shape["language_model"])),
        ("profile", profile if profile != "default" else ""),
    ]


def _place(shape: Object, server: str) -> list[tuple[str, str]]:
    project = shape["project"]
    return [
        *show.place_of(project),
        ("scope", shape["scope"]),
        ("server", server),
        ("store", f"{shape['store']} ({show.size(shape['bytes'])}, schema {shape['schema']})"),
        ("your own", shape["user_store"] or ""),
    ]


def _language_model(model: Object | None) -> str:
    """Give the model, whether it is left alone, and today's meter; nothing when it is off."""
    if model is None:
        return ""
    meter, resting = model["meter"], "" if model["state"] == "closed" else f" ({model['state']})"
    more = [
        (meter["calls"], "call"),
        (meter["cached"], "cached answer"),
        (meter["refused"], "refusal"),
        (meter["failures"], "failure"),
    ]
    told = [show.count(number, one) for number, one in more if number]
    spent = f"{meter['spent']:,} of {model['daily_tokens']:,} tokens today"
    return f"{model['name']}{resting}, " + ", ".join([spent, *told])


def _groups(numbers: dict[str, int], usual: str = "") -> str:
    """Give the numbers in words; nothing when all are as usual."""
    found = {name: number for name, number in numbers.items() if number}
    if set(found) == {usual}:
        return ""
    return ", ".join(f"{name} {number:,}" for name, number in found.items())
