"""What the store for LangGraph promises beyond the interface: memories, time, threads, refusals."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from langgraph.store.base import GetOp, MatchCondition, PutOp, SearchOp
from opened_memory import a_memory, printed_by, refusal_of

from tacit import Denied, Invalid, Tacit
from tacit.adapters.langgraph import TacitStore
from tacit.adapters.langgraph.matching import fits, listed
from tacit.adapters.langgraph.sweeper import Sweeper
from tacit.config import load_settings
from tacit.model import Kind, Scope
from tacit.session import last_good

ANA, BEN = ("users", "ana"), ("users", "ben")
KEY = "AKIA" + "IOSFODNN7EXAMPLQ"


@pytest.fixture
def tacit(tmp_path):
    with a_memory(str(tmp_path / "memory.db")) as opened:
        yield opened


@pytest.fixture
def store(tacit):
    return TacitStore(tacit)


def texts(tacit, query):
    return [hit.memory.text for hit in tacit.recall(query)]


def test_the_words_of_an_item_are_recalled(store, tacit):
    store.put(ANA, "diet", {"text": "Ana eats no peanuts", "certain": True, "times": 3})

    (hit,) = tacit.recall("who eats no peanuts?")

    assert hit.memory.text == "Ana eats no peanuts"
    assert hit.memory.kind is Kind.RESOURCE
    assert hit.memory.source_ref == "langgraph:project:shop#users#ana#:diet"
    assert [item.memory.id for item in tacit.recall("peanuts", facets=["tag:ana"])] == [
        hit.memory.id
    ]


def test_several_texts_say_where_they_stand(store, tacit):
    store.put(ANA, "trip", {"place": "Oslo", "by": {"means": "train"}, "with": ["Ben", "Cem"]})

    assert texts(tacit, "Oslo train") == ["place: Oslo\nby.means: train\nwith: Ben\nwith: Cem"]


@pytest.mark.parametrize(
    ("value", "index"),
    [
        ({"text": "Ana eats no peanuts"}, False),
        ({"text": "Ana eats no peanuts"}, ["other"]),
        ({"count": 7, "ok": True, "none": None}, None),
        ({"text": " \n "}, None),
        ({}, None),
    ],
)
def test_what_is_not_indexed_or_no_text_is_a_record_alone(store, tacit, value, index):
    store.put(ANA, "diet", {"text": "said before"})
    store.put(ANA, "diet", value, index=index)

    assert store.get(ANA, "diet").value == value
    assert tacit.list(history=True) == []


def test_fields_choose_the_words(tacit):
    store = TacitStore(tacit, index={"fields": ["notes[*].text"]})
    value = {"notes": [{"text": "likes tea"}, {"text": "likes rain"}], "raw": "nothing to see"}

    store.put(ANA, "a", value)
    store.put(ANA, "b", value, index=["raw"])

    assert texts(tacit, "likes tea rain") == ["notes[*].text: likes tea\nnotes[*].text: likes rain"]
    assert texts(tacit, "nothing to see") == ["nothing to see"]


def test_without_an_index_nothing_becomes_a_memory(tacit):
    TacitStore(tacit, index=False).put(ANA, "diet", {"text": "Ana eats no peanuts"})

    assert tacit.list() == []


def test_two_users_who_say_the_same_have_a_memory_each(store, tacit):
    for namespace in (ANA, BEN):
        store.put(namespace, "drink", {"text": "The user likes green tea in the morning"})
    assert len(tacit.list()) == 2

    store.delete(ANA, "drink")

    (left,) = tacit.list()
    assert left.source_ref.endswith("#ben#:drink")


def test_an_item_written_again_keeps_its_birth_and_its_memory_a_history(store, tacit):
    store.put(ANA, "diet", {"text": "Ana eats meat"})
    born = store.get(ANA, "diet").created_at
    later = tacit.clock.advance(days=1)
    store.put(ANA, "diet", {"text": "Ana eats no meat"})

    item = store.get(ANA, "diet")
    (memory,) = tacit.list()

    assert (item.created_at, item.updated_at) == (born, later)
    assert memory.text == "Ana eats no meat"
    assert [each.memory.text for each in tacit.why(memory.id).history] == [
        "Ana eats meat",
        "Ana eats no meat",
    ]


def test_an_item_written_again_unchanged_leaves_no_trace_in_the_history(store, tacit):
    for count in range(3):
        store.put(ANA, "diet", {"text": "Ana eats no meat", "count": count})

    (memory,) = tacit.list()
    assert memory.rev == 1


def test_deleting_an_item_erases_all_of_it(store, tacit):
    store.put(ANA, "diet", {"text": "Ana eats no peanuts"})
    store.put(ANA, "diet", {"text": "Ana eats no walnuts"})
    store.delete(ANA, "diet")

    assert store.get(ANA, "diet") is None
    assert tacit.list(history=True) == []
    assert tacit.store.revisions(None) == []
    assert tacit.store.documents("langgraph:") == []


def test_a_briefing_that_is_kept_for_bad_days_goes_with_a_deleted_item(tmp_path):
    settings = load_settings({"TACIT_HOME": str(tmp_path)})
    with a_memory(str(tmp_path / "memory.db"), settings=settings) as tacit:
        store = TacitStore(tacit)
        store.put(ANA, "diet", {"text": "Ana eats no peanuts"})
        last_good.save(settings, "shop", "Ana eats no peanuts")

        store.delete(ANA, "diet")

        assert last_good.load(settings, "shop") == ""


def test_erasing_the_memory_removes_the_item(store, tacit):
    store.put(ANA, "diet", {"text": "Ana eats no peanuts"})
    (memory,) = tacit.list()

    tacit.erase([memory.id])

    assert store.get(ANA, "diet") is None


def test_a_secret_is_in_the_value_but_in_no_memory(store, tacit):
    value = {"text": f"the key is {KEY}", "note": "ask Mia"}
    store.put(ANA, "aws", value)
    store.put(ANA, "login", {"password": "Blau-Regen77!"})

    assert store.get(ANA, "aws").value == value
    said = json.dumps([memory.text for memory in tacit.list()])
    assert KEY not in said
    assert "Blau-Regen77!" not in said


def test_with_redact_a_secret_is_not_in_the_value_either(tacit):
    store = TacitStore(tacit, redact=True)
    store.put(ANA, "aws", {"notes": [f"the key is {KEY}", 7], "password": "Blau-Regen77!"})

    kept = json.dumps(tacit.store.documents(""))
    assert KEY not in kept
    assert "Blau-Regen77!" not in kept
    assert store.get(ANA, "aws").value["notes"][1] == 7


def test_a_secret_in_a_key_is_not_in_the_memory(store, tacit):
    store.put(("keys",), KEY, {"text": "Opens the staging bucket"})
    (memory,) = tacit.list()
    assert KEY not in memory.source_ref + memory.text

    (found,) = store.search(("keys",), query="staging bucket", filter={"text": {"$ne": ""}})
    assert (found.key, found.score is None) == (KEY, False)
    store.delete(("keys",), KEY)
    assert tacit.list() == []


def test_a_search_gives_what_fits_first_and_then_the_latest(store, tacit):
    for minute, text in enumerate(["Ana likes rain", "Ana eats no peanuts", "Ana sings"]):
        tacit.clock.advance(minutes=minute)
        store.put(ANA, f"k{minute}", {"text": text})
    store.put(BEN, "k", {"text": "Ben eats peanuts every day"})

    found = store.search(ANA, query="which nuts, peanuts?")

    assert [item.value["text"] for item in found] == [
        "Ana eats no peanuts",
        "Ana sings",
        "Ana likes rain",
    ]
    assert found[0].score is not None
    assert found[-1].score is None
    assert store.search(ANA, query="which nuts, peanuts?", limit=1, offset=1) == found[1:2]
    assert [item.key for item in store.search(ANA)] == ["k2", "k1", "k0"]


def test_a_search_with_a_filter_ranks_only_what_fits_it(store):
    for number in range(30):
        store.put(ANA, f"n{number}", {"text": f"peanuts in jar {number}", "jar": number})

    found = store.search(ANA, query="peanuts jar", filter={"jar": {"$gte": 28}}, limit=5)

    assert {item.value["jar"] for item in found} == {28, 29}
    assert all(item.score is not None for item in found)


@pytest.mark.parametrize("query", ["", " ", "\n"])
def test_an_empty_query_asks_for_nothing_in_particular(store, query):
    store.put(ANA, "k", {"text": "Ana sings"})

    assert [item.score for item in store.search(ANA, query=query)] == [None]


def test_a_prefix_of_a_label_is_no_prefix_of_a_namespace(store):
    store.put(("users", "anabel"), "k", {"text": "Anabel sings"})

    assert store.search(ANA, query="sings") == store.search(ANA) == []
    assert len(store.search(("users",), query="sings")) == 1


def test_an_expired_item_is_not_there_and_is_swept_with_its_memory(store, tacit):
    store.put(ANA, "code", {"text": "The door code is on the fridge"}, ttl=10)
    store.put(ANA, "diet", {"text": "Ana eats no peanuts"})
    tacit.clock.advance(minutes=10)

    assert store.get(ANA, "code") is None
    assert [item.key for item in store.search((), query="door code fridge")] == ["diet"]
    assert store.list_namespaces() == [ANA]
    assert (store.sweep_ttl(), store.sweep_ttl()) == (1, 0)
    assert texts(tacit, "door code fridge") == []
    assert [item.key for item in store.search(())] == ["diet"]


def test_an_item_that_is_read_lives_as_long_again(store, tacit):
    store.put(ANA, "got", {"text": "read by its key"}, ttl=10)
    store.put(BEN, "found", {"text": "found by a search"}, ttl=10)
    store.put(("left",), "left", {"text": "not read"}, ttl=10)

    for _ in range(3):
        tacit.clock.advance(minutes=6)
        assert store.get(ANA, "got")
        assert store.search(BEN)

    assert store.get(("left",), "left") is None


def test_reading_may_leave_the_end_of_an_item_alone(tacit):
    store = TacitStore(tacit, ttl={"default_ttl": 10, "refresh_on_read": False})
    store.put(ANA, "k", {"text": "by default"})
    store.put(ANA, "kept", {"text": "without end"}, ttl=None)
    tacit.clock.advance(minutes=6)
    assert store.get(ANA, "k")
    assert len(store.search(ANA)) == 2
    tacit.clock.advance(minutes=6)

    assert store.get(ANA, "k") is None
    assert store.get(ANA, "kept", refresh_ttl=True)


def test_a_new_item_in_the_place_of_an_expired_one_is_new(store, tacit):
    store.put(ANA, "k", {"text": "old"}, ttl=1)
    later = tacit.clock.advance(minutes=2)
    store.put(ANA, "k", {"text": "new"})

    assert store.get(ANA, "k").created_at == later


@pytest.mark.parametrize("ttl", [float("nan"), 1e30])
def test_a_life_that_is_no_time_is_refused(store, ttl):
    with pytest.raises(Invalid, match="cannot live"):
        store.put(ANA, "k", {"text": "x"}, ttl=ttl)


def test_a_sweeper_sweeps_until_it_is_stopped():
    swept = Event()

    def sweep():
        swept.set()
        raise Invalid("a sweep that fails does not end the sweeping")

    sweeper = Sweeper(sweep)
    done = sweeper.start(minutes=0.0001)
    assert sweeper.start(minutes=0.0001) is not done
    assert swept.wait(30)
    swept.clear()
    assert swept.wait(30)

    assert sweeper.stop(30)
    assert done.result(30) is None
    assert Sweeper(sweep).stop()


def test_a_sweeper_can_be_cancelled(store):
    done = store.start_ttl_sweeper()

    assert done.cancel()
    assert store.stop_ttl_sweeper(30)


def test_many_threads_and_tasks_write_and_read_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_HOME", str(tmp_path))
    store = TacitStore.open(str(tmp_path / "memory.db"))

    async def in_tasks():
        await asyncio.gather(*(store.aput(BEN, f"k{n}", {"n": n}) for n in range(16)))
        return await asyncio.gather(*(store.aget(BEN, f"k{n}") for n in range(16)))

    with store, ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: store.put(ANA, f"k{n % 16}", {"n": n}), range(64)))
        found = list(threads.map(lambda n: store.get(ANA, f"k{n}").value["n"] % 16, range(16)))

        assert found == list(range(16))
        assert [item.value["n"] for item in asyncio.run(in_tasks())] == list(range(16))
        assert store.list_namespaces() == [ANA, BEN]


def test_what_was_put_is_there_when_the_store_is_opened_again(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    with TacitStore.open(project=str(tmp_path)) as store:
        store.put(ANA, "diet", {"text": "Ana eats no peanuts"})
    with TacitStore.open(project=str(tmp_path)) as store:
        assert store.get(ANA, "diet").value == {"text": "Ana eats no peanuts"}
    with Tacit.open(project=str(tmp_path)) as tacit:
        assert texts(tacit, "peanuts") == ["Ana eats no peanuts"]


def test_items_of_a_user_are_kept_with_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    for project in ("shop", "bank"):
        (tmp_path / project).mkdir()
    with TacitStore.open(project=str(tmp_path / "shop"), scope="user:ana") as store:
        store.put(ANA, "diet", {"text": "Ana eats no peanuts"})
        assert store.search(ANA, query="peanuts")[0].score is not None
        assert store.tacit.store.documents("langgraph:") == []
    with TacitStore.open(project=str(tmp_path / "bank"), scope="user:ana") as store:
        assert store.get(ANA, "diet").value == {"text": "Ana eats no peanuts"}
    with Tacit.open(project=str(tmp_path / "bank")) as tacit:
        assert texts(tacit, "peanuts") == ["Ana eats no peanuts"]


def test_projects_that_share_a_file_do_not_share_items(tacit):
    here = TacitStore(tacit)
    there = TacitStore(
        Tacit(
            tacit.store,
            scope=Scope(path="project:bank"),
            clock=tacit.clock,
            counter=tacit.counter,
        )
    )
    here.put(ANA, "k", {"text": "Ana sings in the shop"})

    assert there.get(ANA, "k") is None
    assert there.search((), query="who sings?") == []
    assert there.list_namespaces() == []


def test_a_batch_is_kept_whole_or_not_at_all(store, tacit):
    with pytest.raises(Invalid, match="not JSON"):
        store.batch([PutOp(ANA, "good", {"text": "fine"}), PutOp(ANA, "bad", {"text": object()})])

    assert store.search(()) == []
    assert tacit.list() == []


def test_a_batch_reads_what_was_there_before_it(store):
    store.put(ANA, "k", {"n": 1})

    got, _, found = store.batch(
        [GetOp(ANA, "k"), PutOp(ANA, "k", {"n": 2}), SearchOp(ANA, {"n": 1})]
    )

    assert (got.value, [item.value for item in found]) == ({"n": 1}, [{"n": 1}])
    assert store.get(ANA, "k").value == {"n": 2}


def test_who_may_not_write_can_read(tmp_path):
    path = str(tmp_path / "memory.db")
    with a_memory(path) as tacit:
        TacitStore(tacit).put(ANA, "k", {"text": "Ana sings"}, ttl=10)
    settings = load_settings({"TACIT_HOME": str(tmp_path), "TACIT_WRITE": "off"})
    with a_memory(path, settings=settings) as tacit:
        store = TacitStore(tacit)

        assert store.get(ANA, "k").value == {"text": "Ana sings"}
        assert len(store.search(ANA, query="sings")) == 1
        with pytest.raises(Denied, match="write = 'off'"):
            store.put(ANA, "k", {"text": "Ana dances"})


def test_a_model_of_ones_own_is_refused_with_the_way_to_name_it(tacit):
    with pytest.raises(Invalid, match="TACIT_EMBEDDER"):
        TacitStore(tacit, index={"dims": 3, "fields": ["text"]})


def test_what_cannot_be_kept_or_asked_is_refused(store):
    with pytest.raises(Invalid, match="shorter key"):
        store.put(ANA, "k" * 5_000, {"text": "x"})
    with pytest.raises(Invalid, match="string, not int"):
        store.batch([GetOp((1,), "k")])
    with pytest.raises(Invalid, match="no operation"):
        store.batch(["get"])
    with pytest.raises(Invalid, match=r"no operator '\$in'"):
        fits({"n": 1}, {"n": {"$in": [1]}})
    with pytest.raises(Invalid, match="no 'middle'"):
        listed([ANA], [MatchCondition("middle", ("a",))], None)


def test_words_are_compared_as_words_and_never_with_numbers():
    assert fits({"day": "2026-02-01"}, {"day": {"$gt": "2026-01-31"}})
    assert not fits({"day": "2026-02-01"}, {"day": {"$gt": 5}})
    assert not fits({}, {"day": {"$lte": "2026"}})


def test_half_characters_and_nul_are_kept_in_the_value(store, tacit):
    value = {"text": "half \ud800 and \0 nul"}
    store.put(("\ud800",), "\ud800", value)

    assert store.get(("\ud800",), "\ud800").value == value
    assert texts(tacit, "half nul") == ["half ? and   nul"]


def test_the_example_finds_in_one_thread_what_another_kept(tmp_path):
    printed = printed_by("langgraph_agent.py", tmp_path)

    assert "agent: I know that you said: I am allergic to peanuts\n" in printed
    assert "tacit recall: I am allergic to peanuts" in printed


def test_without_langgraph_the_error_says_what_to_install():
    assert refusal_of("langgraph", "langgraph").endswith(
        "the store for LangGraph needs langgraph.store; pip install 'tacit[langgraph]'"
    )
