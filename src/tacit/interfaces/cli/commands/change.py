"""`edit`, `link`, `forget`, `restore` and `erase`: change what is kept."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any

    from tacit.interfaces.cli.console import Console
    from tacit.model import Memory
    from tacit.system import Tacit

EDIT_EXAMPLES = """\
examples:
  tacit edit abcd2345 --text "Sign tokens with ES256"
  tacit edit abcd2345 --set tier=mandate importance=.9 pinned=true
  tacit edit abcd2345 --set valid_from=2026-01-01 valid_to=2026-03-01
  EDITOR=true tacit edit abcd2345

Without --text and --set your editor opens. The text before stays in the history."""
LINK_EXAMPLES = """\
examples:
  tacit link abcd2345 supports wxyz6723
  tacit link abcd2345 requires wxyz6723 --weight 0.5"""
FORGET_EXAMPLES = """\
examples:
  tacit forget abcd2345 --dry-run
  tacit forget abcd2345 wxyz6723"""
RESTORE_EXAMPLES = """\
examples:
  tacit restore abcd2345"""
ERASE_EXAMPLES = """\
examples:
  tacit erase abcd2345
  tacit erase abcd2345 wxyz6723 --yes

Without --yes nothing is erased: what would be is shown. Backups and exports keep what they hold."""
_NUMBERS = ("importance", "confidence")
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


def add_edit(parser: ArgumentParser) -> None:
    """Add the arguments of `edit`."""
    parser.epilog = EDIT_EXAMPLES
    options.add_ref(parser)
    parser.add_argument("--text", help="the new text; - for stdin")
    parser.add_argument(
        "--set",
        nargs="+",
        action="extend",
        metavar="NAME=VALUE",
        help="tier, importance, confidence, polarity, pinned, state, temporal, subtype, "
        "valid_from, valid_to (nothing: no end)",
    )


def run_edit(given: Namespace, console: Console) -> int:
    """Change a memory's text or settings."""
    settings = dict(_setting(each) for each in given.set or ())
    with options.open_tacit(given) as tacit:
        old = memory = tacit.get(given.ref)
        if given.text is not None or not settings:
            text = _new_text(given, memory)
            memory = tacit.edit(old.id, text, by=_user(tacit))
        if settings:
            memory = tacit.set(old.id, by=_user(tacit), **settings)
    if console.json:
        from tacit.interfaces import wire

        console.data(wire.memory(memory))
    elif memory == old:
        console.result(f"unchanged {show.name(console, memory)}")
    else:
        console.result(f"edited {show.name(console, memory)}")
    return 0


def add_link(parser: ArgumentParser) -> None:
    """Add the arguments of `link`."""
    from tacit.model import Relation

    relations = [str(relation) for relation in Relation]
    parser.epilog = LINK_EXAMPLES
    parser.add_argument("src", metavar="SRC", help=options.REF_HELP)
    parser.add_argument(
        "relation", metavar="RELATION", choices=relations, help=", ".join(relations)
    )
    parser.add_argument("dst", metavar="DST", help="the memory the relation points to")
    parser.add_argument(
        "--weight", type=options.number_from, default=1.0, metavar="0..1", help="default 1"
    )


def run_link(given: Namespace, console: Console) -> int:
    """Relate two memories."""
    with options.open_tacit(given) as tacit:
        link = tacit.link(given.src, given.relation, given.dst, weight=given.weight)
        if console.json:
            from tacit.interfaces import wire

            console.data(wire.link(link))
            return 0
        src, dst = tacit.get(link.src), tacit.get(link.dst)
    console.result(f"{show.name(console, src)} {link.relation} {show.name(console, dst)}")
    return 0


def add_forget(parser: ArgumentParser) -> None:
    """Add the arguments of `forget`."""
    parser.epilog = FORGET_EXAMPLES
    options.add_ref(parser, many=True)
    parser.add_argument("--dry-run", action="store_true", help="only show what would be forgotten")


def run_forget(given: Namespace, console: Console) -> int:
    """No longer serve memories."""
    with options.open_tacit(given) as tacit:
        found = _all(tacit, given.refs)
        if given.dry_run:
            _say(console, "would forget", found, done=False)
            return 0
        done = [tacit.forget(memory.id, by=_user(tacit)) for memory in found]
    _say(console, "forgot", done, done=True)
    return 0


def add_restore(parser: ArgumentParser) -> None:
    """Add the arguments of `restore`."""
    parser.epilog = RESTORE_EXAMPLES
    options.add_ref(parser, many=True)


def run_restore(given: Namespace, console: Console) -> int:
    """Serve forgotten or archived memories again."""
    with options.open_tacit(given) as tacit:
        found = _all(tacit, given.refs)
        done = [tacit.restore(memory.id, by=_user(tacit)) for memory in found]
    _say(console, "restored", done, done=True)
    return 0


def add_erase(parser: ArgumentParser) -> None:
    """Add the arguments of `erase`."""
    parser.epilog = ERASE_EXAMPLES
    options.add_ref(parser, many=True)
    parser.add_argument("--yes", action="store_true", help="really erase")


def run_erase(given: Namespace, console: Console) -> int:
    """Remove memories for good, once told so."""
    with options.open_tacit(given) as tacit:
        found = _all(tacit, given.refs)
        if given.yes:
            tacit.erase([memory.id for memory in found])
    _say(console, "erased" if given.yes else "would erase", found, done=given.yes)
    if not given.yes:
        console.note("nothing was erased; add --yes to erase for good")
    return 0


def _all(tacit: Tacit, refs: Sequence[str]) -> list[Memory]:
    """Find every memory before the first is touched, so that a typing error changes nothing."""
    return list({memory.id: memory for memory in map(tacit.get, refs)}.values())


def _say(console: Console, verb: str, found: Sequence[Memory], *, done: bool) -> None:
    if console.json:
        from tacit.interfaces import wire

        console.data(wire.changed(found, done=done))
        return
    for memory in found:
        console.result(f"{verb} {show.name(console, memory)}")


def _setting(text: str) -> tuple[str, Any]:
    """Read `name=value`; what may be set and to what is the facade's to say."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise Invalid(f"--set {text!r} is not NAME=VALUE, such as tier=mandate")
    if name in _NUMBERS:
        return name, options.number_from(value)
    if name in ("valid_from", "valid_to") and value:
        return name, options.when(value)
    if name == "pinned":
        if value not in _FLAGS:
            raise Invalid(f"pinned is true or false, not {value!r}")
        return name, _FLAGS[value]
    return name, value


def _new_text(given: Namespace, memory: Memory) -> str:
    if given.text == "-":
        return options.read_stdin()
    if given.text is not None:
        return str(given.text)
    from tacit.interfaces.cli.editor import write_text

    return write_text(memory.text)


def _user(tacit: Tacit) -> str:
    return tacit.settings.user if tacit.settings else ""
