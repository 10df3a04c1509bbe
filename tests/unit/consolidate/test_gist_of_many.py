"""A gist is what several accounts agree on, in whole sentences of theirs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacit.consolidate.gist import GIST_CHARS, gist, most_central

FIRST = "Deployed the shop. The page cache must be cleared after each deployment. Took an hour."
SECOND = "After each deployment the page cache must be cleared. Nobody noticed a pause in the shop."


def test_the_sentence_both_say_is_the_gist():
    assert gist([FIRST, SECOND]) == "After each deployment the page cache must be cleared."


def test_what_is_said_already_is_not_said_again():
    assert gist([FIRST, SECOND], said=["the page cache must be cleared after a deployment"]) == ""


def test_accounts_that_agree_on_nothing_have_none():
    assert gist([FIRST, "The invoices are numbered per country and year."]) == ""
    assert gist([FIRST]) == ""
    assert gist([]) == ""


def test_the_most_central_goal_is_that_of_most_groups():
    groups = [["answer the review"], ["answer the review of the cart"], ["paint the shed"]]
    assert most_central(groups) == "answer the review"


sentence = st.lists(
    st.sampled_from("cache cleared deployment shop order paid after never".split()), max_size=8
).map(lambda words: " ".join(words).capitalize() + ".")


@given(accounts=st.lists(st.lists(sentence, max_size=4).map(" ".join), max_size=4))
def test_a_gist_is_short_and_stands_in_the_accounts(accounts):
    found = gist(accounts)
    assert len(found) <= GIST_CHARS + 1
    assert all(part.strip(". ") in " ".join(accounts) for part in found.split(". "))
