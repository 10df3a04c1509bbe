"""LangGraph's long-term store, `langgraph.store.base.BaseStore`, kept by Tacit.

    store = TacitStore.open(project=".")  # in place of InMemoryStore()
    graph = builder.compile(store=store)

An item is a record, exact and gone when it is deleted; its words are a memory that every recall
finds. Searches with a query are recalls within their namespace.
"""

from __future__ import annotations

from tacit.adapters.missing import missing

try:
    from tacit.adapters.langgraph.store import TacitStore
except ModuleNotFoundError as error:
    raise missing("the store for LangGraph", "langgraph", error) from error

__all__ = ["TacitStore"]
