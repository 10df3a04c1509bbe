"""Evidence is found when it is asked for, and counted apart from what is known."""

import pytest

from builders import DAY, START, a_fact, a_mention, a_vector, an_episode
from fakes import pack
from tacit.model import FacetType, Kind, State
from tacit.store.protocol import EVERYTHING, Filter

NOW = START + 5 * DAY
SERVED = Filter(at=NOW, current=True)
MODEL = "hash-64"
TOPIC = a_mention("redis", FacetType.TOPIC)


@pytest.fixture
def both(store):
    """Give a store with a memory and a piece of evidence that are alike in all else."""
    memory = a_fact("redis pool of the shop", mentions=(TOPIC,))
    commit = an_episode(
        "redis pool of the shop grew", subtype="commit", mentions=(TOPIC,), evidence=True
    )
    store.put([memory, commit])
    store.put_vectors(MODEL, [a_vector(memory, pack([1, 0])), a_vector(commit, pack([1, 0]))])
    return store, memory, commit


def ids_of(store, where):
    """Give what each way of asking finds, as sets of ids."""
    held = [memory.id for memory in store.scan(EVERYTHING)]
    return {
        "scan": {memory.id for memory in store.scan(where)},
        "scan_ids": set(store.scan_ids(where, order="-recorded_at", limit=9)),
        "cards": set(store.cards(held, where)),
        "text": {match.id for match in store.match_text(["redi"], where, limit=9)},
        "vector": {match.id for match in store.match_vector(MODEL, pack([1, 0]), where, limit=9)},
        "mentioning": {id_ for id_, _ in store.mentioning([TOPIC.facet], where, limit=9)},
    }


@pytest.mark.parametrize("where", [Filter(), SERVED, Filter(states=tuple(State))])
@pytest.mark.parametrize(("evidence", "meant"), [(False, "m"), (True, "c"), (None, "mc")])
def test_every_way_of_asking_honours_what_is_said_about_evidence(both, where, evidence, meant):
    store, memory, commit = both
    where = where.replace(evidence=evidence)
    expected = {memory.id for _ in "m" if "m" in meant} | {commit.id for _ in "c" if "c" in meant}

    assert ids_of(store, where) == dict.fromkeys(ids_of(store, where), expected)
    assert store.count(where) == len(expected)
    assert store.reach([[TOPIC.facet]], where) == [len(expected)]
    assert [f.memories for f in store.frequent([FacetType.TOPIC], where, limit=9)] == [
        len(expected)
    ]
    assert store.full_tokens(where) == sum(
        one.levels.tokens[0] for one in (memory, commit) if one.id in expected
    )


def test_a_card_and_a_memory_say_that_they_are_evidence(both):
    store, memory, commit = both

    assert store.get([commit.id, memory.id]) == [commit, memory]
    cards = store.cards([memory.id, commit.id], EVERYTHING)
    assert (cards[memory.id].evidence, cards[commit.id].evidence) == (0, 1)


def test_evidence_is_no_part_of_the_numbers_about_memories(both):
    stats = both[0].stats()

    assert (stats.memories, stats.live, stats.evidence) == (1, 1, 1)
    assert stats.by_kind == {Kind.FACT: 1}


def test_what_becomes_a_memory_is_found_as_one(both):
    store, memory, commit = both
    store.put([commit.replace(evidence=False)])

    assert ids_of(store, SERVED)["text"] == {memory.id, commit.id}
    assert ids_of(store, SERVED.replace(evidence=True))["text"] == set()


def test_common_tags_leave_the_choice_to_the_filter(store):
    commits = [an_episode(f"redis pool {n}", evidence=True) for n in range(30)]
    memory = a_fact("redis pool of the shop")
    store.put([*commits, memory])

    assert [m.id for m in store.match_text(["redi"], SERVED, limit=5)] == [memory.id]
    assert len(store.match_text(["redi"], SERVED.replace(evidence=None), limit=50)) == 31
