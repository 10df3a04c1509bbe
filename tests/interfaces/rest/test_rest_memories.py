"""Memories over HTTP: kept, listed page by page, changed only as they were read, done only once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rest_server import Served, problem_of, serving

from tacit.interfaces import wire
from tacit.interfaces.rest import repeats, told
from tacit.system import Tacit

if TYPE_CHECKING:
    from conftest import Cli

RS256 = {"text": "Sign tokens with RS256", "key": "auth.jwt_alg", "value": "RS256"}


def test_a_memory_is_kept_and_given_back_with_every_field(server: Served):
    answer = server.post("/memories", json=RS256)

    assert answer.status_code == 201
    (kept,) = answer.json()["memories"]
    assert (kept["text"], kept["key"], kept["value"]) == tuple(RS256.values())
    assert (kept["origin"], kept["trust"]) == ("agent", "agent")
    assert server.ask("GET", f"/memories/{kept['short']}") == kept
    with server.house.tacit() as tacit:
        assert wire.memory(tacit.get(kept["id"])) == kept


def test_what_is_said_already_is_told_with_another_status(server: Served):
    server.post("/memories", json=RS256)

    again = server.post("/memories", json=RS256)

    assert again.status_code == 200
    assert again.json()["new"] == 0


def test_many_are_kept_together_or_not_at_all(server: Served):
    drafts = [{"text": "Deploys need two reviews"}, {"text": "Refunds are never retried"}]
    kept = server.ask("POST", "/remember", 201, json={"memories": drafts})
    broken = {"memories": [{"text": "Caches live a day"}, {"text": "", "value": "lost"}]}

    problem_of(server.post("/remember", json=broken))

    assert kept["new"] == 2
    listed = server.ask("GET", "/memories")["memories"]
    assert [one["text"] for one in listed] == [one["text"] for one in reversed(drafts)]


def test_pages_go_on_where_they_ended_whatever_is_written_between(server: Served):
    texts = [f"The shop has a rule number {number}" for number in range(7)]
    for text in texts:
        server.remember(text)

    first = server.ask("GET", "/memories", params={"limit": 3})
    server.remember("A rule that came while somebody was reading")
    second = server.ask("GET", "/memories", params={"limit": 3, "cursor": first["next"]})
    third = server.ask("GET", "/memories", params={"limit": 3, "cursor": second["next"]})

    found = [one["text"] for page in (first, second, third) for one in page["memories"]]
    assert found == texts[::-1]
    assert third["next"] is None


def test_pages_from_the_oldest_give_every_memory_once(server: Served):
    texts = [f"The shop has a rule number {number}" for number in range(7)]
    for text in texts:
        server.remember(text)

    found, cursor = [], ""
    while cursor is not None:
        asked = {"order": "oldest", "limit": 2, "cursor": cursor}
        page = server.ask("GET", "/memories", params=asked)
        found += [one["text"] for one in page["memories"]]
        cursor = page["next"]

    assert found == texts


@pytest.mark.parametrize("cursor", ["x", "bnVsbA", "WyJvbGRlc3QiLCJhIiwxXQ", "WzEsMiwzXQ"])
def test_a_made_up_cursor_is_refused(server: Served, cursor: str):
    answer = server.get("/memories", params={"cursor": cursor})

    assert problem_of(answer)["code"] == "invalid"


def test_a_list_is_filtered_as_on_the_command_line(server: Served):
    server.remember("Sign tokens with RS256", tier="mandate", tags=["auth"])
    server.remember("Moved the shop to Postgres 16", kind="episode")

    mandates = server.ask("GET", "/memories?tier=mandate&facet=tag:auth")["memories"]
    both = server.ask("GET", "/memories?kind=fact&kind=episode")["memories"]

    assert [one["text"] for one in mandates] == ["Sign tokens with RS256"]
    assert len(both) == 2
    assert problem_of(server.get("/memories?facet=nothing"))["status"] == 400


def test_a_memory_is_read_as_it_stood(server: Served):
    kept = server.remember("Tokens live a day")
    server.ask("PATCH", f"/memories/{kept['id']}", json={"text": "Tokens live an hour"})

    then = server.ask("GET", f"/memories/{kept['id']}", params={"known_at": kept["recorded_at"]})

    assert then["text"] == "Tokens live a day"
    history = server.ask("GET", f"/memories/{kept['id']}/history")["history"]
    assert [one["memory"]["text"] for one in history] == [
        "Tokens live a day",
        "Tokens live an hour",
    ]


def test_who_has_an_answer_already_is_told_so(server: Served):
    kept = server.remember("Tokens live a day")
    tag = server.get(f"/memories/{kept['id']}").headers["etag"]

    again = server.get(f"/memories/{kept['id']}", headers={"If-None-Match": f'"other", {tag}'})

    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    server.ask("PATCH", f"/memories/{kept['id']}", json={"tier": "guardrail"})
    changed = server.get(f"/memories/{kept['id']}", headers={"If-None-Match": tag})
    assert (changed.status_code, changed.json()["tier"]) == (200, "guardrail")


def test_a_change_is_made_to_what_was_read_or_not_at_all(server: Served):
    kept = server.remember("Tokens live a day")
    path = f"/memories/{kept['id']}"
    tag = server.get(path).headers["etag"]

    first = server.patch(path, json={"text": "Tokens live an hour"}, headers={"If-Match": tag})
    second = server.patch(path, json={"text": "Tokens live a week"}, headers={"If-Match": tag})

    assert first.status_code == 200
    assert first.headers["etag"] == server.get(path).headers["etag"]
    assert problem_of(second)["status"] == 412
    assert server.ask("GET", path)["text"] == "Tokens live an hour"


def test_a_text_and_a_setting_change_together_or_not_at_all(server: Served):
    kept = server.remember("Tokens live a day", valid_from="2026-01-31")
    change = {"text": "Tokens live an hour", "valid_to": "2020-01-01"}

    problem_of(server.patch(f"/memories/{kept['id']}", json=change))

    assert server.ask("GET", f"/memories/{kept['id']}") == kept


def test_a_request_that_is_sent_again_is_done_once(server: Served):
    key = {"Idempotency-Key": "one"}
    first = server.post("/memories", json=RS256, headers=key)
    server.ask("POST", f"/memories/{first.json()['memories'][0]['id']}/forget")

    again = server.post("/memories", json=RS256, headers=key)

    assert again.headers["idempotency-replayed"] == "true"
    assert again.status_code == 201
    (memory,) = again.json()["memories"]
    assert (memory["id"], memory["state"]) == (first.json()["memories"][0]["id"], "forgotten")
    assert again.json() | {"memories": []} == first.json() | {"memories": []}
    assert server.ask("GET", "/memories")["memories"] == []


def test_a_key_means_one_request_alone(server: Served):
    key = {"Idempotency-Key": "one"}
    server.post("/memories", json=RS256, headers=key)

    other = server.post("/memories", json={"text": "Tokens live a day"}, headers=key)

    assert problem_of(other)["code"] == "conflict"


def test_what_failed_is_done_when_it_is_sent_again(server: Served):
    key = {"Idempotency-Key": "one"}
    body = {"refs": ["nowhere"]}
    problem_of(server.post("/forget", json=body, headers=key))
    server.remember("Tokens live a day", source_ref="nowhere")

    again = server.post("/forget", json=body, headers=key)

    assert (again.status_code, "idempotency-replayed" in again.headers) == (200, False)


def test_what_was_done_is_known_to_the_next_server_of_the_store(location: str):
    key = {"Idempotency-Key": "one"}
    with serving(location) as server:
        first = server.post("/memories", json=RS256, headers=key).json()
    with serving(location) as server:
        again = server.post("/memories", json=RS256, headers=key)

    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == first


def test_nothing_of_what_was_said_is_kept_beside_the_memories(server: Served, location: str):
    key = {"Idempotency-Key": "one"}
    kept = server.post("/memories", json=RS256, headers=key).json()["memories"][0]
    with Tacit.open(location) as tacit:
        names = [f"{repeats.DOCUMENT}{share}" for share in range(repeats.SHARES)]
        held = "".join(tacit.store.load(name) or "" for name in names)

    assert kept["id"] in held
    assert "RS256" not in held
    assert "one" not in held


def test_two_that_come_at_once_with_one_key_are_done_once(server: Served):
    from concurrent.futures import ThreadPoolExecutor

    def send(_number: int) -> str:
        return server.post("/cite", json=body, headers={"Idempotency-Key": "one"}).headers.get(
            "idempotency-replayed", "done"
        )

    body = {"refs": [server.remember("Tokens live a day")["id"]], "event": "helped"}
    with ThreadPoolExecutor(8) as pool:
        found = sorted(pool.map(send, range(8)))

    assert found == ["done", *["true"] * 7]


def test_memories_are_forgotten_restored_pinned_and_confirmed(server: Served):
    id_ = server.remember("Tokens live a day")["id"]

    assert server.ask("POST", f"/memories/{id_}/forget")["state"] == "forgotten"
    assert server.ask("POST", f"/memories/{id_}/restore")["state"] == "active"
    assert server.ask("POST", f"/memories/{id_}/pin")["pinned"] is True
    assert server.ask("POST", f"/memories/{id_}/unpin")["pinned"] is False
    assert server.ask("POST", f"/memories/{id_}/confirm")["confirmed_by"] == "ana"
    history = server.ask("GET", f"/memories/{id_}/history")["history"]
    assert {one["by"] for one in history[1:]} == {"ana"}


def test_nothing_is_erased_before_it_is_told_so(server: Served):
    id_ = server.remember("Tokens live a day")["id"]
    body = {"refs": [id_]}

    would = server.ask("POST", "/erase", json=body)
    done = server.ask("POST", "/erase?yes=true", json=body)

    assert (would["done"], done["done"]) == (False, True)
    assert would["memories"] == done["memories"]
    assert problem_of(server.get(f"/memories/{id_}"))["code"] == "not_found"


def test_one_that_is_not_there_keeps_all_from_being_forgotten(server: Served):
    id_ = server.remember("Tokens live a day")["id"]

    problem_of(server.post("/forget", json={"refs": [id_, "nowhere"]}))

    assert server.ask("GET", f"/memories/{id_}")["state"] == "active"


def test_memories_are_linked(server: Served):
    one, other = server.remember("Tokens live a day"), server.remember("Keys live a year")
    link = {"relation": "supports", "to": other["short"], "weight": 0.5}

    made = server.ask("POST", f"/memories/{one['id']}/links", 201, json=link)

    assert (made["src"], made["dst"], made["weight"]) == (one["id"], other["id"], 0.5)
    found = server.ask("GET", f"/memories/{other['id']}/links")["links"]
    assert [(each["relation"], each["memory"]["id"]) for each in found] == [
        ("supported_by", one["id"])
    ]


def test_a_setting_that_allows_no_writing_is_heeded(location: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TACIT_WRITE", "off")
    with serving(location) as server:
        answer = server.post("/memories", json=RS256)
        found = server.get("/recall", params={"query": "tokens"})

    assert problem_of(answer)["code"] == "denied"
    assert found.status_code == 200


def test_the_shapes_are_those_of_the_command_line(cli: Cli, folder):
    cli.keep("Sign tokens with RS256", "--key", "auth.jwt_alg", "--value", "RS256")
    (listed,) = cli.json("list")
    why = cli.json("why", listed["short"])
    with Tacit.open() as tacit:
        location = tacit.store.path
    with serving(location) as server:
        found = server.ask("GET", "/memories")["memories"]
        reasons = server.ask("GET", f"/memories/{listed['short']}/why")

    assert found == [listed]
    assert reasons == why


@pytest.mark.parametrize(
    ("model", "shape"),
    [
        (told.Memory, lambda t, m: wire.memory(m)),
        (told.Explained, lambda t, m: wire.explained(t.why(m.id)) | {"handed": []}),
        (told.Revision, lambda t, m: wire.revision(t.why(m.id).history[0])),
        (told.Named, lambda t, m: wire.brief(m)),
        (told.Recalled, lambda t, m: wire.recalled(t.recall_explained("tokens"))),
    ],
)
def test_the_document_names_every_field_and_no_other(folder, model, shape):
    with Tacit.open(str(folder / "shop.db")) as tacit:
        given = shape(tacit, tacit.remember("Sign tokens with RS256"))

    assert set(model.model_fields) == set(given)
    model.model_validate(given, strict=True)
