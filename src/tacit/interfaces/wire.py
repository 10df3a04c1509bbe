"""Values to plain JSON and errors to codes: the one place where the shapes are decided.

Every interface gives these shapes. A field is always there, also when it is empty; names
are those of the domain; times are ISO 8601 in UTC. New fields may be added, none changes
its meaning. Exports have their own lossless form (`tacit.codec`).
"""

from __future__ import annotations

from tacit.clock import show_time
from tacit.codec import to_json
from tacit.model import Kind, Level, State, Tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from tacit.encode.llm.guard import Meter
    from tacit.model import Contradiction, Link, Memory, Revision
    from tacit.observe.sources import Report
    from tacit.project import Project
    from tacit.retrieve.query import Hit, Recalled
    from tacit.store.backups import Backup
    from tacit.store.protocol import Stats
    from tacit.store.transfer import Imported
    from tacit.system import Tacit
    from tacit.system.reading import Explained
    from tacit.write.merge import Merged
    from tacit.write.remember import Written

    Object = dict[str, Any]

EXIT_STATUS = {
    "invalid": 2,
    "not_found": 3,
    "conflict": 4,
    "denied": 5,
    "unavailable": 6,
    "internal": 70,
    "interrupted": 130,
}
DIGITS = 6  # of scores: more would be noise
SHORT_TOKENS = 160  # up to here a side of a contradiction is given whole, else its summary


def error(code: str, message: str) -> Object:
    """Give the shape of every error."""
    return {"error": {"code": code, "message": message}}


def memory(given: Memory) -> Object:
    """Give a memory with every field."""
    levels = given.levels
    return {
        "id": given.id,
        "short": given.short,
        "kind": given.kind.value,
        "subtype": given.subtype,
        "polarity": given.polarity.value,
        "tier": given.tier.value,
        "state": given.state.value,
        "text": levels.full,
        "summary": levels.summary,
        "hint": levels.hint,
        "title": levels.title,
        "tokens": {level.value: levels.token_count(level) for level in Level},
        "key": given.key,
        "value": getattr(given.body, "value", ""),
        "body": to_json(given.body),
        "mentions": [
            {
                "type": m.facet.type.value,
                "name": m.facet.name,
                "role": m.role.value,
                "count": m.count,
            }
            for m in given.mentions
        ],
        "scope": given.scope.path,
        "visibility": given.visibility.value,
        "valid_from": show_time(given.validity.valid_from),
        "valid_to": _time(given.validity.valid_to),
        "recorded_at": show_time(given.recorded_at),
        "retired_at": _time(given.retired_at),
        "rev": given.rev,
        "hash": given.hash,
        "pinned": given.pinned,
        "confirmed_by": given.confirmed_by,
        "confidence": given.confidence,
        "importance": given.importance,
        "temporal": given.temporal.value,
        "author": given.author,
        "session": given.session,
        "origin": given.origin.value,
        "trust": given.trust.value,
        "source_ref": given.source_ref,
        "learn_tokens": given.learn_tokens,
        "anchors": [{"path": anchor.path, "sha": anchor.sha} for anchor in given.anchors],
        "unverified": given.unverified,
        "evidence": given.evidence,
    }


def brief(given: Memory) -> Object:
    """Give what names a memory, for places where it stands beside another."""
    return {
        "id": given.id,
        "short": given.short,
        "kind": given.kind.value,
        "title": given.levels.title,
    }


def hit(given: Hit) -> Object:
    """Give a hit: its score, the parts of it, the level it is served at, and the memory."""
    return {
        "score": round(given.score, DIGITS),
        "parts": {name: _round(getattr(given.parts, name)) for name in given.parts._fields},
        "level": given.level.value,
        "memory": memory(given.memory),
    }


def recalled(given: Recalled) -> Object:
    """Give hits with how they were found."""
    return {
        "hits": [hit(each) for each in given.hits],
        "pools": [
            {"channel": pool.channel, "candidates": pool.candidates, "ms": round(pool.ms, 3)}
            for pool in given.pools
        ],
        "cut": given.cut,
        "missing": list(given.missing),
    }


def written(given: Written) -> Object:
    """Give what a write changed; `memories` has one entry for each draft, in order."""
    return {
        "memories": [memory(each) for each in given.memories],
        "new": given.new,
        "said_before": said_before(given),
        "reinforced": given.reinforced,
        "superseded": list(given.closed),
        "contradictions": [contradiction(each) for each in given.contradictions],
        "redacted": dict(given.redacted),
    }


def said_before(given: Written) -> int:
    """Count the drafts that changed nothing, since the same is kept already."""
    return max(0, len(given.memories) - given.new - given.reinforced)


def changed(memories: Sequence[Memory], *, done: bool) -> Object:
    """Give the memories a change was asked for, and whether it was made."""
    return {"memories": [brief(each) for each in memories], "done": done}


def explained(given: Explained) -> Object:
    """Give all that is known about a memory."""
    return {
        "memory": memory(given.memory),
        "status": given.status,
        "history": [revision(each) for each in given.history],
        "links": [
            {"relation": relation, "memory": brief(other)} for relation, other in given.links
        ],
        "usage": dict(given.usage),
        "near_misses": given.near_misses,
        "near_miss": _round(given.near_miss),
        "contradictions": [contradiction(each) for each in given.contradictions],
    }


def shown(given: Explained) -> Object:
    """Give a memory with its use and with what it replaced and was replaced by."""
    return memory(given.memory) | {
        "usage": dict(given.usage),
        "supersedes": [other.id for relation, other in given.links if relation == "supersedes"],
        "superseded_by": [
            other.id for relation, other in given.links if relation == "superseded_by"
        ],
    }


def revision(given: Revision) -> Object:
    """Give one entry of a memory's history: the memory as it was after the change."""
    return {
        "rev": given.memory.rev,
        "at": show_time(given.at),
        "by": given.by,
        "op": given.op,
        "note": given.note,
        "memory": memory(given.memory),
    }


def link(given: Link) -> Object:
    """Give a link between two memories."""
    return {
        "src": given.src,
        "relation": given.relation.value,
        "dst": given.dst,
        "weight": given.weight,
        "origin": given.origin.value,
        "valid_from": show_time(given.valid_from),
        "valid_to": _time(given.valid_to),
    }


def contradiction(given: Contradiction) -> Object:
    """Give two memories that cannot both hold."""
    return {
        "id": given.id,
        "a": given.a,
        "b": given.b,
        "detector": given.detector,
        "score": round(given.score, DIGITS),
        "detected_at": show_time(given.detected_at),
        "note": given.note,
        "suggestion": given.suggestion.value if given.suggestion else None,
        "resolution": given.resolution.value if given.resolution else None,
        "resolved_at": _time(given.resolved_at),
        "resolved_by": given.resolved_by,
        "resolution_note": given.resolution_note,
        "merged_into": given.merged_into,
    }


def clash(given: Contradiction, a: Memory, b: Memory) -> Object:
    """Give a contradiction with both its sides: what they say, since when and whose word it is."""
    return contradiction(given) | {"memory_a": _side(a), "memory_b": _side(b)}


def _side(given: Memory) -> Object:
    short = given.levels.token_count(Level.FULL) <= SHORT_TOKENS
    return brief(given) | {
        "text": given.text if short else given.levels.summary,
        "key": given.key,
        "value": getattr(given.body, "value", ""),
        "tier": given.tier.value,
        "state": given.state.value,
        "valid_from": show_time(given.validity.valid_from),
        "valid_to": _time(given.validity.valid_to),
        "recorded_at": show_time(given.recorded_at),
        "author": given.author,
        "trust": given.trust.value,
        "source_ref": given.source_ref,
    }


def place(tacit: Tacit) -> Object:
    """Give where memories are kept, and for which project."""
    return {
        "store": tacit.store.path,
        "user_store": tacit.user_store.path if tacit.user_store else None,
        "project": project(tacit.project) if tacit.project else None,
        "scope": tacit.scope.path,
    }


def project(given: Project) -> Object:
    """Give a project's identity and how it was found."""
    return {name: getattr(given, name) for name in ("id", "name", "identity", "source", "root")}


def report(given: Report) -> Object:
    """Give what an observation found, kept and left out."""
    return {
        "dry_run": given.dry_run,
        "new": given.new,
        "changed": given.changed,
        "sources": [
            {
                "source": one.source,
                "seen": one.seen,
                "drafts": one.drafts,
                "new": one.new,
                "renewed": one.renewed,
                "refused": one.refused,
                "ended": one.ended,
                "seconds": round(one.seconds, 3),
            }
            for one in given.sources
        ],
        "kinds": dict(given.kinds),
        "evidence": dict(given.evidence),
        "refused": dict(given.refused),
        "examples": dict(given.examples),
        "redacted": dict(given.redacted),
        "left_out": dict(given.left_out),
        "unverified": given.unverified,
        "candidates": given.candidates,
    }


def status_of(tacit: Tacit) -> Object:
    """Give the status of a store, or as the server of it tells it."""
    from tacit.opening import SERVERS

    if tacit.store.path.startswith(SERVERS):
        from tacit.system.remote.facade import RemoteTacit

        assert isinstance(tacit, RemoteTacit)
        return tacit.told_status()
    return status(tacit, tacit.status(), tacit.pending(), tacit.unverified())


def status(tacit: Tacit, stats: Stats, pending: int, unverified: int) -> Object:
    """Give what the project's store holds, in numbers."""
    embedder, model = tacit.embedder, tacit.language_model
    return place(tacit) | {
        "memories": stats.memories,
        "evidence": stats.evidence,
        "live": stats.live,
        "by_kind": {kind.value: stats.by_kind.get(kind, 0) for kind in Kind},
        "by_state": {state.value: stats.by_state.get(state, 0) for state in State},
        "by_tier": {tier.value: stats.by_tier.get(tier, 0) for tier in Tier},
        "links": stats.links,
        "facets": stats.facets,
        "revisions": stats.revisions,
        "usage": stats.usage,
        "contradictions": stats.contradictions,
        "vectors": dict(stats.vectors),
        "pending": pending,
        "unverified": unverified,
        "refused": {
            reason: {"number": number, "example": example}
            for reason, (number, example) in tacit.refused().items()
        },
        "embedder": {"model": embedder.model, "dimension": embedder.dimension}
        if embedder
        else None,
        "language_model": {
            "name": model.name,
            "state": model.state,
            "daily_tokens": model.budget.daily_tokens,
            "meter": _meter(model.meter()),
        }
        if model
        else None,
        "profile": tacit.profile.name,
        "bytes": stats.bytes,
        "schema": stats.schema,
    }


def _meter(meter: Meter) -> Object:
    return {name: getattr(meter, name) for name in meter._fields}


def doctor(checks: Sequence[tuple[str, bool, str]]) -> Object:
    """Give every check and whether all went well."""
    return {
        "ok": all(ok for _, ok, _ in checks),
        "checks": [{"name": name, "ok": ok, "detail": detail} for name, ok, detail in checks],
    }


def imported(given: Imported) -> Object:
    """Give what an import read, by type of record, and how many memories were new."""
    return {"read": dict(given.read), "new": given.new}


def merged(given: Merged) -> Object:
    """Give what a merge changed here and there, what stayed at home and what was verified."""
    return {
        **_changes(given),
        "kept_private": given.kept_private,
        "left_out": given.left_out + (given.given.left_out if given.given else 0),
        "dry_run": given.dry_run,
        "given": _changes(given.given) if given.given else None,
        "verified": [{n: getattr(each, n) for n in each._fields} for each in given.verified],
    }


def _changes(given: Merged) -> Object:
    names = ("new", "updated", "duplicates", "superseded", "contradictions")
    return {name: getattr(given, name) for name in names}


def backup(given: Backup) -> Object:
    """Give where a backup lies, how large it is and when it was made."""
    return {"path": given.path, "bytes": given.bytes, "made_at": show_time(given.made_at)}


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else show_time(moment)


def _round(number: float | None) -> float | None:
    return None if number is None else round(number, DIGITS)
