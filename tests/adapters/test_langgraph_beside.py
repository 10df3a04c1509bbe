"""LangGraph's own InMemoryStore beside ours: the same operations, the same answers."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from langgraph.store.base import (
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore
from opened_memory import memory_aside

from tacit.adapters.langgraph import TacitStore
from tacit.adapters.langgraph.matching import fits

labels = st.sampled_from(["users", "ana", "ben", "#", "a:b", "ü %", "langgraph"])
namespaces = st.lists(labels, min_size=1, max_size=3).map(tuple)
prefixes = st.lists(labels, max_size=2).map(tuple)
paths = st.lists(labels | st.just("*"), min_size=1, max_size=3).map(tuple)
keys = st.sampled_from(["k", "K", "k#", "漢:", ""])
numbers = st.integers(-3, 3) | st.sampled_from([0.5, 2.0])
leaves = st.none() | st.booleans() | numbers | st.text(max_size=8)
values = st.dictionaries(
    st.sampled_from(["text", "n", "nested", "$"]),
    st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2)
        ),
        max_leaves=4,
    ),
    max_size=3,
)
signs = st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"])
filters = st.dictionaries(
    st.sampled_from(["text", "n", "nested"]),
    leaves
    | st.lists(leaves, max_size=2)
    | st.dictionaries(signs, numbers, min_size=1, max_size=2)
    | st.dictionaries(st.sampled_from("ab"), leaves, max_size=2),
    max_size=2,
)
gets = st.builds(GetOp, namespaces, keys)
puts = st.builds(
    PutOp,
    namespaces,
    keys,
    st.none() | values,
    index=st.sampled_from([None, False, ["text"], ["nested.a", "text"]]),
    ttl=st.none(),
)
filled = st.builds(PutOp, namespaces, keys, values, index=st.none(), ttl=st.none())
MANY = 1_000


class Beside(RuleBasedStateMachine):
    """Two stores that are told the same."""

    @initialize(ops=st.lists(filled, min_size=4, max_size=8))
    def begin(self, ops):
        self.stack = ExitStack()
        self.ours = TacitStore(self.stack.enter_context(memory_aside()))
        self.theirs = InMemoryStore()
        self.batch(ops, wait=False)

    def teardown(self):
        if hasattr(self, "stack"):
            self.stack.close()

    @rule(op=filled)
    def put(self, op):
        self.batch([op], wait=False)

    @rule(ops=st.lists(gets | puts, min_size=1, max_size=5), wait=st.booleans())
    def batch(self, ops, wait):
        ours = asyncio.run(self.ours.abatch(ops)) if wait else self.ours.batch(ops)

        assert [told(item) for item in ours] == [told(item) for item in self.theirs.batch(ops)]

    @rule(prefix=prefixes, wanted=st.none() | filters)
    def search(self, prefix, wanted):
        try:
            theirs = self.theirs.batch([SearchOp(prefix, wanted, limit=MANY)])[0]
        except (TypeError, ValueError):  # it compares what is no number; ours does not match it
            every = self.theirs.batch([SearchOp(prefix, None, limit=MANY)])[0]
            theirs = [item for item in every if fits(item.value, wanted)]
        ours = self.ours.batch([SearchOp(prefix, wanted, limit=MANY)])[0]

        assert sorted(map(told, ours)) == sorted(map(told, theirs))
        assert all(item.score is None for item in ours)

    @rule(prefix=prefixes, limit=st.integers(0, 3), offset=st.integers(0, 3))
    def pages(self, prefix, limit, offset):
        whole, page = self.ours.batch(
            [SearchOp(prefix, limit=MANY), SearchOp(prefix, limit=limit, offset=offset)]
        )

        assert page == whole[offset : offset + limit]

    @rule(
        conditions=st.lists(
            st.builds(MatchCondition, st.sampled_from(["prefix", "suffix"]), paths), max_size=2
        ).map(tuple),
        depth=st.none() | st.integers(1, 3),
        limit=st.integers(0, 5),
        offset=st.integers(0, 3),
    )
    def list_namespaces(self, conditions, depth, limit, offset):
        op = ListNamespacesOp(conditions, depth, limit, offset)

        assert self.ours.batch([op]) == self.only_what_lives().batch([op])

    def only_what_lives(self):
        """Give their store without the empty namespaces it keeps of what was read or deleted."""
        store = InMemoryStore()
        for item in self.theirs.batch([SearchOp((), limit=MANY)])[0]:
            store.batch([PutOp(item.namespace, item.key, item.value)])
        return store

    @invariant()
    def a_memory_stands_for_a_record_that_is_there(self):
        if hasattr(self, "ours"):  # not before it has begun
            there = {name for name, _ in self.ours.tacit.store.documents("langgraph:")}
            made = {memory.source_ref for memory in self.ours.tacit.list()}
            assert made <= there


def told(item):
    """Give what an item says, without its times; ours are JSON, where 1 and True differ."""
    if item is None:
        return None
    return (item.namespace, item.key, json.dumps(item.value, sort_keys=True))


TestBeside = Beside.TestCase
TestBeside.settings = settings(max_examples=30, stateful_step_count=12)


@given(values, filters)
def test_a_filter_means_what_it_means_there(value, wanted):
    store = InMemoryStore()
    store.put(("a",), "k", value)
    try:
        theirs = bool(store.search(("a",), filter=wanted))
    except (TypeError, ValueError):
        return

    assert fits(value, wanted) == theirs


@given(values)
def test_a_value_comes_back_to_the_letter(value):
    with memory_aside(embedder=None) as tacit:
        store = TacitStore(tacit)
        store.put(("a",), "k", value)

        assert json.dumps(store.get(("a",), "k").value) == json.dumps(value)
