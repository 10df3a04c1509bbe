"""Exact counts from the packaged ranks, and the estimate beside them."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.encode.tokens import PART_CHARACTERS, Estimate, O200k, open_counter
from tacit.errors import Unavailable

PROSE = (
    "Search results are paged with an opaque cursor, fifty a page, never by offset. "
    "The integration tests need a running database; start it with `make services`. "
    "We moved from a thread pool to asyncio because the pool starved under load.\n"
)
CODE = (
    "def read_settings(path: Path) -> Settings:\n"
    '    """Read the file once; a missing one is the default."""\n'
    "    if not path.exists():\n"
    "        return Settings()\n"
    "    data = tomllib.loads(path.read_text(encoding='utf-8'))\n"
    "    return Settings(**{key: data[key] for key in FIELDS if key in data})\n"
)
JSON = '{"id": "a3f8e2", "role": "tool", "content": [{"type": "text", "text": "3 passed"}]}\n'


@pytest.fixture(scope="module")
def o200k() -> O200k:
    return O200k()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("hello world", 2), ("tiktoken is great!", 6), ("1234567", 3), ("\n\n\n", 1)],
)
def test_known_texts_have_their_known_counts(o200k: O200k, text: str, tokens: int) -> None:
    assert o200k.count(text) == tokens


def test_special_tokens_are_counted_as_the_text_they_are(o200k: O200k) -> None:
    assert o200k.count("<|endoftext|>") > 1
    assert o200k.count("a <|endofprompt|> b") > o200k.count("a  b")


@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_can_be_counted(text: str) -> None:
    count = SHARED.count(text)

    assert (count == 0) == (text == "")
    assert SHARED.count_many([text, text]) == [count, count]


SHARED = O200k()


@pytest.mark.parametrize("unit", [" ", "a", "\n", "\x00", "ab \n", "\ud800", "界"])
def test_a_megabyte_is_counted_in_parts(o200k: O200k, unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    part = text[:PART_CHARACTERS]

    assert 0 < o200k.count(text) <= (o200k.count(part) + 2) * (len(text) // len(part) + 1)


def test_parts_add_hardly_a_token(o200k: O200k) -> None:
    times = 2 * PART_CHARACTERS // len(PROSE)
    exact = o200k.count(PROSE) * times

    assert exact <= o200k.count(PROSE * times) <= exact + 4


def test_threads_that_come_at_once_get_one_answer() -> None:
    counter = O200k()
    got: list[int] = []
    threads = [threading.Thread(target=lambda: got.append(counter.count(CODE))) for _ in "1234"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert got == [SHARED.count(CODE)] * 4


@pytest.mark.parametrize("text", [PROSE, CODE, JSON, PROSE + CODE + JSON])
def test_the_estimate_is_above_the_count_but_not_far(o200k: O200k, text: str) -> None:
    exact = o200k.count(text)

    assert exact <= Estimate().count(text) <= 1.8 * exact


@given(st.text(st.characters(codec=None), max_size=60))
def test_the_estimate_takes_any_text(text: str) -> None:
    assert 0 <= Estimate().count(text) <= 4 + 3 * len(text)


def test_the_estimate_of_no_text_is_nothing() -> None:
    assert Estimate().count_many(["", "lock"]) == [0, 1]


def test_the_exact_counter_is_chosen_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_counter().name == "o200k_base"

    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert open_counter().name == "estimate"


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)

    with pytest.raises(Unavailable, match="pip install tiktoken"):
        O200k().count("text")


def test_the_estimate_imports_nothing() -> None:
    code = (
        "import tacit.encode.tokens as t; import sys; before = set(sys.modules);"
        "t.Estimate().count('some text'); print(set(sys.modules) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "set()"
