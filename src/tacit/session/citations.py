"""Which memories an agent says it used, from its own words. Pure.

Ours are marks such as `Applied: [M:abcd2345]`. Codex ends an answer with a block of its own in
which a line may name a memory by its mark or its short name.
"""

from __future__ import annotations

from tacit.fence import CITATION, without_fenced
from tacit.pattern import pattern

LONGEST_READ = 400_000
MOST = 200

_CODEX = pattern(r"(?s)<oai-mem-citation>(.*?)(?:</oai-mem-citation>|\Z)")
_NAMED = pattern(r"\btacit:(?://memory/)?([a-z2-7]{8,50})\b")


def cited_in(text: str) -> list[str]:
    """Give the short names of the memories a text cites, each once, in order."""
    text = without_fenced(text[:LONGEST_READ])  # what was handed over is not a citation
    found = CITATION.findall(text)
    for block in _CODEX.findall(text):
        found += _NAMED.findall(block)
    return list(dict.fromkeys(found))[:MOST]
