"""Made-up sets of sessions, in the form the benchmarks read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    """Write records as lines of JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def an_agent_episode(id_: str = "e1", **fields: Any) -> dict[str, Any]:
    """Give an episode of the agent sessions."""
    return {
        "id": id_,
        "session": f"s-{id_}",
        "started": "2026-01-05T10:00:00Z",
        "ended": "2026-01-05T10:30:00Z",
        "dev": "dev-1",
        "branch": "login",
        "model": "some-model",
        "prompts": ["The login page forgets the language, please repair that."],
        "actions": [
            {"tool": "Edit", "target": "src/login.py"},
            {"tool": "Bash", "target": "make test"},
        ],
        "errors": [],
        "final_message": "The language is kept in the session now. " + "It is tested. " * 30,
        "commit": None,
    } | fields


def an_aider_episode(id_: str = "a1", **fields: Any) -> dict[str, Any]:
    """Give an episode of aider: one attempt, one error overcome, the tests green at its end."""
    return {
        "id": id_,
        "repo": "shop/shop",
        "started": "2024-05-21 12:26:32",
        "goal": "Totals are rounded twice when an order has a discount.",
        "attempts": [
            {
                "model": "some-model",
                "edited_files": ["shop/totals.py"],
                "edit_ok": True,
                "lint_ok": True,
                "tests_ok": True,
            }
        ],
        "edits": [
            {"try": 1, "action": "Applied edit to shop/totals.py"},
            {"try": 1, "action": "Applied edit to shop/totals.py"},
        ],
        "errors": [{"try": 1, "text": "AssertionError: 10.01 != 10.0"}],
        "explanation": "Rounding is left to the end.",
        "gold_files": ["shop/totals.py"],
        "patch": PATCH,
        "resolved": True,
    } | fields


PATCH = """\
diff --git a/shop/totals.py b/shop/totals.py
index 1..2 100644
--- a/shop/totals.py
+++ b/shop/totals.py
@@ -1,3 +1,3 @@ def total(order):
     lines = order.lines
-    price = round(sum(lines), 2)
+    price = sum(lines)
     return price
"""
