"""What a repository's history says: commits, where it stands, tracked files, tags.

Reads and never writes. A folder without history, a broken repository and a missing program
all give nothing, and the counts say why. E-mail addresses are never kept.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from itertools import islice

from tacit.clock import EPOCH
from tacit.ingest.git_log import is_sha, read_records, record_format
from tacit.ingest.git_program import ask, stream
from tacit.ingest.reading import LONGEST_TEXT, clean_many, cut_middle, is_sound
from tacit.observation import Change, Commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Iterator

    from tacit.ingest.git_log import RawChange, Record

    Tags = dict[str, tuple[str, ...]]

MOST_COMMITS = 20_000
MOST_FILES = 500_000
SUBJECT_CHARS = 300
NAME_CHARS = 100
PATH_CHARS = 400
AT_ONCE = 128  # commits whose texts are searched for secrets together
LAST_TIME = datetime(2100, 1, 1, tzinfo=UTC)  # what claims to be later has a wrong clock
_MAIL = re.compile(
    r"<?\b(?!git@)[\w.+-]{1,64}@(?!v?\d)(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}\b>?"
)
_LOG = (
    "log -z --reverse --date-order --encoding=UTF-8 --no-color --no-textconv --no-ext-diff "
    "--no-show-signature -l200"
).split()
_PARTIAL = r"^(extensions\.partialclone|remote\..*\.promisor)$"


def read_commits(
    root: str,
    *,
    counts: Counter[str],
    after: str = "",
    limit: int = MOST_COMMITS,
    lines: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Commit]:
    """Give the newest commits, oldest first, parents before children; merges are only counted.

    `after` is the last commit already read; where the repository no longer has it, everything
    is read. `lines` counts added and removed lines too, which costs git several times the rest.
    """
    if not head(root):
        counts["no history"] += 1
        return
    mark = os.urandom(12).hex()
    arguments = [*_LOG, f"--max-count={max(limit, 0)}", f"--format={record_format(mark)}"]
    arguments += ["--raw", "--numstat", "--no-abbrev"] if lines else ["--name-status"]
    # Only equal files can be told to be renamed where the others' contents may be missing.
    partial = ask(root, "config", "--get-regexp", _PARTIAL) is not None
    arguments += ["--find-renames=100%" if partial else "--find-renames"]
    arguments += ["HEAD", *_without(root, after, counts), "--"]
    records = read_records(stream(root, arguments, counts), mark, counts)
    yield from _commits(records, tags(root), counts, progress)


def head(root: str) -> str:
    """Give the commit a repository stands at; empty where there is none."""
    return (ask(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") or b"").decode().strip()


def contains(root: str, sha: str) -> bool:
    """Tell whether a commit still belongs to the history of where the repository stands."""
    return is_sha(sha) and ask(root, "merge-base", "--is-ancestor", sha, "HEAD") is not None


def tracked_blobs(root: str) -> dict[str, str]:
    """Give the blob id of each tracked file, by its path from the repository's top."""
    top = (ask(root, "rev-parse", "--show-toplevel") or b"").removesuffix(b"\n")
    listed = ask(os.fsdecode(top), "ls-files", "--stage", "-z") if top else b""
    found: dict[str, str] = {}
    for entry in (listed or b"").split(b"\0", MOST_FILES)[:MOST_FILES]:
        meta, _, path = entry.partition(b"\t")
        mode, _, rest = meta.partition(b" ")
        if path and mode != b"160000":  # a submodule has a commit, not a blob
            found.setdefault(path.decode(errors="replace"), rest.partition(b" ")[0].decode())
    return found


def tags(root: str) -> Tags:
    """Give the tags of each commit that has some."""
    found: Tags = {}
    form = "--format=%(objectname) %(*objectname) %(refname)"
    for line in (ask(root, "for-each-ref", form, "refs/tags/") or b"").splitlines():
        ids, _, name = line.decode(errors="replace").partition(" refs/tags/")
        sha = ids.split()[-1]  # of an annotated tag the commit stands second
        found[sha] = (*found.get(sha, ()), name[:NAME_CHARS])
    return found


def dated_tags(root: str) -> tuple[tuple[str, datetime], ...]:
    """Give the tags of the history that is checked out, and when each was made."""
    form = "--format=%(creatordate:unix) %(refname:strip=2)"
    listed = ask(root, "for-each-ref", "--merged=HEAD", form, "refs/tags/") or b""
    found = [line.decode(errors="replace").partition(" ") for line in listed.splitlines()]
    return tuple(
        (name[:NAME_CHARS], EPOCH + timedelta(seconds=int(seconds)))
        for seconds, _, name in found
        if seconds.isdigit() and len(seconds) < 12
    )


def _without(root: str, after: str, counts: Counter[str]) -> list[str]:
    if not after:
        return []
    if is_sha(after) and ask(root, "cat-file", "-e", after + "^{commit}") is not None:
        return ["^" + after]
    counts["watermark lost"] += 1
    return []


def _commits(
    records: Iterator[Record],
    names: Tags,
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
        sound = is_sound(part for text in (*texts, *paths) for part in text)
        for raw, pair in zip(new, paths, strict=True):
            known[raw] = _change(raw[0], pair if sound else clean_many(pair, counts))
        for record, text in zip(plain, texts, strict=True):
            last = _time(record.time, last, counts)
            counts["commit with too many files"] += record.cut
            clean = text if sound else clean_many(text, counts)
            yield _commit(record, clean, last, known, names.get(record.sha, ()))
        if progress is not None:
            progress(done)


def _decoded(parts: Iterable[bytes]) -> list[str]:
    return [part.decode(errors="replace") for part in parts]


def _commit(
    record: Record,
    text: list[str],
    at: datetime,
    known: dict[RawChange, Change],
    names: tuple[str, ...],
) -> Commit:
    author, subject, body = text
    changes = [known[raw] for raw in record.changes]
    if record.lines:
        lines = [record.lines.get(raw[1], (0, 0)) for raw in record.changes]
        changes = [
            change.replace(added=added, removed=removed)
            for change, (added, removed) in zip(changes, lines, strict=True)
        ]
    return Commit(
        sha=record.sha,
        at=at,
        author=" ".join(author.partition("@")[0].split())[:NAME_CHARS],
        subject=" ".join(_without_mail(subject).split())[:SUBJECT_CHARS],
        body=cut_middle(_without_mail(body).strip(), LONGEST_TEXT),
        changes=tuple(changes),
        parents=record.parents,
        tags=names,
    )


def _change(status: str, paths: list[str]) -> Change:
    path, old = paths
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
