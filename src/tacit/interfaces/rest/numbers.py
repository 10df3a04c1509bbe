"""The server's numbers for Prometheus, in a registry of their own. No names, paths or words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from tacit import __version__

if TYPE_CHECKING:
    from tacit.store.protocol import Stats

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
RETRIEVING = ("/recall", "/brief", "/context/assemble", "/mem0/search", "/api/memory/retrieve")


class Numbers:
    """What is counted of requests, and of what the store holds when it is asked."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "tacit_http_requests", "Requests", ["method", "route", "status"], registry=registry
        )
        self._seconds = Histogram(
            "tacit_http_request_duration_seconds",
            "How long requests took",
            ["route"],
            buckets=SECONDS,
            registry=registry,
        )
        self._retrieval = Histogram(
            "tacit_retrieval_duration_seconds",
            "How long it took to answer a question",
            buckets=SECONDS,
            registry=registry,
        )
        self._running = Gauge(
            "tacit_http_requests_in_progress", "Requests that are worked on", registry=registry
        )
        self._memories = Gauge("tacit_memories", "Memories", ["kind"], registry=registry)
        self._states = Gauge("tacit_memories_by_state", "Memories", ["state"], registry=registry)
        self._bytes = Gauge("tacit_db_bytes", "Size of the store's files", registry=registry)
        self._open = Gauge(
            "tacit_contradictions_open", "Contradictions that are not settled", registry=registry
        )
        self._used = Gauge("tacit_usage_events", "What became of memories", registry=registry)
        build = Gauge("tacit_build_info", "The version", ["version"], registry=registry)
        build.labels(__version__).set(1)

    def begin(self) -> None:
        """Count a request that begins."""
        self._running.inc()

    def end(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that ended; `route` is the path's pattern, never the path."""
        self._running.dec()
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        if route in RETRIEVING and status == 200:
            self._retrieval.observe(seconds)

    def text(self, stats: Stats) -> bytes:
        """Give all numbers as text, those of the store as they are now."""
        for kind, count in stats.by_kind.items():
            self._memories.labels(kind).set(count)
        for state, count in stats.by_state.items():
            self._states.labels(state).set(count)
        self._bytes.set(stats.bytes)
        self._open.set(stats.contradictions)
        self._used.set(stats.usage)
        return generate_latest(self._registry)
