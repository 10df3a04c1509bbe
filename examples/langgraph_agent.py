"""A graph of LangGraph that knows its users, with a scripted model: no key, no network.

    pip install 'tacit[langgraph]' langgraph
    python examples/langgraph_agent.py

Two conversations, each a thread of its own. What the user says in the first is put into the
store; the second finds it there, and so does Tacit's own recall.
"""

from __future__ import annotations

import tempfile
from typing import TypedDict
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.store.base import BaseStore

from tacit.adapters.langgraph import TacitStore


class State(TypedDict):
    said: str
    answer: str


def model(known: list[str], said: str) -> str:
    """Stand in for a language model: it repeats what it was told about the user."""
    return f"I know that you said: {'; '.join(known)}" if known else f"Tell me more about: {said}"


def listen(state: State, config: RunnableConfig, *, store: BaseStore) -> dict[str, str]:
    """Answer with what is known of the user, then keep what was said."""
    place = ("users", config["configurable"]["user"])
    found = store.search(place, query=state["said"], limit=3)
    known = [item.value["text"] for item in found if item.score is not None]
    store.put(place, str(uuid4()), {"text": state["said"]})
    return {"answer": model(known, state["said"])}


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        # In a project of yours: TacitStore.open(project=".") in place of InMemoryStore().
        TacitStore.open(f"{folder}/memory.db") as store,
    ):
        builder = StateGraph(State)
        builder.add_node("listen", listen)
        builder.add_edge(START, "listen")
        graph = builder.compile(store=store)
        for user, said in (
            ("ana", "I am allergic to peanuts"),
            ("ben", "I collect stamps"),
            ("ana", "Which of these dishes have peanuts?"),
        ):
            config: RunnableConfig = {"configurable": {"user": user}}
            told = graph.invoke({"said": said, "answer": ""}, config)
            print(f"{user}: {said}\n   agent: {told['answer']}")
        for hit in store.tacit.recall("who is allergic to peanuts?", limit=1):
            print(f"\ntacit recall: {hit.memory.text}\n   kept as {hit.memory.source_ref}")


if __name__ == "__main__":
    main()
