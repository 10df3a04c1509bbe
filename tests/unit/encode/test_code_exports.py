"""Where things are: the names that a file offers, in one line."""

from __future__ import annotations

import pytest

from tacit.encode.code.exports import export_draft, file_exports, folder_drafts
from tacit.encode.code.syntax import is_source


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        (
            "src/shop/till.py",
            '"""Counts money. And more."""\nT = TypeVar("T")\nLIMIT = 3\n\nclass Till:\n    def open(self): ...\n'
            "    def _lock(self): ...\n\nclass _Inner:\n    def x(self): ...\n\ndef count():\n    def inner(): ...\n",
            "src/shop/till.py: this file implements LIMIT, Till (open), count. Counts money.",
        ),
        (
            "lib/till.ts",
            "const local = 1;\nexport const LIMIT = 3;\nexport class Till { open() {} }\nfunction hidden() {}\n",
            "lib/till.ts: this file implements LIMIT, Till (open)",
        ),
        (
            "lib/till.js",
            "/*!\n * Copyright me\n */\n'use strict'\nconst a = require('a')\ntill.open = function open() {}\nfunction count() {}\n",
            "lib/till.js: this file implements till.open, count",
        ),
        (
            "till.go",
            "// Copyright me\n\n// Package till counts money of all sorts.\npackage till\n\ntype Till struct{}\nfunc (t *Till) Open() {}\n"
            "func hidden() {}\nfunc (b *Box) Close() {}\n",
            "till.go: this file implements Till (Open), Box (Close). Package till counts money of all sorts.",
        ),
    ],
)
def test_a_file_is_a_line_of_what_it_offers(path, text, line):
    found = file_exports(path, text)

    draft = export_draft(found)
    assert draft.text == line
    assert draft.evidence
    assert draft.source_ref == f"file:{path}#exports"


def test_a_file_that_offers_nothing_has_no_line():
    assert file_exports("a.py", "print(1)\n") is None


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("src/shop/till.py", True),
        ("shop/testing.py", True),
        ("doc/pages.go", True),
        ("tests/test_till.py", False),
        ("till_test.go", False),
        ("doc/pages_test.go", False),
        ("examples/a.py", False),
        ("web/till.spec.ts", False),
        ("shop/till_pb2.py", False),
        ("README.md", False),
    ],
)
def test_tests_examples_and_generated_files_are_no_source(path, source):
    assert is_source(path) is source


def test_a_folder_of_many_files_has_a_line_of_its_own():
    files = [
        file_exports(f"shop/{name}.py", '"""All about a shop of ours."""\n') for name in "abcd"
    ]

    (draft,) = folder_drafts([*files, file_exports("other/a.py", "def f(): ...\n")])

    assert draft.text == "shop/: 4 source files: a.py, b.py, c.py, d.py"
