"""Is anything in a text not said already?"""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fakes import HashEmbedder
from tacit.encode.embedding import Nearness
from tacit.write.cover import told
from tacit.write.novelty import Known, nothing_new

RULES = (
    "Run `make test` before every commit.",
    "Keep functions under 40 lines; split longer ones.",
    "Sessions are stored in Redis and expire after 30 minutes.",
    "Never commit secrets to the repository.",
    "Compression is enabled in production.",
    "The parser lives in `src/parse/lexer.py`, the printer in `src/print.py`.",
)
CLAUSES = (
    "deploys run from the main branch",
    "sessions are stored in Redis",
    "every handler returns a typed response",
    "the parser streams its input",
    "migrations are written by hand",
    "reviews need two approvals",
)


def known(*texts):
    """Give statements that are there already."""
    return [Known(text=text, told=told(text)) for text in texts]


def near():
    """Give an embedder by words, under which the order and endings of words do not matter."""
    return Nearness(HashEmbedder())


def test_nothing_is_known_where_there_is_nothing():
    assert nothing_new("Anything at all", []) == ""


@pytest.mark.parametrize("text", RULES)
def test_a_statement_says_nothing_new_beside_itself(text):
    assert nothing_new(text, known(*RULES)) == text


@settings(max_examples=60)
@given(st.lists(st.sampled_from(CLAUSES), min_size=1, max_size=4, unique=True).map("; ".join))
def test_any_text_says_nothing_new_beside_itself(text):
    assert nothing_new(text, known(text)) == text
    assert nothing_new(text, known("Unrelated words entirely", text)) == text


@settings(max_examples=60)
@given(st.lists(st.sampled_from(CLAUSES), min_size=1, max_size=6, unique=True))
def test_clauses_may_be_known_from_different_places(clauses):
    assert nothing_new("; ".join(clauses), known(*CLAUSES)) in CLAUSES


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from(CLAUSES), min_size=1, max_size=6, unique=True),
    st.sampled_from(["{}, {}", "{}; {}", "{}. Keep {}", "{} in {} ms", "{}\n{} of them"]),
    st.integers(0, 10**6),
)
def test_a_number_makes_a_text_new_wherever_it_stands(clauses, form, number):
    text, said = "; ".join(clauses), known("; ".join(clauses), *CLAUSES)
    assume(all(str(number) not in each.told.numbers | each.told.words for each in said))

    assert nothing_new(form.format(text, number), said) == ""


def test_the_place_in_a_list_is_no_number():
    assert nothing_new("3. Never commit secrets to the repository.", known(*RULES)) == RULES[3]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The user wants `make test` to be run before each commit", 0),
        ("Project convention: functions stay under 40 lines", 1),
        ("Redis stores the sessions", 2),
        ("Sessions expire after 30 minutes, and secrets are never committed to the repository", 2),
        ("As noted in CLAUDE.md, never commit secrets", 3),
        ("The printer lives in src/print.py", 5),
    ],
)
def test_other_words_for_a_rule_say_nothing_new(text, said):
    assert nothing_new(text, known(*RULES)) == RULES[said]


@pytest.mark.parametrize(
    "text",
    [
        "Keep functions under 60 lines; split longer ones.",
        "Sessions are stored in Redis and expire after 45 minutes.",
        "Commit secrets to the repository.",
        "Compression is disabled in production.",
        "Sessions are stored in Postgres and expire after 30 minutes.",
        "The parser lives in `src/parse/grammar.py`.",
        "Run `make lint` before every commit.",
        "Run `make test` before every commit, and rebuild the search index by hand afterwards",
        "Die Sitzungen liegen im Arbeitsspeicher",
    ],
)
@pytest.mark.parametrize("model", [None, near], ids=["words", "vectors"])
def test_a_changed_number_name_denial_or_opposite_is_new(text, model):
    assert nothing_new(text, known(*RULES), model() if model else None) == ""


def test_a_model_finds_what_other_words_mean():
    text, rule = "the printer prints receipts quickly", "receipts the printer prints"
    said = known(rule)
    asked = []

    def meant(cosine):
        def near(one, others):
            asked.append((one, tuple(others)))
            return [cosine] * len(others)

        return near

    claim = "the printer prints invoices, letters and labels"
    assert nothing_new(text, said) == rule
    assert nothing_new(claim, said) == ""
    assert nothing_new(claim, said, meant(0.7)) == ""
    assert nothing_new(claim, said, meant(0.9)) == rule
    assert (claim, (rule,)) in asked


def test_a_model_is_not_asked_about_what_shares_hardly_a_word():
    def near(_text, others):
        assert not list(others)
        return []

    assert nothing_new("Entirely different things matter", known(*RULES), near) == ""


def test_a_model_does_not_outweigh_a_number():
    assert (
        nothing_new("Keep 4 replicas", known("Keep 3 replicas"), lambda _t, o: [1.0] * len(o)) == ""
    )
