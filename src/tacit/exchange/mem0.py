"""What mem0 gives out: a list, `{"results": […]}` or lines of memories, with or without history.

A memory's earlier wordings are memories that held until they were changed; what mem0 knows of
it besides its words stays with it as it was.
"""

from __future__ import annotations

import json
from collections import Counter

from tacit.body import Fact
from tacit.draft import Draft, LinkTo
from tacit.exchange import files
from tacit.exchange.brought import Brought
from tacit.exchange.naming import digest, line, mentions, moment, sound
from tacit.model import FacetType, Origin, Relation, Trust
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from typing import Any

SOURCE = "mem0:"
TEXTS = ("memory", "data", "text", "content")
LISTS = ("results", "memories", "data")
KEPT = (
    "metadata",
    "hash",
    "agent_id",
    "app_id",
    "actor_id",
    "role",
    "updated_at",
    "expiration_date",
)
LONGEST_KEPT = 20_000  # characters of what is known besides the words


class Change(Value):
    """One entry of a memory's history."""

    old: str
    new: str
    at: datetime
    event: str


def sniff(path: str) -> bool:
    """Tell whether a file begins like memories of mem0: with an id, a text and whose it is."""
    begin = files.beginning(path, 1 << 16).lstrip()
    if not begin.startswith(("{", "[")):
        return False
    whose = ('"user_id"', '"agent_id"', '"run_id"', '"metadata"', '"hash"')
    return '"memory"' in begin and '"id"' in begin and any(name in begin for name in whose)


def read(path: str, clean: Callable[[str], str]) -> Brought:
    """Read an export; the id of a memory is its identity."""
    counts: Counter[str] = Counter()
    data = files.read_bytes(path, counts, files.LARGEST_DATA) or b""
    drafts: list[Draft] = []
    histories: dict[str, list[Change]] = {}
    items: list[dict[str, Any]] = []
    for item in _items(data, counts):
        if "new_memory" in item or "old_memory" in item:
            _collect(histories, [item], clean)
        else:
            items.append(item)
            if isinstance(item.get("history"), list):
                _collect(histories, [h for h in item["history"] if isinstance(h, dict)], clean)
    seen: set[str] = set()
    for item in items:
        made = _draft(item, clean)
        if made is None or made.source_ref in seen:
            counts["left out: no text" if made is None else "left out: twice in the file"] += 1
            continue
        seen.add(made.source_ref)
        past = list(_past(made, histories.get(made.source_ref.removeprefix(SOURCE), [])))
        before = [LinkTo(relation=Relation.SUPERSEDES, source_ref=old.source_ref) for old in past]
        since = past[-1].valid_to if past else made.valid_from
        drafts += [*past, made.replace(links=tuple(before), valid_from=since)]
    for id_ in histories:
        if SOURCE + id_ not in seen:
            drafts += _deleted(id_, histories[id_])
    counts["memories"] += len(seen)
    counts["earlier wordings"] += len(drafts) - len(seen)
    return Brought(drafts=tuple(drafts), counts=tuple(sorted(counts.items())))


def _items(data: bytes, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    whole = files.parse_json(data.decode("utf-8-sig", errors="replace"))
    if whole is None:
        yield from files.json_lines(data, counts)
        return
    if isinstance(whole, dict):
        inner = next((whole[name] for name in LISTS if isinstance(whole.get(name), list)), None)
        whole = [whole] if inner is None else inner
    for item in whole if isinstance(whole, list) else []:
        if isinstance(item, dict):
            yield item
        else:
            counts["left out: no memory"] += 1


def _draft(item: dict[str, Any], clean: Callable[[str], str]) -> Draft | None:
    text = next((t for name in TEXTS if (t := sound(item.get(name), clean))), "")
    if not text:
        return None
    started = moment(item.get("created_at"))
    ends = moment(item.get("expiration_date"))
    tags = item.get("categories")
    agent = line(item.get("agent_id"), clean)
    return Draft(
        text=text,
        body=Fact(qualifier=_besides(item, clean)),
        subtype=line(item.get("memory_type"), clean),
        valid_from=started,
        valid_to=ends if ends and started and ends > started else None,
        author=line(item.get("user_id"), clean),
        session=line(item.get("run_id"), clean),
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=SOURCE + (line(item.get("id"), clean) or digest(text)),
        mentions=(
            *mentions(
                FacetType.TAG, [line(tag, clean) for tag in tags] if isinstance(tags, list) else []
            ),
            *mentions(FacetType.PERSON, [agent] if agent else []),
        ),
        renews=True,
    )


def _besides(item: dict[str, Any], clean: Callable[[str], str]) -> str:
    known = {name: item[name] for name in KEPT if item.get(name) not in (None, "", {}, [])}
    if not known:
        return ""
    try:
        shown = json.dumps(_cleaned(known, clean), ensure_ascii=False, sort_keys=True)
    except RecursionError:
        return ""
    return sound(shown, clean) if len(shown) <= LONGEST_KEPT else ""


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    """Clean each text by itself: within JSON its line ends and quotes are not what they were."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(item, clean) for item in value]
    if isinstance(value, dict):
        return {name: _cleaned(item, clean) for name, item in value.items()}
    return value


def _collect(
    histories: dict[str, list[Change]], entries: list[dict[str, Any]], clean: Callable[[str], str]
) -> None:
    for entry in entries:
        id_ = line(entry.get("memory_id") or entry.get("id"), clean)
        at = moment(entry.get("updated_at")) or moment(entry.get("created_at"))
        if id_ and at:
            old, new = (sound(entry.get(name), clean) for name in ("old_memory", "new_memory"))
            event = line(entry.get("event"), clean).upper()
            event = "DELETE" if entry.get("is_deleted") in (True, 1) else event
            histories.setdefault(id_, []).append(Change(old=old, new=new, at=at, event=event))


def _past(now: Draft, history: list[Change]) -> Iterator[Draft]:
    """Give the wordings before the present one, each ended when the next began."""
    ordered = sorted(history, key=lambda change: change.at)
    start = now.valid_from
    for number, change in enumerate(ordered):
        began = start if start and start < change.at else None
        if change.old and change.old != now.text and began:
            yield now.replace(
                text=change.old,
                body=Fact(),
                valid_from=began,
                valid_to=change.at,
                session="",
                source_ref=f"{now.source_ref}#{number}-{digest(change.old)}",
            )
        start = max(change.at, start) if start else change.at


def _deleted(id_: str, history: list[Change]) -> Iterator[Draft]:
    """Give what was deleted as what held until then."""
    ordered = sorted(history, key=lambda change: change.at)
    last = ordered[-1]
    words = next((c.old or c.new for c in reversed(ordered) if c.old or c.new), "")
    if last.event == "DELETE" and words and ordered[0].at < last.at:
        yield Draft(
            text=words,
            valid_from=ordered[0].at,
            valid_to=last.at,
            origin=Origin.IMPORT,
            trust=Trust.IMPORT,
            source_ref=SOURCE + id_,
            renews=True,
        )
