"""JSON for what is disclosed step by step, and for what that costs."""

from __future__ import annotations

from tacit.clock import show_time
from tacit.interfaces import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.assemble.disclose import Entry, IndexView, TimelineView
    from tacit.assemble.economics import Baseline, Economics, Return
    from tacit.assemble.loading import Expanded, Loaded, Shown
    from tacit.assemble.thresholds import Action
    from tacit.assemble.topics import MadeTopic
    from tacit.codec import Json
    from tacit.retrieve.audit import Learnt


def index(view: IndexView) -> dict[str, Json]:
    """Give an index view."""
    return {
        "text": view.text,
        "tokens": view.tokens,
        "memories": view.memories,
        "topics": [
            {"id": one.name, "memories": one.memories, "last": show_time(one.last)}
            for one in view.topics
        ],
        "made_topics": [_made_topic(one) for one in view.made],
        "more": view.more,
    }


def timeline(view: TimelineView) -> dict[str, Json]:
    """Give a timeline view."""
    context = view.context
    return {
        "text": view.text,
        "tokens": view.tokens,
        "recent_actions": [
            _entry(one) | {"outcome": one.outcome or "unknown"} for one in view.actions
        ],
        "key_decisions": [_entry(one) | {"rationale": one.why} for one in view.decisions],
        "active_context": {
            "current_focus": context.focus,
            "blocked_by": [*context.blocked_by],
            "next_up": [*context.next_up],
        },
        "more": view.more,
    }


def learnt(entry: Learnt) -> dict[str, Json]:
    """Give one entry of what was learnt: when, what became of which memory, by whom and why."""
    return {
        "at": show_time(entry.at),
        "event": entry.event.value,
        "op": entry.op,
        "by": entry.by,
        "note": entry.note,
        "changes": [
            {"name": name, "before": before, "after": after}
            for name, before, after in entry.changes
        ],
        "memory": wire.memory(entry.memory),
    }


def loaded(given: Loaded) -> dict[str, Json]:
    """Give what a question loaded by topic."""
    return {
        "exit": given.exit.value,
        "topics": [
            {"id": one.topic.name, "memories": one.topic.memories, "similarity": one.similarity}
            for one in given.topics
        ],
        "entries": [_entry(one) | {"outcome": one.outcome or "unknown"} for one in given.entries],
        "memories": [_shown(one) for one in given.memories],
        "omitted": [*given.omitted],
        "scan_tokens": given.scan_tokens,
        "read_tokens": given.read_tokens,
        "tokens": given.tokens,
        "query_id": given.query_id,
    }


def expanded(given: Expanded) -> dict[str, Json]:
    """Give memories that were asked for by name."""
    return {
        "memories": [_shown(one) for one in given.memories],
        "omitted": [*given.omitted],
        "tokens": given.tokens,
        "query_id": given.query_id,
    }


def economics(given: Economics) -> dict[str, Json]:
    """Give a token account."""
    parts = given.breakdown
    return {
        "session": given.session,
        "queries": given.queries,
        "scan_tokens": given.scan_tokens,
        "read_tokens": given.read_tokens,
        "spent_tokens": given.spent,
        "ratio": given.ratio,
        "breakdown": {name: getattr(parts, name) for name in parts._fields},
        "baselines": {
            "full_load": _baseline(given.full_load),
            "top_k": _baseline(given.top_k),
            "no_memory": _baseline(given.no_memory),
        },
        "shown": given.shown,
        "used": given.used,
        "metrics": {name: value for name, value in given.metrics.items() if name != "scanned"},
        "actions": [action(one) for one in given.actions],
        "bypass": given.bypass,
        "bypassed": dict(given.bypassed),
    }


def action(given: Action) -> dict[str, Json]:
    """Give what a metric asks for."""
    return {name: getattr(given, name) for name in given._fields}


def checkpoint(name: str, values: Mapping[str, float | None], given: Economics) -> dict[str, Json]:
    """Give what a checkpoint looked at, and what it asks for."""
    asked = [action(one) for one in given.actions if one.metric in values]
    return {"checkpoint": name, "metrics": dict(values), "actions": [*asked]}


def returned(given: Return) -> dict[str, Json]:
    """Give what one memory cost and saved."""
    return {
        "id": given.memory.id,
        "short": given.memory.short,
        "title": given.memory.levels.title,
        "learn_tokens": given.learn_tokens,
        "read_tokens": given.read_tokens,
        "shown": given.shown,
        "used": given.used,
        "saved_tokens": given.saved,
        "saved_share": given.share,
    }


def token_economics(given: Economics, *, now: str) -> dict[str, Json]:
    """Give a token account under loki-mode's names, in the form of its code and of its document."""
    parts, saved = given.breakdown, given.full_load
    share = saved.share or 0.0
    return {
        "session_id": given.session or f"all-{now[:10]}",
        "started_at": now,
        "metrics": {
            "discovery_tokens": given.scan_tokens,
            "read_tokens": given.read_tokens,
            "layer1_loads": parts.index_loads,
            "layer2_loads": parts.timeline_loads,
            "layer3_loads": parts.full_loads,
            "cache_hits": 0,
            "cache_misses": 0,
            "ratio": given.ratio,
            "savings_vs_full_load": f"{share:.0%}",
        },
        "ratio": given.ratio,
        "savings_percent": round(100 * share, 2),
        "thresholds_triggered": [
            {
                "action_type": one.action,
                "priority": one.priority,
                "description": one.reason,
                "triggered_by": one.metric,
            }
            for one in given.actions
        ],
        "breakdown": {
            "layer1_loads": parts.index_loads,
            "layer1_tokens": parts.index_tokens,
            "layer2_loads": parts.timeline_loads,
            "layer2_tokens_scanned": parts.timeline_tokens,
            "layer2_tokens_available": parts.timeline_available,
            "layer3_loads": parts.full_loads,
            "layer3_tokens": parts.full_tokens,
        },
        "baseline_comparison": {
            "traditional_approach_tokens": saved.tokens,
            "progressive_approach_tokens": given.spent,
            "tokens_saved": saved.saved,
        },
    }


def _entry(one: Entry) -> dict[str, Json]:
    return {
        "id": one.memory.id,
        "short": one.memory.short,
        "timestamp": show_time(one.at),
        "action": one.action,
        "topic_id": one.topic,
    }


def _made_topic(one: MadeTopic) -> dict[str, Json]:
    return {
        "id": one.memory.id,
        "short": one.memory.short,
        "name": one.name,
        "summary": one.memory.levels.hint,
        "memories": one.memories,
        "relevance_score": one.memory.importance,
        "last_accessed": show_time(one.last),
        "token_count": one.tokens,
    }


def _shown(one: Shown) -> dict[str, Json]:
    return wire.memory(one.memory) | {
        "level": one.level.value,
        "shown": one.memory.levels.text(one.level),
        "tokens": one.tokens,
    }


def _baseline(one: Baseline) -> dict[str, Json]:
    return {"tokens": one.tokens, "saved": one.saved, "share": one.share}
