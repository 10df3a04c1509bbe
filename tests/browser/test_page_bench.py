"""The page is measured as a person meets it: every view, in a real browser, by one command."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("playwright")

from processes import ended, python
from tacit.bench.page import VIEWS


def test_every_view_and_what_is_done_on_it_is_timed(browser):
    said = ended(
        python("-m", "tacit", "bench", "page", "--sizes", 120, "--embedder", "off", "--json")
    )

    told = json.loads(said)
    assert told["memories"] == 120
    assert set(VIEWS) | {"first page", "a question", "a closer look"} <= set(told["categories"])
    assert all(row["p50_ms"] <= row["worst_ms"] for row in told["categories"].values())
