"""What loki-mode keeps of its own work in `.loki/metrics`: the strategy log and what came of tasks.

One line a query tells which strategies were tried, what was selected and how it ended; beside it
stands how often each strategy went well. Tasks are sessions: what each took, and what it earned;
the dashboard looks back on seven days. Rates come with how often they were seen.
"""

from __future__ import annotations

import json
from collections import defaultdict

from tacit.clock import show_time, timedelta
from tacit.interval import Rate
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from tacit.codec import Json
    from tacit.exchange.loki.out import Out
    from tacit.record import QueryRecord, SessionRecord

LOG = "metrics/memory-strategy"
EFFICIENCY = "metrics/efficiency"
REWARDS = "metrics/rewards"
DASHBOARD = "metrics/dashboard.json"
WINDOW = timedelta(days=7)
# Our channels in loki-mode's words.
STRATEGIES = {"text": "keyword", "recency": "temporal"}
REWARD = {"success": 1, "failure": -1}


class Work(Value):
    """What was asked and in which sessions, once it is known how each ended."""

    queries: tuple[QueryRecord, ...]
    sessions: tuple[SessionRecord, ...]
    preferences: dict[str, tuple[int, int]]  # session → what a person found helpful in it, or not


def write_metrics(out: Out, work: Work, named: Mapping[str, str], now: datetime) -> None:
    """Write the log of queries and what came of the sessions; where nothing was asked, nothing.

    `named` gives the id that a memory has in the export.
    """
    queries = sorted(work.queries, key=lambda one: (one.at, one.id))
    if not queries:
        return
    days: dict[str, list[QueryRecord]] = defaultdict(list)
    for query in queries:
        days[f"{query.at:%Y-%m-%d}"].append(query)
    for day, asked in days.items():
        records = [_record(query, number, named) for number, query in enumerate(asked, 1)]
        lines = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records)
        out.text(f"{LOG}/{day}.jsonl", lines, outside=True)
    out.json(f"{LOG}/rates.json", _rates(queries, now), outside=True)
    asked_in: dict[str, list[QueryRecord]] = defaultdict(list)
    for query in queries:
        asked_in[query.session].append(query)
    tasks: dict[str, list[SessionRecord]] = defaultdict(list)
    for session in sorted(work.sessions, key=lambda one: (one.started, one.id)):
        if session.id in asked_in:
            tasks[f"{session.started:%Y-%m-%d}"].append(session)
    for day, begun in tasks.items():
        spent: Json = {"tasks": [_spent(one, asked_in[one.id]) for one in begun]}
        earned = [_earned(one, asked_in[one.id], work.preferences) for one in begun]
        out.json(f"{EFFICIENCY}/{day}.json", spent, outside=True)
        out.json(f"{REWARDS}/{day}.json", {"tasks": [*earned]}, outside=True)
    every = [one for begun in tasks.values() for one in begun]
    out.json(DASHBOARD, _dashboard(queries, every, now), outside=True)


def _record(query: QueryRecord, number: int, named: Mapping[str, str]) -> Json:
    return {
        "query_id": f"q-{query.at:%Y%m%d}-{number:03}",
        "timestamp": show_time(query.at),
        "retrieval_strategies": [
            {"type": _type(one.channel), "results": one.results, "latency_ms": one.ms}
            for one in query.channels
        ],
        "selected_memories": [named.get(one.memory, one.memory) for one in query.selected],
        "outcome": query.outcome,
        "task_completed": query.outcome == "success",
        "task_type": query.task_type,
        "profile": query.profile,
    }


def _rates(queries: Sequence[QueryRecord], now: datetime) -> Json:
    """Tell how often queries went well: by strategy tried, and by type of task and profile."""
    tried: dict[str, list[QueryRecord]] = defaultdict(list)
    served: dict[tuple[str, str], list[QueryRecord]] = defaultdict(list)
    for query in queries:
        served[query.task_type, query.profile].append(query)
        for one in query.channels:
            if one.results:
                tried[_type(one.channel)].append(query)
    return {
        "last_updated": show_time(now),
        "strategies": [{"type": type_, **_ended(mine)} for type_, mine in sorted(tried.items())],
        "tasks": [
            {"task_type": task, "profile": profile, **_ended(mine)}
            for (task, profile), mine in sorted(served.items())
        ],
    }


def _ended(queries: Sequence[QueryRecord]) -> dict[str, Json]:
    ends = [one.outcome for one in queries if one.outcome != "unknown"]
    well, badly = (Rate(hits=ends.count(word), chances=len(ends)) for word in REWARD)
    return {
        "queries": len(queries),
        "closed": len(ends),
        "success_rate": _round(well.share),
        "success_rate_range": [round(well.least, 4), round(well.most, 4)],
        "failure_rate": _round(badly.share),
        "too_few_to_tell": not well.clear,
    }


def _spent(session: SessionRecord, queries: Sequence[QueryRecord]) -> Json:
    seconds = ((session.ended or session.seen) - session.started).total_seconds()
    return {
        "task_id": session.id,
        "timestamp": show_time(session.started),
        "metrics": {
            "wall_clock_seconds": round(seconds),
            "agents_used": 1 + sum(one.kind == "subagent" for one in queries),
            "retry_count": sum(one.kind == "error" for one in queries),
            "memory_tokens": _tokens(queries),
        },
    }


def _earned(
    session: SessionRecord,
    queries: Sequence[QueryRecord],
    preferences: Mapping[str, tuple[int, int]],
) -> Json:
    full = sum(query.full_tokens for query in queries)
    liked, disliked = preferences.get(session.id, (0, 0))
    judged = liked + disliked
    return {
        "task_id": session.id,
        "timestamp": show_time(session.ended or session.seen),
        "outcome": session.outcome,
        "outcome_reward": REWARD.get(session.outcome, 0),
        "efficiency_reward": _round(max(0.0, 1 - _tokens(queries) / full)) if full else None,
        "preference_reward": _round((liked - disliked) / judged) if judged else None,
    }


def _dashboard(
    queries: Sequence[QueryRecord], sessions: Sequence[SessionRecord], now: datetime
) -> Json:
    lately = [one for one in queries if now - one.at <= WINDOW]
    tasks = [one for one in sessions if now - one.seen <= WINDOW]
    ends = [one.outcome for one in tasks if one.outcome != "unknown"]
    looked = [sum(one.ms for one in query.channels) for query in lately if query.channels]
    well = Rate(hits=ends.count("success"), chances=len(ends))
    return {
        "window_days": WINDOW.days,
        "from": show_time(now - WINDOW),
        "to": show_time(now),
        "tasks": len(tasks),
        "tasks_closed": len(ends),
        "success_rate": _round(well.share),
        "success_rate_range": [round(well.least, 4), round(well.most, 4)],
        "queries": len(lately),
        "memories_selected": sum(len(one.selected) for one in lately),
        "memory_tokens": _tokens(lately),
        "latency_ms_mean": _round(sum(looked) / len(looked)) if looked else None,
    }


def _tokens(queries: Iterable[QueryRecord]) -> int:
    return sum(query.scan_tokens + query.read_tokens for query in queries)


def _type(channel: str) -> str:
    return STRATEGIES.get(channel, channel)


def _round(share: float | None) -> float | None:
    return None if share is None else round(share, 4)
