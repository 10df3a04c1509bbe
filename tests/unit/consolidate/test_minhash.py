"""Sketches find near-duplicates without an embedder."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacit.consolidate.minhash import (
    BAND,
    PERMUTATIONS,
    Bands,
    agreement,
    bands,
    shingles,
    sketch,
)
from tacit.write.likeness import overlap, read

TEXT = "The shop keeps its sessions in Redis and its carts in Postgres, since carts live longer"
WORDS = st.lists(
    st.sampled_from("cart redis shop order ledger queue worker retry token login build".split()),
    min_size=8,
    max_size=30,
)


def test_a_sketch_has_a_place_for_each_permutation_and_bands_of_four():
    assert (PERMUTATIONS, BAND) == (32, 4)
    assert len(sketch(TEXT)) == 32
    assert [len(band) for band in bands(TEXT)] == [1 + 4] * 8


def test_shingles_are_runs_of_three_characters_of_the_words():
    assert shingles("Use, use `uv`") == shingles("use use uv")
    assert shingles("use uv") == {"use", "se ", "e u", " uv"}
    assert shingles("uv") == {"uv"}


def test_equal_words_agree_everywhere_and_others_hardly_anywhere():
    assert agreement(TEXT, TEXT.upper().lower()) == 1.0
    assert agreement(TEXT, "Nightly builds push an image to the registry of the team") < 0.2


@given(WORDS, st.data())
def test_two_sketches_agree_about_as_much_as_the_shingles_overlap(words, data):
    other = list(words)
    for _ in range(data.draw(st.integers(0, 3))):
        other[data.draw(st.integers(0, len(other) - 1))] = data.draw(st.sampled_from(words))
    one, two = " ".join(words), " ".join(other)

    assert abs(agreement(one, two) - overlap(read(one), read(two))) < 0.4


@given(WORDS)
def test_a_text_with_one_letter_more_shares_a_band(words):
    text = " ".join(words)
    many = f"{text} {text} and then some more of the very same words as before"
    found = Bands()
    found.add("known", many)

    assert overlap(read(many), read(f"{many}s")) >= 0.9
    assert found.near(f"{many}s") == ["known"]


def test_bands_give_each_name_once_and_none_for_what_is_far():
    found = Bands()
    found.add("one", TEXT)
    found.add("two", TEXT)
    found.add("far", "Nightly builds push an image to the registry of the team")

    assert found.near(TEXT) == ["one", "two"]
