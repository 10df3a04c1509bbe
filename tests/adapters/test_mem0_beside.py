"""mem0's filters, and mem0 itself side by side with Tacit wherever it is installed."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opened_memory import a_memory

from tacit.adapters.mem0 import AsyncMemory, Memory
from tacit.adapters.mem0.checks import Refused
from tacit.adapters.mem0.conditions import fits
from tacit.clock import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

# What mem0ai 2.2.1 answers with its default store, of memories that are {"a": value}.
MISSING = object()
VALUES = [MISSING, None, 1, True, "x", "xY z", ["x", "y"], [], "2025-01-02", 5, "5"]
ANSWERS: list[tuple[Any, list[Any]]] = [
    ({"a": 1}, [1]),
    ({"a": "x"}, ["x", ["x", "y"]]),
    ({"a": True}, [True]),
    ({"a": {"eq": "x"}}, ["x", ["x", "y"]]),
    ({"a": {"ne": "x"}}, [1, True, "xY z", ["x", "y"], "2025-01-02", 5, "5"]),
    ({"a": {"ne": 1}}, [True, "x", "xY z", ["x", "y"], "2025-01-02", 5, "5"]),
    ({"a": {"in": ["x", "5"]}}, ["x", ["x", "y"], "5"]),
    ({"a": ["x", "5"]}, ["x", ["x", "y"], "5"]),
    ({"a": {"in": []}}, []),
    ({"a": {"nin": ["x", "5"]}}, [1, True, "xY z", ["x", "y"], "2025-01-02", 5]),
    ({"a": {"gt": 0}}, [1, 5]),
    ({"a": {"gte": 1, "lte": 5}}, [1, 5]),
    ({"a": {"lt": "2025-02-01"}}, ["2025-01-02"]),
    ({"a": {"gte": "2025-01-03"}}, []),
    ({"NOT": [{"a": "x"}]}, [MISSING, None, 1, True, "xY z", [], "2025-01-02", 5, "5"]),
    ({"OR": [{"a": "x"}, {"a": 1}]}, [1, "x", ["x", "y"]]),
    ({"AND": [{"a": {"gt": 0}}, {"a": {"lt": 5}}]}, [1]),
    ({"NOT": [{"a": {"gt": 0}}], "OR": [{"a": "x"}, {"a": "5"}]}, ["x", ["x", "y"], "5"]),
]


@pytest.mark.parametrize(
    ("filters", "found"), ANSWERS, ids=lambda given: json.dumps(given, default=lambda _: "missing")
)
def test_filters_mean_what_they_mean_to_mem0(filters: Any, found: list[Any]) -> None:
    known = [{} if value is MISSING else {"a": value} for value in VALUES]
    fitting = [value for value, each in zip(VALUES, known, strict=True) if fits(each, filters)]

    assert [(type(value), value) for value in fitting] == [(type(v), v) for v in found]


def test_filters_that_mem0s_store_leaves_open_do_what_they_say() -> None:
    assert fits({"a": "Green Tea"}, {"a": {"contains": "Tea"}})
    assert not fits({"a": "Green Tea"}, {"a": {"contains": "tea"}})
    assert fits({"a": "Green Tea"}, {"a": {"icontains": "GREEN t"}})
    assert fits({"a": ["Tea", "Milk"]}, {"a": {"contains": "ilk"}})
    assert fits({"a": 3}, {"a": {"gt": 2, "ne": 4}})
    assert fits({}, {"a": None})
    assert fits({"a": 0}, {"a": "*"})
    assert not fits({}, {"a": "*"})
    assert fits({"a": "2025-01-02T10:00:00+02:00"}, {"a": {"lt": "2025-01-02T09:00:00"}})


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        ({"a": {"foo": 1}}, "Unsupported metadata filter operator: foo"),
        ({"OR": []}, "OR operator requires a non-empty list of conditions"),
        ({"NOT": {"a": 1}}, "NOT operator requires a non-empty list of conditions"),
        ({"AND": [1]}, "AND operator requires a non-empty list of conditions"),
        ({"a": {"in": "x"}}, "the operator in takes a list, not 'x'"),
    ],
)
def test_filters_that_mean_nothing_are_refused(filters: Any, said: str) -> None:
    for known in ({}, {"a": 1}):
        with pytest.raises(Refused, match=said):
            fits(known, filters)


values = st.one_of(st.integers(-2, 2), st.sampled_from("xyz"), st.booleans())
flat = st.dictionaries(st.sampled_from("ab"), values, max_size=2)


@given(flat, flat)
def test_not_is_the_opposite_and_or_is_any(known: dict[str, Any], wanted: dict[str, Any]) -> None:
    fit = fits(known, wanted)

    assert fits(known, {"NOT": [wanted]}) is not fit
    assert fits(known, {"AND": [wanted, {}]}) is fit
    assert fits(known, {"OR": [wanted]}) is fit
    assert fits(known, {"OR": [wanted, {"NOT": [wanted]}]})


# mem0 itself


@pytest.fixture
def mem0(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MEM0_TELEMETRY", "False")
    monkeypatch.setenv("MEM0_DIR", str(tmp_path_factory.mktemp("mem0")))
    return pytest.importorskip("mem0", reason="mem0ai is not installed: nothing to compare with")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["Memory", "AsyncMemory"])
def test_every_method_takes_what_mem0s_takes(mem0: Any, name: str) -> None:
    theirs, ours = getattr(mem0, name), {"Memory": Memory, "AsyncMemory": AsyncMemory}[name]
    methods = [
        each
        for each in dir(theirs)
        if not each.startswith("_") and inspect.isroutine(getattr(theirs, each))
    ]

    assert len(methods) > 10
    for method in methods:
        given, taken = _arguments(getattr(theirs, method)), _arguments(getattr(ours, method))
        assert given == taken, method
        assert inspect.iscoroutinefunction(getattr(theirs, method)) is (
            inspect.iscoroutinefunction(getattr(ours, method))
        ), method


def _arguments(method: Any) -> list[tuple[str, Any, Any]]:
    plain = (str, int, float, bool, type(None))
    return [
        (each.name, each.kind, each.default if isinstance(each.default, plain) else "object")
        for each in inspect.signature(method).parameters.values()
    ]


class HashEmbedding:
    """Stands in for OpenAI: a vector of a hash."""

    def embed(self, text: str, _action: str | None = None) -> list[float]:
        return [byte / 255 for byte in hashlib.sha256(text.encode()).digest()[:10]]

    def embed_batch(self, texts: list[str], _action: str | None = None) -> list[list[float]]:
        return [self.embed(text) for text in texts]


def real(mem0: Any, folder: str) -> Any:
    """Give mem0's own memory: its default store on the disk, and no network."""
    openai = {"provider": "openai", "config": {"api_key": "none"}}
    place = {"path": folder, "embedding_model_dims": 10, "collection_name": "c", "on_disk": True}
    made = mem0.Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": place},
            "embedder": openai,
            "llm": openai,
            "history_db_path": os.path.join(folder, "history.db"),
        }
    )
    made.embedding_model = HashEmbedding()
    return made


people = st.fixed_dictionaries(
    {"user_id": st.sampled_from(["ana", "ben"])},
    optional={"agent_id": st.just("bot"), "run_id": st.sampled_from(["r1", "r2"])},
)
words = st.sampled_from(["tea", "I like tea", "tea ", "Refunds take 25 days", "é\n"])
metadata = st.one_of(
    st.none(),
    st.dictionaries(st.sampled_from(["k", "n", "role", "user_id", "hash"]), values, max_size=3),
)
messages = st.one_of(
    words,
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "system"]), "content": words}
    ),
    st.lists(
        st.fixed_dictionaries(
            {"role": st.sampled_from(["user", "assistant"]), "content": words},
            optional={"name": st.just("n")},
        ),
        max_size=3,
    ),
)
days = st.sampled_from([None, "2020-01-01", "2999-01-01", "never"])
filters = st.one_of(
    people,
    st.builds(
        lambda ids, more: ids | more,
        people,
        st.sampled_from(
            [{"k": "x"}, {"n": {"gte": 0}}, {"OR": [{"k": "x"}, {"n": 1}]}, {"NOT": [{"k": "y"}]}]
        ),
    ),
    st.just({}),
)
number = st.integers(0, 6)
steps = st.one_of(
    st.tuples(
        st.just("add"),
        messages,
        people,
        st.fixed_dictionaries({"metadata": metadata, "expiration_date": days}),
    ),
    st.tuples(st.just("update"), number, words, metadata),
    st.tuples(st.just("delete"), number),
    st.tuples(st.just("get"), number),
    st.tuples(st.just("history"), number),
    st.tuples(st.just("get_all"), filters, st.booleans()),
    st.tuples(st.just("delete_all"), st.one_of(people, st.just({}))),
)

# How things stand at the end.
LOOK: list[tuple[Any, ...]] = [
    *(
        ("get_all", {"user_id": user}, expired)
        for user in ("ana", "ben")
        for expired in (True, False)
    ),
    *((name, place) for name in ("get", "history") for place in range(4)),
]


@pytest.mark.filterwarnings("ignore")
@given(script=st.lists(steps, min_size=3, max_size=12))
@settings(max_examples=30)
def test_it_answers_as_mem0_does(
    mem0_memories: Any, tmp_path_factory: pytest.TempPathFactory, script: list[tuple[Any, ...]]
) -> None:
    theirs = mem0_memories()
    with a_memory(str(tmp_path_factory.mktemp("ours") / "shop.db"), clock=Clock()) as tacit:
        told: list[list[Any]] = [[], []]
        for memory, said in zip((theirs, Memory(tacit=tacit)), told, strict=True):
            known: list[str] = []
            for step in [*script, *LOOK]:
                said.append(_plain(_done(memory, step, known), known))
        for step, one, two in zip([*script, *LOOK], *told, strict=True):
            assert one == two, step


@pytest.fixture(scope="module")
def mem0_memories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEM0_TELEMETRY", "False")
        patch.setenv("MEM0_DIR", str(tmp_path_factory.mktemp("mem0")))
        mem0 = pytest.importorskip(
            "mem0", reason="mem0ai is not installed: nothing to compare with"
        )
        made: list[Any] = []

        def fresh() -> Any:
            made.append(real(mem0, str(tmp_path_factory.mktemp("theirs"))))
            return made[-1]

        yield fresh
        for memory in made:
            memory.close()


def _done(memory: Any, step: tuple[Any, ...], known: list[str]) -> Any:
    """Do one step; give what came of it, or what was said against it."""
    name, *given = step
    try:
        if name == "add":
            said, ids, more = given
            added = memory.add(said, **ids, **more, infer=False)
            known += [item["id"] for item in added["results"]]
            return added
        if name == "get_all":
            return memory.get_all(filters=given[0], show_expired=given[1], top_k=100)
        if name == "delete_all":
            return memory.delete_all(**given[0])
        id_ = known[given[0]] if given[0] < len(known) else "none"
        if name == "update":
            return memory.update(id_, text=given[1], metadata=given[2])
        return getattr(memory, name)(id_)
    except ValueError as error:
        return str(error)


def _plain(told: Any, known: list[str]) -> Any:
    """Leave out what differs by chance: ids, times, and the order of a list without one."""
    text = json.dumps(told, sort_keys=True)
    for number, id_ in enumerate(known):
        text = text.replace(id_, f"id-{number}")
    return _timeless(json.loads(text))


def _timeless(told: Any) -> Any:
    if isinstance(told, dict):
        kept = {name: _timeless(value) for name, value in told.items()}
        for name in ("created_at", "updated_at"):
            kept[name] = bool(told[name]) if name in told else None
        if "old_memory" in told:
            kept.pop("id")
        return kept
    if isinstance(told, list):
        plain = [_timeless(each) for each in told]
        listed = plain and isinstance(plain[0], dict) and "hash" in plain[0]
        return sorted(plain, key=lambda each: str(each["id"])) if listed else plain
    return told
