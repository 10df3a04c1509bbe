"""The interfaces of others over HTTP: loki-mode's, mem0's, and files that a hash makes safe."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from rest_server import Served, problem_of, serving

from builders import a_pattern, a_skill, an_episode
from tacit.body import Action, Episode
from tacit.model import Polarity
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def loki(location: str) -> Iterator[Served]:
    """Serve a store with what loki-mode knows: episodes, patterns, skills."""
    with Tacit.open(location) as tacit:
        body = Episode(
            task_id="task-1",
            goal="Add token refresh",
            phase="ACT",
            actions=(Action(t=0.0, action="edit", target="src/auth.py", result="ok"),),
            outcome="success",
        )
        memories = [
            an_episode("Add token refresh", short="abcd2345").replace(body=body),
            a_pattern("Refresh tokens before they expire", short="wxyz6723"),
            a_pattern("Retry refunds", polarity=Polarity.AVOID, short="avoi2222"),
            a_skill("Release the shop", short="rele3333"),
        ]
        tacit.store.put([one.replace(scope=tacit.scope) for one in memories])
    with serving(location) as server:
        yield server


def test_loki_mode_is_told_what_there_is(loki: Served):
    found = loki.ask("GET", "/api/memory")

    assert found["episodic"]["count"] == 1
    assert found["semantic"] == {"patterns": 1, "antiPatterns": 1}
    assert found["procedural"] == {"skills": 1}
    assert set(found["tokenEconomics"]) == {
        "discoveryTokens",
        "readTokens",
        "ratio",
        "savingsPercent",
    }
    assert loki.ask("GET", "/api/memory/stats") == found


def test_loki_mode_lists_and_shows_each_sort(loki: Served):
    (episode,) = loki.ask("GET", "/api/memory/episodes", params={"since": "2020-01-01"})["episodes"]
    whole = loki.ask("GET", f"/api/memory/episodes/{episode['id']}")
    patterns = loki.ask("GET", "/api/memory/patterns")["patterns"]
    avoided = loki.ask("GET", "/api/memory/patterns?category=anti-pattern")["patterns"]
    (skill,) = loki.ask("GET", "/api/memory/skills")["skills"]

    assert episode == {name: whole[name] for name in episode}
    assert (episode["taskId"], episode["phase"], episode["outcome"]) == ("task-1", "ACT", "success")
    assert whole["actionLog"][0]["target"] == "src/auth.py"
    assert {one["id"] for one in patterns} == {"wxyz6723", "avoi2222"}
    assert [one["id"] for one in avoided] == ["avoi2222"]
    assert loki.ask("GET", "/api/memory/patterns/avoi2222")["incorrectApproach"]
    assert set(loki.ask("GET", f"/api/memory/skills/{skill['id']}")) > {"steps", "prerequisites"}
    assert problem_of(loki.get("/api/memory/skills/wxyz6723"))["code"] == "not_found"


def test_loki_mode_finds_and_consolidates(loki: Served):
    body = {"query": "refresh tokens", "topK": 2}

    found = loki.ask("POST", "/api/memory/retrieve", json=body)["memories"]
    searched = loki.ask("GET", "/api/memory/search", params={"q": "refresh tokens", "limit": 2})
    cycle = loki.ask("POST", "/api/memory/consolidate", json={"sinceHours": 24})

    assert {one["source"] for one in found} <= {"episodic", "semantic", "skills"}
    assert found[0]["content"]["id"] == found[0]["id"]
    assert searched["memories"] == found
    assert loki.ask("GET", "/api/memory/suggestions")["memories"] == []
    assert loki.ask("GET", "/api/memory/suggestions?context=refresh%20tokens")["memories"]
    assert cycle["durationSeconds"] >= 0


def test_loki_mode_is_given_its_layers(loki: Served):
    index = loki.ask("GET", "/api/memory/index")
    timeline = loki.ask("GET", "/api/memory/timeline")
    economics = loki.ask("GET", "/api/memory/economics")

    assert index["totalMemories"] == 4
    assert index["totalTokensAvailable"] > 0
    assert timeline["recentActions"][0]["outcome"] == "success"
    assert set(timeline["activeContext"]) == {"currentFocus", "blockedBy", "nextUp"}
    assert economics["layer1Loads"] == 0
    assert loki.ask("GET", "/api/memory/files")["total"] >= 0


def test_mem0_keeps_what_is_said_for_those_it_belongs_to(server: Served):
    messages = [
        {"role": "system", "content": "You are helpful"},
        {"role": "user", "content": "I prefer small commits", "name": "Ana"},
    ]
    body = {"messages": messages, "user_id": "ana", "agent_id": "eng-1", "metadata": {"app": "x"}}

    (added,) = server.ask("POST", "/mem0/memories", json=body)["results"]
    server.ask("POST", "/mem0/memories", json={"messages": "Likes tabs", "user_id": "bob"})

    assert (added["memory"], added["event"]) == ("I prefer small commits", "ADD")
    (mine,) = server.ask("GET", "/mem0/memories", params={"user_id": "ana"})["results"]
    assert (mine["user_id"], mine["agent_id"], mine["run_id"]) == ("ana", "eng-1", None)
    assert mine["metadata"] == {"app": "x"}
    assert server.ask("GET", f"/mem0/memories/{added['id']}") == mine
    by_agent = server.ask("GET", "/mem0/memories", params={"agent_id": "eng-1"})["results"]
    assert by_agent == [mine]


def test_mem0_searches_within_filters(server: Served):
    for user in ("ana", "bob"):
        body = {"messages": f"{user} prefers small commits", "user_id": user, "run_id": "r1"}
        server.ask("POST", "/mem0/memories", json=body)
    asked = {"query": "commits", "filters": {"AND": [{"user_id": "ana"}, {"run_id": "r1"}]}}

    found = server.ask("POST", "/mem0/search", json=asked)["results"]

    assert [one["user_id"] for one in found] == ["ana"]
    assert found[0]["score"] > 0
    assert server.ask("POST", "/mem0/search", json={"query": "commits"})["results"]
    for filters in ({"owner": "x"}, {"user_id": {"in": ["ana"]}}, {"AND": ["x"]}):
        wrong = server.post("/mem0/search", json={"query": "x", "filters": filters})
        assert problem_of(wrong)["status"] == 400


def test_mem0_changes_forgets_and_tells_the_history(server: Served):
    body = {"messages": "Likes tabs", "user_id": "ana"}
    id_ = server.ask("POST", "/mem0/memories", json=body)["results"][0]["id"]

    server.ask("PUT", f"/mem0/memories/{id_}", json={"text": "Likes spaces"})
    server.ask("DELETE", f"/mem0/memories/{id_}")

    history = server.ask("GET", f"/mem0/memories/{id_}/history")
    assert [(one["event"], one["old_memory"], one["new_memory"]) for one in history] == [
        ("ADD", None, "Likes tabs"),
        ("UPDATE", "Likes tabs", "Likes spaces"),
        ("DELETE", "Likes spaces", None),
    ]
    assert server.ask("GET", "/mem0/memories", params={"user_id": "ana"})["results"] == []


def test_mem0_forgets_all_of_one_owner_and_of_nobody_in_particular_nothing(server: Served):
    for user in ("ana", "bob"):
        server.ask("POST", "/mem0/memories", json={"messages": f"{user} sails", "user_id": user})

    server.ask("DELETE", "/mem0/memories", params={"user_id": "ana"})

    assert [one["text"] for one in server.ask("GET", "/memories")["memories"]] == ["bob sails"]
    assert problem_of(server.delete("/mem0/memories"))["status"] == 400
    for path in ("/mem0/reset", "/mem0/configure"):
        assert problem_of(server.post(path))["code"] == "denied"
    nobody = server.post("/mem0/memories", json={"messages": "x y"})
    assert "user_id" in problem_of(nobody)["detail"]
    empty = server.post("/mem0/memories", json={"messages": " ", "user_id": "ana"})
    assert "nothing to keep" in problem_of(empty)["detail"]


def test_what_expires_is_not_served_by_mem0(server: Served):
    body = {"messages": "The beta ends", "user_id": "ana", "expiration_date": "2099-01-01"}
    id_ = server.ask("POST", "/mem0/memories", json=body)["results"][0]["id"]

    assert server.ask("GET", f"/memories/{id_}")["valid_to"] == "2099-01-01T00:00:00Z"


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_file_is_written_when_it_is_still_what_was_read(server: Served):
    at = {"path": "/memories/notes/auth.md"}
    made = server.put("/files/content", params=at, json={"content": "RS256\n"})
    assert (made.status_code, made.headers["etag"]) == (201, f'"{sha("RS256" + chr(10))}"')
    read = server.ask("GET", "/files/content", params=at)

    good = {"content": "ES256\n", "content_sha256": read["content_sha256"]}
    changed = server.ask("PUT", "/files/content", params=at, json=good)
    stale = server.put("/files/content", params=at, json=good)
    tagged = server.put(
        "/files/content",
        params=at,
        json={"content": "none"},
        headers={"If-Match": made.headers["etag"]},
    )

    assert (read["content"], changed["content"], changed["rev"]) == ("RS256\n", "ES256\n", 2)
    assert problem_of(stale)["code"] == "conflict"
    assert problem_of(tagged)["status"] == 412
    listed = server.ask("GET", "/files")["files"]
    assert listed == [
        {"path": at["path"], "content_sha256": sha("ES256\n"), "content_size_bytes": 6}
    ]


def test_files_are_emptied_renamed_and_forgotten(server: Served):
    at = {"path": "/memories/a.md"}
    server.put("/files/content", params=at, json={"content": "one"})
    empty = server.ask("PUT", "/files/content", params=at, json={"content": ""})
    full = server.ask("PUT", "/files/content", params=at, json={"content": "two"})
    server.ask("POST", "/files/rename", json={"path": "/memories/a.md", "to": "/memories/b/c.md"})

    assert (empty["content"], empty["content_sha256"]) == ("", sha(""))
    assert full["content"] == "two"
    assert problem_of(server.get("/files/content", params=at))["code"] == "not_found"
    within = server.ask("GET", "/files", params={"under": "/memories/b"})["files"]
    assert [one["path"] for one in within] == ["/memories/b/c.md"]
    server.ask("DELETE", "/files/content", params={"path": "/memories/b"})
    assert server.ask("GET", "/files")["files"] == []


@pytest.mark.parametrize("path", ["/etc/passwd", "/memories/../etc", "notes", "/memories\\x"])
def test_a_file_lies_below_memories_or_nowhere(server: Served, path: str):
    answer = server.put("/files/content", params={"path": path}, json={"content": "x"})

    assert problem_of(answer)["code"] in ("denied", "invalid")
