"""How many tokens a text can have at most: never too few, and not many too many."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode
from functools import cache
from string import ascii_letters, ascii_lowercase

from hypothesis import example, given, settings
from hypothesis import strategies as st

import tacit_o200k
from tacit.assemble import ceiling
from tacit.assemble.ceiling import fit, most_tokens
from tacit.encode.tokens import O200k

COUNTER = O200k()
COMMON = 40_000  # the table lists what is among so many first tokens
WORDS = (
    "auth payments src/store/sqlite getUserName the_connection_pool postgresql 2026-03-01 12,345 "
    "[R:abcd2345] don't IT'S -flag ../x /etc/hosts\n /a qxqzjv HTTPServer C++ 'll ''' ... ( {} é 会话 "
    "naïve 👩‍💻 ſ K İ \u00a0 \u2028 \t \r\n _ __init__ :) »x« xyzzy kubernetes"
).split(" ")


@cache
def ranks() -> dict[bytes, int]:
    with gzip.open(tacit_o200k.ranks_path()) as file:
        fields = file.read().split()
    return dict(zip(map(b64decode, fields[::2]), map(int, fields[1::2]), strict=True))


def test_the_table_lists_the_common_pieces_that_are_one_token():
    common = {
        token.decode() for token, rank in ranks().items() if rank < COMMON and token.isascii()
    }
    words = {word for word in common if re.fullmatch("[A-Za-z]{2,}", word) and f" {word}" in common}
    blank = {
        word for word in common if re.fullmatch(" [A-Za-z]{2,}", word) and word[1:] not in words
    }
    parts = {part for part in common if re.fullmatch("[-_./][A-Za-z]+", part)}

    with open(ceiling.TABLE, encoding="ascii") as file:
        assert file.read() == "\n".join(sorted(words | blank | parts)) + "\n"


def test_what_is_said_to_be_one_token_is_one():
    numbers = [str(n) for n in range(1000)] + [f"{n:02}" for n in range(100)]
    numbers += [f"{n:03}" for n in range(1000)]
    pairs = {a + b for a in ascii_lowercase for b in ascii_lowercase}
    blanks = {f" {char}" for char in ascii_letters + ceiling.AFTER_BLANK}

    assert not [one for one in numbers if one.encode() not in ranks()]
    assert {pair for pair in pairs if pair.encode() not in ranks()} == ceiling.APART
    assert not [one for one in blanks if one.encode() not in ranks()]


texts = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="abqzjxvk AZ09'/._-\n\r\t é会", max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=12).map("".join),
)


@given(texts)
@example("a" * 300)
@example("qz" * 50)
@example("\ud800 lone")
@settings(max_examples=500)
def test_a_text_never_has_more_tokens(text):
    assert COUNTER.count(text) <= most_tokens(text)


@given(texts, st.integers(0, 40))
@settings(max_examples=200)
def test_a_text_that_was_fitted_fits_and_is_a_beginning(text, budget):
    cut = fit(text, budget)

    assert most_tokens(cut) <= budget
    assert " ".join(text.split()).startswith(cut.removesuffix(ceiling.ELLIPSIS))


def test_a_text_that_fits_stays_whole():
    assert fit("sign tokens with RS256", 20) == "sign tokens with RS256"
    assert fit("sign tokens with RS256", 5) == "sign tokens ..."
    assert fit("", 5) == ""


def test_plain_english_is_bounded_closely():
    text = "The checkout was moved to the new payment service after the tests had passed."

    assert most_tokens(text) == COUNTER.count(text)
