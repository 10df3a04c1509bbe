"""Synthetic memories: the same for everyone, and of the shape that speed depends on."""

import json
from collections import Counter

import numpy as np

from tacit.bench.peers import make
from tacit.bench.peers.synthetic import (
    SCOPE,
    SMALL_SCOPE,
    asking,
    write_memories,
    write_queries,
)


def test_the_same_seed_makes_the_same_memories_and_another_seed_others():
    first, again, other = make(50, 1, 16), make(50, 1, 16), make(50, 2, 16)

    assert (first.texts, first.scopes, first.queries) == (again.texts, again.scopes, again.queries)
    assert np.array_equal(first.vectors, again.vectors)
    assert np.array_equal(first.query_vectors, again.query_vectors)
    assert first.texts != other.texts


def test_a_longer_set_begins_with_the_shorter_one():
    short, long = make(1100, 3, 16), make(2500, 3, 16)

    assert long.texts[:1100] == short.texts
    assert long.scopes[:1100] == short.scopes
    assert np.array_equal(long.vectors[:1100], short.vectors)


def test_spare_memories_follow_and_no_query_aims_at_them():
    made = make(40, 3, 16, queries=200, spare=10)

    assert len(made.texts) == len(made.scopes) == len(made.vectors) == 50
    assert max(made.targets) < 40
    assert made.queries == make(40, 3, 16, queries=200).queries


def test_vectors_are_float32_of_length_one_and_no_two_memories_are_near_duplicates():
    made = make(1000, 4)
    cosines = made.vectors @ made.vectors.T
    np.fill_diagonal(cosines, 0)

    assert made.vectors.dtype == made.query_vectors.dtype == np.float32
    assert made.vectors.shape == (1000, 384)
    assert np.allclose(np.linalg.norm(made.vectors, axis=1), 1, atol=1e-5)
    assert cosines.max() < 0.85
    assert np.median(cosines.max(axis=1)) > 0.45  # they do gather around topics


def test_each_query_is_nearest_to_its_target_and_uses_its_words():
    made = make(1000, 5)

    nearest = (made.query_vectors @ made.vectors.T).argmax(axis=1)
    assert list(nearest) == made.targets
    assert {made.scopes[target] for target in made.targets} == {SCOPE}
    for query, target in zip(made.queries, made.targets, strict=True):
        assert query.split()[-2] in made.texts[target]


def test_the_same_memories_can_be_asked_within_a_small_scope():
    made = make(1000, 5, 16)

    narrow = asking(made, SMALL_SCOPE, 1000, 5, queries=20)

    assert narrow.texts is made.texts
    assert narrow.query_scope == SMALL_SCOPE
    assert {made.scopes[target] for target in narrow.targets} == {SMALL_SCOPE}
    assert made.scopes.count(SMALL_SCOPE) == 20


def test_texts_are_distinct_short_and_have_a_few_common_and_many_rare_words():
    made = make(2000, 6, 16)
    lengths = [len(text.split()) for text in made.texts]
    spread = Counter(word for text in made.texts for word in set(text.split()))

    assert len(set(made.texts)) == 2000
    assert min(lengths) >= 20
    assert max(lengths) <= 42
    assert spread["the"] > 1000
    assert len(spread) > 8000
    assert made.scopes.count(SCOPE) == 1800


def test_written_files_hold_one_line_and_one_row_each(tmp_path):
    made = make(30, 7, 16, queries=5)

    write_memories(made, tmp_path)
    write_queries(made, tmp_path, "broad")

    memories = (tmp_path / "memories.jsonl").read_text().splitlines()
    queries = (tmp_path / "broad.jsonl").read_text().splitlines()
    assert [json.loads(line)["text"] for line in memories] == made.texts
    assert [json.loads(line)["target"] for line in queries] == [made.texts[t] for t in made.targets]
    assert np.array_equal(np.load(tmp_path / "memories.npy"), made.vectors)
    assert np.array_equal(np.load(tmp_path / "broad.npy"), made.query_vectors)
