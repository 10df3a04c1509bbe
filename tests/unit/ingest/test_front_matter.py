"""The fields a document begins with: as written, bounded, and never a reason to fail."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.ingest.documents import read_front_matter as split_front_matter
from tacit.markdown import MOST_FIELDS


def fields_of(block: str) -> dict[str, str]:
    meta, rest = split_front_matter(f"---\n{block}\n---\nThe text.\n", Counter())
    assert rest == "The text.\n"
    return dict(meta)


def test_values_are_kept_as_they_are_written():
    fields = fields_of("version: 1.10\ndate: 2026-01-02\nok: yes\nnone: ~\nname: 'A: b'")

    assert fields == {
        "version": "1.10",
        "date": "2026-01-02",
        "ok": "yes",
        "none": "~",
        "name": "A: b",
    }


def test_lists_are_joined_and_fields_within_fields_are_named_by_both():
    fields = fields_of("paths:\n  - src/**/*.ts\n  - test/**\nmetadata:\n  type: feedback")

    assert fields == {"paths": "src/**/*.ts, test/**", "metadata.type": "feedback"}


def test_what_yaml_refuses_is_read_line_by_line_where_it_is_plain():
    fields = fields_of("description: Rules for tests\nglobs: *.ts,*.tsx\nalwaysApply: false")

    assert fields["globs"] == "*.ts,*.tsx"


@pytest.mark.parametrize(
    "text", ["No fields here", "---\nA rule above\n---\nand below", "---\nnever: closed\n", ""]
)
def test_a_text_without_fields_stays_as_it_is(text):
    counts: Counter[str] = Counter()

    assert split_front_matter(text, counts) == ((), text)
    assert counts == {}


def test_broken_fields_are_counted_and_stay_in_the_text():
    counts: Counter[str] = Counter()
    text = "---\na: [1, 2\n  b: {\n---\nThe text."

    assert split_front_matter(text, counts) == ((), text)
    assert counts == {"broken front matter": 1}


def test_aliases_cannot_grow_without_bound():
    names = "abcdefghi"
    lines = ["a: &a {x: 1, y: 2}"] + [
        f"{new}: &{new} {{p: *{old}, q: *{old}, r: *{old}}}" for old, new in pairwise(names)
    ]

    assert len(fields_of("\n".join(lines))) <= MOST_FIELDS


def test_a_field_that_holds_itself_ends():
    assert fields_of("a: &a {self: *a}\nb: words")["b"] == "words"


def test_a_secret_spelled_in_escapes_does_not_get_through():
    sample = next(s for s in SAMPLES.values() if s.type == "github-token" or "ghp_" in s.secret)
    spelled = "".join(f"\\x{ord(char):02x}" for char in sample.secret)

    fields = fields_of(f'note: "{spelled}"')

    assert sample.secret not in str(fields)
    assert "REDACTED" in fields["note"]


def test_half_characters_and_nul_from_escapes_are_replaced():
    fields = fields_of('note: "a\\ud800b\\0c"')

    assert fields["note"].encode()
    assert "\0" not in fields["note"]


@given(st.text(max_size=300))
@settings(max_examples=100)
def test_any_block_is_read_or_left_in_place(block):
    text = f"---\n{block}\n---\nThe text."
    meta, rest = split_front_matter(text, Counter())

    assert text.endswith(rest)
    assert all(isinstance(part, str) for pair in meta for part in pair)
    assert rest == text if not meta else len(rest) < len(text)


@given(st.text(alphabet="&*{}[]:-,|>!%\"'\\ \nab01uU", max_size=200))
@settings(max_examples=100)
def test_any_yaml_like_block_is_harmless(block):
    split_front_matter(f"---\n{block}\n---\n", Counter())
