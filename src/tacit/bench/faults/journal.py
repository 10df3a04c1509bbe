"""What a writer tried and what it was told, in a file that outlives it.

A line is written by one call of the system, which a killed process has either made or not.
Before a write it says what is tried; after the acknowledgement it says so.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from tacit.bench.faults.made_up import Step
from tacit.errors import TacitError
from tacit.system import Tacit
from tacit.value import Value


class Told(Value):
    """One writer's account: which of its steps it tried, which were acknowledged or refused."""

    steps: tuple[Step, ...]
    tried: tuple[int, ...]
    acknowledged: dict[int, tuple[str, ...]]  # the ids that were given back
    refused: dict[int, str]

    @property
    def open(self) -> tuple[int, ...]:
        """The steps that were tried, and nobody knows what became of them."""
        return tuple(n for n in self.tried if n not in self.acknowledged and n not in self.refused)


class Journal:
    """Where a writer writes its account."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def say(self, word: str, number: int, rest: str = "") -> None:
        """Add one line, in one call."""
        os.write(self._file, f"{word} {number} {rest}".rstrip().encode() + b"\n")


def perform(tacit: Tacit, steps: Sequence[Step], journal: Journal, *, patience: int = 1) -> None:
    """Do the steps one after the other; what is refused is noted, and so many end it."""
    for number, step in enumerate(steps):
        journal.say("try", number)
        try:
            kept = tacit.remember_many(step.drafts)
        except TacitError as error:
            journal.say("refused", number, f"{type(error).__name__}: {error}".replace("\n", " "))
            patience -= 1
            if not patience:
                return
        else:
            journal.say("kept", number, ",".join(memory.id for memory in kept))


def read(path: str, steps: Sequence[Step]) -> Told:
    """Read an account; the last line counts only when it is whole."""
    tried: list[int] = []
    kept: dict[int, tuple[str, ...]] = {}
    refused: dict[int, str] = {}
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")[:-1]
    except FileNotFoundError:
        lines = []
    for line in lines:
        word, number, *rest = line.split(" ", 2)
        if word == "try":
            tried.append(int(number))
        elif word == "kept":
            kept[int(number)] = tuple(rest[0].split(","))
        else:
            refused[int(number)] = rest[0]
    return Told(steps=tuple(steps), tried=tuple(tried), acknowledged=kept, refused=refused)
