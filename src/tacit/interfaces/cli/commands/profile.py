"""`profile`: the numbers and choices all else depends on, by name and version."""

from __future__ import annotations

from tacit.clock import show_time
from tacit.errors import Invalid
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from tacit.interfaces.cli.console import Console
    from tacit.learn.profiles import Adopted
    from tacit.profile import Profile
    from tacit.system import Tacit

EXAMPLES = """\
examples:
  tacit profile list
  tacit profile show default
  tacit profile diff default seed
  tacit profile set default recency=0.3 --why "fresh work matters more here"
  tacit profile set default kinds.episode=0.5 retrieval=hybrid
  tacit profile set mine diversity=0.4 --from default
  tacit profile set default@1
  tacit profile history
  tacit profile export default > default.json
  tacit profile export seed | tacit profile import -

Without changes, set takes a profile into use; with some it keeps the next version of it and takes
that into use. Every version stays, so that set default@1 goes back. A profile that is named by the
setting profile or by recall --profile goes before the one that is in use."""
ACTIONS = ("list", "show", "diff", "set", "history", "export", "import")
# How many words an action takes; set takes changes besides.
_WORDS = {"list": 0, "show": 1, "diff": 2, "history": 0, "export": 1, "import": 1}


def add_profile(parser: ArgumentParser) -> None:
    """Add the arguments of `profile`."""
    parser.epilog = EXAMPLES
    parser.add_argument("action", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS))
    parser.add_argument(
        "words",
        metavar="WORD",
        nargs="*",
        help="a profile's name or name@version; key=value; a file",
    )
    parser.add_argument("--why", default="", metavar="TEXT", help="of set: why, for the log")
    parser.add_argument(
        "--from", dest="start", default="", metavar="NAME", help="of set: what a new name begins as"
    )


def run_profile(given: Namespace, console: Console) -> int:
    """Do what the action says."""
    wanted = _WORDS.get(given.action)
    if wanted is not None and len(given.words) != wanted:
        raise Invalid(f"profile {given.action} takes {wanted} words; see: tacit profile --help")
    actions = {
        "list": _list,
        "show": _show,
        "diff": _diff,
        "set": _set,
        "history": _history,
        "export": _export,
        "import": _import,
    }
    with options.open_tacit(given, create=given.action in ("set", "import")) as tacit:
        return actions[given.action](tacit, given, console)


def _list(tacit: Tacit, _given: Namespace, console: Console) -> int:
    from tacit.learn.written import differences
    from tacit.profile import DEFAULT

    used = tacit.profile
    found = tacit.profiles()
    if used not in found:
        found.append(used)
    apart = [
        (one, {name: b for name, (_, b) in differences(DEFAULT, one).items()}) for one in found
    ]
    if console.json:
        console.data(
            [
                {"name": one.name, "version": one.version, "in_use": one == used, "changes": other}
                for one, other in apart
            ]
        )
        return 0
    rows = [
        [
            ("in use" if one == used else "", "good"),
            (show.plain(one.ref), "bold"),
            (", ".join(f"{name} {_shown(value)}" for name, value in other.items()), "dim"),
        ]
        for one, other in apart
    ]
    for line in show.table(console, rows, text=-1):
        console.result(line)
    console.note("beside each what it changes of default@1")
    return 0


def _show(tacit: Tacit, given: Namespace, console: Console) -> int:
    from tacit.learn.written import written

    fields = written(tacit.find_profile(given.words[0]))
    if console.json:
        console.data(fields)
        return 0
    for line in show.fields(console, [(name, _shown(value)) for name, value in fields.items()]):
        console.result(line)
    return 0


def _diff(tacit: Tacit, given: Namespace, console: Console) -> int:
    from tacit.learn.written import differences

    one, other = (tacit.find_profile(name) for name in given.words)
    found = differences(one, other)
    if console.json:
        console.data(
            {
                "a": one.ref,
                "b": other.ref,
                "fields": {name: {"a": a, "b": b} for name, (a, b) in found.items()},
            }
        )
        return 0
    if not found:
        console.result(f"{one.ref} and {other.ref} say the same.")
        return 0
    rows = [[("", ""), (one.ref, "bold"), (other.ref, "bold")]]
    rows += [[(name, "dim"), (_shown(a), ""), (_shown(b), "")] for name, (a, b) in found.items()]
    for line in show.table(console, rows, text=None):
        console.result(line)
    return 0


def _set(tacit: Tacit, given: Namespace, console: Console) -> int:
    if not given.words:
        raise Invalid("profile set needs a name; see: tacit profile list")
    name, *pairs = given.words
    if given.start and not pairs:
        raise Invalid("--from begins a new profile; say what it changes: key=value")
    if pairs:
        tacit.change_profile(name, _changes(pairs), start=given.start, why=given.why)
    else:
        tacit.adopt_profile(name, why=given.why)
    adopted = tacit.profile_history()[0]
    if console.json:
        console.data(_adopted(adopted))
    else:
        console.result(f"in use: {show.plain(adopted.ref)}")
    if tacit.settings is not None and tacit.settings.profile != "default":
        console.note(f"the setting profile = {tacit.settings.profile!r} goes before it; unset it")
    return 0


def _history(tacit: Tacit, _given: Namespace, console: Console) -> int:
    found = tacit.profile_history()
    if console.json:
        console.data([_adopted(one) for one in found])
        return 0
    if not found:
        console.result("Nothing was ever changed: default@1 is in use.")
    rows = [
        [
            (show.minute(one.at), "dim"),
            (show.plain(one.ref), "bold"),
            (show.plain(one.by), ""),
            (show.plain(one.why), ""),
        ]
        for one in found
    ]
    for line in show.table(console, rows, text=-1):
        console.result(line)
    return 0


def _export(tacit: Tacit, given: Namespace, console: Console) -> int:
    from tacit.learn.written import dumps, written

    profile = tacit.find_profile(given.words[0])
    if console.json:
        console.data(written(profile))
    else:
        console.result(dumps(profile))
    return 0


def _import(tacit: Tacit, given: Namespace, console: Console) -> int:
    from tacit.learn.written import loads

    kept: Profile = tacit.keep_profile(loads("\n".join(options.read_lines(given.words[0]))))
    if console.json:
        console.data({"name": kept.name, "version": kept.version})
        return 0
    console.result(f"kept {show.plain(kept.ref)}")
    console.note(f"to use it: tacit profile set {show.plain(kept.ref)}")
    return 0


def _changes(pairs: list[str]) -> dict[str, Any]:
    """Read `key=value`: numbers, true, false and null as JSON says them, all else as text."""
    from tacit import plain_json

    found: dict[str, Any] = {}
    for pair in pairs:
        key, mark, text = pair.partition("=")
        if not mark or not key:
            raise Invalid(f"{pair!r} changes nothing; write key=value, such as recency=0.3")
        try:
            found[key] = plain_json.loads(text)
        except ValueError:
            found[key] = text
    return found


def _shown(value: Any) -> str:
    """Give a value as people write it."""
    if isinstance(value, dict):
        told = ", ".join(f"{name} {number:g}" for name, number in value.items())
        return told or "all alike"
    if value is None:
        return "as its kind"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _adopted(one: Adopted) -> dict[str, Any]:
    return {
        "name": one.name,
        "version": one.version,
        "at": show_time(one.at),
        "by": one.by,
        "why": one.why,
    }
