"""Headings of Markdown and reStructuredText, and that every line belongs to one section."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.markdown import sections

LINES = st.lists(
    st.sampled_from(
        ["# A", "## B", "### C", "words", "", "```", "~~~sh", "====", "----", "- item", "| a |"]
    )
    | st.text(max_size=12),
    max_size=30,
).map("\n".join)


def paths(text: str, *, rst: bool = False) -> list[tuple[str, ...]]:
    return [section.path for section in sections(text, rst=rst)]


def test_a_section_knows_the_headings_it_stands_under():
    text = "intro\n# A\n## B\ntext\n### C\n## D ##\n# E"

    assert paths(text) == [(), ("A",), ("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)]


def test_a_heading_may_be_underlined():
    assert paths("Shop\n====\n\nWords.\n\nInstall\n-------\nmake\n") == [
        ("Shop",),
        ("Shop", "Install"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no\n```\n",
        "~~~\n# no\n~~~~\n",
        "    # no\n",
        "#no\n",
        "A paragraph\nof two lines\n---\n",
        "- a list\n---\n",
        "| a | b |\n---\n",
        "#\n",
        "```\n# not closed\n",
    ],
)
def test_what_only_looks_like_a_heading_is_text(text):
    assert paths(text) == [()]


def test_in_restructuredtext_the_first_style_is_the_outermost():
    text = "====\nShop\n====\n\nInstall\n~~~~~~~\nmake\n\nUse\n~~~\n\nMore\n^^^^\n# no\n"

    assert paths(text, rst=True) == [
        ("Shop",),
        ("Shop", "Install"),
        ("Shop", "Use"),
        ("Shop", "Use", "More"),
    ]


def test_a_title_is_plain_and_one_that_lost_something_is_kept_as_written():
    (section,) = sections("## See [the guide](a.md) for `x`\nWords.")

    assert section.path == ("See the guide for x",)
    assert section.text == "## See [the guide](a.md) for `x`\nWords."


@given(LINES, st.booleans())
@settings(max_examples=100)
def test_every_line_belongs_to_one_section_in_order(text, rst):
    found = sections(text, rst=rst)
    lines = [line for section in found for line in section.lines]

    assert [line for line in lines if line.strip()] == [
        line for line in text.split("\n") if line.strip()
    ]
    for section in found:
        assert text.split("\n")[section.line - 1] == section.lines[0]
        assert bool(section.path) == bool(section.level)
