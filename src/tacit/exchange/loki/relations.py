"""Links on their way out: those that were said stay as they were said, new ones are added.

A link stays said while it holds here, and also where one of its ends was never here. It goes
when it was taken away, or with the memory at one of its ends.
"""

from __future__ import annotations

from tacit.clock import show_time
from tacit.exchange.loki.links import Said, embedded, listed, said_by
from tacit.exchange.loki.record import records
from tacit.model import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.codec import Json
    from tacit.exchange.loki.holdings import Holdings
    from tacit.exchange.loki.record import Record
    from tacit.model import Memory

    Key = tuple[str, str, str]


class Relations:
    """The links of one namespace, as they were said and as they are."""

    def __init__(self, holdings: Holdings, said: Iterable[Said], gone: Iterable[str]) -> None:
        self._holdings = holdings
        self._gone = set(gone)
        self._said = {link.key for link in said if link.known}
        self._new = {key: w for key, w in holdings.links.items() if key not in self._said}
        self._new_from: dict[str, list[Key]] = {}
        for key in sorted(self._new):
            self._new_from.setdefault(key[0], []).append(key)

    def told(self, record: Record, memory: Memory) -> Record:
        """Give an entry with its links and source episodes as they are now."""
        id_ = self._holdings.id_of(memory)
        had = records(record.get("links"))
        links = self._kept(had, id_)
        sources = record.get("source_episodes")
        had_sources = sources if isinstance(sources, list) else []
        episodes = self._episodes(had_sources, id_)
        for key in self._new_from.get(id_, ()):
            _, relation, dst = key
            if relation == "derived_from" and self._is_episode(dst):
                episodes.append(dst)
            else:
                links.append({"to": dst, "relation": relation, "strength": self._new[key]})
        changed: Record = {"links": links} if links != had else {}
        return {
            **record,
            **changed,
            **({"source_episodes": episodes} if episodes != had_sources else {}),
        }

    def source(self, record: Record, memory: Memory) -> Record:
        """Give a lesson with the episode it came from; one it had stays unless that is gone."""
        id_ = self._holdings.id_of(memory)
        had = record.get("source")
        if had and all(self._holds(said) for said in embedded(record, id_)):
            return record
        new = (dst for _, _, dst in self._new_from.get(id_, ()) if self._is_episode(dst))
        episode = next(new, None)
        return {**record, "source": episode} if had or episode else record

    def all(self, original: Json) -> Json:
        """Give links.json: as it was where nothing changed, else with what is now."""
        entries = listed(original)
        kept = self._kept(entries, "")
        keys = self._new if original is not None else self._holdings.links
        added: list[Json] = [
            {"from": src, "to": dst, "relation": relation, "strength": weight}
            for (src, relation, dst), weight in sorted(keys.items())
        ]
        if original is not None and not added and kept == entries:
            return original
        around = original if isinstance(original, dict) and "links" in original else {}
        stamp: Record = {"version": "1.0", "last_updated": show_time(self._holdings.now)}
        return {**stamp, **around, "last_updated": stamp["last_updated"], "links": kept + added}

    def _kept(self, entries: list[Record], src: str) -> list[Json]:
        kept: list[Json] = []
        for entry in entries:
            said = said_by(entry, src)
            if self._holds(said):
                weight = self._holdings.links.get(said.key, said.weight)
                kept.append(entry if weight == said.weight else {**entry, "strength": weight})
        return kept

    def _holds(self, said: Said) -> bool:
        if not said.known:
            return True
        if said.src in self._gone or said.dst in self._gone:
            return False
        both = self._holdings.at(said.src) and self._holdings.at(said.dst)
        return not both or said.key in self._holdings.links

    def _episodes(self, found: list[Json], id_: str) -> list[Json]:
        return [
            each
            for each in found
            if not isinstance(each, str)
            or self._holds(Said(src=id_, relation="derived_from", dst=each))
        ]

    def _is_episode(self, id_: str) -> bool:
        memory = self._holdings.at(id_)
        return memory is not None and memory.kind is Kind.EPISODE
