"""The tools of the reference memory server, kept as memories: a drop-in for those who have it.

Entities, observations and relations are kept as the import of its file keeps them, so what was
brought in and what is said here are one graph. What else is remembered is not part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import ConfigDict, Field

from tacit.errors import NotFound
from tacit.exchange import server_memory
from tacit.exchange.naming import line, sound
from tacit.interfaces.mcp import fit
from tacit.interfaces.mcp.offer import ADDS, READS, TAKES, offer
from tacit.interfaces.mcp.shapes import Shape
from tacit.model import Kind, Origin, State, Trust
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from mcp.server import MCPServer

    from tacit.draft import Draft
    from tacit.interfaces.mcp.late import Late
    from tacit.model import Memory

FOUND = 50  # memories a search looks at
CUT = "cut: the graph is larger than one answer; use search_nodes or open_nodes"


class Entity(Shape):
    """A thing the graph knows, and what is said of it."""

    name: str
    entityType: str = ""  # noqa: N815  # the name on the wire
    observations: list[str] = []


class Relation(Shape):
    """A directed relation between two entities, in the active voice."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True, serialize_by_alias=True)

    start: str = Field(alias="from")
    to: str
    relationType: str  # noqa: N815  # as above


class Said(Shape):
    """What is to be said of an entity."""

    entityName: str  # noqa: N815  # as above
    contents: list[str]


class Added(Shape):
    """What was new of it."""

    entityName: str  # noqa: N815  # as above
    addedObservations: list[str]  # noqa: N815  # as above


class Unsaid(Shape):
    """What is no longer to be said of an entity."""

    entityName: str  # noqa: N815  # as above
    observations: list[str]


class Graph(Shape):
    """Entities and the relations between them."""

    entities: list[Entity]
    relations: list[Relation]
    note: str = ""


class Entities(Shape):
    """Entities that were new."""

    entities: list[Entity]


class Relations(Shape):
    """Relations that were new."""

    relations: list[Relation]


class Observations(Shape):
    """Observations that were new."""

    results: list[Added]


Names = Annotated[list[str], Field(description="names of entities")]


def register(app: MCPServer[Any], late: Late) -> None:
    """Offer the tools under the names the reference server has."""
    offer(app, late, create_entities, ADDS, "Create entities")
    offer(app, late, create_relations, ADDS, "Create relations")
    offer(app, late, add_observations, ADDS, "Add observations")
    offer(app, late, delete_entities, TAKES, "Delete entities")
    offer(app, late, delete_observations, TAKES, "Delete observations")
    offer(app, late, delete_relations, TAKES, "Delete relations")
    offer(app, late, read_graph, READS, "Read the graph")
    offer(app, late, search_nodes, READS, "Search nodes")
    offer(app, late, open_nodes, READS, "Open nodes")


def create_entities(tacit: Tacit, entities: list[Entity]) -> Entities:
    """Call this to add new entities (people, services, concepts) to the knowledge graph.

    Those whose name is taken stay as they are; gives the ones that were new.
    """
    asked = [_clean(entity) for entity in entities]
    known = _sources(tacit, [server_memory.entity_source(each.name) for each in asked])
    new = {e.name: e for e in asked if server_memory.entity_source(e.name) not in known}
    values = [
        server_memory.Entity(name=e.name, type=e.entityType, observations=tuple(e.observations))
        for e in new.values()
    ]
    drafts = [server_memory.entity_draft(each, {}) for each in values]
    drafts += [
        server_memory.observation_draft(each.name, said)
        for each in values
        for said in each.observations
    ]
    _write(tacit, drafts)
    return Entities(entities=list(new.values()))


def create_relations(tacit: Tacit, relations: list[Relation]) -> Relations:
    """Call this to relate entities of the knowledge graph, in the active voice: Ana leads Shop.

    Relations that are there stay as they are; gives the ones that were new.
    """
    asked = {(_name(r.start), _name(r.relationType), _name(r.to)): r for r in relations}
    drafts = [server_memory.relation_draft(*each) for each in asked if all(each)]
    new = _write(tacit, drafts)
    return Relations(relations=[_relation(memory) for memory in new])


def add_observations(tacit: Tacit, observations: list[Said]) -> Observations:
    """Call this to say something new of entities that are in the knowledge graph.

    Gives what was new for each; an entity that is not there is an error.
    """
    said = [
        (_name(each.entityName), [_text(text) for text in each.contents]) for each in observations
    ]
    known = _sources(tacit, [server_memory.entity_source(name) for name, _ in said])
    for name, _ in said:
        if server_memory.entity_source(name) not in known:
            raise NotFound(f"Entity with name {name} not found")
    drafts = [
        server_memory.observation_draft(name, text)
        for name, texts in said
        for text in texts
        if text
    ]
    added: dict[str, list[str]] = {name: [] for name, _ in said}
    for memory in _write(tacit, drafts):
        name, text = server_memory.said_of(memory)
        added[name].append(text)
    results = [Added(entityName=name, addedObservations=texts) for name, texts in added.items()]
    return Observations(results=results)


def delete_entities(tacit: Tacit, entityNames: Names) -> str:  # noqa: N803  # the name on the wire
    """Call this to take entities out of the knowledge graph, with what is said of them.

    Relations to them go as well. All of it can be restored.
    """
    names = {_name(name) for name in entityNames}
    _forget(tacit, (m for m in _graph(tacit) if names & _named(m)))
    return "Entities deleted successfully"


def delete_observations(tacit: Tacit, deletions: list[Unsaid]) -> str:
    """Call this to take single observations of entities out of the knowledge graph."""
    gone = {
        (_name(each.entityName), _text(said)) for each in deletions for said in each.observations
    }
    _forget(
        tacit,
        (m for m in _graph(tacit) if not _is_relation(m) and server_memory.said_of(m) in gone),
    )
    return "Observations deleted successfully"


def delete_relations(tacit: Tacit, relations: list[Relation]) -> str:
    """Call this to take relations out of the knowledge graph."""
    gone = {(_name(r.start), _name(r.relationType), _name(r.to)) for r in relations}
    _forget(
        tacit,
        (m for m in _graph(tacit) if _is_relation(m) and server_memory.relation_of(m) in gone),
    )
    return "Relations deleted successfully"


def read_graph(tacit: Tacit) -> Graph:
    """Call this to see all of the knowledge graph; for one question use search_nodes.

    Gives entities with their observations, and relations; at most 9,000 tokens.
    """
    return _shown(tacit, _graph(tacit))


def search_nodes(
    tacit: Tacit, query: Annotated[str, Field(description="words of names, types or observations")]
) -> Graph:
    """Call this to find entities of the knowledge graph by what is said of them.

    Gives the entities that fit, best first, and the relations between them.
    """
    hits = tacit.recall(query, limit=FOUND, kinds=(Kind.FACT,))
    ours = [hit.memory for hit in hits if _is_ours(hit.memory)]
    names = dict.fromkeys(name for memory in ours for name in sorted(_named(memory)))
    return _opened(tacit, list(names))


def open_nodes(tacit: Tacit, names: Names) -> Graph:
    """Call this to see entities of the knowledge graph by name, and the relations between them.

    Names that are not there are left out.
    """
    return _opened(tacit, [_name(name) for name in names])


def _opened(tacit: Tacit, names: Sequence[str]) -> Graph:
    wanted = set(names)
    found = [m for m in _graph(tacit) if _named(m) <= wanted]
    order = {name: place for place, name in enumerate(names)}
    found.sort(key=lambda memory: min(order[name] for name in _named(memory)))
    return _shown(tacit, found)


def _shown(tacit: Tacit, memories: Iterable[Memory]) -> Graph:
    entities: dict[str, Entity] = {}
    relations: list[Relation] = []
    for memory in memories:
        if _is_relation(memory):
            relations.append(_relation(memory))
            continue
        name, said = server_memory.said_of(memory)
        entity = entities.setdefault(name, Entity(name=name))
        if said:
            entity.observations.append(said)
        else:
            entity.entityType = memory.subtype
    between = [each for each in relations if each.start in entities and each.to in entities]
    counter = tacit.counter
    shown, gone = fit.fill(entities.values(), lambda each: counter.count(each.as_text()), 6_500)
    kept, more = fit.fill(between, lambda each: counter.count(each.as_text()), 2_000)
    return Graph(entities=shown, relations=kept, note=CUT if gone or more else "")


def _graph(tacit: Tacit) -> list[Memory]:
    """Give the memories the graph is made of, oldest first."""
    return [m for m in tacit.list(kinds=(Kind.FACT,), order="id") if _is_ours(m)]


def _sources(tacit: Tacit, sources: Sequence[str]) -> set[str]:
    """Tell which of the sources have a memory that is served."""
    return {m.source_ref for m in tacit.list(sources=tuple(sources))} if sources else set()


def _write(tacit: Tacit, drafts: Sequence[Draft]) -> list[Memory]:
    """Keep what is not there yet, bring back what was deleted, and give what is new by that."""
    ours = {
        each.source_ref: each.replace(origin=Origin.AGENT, trust=Trust.AGENT) for each in drafts
    }
    for known in _sources(tacit, list(ours)):
        del ours[known]
    if not ours:
        return []
    gone = tacit.list(sources=tuple(ours), states=(State.FORGOTTEN,))
    back = [tacit.restore(memory.id, by="agent") for memory in gone]
    for memory in back:
        ours.pop(memory.source_ref, None)
    written = tacit.write(list(ours.values())).memories if ours else ()
    return [*back, *(memory for memory in written if memory.source_ref in ours)]


def _forget(tacit: Tacit, memories: Iterable[Memory]) -> None:
    for memory in list(memories):
        tacit.forget(memory.id, by="agent")


def _is_ours(memory: Memory) -> bool:
    return memory.source_ref.startswith((server_memory.ENTITY, server_memory.RELATION))


def _is_relation(memory: Memory) -> bool:
    return memory.source_ref.startswith(server_memory.RELATION)


def _named(memory: Memory) -> set[str]:
    """Give the entities a memory of the graph is about."""
    if _is_relation(memory):
        start, _, end = server_memory.relation_of(memory)
        return {start, end}
    return {server_memory.said_of(memory)[0]}


def _relation(memory: Memory) -> Relation:
    start, word, end = server_memory.relation_of(memory)
    return Relation.model_validate({"from": start, "relationType": word, "to": end})


def _clean(entity: Entity) -> Entity:
    said = dict.fromkeys(text for text in map(_text, entity.observations) if text)
    name, type_ = _name(entity.name), _name(entity.entityType)
    if not name:
        raise NotFound("an entity needs a name")
    return Entity(name=name, entityType=type_, observations=list(said))


def _name(text: str) -> str:
    return line(text, _redacted, server_memory.LONGEST_NAME)


def _text(text: str) -> str:
    return sound(text, _redacted)


def _redacted(text: str) -> str:
    from tacit.ingest.redaction import redact

    return redact(text).text
