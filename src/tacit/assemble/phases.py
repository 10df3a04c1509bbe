"""What a phase of work builds on: found by walking links alone, without any search.

A phase requires others, others provide it with things or affect it. Those are what whoever
works on it must know.
"""

from __future__ import annotations

from tacit.body import Episode
from tacit.model import Facet, FacetType, Relation, State
from tacit.store.protocol import Filter
from tacit.text import squash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.model import Link, Memory
    from tacit.store.protocol import Reader

RELATIONS = (Relation.REQUIRES, Relation.PROVIDES, Relation.AFFECTS)
DEPTH = 3  # what is needed by what is needed; beyond that it is the whole project
MOST = 100


def for_phase(reader: Reader, phase: str, *, limit: int = MOST) -> list[Memory]:
    """Give the memories of a phase, then those it depends on, the nearest first.

    A phase is named by its folder (`02-auth`), its number or its name.
    """
    own = _of_phase(reader, phase)
    order = {memory.id: (0, 0.0) for memory in own}
    edge = list(order)
    for distance in range(1, DEPTH + 1):
        found = _needed(reader.links(edge, RELATIONS), set(edge), direct=distance == 1)
        edge = [id_ for id_ in found if id_ not in order]
        order |= {id_: (distance, -found[id_]) for id_ in edge}
        if not edge:
            break
    live = [memory for memory in reader.get(list(order)) if _is_live(memory)]
    live.sort(key=lambda m: (*order[m.id], m.validity.valid_from, m.id))
    return live[:limit]


def _needed(links: Iterable[Link], within: set[str], *, direct: bool) -> dict[str, float]:
    """Give what some memories need, and how strongly; what merely affects counts only near."""
    found: dict[str, float] = {}
    for link in links:
        if link.valid_to is not None:
            continue
        needs = link.relation is Relation.REQUIRES
        here, there = (link.src, link.dst) if needs else (link.dst, link.src)
        if here in within and (direct or link.relation is not Relation.AFFECTS):
            found[there] = max(found.get(there, 0.0), link.weight)
    return found


def _of_phase(reader: Reader, phase: str) -> list[Memory]:
    wanted = _name(phase)
    topic = Facet(type=FacetType.TOPIC, name=f"phase {phase.strip()}") if phase.strip() else None
    if topic is None:
        return []
    named = reader.mentioning([topic], Filter(), limit=MOST)
    ids = dict.fromkeys(id_ for id_, _ in named)
    if not ids:  # by number or name: only what is linked as a phase can be meant
        links = reader.links(None, RELATIONS)
        ends = dict.fromkeys(end for link in links for end in (link.src, link.dst))
        ids = dict.fromkeys(
            memory.id for memory in reader.get(list(ends)) if wanted & _names(memory)
        )
    return [memory for memory in reader.get(list(ids)) if _is_live(memory)]


def _names(memory: Memory) -> set[str]:
    told = [memory.body.phase] if isinstance(memory.body, Episode) else []
    told += [m.facet.name for m in memory.mentions if m.facet.type is FacetType.TOPIC]
    return {name for each in told for name in _name(each)}


def _name(phase: str) -> set[str]:
    """Give the ways to name a phase: as a whole, by its number, by its name."""
    plain = squash(phase).removeprefix("phase").strip(" :#").replace("_", "-").replace(" ", "-")
    number, _, rest = plain.partition("-")
    if number.replace(".", "").isdigit():
        short = ".".join(part.lstrip("0") or "0" for part in number.split("."))
        return {f"{short}-{rest}", f"#{short}", rest} - {"", f"{short}-"} if rest else {f"#{short}"}
    return {plain} - {""}


def _is_live(memory: Memory) -> bool:
    return memory.state is State.ACTIVE and memory.retired_at is None
