"""A prediction as plain JSON."""

from __future__ import annotations

from tacit.interfaces import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.assemble.predict import Prediction


def prediction(given: Prediction) -> dict[str, Any]:
    """Give the memories and files likely to be needed, the surest first, each with its reason."""
    return {
        "predicted_memories": [
            {
                "memory": wire.memory(one.memory),
                "confidence": round(one.confidence, wire.DIGITS),
                "signal": one.signal,
                "why": one.why,
            }
            for one in given.memories
        ],
        "predicted_files": [
            {"path": one.path, "confidence": round(one.confidence, wire.DIGITS), "why": one.why}
            for one in given.files
        ],
        "confidence": round(given.confidence, wire.DIGITS),
        "query_id": given.query_id,
    }
