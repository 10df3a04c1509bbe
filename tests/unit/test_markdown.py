"""Headings of Markdown and reStructuredText, and that every line belongs to one section."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.markdown import blocks, sections

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
        "- a list\n---\n",
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


MARKDOWN = """# Shop

> [!NOTE]
> Read this.

- One
  goes on
  1. Inner
- [ ] A box

!!! warning
    Mind the gap.

```sh
make test
```

| Tool | Why |
| --- | --- |
| ruff | fast |
"""

RST = """Shop
====

A paragraph
goes on::

    code here

.. note::

   Read this.

.. image:: x.png
   :alt: none

- One
  goes on
- Two
"""


def shown(text: str, *, rst: bool = False) -> list[tuple[str, str, int, int]]:
    return [(block.type, block.text, block.line, block.depth) for block in blocks(text, rst=rst)]


def test_markdown_is_paragraphs_items_code_and_rows_with_their_lines():
    assert shown(MARKDOWN) == [
        ("paragraph", "Read this.", 3, 0),
        ("item", "One\ngoes on", 6, 1),
        ("item", "Inner", 8, 2),
        ("item", "A box", 9, 1),
        ("paragraph", "Mind the gap.", 12, 0),
        ("code", "make test\n", 14, 0),
        ("row", "Tool: Why", 18, 0),
        ("row", "ruff: fast", 20, 0),
    ]
    assert {block.heading for block in blocks(MARKDOWN)} == {("Shop",)}


def test_restructuredtext_is_read_likewise_and_literal_blocks_are_code():
    assert shown(RST, rst=True) == [
        ("paragraph", "A paragraph goes on:", 4, 0),
        ("code", "code here", 7, 0),
        ("paragraph", "Read this.", 11, 0),
        ("item", "One goes on", 16, 1),
        ("item", "Two", 18, 1),
    ]


@given(st.text(max_size=300), st.booleans())
@settings(max_examples=100)
def test_any_text_gives_blocks_on_lines_it_has(text, rst):
    for block in blocks(text, rst=rst):
        assert 1 <= block.line <= text.count("\n") + 1
