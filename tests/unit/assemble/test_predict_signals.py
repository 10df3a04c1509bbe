"""Signals are read once, and what calls up a memory is weighed as it says."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.assemble.own_record import bin_of, corrected, read_counts
from tacit.assemble.recollect import around, worth
from tacit.assemble.signals import KEYS, Signals, signals_of
from tacit.encode.code.imports import ImportTable, modules_in
from tacit.errors import Invalid


def test_signals_are_read_by_name_and_files_from_the_root():
    given_ = {
        "file": "/home/ana/shop/src/a.py",
        "files": ["./b.py", "src\\c.py", "b.py"],
        "branch": "main",
        "errors": ["boom", " "],
        "time": "2026-01-01T10:30+01:00",
    }

    read = signals_of(given_, "/home/ana/shop")

    assert read.files == ("src/a.py", "b.py", "src/c.py")
    assert (read.branch, read.errors, read.minute) == ("main", ("boom",), 9 * 60 + 30)
    assert read.told
    assert not signals_of({"file": "", "task": " ", "time": None}).told


def test_a_time_of_day_may_be_a_moment_and_midnight_is_no_wall():
    assert signals_of({"time": datetime(2026, 1, 1, 23, 50, tzinfo=UTC)}).minute == 23 * 60 + 50
    assert around(23 * 60 + 50, 10)
    assert not around(9 * 60, 12 * 60)
    for wrong in ("24:00", "12:60", "noon", 9):
        with pytest.raises(Invalid):
            signals_of({"time": wrong})


SIGNALS = st.dictionaries(
    st.sampled_from(KEYS),
    st.none() | st.text(max_size=20) | st.lists(st.text(max_size=9)),
    max_size=5,
)


@given(SIGNALS)
def test_any_signals_are_read_or_refused(given_):
    try:
        read = signals_of(given_, "/home/ana/shop")
    except Invalid:
        return
    assert isinstance(read, Signals)
    assert all(read.files)
    assert read.minute is None or 0 <= read.minute < 24 * 60


PARTS = st.dictionaries(st.sampled_from("abcd"), st.floats(0, 1), max_size=4)


@given(PARTS, PARTS, st.floats(0, 5_000))
def test_the_worth_of_a_memory_is_bounded_and_falls_with_age(weights, parts, days):
    now, later = worth(weights, ["a"], parts, days), worth(weights, ["a"], parts, days + 30)

    assert 0 <= later <= now <= 1


@given(st.floats(0, 1), st.integers(0, 500), st.integers(0, 500))
def test_a_corrected_confidence_lies_between_what_was_expected_and_what_came_true(sure, one, two):
    predicted, needed = max(one, two), min(one, two)
    counts = {bin_of("file", sure): (predicted, needed)}

    found = corrected("file", sure, counts)

    true = needed / predicted if predicted else sure
    assert min(sure, true) - 1e-9 <= found <= max(sure, true) + 1e-9
    assert corrected("task", sure, counts) == pytest.approx(sure)


@given(st.text(max_size=30))
def test_broken_counts_are_no_counts(text):
    assert isinstance(read_counts(text), dict)
    assert read_counts('{"file 3": [4, 1]}') == {"file 3": (4, 1)}
    assert read_counts("[1]") == read_counts('{"a": 1}') == {}


def test_modules_are_seen_in_plain_lines_of_many_languages():
    text = """
import os.path
from stripe.errors import CardError
from . import own
import React, { useState } from 'react';
const fs = require("fs/promises")
import x from "./own"
import "@scope/pkg/deep"
use serde::Deserialize;
import = 3
return import
"""
    assert modules_in(text) == ["os", "stripe", "react", "fs", "@scope/pkg", "serde"]
    assert modules_in("") == []


@given(st.text(max_size=200))
def test_any_text_may_be_looked_at_for_imports(text):
    assert all(module for module in modules_in(text))


def test_the_table_of_imports_names_files_and_what_comes_from_elsewhere():
    files = [
        ("shop/__init__.py", "", "1"),
        ("shop/cart.py", "import stripe\nfrom shop import price\n", "2"),
        ("shop/price.py", "", "3"),
        ("notes.txt", "import this", "4"),
    ]
    table = ImportTable(path for path, _, _ in files)

    passed = list(table.watched(files))

    assert passed == files
    assert '"shop/cart.py":[["shop/price.py"],["stripe","shop"]]' in table.to_json()
    assert "notes.txt" not in table.to_json()
