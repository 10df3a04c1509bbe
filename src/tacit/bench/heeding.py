"""Calls that fail again: how many an agent that heeds every warning would not have repeated. Pure.

A call is a tool with its exact target, a repeat one that fails with the signature it failed with
before, in another session that had ended or earlier in the same one. A warning is a handed line
that names the call and says that it failed. Who heeds it does not make the call, for better or
worse: a call that was warned of and in truth passed is a false warning. *At best* is a memory
that forgets nothing and warns of every call that ever failed in another session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tacit.bench.metrics import mean, paired_interval
from tacit.encode.commands import read_commands
from tacit.encode.failures import read_problem
from tacit.value import Value

FAILED = "failed"  # the word of the product's own memories of errors
FEWEST_CHARS = 4  # a shorter command is part of many words
COUNTS = ("failed", "again", "again_own", "avoided", "warned", "false", "best", "best_false")


class Call(Value):
    """A tool as it was used: on what, and how it failed, if it did."""

    tool: str
    target: str
    output: str = ""
    signature: str = ""
    failed: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Name the call, the same the next time it is made."""
        return self.tool, self.target


Failures = Mapping[tuple[str, str], Sequence[tuple[str, str]]]  # call → session and signature


def calls_of(episode: dict[str, Any]) -> Iterator[Call]:
    """Give the calls of an episode in order, as far as they were written down."""
    errors = {error["step"]: error for error in episode["errors"]}
    for step, action in enumerate(episode["actions"]):
        call = Call(tool=action["tool"] or "", target=action["target"] or "")
        if error := errors.get(step):
            problem = read_problem(error["text"])
            signature = problem.signature if problem else ""
            call = call.replace(output=error["text"], signature=signature, failed=True)
        yield call


def heed(
    calls: Sequence[Call],
    failures: Failures,
    session: str,
    *,
    told: str,
    ahead: Callable[[Call], str],
    after: Callable[[Call], str],
) -> dict[str, int]:
    """Count repeats and warnings of one episode; `failures` are those of episodes that ended.

    Asked `ahead` is only about calls that failed somewhere: of others no memory can warn.
    """
    own = {(key, sig) for key, met in failures.items() for by, sig in met if by == session}
    counts = Counter(dict.fromkeys(COUNTS, 0))
    heard = told
    for call in calls:
        elsewhere = {sig for by, sig in failures.get(call.key, ()) if by != session}
        if elsewhere:
            heard += "\n" + ahead(call)
        warned = warns(heard, call)
        again = bool(call.signature) and call.signature in elsewhere
        again_own = bool(call.signature) and not again and (call.key, call.signature) in own
        counts["failed"] += call.failed
        counts["again"] += again
        counts["again_own"] += again_own
        counts["avoided"] += warned and (again or again_own)
        counts["warned"] += warned
        counts["false"] += warned and not call.failed
        counts["best"] += again
        counts["best_false"] += bool(elsewhere) and not call.failed
        if call.failed:
            own.add((call.key, call.signature))
            if not warned:  # who heeds does not make the call, and sees no error
                heard += "\n" + after(call)
    return dict(counts)


def warns(text: str, call: Call) -> bool:
    """Tell whether a line of a text names a call and says that it failed."""
    if FAILED not in text:
        return False
    names = {call.target.strip(), *(command.line for command in read_commands(call.target))}
    named = [name for name in names if len(name) >= FEWEST_CHARS]
    return any(FAILED in line and any(name in line for name in named) for line in text.splitlines())


def repeats(rows: Sequence[dict[str, int]]) -> dict[str, dict[str, Any]]:
    """Give the repeats with and without memory, and what the warnings cost."""
    total = {name: sum(row[name] for row in rows) for name in COUNTS}
    without = total["again"] + total["again_own"]
    low, high = paired_interval([-float(row["avoided"]) for row in rows]) if rows else (0.0, 0.0)
    return {
        "calls that failed again": {
            "failed": total["failed"],
            "without": without,
            "of it met elsewhere": total["again"],
            "with": without - total["avoided"],
            "change an episode": round(-mean([float(row["avoided"]) for row in rows]), 4),
            "low": round(low, 4),
            "high": round(high, 4),
        },
        "warnings": {"calls warned of": total["warned"], "false": total["false"]},
        "at best": {"avoided": total["best"], "false": total["best_false"]},
    }
