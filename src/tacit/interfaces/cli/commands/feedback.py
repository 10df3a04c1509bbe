"""`helpful`, `wrong` and `outdated`: what a person says about memories."""

from __future__ import annotations

from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console

HELPFUL_EXAMPLES = """\
examples:
  tacit helpful abcd2345
  tacit helpful abcd2345 '[G:wxyz6723]'

Your word outweighs how a session went, and clears what the memory lost by being passed over."""
WRONG_EXAMPLES = """\
examples:
  tacit wrong abcd2345
  tacit wrong abcd2345 --forget

It is no longer served and waits for you:  tacit review
To take it back:  tacit review --accept abcd2345, or tacit restore abcd2345"""
OUTDATED_EXAMPLES = """\
examples:
  tacit outdated abcd2345

It held until now; what was so before can still be asked for with --as-of.
To take it back:  tacit edit abcd2345 --set valid_to="""
BACK = {
    "wrong": "waits for you: tacit review; to take it back: tacit review --accept {short}",
    "forgotten": "to take it back: tacit restore {short}",
    "outdated": "to take it back: tacit edit {short} --set valid_to=",
}


def add_helpful(parser: ArgumentParser) -> None:
    """Add the arguments of `helpful`."""
    parser.epilog = HELPFUL_EXAMPLES
    options.add_ref(parser, many=True)


def run_helpful(given: Namespace, console: Console) -> int:
    """Say that memories helped."""
    return _say(given, console, "helpful")


def add_wrong(parser: ArgumentParser) -> None:
    """Add the arguments of `wrong`."""
    parser.epilog = WRONG_EXAMPLES
    options.add_ref(parser, many=True)
    parser.add_argument("--forget", action="store_true", help="put it away without a review")


def run_wrong(given: Namespace, console: Console) -> int:
    """Say that memories are wrong."""
    return _say(given, console, "wrong", forget=given.forget)


def add_outdated(parser: ArgumentParser) -> None:
    """Add the arguments of `outdated`."""
    parser.epilog = OUTDATED_EXAMPLES
    options.add_ref(parser, many=True)


def run_outdated(given: Namespace, console: Console) -> int:
    """Say that memories no longer hold."""
    return _say(given, console, "outdated")


def _say(given: Namespace, console: Console, verdict: str, *, forget: bool = False) -> int:
    with options.open_tacit(given) as tacit:
        by = tacit.settings.user if tacit.settings else ""
        judged = tacit.feedback(given.refs, verdict, by=by, forget=forget)
    if console.json:
        from tacit.interfaces import wire

        console.data({"verdict": verdict, "memories": [wire.memory(one) for one in judged]})
        return 0
    for memory in judged:
        console.result(f"{verdict} {show.name(console, memory)}")
        if back := BACK.get("forgotten" if forget else verdict):
            console.note(back.format(short=memory.short))
    return 0
