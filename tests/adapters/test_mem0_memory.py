"""mem0's methods on Tacit: the same arguments, results and refusals, and users that never mix."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opened_memory import a_memory, memory_aside

from fakes import FrozenClock, ScriptedReranker
from tacit.adapters.mem0 import AsyncMemory, Memory, ValidationError
from tacit.adapters.mem0.infer import statements
from tacit.errors import Invalid
from tacit.model import Kind, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit import Tacit

ANA = {"user_id": "ana"}
SECRET = "Blau-Regen77!"
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def tacit(tmp_path: Path, clock: FrozenClock) -> Iterator[Tacit]:
    with a_memory(str(tmp_path / "shop.db"), clock=clock) as tacit:
        yield tacit


@pytest.fixture
def memory(tacit: Tacit) -> Memory:
    return Memory(tacit=tacit)


def texts(found: dict[str, Any]) -> list[str]:
    return [item["memory"] for item in found["results"]]


def add(memory: Memory, text: str, **given: Any) -> str:
    """Keep a text as it is; give its id."""
    (item,) = memory.add(text, infer=False, **given)["results"]
    return str(item["id"])


# Adding


def test_messages_are_kept_as_they_are_when_nothing_is_to_be_inferred(memory: Memory) -> None:
    said = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "I moved to Berlin.\n", "name": "ana"},
        {"role": "assistant", "content": [{"type": "text", "text": "Welcome"}, {"type": "image"}]},
        {"role": "user"},
        "not a message",
    ]
    added = memory.add(said, **ANA, infer=False)["results"]

    ids = [item.pop("id") for item in added]
    assert added == [
        {"memory": "I moved to Berlin.\n", "event": "ADD", "actor_id": "ana", "role": "user"},
        {"memory": "Welcome", "event": "ADD", "actor_id": None, "role": "assistant"},
    ]
    assert len(set(ids)) == 2


def test_an_item_has_the_shape_of_mem0s(memory: Memory, clock: FrozenClock) -> None:
    now = clock.now().isoformat()
    given = {"k": [1, None, {"é": True}], "user_id": "eve", "actor_id": "eve", "hash": "x"}
    said = {"role": "user", "content": "a", "name": "n"}
    memory.add(said, user_id=" ana ", agent_id=7, run_id="r", metadata=given, infer=False)

    (item,) = memory.get_all(filters=ANA)["results"]
    expected = {
        "id": item["id"],
        "memory": "a",
        "hash": "0cc175b9c0f1b6a831c399e269772661",
        "metadata": {"k": [1, None, {"é": True}]},
        "created_at": now,
        "updated_at": now,
        "user_id": "ana",
        "agent_id": "7",
        "run_id": "r",
        "actor_id": "n",
        "role": "user",
    }
    assert item == expected
    assert memory.get(item["id"]) == expected | {"score": None}


def test_the_same_words_are_kept_as_often_as_they_are_said(memory: Memory) -> None:
    for number in range(3):
        memory.add("ok", **ANA, infer=False, metadata={"n": number})
    memory.add([{"role": "user", "content": "ok"}] * 2, **ANA, infer=False)

    found = memory.get_all(filters=ANA)["results"]
    assert [item["memory"] for item in found] == ["ok"] * 5
    assert sorted(item["metadata"]["n"] for item in found if item["metadata"]) == [0, 1, 2]


def test_what_is_stated_is_inferred_without_a_model_and_kept_once(memory: Memory) -> None:
    said = [
        {"role": "user", "content": "Hi, I'm Alex. I love basketball! What should I eat tonight?"},
        {"role": "assistant", "content": "You could try pasta."},
        {"role": "user", "content": "Thanks! I am allergic to nuts, by the way."},
    ]
    first = memory.add(said, **ANA, metadata={"k": 1})
    again = memory.add(said, **ANA)
    elsewhere = memory.add(said, user_id="ben")

    assert texts(first) == ["I'm Alex.", "I love basketball!", "I am allergic to nuts, by the way."]
    assert [set(item) for item in first["results"]] == [{"id", "memory", "event"}] * 3
    assert again == {"results": []}
    assert texts(elsewhere) == texts(first)
    item = memory.get(first["results"][0]["id"])
    assert item is not None
    assert (item["attributed_to"], item["metadata"]) == ("user", {"k": 1})


def test_what_an_agent_says_is_inferred_for_the_agents_own_memory_alone(memory: Memory) -> None:
    said = [{"role": "assistant", "content": "I always deploy with blue-green releases."}]

    assert texts(memory.add(said, **ANA)) == []
    assert texts(memory.add(said, **ANA, agent_id="bot")) == []
    assert texts(memory.add(said, agent_id="bot")) == ["I always deploy with blue-green releases."]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Can you fix it? Please write a test.", []),
        ("Thanks!", []),
        ("My dog is called Rex", ["My dog is called Rex"]),
        ("The invoice service runs on port 8080.", ["The invoice service runs on port 8080."]),
        ("```\nI am code.\n```\nWe use tabs.", ["We use tabs."]),
        ("- We use tabs\n- What else?\n2) I hate spaces", ["We use tabs", "I hate spaces"]),
        (
            "I like e.g. tea. Also, I like Dr. J. Smith.",
            ["I like e.g. tea.", "I like Dr. J. Smith."],
        ),
        ("x" * 600, []),
        ("", []),
    ],
)
def test_questions_requests_and_thanks_state_nothing(said: str, kept: list[str]) -> None:
    assert list(statements(said)) == kept


def test_a_procedure_is_kept_whole(memory: Memory) -> None:
    said = [{"role": "user", "content": "Deploy."}, {"role": "assistant", "content": "make ship"}]
    (item,) = memory.add(said, agent_id="bot", memory_type="procedural_memory")["results"]

    kept = memory.get(item["id"])
    assert item["memory"] == "user: Deploy.\nassistant: make ship"
    assert kept is not None
    assert kept["metadata"] == {"memory_type": "procedural_memory"}


def test_nothing_said_adds_nothing(memory: Memory) -> None:
    for infer in (True, False):
        assert memory.add("  ", **ANA, infer=infer) == {"results": []}
    assert memory.add([], agent_id="b", memory_type="procedural_memory") == {"results": []}


def test_secrets_are_not_kept(memory: Memory) -> None:
    given = {"password": SECRET, "notes": [f"password = {SECRET}"]}
    id_ = add(memory, f"password = {SECRET}", **ANA, metadata=given)
    memory.update(id_, text=f"my password = {SECRET}", metadata={"old": {"password": SECRET}})

    assert SECRET not in json.dumps([memory.get(id_), memory.history(id_)])
    assert (memory.get(id_) or {})["metadata"]["password"] == "[REDACTED:password]"


def test_metadata_is_what_json_can_say(memory: Memory) -> None:
    with pytest.raises(Invalid, match="not JSON"):
        add(memory, "x", **ANA, metadata={"a": object()})


# Finding


def test_it_finds_by_words_and_by_meaning_best_first(memory: Memory) -> None:
    for text in ("Refunds take 25 days", "The cart is kept in Redis", "Ana likes green tea"):
        add(memory, text, **ANA)

    found = memory.search("how long do refunds take?", filters=ANA, explain=True)["results"]

    assert found[0]["memory"] == "Refunds take 25 days"
    assert 0 < found[0]["score"] <= 1
    assert set(found[0]["score_details"]) == {
        "semantic_score",
        "bm25_score",
        "entity_boost",
        "raw_score",
        "max_possible_score",
        "final_score",
        "threshold",
    }
    scores = [item["score"] for item in found]
    assert scores == sorted(scores, reverse=True)


def test_a_threshold_cuts_and_top_k_or_limit_bounds(memory: Memory) -> None:
    for number in range(5):
        add(memory, f"Refunds of shop {number} take {number} days", **ANA)

    def search(**given: Any) -> list[str]:
        return texts(memory.search("refunds of shop 3", filters=ANA, **given))

    assert len(search()) == 5
    assert len(search(top_k=2)) == len(search(limit=2)) == 2
    assert search(top_k=0) == []
    assert search(threshold=1.0) == ["Refunds of shop 3 take 3 days"]
    assert len(texts(memory.get_all(filters=ANA, top_k=3))) == 3
    assert len(texts(memory.get_all(filters=ANA, limit=2))) == 2


def test_a_reranker_is_asked_where_there_is_one(memory: Memory, tacit: Tacit) -> None:
    for text in ("Refunds take 25 days", "How many days refunds take, ask the bank"):
        add(memory, text, **ANA)
    tacit.reranker = ScriptedReranker({"How many days refunds take, ask the bank": 1.0})

    plain = texts(memory.search("how many days do refunds take?", filters=ANA))
    again = texts(memory.search("how many days do refunds take?", filters=ANA, rerank=True))
    narrow = memory.search(
        "how many days do refunds take?", filters=ANA | {"role": "user"}, rerank=True
    )

    assert again == texts(narrow) == plain[::-1]


def test_what_mem0_does_not_know_is_passed_over_and_told(
    memory: Memory, caplog: pytest.LogCaptureFixture
) -> None:
    add(memory, "Refunds take 25 days", **ANA)

    assert texts(memory.get_all(filters=ANA, version="v2")) == ["Refunds take 25 days"]
    assert "['version']" in caplog.text


def test_nothing_relevant_gives_nothing(memory: Memory) -> None:
    add(memory, "Refunds take 25 days", **ANA)

    assert memory.search("quantum chromodynamics", filters=ANA) == {"results": []}


def test_filters_name_metadata_with_operators(memory: Memory) -> None:
    for number, kind in enumerate(("food", "food", "sport")):
        add(memory, f"note {number} of refunds", **ANA, metadata={"kind": kind, "n": number})

    def found(**filters: Any) -> list[str]:
        asked = texts(memory.search("refunds note", filters=ANA | filters))
        listed = texts(memory.get_all(filters=ANA | filters))
        assert sorted(asked) == sorted(listed)
        return sorted(text[5] for text in listed)

    assert found(kind="food") == ["0", "1"]
    assert found(kind={"ne": "food"}) == ["2"]
    assert found(n={"gte": 1, "lt": 2}) == ["1"]
    assert found(kind={"in": ["sport", "x"]}) == ["2"]
    assert found(kind={"icontains": "FOO"}) == ["0", "1"]
    assert found(OR=[{"n": 0}, {"kind": "sport"}]) == ["0", "2"]
    assert found(NOT=[{"kind": "food"}]) == ["2"]
    assert found(AND=[{"kind": "food"}, {"n": {"gt": 0}}]) == ["1"]
    assert found(created_at={"gte": "2026-01-01"}) == ["0", "1", "2"]
    assert found(nothing="*") == []
    assert found(kind="*") == ["0", "1", "2"]


def test_many_that_do_not_fit_hide_none_that_does(memory: Memory) -> None:
    for number in range(70):
        add(memory, f"refunds refunds {number}", **ANA, metadata={"wanted": number == 0})
        add(memory, f"refunds refunds {number}", user_id="Ana")  # the same facet, another user

    assert texts(memory.search("refunds", filters=ANA | {"wanted": True})) == ["refunds refunds 0"]
    found = memory.search("refunds", filters=ANA, top_k=70)["results"]
    assert len(found) == 70
    assert {item["user_id"] for item in found} == {"ana"}


# Whose it is

IDS = st.fixed_dictionaries(
    {},
    optional={
        "user_id": st.sampled_from(["ana", "Ana", "ben", "a/b", "7f3c-1", "bot"]),
        "agent_id": st.sampled_from(["bot", "ana", "a/b"]),
        "run_id": st.sampled_from(["r1", "ana", "x"]),
    },
).filter(bool)


@given(st.lists(IDS, min_size=1, max_size=8), IDS, st.booleans())
@settings(max_examples=60)
def test_nobody_sees_what_is_not_theirs(
    kept: list[dict[str, str]], asked: dict[str, str], infer: bool
) -> None:
    with memory_aside() as tacit:
        memory = Memory(tacit=tacit)
        for number, ids in enumerate(kept):
            memory.add(f"I like tea number {number}.", **ids, infer=infer)
        theirs = [
            f"I like tea number {number}."
            for number, ids in enumerate(kept)
            if asked.items() <= ids.items()
        ]

        assert sorted(texts(memory.get_all(filters=asked))) == sorted(theirs)
        assert sorted(texts(memory.search("which tea?", filters=asked))) == sorted(theirs)
        memory.delete_all(**asked)
        left = [ids for ids in kept if not asked.items() <= ids.items()]
        assert len(tacit.list()) == len(left)


def test_the_same_fact_of_two_users_is_two_memories_in_two_scopes(
    memory: Memory, tacit: Tacit
) -> None:
    for user in ("ana", "ben", "a/b%c"):
        memory.add("I like green tea.", user_id=user)
    memory.add("I like green tea.", user_id="ana", agent_id="bot", run_id="r1")

    assert sorted(each.scope.path for each in tacit.list()) == [
        "user:a%2Fb%25c/project:shop",
        "user:ana/project:shop",
        "user:ana/project:shop/agent:bot/session:r1",
        "user:ben/project:shop",
    ]
    tacit.consolidate()
    assert len(memory.get_all(filters={"user_id": "ben"})["results"]) == 1


def test_a_run_that_two_users_share_links_nothing_of_theirs(memory: Memory, tacit: Tacit) -> None:
    add(memory, "I like green tea", user_id="ana", run_id="r1")
    add(memory, "I like black tea", user_id="ben", run_id="r1")

    assert tacit.store.links(None) == []


def test_it_stands_beside_other_memories_of_a_project(tmp_path: Path) -> None:
    with a_memory(str(tmp_path / "shop.db"), visible=(Scope(path="project:shop"),)) as tacit:
        tacit.remember("Ana likes coffee", author="ana")
        memory = Memory(tacit=tacit)
        add(memory, "I like green tea", **ANA)

        assert [each.text for each in tacit.list()] == ["Ana likes coffee"]
        assert texts(memory.get_all(filters=ANA)) == ["I like green tea"]
        assert texts(memory.search("tea", filters=ANA | {"role": "user"})) == ["I like green tea"]
        memory.reset()
        assert [each.text for each in tacit.list()] == ["Ana likes coffee"]


# Changing


def test_every_change_is_in_the_history(memory: Memory, clock: FrozenClock) -> None:
    made = clock.now().isoformat()
    said = {"role": "user", "content": "I live in Rome", "name": "n"}
    (item,) = memory.add(said, **ANA, infer=False, metadata={"a": 1, "b": 1})["results"]
    changed = clock.advance(hours=1).isoformat()
    assert memory.update(
        item["id"], text="I live in Berlin", metadata={"b": 2, "user_id": "x"}
    ) == {"message": "Memory updated successfully!"}
    now = memory.get(item["id"])
    gone = clock.advance(hours=1).isoformat()
    assert memory.delete(item["id"]) == {"message": "Memory deleted successfully!"}

    assert now is not None
    assert (now["memory"], now["metadata"]) == ("I live in Berlin", {"a": 1, "b": 2})
    assert (now["user_id"], now["created_at"], now["updated_at"]) == ("ana", made, changed)
    assert memory.get(item["id"]) is None
    rows = memory.history(item["id"])
    about = {"memory_id": item["id"], "created_at": made, "actor_id": "n", "role": "user"}
    assert [{k: v for k, v in row.items() if k != "id"} for row in rows] == [
        about
        | {
            "old_memory": None,
            "new_memory": "I live in Rome",
            "event": "ADD",
            "updated_at": made,
            "is_deleted": False,
        },
        about
        | {
            "old_memory": "I live in Rome",
            "new_memory": "I live in Berlin",
            "event": "UPDATE",
            "updated_at": changed,
            "is_deleted": False,
        },
        about
        | {
            "old_memory": "I live in Berlin",
            "new_memory": None,
            "event": "DELETE",
            "updated_at": gone,
            "is_deleted": True,
        },
    ]
    assert len({row["id"] for row in rows}) == 3


def test_what_was_inferred_has_a_history_too(memory: Memory) -> None:
    (item,) = memory.add("I live in Rome.", **ANA)["results"]
    memory.add("I live in Rome!", **ANA)  # said again, which is no change
    memory.update(item["id"], data="I live in Berlin.")

    rows = memory.history(item["id"])
    assert [(row["event"], row["new_memory"]) for row in rows] == [
        ("ADD", "I live in Rome."),
        ("UPDATE", "I live in Berlin."),
    ]
    assert rows[0]["updated_at"] is None
    assert (rows[0]["role"], rows[0]["actor_id"]) == (None, None)


def test_metadata_alone_can_change(memory: Memory) -> None:
    id_ = add(memory, "a", **ANA)
    memory.update(id_, metadata={"k": 1})

    assert (memory.get(id_) or {})["metadata"] == {"k": 1}
    assert [(r["old_memory"], r["new_memory"]) for r in memory.history(id_)][1] == ("a", "a")


def test_what_was_changed_is_found_by_its_new_words(memory: Memory) -> None:
    id_ = add(memory, "Refunds take 25 days", **ANA)
    memory.update(id_, text="Shipping is free above forty euros")

    assert memory.search("refunds", filters=ANA)["results"] == []
    assert texts(memory.search("is shipping free?", filters=ANA))


def test_a_deleted_memory_can_be_restored_by_tacit(memory: Memory, tacit: Tacit) -> None:
    id_ = add(memory, "Refunds take 25 days", **ANA)
    (kept,) = tacit.list()
    memory.delete_all(**ANA)
    tacit.restore(kept.id)

    assert texts(memory.get_all(filters=ANA)) == ["Refunds take 25 days"]
    assert [row["event"] for row in memory.history(id_)] == ["ADD", "DELETE", "ADD"]


def test_a_memory_expires_at_the_end_of_its_day(memory: Memory, clock: FrozenClock) -> None:
    today = clock.now().date()
    for days in (-1, 0, 1):
        day = today + timedelta(days=days)
        add(memory, f"refund offer {days}", **ANA, expiration_date=day.isoformat())

    assert sorted(texts(memory.get_all(filters=ANA))) == ["refund offer 0", "refund offer 1"]
    assert sorted(texts(memory.search("refund", filters=ANA))) == [
        "refund offer 0",
        "refund offer 1",
    ]
    for listed in (
        memory.get_all(filters=ANA, show_expired=True),
        memory.search("refund", filters=ANA, show_expired=True),
    ):
        assert sorted(texts(listed)) == ["refund offer -1", "refund offer 0", "refund offer 1"]
    clock.advance(days=1)
    (item,) = memory.get_all(filters=ANA)["results"]
    assert item["expiration_date"] == (today + timedelta(days=1)).isoformat()


def test_an_end_can_be_set_and_taken_away(memory: Memory, clock: FrozenClock) -> None:
    id_ = add(memory, "refund offer", **ANA)
    memory.update(id_, expiration_date=date(2020, 1, 1))
    hidden = memory.get_all(filters=ANA)["results"]
    memory.update(id_, expiration_date=None)

    assert hidden == []
    assert [item["expiration_date"] for item in memory.get_all(filters=ANA)["results"]] == [None]


def test_a_day_may_be_given_as_a_day_or_a_time(memory: Memory, clock: FrozenClock) -> None:
    for day in (clock.now(), clock.now().date(), clock.now().date().isoformat()):
        add(memory, "a", **ANA, expiration_date=day)

    found = memory.get_all(filters=ANA)["results"]
    assert [item["expiration_date"] for item in found] == ["2026-03-01"] * 3


def test_metadata_may_say_when_a_memory_was_made(memory: Memory) -> None:
    for made in ("2024-01-01T00:00:00+00:00", "long ago"):
        add(memory, "a", **ANA, metadata={"created_at": made})

    found = memory.get_all(filters=ANA)["results"]
    assert {item["created_at"] for item in found} == {"2024-01-01T00:00:00+00:00", "long ago"}
    assert all(item["updated_at"] == item["created_at"] for item in found)


def test_reset_leaves_nothing(memory: Memory, tacit: Tacit) -> None:
    id_ = add(memory, "a", **ANA)
    memory.delete(id_)
    memory.add("I like tea.", user_id="ben")
    memory.reset()

    assert memory.history(id_) == []
    assert tacit.status().memories == 0


# Refusing


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda m: m.add("x"), "At least one of 'user_id', 'agent_id', or 'run_id' must be"),
        (lambda m: m.add(5, user_id="u"), "messages must be str, dict, or list[dict]"),
        (lambda m: m.add("x", user_id=" "), "Invalid user_id: cannot be empty or whitespace-only."),
        (lambda m: m.add("x", run_id="a b"), "Invalid run_id: cannot contain whitespace."),
        (lambda m: m.add("x", user_id="u", memory_type="q"), "Invalid 'memory_type'. Please pass"),
        (
            lambda m: m.add("x", user_id="u", timestamp=3),
            "The timestamp parameter is not supported by the OSS Memory SDK.",
        ),
        (
            lambda m: m.add("x", user_id="u", expiration_date="soon"),
            "expiration_date must be a valid date in YYYY-MM-DD format.",
        ),
        (
            lambda m: m.add("x", user_id="u", expiration_date=5),
            "expiration_date must be a date string in YYYY-MM-DD format.",
        ),
        (lambda m: m.search("", filters=ANA), "Invalid query: cannot be empty or whitespace-only."),
        (lambda m: m.search(5, filters=ANA), "Invalid query: must be a non-empty string."),
        (
            lambda m: m.search("x"),
            "filters must contain at least one of: user_id, agent_id, run_id.",
        ),
        (
            lambda m: m.search("x", user_id="u"),
            "Top-level entity parameters frozenset({'user_id'}) are not supported in search(). "
            "Use filters={'user_id': '...'} instead.",
        ),
        (
            lambda m: m.search("x", filters=ANA, threshold=2),
            "Invalid threshold: 2. Must be between",
        ),
        (lambda m: m.search("x", filters=ANA, threshold="a"), "threshold must be a valid number"),
        (lambda m: m.search("x", filters=ANA, top_k=-1), "Invalid top_k: -1. Must be"),
        (lambda m: m.search("x", filters=ANA, top_k=True), "top_k must be a valid integer"),
        (
            lambda m: m.search("x", filters=ANA, reference_date="2026-01-01"),
            "The reference_date parameter is not supported by the OSS Memory SDK.",
        ),
        (lambda m: m.get_all(filters={"k": 1}), "filters must contain at least one of"),
        (lambda m: m.get_all(agent_id="u"), "Top-level entity parameters frozenset({'agent_id'})"),
        (lambda m: m.update("zz", text="x"), "Memory with id zz not found. Please provide a valid"),
        (lambda m: m.update("zz"), "At least one of text, metadata, or expiration_date must be"),
        (lambda m: m.delete("zz"), "Memory with id zz not found"),
        (lambda m: m.delete_all(), "At least one filter is required to delete all memories."),
    ],
)
def test_it_refuses_what_mem0_refuses_in_its_words(
    memory: Memory, act: Callable[[Memory], Any], said: str
) -> None:
    with pytest.raises(ValueError) as caught:
        act(memory)

    assert str(caught.value).startswith(said)
    assert isinstance(caught.value, Invalid)


def test_its_validation_error_tells_what_mem0s_tells(memory: Memory) -> None:
    with pytest.raises(ValidationError) as caught:
        memory.add("x")

    assert caught.value.error_code == "VALIDATION_001"
    assert set(caught.value.details["provided_ids"]) == {"user_id", "agent_id", "run_id"}
    assert caught.value.suggestion.startswith("Please provide at least one identifier")


def test_there_is_no_chat(memory: Memory) -> None:
    with pytest.raises(NotImplementedError):
        memory.chat("hello")


# Opening


def test_a_configuration_of_mem0_names_where_it_lies(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")

    def place(config: Any) -> str:
        with Memory.from_config(config) if config else Memory() as memory:
            return memory.tacit.store.path

    config = {"collection_name": "a/../b", "host": "localhost", "port": 6333}
    llm = {"provider": "openai", "config": {"model": "none"}}
    assert place(None) == str(tmp_path / "home/mem0/mem0.tacit.db")
    assert place({"vector_store": {"provider": "qdrant", "config": config}, "llm": llm}) == str(
        tmp_path / "home/mem0/a-..-b.tacit.db"
    )
    config = {"path": str(tmp_path / "qdrant"), "collection_name": "c"}
    assert place({"vector_store": {"config": config}}) == str(tmp_path / "qdrant/c.tacit.db")


def test_a_memory_that_is_lent_stays_open(tacit: Tacit) -> None:
    with Memory(tacit=tacit) as memory:
        add(memory, "a", **ANA)

    assert len(tacit.list()) == 1


def test_what_was_brought_in_from_mem0_is_there(
    memory: Memory, tacit: Tacit, tmp_path: Path
) -> None:
    export = tmp_path / "export.json"
    item = {
        "id": "5f0c8a4e-0000-4000-8000-000000000001",
        "memory": "Likes green tea",
        "hash": "x",
        "user_id": "ana",
        "agent_id": "bot",
        "run_id": "r1",
        "metadata": {"kind": "food"},
        "created_at": "2025-05-01T10:00:00+00:00",
    }
    export.write_text(json.dumps({"results": [item]}), encoding="utf-8")
    tacit.import_from(str(export), "mem0")

    for filters in (ANA, {"agent_id": "bot"}, {"run_id": "r1"}, ANA | {"kind": "food"}):
        (found,) = memory.get_all(filters=filters)["results"]
        assert found["id"] == item["id"]
        assert texts(memory.search("green tea", filters=filters)) == ["Likes green tea"]
    memory.update(item["id"], metadata={"kind": "drink"})
    (found,) = memory.get_all(filters=ANA | {"kind": "drink"})["results"]
    assert found["created_at"] == item["created_at"]
    assert (found["agent_id"], found["run_id"]) == ("bot", "r1")


def test_everything_survives_an_export(memory: Memory, tacit: Tacit, tmp_path: Path) -> None:
    add(memory, "I like green tea", **ANA, metadata={"k": 1})
    memory.add("I live in Rome.", user_id="ben", run_id="r1")
    with a_memory(str(tmp_path / "other.db")) as other:
        other.import_(tacit.export())

        for filters in (ANA, {"run_id": "r1"}):
            assert Memory(tacit=other).get_all(filters=filters) == memory.get_all(filters=filters)


def test_memories_are_of_the_kind_they_are(memory: Memory, tacit: Tacit) -> None:
    add(memory, "What did I say?", **ANA)
    memory.add("I live in Rome.", **ANA)

    assert {each.kind: each.text for each in tacit.list()} == {
        Kind.EPISODE: "What did I say?",
        Kind.FACT: "I live in Rome.",
    }


# Asynchronous programs


def test_the_asynchronous_memory_is_the_same(tacit: Tacit) -> None:
    async def work() -> None:
        async with AsyncMemory(tacit=tacit) as memory:
            added = await asyncio.gather(
                *(memory.add(f"I like tea {n}", **ANA, infer=False) for n in range(6))
            )
            id_ = added[0]["results"][0]["id"]
            assert len((await memory.get_all(filters=ANA))["results"]) == 6
            assert (await memory.search("tea 3", filters=ANA, top_k=1))["results"]
            await memory.update(id_, "I like coffee")
            assert (await memory.get(id_) or {})["memory"] == "I like coffee"
            assert len(await memory.history(id_)) == 2
            await memory.delete(id_)
            await memory.delete_all(**ANA)
            assert await memory.get_all(filters=ANA) == {"results": []}
            await memory.reset()
            with pytest.raises(ValueError, match="filters must contain"):
                await memory.search("x")
            with pytest.raises(NotImplementedError):
                await memory.chat("x")

    asyncio.run(work())


def test_the_asynchronous_memory_is_opened_like_the_other(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TACIT_HOME", str(tmp_path))
    memory = AsyncMemory.from_config({})

    assert memory.tacit.store.path == str(tmp_path / "mem0/mem0.tacit.db")
    memory.close()


def test_the_example_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "mem0_swap.py")],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env=os.environ
        | {
            "TACIT_HOME": str(tmp_path),
            "TACIT_EMBEDDER": "off",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        },
    )

    assert done.returncode == 0, done.stderr
    assert "vegetarian" in done.stdout
