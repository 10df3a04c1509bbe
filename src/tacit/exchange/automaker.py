"""Automaker's memory: `.automaker/memory/*.md`, a file a category, a head and learnings below.

A learning is a memory whose text is what stands in the file, so that the way back writes the
same. The heads and the order are kept as one document; the texts are in the memories alone, and
what is erased there is not written again. Uses that Tacit has seen are added to those the file
had counted.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter

from tacit.body import Fact, Pattern
from tacit.draft import Draft
from tacit.exchange import files, front_matter
from tacit.exchange.brought import Brought
from tacit.exchange.naming import line, mentions, moment, part_of, slug, sound
from tacit.model import FacetType, Kind, Origin, Polarity, Trust, UsageEvent
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from tacit.exchange.front_matter import Data
    from tacit.model import Link, Memory

    Tally = Mapping[str, Mapping[UsageEvent, tuple[int, datetime]]]

DOCUMENT = "exchange:automaker"
SOURCE = "automaker:"
GOTCHAS = "gotchas.md"
INDEX = "_index.md"
STATS = {
    "loaded": UsageEvent.LOADED,
    "referenced": UsageEvent.CITED,
    "successfulFeatures": UsageEvent.HELPED,
}
_START = re.compile(r"^(#{2,6}[ \t]+|-[ \t]+(?=\*\*|\[)|-[ \t]+)(?:\[(\w+)\][ \t]*)?(.*)$")
_DATE = re.compile(r"[ \t]*\((\d{4}-\d\d-\d\d)\)[ \t]*$")
_FIELD = re.compile(r"^\s*-\s+(?:\*\*([^*:]{1,40}):?\*\*:?|([A-Z][A-Z \-]{2,40}):)\s*(.*)$")
_TEMPLATE = "Mistakes and edge cases to avoid."  # what every such file of gotchas begins with
_FIELDS = {  # what a line of a learning is called → the field of a body it fills
    "why": "why",
    "why this works": "why",
    "root cause": "why",
    "rejected": "rejected",
    "trade-offs": "tradeoffs",
    "tradeoffs": "tradeoffs",
    "breaking if changed": "breaking",
    "breaking": "breaking",
    "context": "trigger",
    "situation": "trigger",
    "problem solved": "trigger",
    "how to avoid": "do",
}


class Entry(Value):
    """One learning of a file: how its line begins, what it says, and when it was written."""

    mark: str  # "### ", "- "
    label: str  # Pattern, Gotcha, Learned or empty
    date: str
    text: str  # its line and those below

    @property
    def bare(self) -> bool:
        """Tell whether it is a heading that says nothing of its own."""
        plain = not (self.label or self.date) and "\n" not in self.text
        return plain and self.mark.startswith("#")

    @property
    def written(self) -> str:
        """Give it as it stands in a file."""
        first, _, rest = self.text.partition("\n")
        label = f"[{self.label}] " if self.label else ""
        date = f" ({self.date})" if self.date else ""
        return f"{self.mark}{label}{first}{date}" + (f"\n{rest}" if rest else "")


def sniff(path: str) -> bool:
    """Tell whether a folder holds such files, or is the project of one that does."""
    folder = _memory_folder(path)
    if not os.path.isdir(folder):
        return False
    names = [name for name in files.files_in(folder, ".md") if "/" not in name]
    heads = (front_matter.split(files.beginning(os.path.join(folder, n)))[0] for n in names[:20])
    return any("usageStats:" in head or "relevantTo:" in head for head in heads)


def read(path: str, clean: Callable[[str], str]) -> Brought:
    """Read all files of the folder; a learning is known again by its file and its first line."""
    folder = _memory_folder(path)
    counts: Counter[str] = Counter()
    drafts: list[Draft] = []
    kept: list[dict[str, object]] = []
    for name in files.files_in(folder, ".md", counts):
        if "/" in name or name == INDEX:
            continue
        text = files.read_text(os.path.join(folder, name), counts)
        if text is None:
            continue
        counts["files"] += 1
        head, rest = front_matter.split(sound(text, clean, files.LARGEST_TEXT))
        settings = front_matter.parse(head)
        title, notes, entries = _split(rest)
        entries = [*notes, *entries]
        made = [_draft(entry, name, settings) for entry in entries if not entry.bare]
        refs = _told_apart(made, counts)
        drafts += [draft.replace(source_ref=ref) for draft, ref in zip(made, refs, strict=True)]
        counts["learnings"] += len(made)
        left = iter(refs)
        forms = [
            ["" if e.bare else next(left), e.mark, e.label, e.date, e.text if e.bare else ""]
            for e in entries
        ]
        kept.append({"name": name, "head": head, "title": title, "entries": forms})
    document = json.dumps(kept, ensure_ascii=False, sort_keys=True)
    return Brought(
        drafts=tuple(drafts),
        documents=((DOCUMENT, document),) if kept else (),
        counts=tuple(sorted(counts.items())),
    )


def write(
    folder: str,
    memories: Sequence[Memory],
    *,
    links: Sequence[Link],
    usage: Tally,
    load: Callable[[str], str | None],
    now: datetime,
) -> int:
    """Write the files back, with what has come since; give how many memories are in them."""
    folder = files.below(folder, _memory_folder(folder, make=True))
    by_ref = {memory.source_ref: memory for memory in memories}
    done: set[str] = set()
    known = files.parse_json(load(DOCUMENT) or "") or []
    pages: dict[str, tuple[str, str, list[tuple[Memory | None, Entry]]]] = {}
    for page in known:
        entries: list[tuple[Memory | None, Entry]] = []
        for ref, mark, label, date, heading in page["entries"]:
            memory = by_ref.get(ref)
            text = memory.text if memory else heading
            if text and (memory is None or memory.id not in done):
                entries.append((memory, Entry(mark=mark, label=label, date=date, text=text)))
                done |= {memory.id} if memory else set()
        pages[page["name"]] = (page["head"], page["title"], entries)
    for memory in memories:
        if memory.id not in done and memory.kind in (Kind.FACT, Kind.PATTERN):
            name = _category(memory)
            page = pages.setdefault(name, ("", f"# {name.removesuffix('.md')}\n", []))
            page[2].append((memory, _entry(memory)))
            done.add(memory.id)
    for name, (head, title, entries) in pages.items():
        shown = "".join(f"\n{entry.written}\n" for _, entry in entries)
        counted = _counted(head, [memory for memory, _ in entries if memory], usage, name)
        files.write_text(folder, name, f"{counted}{title}{shown}")
    return len(done)


def _memory_folder(path: str, *, make: bool = False) -> str:
    """Give the folder of the files, from itself, from `.automaker` or from the project."""
    if os.path.basename(os.path.normpath(path)) == "memory":
        return path
    if os.path.basename(os.path.normpath(path)) == ".automaker":
        return os.path.join(path, "memory")
    inside = os.path.join(path, ".automaker", "memory")
    return inside if make or os.path.isdir(inside) else path


def _split(text: str) -> tuple[str, list[Entry], list[Entry]]:
    """Give a file's title, what is said before the first learning, and the learnings."""
    title: list[str] = []
    lead: list[str] = []
    entries: list[tuple[str, str, str, list[str]]] = []
    for row in text.split("\n"):
        start = _START.match(row)
        if start and start[3].strip() and not (entries and _belongs(start, entries[-1][0])):
            date = _DATE.search(start[3])
            said = start[3][: date.start()] if date else start[3]
            entries.append((start[1], start[2] or "", date[1] if date else "", [said.strip()]))
        elif entries:
            entries[-1][3].append(row.rstrip())
        elif row.startswith("# ") and not title:
            title.append(row.rstrip())
        else:
            lead.append(row.rstrip())
    said_first = "\n".join(lead).strip()
    if said_first.startswith(_TEMPLATE):
        title.append("\n" + said_first)
        said_first = ""
    notes = [Entry(mark="", label="", date="", text=said_first)] if said_first.strip("-") else []
    found = [
        Entry(mark=mark, label=label, date=date, text="\n".join(rows).strip())
        for mark, label, date, rows in entries
    ]
    return "".join(f"{row}\n" for row in title), notes, [e for e in found if e.text]


def _belongs(start: re.Match[str], mark: str) -> bool:
    """Tell whether a line that could begin a learning is a field of the one above."""
    own = start[2] or _DATE.search(start[3])
    return mark.startswith("#") and start[1].startswith("-") and not own


def _draft(entry: Entry, name: str, settings: dict[str, Data]) -> Draft:
    fields = dict(_fields(entry.text))
    label = entry.label.lower()
    gotcha = label == "gotcha" or (name == GOTCHAS and entry.mark != "" and not label)
    decision = bool({"why", "rejected", "tradeoffs", "breaking"} & set(fields)) and not label
    first = entry.text.partition("\n")[0].strip("* ")
    body: Fact | Pattern
    if gotcha or label == "pattern":
        body = Pattern(
            trigger=fields.get("trigger", ""),
            do=fields.get("do", "") if gotcha else first,
            avoid=first if gotcha else "",
            why=fields.get("why", ""),
        )
    else:
        body = Fact(
            why=fields.get("why", ""),
            rejected=_several(fields.get("rejected", "")),
            tradeoffs=_several(fields.get("tradeoffs", "")),
            breaking=fields.get("breaking", ""),
        )
    subtype = "gotcha" if gotcha else label or ("decision" if decision else "")
    return Draft(
        text=entry.text,
        kind=Kind(body.kind),
        body=body,
        title=first[:200],
        subtype=subtype,
        polarity=Polarity.AVOID
        if gotcha
        else Polarity.DO
        if label == "pattern"
        else Polarity.NEUTRAL,
        importance=min(1.0, max(0.0, front_matter.number_of(settings.get("importance"), 0.5))),
        valid_from=moment(entry.date) if entry.date else None,
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=f"{SOURCE}{name}#{part_of(first)}",
        mentions=(
            *mentions(FacetType.TAG, front_matter.strings(settings.get("tags"))),
            *mentions(FacetType.TOPIC, front_matter.strings(settings.get("relevantTo"))),
            *mentions(FacetType.FILE, front_matter.strings(settings.get("relatedFiles"))),
        ),
        renews=True,
    )


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for row in text.split("\n")[1:]:
        if found := _FIELD.match(row):
            name = _FIELDS.get((found[1] or found[2]).strip().lower())
            if name and found[3].strip() not in ("", "None", "Not specified", "Unknown"):
                yield name, found[3].strip()


def _several(text: str) -> tuple[str, ...]:
    return tuple(part for part in (each.strip() for each in text.split("; ")) if part)


def _told_apart(drafts: Sequence[Draft], counts: Counter[str]) -> list[str]:
    """Give the drafts' sources, numbered where two begin with the same line."""
    seen: Counter[str] = Counter()
    refs: list[str] = []
    for draft in drafts:
        seen[draft.source_ref] += 1
        times = seen[draft.source_ref]
        refs.append(draft.source_ref if times == 1 else f"{draft.source_ref}-{times}")
    if repeated := sum(count - 1 for count in seen.values()):
        counts["with the same first line"] += repeated
    return refs


def _category(memory: Memory) -> str:
    """Choose the file of a memory that came from elsewhere."""
    if memory.polarity is Polarity.AVOID:
        return GOTCHAS
    wanted = (FacetType.TAG, FacetType.TOPIC)
    names = [slug(m.facet.name) for m in memory.mentions if m.facet.type in wanted]
    return f"{next(filter(None, names), 'general')}.md"


def _entry(memory: Memory) -> Entry:
    """Write a memory that came from elsewhere the way Automaker writes a learning."""
    date = memory.validity.valid_from.date().isoformat()
    body = memory.body
    first, _, rest = memory.text.strip().partition("\n")
    rows = [first, *(f"  {row}".rstrip() for row in rest.split("\n") if row.strip())]
    if isinstance(body, Pattern):
        avoids = memory.polarity is Polarity.AVOID
        said = {"Situation" if avoids else "Problem solved": body.trigger}
        said |= {"Root cause" if avoids else "Why this works": body.why}
        said |= {"How to avoid": body.do} if avoids else {}
        label, mark = "Gotcha" if avoids else "Pattern", "#### "
    else:
        fact = body if isinstance(body, Fact) else Fact()
        said = {"Why": fact.why, "Rejected": "; ".join(fact.rejected)}
        said |= {"Trade-offs": "; ".join(fact.tradeoffs), "Breaking if changed": fact.breaking}
        label, mark = ("", "### ") if any(said.values()) else ("Learned", "- ")
    rows += [f"- **{name}:** {' '.join(text.split())}" for name, text in said.items() if text]
    return Entry(mark=mark, label=label, date=date, text="\n".join(rows))


def _counted(head: str, memories: Sequence[Memory], usage: Tally, name: str) -> str:
    """Give the head with the uses Tacit has seen added: the most of any memory of the file.

    One loading of the file loads all it holds, so the counts of its memories are not added up.
    """
    settings = front_matter.parse(head)
    before = settings.get("usageStats")
    stats: dict[str, int] = {}
    for field, event in STATS.items():
        had = front_matter.count_of(before.get(field)) if isinstance(before, dict) else 0
        seen = [usage[m.id][event][0] for m in memories if event in usage.get(m.id, {})]
        stats[field] = had + max(seen, default=0)
    if head:
        for field, number in stats.items():
            head, changed = re.subn(rf"(?m)^(\s+{field}:\s*)\d+", rf"\g<1>{number}", head)
            if not changed and number:
                head += (
                    "" if "usageStats:" in head else "\nusageStats:"
                ) + f"\n  {field}: {number}"
        return f"---\n{head}\n---\n"
    category = name.removesuffix(".md")
    rows = [
        f"tags: [{category}]",
        f"summary: {line(category, str)} implementation decisions and patterns",
        f"relevantTo: [{category}]",
        f"importance: {max((m.importance for m in memories), default=0.5)}",
        "relatedFiles: []",
        "usageStats:",
        *(f"  {field}: {number}" for field, number in stats.items()),
    ]
    return "---\n" + "\n".join(rows) + "\n---\n"
