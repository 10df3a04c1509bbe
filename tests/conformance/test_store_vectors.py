"""Finding memories by meaning: nearest first, one space per model, always what is stored now."""

from threading import Thread

import pytest

from builders import DAY, START, a_fact, a_pattern, a_vector, reworded
from fakes import pack
from tacit.errors import Conflict
from tacit.model import Kind, Scope, State
from tacit.store.protocol import Filter

MODEL = "hash-64"


def put(store, *numbers, model=MODEL, **fields):
    """Put a fact for each vector given by its first numbers; give the facts."""
    facts = [a_fact(f"fact at {each}", **fields) for each in numbers]
    store.put(facts)
    store.put_vectors(
        model, [a_vector(fact, pack(each)) for fact, each in zip(facts, numbers, strict=True)]
    )
    return facts


def nearest(store, numbers, *, model=MODEL, limit=9, **asked):
    """Give the ids nearest to a vector given by its first numbers."""
    matches = store.match_vector(model, pack(numbers), Filter(**asked), limit=limit)
    return [match.id for match in matches]


def test_the_nearest_come_first_with_their_cosine(store):
    east, north, between = put(store, [1, 0], [0, 1], [1, 1])

    matches = store.match_vector(MODEL, pack([1, 0.1]), Filter(), limit=9)

    assert [match.id for match in matches] == [east.id, between.id, north.id]
    assert [match.score for match in matches] == pytest.approx([0.995, 0.774, 0.0995], abs=0.01)


def test_the_limit_keeps_the_nearest(store):
    far, near, middle = put(store, [0, 1], [1, 0], [1, 1])

    assert nearest(store, [1, 0], limit=1) == [near.id]
    assert nearest(store, [1, 0], limit=2) == [near.id, middle.id]
    assert nearest(store, [1, 0], limit=0) == []
    assert far.id not in nearest(store, [1, 0], limit=2)


def test_memories_without_a_vector_are_not_found(store):
    (fact,) = put(store, [1, 0])
    store.put([a_fact("no vector")])

    assert nearest(store, [1, 0]) == [fact.id]


def test_an_unknown_model_finds_nothing(store):
    (fact,) = put(store, [1, 0])

    assert nearest(store, [1, 0], model="other") == []
    assert store.compare_vector("other", pack([1]), [fact.id]) == {}
    assert store.drop_vectors("other") == 0


def test_two_models_never_mix_even_with_different_dimensions(store):
    one, two = put(store, [1, 0], [0, 1])
    small = [a_vector(one, pack([0, 1], 8)), a_vector(two, pack([1, 0], 8))]
    store.put_vectors("small-8", small)

    by_small = store.match_vector("small-8", pack([1, 0], 8), Filter(), limit=1)

    assert nearest(store, [1, 0], limit=1) == [one.id]
    assert [match.id for match in by_small] == [two.id]


def test_a_query_of_another_dimension_is_a_conflict(store):
    (fact,) = put(store, [1, 0])

    with pytest.raises(Conflict, match=r"8 numbers.*64"):
        store.match_vector(MODEL, pack([1], 8), Filter(), limit=9)
    with pytest.raises(Conflict, match=r"8 numbers.*64"):
        store.compare_vector(MODEL, pack([1], 8), [fact.id])


def test_a_vector_of_another_dimension_is_refused_and_nothing_is_written(store):
    (fact,) = put(store, [1, 0])
    fresh, wrong = a_fact("fresh"), a_fact("wrong")
    store.put([fresh, wrong])

    with pytest.raises(Conflict, match=r"8 numbers.*64"):
        store.put_vectors(MODEL, [a_vector(fresh, pack([1])), a_vector(wrong, pack([1], 8))])

    assert nearest(store, [1, 0]) == [fact.id]


def test_the_first_vectors_of_a_model_must_agree_in_dimension(store):
    one, two = a_fact("one"), a_fact("two")
    store.put([one, two])

    with pytest.raises(Conflict, match="numbers"):
        store.put_vectors(MODEL, [a_vector(one, pack([1])), a_vector(two, pack([1], 8))])

    assert nearest(store, [1, 0]) == []


@pytest.mark.parametrize(
    "asked",
    [
        {"scopes": (Scope(path="team:web"),)},
        {"sessions": ("s1",)},
        {"kinds": (Kind.PATTERN,)},
        {"states": (State.ARCHIVED,)},
        {"at": START + 9 * DAY},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_filters_hold_when_nearly_all_that_is_near_is_filtered_out(store, asked):
    put(store, *[[1, n / 1000] for n in range(300)], valid_to=START + DAY)
    far = a_pattern(scope="team:web", session="s1", state=asked.get("states", (State.ACTIVE,))[0])
    store.put([far])
    store.put_vectors(MODEL, [a_vector(far, pack([0, 1]))])

    assert nearest(store, [1, 0], **asked, limit=3) == [far.id]


def test_an_updated_vector_takes_the_place_of_the_old_one(store):
    moved, other = put(store, [1, 0], [1, 1])
    assert nearest(store, [1, 0], limit=1) == [moved.id]

    store.put_vectors(MODEL, [a_vector(moved, pack([0, 1]))])

    assert nearest(store, [1, 0]) == [other.id, moved.id]
    assert store.stats().vectors == {MODEL: 2}


def test_the_vector_of_an_old_text_no_longer_speaks_for_a_memory(store):
    (fact,) = put(store, [1, 0])
    changed = reworded(fact, "new text")

    store.put([changed])

    assert nearest(store, [1, 0]) == []
    assert store.compare_vector(MODEL, pack([1, 0]), [fact.id]) == {}
    store.put_vectors(MODEL, [a_vector(changed, pack([1, 0]))])
    assert nearest(store, [1, 0]) == [fact.id]


def test_a_memory_is_found_once_by_the_best_of_its_parts(store):
    long, other = a_fact("long"), a_fact("other")
    store.put([long, other])
    store.put_vectors(
        MODEL,
        [
            a_vector(long, pack([0, 1]), part=0),
            a_vector(long, pack([1, 0]), part=1),
            a_vector(long, pack([0, 0, 1]), part=2),
            a_vector(other, pack([1, 1])),
        ],
    )

    matches = store.match_vector(MODEL, pack([1, 0]), Filter(), limit=9)

    assert [match.id for match in matches] == [long.id, other.id]
    assert matches[0].score == pytest.approx(1.0, abs=0.01)
    assert store.compare_vector(MODEL, pack([1, 0]), [long.id])[long.id] == pytest.approx(
        1.0, abs=0.01
    )


def test_updating_one_part_leaves_the_others_alone(place):
    store = place()
    long = a_fact("long")
    store.put([long])
    store.put_vectors(
        MODEL, [a_vector(long, pack([1]), part=0), a_vector(long, pack([0, 1]), part=1)]
    )
    store.put_vectors(MODEL, [a_vector(long, pack([0, 0, 1]), part=0)])

    for reader in (store, place()):
        for numbers in ([0, 1], [0, 0, 1]):
            cosines = reader.compare_vector(MODEL, pack(numbers), [long.id])
            assert cosines[long.id] == pytest.approx(1.0, abs=0.01)
        assert reader.compare_vector(MODEL, pack([1]), [long.id])[long.id] < 0.1


def test_a_vector_of_a_memory_that_is_not_there_is_left_out(store):
    store.put_vectors(MODEL, [a_vector(a_fact(), pack([1]))])
    store.put_vectors(MODEL, [])

    assert store.stats().vectors == {}


def test_an_erased_memory_is_not_found_by_its_vector(store):
    gone, stays = put(store, [1, 0], [0, 1])
    assert nearest(store, [1, 0], limit=1) == [gone.id]

    store.erase([gone.id])

    assert nearest(store, [1, 0]) == [stays.id]
    assert store.compare_vector(MODEL, pack([1]), [gone.id]) == {}


def test_compare_vector_gives_the_cosine_of_those_that_have_one(store):
    east, north = put(store, [1, 0], [0, 1])
    bare = a_fact("no vector")
    store.put([bare])

    cosines = store.compare_vector(MODEL, pack([1, 0]), [east.id, north.id, bare.id, "missing"])

    assert cosines == pytest.approx({east.id: 1.0, north.id: 0.0}, abs=0.01)
    assert store.compare_vector(MODEL, pack([1, 0]), []) == {}


def test_drop_vectors_removes_those_of_one_model_and_counts(store):
    one, two = put(store, [1, 0], [0, 1])
    store.put_vectors("other", [a_vector(one, pack([1]))])

    assert store.drop_vectors(MODEL) == 2
    assert nearest(store, [1, 0]) == []
    assert nearest(store, [1, 0], model="other") == [one.id]
    assert store.unembedded(MODEL, limit=9) == [one, two]


def test_a_dropped_model_may_come_back_with_another_dimension(place):
    store, reader = place(), place()
    (fact,) = put(store, [1, 0])
    assert nearest(reader, [1, 0]) == [fact.id]

    store.drop_vectors(MODEL)
    assert nearest(reader, [1, 0]) == []
    store.put_vectors(MODEL, [a_vector(fact, pack([1], 8))])

    for each in (store, reader):
        matches = each.match_vector(MODEL, pack([1], 8), Filter(), limit=9)
        assert [match.id for match in matches] == [fact.id]


def test_unembedded_are_those_without_a_vector_of_their_present_text(store):
    done, waiting = put(store, [1, 0])[0], a_fact("waiting")
    store.put([waiting])
    assert store.unembedded(MODEL, limit=9) == [waiting]

    changed = reworded(done, "changed")
    store.put([changed])

    assert store.unembedded(MODEL, limit=9) == [changed, waiting]
    assert store.count_unembedded(MODEL) == 2
    assert store.unembedded("other", limit=9) == [changed, waiting]


def test_unembedded_goes_on_after_an_id_and_stops_at_the_limit(store):
    facts = [a_fact(f"fact {n}") for n in range(5)]
    store.put(facts)

    assert store.unembedded(MODEL, limit=2) == facts[:2]
    assert store.unembedded(MODEL, after=facts[1].id, limit=2) == facts[2:4]
    assert store.unembedded(MODEL, after=facts[4].id, limit=2) == []


def test_unembedded_asks_nothing_of_the_state(store):
    away = a_fact(state=State.ARCHIVED)
    store.put([away])

    assert store.unembedded(MODEL, limit=9) == [away]


def test_a_warm_store_sees_the_vectors_another_has_written(place):
    mine, other = place(), place()
    (old,) = put(mine, [1, 0])
    assert nearest(mine, [1, 0]) == [old.id]

    (new,) = put(other, [1, 1])
    other.put_vectors(MODEL, [a_vector(old, pack([0, 1]))])

    assert nearest(mine, [1, 0]) == [new.id, old.id]


def test_a_warm_store_forgets_what_another_has_erased(place):
    mine, other = place(), place()
    gone, stays = put(mine, [1, 0], [0, 1])
    assert nearest(mine, [1, 0]) == [gone.id, stays.id]

    other.erase([gone.id])
    fresh = a_fact("fresh, without a vector")
    other.put([fresh])

    assert nearest(mine, [1, 0]) == [stays.id]
    assert mine.compare_vector(MODEL, pack([1]), [fresh.id]) == {}


def test_a_thread_that_comes_later_sees_what_was_written_meanwhile(place):
    mine, other = place(), place()
    (old,) = put(mine, [0, 1])
    seen = []

    def look():
        seen.append(nearest(mine, [1, 0]))

    for number in range(3):
        reader = Thread(target=look)
        reader.start()
        reader.join()
        put(other, [1, number / 10])

    assert [len(ids) for ids in seen] == [1, 2, 3]
    assert all(old.id in ids for ids in seen)


@pytest.mark.parametrize("words", [["tea"], ["tea", "zebra"], ["zebra"], []])
def test_words_and_a_vector_at_once_give_what_each_gives_alone(store, words):
    facts = put(store, [1, 0], [0, 1], [1, 1])
    store.put([facts[0].replace(rev=2), a_fact("tea"), a_fact("tea and more tea")])
    asked = Filter(kinds=(Kind.FACT,))
    for limit in (0, 1, 9):
        alone = (
            store.match_text(words, asked, limit=limit),
            store.match_vector(MODEL, pack([1, 0.5]), asked, limit=limit),
        )

        assert store.match_both(words, MODEL, pack([1, 0.5]), asked, limit=limit) == alone
    with store.transaction():
        store.put([a_fact("tea for later")])
        text, _ = store.match_both(words, MODEL, pack([1, 0.5]), asked, limit=9)
        assert text == store.match_text(words, asked, limit=9)


def test_words_and_a_vector_of_another_dimension_at_once_are_a_conflict(store):
    put(store, [1, 0])

    with pytest.raises(Conflict, match=r"8 numbers.*64"):
        store.match_both(["tea"], MODEL, pack([1], 8), Filter(), limit=9)
    assert store.match_both(["tea"], "other", pack([1], 8), Filter(), limit=9) == ([], [])
