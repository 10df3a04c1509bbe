"""The optional sets of tools: what other memories offer, kept as ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from interfaces.mcp_client import agent_in, counter, light
from tacit.interfaces.mcp.sets import SETS
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from interfaces.mcp_client import Agent

ANA = {"name": "Ana", "entityType": "person", "observations": ["likes tea", "leads the shop"]}
SHOP = {"name": "Shop", "entityType": "project", "observations": ["runs on Postgres 16"]}
LEADS = {"from": "Ana", "to": "Shop", "relationType": "leads"}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    return light(tmp_path, monkeypatch)


@pytest.fixture
def agent(place: str) -> Iterator[Agent]:
    with agent_in(place, list(SETS)) as agent:
        yield agent


def test_the_memory_tool_speaks_the_words_models_know(agent: Agent) -> None:
    made = agent.good("memory", command="create", path="/memories/a.json", file_text='{"a": 1}')
    again = agent.bad("memory", command="create", path="/memories/a.json", file_text="x")
    out = agent.bad("memory", command="view", path="/memories/../../etc")
    agent.good("memory", command="str_replace", path="/memories/a.json", old_str="1", new_str="2")

    assert made == "File created successfully at: /memories/a.json"
    assert again == "File /memories/a.json already exists"
    assert out == "Path /memories/../../etc would escape /memories directory"
    assert agent.good("memory", command="view", path="/memories/a.json") == (
        'Here\'s the content of /memories/a.json with line numbers:\n     1\t{"a": 2}'
    )
    assert agent.good(
        "memory", command="rename", old_path="/memories/a.json", new_path="/memories/b"
    ) == ("Successfully renamed /memories/a.json to /memories/b")
    agent.good("memory", command="insert", path="/memories/b", insert_line=0, insert_text="top")
    assert agent.good("memory", command="delete", path="/memories/b") == (
        "Successfully deleted /memories/b"
    )


def test_a_long_file_is_viewed_in_parts(agent: Agent) -> None:
    text = "\n".join(f"line {n} of a long file" for n in range(3_500))
    agent.good("memory", command="create", path="/memories/long.md", file_text=text)

    said = agent.good("memory", command="view", path="/memories/long.md")

    assert counter().count(said) < 10_000
    assert said.endswith("view them with view_range)")


def test_a_block_is_edited_in_place(agent: Agent) -> None:
    made = agent.good("memory_rethink", label="persona", new_memory="I am terse.")
    agent.good("memory_insert", label="persona", new_str="I like tests.")
    edited = agent.good("memory_replace", label="persona", old_str="terse", new_str="brief")

    assert (made["label"], made["rev"], made["limit"]) == ("persona", 1, 5000)
    assert edited["text"] == "I am brief.\nI like tests."
    assert "does not say" in agent.bad("memory_replace", label="persona", old_str="x!", new_str="")
    assert "there is no block" in agent.bad("memory_insert", label="human", new_str="x")


def test_the_archive_is_searched_by_words_tags_and_dates(agent: Agent) -> None:
    agent.good("archival_memory_insert", content="Refunds are never retried", tags=["money", "api"])
    agent.good("archival_memory_insert", content="Refunds are paid by card", tags=["money"])

    def found(**asked: object) -> list[str]:
        return [
            h["text"]
            for h in agent.good("archival_memory_search", query="refunds", **asked)["hits"]
        ]

    assert len(found()) == 2
    assert found(tags=["money", "api"], tag_match_mode="all") == ["Refunds are never retried"]
    assert len(found(tags=["money", "api"])) == 2
    assert found(end_datetime="2020-01-01") == []
    assert len(found(start_datetime="2020-01-01", top_k=1)) == 1


def test_past_conversations_are_found_by_topic_and_date(agent: Agent) -> None:
    for day, text in (("2026-01-10", "Moved to Postgres"), ("2026-02-20", "Renewed the keys")):
        agent.good("remember", text=text, kind="episode", valid_from=day)
    agent.good("remember", text="Postgres is version 16")

    def found(**asked: object) -> list[str]:
        return [h["text"] for h in agent.good("conversation_search", **asked)["hits"]]

    assert found(query="postgres") == ["Moved to Postgres"]
    assert found(start_date="2026-02-20", end_date="2026-02-20") == ["Renewed the keys"]
    assert found() == ["Moved to Postgres", "Renewed the keys"]


def test_a_handoff_is_open_until_it_is_accepted(agent: Agent) -> None:
    sent = agent.good(
        "handoff_send", from_agent="eng-1", to_agent="qa-1", what_was_done=["the refund form"]
    )
    (open_,) = agent.good("handoff_inbox", agent="qa-1")["handoffs"]
    agent.good("handoff_accept", id=sent["id"], agent="qa-1")

    assert open_["context"]["what_was_done"] == ["the refund form"]
    assert agent.good("handoff_inbox", agent="qa-1")["handoffs"] == []
    assert "was accepted by qa-1" in agent.bad("handoff_accept", id=sent["id"], agent="eng-2")


def test_a_ledger_grows_by_what_is_said(agent: Agent) -> None:
    agent.good("ledger_set", agent="eng-1", ledger={"current_task": "refunds"})
    agent.good("ledger_set", agent="eng-1", ledger={"notes": "half done"})

    found = agent.good("ledger_get", agent="eng-1")["ledger"]

    assert (found["current_task"], found["notes"]) == ("refunds", "half done")
    assert "there is no ledger" in agent.bad("ledger_get", agent="eng-2")


def test_the_graph_takes_in_what_it_is_told_once(agent: Agent) -> None:
    first = agent.good("create_entities", entities=[ANA, SHOP])
    again = agent.good("create_entities", entities=[ANA])
    agent.good("create_relations", relations=[LEADS])
    once_more = agent.good("create_relations", relations=[LEADS])

    assert [each["name"] for each in first["entities"]] == ["Ana", "Shop"]
    assert (again["entities"], once_more["relations"]) == ([], [])
    assert agent.good("read_graph") == {"entities": [ANA, SHOP], "relations": [LEADS]}


def test_observations_are_added_and_taken_away(agent: Agent) -> None:
    agent.good("create_entities", entities=[ANA])
    said = {"entityName": "Ana", "contents": ["likes tea", "lives in Berlin"]}

    added = agent.good("add_observations", observations=[said])
    agent.good(
        "delete_observations", deletions=[{"entityName": "Ana", "observations": ["likes tea"]}]
    )

    assert added["results"] == [{"entityName": "Ana", "addedObservations": ["lives in Berlin"]}]
    (ana,) = agent.good("open_nodes", names=["Ana", "Nobody"])["entities"]
    assert ana["observations"] == ["leads the shop", "lives in Berlin"]
    nobody = [{"entityName": "Nobody", "contents": ["x"]}]
    assert "Entity with name Nobody not found" in agent.bad("add_observations", observations=nobody)


def test_nodes_are_found_with_the_relations_between_them(agent: Agent) -> None:
    agent.good("create_entities", entities=[ANA, SHOP])
    agent.good("create_relations", relations=[LEADS])

    found = agent.good("search_nodes", query="Postgres")

    assert found["entities"][0]["name"] == "Shop"
    assert agent.good("open_nodes", names=["Shop", "Ana"])["relations"] == [LEADS]
    assert agent.good("open_nodes", names=["Ana"])["relations"] == []


def test_what_is_deleted_goes_with_its_relations_and_can_be_made_again(agent: Agent) -> None:
    agent.good("create_entities", entities=[ANA, SHOP])
    agent.good("create_relations", relations=[LEADS])

    agent.good("delete_entities", entityNames=["Ana"])
    left = agent.good("read_graph")
    agent.good("create_entities", entities=[ANA])
    agent.good("create_relations", relations=[LEADS])
    agent.good("delete_relations", relations=[LEADS])

    assert left == {"entities": [SHOP], "relations": []}
    graph = agent.good("read_graph")
    assert sorted(each["name"] for each in graph["entities"]) == ["Ana", "Shop"]
    assert graph["relations"] == []


def test_an_imported_graph_is_the_same_graph(place: str, tmp_path: Path) -> None:
    rows = [{"type": "entity", **ANA}, {"type": "entity", **SHOP}, {"type": "relation", **LEADS}]
    file = tmp_path / "memory.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with Tacit.open(place) as tacit:
        tacit.import_from(str(file))

    with agent_in(place, ["knowledge-graph"]) as agent:
        graph = agent.good("read_graph")

    assert graph == {"entities": [ANA, SHOP], "relations": [LEADS]}


def test_a_graph_that_is_too_large_is_cut_and_says_so(agent: Agent) -> None:
    entities = [
        {"name": f"service {n}", "entityType": "service", "observations": [f"does {n} " * 200]}
        for n in range(40)
    ]
    agent.good("create_entities", entities=entities)

    said = agent.call("read_graph")

    assert counter().count(said.text) < 10_000
    assert said.data["note"].startswith("cut:")
