"""How many tokens a text can have at most: never too few, and not many too many."""

from __future__ import annotations

import gzip
import subprocess
import sys
from base64 import b64decode
from functools import cache
from pathlib import Path
from string import ascii_letters, ascii_lowercase

from hypothesis import example, given, settings
from hypothesis import strategies as st

import tacit_o200k
from tacit.assemble import ceiling
from tacit.assemble.ceiling import fit, most_tokens
from tacit.encode.tokens import O200k

COUNTER = O200k()
SCRIPT = Path(__file__).parents[3] / "tools" / "single_tokens" / "make.py"
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


def test_the_table_is_what_its_script_makes_of_the_ranks(tmp_path):
    made = tmp_path / "made.txt"

    subprocess.run([sys.executable, SCRIPT, made], check=True, capture_output=True)

    assert made.read_bytes() == Path(ceiling.TABLE).read_bytes()


def test_every_line_of_the_table_is_one_token():
    lines = Path(ceiling.TABLE).read_text("ascii").splitlines()

    assert len(lines) > 10_000
    assert not [line for line in lines if line.encode() not in ranks()]
    assert not [word for word in lines if word.isalpha() and f" {word}".encode() not in ranks()]


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
