"""Other memories into a store and out of it, whatever their format.

Drafts are written in batches, one transaction each. What a batch refuses is tried one by one,
so that one bad record never keeps the others out; every one that is left out is counted. Files
of our own Markdown come back as the very memories they were, or as edits of them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime

from tacit.encode.ports import TokenCounter
from tacit.errors import Invalid
from tacit.exchange import formats
from tacit.exchange.brought import Brought
from tacit.exchange.markdown import Page, read_pages
from tacit.ingest.redaction import redact
from tacit.model import Memory
from tacit.observe.pipeline import Write, written_by
from tacit.value import Value
from tacit.write.change import rewritten
from tacit.write.clean import redacted_record
from tacit.write.history import change
from tacit.write.identity import renamed, short_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.protocol import Store

BATCH = 500
BY_HAND = "markdown"  # who makes the edits that come from files


class ImportReport(Value):
    """What an import read, left out, took out and changed."""

    format: str
    read: dict[str, int]  # by name, with what was left out
    redacted: dict[str, int]
    memories: int  # what was read comes to so many
    new: int = 0
    edited: int = 0  # texts that were changed by hand, in files of our own
    kept_ours: int = 0  # of those, texts that had changed here as well
    refused: int = 0  # what cannot be kept
    dry_run: bool = False


def import_path(
    path: str,
    format_: formats.Format,
    *,
    store: Store,
    write: Write,
    counter: Callable[[], TokenCounter],
    now: datetime,
    project: str,
    dry_run: bool,
    progress: Callable[[int], None],
) -> ImportReport:
    """Read a file or folder of a format and keep what it holds; a dry run only reads."""
    redacted: Counter[str] = Counter()
    done: Counter[str] = Counter()

    def clean(text: str) -> str:
        found = redact(text)
        redacted.update(dict(found.counts))
        return found.text

    if format_.name == "markdown":
        pages = read_pages(path)
        for page in pages.pages:
            clean(page.text)
        read, memories = pages.counts, len(pages.pages)
        if not dry_run:
            done = _take_back(store, pages.pages, counter=counter(), now=now)
    else:
        brought = _read(path, format_, clean, project)
        read, memories = brought.counts, len(brought.drafts)
        if not dry_run:
            done = _bring(brought, write, store.save, progress, redacted)
    return ImportReport(
        format=format_.name,
        read=dict(read),
        redacted=dict(redacted),
        memories=memories,
        new=done["new"],
        edited=done["edited"],
        kept_ours=done["changed here as well"],
        refused=done["invalid"],
        dry_run=dry_run,
    )


def _read(path: str, format_: formats.Format, clean: Callable[[str], str], project: str) -> Brought:
    read: Callable[..., Brought] = formats.module_of(format_).read
    if format_.name != "claude-mem":
        return read(path, clean)
    if not project:
        raise Invalid(f"{path} holds several projects; say whose memories with --from-project")
    return read(path, clean, project=os.path.basename(os.path.normpath(project)))


def _bring(
    brought: Brought,
    write: Write,
    save: Callable[[str, str], None],
    progress: Callable[[int], None],
    redacted: Counter[str],
) -> Counter[str]:
    """Write what was brought, batch by batch; the documents for the way back come last."""
    done: Counter[str] = Counter()
    for start in range(0, len(brought.drafts), BATCH):
        batch = brought.drafts[start : start + BATCH]
        for written in written_by(write, batch, done):
            done["new"] += written.new
            redacted.update(written.redacted)
        progress(start + len(batch))
    if len(brought.drafts) > BATCH:  # a link into a later batch found no end; now all are there
        linked = [draft for draft in brought.drafts if draft.links]
        for start in range(0, len(linked), BATCH):
            list(written_by(write, linked[start : start + BATCH], Counter()))
    for name, document in brought.documents:
        save(name, document)
    return done


def _take_back(
    store: Store, pages: Sequence[Page], *, counter: TokenCounter, now: datetime
) -> Counter[str]:
    """Take in files of our own: what is new as it was, what was edited by hand as an edit."""
    done: Counter[str] = Counter()
    with store.transaction():
        known = {memory.id: memory for memory in store.get([page.memory.id for page in pages])}
        fresh = [page for page in pages if page.memory.id not in known]
        taken = store.shorts([page.memory.short for page in fresh])
        memories: list[Memory] = []
        for page in fresh:
            memory = redacted_record(page.memory)
            if page.edited:
                memory = _reworded(memory, page.text, counter)
            if taken.get(memory.short, memory.id) != memory.id:
                memory = renamed(memory, short_of(memory.id, taken))
            taken[memory.short] = memory.id
            memories.append(memory)
        store.put(memories)
        done["new"] = len(memories)
        for page in pages:
            if page.edited and page.memory.id in known:
                done[_edit(store, page, known[page.memory.id], counter, now)] += 1
        _link(store, pages)
    return done


def _reworded(memory: Memory, text: str, counter: TokenCounter) -> Memory:
    """Give a memory whose text was edited before it came here: all that follows is made anew."""
    before = memory.replace(levels=memory.levels.replace(full=memory.levels.title or "…"))
    return rewritten(before, text, counter)


def _edit(store: Store, page: Page, known: Memory, counter: TokenCounter, now: datetime) -> str:
    """Edit a memory as its file was, unless it has changed here since the file was written."""
    if redact(page.text).text == known.text:
        return "the same"
    history = store.revisions([known.id])
    from_file = bool(history) and history[-1].by == BY_HAND
    if known.rev != page.memory.rev and not from_file:
        return "changed here as well"
    change(
        store,
        [known.id],
        lambda old: rewritten(old, page.text, counter),
        op="edit",
        by=BY_HAND,
        at=now,
    )
    return "edited"


def _link(store: Store, pages: Sequence[Page]) -> None:
    links = [link for page in pages for link in page.links]
    ends = {memory.id for memory in store.get([link.dst for link in links])}
    there = {(k.src, k.relation, k.dst) for k in store.links([page.memory.id for page in pages])}
    store.link([k for k in links if k.dst in ends and (k.src, k.relation, k.dst) not in there])


def give(
    store: Store,
    memories: Sequence[Memory],
    format_: formats.Format,
    path: str,
    *,
    now: datetime,
    **more: object,
) -> int:
    """Write memories in another format; give how many it holds.

    What one format alone wants to know is told in `more`.
    """
    ids = {memory.id for memory in memories}
    links = [link for link in store.links(None) if link.src in ids and link.dst in ids]
    written: int = formats.module_of(format_).write(
        path, memories, links=links, usage=store.tally(list(ids)), load=store.load, now=now, **more
    )
    return written
