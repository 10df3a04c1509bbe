"""The list of formats: each is found by looking, and each way that is promised is there."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.errors import Denied, Invalid, NotFound
from tacit.exchange import files, front_matter
from tacit.exchange.formats import FORMATS, detect, format_named, module_of
from unit.exchange.opened import opened


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "tacit"])
def test_a_module_has_the_ways_its_format_promises(name):
    format_ = FORMATS[name]
    module = vars(module_of(format_))

    assert ("write" in module) == format_.writes
    if format_.reads:
        assert "sniff" in module
        assert "read" in module or "read_pages" in module


def test_formats_are_told_apart(tmp_path):
    with opened(tmp_path) as tacit:
        tacit.remember("Deploys need two reviews", subtype="decision")
        (tmp_path / "all.jsonl").write_text("".join(tacit.export()))
        for name in ("markdown", "automaker", "gsd"):
            tacit.export_to(name, str(tmp_path / name))
        tacit.export_to("server-memory", str(tmp_path / "graph.jsonl"))
    item = {"id": "1", "memory": "x", "user_id": "ana"}
    (tmp_path / "mem0.json").write_text(json.dumps([item]))

    assert detect(str(tmp_path / "all.jsonl")) == "tacit"
    assert detect(str(tmp_path / "graph.jsonl")) == "server-memory"
    assert detect(str(tmp_path / "mem0.json")) == "mem0"
    for name in ("markdown", "automaker", "gsd"):
        assert detect(str(tmp_path / name)) == name


def test_what_is_no_format_is_told_with_those_there_are(tmp_path):
    (tmp_path / "notes.txt").write_text("just words")

    with pytest.raises(Invalid, match=r"automaker, gsd.*--format"):
        detect(str(tmp_path / "notes.txt"))
    with pytest.raises(Invalid, match="automaker"):
        detect(str(tmp_path))
    with pytest.raises(NotFound, match="no such file"):
        detect(str(tmp_path / "missing"))


@given(st.binary(max_size=200))
@settings(max_examples=60)
def test_looking_into_any_file_never_crashes(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("any") / "file"
    for begin in (
        b"",
        b'{"type":"entity",',
        b"SQLite format 3\0",
        b"---\ntacit: 1\n",
        b'{"memory"',
    ):
        path.write_bytes(begin + data)
        try:
            assert detect(str(path)) in FORMATS
        except Invalid:
            continue


def test_a_way_that_is_not_there_is_told_with_those_that_are():
    with pytest.raises(Invalid, match="'mem0' cannot be written; these can: tacit, markdown"):
        format_named("mem0", writes=True)
    with pytest.raises(Invalid, match="'claude-rules' cannot be read"):
        format_named("claude-rules", reads=True)
    with pytest.raises(Invalid, match="'nothing' cannot be known"):
        format_named("nothing")


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/etc/x", "", "a//b", "a\\b", "a\0b"])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path, name):
    (tmp_path / "in").mkdir()

    with pytest.raises(Denied):
        files.write_text(str(tmp_path / "in"), name, "x")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_write_that_fails_leaves_nothing_behind(tmp_path):
    files.write_text(str(tmp_path), "a.md", "before")

    with pytest.raises(UnicodeEncodeError):
        files.write_text(str(tmp_path), "a.md", "half \ud800 a character")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.md", "before")]


def test_what_is_too_large_or_no_file_is_left_out(tmp_path):
    from collections import Counter

    counts: Counter[str] = Counter()
    (tmp_path / "large").write_bytes(b"x" * 100)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "large")

    assert files.read_bytes(str(tmp_path / "large"), counts, 99) is None
    assert files.read_bytes(str(tmp_path / "pipe"), counts, 99) is None
    assert files.read_bytes(str(tmp_path / "link"), counts, 999) is None
    assert counts == {"left out: too large": 1, "left out: unreadable or no plain file": 2}


def test_a_head_is_read_the_way_people_write_it():
    head = """
# a comment
name: plain words  # and why
list: [one, "two, three", 'it''s']
items:
- first
-   name: second
    more: [a,
      b]
- Third: with a colon
deep:
  deeper:
    deepest: value
folded: >
  one
  two
url: https://shop.example/a#b
empty:
nothing: null
"""
    assert front_matter.parse(head) == {
        "name": "plain words",
        "list": ["one", "two, three", "it's"],
        "items": ["first", {"name": "second", "more": ["a", "b"]}, {"Third": "with a colon"}],
        "deep": {"deeper": {"deepest": "value"}},
        "folded": "one two",
        "url": "https://shop.example/a#b",
        "empty": "",
        "nothing": "",
    }


@given(st.text(st.sampled_from("ab:-#[]{}\"', \n\\|>"), max_size=120))
@settings(max_examples=100)
def test_any_head_is_read_without_an_error(text):
    front_matter.strings(front_matter.parse(text).get("a"))
    front_matter.split(f"---\n{text}\n---\nrest")
