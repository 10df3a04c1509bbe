"""Expressions that are compiled late do what compiled ones do."""

from __future__ import annotations

import re
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from tacit.pattern import pattern

SOURCE = r"(?i)(?P<word>[a-c]+)(\d?)"


@given(st.text("abcABC12 \n"))
def test_a_late_expression_finds_what_a_compiled_one_finds(text):
    late, compiled = pattern(SOURCE), re.compile(SOURCE)

    assert late.findall(text) == compiled.findall(text)
    assert late.sub("-", text) == compiled.sub("-", text)
    assert late.split(text) == compiled.split(text)
    assert [m.span() for m in late.finditer(text)] == [m.span() for m in compiled.finditer(text)]
    for way in ("search", "match", "fullmatch"):
        found, wanted = getattr(late, way)(text), getattr(compiled, way)(text)
        assert (found and found.groupdict()) == (wanted and wanted.groupdict())
    assert late.groupindex == compiled.groupindex


def test_nothing_is_compiled_before_it_is_used():
    code = "import sys; from tacit.text import fold; fold('a'); print('re' in sys.modules)"

    said = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )

    # functools brings `collections`, not `re`.
    assert said.stdout.strip() == "False"
