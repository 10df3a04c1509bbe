"""The views loki-mode reads first: index.json, timeline.json, token_economics.json.

What was read is written again as it was, without what is gone and with what came since. Where
nothing was read they are made from what is live: memories are counted, not topics, and the
newest come first.
"""

from __future__ import annotations

from tacit.body import Episode, Fact
from tacit.clock import show_time
from tacit.exchange.loki.record import count, inner, records, text
from tacit.model import Kind, Level, UsageEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tacit.codec import Json
    from tacit.exchange.loki.holdings import Holdings
    from tacit.exchange.loki.record import Record
    from tacit.model import Memory

MOST_TOPICS = 500
MOST_ACTIONS = 100
MOST_DECISIONS = 50
ACTION_CHARS = 100
ACTION_WORDS = 10
_SERVED = (Kind.EPISODE, Kind.FACT, Kind.PATTERN, Kind.SKILL)


class Views:
    """The views of one namespace."""

    def __init__(self, holdings: Holdings, gone: Mapping[str, Record]) -> None:
        self._holdings = holdings
        self._gone = gone
        self._born = holdings.born(*_SERVED)
        self._now = show_time(holdings.now)

    @property
    def _same(self) -> bool:
        """Whether nothing came and nothing went since it was read."""
        return not self._born and not self._gone

    def index(self, original: Json) -> Json:
        """Give what exists: topics, and how many memories there are."""
        if not isinstance(original, dict):
            live = self._holdings.live(*_SERVED)
            return {
                "version": "1.0",
                "last_updated": self._now,
                "topics": self._topics(live),
                "total_memories": len(live),
                "total_tokens_available": _tokens(live),
            }
        if self._same:
            return original
        kept = [self._without_gone(t) for t in records(original.get("topics"))]
        topics: list[Json] = [t for t in kept if text(t, "id") not in self._gone]
        total = count(original, "total_memories") + len(self._born) - len(self._gone)
        changes: Record = {
            "last_updated": self._now,
            "topics": topics + self._topics(self._born),
            "total_memories": max(0, total),
        }
        if "total_tokens_available" in original:
            tokens = count(original, "total_tokens_available") + _tokens(self._born)
            changes["total_tokens_available"] = tokens
        return {**original, **changes}

    def timeline(self, original: Json) -> Json:
        """Give what happened lately and what was decided, each newest first and bounded."""
        if isinstance(original, dict) and self._same:
            return original
        base = original if isinstance(original, dict) else {}
        memories = self._born if base else self._holdings.live(*_SERVED)
        left_out = {_brief(_goal(record)) for record in self._gone.values()} - {""}
        actions = [
            action
            for action in records(base.get("recent_actions"))
            if text(action, "topic_id") not in self._gone
            and _brief(text(action, "action")) not in left_out
        ]
        actions += [self._action(m) for m in memories if m.kind is Kind.EPISODE]
        decisions = records(base.get("key_decisions"))
        decisions += [self._decision(m) for m in memories if _is_decision(m)]
        focus: Record = {"current_focus": "", "blocked_by": [], "next_up": []}
        return {
            "version": "1.0",
            "active_context": focus,
            **base,
            "last_updated": self._now,
            "recent_actions": _newest(actions, MOST_ACTIONS, "timestamp"),
            "key_decisions": _newest(decisions, MOST_DECISIONS, "timestamp", "date"),
        }

    def economics(self, original: Json) -> Json:
        """Give the tokens of reading; where nothing was counted, what there is to read."""
        if isinstance(original, dict):
            return original
        return {
            "session_id": f"export-{self._now[:10]}",
            "started_at": self._now,
            "metrics": {
                "discovery_tokens": 0,
                "read_tokens": 0,
                "layer1_loads": 0,
                "layer2_loads": 0,
                "layer3_loads": 0,
                "cache_hits": 0,
                "cache_misses": 0,
                "ratio": None,  # nothing was read: there is nothing to divide by
                "savings_vs_full_load": "0%",
            },
            "ratio": None,
            "savings_percent": 0.0,
            "thresholds_triggered": [],
            "breakdown": {
                "layer1_loads": 0,
                "layer1_tokens": 0,
                "layer2_loads": 0,
                "layer2_tokens_scanned": 0,
                "layer2_tokens_available": 0,
                "layer3_loads": 0,
                "layer3_tokens": 0,
            },
            "baseline_comparison": {
                "traditional_approach_tokens": _tokens(self._holdings.live(*_SERVED)),
                "progressive_approach_tokens": 0,
                "tokens_saved": 0,
            },
        }

    def episodes(self, original: Json, paths: Mapping[str, str]) -> Json:
        """Give the episodes by time, newest first; `paths` tells the file of each id."""
        if isinstance(original, dict) and self._same:
            return original
        base = original if isinstance(original, dict) else {"version": "1.0"}
        found: list[Record] = []
        for memory in self._holdings.live(Kind.EPISODE):
            id_ = self._holdings.id_of(memory)
            if id_ in paths:
                when = show_time(memory.validity.valid_from)
                found.append({"id": id_, "timestamp": when, "path": paths[id_]})
        listed = _newest(found, len(found), "timestamp")
        return {**base, "last_updated": self._now, "episodes": listed}

    def _topics(self, memories: Iterable[Memory]) -> list[Json]:
        chosen = sorted(memories, key=lambda m: (-m.importance, m.id))[:MOST_TOPICS]
        return [self._topic(memory) for memory in chosen]

    def _topic(self, memory: Memory) -> Record:
        used = self._holdings.used(memory).get(UsageEvent.LOADED)
        return {
            "id": self._holdings.id_of(memory),
            "type": memory.kind.value,
            "summary": memory.levels.hint,
            "relevance_score": memory.importance,
            "last_accessed": show_time(used[1] if used else memory.recorded_at),
            "token_count": memory.levels.token_count(Level.FULL),
        }

    def _without_gone(self, topic: Record) -> Record:
        named = topic.get("episode_ids")
        if not isinstance(named, list) or not any(id_ in self._gone for id_ in map(str, named)):
            return topic
        left: list[Json] = [id_ for id_ in named if str(id_) not in self._gone]
        return {**topic, "episode_ids": left, "episode_count": len(left)}

    def _action(self, memory: Memory) -> Record:
        outcome = memory.body.outcome if isinstance(memory.body, Episode) else "unknown"
        return {
            "timestamp": show_time(memory.validity.valid_from),
            "action": _brief(memory.text.strip().split("\n", 1)[0]),
            "outcome": outcome,
            "topic_id": self._holdings.id_of(memory),
        }

    def _decision(self, memory: Memory) -> Record:
        return {
            "decision": memory.levels.hint,
            "rationale": memory.body.why if isinstance(memory.body, Fact) else "",
            "date": show_time(memory.validity.valid_from)[:10],
            "topic_id": self._holdings.id_of(memory),
        }


def _brief(text: str) -> str:
    """Give the first ten words, and no more characters than a line of the timeline has."""
    return " ".join(text.split()[:ACTION_WORDS])[:ACTION_CHARS]


def _goal(record: Record) -> str:
    return text(inner(record, "context"), "goal") or text(record, "goal")


def _newest(entries: list[Record], most: int, *names: str) -> list[Json]:
    """Give the newest first; those that tell no time keep their place behind the others."""
    return [*sorted(entries, key=lambda entry: text(entry, *names), reverse=True)[:most]]


def _is_decision(memory: Memory) -> bool:
    return memory.kind is Kind.FACT and memory.subtype == "decision"


def _tokens(memories: Iterable[Memory]) -> int:
    return sum(memory.levels.token_count(Level.FULL) for memory in memories)
