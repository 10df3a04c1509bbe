"""Which memories an agent says it used; what it was handed does not count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.fence import MOST_CITED, OPEN, cited_in, fenced, without_marks


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Applied: [M:abcd2345]", ["abcd2345"]),
        ("Applied: [G:abcd2345], [R:efgh6723] and [M:abcd2345]", ["abcd2345", "efgh6723"]),
        ("[M:short] [X:abcd2345] [M:ABCD2345] M:abcd2345", []),
        (fenced("[M:abcd2345] Rule"), []),
        (f"{fenced('[M:abcd2345] Rule')} Applied: [M:abcd2345]", ["abcd2345"]),
        (f"{OPEN} cut off [M:abcd2345]", []),
        ("<oai-mem-citation>\ntacit:abcd2345\n</oai-mem-citation>", ["abcd2345"]),
        ("<oai-mem-citation>\ntacit://memory/abcd2345 [R:efgh6723]", ["efgh6723", "abcd2345"]),
        ("tacit:abcd2345 outside of a block", []),
        ("", []),
    ],
)
def test_marks_in_the_agents_own_words_are_citations(text, found):
    assert cited_in(text) == found


@given(st.text(alphabet="[]MGR:abcd2345<>/tacit-memory \n", max_size=200))
def test_any_text_gives_short_names_each_once(text):
    found = cited_in(text)

    assert len(set(found)) == len(found) <= MOST_CITED
    assert all(name.isalnum() and len(name) >= 8 for name in found)


def test_a_flood_of_citations_is_bounded():
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    flood = " ".join(f"[M:abcdef{a}{b}]" for a in letters for b in letters)

    assert len(cited_in(flood)) == MOST_CITED


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("All is well.\n\nApplied: [R:abcd2345]\n", "All is well."),
        ("**Applied:** [R:abcd2345], [M:efgh6723]\nNext: ship", "Next: ship"),
        ("Fixed. Applied: [M:abcd2345] and again [M:efgh6723]", "Fixed."),
        ("The limit stays 5 (per [M:abcd2345]). Tests pass.", "The limit stays 5. Tests pass."),
        ("As [M:abcd2345] says, dates are UTC.", "dates are UTC."),
        ("Dates are UTC [M:abcd2345], always.", "Dates are UTC, always."),
        (f"{fenced('[M:abcd2345] Rule')}\nDates are UTC.", "Dates are UTC."),
        ("Done.\n<oai-mem-citation>\ntacit:abcd2345\n</oai-mem-citation>", "Done."),
        ("rows[M:n], see [docs]", "rows[M:n], see [docs]"),
    ],
)
def test_marks_and_blocks_are_taken_out_of_what_is_read_and_the_rest_stays(text, left):
    assert without_marks(text).strip() == left
