"""The SQLite engine: the `Store` protocol over one file."""

from __future__ import annotations

import os

from tacit import plain_json
from tacit.clock import from_micros, micros
from tacit.codec import to_json
from tacit.errors import Corrupt
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
from tacit.roles import Asker, AuditEntry
from tacit.store.protocol import EVERYTHING, VIEW, Card, Filter, Observed, Stats, Vector
from tacit.store.sqlite import contradictions, totals
from tacit.store.sqlite.database import Database
from tacit.store.sqlite.rows import (
    SELECT,
    Readable,
    from_row,
    read_record,
    to_row,
    upsert_sql,
)
from tacit.store.sqlite.search import BATCH, PRESENT, Search, same_space
from tacit.store.sqlite.where import FEW, conditions, latest_of_each

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from typing import Any

    from tacit.model import Scope
    from tacit.store.protocol import Counted, Frequent, Match
    from tacit.value import Value

ORDERS = {
    "id": "m.id",
    "-id": "m.id DESC",
    "recorded_at": "m.recorded_at, m.id",
    "-recorded_at": "m.recorded_at DESC, m.id DESC",
    "valid_from": "m.valid_from, m.id",
    "-valid_from": "m.valid_from DESC, m.id DESC",
}
FROM = "FROM memory AS m JOIN scope AS s ON s.row = m.scope"
READ = 500  # memories that are read at a time
LISTED = "IN (SELECT value FROM json_each(?))"
AUDIT = "audit:"  # documents that say who did what; they are written once


class SqliteStore:
    """Memories in one SQLite file, shared by any number of processes and threads."""

    def __init__(self, path: str, *, create: bool = True) -> None:
        self._db = Database(path, create=create)
        self._search = Search(self._db)
        self._upsert = upsert_sql()

    @property
    def path(self) -> str:
        """Where the file lies."""
        return self._db.path

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
                self._drop_views()
            scopes = {scope: self._scope_row(scope) for scope in {m.scope for m in memories}}
            self._db.many(self._upsert, [to_row(m, scopes[m.scope]) for m in memories])
            numbers = self._numbers([memory.id for memory in memories])
            listed = plain_json.dumps([numbers[memory.id] for memory in memories])
            self._db.rows(f"DELETE FROM mention WHERE memory {LISTED}", (listed,))
            self._put_mentions([(numbers[memory.id], memory.mentions) for memory in memories])

    def _drop_views(self) -> None:
        """Let go of what was made of the memories as they were."""
        self._db.rows("DELETE FROM document WHERE name >= ? AND name < ?", (VIEW, VIEW[:-1] + ";"))

    def _only_rewrites_blocks(self, memories: Sequence[Memory]) -> bool:
        """Tell whether nothing changes but the words of pages: so it is after every turn."""
        pages = all(m.kind is Kind.BLOCK and not m.mentions for m in memories)
        if not pages or any(m.state is not State.ACTIVE or m.validity.valid_to for m in memories):
            return False
        live = self._db.rows(
            f"SELECT count(*) FROM memory WHERE id {LISTED} AND state = 'active' "
            "AND valid_to IS NULL AND kind = 'block' "
            "AND NOT EXISTS (SELECT 1 FROM mention WHERE mention.memory = memory.row)",
            (plain_json.dumps([memory.id for memory in memories]),),
        )
        return int(live[0][0]) == len(memories)

    def _put_mentions(self, mentions: Sequence[tuple[int, tuple[Mention, ...]]]) -> None:
        facets = {mention.facet for _, some in mentions for mention in some}
        if not facets:
            return
        self._db.many(
            "INSERT INTO facet (type, norm, compact) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(f.type.value, f.norm, f.compact) for f in sorted(facets, key=repr)],
        )
        self._db.many(
            "INSERT INTO mention (memory, facet, role, name, count) "
            "SELECT ?, row, ?, ?, ? FROM facet WHERE norm = ? AND type = ?",
            [
                (number, m.role.value, m.facet.name, m.count, m.facet.norm, m.facet.type.value)
                for number, some in mentions
                for m in some
            ],
        )

    def get(self, ids: Sequence[str]) -> list[Memory]:
        rows = self._memories(f"m.id {LISTED}", (plain_json.dumps(list(ids)),))
        found = {memory.id: memory for memory in rows}
        return [found[id_] for id_ in ids if id_ in found]

    def shorts(self, names: Sequence[str]) -> dict[str, str]:
        return dict(
            self._db.rows(
                f"SELECT short, id FROM memory WHERE short {LISTED}",
                (plain_json.dumps(list(names)),),
            )
        )

    def resolve(self, prefix: str, *, limit: int) -> list[str]:
        end = prefix + "\U0010ffff"
        rows = self._db.rows(
            "SELECT id FROM memory WHERE id >= ? AND id < ? UNION "
            "SELECT id FROM memory WHERE short >= ? AND short < ? ORDER BY id LIMIT ?",
            (prefix, end, prefix, end, limit),
        )
        return [str(id_) for (id_,) in rows]

    def scan(
        self, where: Filter, *, order: str = "id", limit: int | None = None
    ) -> Iterator[Memory]:
        scopes = self._scope_rows(where.scopes)
        sql, values = conditions(where, scopes)
        if limit is not None and order == "-recorded_at" and 1 < len(where.subtypes) <= FEW:
            sql, values = latest_of_each(where, scopes, limit)
        return self._memories(
            f"{sql} ORDER BY {ORDERS[order]} LIMIT ?", [*values, -1 if limit is None else limit]
        )

    def scan_ids(self, where: Filter, *, order: str = "id", limit: int | None = None) -> list[str]:
        sql, values = conditions(where, self._scope_rows(where.scopes))
        if where.kinds and "recorded_at" in order:  # or another index is taken, and all sorted
            sql = sql.replace("m.state IN", "+m.state IN", 1)
        rows = self._db.rows(
            f"SELECT m.id FROM memory AS m WHERE {sql} ORDER BY {ORDERS[order]} LIMIT ?",
            [*values, -1 if limit is None else limit],
        )
        return [str(id_) for (id_,) in rows]

    def erase(self, ids: Sequence[str]) -> int:
        listed = (plain_json.dumps(list(ids)),)
        with self.transaction():
            self._drop_views()
            gone = self._db.rows(
                f"DELETE FROM memory WHERE id {LISTED} RETURNING source_ref", listed
            )
            self._erase_sources({str(source) for (source,) in gone if source})
            self._db.rows(
                f"DELETE FROM query WHERE id IN (SELECT query FROM usage WHERE memory {LISTED})",
                listed,
            )
            for table in ("revision", "usage"):
                self._db.rows(f"DELETE FROM {table} WHERE memory {LISTED}", listed)
            for side in ("a", "b"):
                self._db.rows(f"DELETE FROM contradiction WHERE {side} {LISTED}", listed)
            # Takes the words out of the index, where a deletion only marks them.
            self._db.rows("INSERT INTO memory_text (memory_text) VALUES ('optimize')")
            self._db.rows("DELETE FROM facet WHERE row NOT IN (SELECT facet FROM mention)")
        self._db.empty_log()
        return len(gone)

    def _erase_sources(self, sources: set[str]) -> None:
        """Remove what was seen of erased memories, and the originals they were imported from."""
        for source in sorted(sources):
            self._db.rows(
                "DELETE FROM document WHERE name = ? OR (name >= ? AND name < ?)",
                (source, f"{source}#", f"{source}$"),
            )
            session = source.partition("#")[0]
            self._db.rows("DELETE FROM observed WHERE session = ?", (session,))

    def mentions(self, ids: Sequence[str]) -> dict[str, tuple[Mention, ...]]:
        numbers = self._numbers(ids)
        found = self._mentions(list(numbers.values()))
        return {id_: tuple(found[n]) for id_, n in numbers.items() if n in found}

    def _memories(self, where: str, values: Sequence[Any]) -> Iterator[Memory]:
        """Read memories at once, however slowly they are taken: none is half old, half new."""
        with self._db.snapshot():
            rows = self._db.rows(f"SELECT m.row, {SELECT} {FROM} WHERE {where}", values)
            mentions = self._mentions([row[0] for row in rows])
        return (from_row(row[1:], tuple(mentions.get(row[0], ()))) for row in rows)

    def _mentions(self, numbers: Sequence[int]) -> dict[int, list[Mention]]:
        found: dict[int, list[Mention]] = {}
        if not numbers:
            return found
        for memory, type_, name, role, count in self._db.rows(
            "SELECT mention.memory, facet.type, mention.name, role, count FROM mention "
            f"JOIN facet ON facet.row = mention.facet WHERE mention.memory {LISTED} "
            "ORDER BY mention.memory, facet.type, facet.norm, role",
            (plain_json.dumps(list(numbers)),),
        ):
            with Readable("a mention"):
                facet = Facet.from_row((FacetType(type_), name))
                found.setdefault(memory, []).append(Mention.from_row((facet, Role(role), count)))
        return found

    # Links and facets

    def link(self, links: Sequence[Link]) -> None:
        self._db_many_in_transaction(
            "INSERT INTO link (src, relation, dst, weight, origin, valid_from, valid_to) "
            "SELECT a.row, ?, b.row, ?, ?, ?, ? FROM memory AS a, memory AS b "
            "WHERE a.id = ? AND b.id = ? "
            "ON CONFLICT DO UPDATE SET weight = excluded.weight, origin = excluded.origin, "
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
            gone = 0
            for link in links:
                gone += len(
                    self._db.rows(
                        "DELETE FROM link WHERE relation = ? "
                        "AND src = (SELECT row FROM memory WHERE id = ?) "
                        "AND dst = (SELECT row FROM memory WHERE id = ?) RETURNING src",
                        (link.relation.value, link.src, link.dst),
                    )
                )
            return gone

    def links(self, ids: Sequence[str] | None, relations: Sequence[Relation] = ()) -> list[Link]:
        among = ""
        if relations:
            among = " AND l.relation IN (" + ", ".join(f"'{r.value}'" for r in relations) + ")"
        columns = "a.id, b.id, l.relation, l.weight, l.origin, l.valid_from, l.valid_to"
        ends = "JOIN memory AS a ON a.row = l.src JOIN memory AS b ON b.row = l.dst"
        if ids is None:
            sql, values = f"SELECT {columns} FROM link AS l {ends} WHERE TRUE{among}", []
        else:
            wanted = f"(SELECT row FROM memory WHERE id {LISTED})"
            sql = (
                f"SELECT {columns} FROM link AS l {ends} WHERE l.src IN {wanted}{among} UNION "
                f"SELECT {columns} FROM link AS l {ends} WHERE l.dst IN {wanted}{among}"
            )
            values = [plain_json.dumps(list(ids))] * 2
        rows = self._db.rows(sql + " ORDER BY 1, 3, 2", values)
        with Readable("a link"):
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
        sql, values = conditions(where, self._scope_rows(where.scopes))
        found: list[tuple[str, Mention]] = []
        for facet in facets:
            rows = self._db.rows(
                "SELECT m.id, mention.role, mention.count FROM facet "
                "JOIN mention ON mention.facet = facet.row "
                "JOIN memory AS m ON m.row = mention.memory "
                f"WHERE facet.norm = ? AND facet.type = ? AND {sql} "
                "ORDER BY mention.memory DESC, mention.role LIMIT ?",
                [facet.norm, facet.type.value, *values, limit],
            )
            found += [(id_, Mention(facet=facet, role=Role(r), count=n)) for id_, r, n in rows]
        return found

    def facet_counts(self, facets: Sequence[Facet]) -> dict[Facet, int]:
        counts: dict[Facet, int] = {}
        for facet in facets:
            rows = self._db.rows(
                "SELECT count(DISTINCT mention.memory) FROM facet JOIN mention "
                "ON mention.facet = facet.row WHERE norm = ? AND type = ?",
                (facet.norm, facet.type.value),
            )
            counts[facet] = int(rows[0][0])
        return counts

    def known_names(self, names: Sequence[str]) -> list[Facet]:
        rows = self._db.rows(
            f"SELECT type, norm FROM facet WHERE compact {LISTED} "
            "AND EXISTS (SELECT 1 FROM mention WHERE mention.facet = facet.row) "
            "ORDER BY type, norm",
            (plain_json.dumps(list(names)),),
        )
        return [Facet(type=FacetType(type_), name=norm) for type_, norm in rows]

    def frequent(self, types: Sequence[FacetType], where: Filter, *, limit: int) -> list[Frequent]:
        return totals.frequent(self._db, types, where, self._scope_rows(where.scopes), limit)

    def reach(self, groups: Sequence[Sequence[Facet]], where: Filter) -> list[int]:
        return totals.reach(self._db, groups, where, self._scope_rows(where.scopes))

    def count(self, where: Filter) -> int:
        return totals.count(self._db, where, self._scope_rows(where.scopes))

    def next_change(self, at: datetime) -> datetime | None:
        return totals.next_change(self._db, at)

    def full_tokens(self, where: Filter) -> int:
        return totals.full_tokens(self._db, where, self._scope_rows(where.scopes))

    # Candidates

    def match_text(self, words: Sequence[str], where: Filter, *, limit: int) -> list[Match]:
        return self._search.by_words(words, where, self._scope_rows(where.scopes), limit)

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
        rows = self._scope_rows(where.scopes)
        return self._search.by_vectors(model, vectors, where, rows, limit, floor)

    def match_both(
        self, words: Sequence[str], model: str, vector: bytes, where: Filter, *, limit: int
    ) -> tuple[list[Match], list[Match]]:
        near = self.match_vector(model, vector, where, limit=limit)
        return self.match_text(words, where, limit=limit), near

    def compare_vector(self, model: str, vector: bytes, ids: Sequence[str]) -> dict[str, float]:
        rows = self._db.rows(
            f"SELECT m.row, m.id FROM memory AS m WHERE m.id {LISTED} AND {PRESENT}",
            (plain_json.dumps(list(ids)), model),
        )
        cosines = self._search.cosines(model, vector, [row for row, _ in rows])
        return {id_: cosines[row] for row, id_ in rows if row in cosines}

    def count_words(self, words: Sequence[str]) -> Counted:
        return self._search.count(words)

    def cards(self, ids: Sequence[str], where: Filter) -> dict[str, Card]:
        sql, values = conditions(where, self._scope_rows(where.scopes))
        rows = self._db.rows(
            "SELECT m.id, m.words, m.terms, m.kind, m.tier, m.temporal, m.trust, m.author, "
            "m.session, m.recorded_at, m.unverified, m.polarity, "
            "m.pinned OR m.confirmed_by <> '', m.evidence "
            f"FROM memory AS m WHERE m.id {LISTED} AND {sql}",
            [plain_json.dumps(list(ids)), *values],
        )
        return {row[0]: Card.from_row(row) for row in rows}

    # Who did what

    def asker(self) -> Asker:
        return Asker()

    def add_audit(self, entries: Sequence[AuditEntry]) -> None:
        with self.transaction():
            for entry in entries:
                number = len(self.documents(f"{AUDIT}{micros(entry.at):020d}"))
                name = f"{AUDIT}{micros(entry.at):020d}:{number:06d}"
                self.save(name, plain_json.dumps([entry.member, entry.act, entry.subject]))

    def audit(self, *, limit: int) -> list[AuditEntry]:
        found: list[AuditEntry] = []
        for name, text in self.documents(AUDIT, backwards=True, limit=limit):
            member, act, subject = plain_json.loads(text)
            at = from_micros(int(name.removeprefix(AUDIT).partition(":")[0]))
            found.append(AuditEntry(at=at, member=member, act=act, subject=subject))
        return found

    # Vectors

    def put_vectors(self, model: str, vectors: Sequence[Vector]) -> None:
        if not vectors:
            return
        with self.transaction(durable=False):
            known = self._db.rows("SELECT dim FROM embedding WHERE model = ? LIMIT 1", (model,))
            dimension = int(known[0][0]) if known else len(vectors[0].data) // 4
            for vector in vectors:
                same_space(model, vector.data, dimension)
            self._db.many(
                "INSERT OR REPLACE INTO embedding (memory, model, part, dim, text_hash, vec) "
                "SELECT row, ?, ?, ?, ?, ? FROM memory WHERE id = ?",
                [(model, v.part, dimension, v.text_hash, v.data, v.memory_id) for v in vectors],
            )

    def vectors(self, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        rows = self._db.rows(  # CROSS: by the ids, never by going through all of the model's
            "SELECT m.id, e.vec FROM memory AS m CROSS JOIN embedding AS e ON e.memory = m.row "
            f"WHERE e.model = ? AND e.part = 0 AND e.text_hash = m.hash AND m.id {LISTED}",
            (model, plain_json.dumps(list(ids))),
        )
        return dict(rows)

    def drop_vectors(self, model: str) -> int:
        with self.transaction(durable=False):
            gone = self._db.rows("DELETE FROM embedding WHERE model = ? RETURNING row", (model,))
        self._search.forget_vectors(model)
        return len(gone)

    def unembedded(self, model: str, *, after: str = "", limit: int) -> list[Memory]:
        rows = self._memories(
            f"m.id > ? AND NOT {PRESENT} ORDER BY m.id LIMIT ?", (after, model, limit)
        )
        return list(rows)

    def count_unembedded(self, model: str) -> int:
        rows = self._db.rows(f"SELECT count(*) FROM memory AS m WHERE NOT {PRESENT}", (model,))
        return int(rows[0][0])

    # History, usage, contradictions, documents

    def add_revisions(self, revisions: Sequence[Revision]) -> None:
        self._db_many_in_transaction(
            "INSERT INTO revision (memory, rev, at, by, op, note, snapshot) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                (r.memory.id, r.memory.rev, micros(r.at), r.by, r.op, r.note, _dump(r.memory))
                for r in revisions
            ],
        )

    def revisions(self, ids: Sequence[str] | None) -> list[Revision]:
        chosen = "TRUE" if ids is None else f"memory {LISTED}"
        rows = self._db.rows(
            "SELECT snapshot, at, by, op, note FROM revision "
            f"WHERE {chosen} ORDER BY memory, rev, at, by, op",
            () if ids is None else (plain_json.dumps(list(ids)),),
        )
        return [
            Revision(memory=_load(snapshot), at=from_micros(at), by=by, op=op, note=note)
            for snapshot, at, by, op, note in rows
        ]

    def add_usage(self, events: Sequence[Usage]) -> None:
        self._db_many_in_transaction(
            "INSERT INTO usage (query, memory, event, at, note) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            [(e.query_id, e.memory_id, e.event.value, micros(e.at), e.note) for e in events],
            durable=False,
        )

    def usage(self) -> Iterator[Usage]:
        for query, memory, event, at, note in self._db.rows(
            "SELECT query, memory, event, at, note FROM usage ORDER BY memory, event, query"
        ):
            with Readable("a usage event"):
                used = Usage(
                    query_id=query,
                    memory_id=memory,
                    event=UsageEvent(event),
                    at=from_micros(at),
                    note=note,
                )
            yield used

    def tally(self, ids: Sequence[str] | None) -> dict[str, dict[UsageEvent, tuple[int, datetime]]]:
        found: dict[str, dict[UsageEvent, tuple[int, datetime]]] = {}
        for memory, event, count, last in self._db.rows(
            "SELECT memory, event, count(*), max(at) FROM usage "
            f"{'' if ids is None else f'WHERE memory {LISTED} '}GROUP BY memory, event",
            () if ids is None else (plain_json.dumps(list(ids)),),
        ):
            with Readable("a usage event"):
                found.setdefault(memory, {})[UsageEvent(event)] = (count, from_micros(last))
        return found

    def passed_over(self, after: Mapping[str, datetime | None]) -> dict[str, int]:
        since = {id_: micros(at) if at else 0 for id_, at in after.items()}
        return dict(
            self._db.rows(
                "WITH missed AS MATERIALIZED (SELECT u.memory, q.session FROM json_each(?) AS w "
                "JOIN usage AS u ON u.memory = w.key AND u.event = 'ignored' AND u.at > w.value "
                "JOIN query AS q ON q.id = u.query), "
                # Each session is read once, however many memories it ignored.
                "busy AS MATERIALIZED (SELECT id FROM session WHERE "
                "id IN (SELECT session FROM missed) AND json ->> '$.cited[0]' IS NOT NULL) "
                "SELECT memory, count(DISTINCT session) FROM missed "
                "JOIN busy ON busy.id = session GROUP BY memory",
                (plain_json.dumps(since),),
            )
        )

    def add_contradictions(self, records: Sequence[Contradiction]) -> None:
        rows = [contradictions.to_row(record) for record in records]
        self._db_many_in_transaction(contradictions.INSERT, rows)

    def contradictions(self) -> list[Contradiction]:
        rows = self._db.rows(contradictions.SELECT)
        with Readable("a contradiction"):
            return [contradictions.from_row(row) for row in rows]

    def judged(self, pairs: Sequence[str]) -> dict[str, Judged]:
        rows = self._db.rows(
            f"SELECT pair, detector, score FROM judged WHERE pair {LISTED}",
            (plain_json.dumps(list(pairs)),),
        )
        return {pair: Judged(pair=pair, detector=by, score=score) for pair, by, score in rows}

    def add_judged(self, found: Sequence[Judged]) -> None:
        self._db_many_in_transaction(
            "INSERT INTO judged (pair, detector, score) VALUES (?, ?, ?) "
            "ON CONFLICT (pair) DO UPDATE SET detector = excluded.detector, score = excluded.score",
            [(one.pair, one.detector, one.score) for one in found],
        )

    def changed(self, after: int, *, limit: int) -> list[tuple[int, str]]:
        return self._db.rows(
            "SELECT t.row, m.id FROM touch AS t JOIN memory AS m ON m.row = t.memory "
            "WHERE t.row > ? ORDER BY t.row LIMIT ?",
            (after, limit),
        )

    def observe(self, seen: Sequence[Observed]) -> int:
        with self.transaction(durable=False):
            before = self._db.connection.total_changes()
            self._db.many(
                "INSERT INTO observed (source, session, at, json) VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                [(one.source, one.session, micros(one.at), one.json) for one in seen],
            )
            return self._db.connection.total_changes() - before

    def observed(self, session: str) -> list[Observed]:
        rows = self._db.rows(
            "SELECT source, session, at, json FROM observed WHERE session = ? ORDER BY row",
            (session,),
        )
        return [
            Observed(source=source, session=session, at=from_micros(at), json=text)
            for source, session, at, text in rows
        ]

    def trim_observed(self, before: datetime, *, keep_bytes: int) -> int:
        with self.transaction(durable=False):
            changes = self._db.connection.total_changes()
            self._db.rows("DELETE FROM observed WHERE at < ?", (micros(before),))
            self._db.rows(
                "DELETE FROM observed WHERE row <= (SELECT max(row) FROM (SELECT row, "
                "sum(length(CAST(json AS BLOB))) OVER (ORDER BY row DESC) AS bytes FROM observed) "
                "WHERE bytes > ?)",
                (keep_bytes,),
            )
            return self._db.connection.total_changes() - changes

    # Sessions and queries

    def put_session(self, record: SessionRecord) -> None:
        self._db_many_in_transaction(
            "INSERT OR REPLACE INTO session (id, seen, pending, json) VALUES (?, ?, ?, ?)",
            [(record.id, micros(record.seen), record.pending, _dump(record))],
            durable=False,
        )

    def session(self, id_: str) -> SessionRecord | None:
        rows = self._db.rows("SELECT json FROM session WHERE id = ?", (id_,))
        return read_record(SessionRecord, rows[0][0]) if rows else None

    def sessions(self, *, pending: bool = False, limit: int | None = None) -> list[SessionRecord]:
        rows = self._db.rows(
            f"SELECT json FROM session {'WHERE pending' if pending else ''} "
            "ORDER BY seen DESC, id DESC LIMIT ?",
            (-1 if limit is None else limit,),
        )
        return [read_record(SessionRecord, text) for (text,) in rows]

    def add_queries(self, records: Sequence[QueryRecord]) -> None:
        self._db_many_in_transaction(
            "INSERT OR REPLACE INTO query (id, session, at, json) VALUES (?, ?, ?, ?)",
            [(r.id, r.session, micros(r.at), _dump(r)) for r in records],
            durable=False,
        )

    def queries(self, session: str | None = None, *, limit: int | None = None) -> list[QueryRecord]:
        chosen, values = ("TRUE", []) if session is None else ("session = ?", [session])
        rows = self._db.rows(
            f"SELECT json FROM query WHERE {chosen} ORDER BY at DESC, id DESC LIMIT ?",
            [*values, -1 if limit is None else limit],
        )
        return [read_record(QueryRecord, text) for (text,) in rows]

    def load(self, name: str) -> str | None:
        rows = self._db.rows("SELECT json FROM document WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def save(self, name: str, json: str) -> None:
        with self.transaction():
            self._db.rows(
                "INSERT OR REPLACE INTO document (name, json) VALUES (?, ?)", (name, json)
            )

    def documents(
        self, prefix: str, *, backwards: bool = False, limit: int | None = None
    ) -> list[tuple[str, str]]:
        rows = self._db.rows(
            "SELECT name, json FROM document WHERE name >= ? AND name < ? "
            f"ORDER BY name {'DESC' if backwards else ''} LIMIT ?",
            (prefix, prefix + "\U0010ffff", -1 if limit is None else limit),
        )
        return [(str(name), str(json)) for name, json in rows]

    def discard(self, names: Sequence[str]) -> int:
        with self.transaction():
            gone = self._db.rows(
                f"DELETE FROM document WHERE name {LISTED} RETURNING name",
                (plain_json.dumps(list(names)),),
            )
        return len(gone)

    # The file

    def stats(self) -> Stats:
        def groups(column: str) -> dict[str, int]:
            return dict(
                self._db.rows(
                    f"SELECT {column}, count(*) FROM memory WHERE NOT evidence GROUP BY 1 ORDER BY 1"
                )
            )

        def count(sql: str) -> int:
            return int(self._db.rows(f"SELECT count(*) FROM {sql}")[0][0])

        return Stats(
            memories=count("memory WHERE NOT evidence"),
            evidence=count("memory WHERE evidence"),
            live=count("memory WHERE NOT evidence AND state = 'active' AND valid_to IS NULL"),
            by_kind=groups("kind"),
            by_state=groups("state"),
            by_tier=groups("tier"),
            links=count("link"),
            facets=count("facet WHERE row IN (SELECT facet FROM mention)"),
            revisions=count("revision"),
            usage=count("usage"),
            contradictions=count("contradiction WHERE resolved_at IS NULL"),
            vectors=dict(
                self._db.rows("SELECT model, count(*) FROM embedding GROUP BY 1 ORDER BY 1")
            ),
            bytes=sum(
                os.path.getsize(self.path + end)
                for end in ("", "-wal")
                if os.path.exists(self.path + end)
            ),
            schema=int(self._db.rows("PRAGMA user_version")[0][0]),
        )

    def _read_all(self) -> None:
        """Read every memory and its history once, a few at a time, to see that it can be."""
        last = ""
        while found := list(self.scan(EVERYTHING.replace(after=last), limit=READ)):
            last = found[-1].id
            self.revisions([memory.id for memory in found])

    def check(self) -> list[str]:
        try:
            with self._db.snapshot():
                # The text index looks again at what others wrote when it is read, not when it
                # is checked; without this it would be compared with what it was before.
                self._db.rows("SELECT rowid FROM memory_text LIMIT 1")
                found = [str(row[0]) for row in self._db.rows("PRAGMA integrity_check")]
            wrong = [each for each in found if each != "ok"]
            wrong += [
                f"{table}: row {row} refers to a missing {parent}"
                for table, row, parent, _ in self._db.rows("PRAGMA foreign_key_check")
            ]
            self._read_all()
        except Corrupt as error:
            return [str(error)]
        if not self._db.read_only:
            try:
                with self.transaction(durable=False):  # rank 1 compares with the memories as well
                    self._db.rows(
                        "INSERT INTO memory_text (memory_text, rank) VALUES ('integrity-check', 1)"
                    )
            except Corrupt:
                wrong.append("memory_text: the text index does not fit the memories")
        return wrong

    def beside(self) -> Iterator[tuple[str, Value]]:
        for pair, detector, score in self._db.rows("SELECT * FROM judged ORDER BY pair"):
            yield "", Judged(pair=pair, detector=detector, score=score)
        for source, session, at, text in self._db.rows(
            "SELECT source, session, at, json FROM observed ORDER BY row"
        ):
            yield "", Observed(source=source, session=session, at=from_micros(at), json=text)
        last = 0
        while rows := self._db.rows(
            "SELECT e.row, e.model, m.id, e.part, e.text_hash, e.vec FROM embedding AS e "
            "JOIN memory AS m ON m.row = e.memory WHERE e.row > ? ORDER BY e.row LIMIT ?",
            (last, BATCH),
        ):
            for _, model, id_, part, text_hash, data in rows:
                yield model, Vector(memory_id=id_, part=part, text_hash=text_hash, data=data)
            last = rows[-1][0]

    def backup(self, path: str) -> None:
        self._db.copy_to(path)

    def fill_from(self, path: str, *, keep: str) -> None:
        self._db.fill_from(path, keep=keep)

    # Small change

    def _db_many_in_transaction(
        self, sql: str, values: Sequence[tuple[Any, ...]], *, durable: bool = True
    ) -> None:
        if values:
            with self.transaction(durable=durable):
                self._db.many(sql, values)

    def _numbers(self, ids: Sequence[str]) -> dict[str, int]:
        return dict(
            self._db.rows(
                f"SELECT id, row FROM memory WHERE id {LISTED}", (plain_json.dumps(list(ids)),)
            )
        )

    def _scope_row(self, scope: Scope) -> int:
        # Not remembered: a transaction taken back frees the number for another scope.
        self._db.rows("INSERT INTO scope (path) VALUES (?) ON CONFLICT DO NOTHING", (scope.path,))
        return int(self._db.rows("SELECT row FROM scope WHERE path = ?", (scope.path,))[0][0])

    def _scope_rows(self, scopes: Sequence[Scope]) -> list[int]:
        """The row numbers of those scopes that any memory has; -1 when none has."""
        if not scopes:
            return []
        rows = self._db.rows(
            f"SELECT row FROM scope WHERE path {LISTED}",
            (plain_json.dumps([scope.path for scope in scopes]),),
        )
        return [int(row) for (row,) in rows] or [-1]


def _dump(value: Value) -> str:
    return plain_json.dumps(
        to_json(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True
    )


def _load(snapshot: str) -> Memory:
    return read_record(Memory, snapshot)
