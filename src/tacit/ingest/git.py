"""What a repository's history says: commits, tags, tracked files, which changes still stand.

Reads and never writes. Nothing that a repository's configuration names is run: no hook, pager,
monitor, signature check or external diff, and no transport. A folder without history, a broken
repository and a missing program all give nothing, and the counts say why. E-mail addresses are
never kept.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from threading import Timer

from tacit.clock import EPOCH
from tacit.ingest.reading import LONGEST_TEXT, clean_many, cut_middle, is_sound
from tacit.observation import Change, Commit

RawChange = tuple[str, bytes, bytes]  # status, path, old path

MOST_COMMITS = 20_000
MOST_FILES = 500_000
MOST_CHANGES = 300  # files kept of one commit; whoever changes more has changed "everything"
LARGEST_RECORD = 8 << 20  # bytes; a commit of 100,000 files
SUBJECT_CHARS, NAME_CHARS, PATH_CHARS = 300, 100, 400
AT_ONCE = 128  # commits whose texts are searched for secrets together
LAST_TIME = datetime(2100, 1, 1, tzinfo=UTC)  # what claims to be later has a wrong clock
TIMEOUT_S = 300.0
TELLING_LINE = 12  # characters of a line that is not found everywhere

_HEADER_FIELDS = 6
_CHUNK = 1 << 16
_STATUSES = b"AMDRCT"
_HEX = frozenset("0123456789abcdef")
_MAIL = re.compile(
    r"<?\b(?!git@)[\w.+-]{1,64}@(?!v?\d)(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}\b>?"
)
_LOG = (
    "log -z --reverse --date-order --encoding=UTF-8 --no-color --no-textconv --no-ext-diff "
    "--no-show-signature -l200"
).split()
_DIFFS = (
    "log --no-walk=unsorted --stdin -p -U0 --no-renames --format=%x00%H --no-color --no-textconv "
    "--no-ext-diff --no-show-signature"
).split()
_PARTIAL = r"^(extensions\.partialclone|remote\..*\.promisor)$"
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.quotePath=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "log.diffMerges=off",
    "diff.external=",
    "diff.relative=false",
    f"diff.orderFile={os.devnull}",
    "submodule.recurse=false",
)


@dataclass(frozen=True, slots=True)
class Record:
    """One commit as git printed it."""

    sha: str
    parents: tuple[str, ...]
    time: bytes
    author: bytes
    subject: bytes
    body: bytes
    changes: tuple[RawChange, ...]
    cut: bool  # there were more changes


def read_commits(
    root: str,
    *,
    counts: Counter[str],
    after: str = "",
    limit: int = MOST_COMMITS,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Commit]:
    """Give the newest commits, oldest first, parents before children; merges are only counted.

    `after` is the last commit already read; where the repository no longer has it, everything
    is read.
    """
    if not head(root):
        counts["no history"] += 1
        return
    mark = os.urandom(12).hex()
    form = f"--format={mark}%x00%H%x00%P%x00%ct%x00%aN%x00%s%x00%b%x00"
    # Only equal files can be told to be renamed where the others' contents may be missing.
    partial = _ask(root, "config", "--get-regexp", _PARTIAL) is not None
    renames = "--find-renames=100%" if partial else "--find-renames"
    range_ = ["HEAD", *_without(root, after, counts), "--"]
    arguments = [*_LOG, f"--max-count={max(limit, 0)}", form, "--name-status", renames, *range_]
    records = read_records(_stream(root, arguments, counts), mark, counts)
    yield from _commits(records, tags(root), counts, progress)


def head(root: str) -> str:
    """Give the commit a repository stands at; empty where there is none."""
    return (_ask(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") or b"").decode().strip()


def contains(root: str, sha: str) -> bool:
    """Tell whether a commit still belongs to the history of where the repository stands."""
    return is_sha(sha) and _ask(root, "merge-base", "--is-ancestor", sha, "HEAD") is not None


def is_sha(text: str) -> bool:
    """Tell whether this is the id of an object, whole or shortened, and so safe to hand to git."""
    return 7 <= len(text) <= 64 and set(text) <= _HEX


def tracked_blobs(root: str) -> dict[str, str]:
    """Give the blob id of each tracked file, by its path from the repository's top."""
    top = (_ask(root, "rev-parse", "--show-toplevel") or b"").removesuffix(b"\n")
    listed = _ask(os.fsdecode(top), "ls-files", "--stage", "-z") if top else b""
    found: dict[str, str] = {}
    for entry in (listed or b"").split(b"\0", MOST_FILES)[:MOST_FILES]:
        meta, _, path = entry.partition(b"\t")
        mode, _, rest = meta.partition(b" ")
        if path and mode != b"160000":  # a submodule has a commit, not a blob
            found.setdefault(path.decode(errors="replace"), rest.partition(b" ")[0].decode())
    return found


def tags(root: str) -> dict[str, tuple[str, ...]]:
    """Give the tags of each commit that has some."""
    found: dict[str, tuple[str, ...]] = {}
    form = "--format=%(objectname) %(*objectname) %(refname)"
    for line in (_ask(root, "for-each-ref", form, "refs/tags/") or b"").splitlines():
        ids, _, name = line.decode(errors="replace").partition(" refs/tags/")
        sha = ids.split()[-1]  # of an annotated tag the commit stands second
        found[sha] = (*found.get(sha, ()), name[:NAME_CHARS])
    return found


def dated_tags(root: str) -> tuple[tuple[str, datetime], ...]:
    """Give the tags of the history that is checked out, and when each was made."""
    form = "--format=%(creatordate:unix) %(refname:strip=2)"
    listed = _ask(root, "for-each-ref", "--merged=HEAD", form, "refs/tags/") or b""
    found = [line.decode(errors="replace").partition(" ") for line in listed.splitlines()]
    return tuple(
        (name[:NAME_CHARS], EPOCH + timedelta(seconds=int(seconds)))
        for seconds, _, name in found
        if seconds.isdigit() and len(seconds) < 12
    )


def standing(root: str, shas: Collection[str], blobs: Collection[str]) -> dict[str, float]:
    """Give the share of each commit's changed lines that are as it left them in some files today.

    What it added must be there, what it removed must not; `blobs` are the files' contents.
    Lines that stand anywhere count nowhere: blank ones, braces. A commit without telling lines
    is left out.
    """
    asked = [sha for sha in shas if is_sha(sha)]
    if not asked:
        return {}
    contents = "\n".join(blob for blob in blobs if is_sha(blob)).encode() + b"\n"
    files = _ask(root, "cat-file", "--batch", given=contents) or b""
    here = {line.strip() for line in files.splitlines()}
    printed = _ask(root, *_DIFFS, given="\n".join(asked).encode() + b"\n") or b""
    found: dict[str, float] = {}
    for part in printed.split(b"\0")[1:]:
        sha, _, diff = part.partition(b"\n")
        added, removed = (_telling(diff, sign) for sign in (b"+", b"-"))
        changed = added ^ removed  # a line that was only moved was not changed
        if changed:
            kept = sum((line in here) == (line in added) for line in changed)
            found[sha.decode()] = kept / len(changed)
    return found


def _telling(diff: bytes, sign: bytes) -> set[bytes]:
    lines = (line for line in diff.splitlines() if line[:1] == sign and line[:3] != sign * 3)
    return {line[1:].strip() for line in lines if len(line.strip()) > TELLING_LINE}


def _without(root: str, after: str, counts: Counter[str]) -> list[str]:
    if not after:
        return []
    if is_sha(after) and _ask(root, "cat-file", "-e", after + "^{commit}") is not None:
        return ["^" + after]
    counts["watermark lost"] += 1
    return []


# Records as git prints them. Commits are told apart by a mark made anew for each reading, the
# rest by its place between NUL bytes, which neither a message nor a path can hold.


def read_records(chunks: Iterable[bytes], mark: str, counts: Counter[str]) -> Iterator[Record]:
    """Give the commits in what git prints; what is none is counted as `broken record`."""
    for text, cut in _texts(chunks, mark.encode() + b"\0"):
        fields = text.split(b"\0")
        sha = fields[0].decode("ascii", "replace")
        if len(fields) < _HEADER_FIELDS or not is_sha(sha):
            counts["broken record"] += 1
            continue
        changes = _changes(fields[_HEADER_FIELDS:])
        yield Record(
            sha=sha,
            parents=tuple(fields[1].decode("ascii", "replace").split()),
            time=fields[2],
            author=fields[3],
            subject=fields[4],
            body=fields[5],
            changes=tuple(changes[:MOST_CHANGES]),
            cut=cut or len(changes) > MOST_CHANGES,
        )


def _texts(chunks: Iterable[bytes], mark: bytes) -> Iterator[tuple[bytes, bool]]:
    """Give what stands after each mark, and whether it was cut; one record is held at a time."""
    held, begun, cut = b"", False, False
    for chunk in chunks:
        *whole, held = (held + chunk).split(mark)
        for text in whole:
            if begun:
                yield text, cut
            begun, cut = True, False
        if len(held) > LARGEST_RECORD:
            # The tail stays: it may be the beginning of a mark.
            held, cut = held[:LARGEST_RECORD] + held[-len(mark) :], True
    if begun:
        yield held, cut


def _changes(fields: list[bytes]) -> list[RawChange]:
    """Read `A`, path; `R100`, old path, path."""
    changes: list[RawChange] = []
    left = iter(fields)
    for field in left:
        status = field.lstrip(b"\n")[:1]
        if not status:
            continue
        path, old = next(left, b""), b""
        if status in (b"R", b"C"):
            old, path = path, next(left, b"")
        if path and status in _STATUSES:
            changes.append((status.decode(), path, old))
    return changes


def _commits(
    records: Iterator[Record],
    names: dict[str, tuple[str, ...]],
    counts: Counter[str],
    progress: Callable[[int], None] | None = None,
) -> Iterator[Commit]:
    """Decode and clean records; secrets are looked for in many of them at once."""
    known: dict[RawChange, Change] = {}  # the same few files change again and again
    done, last = 0, EPOCH
    while batch := list(islice(records, AT_ONCE)):
        done += len(batch)
        plain = [record for record in batch if len(record.parents) <= 1]
        counts["merge commit"] += len(batch) - len(plain)
        texts = [_decoded((record.author, record.subject, record.body)) for record in plain]
        new = {raw for record in plain for raw in record.changes if raw not in known}
        paths = [_decoded(raw[1:]) for raw in new]
        if not is_sound(part for text in (*texts, *paths) for part in text):
            texts = [clean_many(text, counts) for text in texts]
            paths = [clean_many(pair, counts) for pair in paths]
        known |= {raw: _change(raw[0], *pair) for raw, pair in zip(new, paths, strict=True)}
        for record, (author, subject, body) in zip(plain, texts, strict=True):
            last = _time(record.time, last, counts)
            counts["commit with too many files"] += record.cut
            yield Commit(
                sha=record.sha,
                at=last,
                author=" ".join(author.partition("@")[0].split())[:NAME_CHARS],
                subject=" ".join(_without_mail(subject).split())[:SUBJECT_CHARS],
                body=cut_middle(_without_mail(body).strip(), LONGEST_TEXT),
                changes=tuple(known[raw] for raw in record.changes),
                parents=record.parents,
                tags=names.get(record.sha, ()),
            )
        if progress is not None:
            progress(done)


def _decoded(parts: Iterable[bytes]) -> list[str]:
    return [part.decode(errors="replace") for part in parts]


def _change(status: str, path: str, old: str) -> Change:
    if status == "C":  # a copy leaves the old file where it was
        status, old = "A", ""
    status = "M" if status == "T" else status
    return Change(path=path[:PATH_CHARS], status=status, old_path=old[:PATH_CHARS])


def _time(text: bytes, last: datetime, counts: Counter[str]) -> datetime:
    """Read seconds since 1970; an absurd time becomes that of the commit before."""
    seconds = int(text) if text.isdigit() and len(text) < 12 else 0
    at = EPOCH + timedelta(seconds=seconds)
    if EPOCH < at < LAST_TIME:
        return at
    counts["absurd time"] += 1
    return last


def _without_mail(text: str) -> str:
    return _MAIL.sub("", text) if "@" in text else text


def _ask(root: str, *arguments: str, given: bytes = b"") -> bytes | None:
    """Give what git prints; None when it says no, cannot be run, or takes too long."""
    try:
        done = subprocess.run(  # noqa: S603  # no shell; a word of the caller's is checked by it
            _command(root, arguments),
            env=_environment(),
            input=given,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout


def _stream(root: str, arguments: Sequence[str], counts: Counter[str]) -> Iterator[bytes]:
    """Give what git prints, piece by piece; an end that is not well is counted, not raised."""
    try:
        process = subprocess.Popen(  # noqa: S603  # as above
            _command(root, arguments),
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, ValueError):
        counts["no git"] += 1
        return
    assert process.stdout is not None
    watchdog = Timer(TIMEOUT_S, process.kill)
    watchdog.daemon = True
    watchdog.start()
    with process:
        try:
            while chunk := process.stdout.read(_CHUNK):
                yield chunk
        except GeneratorExit:  # the reader has had enough
            process.kill()
            raise
        finally:
            watchdog.cancel()
    counts["git failed"] += process.returncode != 0


def _command(root: str, arguments: Sequence[str]) -> list[str]:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    return ["git", "-C", root, "--no-pager", "--literal-pathspecs", *settings, *arguments]


def _environment() -> dict[str, str]:
    """Give our own environment without what would point git elsewhere, as inside its hooks."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # versions before 2.44 do not know the line above
        "GIT_NO_REPLACE_OBJECTS": "1",
    }
