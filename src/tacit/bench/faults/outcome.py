"""What a run is given and what it gives: a folder and a seed, and what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from random import Random

from tacit.bench.faults.check import kept_unasked, wrongs
from tacit.bench.faults.journal import Journal, Told, perform, read
from tacit.bench.faults.made_up import Step, open_memory, steps_of
from tacit.value import Value


class Place(Value):
    """Where a run happens: a folder of its own, the store's location, and all its chance."""

    folder: str
    location: str
    seed: int
    chance: Random
    server: bool = False  # the store is a server's, not a file
    socket: str = ""  # where the server listens
    restart: Callable[[], None] = lambda: None
    empty: Callable[[], str] = lambda: ""  # makes another database, with nothing in it

    def path(self, name: str) -> str:
        """Give a file of the run."""
        return os.path.join(self.folder, name)

    def journal(self, writer: int) -> str:
        """Give where a writer keeps its account."""
        return self.path(f"writer{writer}.txt")

    @property
    def complaints(self) -> str:
        """Where processes say what they die of."""
        return self.path("complaints.txt")


class Outcome(Value):
    """What a run came to; nothing in `wrong` means that the promise held."""

    wrong: tuple[str, ...] = ()
    tried: int = 0
    acknowledged: int = 0
    refused: int = 0
    unasked: int = 0  # kept though nobody was told
    lost: int = 0
    how: str = ""  # which way it went, to count by


Kind = Callable[[Place], Outcome]


def judged(
    place: Place,
    told: Sequence[Told],
    *,
    known: Sequence[Step] = (),
    wrong: Sequence[str] = (),
    how: str = "",
    more: bool = True,
) -> Outcome:
    """Look at the store after the harm; then say again what is open, go on, and look again."""
    with open_memory(place.location) as tacit:
        found = [*wrong, *wrongs(tacit.store, told, known)]
        unasked = kept_unasked(tacit.store, told)
        if more and not found:
            again = [_said_again(place, number, one) for number, one in enumerate(told)]
            found += [f"afterwards: {each}" for each in wrongs(tacit.store, again, known)]
    return Outcome(
        wrong=tuple(found),
        tried=sum(len(one.tried) for one in told),
        acknowledged=sum(len(one.acknowledged) for one in told),
        refused=sum(len(one.refused) for one in told),
        unasked=unasked,
        lost=sum(each.startswith("lost") for each in found),
        how=how,
    )


def _said_again(place: Place, writer: int, told: Told) -> Told:
    """Repeat what nobody knows the fate of, which must change nothing if it was kept, and go on."""
    further = steps_of(place.seed, 1_000 + writer, "single", 1)
    numbers = [n for n in (*told.open, *told.refused) if not _outdone(told, n)]
    left = [told.steps[number] for number in numbers] + further
    path = place.path(f"again{writer}.txt")
    with open_memory(place.location) as tacit:
        perform(tacit, left, Journal(path))
    done = read(path, left)
    steps = (*told.steps, *further)
    numbers.append(len(told.steps))
    acknowledged = dict(told.acknowledged) | {
        numbers[n]: ids for n, ids in done.acknowledged.items()
    }
    refused = {numbers[n]: why for n, why in done.refused.items()}
    if refused:
        acknowledged |= {n: ("refused again",) * len(steps[n].texts) for n in refused}
    return Told(
        steps=steps, tried=(*told.tried, len(told.steps)), acknowledged=acknowledged, refused={}
    )


def _outdone(told: Told, number: int) -> bool:
    """Whether something later was said of the same key: to say it again would be a new word."""
    keys = {given.key for given in told.steps[number].drafts} - {""}
    later = (told.steps[n] for n in told.tried if n > number)
    return any(given.key in keys for step in later for given in step.drafts)
