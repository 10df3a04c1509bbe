"""The knowledge graph of the reference memory server: lines of entities and relations.

An entity is a fact that says what it is, each of its observations a fact that elaborates it,
a relation a fact of its own and a link between the two entities. The names stand in the sources
of the memories, so the way back needs nothing else and writes the same lines.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from urllib.parse import quote, unquote

from tacit.body import Fact
from tacit.draft import Draft, LinkTo
from tacit.exchange import files
from tacit.exchange.brought import Brought
from tacit.exchange.naming import digest, line, mentions, sound
from tacit.model import FacetType, Origin, Relation, Trust
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from tacit.model import Link, Memory, UsageEvent

    Tally = Mapping[str, Mapping[UsageEvent, tuple[int, datetime]]]

FILE = "memory.jsonl"
ENTITY = "server-memory:entity/"
RELATION = "server-memory:relation/"
LONGEST_NAME = 300  # characters of a name; quoted it must fit into a source
_NAMED = (FacetType.ENTITY, FacetType.FILE, FacetType.TOPIC, FacetType.TAG)


class Entity(Value):
    """One entity of the graph."""

    name: str
    type: str
    observations: tuple[str, ...]


def sniff(path: str) -> bool:
    """Tell whether a file begins with an entity or a relation."""
    for row in files.beginning(path, 1 << 16).split("\n")[:5]:
        value = files.parse_json(row)
        if isinstance(value, dict) and value.get("type") in ("entity", "relation"):
            return "entityType" in value or "relationType" in value
        if row[:80].replace(" ", "").startswith('{"type":"entity"'):  # cut off by our ceiling
            return True
    return False


def read(path: str, clean: Callable[[str], str]) -> Brought:
    """Read a graph; entities come first, so that relations find both ends."""
    counts: Counter[str] = Counter()
    data = files.read_bytes(path, counts, files.LARGEST_DATA) or b""
    entities: dict[str, Entity] = {}
    relations: dict[tuple[str, str, str], None] = {}
    for item in files.json_lines(data, counts):
        if item.get("type") == "entity" and (entity := _entity(item, clean)):
            known = entities.get(entity.name)
            if known:
                both = dict.fromkeys((*known.observations, *entity.observations))
                entity = known.replace(observations=tuple(both))
            entities[entity.name] = entity
        elif item.get("type") == "relation":
            start, word, end = (
                line(item.get(name), clean, LONGEST_NAME) for name in ("from", "relationType", "to")
            )
            if start and word and end:
                relations[start, word, end] = None
            else:
                counts["left out: broken relation"] += 1
        else:
            counts["left out: no entity"] += 1
    ends: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for start, _, end in relations:
        ends[start][end] = None
    dangling = [r for r in relations if r[0] not in entities or r[2] not in entities]
    counts += Counter({"entities": len(entities), "relations": len(relations)})
    counts += Counter({"observations": sum(len(e.observations) for e in entities.values())})
    counts += Counter({"relations to no entity": len(dangling)})
    drafts = [entity_draft(entity, ends[entity.name]) for entity in entities.values()]
    drafts += [
        observation_draft(entity.name, said)
        for entity in entities.values()
        for said in entity.observations
    ]
    drafts += [relation_draft(*relation) for relation in relations]
    return Brought(drafts=tuple(drafts), counts=tuple(sorted(counts.items())))


def write(
    folder: str,
    memories: Sequence[Memory],
    *,
    links: Sequence[Link],
    usage: Tally,
    load: Callable[[str], str | None],
    now: datetime,
) -> int:
    """Write the graph to a file, or to `memory.jsonl` in a folder; give how many memories it holds."""
    entities: dict[str, tuple[str, dict[str, None]]] = {}
    relations: dict[tuple[str, str, str], None] = {}
    owner: dict[str, str] = {}
    for memory in sorted(memories, key=lambda memory: memory.id):
        if memory.source_ref.startswith(RELATION):
            relations[relation_of(memory)] = None
            continue
        name, said = said_of(memory)
        owner[memory.id] = name
        entity = entities.setdefault(name, (_type(memory), {}))
        if said:
            entity[1][said] = None
    relations |= _linked(links, owner, relations)
    rows = [
        {"type": "entity", "name": name, "entityType": type_, "observations": list(observations)}
        for name, (type_, observations) in entities.items()
    ]
    rows += [
        {"type": "relation", "from": start, "to": end, "relationType": word}
        for start, word, end in relations
        if start in entities and end in entities
    ]
    text = "".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows
    )
    folder, name = (
        (folder, FILE) if os.path.isdir(folder) else os.path.split(os.path.abspath(folder))
    )
    files.write_text(folder, name, text)
    return len(memories)


def _entity(item: dict[str, object], clean: Callable[[str], str]) -> Entity | None:
    name = line(item.get("name"), clean, LONGEST_NAME)
    said = item.get("observations")
    texts = [sound(text, clean) for text in said] if isinstance(said, list) else []
    if not name:
        return None
    return Entity(
        name=name,
        type=line(item.get("entityType"), clean),
        observations=tuple(dict.fromkeys(text for text in texts if text)),
    )


def entity_source(name: str) -> str:
    """Give the source of an entity; what is said of it has it before a #."""
    return ENTITY + quote(name, safe=" ")


def entity_draft(entity: Entity, others: Mapping[str, None]) -> Draft:
    """Give the fact that there is an entity, linked to those it has relations to."""
    return Draft(
        text=f"{entity.name} is of type {entity.type}." if entity.type else entity.name,
        title=entity.name,
        subtype=entity.type,
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=entity_source(entity.name),
        mentions=tuple(mentions(FacetType.ENTITY, [entity.name])),
        links=tuple(
            LinkTo(relation=Relation.RELATED_TO, source_ref=entity_source(other))
            for other in others
            if other != entity.name
        ),
        renews=True,
    )


def observation_draft(name: str, said: str) -> Draft:
    """Give what is said of an entity as a fact of its own."""
    return Draft(
        text=f"{name}: {said}",
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=f"{entity_source(name)}#{digest(said)}",
        mentions=tuple(mentions(FacetType.ENTITY, [name])),
        links=(LinkTo(relation=Relation.ELABORATES, source_ref=entity_source(name)),),
        renews=True,
    )


def relation_draft(start: str, word: str, end: str) -> Draft:
    """Give a relation as a fact about both its ends."""
    return Draft(
        text=f"{start} {word.replace('_', ' ')} {end}",
        body=Fact(qualifier=word),
        subtype="relation",
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=RELATION + "/".join(quote(part, safe=" ") for part in (start, word, end)),
        mentions=tuple(mentions(FacetType.ENTITY, [start, end])),
        links=tuple(
            LinkTo(relation=Relation.ELABORATES, source_ref=entity_source(name))
            for name in dict.fromkeys((start, end))
        ),
        renews=True,
    )


def relation_of(memory: Memory) -> tuple[str, str, str]:
    """Give where a relation starts, its word, and where it ends."""
    start, word, end = (unquote(p) for p in memory.source_ref[len(RELATION) :].split("/"))
    return start, word, end


def said_of(memory: Memory) -> tuple[str, str]:
    """Give the entity a memory belongs to, and what it says of it; nothing for the entity itself."""
    if memory.source_ref.startswith(ENTITY):
        quoted, _, part = memory.source_ref[len(ENTITY) :].partition("#")
        name = unquote(quoted)
        return name, memory.text.removeprefix(f"{name}: ") if part else ""
    names = {m.facet.type: m.facet.name for m in reversed(memory.mentions)}
    name = next((names[type_] for type_ in _NAMED if type_ in names), memory.levels.title)
    return name, memory.text


def _type(memory: Memory) -> str:
    return memory.subtype if memory.source_ref.startswith(ENTITY) else memory.kind.value


def _linked(
    links: Sequence[Link],
    owner: Mapping[str, str],
    known: Mapping[tuple[str, str, str], None],
) -> dict[tuple[str, str, str], None]:
    """Give the links between entities that no relation says already."""
    pairs = {(start, end) for start, _, end in known}
    found: dict[tuple[str, str, str], None] = {}
    for link in links:
        start, end = owner.get(link.src), owner.get(link.dst)
        said = link.origin is not Origin.EXTRACTED  # those were made from relations
        if said and start and end and start != end and (start, end) not in pairs:
            found[start, link.relation.value, end] = None
    return found
