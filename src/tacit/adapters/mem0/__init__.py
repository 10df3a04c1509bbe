"""mem0's `Memory` and `AsyncMemory`, kept by Tacit: no language model, no vector store, no network.

    from tacit.adapters.mem0 import Memory  # in place of: from mem0 import Memory

Methods, arguments and results are those of mem0ai 2.x. Each memory is one of Tacit's, in a scope
of its user, agent and run, with its history; nothing here needs mem0 to be installed.
"""

from __future__ import annotations

from tacit.adapters.mem0.asynchronous import AsyncMemory
from tacit.adapters.mem0.checks import ValidationError
from tacit.adapters.mem0.memory import Memory

__all__ = ["AsyncMemory", "Memory", "ValidationError"]
