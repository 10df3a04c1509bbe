"""The threat model names a test for every threat, and every test it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_DEFINED = re.compile(r"(?m)^(?:async )?def (test_\w+)")
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def threats() -> list[list[str]]:
    """Give the lines of all tables, as cells."""
    text = (ROOT / "SECURITY.md").read_text("utf-8").partition("## The threats")[2]
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in text.splitlines()
        if line.startswith("| ")
    ]
    return [row for row in rows if not row[0].startswith("Who attacks")]


def functions_in(path: Path) -> set[str]:
    return set(_DEFINED.findall(path.read_text("utf-8")))


def test_there_are_threats():
    assert len(threats()) > 40


@pytest.mark.parametrize("threat", threats(), ids=lambda row: row[0][:60])
def test_every_threat_names_what_defends_and_tests_that_exist(threat):
    assert len(threat) == 3
    _attack, defence, tests = threat
    named = _TEST.findall(tests)

    assert defence
    assert named
    for path, name in named:
        assert name in functions_in(ROOT / path), f"{path}::{name}"


def test_every_attack_is_in_the_threat_model():
    named = {test for row in threats() for test in _TEST.findall(row[-1])}
    there = {
        (str(path.relative_to(ROOT)), name)
        for path in (ROOT / "tests" / "threats").glob("test_*.py")
        for name in functions_in(path)
        if name.startswith("test_")
    }

    assert there <= named, sorted(there - named)
