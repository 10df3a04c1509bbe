"""The shapes of loki-mode's interface: its names, in the camel case of its own answers.

The records themselves are those that `exchange.loki` writes into files.
"""

from __future__ import annotations

from tacit.body import Episode, Pattern, Skill
from tacit.clock import show_time
from tacit.exchange.loki import episodes, patterns, skills
from tacit.exchange.loki.names import id_in, prefix_of
from tacit.model import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.assemble.disclose import IndexView, TimelineView
    from tacit.consolidate.cycle import Report
    from tacit.model import Memory
    from tacit.retrieve.query import Hit
    from tacit.store.protocol import Stats

    Object = dict[str, Any]

SOURCES = {Kind.EPISODE: "episodic", Kind.PATTERN: "semantic", Kind.SKILL: "skills"}


def id_of(memory: Memory) -> str:
    """Give the name by which a memory is asked for: the one it came with, else its short name."""
    return id_in(memory.source_ref) if prefix_of(memory.source_ref) is not None else memory.short


def summary(stats: Stats, latest: Memory | None, avoided: int, tokens: Object) -> Object:
    """Give what there is, in numbers."""
    patterns_ = stats.by_kind.get(Kind.PATTERN, 0)
    when = show_time(latest.validity.valid_from) if latest else None
    return {
        "episodic": {"count": stats.by_kind.get(Kind.EPISODE, 0), "latestDate": when},
        "semantic": {"patterns": max(0, patterns_ - avoided), "antiPatterns": avoided},
        "procedural": {"skills": stats.by_kind.get(Kind.SKILL, 0)},
        "tokenEconomics": tokens,
    }


def index(view: IndexView, tokens: int, now: str) -> Object:
    """Give the first layer."""
    return {
        "version": "1.0",
        "lastUpdated": now,
        "topics": [
            {
                "id": one.memory.short,
                "summary": one.memory.levels.hint,
                "relevanceScore": one.memory.importance,
                "lastAccessed": show_time(one.last),
                "tokenCount": one.tokens,
            }
            for one in view.made
        ]
        + [
            {
                "id": f"topic:{one.name}",
                "summary": one.name,
                "relevanceScore": 0.5,
                "lastAccessed": show_time(one.last),
                "tokenCount": 0,
            }
            for one in view.topics
        ],
        "totalMemories": view.memories,
        "totalTokensAvailable": tokens,
    }


def timeline(view: TimelineView, now: str) -> Object:
    """Give the second layer."""
    return {
        "version": "1.0",
        "lastUpdated": now,
        "recentActions": [
            {
                "timestamp": show_time(one.at),
                "action": one.action,
                "outcome": one.outcome or "unknown",
                "topicId": one.topic,
            }
            for one in view.actions
        ],
        "keyDecisions": [
            {"timestamp": show_time(one.at), "decision": one.action, "rationale": one.why}
            for one in view.decisions
        ],
        "activeContext": {
            "currentFocus": view.context.focus,
            "blockedBy": [*view.context.blocked_by],
            "nextUp": [*view.context.next_up],
        },
    }


def episode(memory: Memory, *, whole: bool = True) -> Object:
    """Give an episode; in a list no more than what it is."""
    record: Object = episodes.record_of(memory, None, id_of(memory), {})
    context = record["context"]
    brief = {
        "id": record["id"],
        "taskId": record["task_id"],
        "timestamp": record["timestamp"],
        "agent": memory.author,
        "phase": context["phase"],
        "outcome": record["outcome"],
    }
    if not whole:
        return brief
    return brief | {
        "goal": context["goal"] or memory.text,
        "durationSeconds": record["duration_seconds"] or 0,
        "actionLog": record["action_log"],
        "errorsEncountered": record["errors_encountered"],
        "artifactsProduced": record["artifacts_produced"],
        "gitCommit": record["git_commit"],
        "tokensUsed": record["tokens_used"],
        "filesRead": record["files_read"] or context["files_involved"],
        "filesModified": record["files_modified"],
    }


def pattern(memory: Memory, *, whole: bool = True) -> Object:
    """Give a pattern, or what to avoid."""
    record: Object = patterns.pattern_record(memory, None, id_of(memory), {})
    brief = {
        "id": record["id"],
        "pattern": record["pattern"],
        "category": record["category"],
        "confidence": record["confidence"],
        "usageCount": record["usage_count"],
    }
    if not whole:
        return brief
    return brief | {
        "conditions": record["conditions"],
        "correctApproach": record["correct_approach"],
        "incorrectApproach": record["incorrect_approach"],
        "sourceEpisodes": record["source_episodes"],
        "lastUsed": record["last_used"],
        "links": record["links"],
    }


def skill(memory: Memory, *, whole: bool = True) -> Object:
    """Give a skill."""
    record: Object = skills.record_of(memory, None, None, id_of(memory), {})
    name = record.get("name") or memory.levels.title
    described = record.get("description") or memory.levels.summary
    brief = {"id": id_of(memory), "name": name, "description": described}
    if not whole:
        return brief
    return brief | {
        "prerequisites": record["prerequisites"],
        "steps": record["steps"],
        "commonErrors": record["common_errors"],
        "exitCriteria": record["exit_criteria"],
        "exampleUsage": None,
    }


def found(hit: Hit) -> Object:
    """Give a memory that a question found."""
    return {
        "id": id_of(hit.memory),
        "source": SOURCES.get(hit.memory.kind, hit.memory.kind.value),
        "score": round(hit.score, 6),
        "content": content(hit.memory),
    }


def content(memory: Memory) -> Object:
    """Give a memory in the form of its kind; of kinds loki-mode does not know its text."""
    match memory.body:
        case Episode():
            return episode(memory)
        case Pattern():
            return pattern(memory)
        case Skill():
            return skill(memory)
        case _:
            return {"id": id_of(memory), "type": memory.kind.value, "content": memory.text}


def tokens(economics: Object) -> Object:
    """Give the short form of a token account that is given in the form of loki-mode's file."""
    metrics = economics["metrics"]
    return {
        "discoveryTokens": metrics["discovery_tokens"],
        "readTokens": metrics["read_tokens"],
        "ratio": economics["ratio"] or 0,
        "savingsPercent": economics["savings_percent"],
    }


def economics(account: Object) -> Object:
    """Give a token account."""
    metrics = account["metrics"]
    return {
        "sessionId": account["session_id"],
        "startedAt": account["started_at"],
        **tokens(account),
        "layer1Loads": metrics["layer1_loads"],
        "layer2Loads": metrics["layer2_loads"],
        "layer3Loads": metrics["layer3_loads"],
        "cacheHits": metrics["cache_hits"],
        "cacheMisses": metrics["cache_misses"],
        "thresholdsTriggered": [
            {
                "actionType": one["action_type"],
                "priority": one["priority"],
                "description": one["description"],
                "triggeredBy": one["triggered_by"],
            }
            for one in account["thresholds_triggered"]
        ],
    }


def cycle(report: Report) -> Object:
    """Give what a cycle did."""
    return {
        "patternsCreated": report.total("patterns_created"),
        "patternsMerged": report.total("patterns_merged"),
        "antiPatternsCreated": report.total("anti_patterns_created"),
        "linksCreated": report.total("links_created"),
        "episodesProcessed": report.total("episodes_processed"),
        "durationSeconds": report.seconds,
    }
