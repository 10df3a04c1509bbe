"""Codex: Claude Code's fields, and an answer with nothing in it that its schema does not name."""

from __future__ import annotations

from tacit.happening import Answer, Moment
from tacit.interfaces.hooks import claude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.happening import Happening


def read(moment: Moment, event: str, payload: dict[str, Any], folder: str) -> Happening | None:
    """Understand what the host told."""
    return claude.read(moment, event, payload, folder, host="codex")


def answer(moment: Moment, event: str, said: Answer) -> str:
    """Say it in this host's words.

    Many of its versions call a hook failed that gives context before a tool is used, so it is
    given none there.
    """
    if moment is Moment.PRE_TOOL:
        said = Answer(notice=said.notice)
    return claude.answer(moment, event, said)
