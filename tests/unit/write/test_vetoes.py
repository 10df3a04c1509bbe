"""What keeps two alike texts apart, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.write.vetoes import LONG, OPPOSITES, Reading, opposed, stem, tokens, veto, words

prose = st.text(alphabet="abcdefghij klmnop qrstuvwxyz,.'", max_size=60)
figures = st.from_regex(r"[a-z]{0,3}[0-9]{1,4}(\.[0-9]{1,3}){0,2}", fullmatch=True)


def reason(a: str, b: str) -> str | None:
    return veto(Reading(a), Reading(b))


@given(prose, figures, figures)
def test_differing_tokens_with_a_digit_always_veto(text, one, other):
    found = reason(f"{text} {one}", f"{text} {other}")

    assert (found is None) == (one == other)
    assert found is None or found.startswith("number")


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_reason_does_not_depend_on_which_text_comes_first(a, b):
    assert reason(a, b) == reason(b, a)


@given(st.text(max_size=200))
def test_a_text_has_no_quarrel_with_itself(text):
    assert reason(text, text) is None


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("The pool holds 3 workers", "The pool holds 4 workers", "number 3 ≠ 4"),
        ("Requires Python 3.11", "Requires Python", "number nothing ≠ 3.11"),
        ("Retry three times", "Retry five times", "number 5 ≠ 3"),
        ("Tests touch the network", "Tests don't touch the network", "negation"),
        ("Nobody edits the lock file", "Somebody edits the lock file", "negation"),
        ("Admins may delete", "Only admins may delete", "restriction only"),
        ("The parser must skip blanks", "The parser should skip blanks", "modal must ≠ should"),
        ("Read settings from app.toml", "Read settings from core.toml", "name app ≠ core"),
        ('Build with the "fast" profile', 'Build with the "slow" profile', "name fast ≠ slow"),
        ("Ask Miriam about billing", "Ask Jonas about billing", "name jonas ≠ miriam"),
        (
            "Caching is enabled by default",
            "Caching is disabled by default",
            "antonym disabled/enabled",
        ),
    ],
)
def test_each_kind_of_difference_is_named(a, b, expected):
    assert reason(a, b) == expected == reason(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Caching is enabled", "Caching is disabled"),
        ("Requests run synchronously", "Requests run asynchronously"),
        ("Lint before the tests", "Lint after the tests"),
        ("The queue is bounded", "The queue is unbounded"),
        ("A harmful change", "A harmless change"),
        ("Deploy to staging first", "Deploy to production first"),
        ("The mirror is public", "The mirror is private"),
    ],
)
def test_opposites_are_told_apart_in_every_inflection(a, b):
    assert str(reason(a, b)).startswith("antonym")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The router calls the planner", "The planner calls the router"),
        ("The cat is chasing the mouse", "The mouse is chasing the cat"),
        ("We moved from cron to systemd", "We moved from systemd to cron"),
        ("Prefer tuples over lists", "Prefer lists over tuples"),
        ("The router is called by the planner", "The router calls the planner"),
    ],
)
def test_exchanged_roles_are_a_swap(a, b):
    assert reason(a, b) == "swap"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The planner calls the router", "The router is called by the planner"),
        (
            "Restart the worker when the cache is stale",
            "When the cache is stale restart the worker",
        ),
        ("The job cleans and packs the files", "The job packs and cleans the files"),
        ("A parser that is slow", "A slow parser"),
        ("Never commit generated files", "Do not commit generated files"),
        ("Retry 3 times", "Retry three times"),
        ("Run `make check` first", "run make check first"),
        ("The endpoint lives in src/login.py", "src/login.py holds the endpoint"),
        ("You should use tabs", "Use tabs"),
    ],
)
def test_the_same_statement_in_other_words_is_not_vetoed(a, b):
    assert reason(a, b) is None


def test_one_replaced_word_counts_only_where_an_embedding_would_not_notice_it():
    long = "the nightly job exports invoices, packs them, signs them, uploads the archive, tells"
    long += " the auditors, cleans the folder, rotates the keys and writes a report"

    assert len(Reading(long).content) >= LONG
    assert reason(long, long.replace("invoices", "payslips")) == "replaced invoices/payslips"
    assert reason("the job exports invoices", "the job exports payslips") is None


def test_tokens_keep_code_whole_and_lose_the_marks_around_it():
    assert tokens('Call (`foo.bar()`), then "v1.2".') == ["Call", "foo.bar", ",", "then", "v1.2"]
    assert words(tokens("Don’t touch src/a_b.py")) == ["do", "not", "touch", "src", "a", "b", "py"]


def test_no_word_is_its_own_opposite_and_opposition_is_mutual():
    table = opposed()

    assert len(OPPOSITES.split(";")) > 200
    assert all(word in table[other] for word, others in table.items() for other in others)
    assert not [word for word, others in table.items() if word in others]
    assert stem("enabled") in table
