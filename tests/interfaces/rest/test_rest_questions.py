"""Questions over HTTP: what is found, handed over, foreseen and explained; and what is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rest_server import Served, problem_of, serving

from builders import a_fact, an_episode
from tacit.interfaces import wire, wire_brief, wire_disclose
from tacit.model import State
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def shop(location: str) -> Iterator[Served]:
    """Serve a store that holds a little of everything."""
    with Tacit.open(location) as tacit:
        tacit.remember("Sign tokens with RS256", key="auth.jwt_alg", value="RS256", tier="mandate")
        tacit.remember("Refunds are never retried", kind="pattern", files=["src/refund.py"])
        tacit.remember(
            "Moved the shop to Postgres 16", kind="episode", valid_from=_time("2026-01-31")
        )
    with serving(location) as server:
        yield server


def _time(text: str):
    from tacit.clock import parse_time

    return parse_time(text)


def test_recall_gives_what_the_facade_finds(shop: Served):
    asked = {"query": "how are tokens signed?", "limit": 2}
    with shop.house.tacit() as tacit:
        expected = wire.recalled(tacit.recall_explained(asked["query"], limit=2))

    found = shop.ask("POST", "/recall", json=asked)

    assert found["hits"] == expected["hits"]
    assert found["hits"][0]["memory"]["value"] == "RS256"
    assert shop.ask("GET", "/recall", params=asked)["hits"] == expected["hits"]


def test_recall_is_asked_about_a_time_and_a_kind(shop: Served):
    asked = {"query": "postgres", "kind": ["episode"], "as_of": "2026-02-01"}

    found = shop.ask("POST", "/recall", json=asked)

    assert [hit["memory"]["kind"] for hit in found["hits"]] == ["episode"]
    assert shop.ask("POST", "/recall", json=asked | {"as_of": "2025-12-31"})["hits"] == []


def test_recall_takes_any_profile_that_is_known(shop: Served):
    with shop.house.tacit() as tacit:
        tacit.change_profile("mine", {"retrieval": "hybrid"}, start="default")
        tacit.adopt_profile("default@1")

    def channels(profile: str) -> list[str]:
        asked = {"query": "tokens", "profile": profile}
        return [one["channel"] for one in shop.ask("POST", "/recall", json=asked)["pools"]]

    assert "graph" not in channels("mine@1")
    assert "graph" in channels("debugging")
    problem = problem_of(shop.post("/recall", json={"query": "tokens", "profile": "golden"}))
    assert problem["code"] == "not_found"
    assert "there is no profile 'golden'; there are default" in problem["detail"]


def test_nothing_relevant_is_no_error(shop: Served):
    assert shop.ask("POST", "/recall", json={"query": "giraffes"})["hits"] == []


def test_a_briefing_is_handed_over_as_it_is(shop: Served):
    asked = {"task": "Rotate the keys that sign tokens", "budget_tokens": 500}
    with shop.house.tacit() as tacit:
        made = tacit.brief(asked["task"], budget_tokens=500)
        tokens = tacit.counter.count(made.text)
        expected = wire_brief.briefing(made, context=made.text, token_count=tokens)

    found = shop.ask("POST", "/brief", json=asked)

    assert found == expected
    assert "RS256" in found["context"]


def test_a_briefing_has_the_forms_of_others(shop: Served):
    asked = {"task": "Rotate the keys that sign tokens", "format": "ralphy"}

    plain = shop.ask("POST", "/brief", json=asked | {"format": "markdown"})
    found = shop.ask("POST", "/brief", json=asked)

    assert found["items"] == plain["items"]
    assert found["context"] != plain["context"]


def test_a_context_is_assembled_under_the_names_of_the_first_design(shop: Served):
    body = {
        "budget": 400,
        "signals": {
            "current_file": "src/refund.py",
            "recent_errors": ["RefundError: twice"],
            "activity": "debugging",
        },
    }

    found = shop.ask("POST", "/context/assemble", json=body)

    with shop.house.tacit() as tacit:
        assert found["token_count"] == tacit.counter.count(found["context"])
    assert set(found["bands"]) == {"critical", "relevant", "background", "index"}
    assert found["activity"] == "debugging"
    assert "Refunds are never retried" in found["context"]


def test_what_comes_next_is_foreseen(shop: Served):
    by_signal = shop.ask("POST", "/predict", json={"signals": {"file": "src/refund.py"}})
    by_file = shop.ask("POST", "/context/predict", json={"file_opened": "src/refund.py"})

    assert by_signal["predicted_memories"] == by_file["predicted_memories"]
    (likely,) = by_file["predicted_memories"]
    assert likely["memory"]["text"] == "Refunds are never retried"
    assert 0 <= by_file["confidence"] <= 1


def test_little_is_shown_first_and_more_on_request(shop: Served):
    index = shop.ask("GET", "/index")
    expanded = shop.ask("POST", "/expand", json={"refs": ["file:src/refund.py"]})
    topics = shop.ask("GET", "/topics", params={"about": "refunds"})

    with shop.house.tacit() as tacit:
        assert index == wire_disclose.index(tacit.index_view(exact=True))
    assert [one["shown"] for one in expanded["memories"]] == ["Refunds are never retried"]
    assert expanded["query_id"]
    assert topics["exit"] in ("nothing", "timeline", "full")


def test_a_timeline_is_a_range_a_neighbourhood_a_view_or_what_was_learnt(shop: Served):
    ranged = shop.ask("GET", "/timeline", params={"since": "2026-01-01", "until": "2026-02-01"})
    (episode,) = ranged["memories"]
    around = shop.ask("GET", "/timeline", params={"anchor": episode["short"], "kind": "episode"})
    learnt = shop.ask("GET", "/timeline", params={"learnt": True})["learnt"]
    view = shop.ask("GET", "/timeline", params={"view": True})["view"]

    assert around["memories"] == [episode]
    assert [one["event"] for one in learnt] == ["recorded"] * 3
    assert "Postgres" in view["text"]
    assert problem_of(shop.get("/timeline?view=true&learnt=true"))["status"] == 400


def test_what_was_used_is_recorded(shop: Served):
    short = shop.ask("GET", "/memories")["memories"][0]["short"]

    cited = shop.ask("POST", "/cite", json={"refs": [f"[M:{short}]", short], "event": "helped"})

    assert cited == {"event": "helped", "recorded": [short]}
    assert shop.ask("GET", f"/memories/{short}/why")["usage"]["helped"] == 1


def test_what_a_session_was_handed_is_told(shop: Served):
    body = {"task": "Rotate the keys that sign tokens", "session": "ci:7"}
    query = shop.ask("POST", "/brief", json=body)["query_id"]

    told = shop.ask("GET", "/sessions/ci:7/injected")

    assert [one["query_id"] for one in told["injected"]] == [query]
    assert shop.ask("GET", "/report", params={"session": "ci:7"})["economics"]["queries"] == 1
    assert shop.ask("GET", "/sessions")["sessions"] == []
    for path in ("/sessions/nobody", "/sessions/nobody/injected"):
        assert problem_of(shop.get(path))["code"] == "not_found"


def test_a_session_is_closed_and_what_helped_is_told(shop: Served):
    body = {"task": "Rotate the keys that sign tokens", "session": "ci:7"}
    ref = shop.ask("POST", "/brief", json=body)["items"][0]["short"]

    said = shop.ask("POST", "/feedback", json={"refs": [ref], "verdict": "helpful"})
    closed = shop.ask("POST", "/sessions/ci:7/close", json={"outcome": "success"})
    found = shop.ask("GET", "/effects", params={"since": "2026-01-01T00:00:00Z"})

    assert said == {"verdict": "helpful", "judged": [ref]}
    assert (closed["outcome"], len(closed["cited"])) == ("success", 1)
    assert found["whole"]["helped"] == 1
    assert found["sessions"][0]["completed"]["hits"] == 1
    missing = shop.post("/sessions/nobody/close", json={"outcome": "success"})
    assert problem_of(missing)["code"] == "not_found"


def test_what_is_outdated_is_no_longer_found(shop: Served):
    (hit, *_) = shop.ask("POST", "/recall", json={"query": "sign tokens"})["hits"]
    ref = hit["memory"]["short"]

    shop.ask("POST", "/feedback", json={"refs": [ref], "verdict": "outdated"})

    after = shop.ask("POST", "/recall", json={"query": "sign tokens"})["hits"]
    assert ref not in [one["memory"]["short"] for one in after]


def test_a_session_is_switched_to_incognito(shop: Served):
    from datetime import UTC, datetime

    from tacit.record import SessionRecord

    now = datetime(2026, 1, 31, tzinfo=UTC)
    with shop.house.tacit() as tacit:
        record = SessionRecord(
            id="claude:1", host="claude", scope=tacit.scope.path, started=now, seen=now
        )
        tacit.store.put_session(record)

    switched = shop.ask("POST", "/sessions/claude:1/incognito", json={"inject": "off"})

    assert switched["inject"] == "off"
    assert shop.ask("GET", "/sessions/claude:1") == switched
    assert shop.ask("GET", "/sessions")["sessions"] == [switched]


def test_a_contradiction_is_shown_and_settled(shop: Served):
    with shop.house.tacit() as tacit:
        tacit.remember("The API times out after 30 seconds", kind="fact")
        tacit.remember("The API times out after 60 seconds", kind="fact")
        tacit.consolidate(only=["contradict"])
    (clash,) = shop.ask("GET", "/contradictions")["contradictions"]
    body = {"resolution": "b_wins", "note": "seen in production"}

    settled = shop.ask("POST", f"/contradictions/{clash['id']}/resolve", json=body)

    assert (settled["resolution"], settled["resolution_note"]) == ("b_wins", "seen in production")
    assert settled["memory_a"]["valid_to"] is not None
    assert shop.ask("GET", "/contradictions")["contradictions"] == []
    assert shop.ask("GET", "/contradictions?settled=true")["contradictions"] == [settled]
    assert shop.ask("POST", f"/contradictions/{clash['id']}/resolve", json=body) == settled
    other = shop.post(f"/contradictions/{clash['id']}/resolve", json={"resolution": "a_wins"})
    assert problem_of(other)["code"] == "conflict"


def test_what_machines_found_waits_for_a_person(shop: Served):
    with shop.house.tacit() as tacit:
        tacit.store.put(
            [
                a_fact("Caches live a day", state=State.CANDIDATE, short="cach2222").replace(
                    scope=tacit.scope
                ),
                an_episode("Cleared the cache", state=State.CANDIDATE, short="clea3333").replace(
                    scope=tacit.scope
                ),
            ]
        )
    assert shop.ask("GET", "/review")["waiting"] == 2

    accepted = shop.ask("POST", "/review/accept", json={"refs": ["cach2222"]})
    rejected = shop.ask("POST", "/review/reject", json={"refs": ["clea3333"]})

    assert [one["state"] for one in accepted["memories"]] == ["active"]
    assert [one["state"] for one in rejected["memories"]] == ["forgotten"]
    assert rejected["waiting"] == 0
    again = shop.post("/review/accept", json={"refs": ["cach2222"]})
    assert "does not wait" in problem_of(again)["detail"]


def test_what_agents_hold_is_edited_in_place(shop: Served):
    path = "/blocks/persona"
    made = shop.put(path, json={"text": "You are brief."}, headers={"If-None-Match": "*"})
    again = shop.put(path, json={"text": "You are long."}, headers={"If-None-Match": "*"})
    tag = made.headers["etag"]
    changed = shop.put(path, json={"text": "careful", "old": "brief"}, headers={"If-Match": tag})
    late = shop.put(path, json={"text": "x"}, headers={"If-Match": tag})
    added = shop.ask("PUT", path, json={"text": "Say why.", "insert": True})

    assert (again.status_code, late.status_code) == (412, 412)
    assert changed.json()["text"] == "You are careful."
    assert added["text"] == "You are careful.\nSay why."
    assert [one["label"] for one in shop.ask("GET", "/blocks")["blocks"]] == ["persona"]
    stale = shop.put(path, json={"text": "x", "rev": 1})
    assert problem_of(stale)["code"] == "conflict"
    shop.ask("POST", f"{path}/erase")
    assert problem_of(shop.get(path))["code"] == "not_found"


def test_work_is_handed_from_one_agent_to_the_next(shop: Served):
    ledger = {"ledger": {"current_task": "Add token refresh"}}
    shop.ask("PUT", "/ledgers/eng-1", json=ledger)
    body = {"from_agent": "eng-1", "to_agent": "qa-1", "context": {"what_was_done": "refresh"}}
    sent = shop.ask("POST", "/handoffs", 201, json=body)

    (waiting,) = shop.ask("GET", "/handoffs", params={"agent": "qa-1"})["handoffs"]
    taken = shop.ask("POST", f"/handoffs/{sent['id']}/accept", json={"by": "qa-1"})

    assert shop.ask("GET", "/ledgers/eng-1")["ledger"]["current_task"] == "Add token refresh"
    assert len(shop.ask("GET", "/ledgers")["ledgers"]) == 1
    assert (
        waiting
        == sent
        == shop.ask("GET", f"/handoffs/{sent['id']}")
        | {
            "accepted_at": None,
            "accepted_by": None,
            "handoff": sent["handoff"],
        }
    )
    assert taken["accepted_by"] == "qa-1"
    assert shop.ask("GET", "/handoffs", params={"agent": "qa-1"})["handoffs"] == []


def test_what_is_being_done_is_said_and_told(shop: Served):
    shop.ask("POST", "/continuity", json={"goal": "Add token refresh", "next": ["write tests"]})

    told = shop.ask("GET", "/continuity")

    assert "Add token refresh" in told["text"]
    assert "write tests" in told["text"]


def test_the_store_is_told_in_numbers(shop: Served):
    status = shop.ask("GET", "/status")

    assert (status["live"], status["by_kind"]["pattern"], status["by_tier"]["mandate"]) == (3, 1, 1)
