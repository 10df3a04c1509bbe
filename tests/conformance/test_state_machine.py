"""One machine drives an engine through anything that may happen and compares it with a dict."""

from __future__ import annotations

import struct
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from builders import (
    DAY,
    START,
    a_fact,
    a_mention,
    an_anchor,
    an_episode,
    an_id,
    an_observed,
    hash_of,
    levels_of,
)
from engines import ENGINES
from fakes import HashEmbedder
from tacit.model import Link, Relation, Revision, Scope, State, Usage, UsageEvent, Validity
from tacit.store.index_text import search_text
from tacit.store.protocol import EVERY_STATE, EVERYTHING, Filter, Vector
from tacit.text import query_terms

WORDS = ("redis", "pool", "Straße", "会话保存", "ΟΔΟΣ", "getUserName", "세션은", "noon")
SCOPES = tuple(Scope(path=path) for path in ("project:shop", "project:shop/agent:ana", "team:web"))
SOURCES = ("", "a", "a#1", "a#10", "a#1#2", "ab#1")  # ends of one another, on purpose
EMBEDDER = HashEmbedder()

numbers = st.integers(1, 4)  # few, so that most rules meet a memory that is there
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@st.composite
def some_memories(draw):
    """A few memories that share ids, words, scopes and facets with others."""
    made = []
    for number in draw(st.lists(numbers, min_size=1, max_size=3)):
        text, make = draw(texts), draw(st.sampled_from([a_fact, an_episode]))
        names = draw(st.sets(st.sampled_from(["redis", "pool", "shop"]), max_size=2))
        ended = draw(st.sampled_from([None, START + DAY]))
        made.append(
            make(
                text,
                id=an_id(number),
                scope=draw(st.sampled_from(SCOPES)),
                state=draw(st.sampled_from(State)),
                session=draw(st.sampled_from(["", "s1"])),
                mentions=tuple(a_mention(name) for name in names),
                valid_to=ended,
                retired_at=ended,
                source_ref=draw(st.sampled_from(SOURCES)),
                anchors=draw(st.sampled_from([(), (an_anchor("b.py"), an_anchor("a.py"))])),
                unverified=draw(st.booleans()),
                evidence=draw(st.booleans()),
            )
        )
    return made


class TakenBack(Exception):
    """Raised inside a transaction so that it leaves nothing."""


@contextmanager
def taken_back(store):
    """Do the block in a transaction that fails at its end."""
    with suppress(TakenBack), store.transaction():
        yield
        raise TakenBack


class Model:
    """What a store should hold, in plain dicts."""

    def __init__(self):
        self.memories, self.links, self.vectors = {}, {}, {}
        self.usage, self.revisions, self.documents = {}, {}, {}
        self.observed = {}

    def copy(self):
        """Give a copy to go back to."""
        other = Model()
        for name, held in vars(self).items():
            setattr(other, name, dict(held))
        return other

    def put(self, memories):
        """Insert, or replace by id."""
        self.memories |= {memory.id: memory for memory in memories}

    def erase(self, ids):
        """Forget memories and all that hangs on them."""
        for held in (self.memories, self.vectors):
            for id_ in ids:
                held.pop(id_, None)
        keep = {key: link for key, link in self.links.items() if not {key[0], key[2]} & set(ids)}
        self.links = keep
        self.usage = {key: event for key, event in self.usage.items() if key[1] not in ids}
        self.revisions = {key: rev for key, rev in self.revisions.items() if key[0] not in ids}


class StoreMachine(RuleBasedStateMachine):
    """Every rule does the same to the engine and to the model; the invariants compare."""

    def __init__(self, engine):
        super().__init__()
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(TemporaryDirectory()))
        self.open_store = self.stack.enter_context(ENGINES[engine](folder))
        self.model = Model()
        self.inside = False  # a transaction, whose doings the reader must not see yet

    @initialize()
    def open(self):
        """Open the store that writes, and one that only looks."""
        self.store, self.reader = self.open_store(), self.open_store()

    def teardown(self):
        """Close what is open and remove the place."""
        self.stack.close()

    # What may happen

    @rule(memories=some_memories())
    def put(self, memories):
        self.store.put(memories)
        self.model.put(memories)

    @rule(number=numbers, state=st.sampled_from(State), ends=st.booleans())
    def change(self, number, state, ends):
        memory = self.model.memories.get(an_id(number))
        if memory is not None:
            validity = Validity(valid_from=START, valid_to=START + DAY if ends else None)
            changed = memory.replace(rev=memory.rev + 1, state=state, validity=validity)
            self.store.put([changed])
            self.model.put([changed])

    @rule(number=numbers, text=texts)
    def reword(self, number, text):
        memory = self.model.memories.get(an_id(number))
        if memory is not None:
            changed = memory.replace(levels=levels_of(text), hash=hash_of(text))
            self.store.put([changed])
            self.model.put([changed])

    @rule(ids=st.lists(numbers.map(an_id), max_size=2))
    def erase(self, ids):
        there = {id_ for id_ in ids if id_ in self.model.memories}
        assert self.store.erase(ids) == len(there)
        self.model.erase(ids)

    @rule(
        ends=st.lists(numbers.map(an_id), min_size=2, max_size=2, unique=True),
        relation=st.sampled_from([Relation.SUPPORTS, Relation.FOLLOWS]),
        weight=st.sampled_from([0.25, 1.0]),
    )
    def link(self, ends, relation, weight):
        link = Link(src=ends[0], dst=ends[1], relation=relation, weight=weight, valid_from=START)
        self.store.link([link])
        if set(ends) <= set(self.model.memories):
            self.model.links[link.src, relation, link.dst] = link

    @rule(place=st.integers(0, 9))
    def unlink(self, place):
        if self.model.links:
            name = sorted(self.model.links)[place % len(self.model.links)]
            assert self.store.unlink([self.model.links.pop(name)]) == 1

    @rule(number=numbers, text=texts)
    def put_vector(self, number, text):
        (data,) = EMBEDDER.embed([text])
        id_ = an_id(number)
        memory = self.model.memories.get(id_)
        text_hash = memory.hash if memory else "none"
        self.store.put_vectors(
            EMBEDDER.model, [Vector(memory_id=id_, text_hash=text_hash, data=data)]
        )
        if memory:
            self.model.vectors[id_] = (text, text_hash)

    @rule()
    def drop_vectors(self):
        assert self.store.drop_vectors(EMBEDDER.model) == len(self.model.vectors)
        self.model.vectors.clear()

    @rule(
        number=numbers,
        query=st.sampled_from(["q1", "q2", "q3"]),
        event=st.sampled_from([UsageEvent.LOADED, UsageEvent.CITED]),
        days=st.integers(0, 3),
    )
    def add_usage(self, number, query, event, days):
        usage = Usage(query_id=query, memory_id=an_id(number), event=event, at=START + days * DAY)
        self.store.add_usage([usage])
        self.model.usage.setdefault((query, usage.memory_id, event), usage)

    @rule(number=numbers, op=st.sampled_from(["edit", "merge"]))
    def add_revision(self, number, op):
        memory = self.model.memories.get(an_id(number))
        if memory is not None:
            revision = Revision(memory=memory, at=START, by="ana", op=op)
            self.store.add_revisions([revision])
            self.model.revisions.setdefault((memory.id, memory.rev, op), revision)

    @rule(name=st.sampled_from(["profile", "model"]), text=texts)
    def save(self, name, text):
        self.store.save(name, text)
        self.model.documents[name] = text

    @rule(number=numbers, held=texts)
    def anchor(self, number, held):
        memory = self.model.memories.get(an_id(number))
        if memory is not None:
            anchors = (an_anchor(held=held),) if not memory.anchors else ()
            changed = memory.replace(anchors=anchors, unverified=not memory.unverified)
            self.store.put([changed])
            self.model.put([changed])

    @rule(
        names=st.lists(st.sampled_from(["s1#1", "s1#2", "s1#3", "s10#1"]), min_size=1, max_size=3),
        text=texts,
        days=st.integers(0, 3),
    )
    def observe(self, names, text, days):
        seen = [an_observed(name, at=START + days * DAY, json=text) for name in names]
        assert self.store.observe(seen) == len(set(names) - set(self.model.observed))
        for one in seen:
            self.model.observed.setdefault(one.source, one)

    @rule(days=st.integers(0, 3), keep_bytes=st.sampled_from([0, 20, 40, 1000]))
    def trim_observed(self, days, keep_bytes):
        before, left, room = START + days * DAY, {}, keep_bytes
        for one in reversed([one for one in self.model.observed.values() if one.at >= before]):
            room -= len(one.json.encode())
            if room < 0:
                break
            left = {one.source: one} | left
        gone = len(self.model.observed) - len(left)
        assert self.store.trim_observed(before, keep_bytes=keep_bytes) == gone
        self.model.observed = left

    @rule()
    def close_and_open_again(self):
        self.store.close()
        self.store = self.open_store()

    @rule(memories=some_memories(), number=numbers, look=st.booleans(), text=texts)
    def take_a_transaction_back(self, memories, number, look, text):
        before, self.inside = self.model.copy(), True
        with taken_back(self.store):
            self.put_vector(number, text)
            self.store.put(memories)
            self.model.put(memories)
            self.put_vector(number, text)
            self.observe(["s1#1", "s1#4"], text, 0)
            self.erase([an_id(5 - number)])
            if look:
                self.found_by_meaning_is_what_is_nearest()
                self.found_by_words_are_those_that_hold_them()
        self.model, self.inside = before, False

    # What must hold after each

    @invariant()
    def memories_are_those_put(self):
        expected = [self.model.memories[id_] for id_ in sorted(self.model.memories)]
        for store in (self.store, self.reader):
            assert list(store.scan(EVERYTHING)) == expected
        ids = [an_id(number) for number in range(5, 0, -1)]
        assert self.store.get(ids) == expected[::-1]
        assert self.store.resolve("019b", limit=99) == sorted(self.model.memories)
        stats = self.store.stats()
        evidence = sum(memory.evidence for memory in expected)
        assert (stats.memories, stats.evidence) == (len(expected) - evidence, evidence)

    @invariant()
    def filters_mean_what_they_say(self):
        for where in (
            Filter(),
            Filter(scopes=SCOPES[:2], states=EVERY_STATE),
            Filter(at=START + 2 * DAY, current=True),
            Filter(sessions=("s1",)),
            Filter(facets=(a_mention("redis").facet,)),
            Filter(states=EVERY_STATE, sources=("a#1", "a")),
            Filter(states=EVERY_STATE, parts_of="a"),
            Filter(parts_of="a#1"),
            Filter(states=EVERY_STATE, anchored=True),
            Filter(at=START + 2 * DAY, current=True, evidence=None),
            Filter(states=EVERY_STATE, evidence=True),
        ):
            allowed = self.allowed(where)
            assert self.store.scan_ids(where, order="id", limit=99) == allowed
            assert self.store.count(where) == len(allowed)

    @invariant()
    def found_by_words_are_those_that_hold_them(self):
        for word in WORDS:
            terms = set(query_terms(word))
            for where in (
                EVERYTHING,
                Filter(states=EVERY_STATE, evidence=True),
                Filter(scopes=SCOPES[:1], at=START + 2 * DAY, current=True),
            ):
                expected = {
                    id_
                    for id_ in self.allowed(where)
                    if terms & set(search_text(self.model.memories[id_]).split())
                }
                matches = self.store.match_text(sorted(terms), where, limit=99)
                assert {match.id for match in matches} == expected
                assert len(matches) == len(expected)

    @invariant()
    def found_by_meaning_is_what_is_nearest(self):
        (query,) = EMBEDDER.embed(["redis pool"])
        asked = _unpacked(query)
        cosines = {
            id_: sum(
                a * b for a, b in zip(asked, _unpacked(EMBEDDER.embed([text])[0]), strict=True)
            )
            for id_, (text, text_hash) in self.model.vectors.items()
            if text_hash == self.model.memories[id_].hash
        }
        found = self.store.compare_vector(EMBEDDER.model, query, list(self.model.memories))
        assert found == pytest.approx(cosines, abs=0.01)
        for store in (self.store,) if self.inside else (self.store, self.reader):
            for where in (EVERYTHING, Filter()):
                matches = store.match_vector(EMBEDDER.model, query, where, limit=99)
                expected = {id_: cosines[id_] for id_ in self.allowed(where) if id_ in cosines}
                scores = [match.score for match in matches]
                assert scores == sorted(scores, reverse=True)
                assert {m.id: m.score for m in matches} == pytest.approx(expected, abs=0.01)

    @invariant()
    def unembedded_are_those_whose_text_has_no_vector(self):
        expected = [
            id_
            for id_, memory in sorted(self.model.memories.items())
            if self.model.vectors.get(id_, ("", ""))[1] != memory.hash
        ]
        found = self.store.unembedded(EMBEDDER.model, limit=99)
        assert [memory.id for memory in found] == expected
        assert self.store.count_unembedded(EMBEDDER.model) == len(expected)

    @invariant()
    def links_are_those_made(self):
        expected = [self.model.links[name] for name in sorted(self.model.links)]
        found = self.store.links(None)
        assert sorted(found, key=lambda link: (link.src, link.relation, link.dst)) == expected

    @invariant()
    def usage_and_history_are_those_added(self):
        expected = {}
        for (_, id_, event), usage in self.model.usage.items():
            count, last = expected.setdefault(id_, {}).get(event, (0, usage.at))
            expected[id_][event] = (count + 1, max(last, usage.at))
        assert self.store.tally([an_id(number) for number in range(1, 5)]) == expected
        history = [self.model.revisions[name] for name in sorted(self.model.revisions)]
        assert self.store.revisions(None) == history
        for name in ("profile", "model"):
            assert self.store.load(name) == self.model.documents.get(name)

    @invariant()
    def seen_is_what_came_in_the_order_it_came(self):
        for session in ("s1", "s10"):
            expected = [one for one in self.model.observed.values() if one.session == session]
            assert self.store.observed(session) == expected

    @invariant()
    def cards_tell_what_is_in_doubt(self):
        cards = self.store.cards(list(self.model.memories), EVERYTHING)
        assert {id_: bool(card.unverified) for id_, card in cards.items()} == {
            id_: memory.unverified for id_, memory in self.model.memories.items()
        }

    def allowed(self, where):
        """Give the ids of the model's memories that a filter means."""
        return [
            id_
            for id_, memory in sorted(self.model.memories.items())
            if memory.state in where.states
            and (not where.scopes or memory.scope in where.scopes)
            and (not where.sessions or memory.session in where.sessions)
            and (where.at is None or memory.validity.holds(where.at))
            and (not where.sources or memory.source_ref in where.sources)
            and (not where.parts_of or memory.source_ref.startswith(f"{where.parts_of}#"))
            and (not where.anchored or memory.anchors)
            and where.evidence in (None, memory.evidence)
            and {facet.norm for facet in where.facets} <= {m.facet.norm for m in memory.mentions}
        ]


def _unpacked(vector):
    return struct.unpack(f"<{len(vector) // 4}f", vector)


@pytest.mark.timeout(900)  # when it fails, it takes minutes to find the shortest way there
@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_does_what_plain_dicts_do(engine):
    run_state_machine_as_test(
        lambda: StoreMachine(engine),
        settings=settings(max_examples=40, stateful_step_count=25, report_multiple_bugs=False),
    )
