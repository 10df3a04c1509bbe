"""The PostgreSQL engine: the `Store` protocol over one tenant of a database."""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import from_micros, micros
from tacit.codec import from_json, to_json
from tacit.errors import Denied
from tacit.model import (
    Contradiction,
    Facet,
    FacetType,
    Judged,
    Kind,
    Link,
    Memory,
    Mention,
    Origin,
    Relation,
    Revision,
    Role,
    State,
    Usage,
    UsageEvent,
)
from tacit.record import QueryRecord, SessionRecord
from tacit.store.postgres import contradictions, copies, totals
from tacit.store.postgres.database import Database
from tacit.store.postgres.location import parse
from tacit.store.postgres.members import Members
from tacit.store.postgres.nearest import PRESENT, Nearest, same_space
from tacit.store.postgres.rows import REPLACING, SELECT, WRITTEN, from_row, to_row
from tacit.store.postgres.search import Search
from tacit.store.postgres.where import FEW, conditions, latest_of_each
from tacit.store.postgres.words import Floats
from tacit.store.protocol import VIEW, Card, Observed, Stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from typing import Any

    from tacit.roles import Asker, AuditEntry
    from tacit.store.protocol import Counted, Filter, Frequent, Match, Vector
    from tacit.value import Value

ORDERS = {
    "id": "m.id",
    "-id": "m.id DESC",
    "recorded_at": "m.recorded_at, m.id",
    "-recorded_at": "m.recorded_at DESC, m.id DESC",
    "valid_from": "m.valid_from, m.id",
    "-valid_from": "m.valid_from DESC, m.id DESC",
}
# Documents made of what one member sees or does, and of nobody else's business.
PERSONAL = (VIEW, "bypass", "consolidate:", "dead_letters", "llm:", "predictions", "signal:")
LAST = "\U0010ffff"


class PostgresStore:
    """Memories of one tenant, as one member sees them."""

    def __init__(
        self, location: str, *, create: bool = True, tenant: str = "", member: str = ""
    ) -> None:
        self._db = Database(parse(location, tenant=tenant, member=member), create=create)
        self._tenant = self._db.tenant
        self._member = self._db.location.member
        self._nearest = Nearest(self._db)
        self._search = Search(self._db, self._nearest)
        self.members = Members(self._db)

    @property
    def path(self) -> str:
        """Where the database is, without the login."""
        return self._db.path

    def asker(self) -> Asker:
        return self.members.asker()

    def add_audit(self, entries: Sequence[AuditEntry]) -> None:
        self.members.add_audit(entries)

    def audit(self, *, limit: int) -> list[AuditEntry]:
        return self.members.audit(limit=limit)

    def close(self) -> None:
        self._db.close()

    def transaction(
        self, *, durable: bool = True, hoping: bool = False
    ) -> AbstractContextManager[None]:
        return self._db.transaction(durable=durable, hoping=hoping)

    # Memories

    def put(self, memories: Sequence[Memory]) -> None:
        memories = list({memory.id: memory for memory in memories}.values())
        with self.transaction():
            if not self._only_rewrites_blocks(memories):
                self._db.write("SELECT tacit_drop_views()")
            rows = [to_row(memory, self._tenant) for memory in memories]
            self._db.insert("memory", WRITTEN, rows, conflict=REPLACING)
            numbers = self._numbers([memory.id for memory in memories])
            self._db.write(
                f"DELETE FROM mention WHERE tenant = {self._tenant} AND memory = ANY(%s)",
                (list(numbers.values()),),
            )
            self._put_mentions([(numbers[memory.id], memory.mentions) for memory in memories])

    def _only_rewrites_blocks(self, memories: Sequence[Memory]) -> bool:
        """Tell whether nothing changes but the words of pages: so it is after every turn."""
        pages = all(m.kind is Kind.BLOCK and not m.mentions for m in memories)
        if not pages or any(m.state is not State.ACTIVE or m.validity.valid_to for m in memories):
            return False
        live = self._db.rows(
            f"SELECT count(*) FROM memory AS m WHERE m.tenant = {self._tenant} "
            "AND m.id = ANY(%s) AND m.state = 'active' AND m.valid_to IS NULL "
            "AND m.kind = 'block' AND NOT EXISTS "
            "(SELECT 1 FROM mention AS f WHERE f.tenant = m.tenant AND f.memory = m.row)",
            ([memory.id for memory in memories],),
        )
        return int(live[0][0]) == len(memories)

    def _put_mentions(self, mentions: Sequence[tuple[int, tuple[Mention, ...]]]) -> None:
        columns = ("tenant", "memory", "type", "norm", "compact", "role", "name", "count")
        rows = [
            (
                *(self._tenant, number, m.facet.type.value, m.facet.norm, m.facet.compact),
                *(m.role.value, m.facet.name, m.count),
            )
            for number, some in mentions
            for m in some
        ]
        self._db.insert("mention", columns, rows)

    def get(self, ids: Sequence[str]) -> list[Memory]:
        found = {memory.id: memory for memory in self._memories("m.id = ANY(%s)", (list(ids),))}
        return [found[id_] for id_ in ids if id_ in found]

    def shorts(self, names: Sequence[str]) -> dict[str, str]:
        return dict(
            self._db.rows(
                f"SELECT short, id FROM memory WHERE tenant = {self._tenant} AND short = ANY(%s)",
                (list(names),),
            )
        )

    def resolve(self, prefix: str, *, limit: int) -> list[str]:
        one = f"SELECT id FROM memory WHERE tenant = {self._tenant} AND"
        rows = self._db.rows(
            f"{one} id >= %s AND id < %s UNION {one} short >= %s AND short < %s ORDER BY id LIMIT %s",
            (prefix, prefix + LAST, prefix, prefix + LAST, limit),
        )
        return [str(id_) for (id_,) in rows]

    def scan(
        self, where: Filter, *, order: str = "id", limit: int | None = None
    ) -> Iterator[Memory]:
        sql, values = conditions(where)
        if limit is not None and order == "-recorded_at" and 1 < len(where.subtypes) <= FEW:
            sql, values = latest_of_each(where, self._tenant, limit)
        return iter(self._memories(f"{sql} ORDER BY {ORDERS[order]} LIMIT %s", [*values, limit]))

    def scan_ids(self, where: Filter, *, order: str = "id", limit: int | None = None) -> list[str]:
        sql, values = conditions(where)
        rows = self._db.rows(
            f"SELECT m.id FROM memory AS m WHERE m.tenant = {self._tenant} AND {sql} "
            f"ORDER BY {ORDERS[order]} LIMIT %s",
            [*values, limit],
        )
        return [str(id_) for (id_,) in rows]

    def erase(self, ids: Sequence[str]) -> int:
        with self.transaction():
            self._db.write("SELECT tacit_drop_views()")
            gone = self._db.write(
                f"DELETE FROM memory WHERE tenant = {self._tenant} AND id = ANY(%s) "
                "RETURNING source_ref",
                (list(ids),),
            )
            if left := self._numbers(ids):
                raise Denied(
                    f"{self._member} may not erase {next(iter(left))}: "
                    "that is for admins, and for the author of what is private"
                )
            sources = sorted({str(source) for (source,) in gone if source})
            self._db.write(
                "SELECT tacit_erase_traces(%s::text[], %s::text[])", (list(ids), sources)
            )
        return len(gone)

    def mentions(self, ids: Sequence[str]) -> dict[str, tuple[Mention, ...]]:
        numbers = self._numbers(ids)
        found = self._mentions(list(numbers.values()))
        return {id_: tuple(found[n]) for id_, n in numbers.items() if n in found}

    def _memories(self, where: str, values: Sequence[Any]) -> list[Memory]:
        """Read memories at once: none is half old, half new."""
        with self._db.snapshot():
            rows = self._db.rows(
                f"SELECT m.row, {SELECT} FROM memory AS m "
                f"WHERE m.tenant = {self._tenant} AND {where}",
                values,
            )
            mentions = self._mentions([row[0] for row in rows])
        return [from_row(row[1:], tuple(mentions.get(row[0], ()))) for row in rows]

    def _mentions(self, numbers: Sequence[int]) -> dict[int, list[Mention]]:
        found: dict[int, list[Mention]] = {}
        if not numbers:
            return found
        for memory, type_, name, role, count in self._db.rows(
            "SELECT memory, type, name, role, count FROM mention "
            f"WHERE tenant = {self._tenant} AND memory = ANY(%s) "
            "ORDER BY memory, type, norm, role",
            (list(numbers),),
        ):
            facet = Facet.from_row((FacetType(type_), name))
            found.setdefault(memory, []).append(Mention.from_row((facet, Role(role), count)))
        return found

    # Links and facets

    def link(self, links: Sequence[Link]) -> None:
        self._write_many(
            "INSERT INTO link (tenant, src, relation, dst, weight, origin, valid_from, valid_to) "
            "SELECT a.tenant, a.row, %s, b.row, %s, %s, %s, %s FROM memory AS a, memory AS b "
            f"WHERE a.tenant = {self._tenant} AND b.tenant = {self._tenant} "
            "AND a.id = %s AND b.id = %s ON CONFLICT (tenant, src, relation, dst) DO UPDATE SET "
            "weight = excluded.weight, origin = excluded.origin, "
            "valid_from = excluded.valid_from, valid_to = excluded.valid_to",
            [
                (
                    link.relation.value,
                    link.weight,
                    link.origin.value,
                    micros(link.valid_from),
                    None if link.valid_to is None else micros(link.valid_to),
                    link.src,
                    link.dst,
                )
                for link in links
            ],
        )

    def unlink(self, links: Sequence[Link]) -> int:
        with self.transaction():
            return self._db.many(
                f"DELETE FROM link WHERE tenant = {self._tenant} AND relation = %s "
                f"AND src = (SELECT row FROM memory WHERE tenant = {self._tenant} AND id = %s) "
                f"AND dst = (SELECT row FROM memory WHERE tenant = {self._tenant} AND id = %s)",
                [(link.relation.value, link.src, link.dst) for link in links],
            )

    def links(self, ids: Sequence[str] | None, relations: Sequence[Relation] = ()) -> list[Link]:
        chosen = f"l.tenant = {self._tenant}"
        values: list[Any] = []
        if ids is not None:
            chosen += " AND (l.src = ANY(named.rows) OR l.dst = ANY(named.rows))"
        if relations:
            chosen += " AND l.relation = ANY(%s)"
            values.append([relation.value for relation in relations])
        rows = self._db.rows(
            "WITH named AS MATERIALIZED (SELECT array_agg(row) AS rows FROM memory "
            f"WHERE tenant = {self._tenant} AND id = ANY(%s)) "
            "SELECT a.id, b.id, l.relation, l.weight, l.origin, l.valid_from, l.valid_to "
            "FROM named CROSS JOIN link AS l "
            f"JOIN memory AS a ON a.tenant = {self._tenant} AND a.row = l.src "
            f"JOIN memory AS b ON b.tenant = {self._tenant} AND b.row = l.dst "
            f"WHERE {chosen} ORDER BY 1, 3, 2",
            [list(ids or ()), *values],
        )
        return [
            Link(
                src=src,
                dst=dst,
                relation=Relation(relation),
                weight=weight,
                origin=Origin(origin),
                valid_from=from_micros(valid_from),
                valid_to=None if valid_to is None else from_micros(valid_to),
            )
            for src, dst, relation, weight, origin, valid_from, valid_to in rows
        ]

    def mentioning(
        self, facets: Sequence[Facet], where: Filter, *, limit: int
    ) -> list[tuple[str, Mention]]:
        if not facets:
            return []
        sql, values = conditions(where)
        rows = self._db.rows(
            "SELECT w.place, n.id, n.role, n.count "
            "FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY AS w (norm, type, place) "
            "CROSS JOIN LATERAL (SELECT m.id, f.memory, f.role, f.count FROM mention AS f "
            f"JOIN memory AS m ON m.tenant = {self._tenant} AND m.row = f.memory "
            f"WHERE f.tenant = {self._tenant} AND f.norm = w.norm AND f.type = w.type AND {sql} "
            "ORDER BY f.memory DESC, f.role LIMIT %s) AS n "
            "ORDER BY w.place, n.memory DESC, n.role",
            [[f.norm for f in facets], [f.type.value for f in facets], *values, limit],
        )
        return [
            (id_, Mention(facet=facets[place - 1], role=Role(role), count=count))
            for place, id_, role, count in rows
        ]

    def facet_counts(self, facets: Sequence[Facet]) -> dict[Facet, int]:
        if not facets:
            return {}
        rows = self._db.rows(
            "SELECT w.place, count(DISTINCT f.memory) "
            "FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY AS w (norm, type, place) "
            f"JOIN mention AS f ON f.tenant = {self._tenant} "
            "AND f.norm = w.norm AND f.type = w.type GROUP BY w.place",
            [[f.norm for f in facets], [f.type.value for f in facets]],
        )
        counted = dict(rows)
        return {facet: counted.get(place, 0) for place, facet in enumerate(facets, 1)}

    def known_names(self, names: Sequence[str]) -> list[Facet]:
        rows = self._db.rows(
            f"SELECT DISTINCT type, norm FROM mention WHERE tenant = {self._tenant} "
            "AND compact = ANY(%s) ORDER BY type, norm",
            (list(names),),
        )
        return [Facet(type=FacetType(type_), name=norm) for type_, norm in rows]

    def frequent(self, types: Sequence[FacetType], where: Filter, *, limit: int) -> list[Frequent]:
        return totals.frequent(self._db, types, where, limit)

    def reach(self, groups: Sequence[Sequence[Facet]], where: Filter) -> list[int]:
        return totals.reach(self._db, groups, where)

    def count(self, where: Filter) -> int:
        return totals.count(self._db, where)

    def next_change(self, at: datetime) -> datetime | None:
        return totals.next_change(self._db, at)

    def full_tokens(self, where: Filter) -> int:
        return totals.full_tokens(self._db, where)

    # Candidates

    def match_text(self, words: Sequence[str], where: Filter, *, limit: int) -> list[Match]:
        return self._search.by_words(words, where, limit)

    def match_vector(self, model: str, vector: bytes, where: Filter, *, limit: int) -> list[Match]:
        return self.match_vectors(model, [vector], where, limit=limit)[0]

    def match_vectors(
        self,
        model: str,
        vectors: Sequence[bytes],
        where: Filter,
        *,
        limit: int,
        floor: float = -2.0,
    ) -> list[list[Match]]:
        return self._nearest.by_vectors(model, vectors, where, limit, floor)

    def match_both(
        self, words: Sequence[str], model: str, vector: bytes, where: Filter, *, limit: int
    ) -> tuple[list[Match], list[Match]]:
        return self._search.by_both(words, model, vector, where, limit)

    def compare_vector(self, model: str, vector: bytes, ids: Sequence[str]) -> dict[str, float]:
        return self._nearest.cosines(model, vector, ids)

    def count_words(self, words: Sequence[str]) -> Counted:
        return self._search.count(words)

    def cards(self, ids: Sequence[str], where: Filter) -> dict[str, Card]:
        sql, values = conditions(where)
        rows = self._db.rows(
            "SELECT m.id, m.words, m.terms, m.kind, m.tier, m.temporal, m.trust, m.author, "
            "m.session, m.recorded_at, m.unverified::integer, m.polarity, "
            "(m.pinned OR m.confirmed_by <> '')::integer, m.evidence::integer FROM memory AS m "
            f"WHERE m.tenant = {self._tenant} AND m.id = ANY(%s) AND {sql}",
            [list(ids), *values],
        )
        return {row[0]: Card.from_row(row) for row in rows}

    # Vectors

    def put_vectors(self, model: str, vectors: Sequence[Vector]) -> None:
        if not vectors:
            return
        with self.transaction(durable=False):
            dimension = self._nearest.dimension(model) or len(vectors[0].data) // 4
            for vector in vectors:
                same_space(model, vector.data, dimension)
            numbers = self._numbers([vector.memory_id for vector in vectors])
            rows = {
                (numbers[v.memory_id], v.part): (
                    *(self._tenant, numbers[v.memory_id], model, v.part, v.text_hash),
                    Floats(v.data),
                )
                for v in vectors
                if v.memory_id in numbers
            }
            if rows:
                self._db.write(
                    "INSERT INTO space (tenant, model, dim) VALUES (%s, %s, %s) "
                    "ON CONFLICT DO NOTHING",
                    (self._tenant, model, dimension),
                )
                self._db.insert(
                    "embedding",
                    ("tenant", "memory", "model", "part", "text_hash", "vec"),
                    list(rows.values()),
                    conflict="ON CONFLICT (tenant, model, memory, part) "
                    "DO UPDATE SET text_hash = excluded.text_hash, vec = excluded.vec",
                    types=("int4", "int8", "text", "int4", "text", "vector"),
                )
        self._nearest.index_vectors(model)

    def vectors(self, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        rows = self._db.rows(
            "SELECT m.id, e.vec FROM memory AS m JOIN embedding AS e "
            f"ON e.tenant = {self._tenant} AND e.memory = m.row AND e.text_hash = m.hash "
            f"WHERE m.tenant = {self._tenant} AND m.id = ANY(%s) AND e.model = %s AND e.part = 0",
            (list(ids), model),
        )
        return dict(rows)

    def drop_vectors(self, model: str) -> int:
        with self.transaction(durable=False):
            gone = self._db.many(
                f"DELETE FROM embedding WHERE tenant = {self._tenant} AND model = %s", [(model,)]
            )
            self._db.many(
                f"DELETE FROM space WHERE tenant = {self._tenant} AND model = %s", [(model,)]
            )
        return gone

    def unembedded(self, model: str, *, after: str = "", limit: int) -> list[Memory]:
        return self._memories(
            f"m.id > %s AND NOT {PRESENT} ORDER BY m.id LIMIT %s", (after, model, limit)
        )

    def count_unembedded(self, model: str) -> int:
        rows = self._db.rows(
            f"SELECT count(*) FROM memory AS m WHERE m.tenant = {self._tenant} AND NOT {PRESENT}",
            (model,),
        )
        return int(rows[0][0])

    # History, usage, contradictions, documents

    def add_revisions(self, revisions: Sequence[Revision]) -> None:
        rows = [
            (
                *(self._tenant, r.memory.id, r.memory.rev, micros(r.at)),
                *(r.by, r.op, r.note, _dump(r.memory)),
            )
            for r in revisions
        ]
        columns = ("tenant", "memory", "rev", "at", "by", "op", "note", "snapshot")
        if rows:
            with self.transaction():
                self._db.insert("revision", columns, rows, conflict="ON CONFLICT DO NOTHING")

    def revisions(self, ids: Sequence[str] | None) -> list[Revision]:
        chosen, values = ("TRUE", []) if ids is None else ("memory = ANY(%s)", [list(ids)])
        rows = self._db.rows(
            "SELECT snapshot, at, by, op, note FROM revision "
            f"WHERE tenant = {self._tenant} AND {chosen} ORDER BY memory, rev, at, by, op",
            values,
        )
        return [
            Revision(memory=_load(snapshot), at=from_micros(at), by=by, op=op, note=note)
            for snapshot, at, by, op, note in rows
        ]

    def add_usage(self, events: Sequence[Usage]) -> None:
        rows = sorted(  # in one order, so that no two who add the same wait for each other
            (self._tenant, e.query_id, e.memory_id, e.event.value, micros(e.at), e.note)
            for e in _first_of_each(events)
        )
        columns = ("tenant", "query", "memory", "event", "at", "note")
        if rows:
            with self._db.transaction(durable=False, turn=False):
                self._db.insert("usage", columns, rows, conflict="ON CONFLICT DO NOTHING")

    def usage(self) -> Iterator[Usage]:
        for query, memory, event, at, note in self._db.rows(
            f"SELECT query, memory, event, at, note FROM usage WHERE tenant = {self._tenant} "
            "ORDER BY memory, event, query"
        ):
            yield Usage(
                query_id=query,
                memory_id=memory,
                event=UsageEvent(event),
                at=from_micros(at),
                note=note,
            )

    def tally(self, ids: Sequence[str] | None) -> dict[str, dict[UsageEvent, tuple[int, datetime]]]:
        found: dict[str, dict[UsageEvent, tuple[int, datetime]]] = {}
        for memory, event, count, last in self._db.rows(
            "SELECT memory, event, count(*), max(at) FROM usage "
            f"WHERE tenant = {self._tenant} {'' if ids is None else 'AND memory = ANY(%s) '}"
            "GROUP BY memory, event",
            () if ids is None else (list(ids),),
        ):
            found.setdefault(memory, {})[UsageEvent(event)] = (count, from_micros(last))
        return found

    def passed_over(self, after: Mapping[str, datetime | None]) -> dict[str, int]:
        since = [micros(at) if at else 0 for at in after.values()]
        rows = self._db.rows(
            "WITH missed AS MATERIALIZED (SELECT u.memory, q.session "
            "FROM unnest(%s::text[], %s::bigint[]) AS w (memory, since) "
            f"JOIN usage AS u ON u.tenant = {self._tenant} AND u.memory = w.memory "
            "AND u.event = 'ignored' AND u.at > w.since "
            f"JOIN query AS q ON q.tenant = {self._tenant} AND q.member = %s AND q.id = u.query), "
            f"busy AS MATERIALIZED (SELECT id FROM session WHERE {self._owned} "
            "AND id IN (SELECT session FROM missed) "
            "AND json::json #> '{cited,0}' IS NOT NULL) "
            "SELECT memory, count(DISTINCT session) FROM missed "
            "JOIN busy ON busy.id = session GROUP BY memory",
            (list(after), since, self._member, self._member),
        )
        return {str(memory): int(times) for memory, times in rows}

    def add_contradictions(self, records: Sequence[Contradiction]) -> None:
        rows = [contradictions.to_row(record, self._tenant) for record in records]
        self._write_many(contradictions.INSERT, rows)

    def contradictions(self) -> list[Contradiction]:
        rows = self._db.rows(contradictions.SELECT, (self._tenant,))
        return [contradictions.from_row(row) for row in rows]

    def judged(self, pairs: Sequence[str]) -> dict[str, Judged]:
        rows = self._db.rows(
            f"SELECT pair, detector, score FROM judged WHERE tenant = {self._tenant} "
            "AND pair = ANY(%s)",
            (list(pairs),),
        )
        return {pair: Judged(pair=pair, detector=by, score=score) for pair, by, score in rows}

    def add_judged(self, found: Sequence[Judged]) -> None:
        self._write_many(
            "INSERT INTO judged (tenant, pair, detector, score) VALUES (%s, %s, %s, %s) "
            "ON CONFLICT (tenant, pair) "
            "DO UPDATE SET detector = excluded.detector, score = excluded.score",
            [(self._tenant, one.pair, one.detector, one.score) for one in found],
        )

    def changed(self, after: int, *, limit: int) -> list[tuple[int, str]]:
        rows = self._db.rows(
            f"SELECT touched, id FROM memory WHERE tenant = {self._tenant} AND touched > %s "
            "ORDER BY touched LIMIT %s",
            (after, limit),
        )
        return [(int(number), str(id_)) for number, id_ in rows]

    def observe(self, seen: Sequence[Observed]) -> int:
        with self._db.transaction(durable=False, turn=False):
            return self._db.many(
                "INSERT INTO observed (tenant, member, source, session, at, json) "
                "VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                [(*self._mine, one.source, one.session, micros(one.at), one.json) for one in seen],
            )

    def observed(self, session: str) -> list[Observed]:
        rows = self._db.rows(
            f"SELECT source, session, at, json FROM observed WHERE {self._owned} "
            "AND session = %s ORDER BY row",
            (self._member, session),
        )
        return [
            Observed(source=source, session=session, at=from_micros(at), json=text)
            for source, session, at, text in rows
        ]

    def trim_observed(self, before: datetime, *, keep_bytes: int) -> int:
        with self._db.transaction(durable=False, turn=False):
            old = self._db.many(
                f"DELETE FROM observed WHERE {self._owned} AND at < %s",
                [(self._member, micros(before))],
            )
            return old + self._db.many(
                f"DELETE FROM observed WHERE {self._owned} AND row <= (SELECT max(row) FROM ("
                "SELECT row, sum(octet_length(json)) OVER (ORDER BY row DESC) AS bytes "
                f"FROM observed WHERE {self._owned}) AS sizes WHERE bytes > %s)",
                [(self._member, self._member, keep_bytes)],
            )

    # Sessions and queries

    def put_session(self, record: SessionRecord) -> None:
        self._add_many(
            "INSERT INTO session (tenant, member, id, seen, pending, json) "
            "VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (tenant, member, id) DO UPDATE SET "
            "seen = excluded.seen, pending = excluded.pending, json = excluded.json",
            [(*self._mine, record.id, micros(record.seen), bool(record.pending), _dump(record))],
        )

    def session(self, id_: str) -> SessionRecord | None:
        rows = self._db.rows(
            f"SELECT json FROM session WHERE {self._owned} AND id = %s", (self._member, id_)
        )
        return from_json(SessionRecord, plain_json.loads(rows[0][0])) if rows else None

    def sessions(self, *, pending: bool = False, limit: int | None = None) -> list[SessionRecord]:
        rows = self._db.rows(
            f"SELECT json FROM session WHERE {self._owned} {'AND pending' if pending else ''} "
            "ORDER BY seen DESC, id DESC LIMIT %s",
            (self._member, limit),
        )
        return [from_json(SessionRecord, plain_json.loads(text)) for (text,) in rows]

    def add_queries(self, records: Sequence[QueryRecord]) -> None:
        self._add_many(
            "INSERT INTO query (tenant, member, id, session, at, json) "
            "VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (tenant, member, id) DO UPDATE SET "
            "session = excluded.session, at = excluded.at, json = excluded.json",
            [(*self._mine, r.id, r.session, micros(r.at), _dump(r)) for r in records],
        )

    def queries(self, session: str | None = None, *, limit: int | None = None) -> list[QueryRecord]:
        chosen, values = ("TRUE", []) if session is None else ("session = %s", [session])
        rows = self._db.rows(
            f"SELECT json FROM query WHERE {self._owned} AND {chosen} "
            "ORDER BY at DESC, id DESC LIMIT %s",
            [self._member, *values, limit],
        )
        return [from_json(QueryRecord, plain_json.loads(text)) for (text,) in rows]

    def load(self, name: str) -> str | None:
        rows = self._db.rows(
            f"SELECT json FROM document WHERE tenant = {self._tenant} AND member = %s AND name = %s",
            (self._of(name), name),
        )
        return str(rows[0][0]) if rows else None

    def save(self, name: str, json: str) -> None:
        with self._db.transaction(turn=not self._of(name)):
            self._db.write(
                "INSERT INTO document (tenant, member, name, json) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT (tenant, member, name) DO UPDATE SET json = excluded.json",
                (self._tenant, self._of(name), name, json),
            )

    def documents(
        self, prefix: str, *, backwards: bool = False, limit: int | None = None
    ) -> list[tuple[str, str]]:
        rows = self._db.rows(
            f"SELECT name, json FROM document WHERE tenant = {self._tenant} "
            "AND member = ANY(%s) AND name >= %s AND name < %s "
            f"ORDER BY name {'DESC' if backwards else ''} LIMIT %s",
            (["", self._member], prefix, prefix + LAST, limit),
        )
        return [(str(name), str(json)) for name, json in rows]

    def discard(self, names: Sequence[str]) -> int:
        with self.transaction():
            return self._db.many(
                f"DELETE FROM document WHERE tenant = {self._tenant} AND member = %s AND name = %s",
                [(self._of(name), name) for name in dict.fromkeys(names)],
            )

    # The database

    def stats(self) -> Stats:
        def groups(column: str) -> dict[str, int]:
            return dict(
                self._db.rows(
                    f"SELECT {column}, count(*) FROM memory WHERE tenant = {self._tenant} "
                    "AND NOT evidence GROUP BY 1 ORDER BY 1"
                )
            )

        def count(table: str, chosen: str = "TRUE", what: str = "*") -> int:
            return int(
                self._db.rows(
                    f"SELECT count({what}) FROM {table} WHERE tenant = {self._tenant} AND {chosen}"
                )[0][0]
            )

        with self._db.snapshot():
            return Stats(
                memories=count("memory", "NOT evidence"),
                evidence=count("memory", "evidence"),
                live=count("memory", "NOT evidence AND state = 'active' AND valid_to IS NULL"),
                by_kind=groups("kind"),
                by_state=groups("state"),
                by_tier=groups("tier"),
                links=count("link"),
                facets=count("mention", what="DISTINCT (type, norm)"),
                revisions=count("revision"),
                usage=count("usage"),
                contradictions=count("contradiction", "resolved_at IS NULL"),
                vectors=dict(
                    self._db.rows(
                        f"SELECT model, count(*) FROM embedding WHERE tenant = {self._tenant} "
                        "GROUP BY 1 ORDER BY 1"
                    )
                ),
                bytes=copies.size(self._db),
                schema=self._db.schema,
            )

    def check(self) -> list[str]:
        return copies.check(self._db)

    def beside(self) -> Iterator[tuple[str, Value]]:
        return copies.beside(self._db)

    def backup(self, path: str) -> None:
        copies.write(self, self._db, path)

    def fill_from(self, path: str, *, keep: str) -> None:
        copies.read(self, self._db, path, keep=keep)

    # Small change

    @property
    def _mine(self) -> tuple[int, str]:
        return self._tenant, self._member

    @property
    def _owned(self) -> str:
        return f"tenant = {self._tenant} AND member = %s"

    def _of(self, name: str) -> str:
        """Give whose document it is: the member's own, or everybody's, which has no name."""
        return self._member if name.startswith(PERSONAL) else ""

    def _write_many(self, sql: str, values: Sequence[tuple[Any, ...]]) -> None:
        if values:
            with self.transaction():
                self._db.many(sql, values)

    def _add_many(self, sql: str, values: Sequence[tuple[Any, ...]]) -> None:
        """Write what is only ever added, and waits for nobody's turn."""
        if values:
            with self._db.transaction(durable=False, turn=False):
                self._db.many(sql, values)

    def _numbers(self, ids: Sequence[str]) -> dict[str, int]:
        return dict(
            self._db.rows(
                f"SELECT id, row FROM memory WHERE tenant = {self._tenant} AND id = ANY(%s)",
                (list(ids),),
            )
        )


def _first_of_each(events: Sequence[Usage]) -> list[Usage]:
    first: dict[tuple[str, str, str], Usage] = {}
    for event in events:
        first.setdefault((event.query_id, event.memory_id, event.event.value), event)
    return list(first.values())


def _dump(value: Value) -> str:
    return plain_json.dumps(
        to_json(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True
    )


def _load(snapshot: str) -> Memory:
    return from_json(Memory, plain_json.loads(snapshot))
