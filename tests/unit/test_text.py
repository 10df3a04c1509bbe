"""Words: what is written one way is found another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import PHRASES
from tacit.text import (
    LONGEST_TERM,
    STOP_WORDS,
    content_words,
    fold,
    index_terms,
    query_terms,
    shorten,
    squash,
    stem,
)


def meet(question, text):
    """Tell whether a question finds a text by at least one word."""
    return bool(set(query_terms(question)) & set(index_terms(text)))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        # identifiers and their parts
        ("getUserName", "get_user_name"),
        ("get-user-name", "getUserName()"),
        ("user", "getUserName"),
        ("request", "XMLHttpRequest"),
        ("http", "HTTPServer"),
        ("init", "__init__"),
        ("userid2", "user_id2"),
        ("login", "src/auth/login.py"),
        ("login.py", "src/auth/login.py"),
        ("auth/login.py", "src/auth/login.py"),
        ("foo::bar", "foo.bar"),
        ("3.11.7", "python 3.11.7 is out"),
        ("2024-01-02", "on 2024-01-02 at noon"),
        ("c++", "written in C++."),
        ("C#", "c# code"),
        # endings
        ("connection", "connections"),
        ("caching", "cached"),
        ("user's", "the users"),
        # accents and compatibility forms
        ("cafe", "café"),
        ("café", "cafe"),
        ("café", "cafe\u0301"),
        ("größe", "GRÖSSE GROSSE Größe"),
        ("uber", "über"),
        ("file", "ﬁle"),
        ("full", "ＦＵＬＬ"),
        # other scripts
        ("память", "Память"),
        ("ёлка", "елка"),
        ("ΟΔΟΣ", "οδός"),
        ("μνήμη", "ΜΝΗΜΗ"),
        ("内存", "会话保存在内存中"),
        ("内存", "內存 内存"),
        ("メモリ", "セッションはメモリにあります"),
        ("메모리", "세션은 메모리에 있습니다"),
        ("메모리를", "세션은 메모리에 있습니다"),
        ("한국어", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165"),
        ("العربية", "العَرَبِيَّة"),
        ("זיכרון", "זִיכָּרוֹן"),
        ("หน่วยความจำ", "เซสชันอยู่ในหน่วยความจำ"),
        ("स्मृति", "सत्र स्मृति में रहता है"),
        ("abc", "中文abc混合"),
    ],
)
def test_a_question_meets_a_text_that_is_written_another_way(question, text):
    assert meet(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("redis", "the pool holds ten connections"),
        ("内存", "会话保存"),
        ("메모리", "세션은 있습니다"),
        ("память", "сессия"),
        ("what is the", "redis"),
        ("cat", "category"),
    ],
)
def test_a_question_does_not_meet_what_has_none_of_its_words(question, text):
    assert not meet(question, text)


def test_words_of_indic_scripts_are_not_torn_apart():
    assert not meet("पिता", "पुस्तक")  # father, book


@pytest.mark.parametrize(
    ("question", "text"), [("nodejs", "node.js"), ("getusername", "getUserName")]
)
def test_a_name_is_found_by_its_letters_in_one_word(question, text):
    assert meet(question, text)


@pytest.mark.parametrize("ending", ["++", "#"])
def test_a_name_with_a_sign_at_its_end_is_cut_like_any_other(ending):
    assert all(len(term) <= LONGEST_TERM for term in index_terms("x" * 500 + ending))


def test_the_sharp_s_is_two_s():
    assert meet("strasse", "Straße")


@given(st.text() | st.sampled_from(PHRASES))
def test_every_text_finds_itself(text):
    assert set(query_terms(text)) <= set(index_terms(text))


@given(st.text() | st.sampled_from(PHRASES))
def test_terms_are_single_words_of_bounded_length(text):
    for term in index_terms(text):
        assert term.split() == [term]
        assert len(term) <= LONGEST_TERM


@given(st.text() | st.sampled_from(PHRASES))
def test_query_terms_are_given_once(text):
    terms = query_terms(text)

    assert len(terms) == len(set(terms))


@given(st.lists(st.sampled_from([*PHRASES, "getUserName", "a/b.py", "C++"]), max_size=3))
def test_the_terms_of_texts_on_lines_are_those_of_each(texts):
    together = index_terms("\n".join(texts))

    assert together == [term for text in texts for term in index_terms(text)]


def test_words_are_repeated_in_the_index_as_they_are_in_the_text():
    assert index_terms("redis, Redis and REDIS") == ["redi", "redi", "and", "redi"]


def test_stop_words_are_asked_for_only_when_there_is_nothing_else():
    assert query_terms("what is the pool") == ["pool"]
    assert query_terms("to be or not to be") == ["to", "be", "or", "not"]
    assert query_terms("") == []
    assert query_terms("?!") == []


def test_contractions_lose_their_ending():
    assert query_terms("the pool's size isn't set") == query_terms("the pool size isn set")
    assert query_terms("it’s") == ["it"]


def test_content_words_are_lower_case_unstemmed_and_mean_something():
    assert content_words("The Sessions are in café's POOL") == ["sessions", "cafe", "pool"]
    assert not set(content_words(" ".join(STOP_WORDS)))


def test_a_word_longer_than_any_is_cut_alike_on_both_sides():
    assert index_terms("x" * 500) == query_terms("x" * 700) == ["x" * LONGEST_TERM]


@given(st.text())
def test_folding_twice_changes_nothing_more(text):
    assert fold(fold(text)) == fold(text)


def test_fold_keeps_case_and_ascii():
    assert fold("getUserName é Ü ﬁ 각") == "getUserName e U fi 각"


def test_texts_that_differ_in_blanks_case_and_accents_are_the_same_when_squashed():
    assert squash("  Das  CAFÉ\n ist Groß ") == squash("das cafe ist gross")


@given(st.text(), st.integers(2, 60))
def test_a_shortened_text_fits_and_begins_like_the_text(text, chars):
    plain, short = " ".join(text.split()), shorten(text, chars)

    assert len(short) <= chars
    assert short == plain if len(plain) <= chars else short.endswith("…")
    assert plain.startswith(short.removesuffix("…"))


def test_a_text_is_cut_at_the_end_of_a_word():
    assert shorten("the pool holds ten connections", 20) == "the pool holds ten…"
    assert shorten("uninterruptedlongword", 10) == "uninterru…"
    assert shorten("  two\nwords ", 20) == "two words"


def test_stems_are_those_of_english_and_leave_other_languages_alone():
    assert {stem(word) for word in ("connect", "connected", "connections")} == {"connect"}
    assert stem("сессии") == "сессии"


HUGE = {
    "words": "lorem ipsum dolor sit amet " * 37_000,
    "no blanks": "会话保存在内存中" * 125_000,
    "one word": "a" * 1_000_000,
    "camel case": "aB" * 500_000,
    "path": "a/" * 500_000,
    "dots": "a." * 500_000,
    "quotes": "'s" * 500_000,
    "dashes": "-" * 1_000_000,
    "accents": "e" + "\u0301" * 1_000_000,
    "blanks": " " * 1_000_000,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE.keys())
def test_a_text_of_a_million_characters_is_read_in_one_go(text):
    assert set(query_terms(text)) <= set(index_terms(text))


def test_a_million_underscores_are_read_in_one_go():
    assert index_terms("_" * 1_000_000) == []
