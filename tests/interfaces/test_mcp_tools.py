"""The verbs as an agent meets them: a real client, a real store, the server in process."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from builders import a_fact
from interfaces.mcp_client import agent_in, agent_of, counter, light
from tacit import fence
from tacit.interfaces import wire
from tacit.interfaces.mcp.late import Late
from tacit.interfaces.mcp.serve import INSTRUCTIONS, build
from tacit.interfaces.mcp.sets import SETS
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from interfaces.mcp_client import Agent

LARGEST = 10_000  # tokens of one result
VERBS = (
    "recall remember cite forget restore why contradictions resolve brief expand timeline index"
    " predict".split()
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    return light(tmp_path, monkeypatch)


@pytest.fixture
def agent(place: str) -> Iterator[Agent]:
    with agent_in(place) as agent:
        yield agent


def test_the_verbs_are_the_tools_and_always_in_the_same_order(agent: Agent) -> None:
    names = [tool.name for tool in agent.ask("list_tools").tools]

    assert names == VERBS


def test_every_tool_says_first_when_to_call_it_and_fits_into_what_hosts_show(place: str) -> None:
    with agent_in(place, list(SETS)) as agent:
        tools = agent.ask("list_tools").tools

    assert len(INSTRUCTIONS.encode()) < 2_048
    for tool in tools:
        assert tool.description.startswith(("Call this", "View your")), tool.name
        assert len(tool.description.encode()) < 2_048, tool.name
        assert tool.annotations.open_world_hint is False, tool.name
    always = [tool.name for tool in tools if (tool.meta or {}).get("anthropic/alwaysLoad")]
    assert always == ["recall"]
    reading = {tool.name for tool in tools if tool.annotations.read_only_hint}
    assert {"recall", "why", "read_graph", "archival_memory_search"} <= reading
    assert not reading & {"remember", "cite", "forget", "memory", "create_entities"}
    assert {tool.name for tool in tools if tool.annotations.destructive_hint} >= {
        "forget",
        "memory",
    }


def test_what_is_remembered_is_recalled_with_its_short_name(agent: Agent) -> None:
    kept = agent.good("remember", text="Sign tokens with RS256", files=["src/auth.py"])

    (hit,) = agent.good("recall", query="how are tokens signed?")["hits"]

    assert kept["outcome"] == "new"
    assert hit["short"] == kept["memory"]["short"]
    assert (hit["text"], hit["trust"]) == ("Sign tokens with RS256", "agent")


def test_a_new_value_ends_the_old_one_and_says_so(agent: Agent) -> None:
    old = agent.good("remember", key="db.version", value="15")["memory"]["short"]

    new = agent.good("remember", key="db.version", value="16")

    assert [each["short"] for each in new["superseded"]] == [old]
    assert [h["value"] for h in agent.good("recall", query="db.version")["hits"]] == ["16"]
    assert "superseded by" in agent.good("why", ref=old)["status"]


def test_saying_it_again_keeps_nothing_new(agent: Agent) -> None:
    agent.good("remember", text="Staging has no outgoing mail")

    again = agent.good("remember", text="Staging has no outgoing mail")

    assert again["outcome"] == "said before"


def test_secrets_are_taken_out_and_counted(agent: Agent) -> None:
    kept = agent.good("remember", text="password = Blau-Regen77! on staging")

    assert kept["redacted"] == {"password": 1}
    assert "Regen77" not in json.dumps(kept)


def test_a_users_own_memory_goes_to_the_user(place: str, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "shop").mkdir()
    late = Late(None, str(tmp_path / "shop"))
    with agent_of(build(late)) as agent:
        agent.good("remember", text="Prefers tabs", scope="user")

        found = agent.good("recall", query="tabs", scope="user")
    late.close()

    assert [hit["text"] for hit in found["hits"]] == ["Prefers tabs"]
    with Tacit.open(project=str(tmp_path / "shop")) as tacit:
        assert [m.scope.path for m in tacit.list()] == ["user:ana"]


def test_what_was_so_can_be_asked_for(agent: Agent) -> None:
    agent.good("remember", key="db.version", value="15", valid_from="2025-01-01")
    agent.good("remember", key="db.version", value="16", valid_from="2026-01-01")

    then = agent.good("recall", query="db.version", as_of="2025-06-01")

    assert [hit["value"] for hit in then["hits"]] == ["15"]


def test_nothing_relevant_is_no_error(agent: Agent) -> None:
    agent.good("remember", text="Sign tokens with RS256")

    assert agent.good("recall", query="zebra crossing")["hits"] == []


def test_forgetting_can_be_undone(agent: Agent) -> None:
    short = agent.good("remember", text="Deploys need two reviews")["memory"]["short"]

    agent.good("forget", refs=[short])
    gone = agent.good("recall", query="deploys reviews")["hits"]
    agent.good("restore", refs=[f"[M:{short}]"])
    back = agent.good("recall", query="deploys reviews")["hits"]

    assert (gone, [hit["short"] for hit in back]) == ([], [short])
    assert [r["op"] for r in agent.good("why", ref=short)["history"]] == [
        "remember",
        "forget",
        "restore",
    ]


def test_a_contradiction_is_listed_and_settled(agent: Agent) -> None:
    alg = {"key": "auth.alg", "valid_from": "2026-01-31"}
    old, new = (
        agent.good("remember", text=f"Sign with {value}", value=value, **alg)
        for value in ("RS256", "ES256")
    )
    (told,) = new["contradictions"]

    (found,) = agent.good("contradictions")["contradictions"]
    settled = agent.good(
        "resolve", id=found["id"][:8], resolution="b_wins", note="the user said so"
    )

    assert (found["id"], found["note"]) == (told["id"], "auth.alg: same start, different value")
    assert found["memory_a"]["short"] == old["memory"]["short"]
    assert found["memory_b"]["text"] == "Sign with ES256"
    assert (settled["resolution"], settled["resolution_note"]) == ("b_wins", "the user said so")
    assert agent.good("contradictions") == {"contradictions": []}
    assert "valid_to" in agent.good("why", ref=old["memory"]["short"])["memory"]
    assert "was settled as b_wins by agent" in agent.bad(
        "resolve", id=found["id"], resolution="a_wins"
    )


def test_citations_are_recorded(agent: Agent) -> None:
    short = agent.good("remember", text="Deploys need two reviews")["memory"]["short"]
    other = agent.good("remember", text="Refunds are never retried")["memory"]["short"]

    assert agent.good("cite", refs=[short, other, short], event="helped") == {"recorded": 2}
    assert agent.good("why", ref=short)["usage"]["helped"] == 1  # said twice, it helped once


def test_memories_are_expanded_by_name_and_by_what_they_are_about(agent: Agent) -> None:
    one = agent.good("remember", text="Refunds are never retried", files=["src/refund.py"])
    two = agent.good("remember", text="Deploys need two reviews")

    named = agent.good("expand", refs=[two["memory"]["short"], one["memory"]["short"]])
    about = agent.good("expand", refs=["file:src/refund.py"])

    assert [each["text"] for each in named["memories"]] == [
        "Deploys need two reviews",
        "Refunds are never retried",
    ]
    assert [each["text"] for each in about["memories"]] == ["Refunds are never retried"]
    usage = agent.good("why", ref=one["memory"]["short"])["usage"]
    assert usage["expanded"] == 2


def test_a_topic_of_a_cycle_is_named_and_expanded_with_its_members(
    agent: Agent, place: str
) -> None:
    told = ["Refunds go through the ledger", "A refund needs two signatures", "Refunds are grey"]
    for text in told:
        agent.good("remember", text=text, tags=["refund"])
    with Tacit.open(place) as tacit:
        tacit.consolidate(only=["topics"])

    index = agent.good("index")

    (topic,) = index["made_topics"]
    assert "Topics: refund (3)" in index["text"]
    assert (topic["name"], topic["memories"]) == ("refund", 3)
    for ref in (topic["short"], "topic:refund"):
        shown = agent.good("expand", refs=[ref])["memories"]
        assert shown[0]["short"] == topic["short"]
        assert sorted(each["text"] for each in shown[1:]) == sorted(told)


def test_the_index_says_what_there_is(agent: Agent) -> None:
    assert "nothing is kept yet" in agent.good("index")["text"]

    agent.good("remember", text="Refunds are never retried", tags=["refunds"])

    assert "1 memory" in agent.good("index")["text"]


def test_the_timeline_tells_when(agent: Agent) -> None:
    moved = {"text": "Moved the shop to Postgres 16", "kind": "episode", "valid_from": "2026-01-10"}
    leak = {
        "text": "Renewed the keys after the leak",
        "kind": "episode",
        "valid_from": "2026-02-20",
    }
    agent.good("remember", **moved)
    short = agent.good("remember", **leak)["memory"]["short"]

    january = agent.good("timeline", since="2026-01-01", until="2026-02-01")["text"]
    around = agent.good("timeline", anchor=short)["text"]

    assert "2026-01-10 00:00Z episode: Moved the shop to Postgres 16" in january
    assert "leak" not in january
    assert around.index("Postgres") < around.index("leak")
    assert "Postgres" in agent.good("timeline")["text"]


def test_what_will_be_needed_is_told_with_how_sure_it_is(agent: Agent) -> None:
    agent.good("remember", text="Refunds are never retried", files=["src/refund.py"])

    found = agent.good("predict", files=["src/refund.py"])

    (memory,) = found["memories"]
    assert memory["text"] == "Refunds are never retried"
    assert 0 < memory["confidence"] <= 1
    assert memory["why"]
    assert found["query_id"]


def test_a_briefing_stays_within_its_budget_and_names_its_memories(agent: Agent) -> None:
    for n in range(60):
        agent.good("remember", text=f"Refund rule {n}: never retry refund {n} without a ticket")
    rule = agent.good("remember", text="Deploys need two reviews", tier="mandate")

    given = agent.call("brief", task="fix the refund form", budget_tokens=400, session="monday")

    assert f"[M:{rule['memory']['short']}]" in given.text
    assert counter().count(given.data["text"]) <= 400
    assert given.data["tokens"] <= given.data["budget"] == 400
    cited = {"refs": [rule["memory"]["short"]], "query_id": given.data["query_id"]}
    assert agent.good("cite", **cited) == {"recorded": 1}


def test_names_mean_the_same_as_everywhere(agent: Agent, place: str) -> None:
    agent.good("remember", text="Sign tokens with RS256", key="auth.alg", value="RS256")
    hit = agent.good("recall", query="auth.alg")["hits"][0]
    with Tacit.open(place) as tacit:
        shape = wire.memory(tacit.get(hit["short"]))

    assert {name: shape[name] for name in hit if name not in ("score", "level")} == {
        name: hit[name] for name in hit if name not in ("score", "level")
    }


def test_the_text_of_an_answer_is_its_data(agent: Agent) -> None:
    agent.good("remember", text="Sign tokens with RS256")

    said = agent.call("recall", query="tokens")

    inner = said.text.removeprefix(fence.OPEN).removesuffix(fence.CLOSE)
    assert json.loads(inner) == said.data
    assert fence.without_fenced(said.text) == ""  # so it is not learnt when it comes back


def test_an_error_says_what_happened_in_our_words(agent: Agent) -> None:
    assert "there is no memory zzzzzzzz" in agent.bad("why", ref="zzzzzzzz")
    assert "(not_found)" in agent.bad("forget", refs=["zzzzzzzz"])
    assert "is not a date or time" in agent.bad("recall", query="x", as_of="soon")
    assert "is not of the form type:name" in agent.bad("remember", text="x", scope="nobody")
    assert "nothing to remember" in agent.bad("remember", text=" ")


def test_a_bug_is_told_without_its_inside(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Late):
        def open(self, *, create: bool = True) -> Tacit:
            raise KeyError("inside")

    with agent_of(build(Broken())) as agent:
        said = agent.bad("recall", query="x")

    assert said == "Error executing tool recall"
    assert "KeyError" in caplog.text


def test_with_writing_off_nothing_changes_and_all_can_be_read(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tacit.open(place) as tacit:
        short = tacit.remember("Deploys need two reviews").short
    monkeypatch.setenv("TACIT_WRITE", "off")
    with agent_in(place) as agent:
        assert agent.good("recall", query="deploys")["hits"]
        for tool, arguments in (
            ("remember", {"text": "more"}),
            ("forget", {"refs": [short]}),
            ("restore", {"refs": [short]}),
            ("cite", {"refs": [short]}),
            ("resolve", {"id": "1f0e", "resolution": "a_wins"}),
        ):
            assert "write = 'off'" in agent.bad(tool, **arguments)


def test_a_result_never_fills_the_context(place: str) -> None:
    long = " ".join(f'step {n}: check the refund of order {n} "again"\n' for n in range(3_000))
    with Tacit.open(place) as tacit:
        tacit.store.put(
            [
                a_fact(f"{n} {long}", short=f"long{n:04}".replace("0", "a").replace("1", "b"))
                for n in range(20)
            ]
        )
        shorts = [memory.short for memory in tacit.list()]
    with agent_in(place) as agent:
        asked: list[tuple[str, dict[str, Any]]] = [
            ("recall", {"query": "refund", "limit": 50, "level": "full"}),
            ("recall", {"query": "refund", "limit": 50}),
            ("expand", {"refs": shorts}),
            ("expand", {"refs": shorts[:1]}),
            ("why", {"ref": shorts[0]}),
        ]
        said = [agent.call(tool, **arguments) for tool, arguments in asked]

    assert [each.failed for each in said] == [False] * len(said)
    for each in said:
        assert counter().count(each.text) < LARGEST
    assert "would not fit" in said[0].data["note"]
    assert len(said[2].data["omitted"]) == 19
    assert "go on with skip_chars=" in said[3].data["note"]


def test_a_long_memory_can_be_read_to_its_end(place: str) -> None:
    with Tacit.open(place) as tacit:
        short = tacit.remember(" ".join(f"step{n}" for n in range(5_000))).short
        long = tacit.get(short).text
    parts: list[str] = []
    with agent_in(place) as agent:
        while True:
            found = agent.good("expand", refs=[short], skip_chars=sum(map(len, parts)))
            parts.append(found["memories"][0]["text"])
            if "note" not in found:
                break

    assert "".join(parts) == long


def test_many_calls_at_once_lose_nothing(agent: Agent) -> None:
    with ThreadPoolExecutor(8) as pool:
        kept = list(
            pool.map(
                lambda n: agent.good("remember", text=f"Port {n} belongs to service {n}"),
                range(24),
            )
        )

    assert len({each["memory"]["short"] for each in kept}) == 24
