"""`merge` and `share`: what passes between stores, and between people."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.write.merge import Merged

MERGE_EXAMPLES = """\
examples:
  tacit merge other.db
  tacit merge other.db --dry-run
  tacit merge --to other.db
  tacit merge --both other.db
  tacit merge stranger.db --distrust

OTHER is the file of a store, or the address of a team's: postgresql://… Both histories are kept;
merging again changes nothing, and what clashes becomes a contradiction. Where the other store is
a team's or another person's, what is private stays at home, and so do sessions. What another
person's file says of tiers, pins and confirmations is not taken over; of a store that nobody here
stands behind nothing is believed with --distrust. What was given is compared afterwards, record by record; the exit status says when something did not arrive."""
SHARE_EXAMPLES = """\
examples:
  tacit share abcd2345
  tacit share abcd2345 wxyz6723 --yes
  tacit share abcd2345 --back

All texts of a memory are looked through for secrets first. Others get it with the next merge, or
at once where the store is a team's. What was shared already cannot be unread: with --back it is
no longer served to them."""
_NAMES = {"usage": ("usage event", "usage events"), "memory": ("memory", "memories")}


def add_merge(parser: ArgumentParser) -> None:
    """Add the arguments of `merge`."""
    parser.epilog = MERGE_EXAMPLES
    parser.add_argument("other", metavar="OTHER", help="the location of the other store")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--to", action="store_true", help="give to the other store, take nothing in")
    way.add_argument("--both", action="store_true", help="take in, then give")
    private = parser.add_mutually_exclusive_group()
    private.add_argument(
        "--with-private", action="store_true", default=None, help="private memories too"
    )
    private.add_argument(
        "--without-private",
        action="store_false",
        dest="with_private",
        default=None,
        help="no private memories, even between your own stores",
    )
    parser.add_argument(
        "--distrust", action="store_true", help="take it in as a stranger's word: nothing binds"
    )
    parser.add_argument("--dry-run", action="store_true", help="only count what would change")


def run_merge(given: Namespace, console: Console) -> int:
    """Take in another store, or give to it."""
    from tacit.config import shown_location

    with options.open_tacit(given, create=not given.dry_run) as tacit:
        found = tacit.merge(
            given.other,
            to=given.to,
            both=given.both,
            with_private=given.with_private,
            distrust=given.distrust,
            dry_run=given.dry_run,
        )
    if console.json:
        from tacit.interfaces import wire

        console.data(wire.merged(found))
        return 0
    other = shown_location(given.other)
    if not given.to:
        console.result(f"{'would merge' if found.dry_run else 'merged'} {other}: {_told(found)}")
    if found.given is not None:
        verb = "would give" if found.dry_run else "gave"
        console.result(f"{verb} to {other}: {_told(found.given)}")
    if found.verified:
        console.result(f"verified: {_verified(found)}")
    if found.kept_private:
        console.note(f"{show.memories(found.kept_private)} stayed at home: private")
    if left := found.left_out + (found.given.left_out if found.given else 0):
        console.note(f"{show.memories(left)} of others left out: a curator may bring them")
    return 0


def _told(found: Merged) -> str:
    names = ("new", "updated", "duplicates", "superseded", "contradictions")
    numbers = [f"{getattr(found, name):,} {name}" for name in names if getattr(found, name)]
    return ", ".join(numbers) or "nothing to change"


def _verified(found: Merged) -> str:
    """Say how many records of each type both sides have, and how many have gone on there."""
    parts: list[str] = []
    for each in found.verified:
        one, many = _NAMES.get(each.type, (each.type, f"{each.type}s"))
        told = f"{each.count:,} {one if each.count == 1 else many}"
        parts.append(told + (f" ({each.later:,} newer there)" if each.later else ""))
    return ", ".join(parts)


def add_share(parser: ArgumentParser) -> None:
    """Add the arguments of `share`."""
    parser.epilog = SHARE_EXAMPLES
    options.add_ref(parser, many=True)
    parser.add_argument("--back", action="store_true", help="make your own private again")
    parser.add_argument(
        "--yes", action="store_true", help="share what holds secrets without the secrets"
    )


def run_share(given: Namespace, console: Console) -> int:
    """Let others read memories, or take them back."""
    if given.back and given.yes:
        raise Invalid("--yes is for sharing; nothing is looked through when taking back")
    with options.open_tacit(given) as tacit:
        before = {memory.id: memory for memory in map(tacit.get, given.refs)}
        done = tacit.share(list(before), back=given.back, redacted=given.yes)
    if console.json:
        from tacit.interfaces import wire

        console.data(wire.changed(done, done=True))
        return 0
    verb = "took back" if given.back else "shared"
    for memory in done:
        same = before[memory.id].visibility is memory.visibility
        console.result(f"{'unchanged' if same else verb} {show.name(console, memory)}")
        if before[memory.id].text != memory.text:
            console.note(f"secrets were taken out of {memory.short} first")
    return 0
