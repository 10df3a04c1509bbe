"""How a memory stands in a briefing: one line with its mark, and what that costs.

The mark names the tier and the short name, so that an agent can cite it. The tokenizer breaks
its pieces at both ends of a mark and at the end of a line, so counts add up exactly: what a
line costs is known when a memory is written, and a briefing is counted by adding.
"""

from __future__ import annotations

from tacit.fence import harmless

MARKS = {"mandate": "M", "guardrail": "G", "reference": "R"}


def mark(tier: str, short: str) -> str:
    """Give the mark of a memory; it costs the same whatever the tier."""
    return f"[{MARKS[tier]}:{short}]"


def rest(text: str) -> str:
    """Give what follows the mark: the text, further lines set in, and the end of the line."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # before what nobody sees is taken out
    lines = [line.rstrip() for line in harmless(text).strip().splitlines()]
    return " " + "\n  ".join(line for line in lines if line) + "\n"
