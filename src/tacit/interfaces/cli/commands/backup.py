"""`backup`: make, list and load copies of the store."""

from __future__ import annotations

import os

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console

EXAMPLES = """\
examples:
  tacit backup create
  tacit backup create copy.db
  tacit backup list
  tacit backup load copy.db
  tacit backup load copy.db --yes

Loading puts the copy in the place of all that is kept now, of which a backup is made first.
Without --yes it only shows what it would do."""


def add_backup(parser: ArgumentParser) -> None:
    """Add the arguments of `backup`."""
    parser.epilog = EXAMPLES
    actions = ["create", "list", "load"]
    parser.add_argument("action", metavar="ACTION", choices=actions, help="create, list or load")
    parser.add_argument("file", metavar="FILE", nargs="?", help="the copy; create can do without")
    parser.add_argument("--yes", action="store_true", help="really load")


def run_backup(given: Namespace, console: Console) -> int:
    """Make, list or load a copy of the store."""
    actions = {"create": _create, "list": _list, "load": _load}
    return actions[given.action](given, console)


def _create(given: Namespace, console: Console) -> int:
    with options.open_tacit(given) as tacit:
        path = os.path.abspath(tacit.backup(given.file))
    if console.json:
        console.data({"path": path, "bytes": os.path.getsize(path)})
    elif console.quiet:
        console.result(path)
    else:
        console.result(f"made {path} ({show.size(os.path.getsize(path))})")
    return 0


def _list(given: Namespace, console: Console) -> int:
    if given.file:
        raise Invalid("backup list takes no file; see: tacit backup --help")
    with options.open_tacit(given) as tacit:
        found = tacit.backups()
    if console.json:
        from tacit.interfaces import wire

        console.data([wire.backup(each) for each in found])
        return 0
    if not found:
        console.result("There is no backup of this store; make one with: tacit backup create")
    rows = [
        [(show.minute(b.made_at), "dim"), (show.size(b.bytes), ""), (b.path, "")] for b in found
    ]
    for line in show.table(console, rows, text=None):
        console.result(line)
    return 0


def _load(given: Namespace, console: Console) -> int:
    if not given.file:
        raise Invalid("backup load needs a file; see: tacit backup list")
    with options.open_tacit(given, create=True) as tacit:
        kept = tacit.load_backup(given.file) if given.yes else None
        stats = tacit.status()
        store = tacit.store.path
    if console.json:
        console.data(
            {"store": store, "loaded": given.yes, "memories": stats.memories, "kept": kept}
        )
    elif given.yes:
        console.result(f"loaded {given.file}: {show.memories(stats.memories)}")
        console.result(f"what was there before is kept as {kept}")
    else:
        console.result(f"would replace {show.memories(stats.memories)} in {store} by {given.file}")
        console.note("nothing was changed; add --yes to load it")
    return 0
