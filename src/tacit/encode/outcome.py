"""How a task ended, by what was seen: tests, commits, and what the person said. Pure."""

from __future__ import annotations

import re

from tacit.observation import Tool, What
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.encode.tasks import Task

_PLEASED = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|yep|cool|ah|oh)\b[,.! ]+)*(?:thanks?|thank you|perfect|great|nice(?! to)|awesome|lgtm|looks good|"
    r"excellent|(?:(?:that|it|this) )?works(?: now| great| fine| well| perfectly)?(?=\W*$|[.!,])|good job|well done|love it|ship it|"
    r"commit (?:it|this|that))\b",
    re.I,
)
_DISPLEASED = re.compile(
    r"\b(?:still (?:broken|fail\w*|not work\w*|the same|wrong|get(?:ting|s)?|see(?:ing)?)|does(?:n't| not) work|did(?:n't| not) work|"
    r"not working|that(?:'s| is) (?:wrong|not (?:right|what))|(?:undo|revert) (?:that|this|it|your|the last)|you broke|"
    r"makes? it worse)\b|^\W*(?:nope|undo|revert)\b",
    re.I,
)
_PROVES = ("test", "lint", "build")
_CHANGES = (Tool.EDIT, Tool.WRITE)


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
    if task.files(*_CHANGES):
        return Ending(
            outcome="unknown", confidence=0.5, why="files were changed, nothing proves them"
        )
    return Ending(outcome="unknown", confidence=0.5, why="nothing was changed")


def _last_word(task: Task) -> int:
    """Give +1 or -1 for the last verdict of the person; 0 without one, or when work went on after it."""
    asked = {prompt.id for prompt in task.prompts[1:]}
    for event in reversed(task.order):
        if event.what is What.CALL and event.tool in _CHANGES:
            return 0
        if event.what is not What.PROMPT or event.id not in asked:
            continue
        if _DISPLEASED.search(event.text[:400]):
            return -1
        if _PLEASED.match(event.text):
            return 1
    return 0


def _last_proof(task: Task) -> tuple[str, bool] | None:
    """Give a test, lint or build after the last edit, and whether it passed: one that failed first."""
    found: dict[str, tuple[str, bool]] = {}
    for done in task.done:
        if done.call.tool in _CHANGES and not done.failed:
            found = {}
        for command in done.commands:
            if command.purpose in _PROVES and done.result is not None:
                found.pop(command.purpose, None)
                found[command.purpose] = (command.stem, not done.failed)
    last = list(found.values())[::-1]
    return next((proof for proof in last if not proof[1]), last[0] if last else None)
