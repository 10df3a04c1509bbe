"""A store as Markdown, one file a memory: to read, to review and to keep in git.

The head of a file carries every field but the text, which stands below it, and the links that
go out from the memory. So a folder gives the same memories back, with their ids and times. A
text that was changed by hand no longer fits the checksum in its head, and is an edit.
"""

from __future__ import annotations

import os
from collections import Counter
from hashlib import blake2b

from tacit.codec import from_json, to_json
from tacit.errors import Invalid
from tacit.exchange import files, front_matter
from tacit.exchange.naming import slug
from tacit.model import Link, Memory
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from tacit.model import UsageEvent

    Tally = Mapping[str, Mapping[UsageEvent, tuple[int, datetime]]]

FORMAT = "1"
FIRST = f"---\ntacit: {FORMAT}\n"
LARGEST = 16 << 20  # bytes of one memory and its head
LEVELS = ("summary", "hint", "title")


class Page(Value):
    """One file as it was read."""

    name: str
    memory: Memory
    text: str  # as it stands in the file now
    edited: bool  # it is not the text the memory was written out with
    links: tuple[Link, ...]


class Pages(Value):
    """What a folder gave."""

    pages: tuple[Page, ...]
    counts: tuple[tuple[str, int], ...]


def sniff(path: str) -> bool:
    """Tell whether a folder holds files that were written here."""
    if not os.path.isdir(path):
        return False
    names = files.files_in(path, ".md")
    return any(_ours(os.path.join(path, name)) for name in names[:200])


def read_pages(path: str) -> Pages:
    """Read all files that were written here; others are counted and left alone."""
    counts: Counter[str] = Counter()
    pages: dict[str, Page] = {}
    for name in files.files_in(path, ".md", counts):
        text = files.read_text(os.path.join(path, name), counts, LARGEST)
        if text is None:
            continue
        if not text.replace("\r\n", "\n").startswith(FIRST):
            counts["left out: not written by Tacit"] += 1
            continue
        try:
            page = read_page(name, text)
        except Invalid:
            counts["left out: broken head"] += 1
            continue
        if page.memory.id in pages:
            counts["left out: the same memory twice"] += 1
            continue
        pages[page.memory.id] = page
        counts["files"] += 1
        counts["edited"] += page.edited
    return Pages(pages=tuple(pages.values()), counts=tuple(sorted((+counts).items())))


def read_page(name: str, content: str) -> Page:
    """Read one file; `Invalid` where its head is not what was written."""
    head, text = front_matter.split(content)
    fields = _fields(head)
    if fields.pop("tacit", None) != int(FORMAT):
        raise Invalid(f"{name} was written by another version of Tacit")
    checksum, same = fields.pop("checksum", ""), fields.pop("as_text", [])
    out = fields.pop("links", [])
    text, edited = _told(text, checksum)
    if not text.strip():
        raise Invalid(f"{name} has no text")
    levels = {level: fields.pop(level, text) for level in LEVELS}
    tokens = fields.pop("tokens", [0, 0, 0, 0])
    body = fields.get("body")
    if not isinstance(body, dict) or not isinstance(same, list) or not isinstance(out, list):
        raise Invalid(f"{name} has a head of another form")
    kind = fields.pop("kind", "")
    fields["body"] = {"kind": kind, **body, **{str(field): text for field in same}}
    fields["levels"] = {"full": text, "tokens": tokens, **levels}
    fields["scope"] = {"path": fields.get("scope")}
    validity = {field: fields.pop(field) for field in ("valid_from", "valid_to") if field in fields}
    fields["validity"] = validity
    if edited and len(str(levels["title"])) > 50:
        fields["levels"]["title"] = str(levels["title"])[:50]
    memory = from_json(Memory, fields, name)
    links = [_link(item, memory.id, name) for item in out]
    return Page(name=name, memory=memory, text=text, edited=edited, links=tuple(links))


def write(
    folder: str,
    memories: Sequence[Memory],
    *,
    links: Sequence[Link],
    usage: Tally,
    load: Callable[[str], str | None],
    now: datetime,
) -> int:
    """Make the folder hold these memories; files that were not written here stay as they are.

    A memory keeps the name its file has, also when its title changes.
    """
    there: dict[str, str] = {}
    for name in files.files_in(folder, ".md"):
        if _ours(os.path.join(folder, name)) and (id_ := _id_of(os.path.join(folder, name))):
            there[id_] = name
    out: dict[str, list[Link]] = {}
    for link in links:
        out.setdefault(link.src, []).append(link)
    for memory in memories:
        name = there.pop(memory.id, "") or name_of(memory)
        going = sorted(out.get(memory.id, []), key=lambda link: (link.relation, link.dst))
        files.write_text(folder, name, show(memory, going))
    for name in there.values():
        files.remove(folder, name)
    return len(memories)


def name_of(memory: Memory) -> str:
    """Give the name of a memory's file: its kind, its title, its short name."""
    title = slug(memory.levels.title)
    return f"{memory.kind.value}/{title + '-' if title else ''}{memory.short}.md"


def show(memory: Memory, links: Sequence[Link]) -> str:
    """Give a memory as a file; what only repeats the text is left to the text."""
    data = to_json(memory)
    assert isinstance(data, dict)
    fields: dict[str, Any] = dict(data)
    text = memory.text
    levels, body = fields.pop("levels"), fields.pop("body")
    same = [name for name, value in body.items() if name != "kind" and value == text]
    validity = fields.pop("validity")
    fields["scope"] = memory.scope.path
    first = {
        "tacit": int(FORMAT),
        "id": fields.pop("id"),
        "short": fields.pop("short"),
        "kind": body["kind"],
        **{level: levels[level] for level in ("title",) if levels[level] != text},
        **{
            name: fields.pop(name)
            for name in ("tier", "state", "subtype", "polarity")
            if name in fields
        },
        **validity,
    }
    rest = {
        "body": {
            name: value for name, value in body.items() if name != "kind" and name not in same
        },
        **({"as_text": same} if same else {}),
        **{level: levels[level] for level in ("summary", "hint") if levels[level] != text},
        "tokens": list(memory.levels.tokens),
    }
    going = [{k: v for k, v in _plain(link).items() if k != "src"} for link in links]
    settings = {
        **first,
        **fields,
        **rest,
        **({"links": going} if going else {}),
        "checksum": checksum_of(text),
    }
    return _show(settings) + text + "\n"


def checksum_of(text: str) -> str:
    """Give what tells whether a text is still the one that was written out."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _show(settings: dict[str, Any]) -> str:
    """Write a head: a line a field, and of a list a line an item."""
    rows = ["---"]
    for name, value in settings.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows += [f"{name}:", *(f"  - {front_matter.scalar(item)}" for item in value)]
        else:
            rows.append(f"{name}: {front_matter.scalar(value)}")
    return "\n".join([*rows, "---"]) + "\n"


def _fields(head: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    name = ""
    for row in head.split("\n"):
        row = row.rstrip("\r")
        if row.startswith("  - ") and isinstance(found.get(name), list):
            found[name].append(_value(row[4:].strip()))
        elif row and not row.startswith((" ", "#")) and ":" in row:
            name, _, rest = row.partition(":")
            found[name] = _value(rest.strip()) if rest.strip() else []
    return found


def _value(text: str) -> Any:
    plain = text[0] not in '"[{-0123456789' and text not in ("true", "false", "null")
    if plain:
        return text
    value = files.parse_json(text)
    if value is None and text != "null":
        raise Invalid(f"{text[:40]!r} is not a value")
    return value


def _told(text: str, checksum: object) -> tuple[str, bool]:
    """Give the text and whether it was edited; line ends that git or an editor set are no edit."""
    written = text.removesuffix("\n")
    unix = text.replace("\r\n", "\n").removesuffix("\n")
    for form in (written, text, unix, unix + "\n"):
        if checksum_of(form) == checksum:
            return form, False
    return unix.strip("\n"), True


def _link(item: object, src: str, name: str) -> Link:
    if not isinstance(item, dict):
        raise Invalid(f"{name} has a link of another form")
    return from_json(Link, {**item, "src": src}, f"{name}: link")


def _plain(value: Value) -> dict[str, Any]:
    data = to_json(value)
    assert isinstance(data, dict)
    return data


def _ours(path: str) -> bool:
    return files.beginning(path, 64).replace("\r\n", "\n").startswith(FIRST)


def _id_of(path: str) -> str:
    for row in files.beginning(path, 512).split("\n")[1:6]:
        name, _, rest = row.partition(":")
        if name == "id":
            return str(_value(rest.strip())) if rest.strip() else ""
    return ""
