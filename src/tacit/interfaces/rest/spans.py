"""Spans of what the server does, in the words of OpenTelemetry for memory.

Nothing is recorded unless the server was started with `--spans`, and no text of a query or a
memory is part of it.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tacit.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from tacit.system import Tacit

COUNTED = ("hits", "memories", "results", "predicted_memories", "items")
NAME = "tacit"


class _Tracing:
    """Where spans go, if they are wanted; its own, so that nobody else's are sent along."""

    provider: Any = None
    tracer: Any = None


def switch_on(target: str) -> None:
    """Send spans to an address, or print them on standard error for `console`."""
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise Unavailable(
            f"spans need {error.name}; install it with: pip install 'tacit[otel]'"
        ) from error
    provider = TracerProvider(resource=Resource.create({"service.name": NAME}))
    provider.add_span_processor(BatchSpanProcessor(_exporter(target)))
    _Tracing.provider, _Tracing.tracer = provider, provider.get_tracer(NAME)


def switch_off() -> None:
    """Send what is left, and record nothing more."""
    provider, _Tracing.provider, _Tracing.tracer = _Tracing.provider, None, None
    if provider is not None:
        provider.shutdown()


@contextmanager
def span(operation: str, tacit: Tacit) -> Iterator[Callable[[object], None]]:
    """Record one operation on the memory; the function given takes what came of it."""
    if _Tracing.tracer is None or not operation:
        yield lambda _shape: None
        return
    with _Tracing.tracer.start_as_current_span(operation, record_exception=False) as current:
        current.set_attribute("gen_ai.operation.name", operation)
        current.set_attribute("gen_ai.memory.store.id", tacit.scope.path)

        def note(shape: object) -> None:
            if (count := _count(shape)) is not None:
                current.set_attribute("gen_ai.memory.record.count", count)

        try:
            yield note
        except Exception as error:
            current.set_attribute("error.type", getattr(error, "code", type(error).__name__))
            raise


def _count(shape: object) -> int | None:
    if isinstance(shape, dict):
        found = (shape[name] for name in COUNTED if isinstance(shape.get(name), list))
        return next((len(items) for items in found), None)
    return None


def _exporter(target: str) -> Any:
    import sys

    if target == "console":
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter(out=sys.stderr)
    if not target.startswith(("http://", "https://")):
        raise Invalid(f"{target!r} is no place for spans; give console or an address of OTLP")
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # type: ignore[import-not-found,unused-ignore]  # not among the extras
            OTLPSpanExporter,
        )
    except ImportError as error:
        raise Unavailable(
            "spans by OTLP need: pip install opentelemetry-exporter-otlp-proto-http"
        ) from error
    return OTLPSpanExporter(endpoint=target)
