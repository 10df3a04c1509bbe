"""When two texts count as the same statement, rung by rung."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.encode.embedding import Cuts
from tacit.write.likeness import Likeness, compare, same_at_write, same_fact, same_pattern

CUTS = Cuts(floor=0.2, write=0.95, merge_fact=0.88, merge_pattern=0.86)
RUNGS = (same_at_write, same_fact, same_pattern)
cosines = st.none() | st.floats(-1, 1)


@given(st.text(max_size=80), st.text(max_size=80), cosines)
def test_likeness_does_not_depend_on_which_text_comes_first(a, b, cosine):
    assert compare(a, b, cosine) == compare(b, a, cosine)


@given(st.text(max_size=200), st.none() | st.just(1.0))
def test_a_text_is_the_same_as_itself_on_every_rung(text, cosine):
    likeness = compare(text, text, cosine)

    assert likeness == Likeness(
        cosine=cosine, overlap=1.0, reworded=False, replaced=False, veto=None
    )
    assert all(same(likeness, CUTS) for same in RUNGS)


@given(st.text(max_size=80), st.text(max_size=80), cosines)
def test_what_is_the_same_at_write_is_the_same_on_every_later_rung(a, b, cosine):
    likeness = compare(a, b, cosine)

    assert same_fact(likeness, CUTS) >= same_at_write(likeness, CUTS)
    assert same_pattern(likeness, CUTS) >= same_fact(likeness, CUTS)


@given(st.text(max_size=80), st.text(max_size=80))
def test_overlap_is_a_share(a, b):
    assert 0.0 <= compare(a, b, None).overlap <= 1.0


@pytest.mark.parametrize("same", RUNGS)
def test_a_veto_stops_every_rung_whatever_the_cosine(same):
    assert not same(compare("Caching is enabled", "Caching is disabled", 0.999), CUTS)


def test_the_same_words_with_other_small_words_are_reinforced_at_write():
    likeness = compare(
        "Sign tokens with the release key", "We sign tokens with a release key", 0.96
    )

    assert not likeness.reworded
    assert same_at_write(likeness, CUTS)
    assert not same_at_write(likeness.replace(cosine=0.94), CUTS)


def test_other_words_wait_for_consolidation_however_close_they_are():
    likeness = compare("Split long functions", "Long functions should be split", 0.97)

    assert likeness.reworded
    assert not same_at_write(likeness, CUTS)
    assert same_fact(likeness, CUTS)


def test_patterns_merge_at_a_lower_cut_than_facts():
    likeness = compare("Mock the network in tests", "Tests should mock the network", 0.87)

    assert not same_fact(likeness, CUTS)
    assert same_pattern(likeness, CUTS)


def test_one_replaced_word_must_be_closer_because_it_may_be_the_value():
    likeness = compare("Favour composition here", "Prefer composition here", 0.90)

    assert likeness.replaced
    assert not same_fact(likeness, CUTS)
    assert same_fact(likeness.replace(cosine=0.93), CUTS)


BO, CY = (
    "Bo from the team keeps the keys of the office in Oslo",
    "Cy from the team keeps the keys of the office in Oslo",
)


@pytest.mark.parametrize("same", RUNGS[1:])
def test_spelling_alone_does_not_make_one_of_two_that_each_have_a_word_of_their_own(same):
    likeness = compare(BO, CY, None)

    assert (likeness.exchanged, likeness.overlap >= 0.9) == (True, True)
    assert not same(likeness, CUTS)
    assert same(likeness.replace(cosine=0.97), CUTS)  # a model may know better
    assert same(compare(BO, f"{BO} now", None), CUTS)  # a word more adds


@given(st.text(max_size=80), st.text(max_size=80))
def test_what_is_not_reworded_has_no_word_exchanged(a, b):
    likeness = compare(a, b, None)

    assert likeness.reworded or not likeness.exchanged


def test_without_an_embedder_nearly_equal_spelling_decides():
    text = "Integration tests start the whole stack in containers before they run"

    assert same_fact(compare(text, text + "!", None), CUTS)
    assert compare(text, text.replace("containers", "container"), None).overlap >= 0.9
    assert not same_fact(compare(text, "Integration tests need containers", None), CUTS)


def test_nearly_equal_spelling_also_serves_a_model_without_calibrated_cuts():
    uncalibrated = Cuts(floor=-1.0, write=1.01, merge_fact=1.01, merge_pattern=1.01)
    likeness = compare("Use the shared linter settings", "use the shared linter settings.", 0.99)

    assert same_at_write(likeness, uncalibrated)


@pytest.mark.parametrize(("a", "b"), [("api", "apis"), ("aaaaaaaa", "aaaaaaaab"), ("db", "dbs")])
def test_short_and_monotonous_names_are_alike_only_when_equal(a, b):
    assert compare(a, b, None).overlap == 0.0
    assert compare(a, a.upper(), None).overlap == 1.0


def test_longer_names_may_differ_by_a_slip_of_the_pen():
    likeness = compare(
        "Northwind Trading Company Limited", "Northwind Trading Company Limitd", None
    )

    assert 0.8 < likeness.overlap < 1.0


def test_comparing_needs_no_heavy_import():
    watched = "{'numpy', 'dataclasses', 'typing', 'onnxruntime', 'inspect', 'Stemmer'}"
    code = f"import tacit.write.likeness, sys; print(sorted({watched} & set(sys.modules)))"
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=plain
    )

    assert ran.stdout.strip() == "[]"
