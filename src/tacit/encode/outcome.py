"""How a task ended, by what was seen: tests, commits, and what the person said. Pure."""

from __future__ import annotations

import re

from tacit.observation import Tool, What
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.encode.tasks import Task

_PLEASED = re.compile(
    r"^\W*(?:thanks?|thank you|perfect|great|nice|awesome|works?|lgtm|looks good|excellent|that works|good job|"
    r"well done|love it|yes,? (?:that|it) works|ship it|commit (?:it|this|that))\b",
    re.I,
)
_DISPLEASED = re.compile(
    r"\b(?:still (?:broken|fail\w*|not work\w*|the same|wrong|get\w*|see\w*)|does(?:n't| not) work|did(?:n't| not) work|not working|"
    r"that(?:'s| is) (?:wrong|not (?:right|what))|undo|revert (?:that|this|it|your)|you broke|makes? it worse|nope)\b",
    re.I,
)
_PROVES = ("test", "lint", "build")


class Ending(Value):
    """An outcome, how sure it is, and the words for why."""

    outcome: str
    confidence: float
    why: str


def judge_outcome(task: Task) -> Ending:
    """Tell how a task ended; without any sign it is unknown, never guessed."""
    said = _last_word(task)
    if task.commits:
        if said < 0:
            return Ending(
                outcome="partial", confidence=0.6, why="committed, then the person objected"
            )
        return Ending(outcome="success", confidence=0.9, why="it was committed")
    proof = _last_proof(task)
    if said < 0:
        return Ending(outcome="failure", confidence=0.7, why="the person said it does not work")
    if said > 0:
        return Ending(outcome="success", confidence=0.8, why="the person was pleased")
    if proof is not None:
        stem, passed = proof
        if passed:
            return Ending(outcome="success", confidence=0.7, why=f"`{stem}` passed at the end")
        return Ending(outcome="failure", confidence=0.6, why=f"`{stem}` failed at the end")
    if task.files(Tool.EDIT, Tool.WRITE):
        return Ending(
            outcome="unknown", confidence=0.5, why="files were changed, nothing proves them"
        )
    return Ending(outcome="unknown", confidence=0.5, why="nothing was changed")


def _last_word(task: Task) -> int:
    """Give +1 or -1 for a verdict in the last prompts, the last one that has any; else 0."""
    for prompt in reversed(task.prompts[1:]):
        if _DISPLEASED.search(prompt.text[:400]):
            return -1
        if _PLEASED.match(prompt.text):
            return 1
        return 0
    return 0


def _last_proof(task: Task) -> tuple[str, bool] | None:
    """Give the last test, lint or build after the last edit, and whether it passed."""
    edits = [e.id for e in task.order if e.what is What.CALL and e.tool in (Tool.EDIT, Tool.WRITE)]
    last_edit = edits[-1] if edits else ""
    found: tuple[str, bool] | None = None
    for done in task.done:
        if done.call.id == last_edit:
            found = None
        for command in done.commands:
            if command.purpose in _PROVES and done.result is not None:
                found = (command.stem, not done.failed)
    return found
