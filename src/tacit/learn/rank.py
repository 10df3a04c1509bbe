"""Weights of the ranking learnt from what was wanted: a sum that stays a sum. Pure.

A score is a weighted sum of parts, so what is learnt is again one number for each part, and
`why` can say what each gave. Of every question the scores of all candidates are turned into
chances (softmax), and the weights are moved until what was wanted has the most of them (cross
entropy over the list, as ListNet has it, over a linear score), never below zero and no further
from the present weights than the questions warrant. Whether that helps is told by questions of
other groups than those learnt from. Nothing is drawn by lot: the same questions give the same
weights.
"""

from __future__ import annotations

from tacit.learn.gain import Gain, gain_of
from tacit.learn.written import NUMBERS
from tacit.retrieve.diversify import files_of
from tacit.retrieve.score import concrete
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tacit.model import Mention
    from tacit.profile import Profile
    from tacit.retrieve.query import Hit

    Array = NDArray[np.float64]

# The weights that are learnt, and the part of a score each weighs.
WEIGHTS = {
    "text": "text",
    "vector": "vector",
    "facets": "facets",
    "signal": "signal",
    "linked": "linked",
    "author": "author",
    "human": "human",
    "recency": "recency",
    "used": "used",
    "unverified": "unverified",
    "covered": "covered",
    "cosine": "near",
    "files": "files",
}
SEARCHED = ("text", "vector")
STEEPNESS = 10.0  # a lead of a tenth of a score is as good as e to 1
STRENGTH = 3.0  # how hard the present weights hold on (docs/decisions/0055)
STEPS = 200
FOLDS = 10
LEAST_QUESTIONS = 30
LEAST_GROUPS = 5


class Asked(Value):
    """One question: its candidates' parts per unit of weight, best first, and which were wanted.

    Questions of one group, such as a session or a repository, are never apart: none is judged
    by weights that were learnt from its like.
    """

    group: str
    parts: tuple[tuple[float, ...], ...]
    wanted: tuple[bool, ...]

    @property
    def telling(self) -> bool:
        """Whether there is something to prefer and something to prefer it to."""
        return any(self.wanted) and not all(self.wanted)


class Learnt(Value):
    """What was learnt, from how much, and what it is worth where it was not learnt."""

    profile: Profile
    questions: int
    groups: int
    gain: Gain | None = None  # of the reciprocal rank, held out
    refused: str = ""  # why nothing was learnt; empty: something was

    @property
    def validated(self) -> bool:
        """Whether it is better beyond doubt on questions it was not learnt from."""
        return not self.refused and self.gain is not None and self.gain.low > 0


def parts_of(
    hits: Sequence[Hit], profile: Profile, mentions: Mapping[str, Sequence[Mention]]
) -> list[tuple[float, ...]]:
    """Give what each weight is multiplied by in the score of each hit, the factor included.

    Where words or vectors are missing the other takes the weight of both, so that it stands in
    both places. What a weight of 0 would have added is not known, and counts as nothing; for
    those that measure as such it is told anyway, and files are taken from the mentions.
    """
    found = [name for name in SEARCHED if any(getattr(hit.parts, name) for hit in hits)]
    both = profile.text + profile.vector
    present = sum(getattr(profile, name) for name in found) or 1.0
    return [
        tuple(
            _units(hit, profile, found, both / present, files_of(mentions.get(hit.memory.id, ())))
        )
        for hit in hits
    ]


def _units(
    hit: Hit, profile: Profile, found: list[str], scale: float, files: frozenset[str]
) -> Iterable[float]:
    parts = hit.parts
    for weight, part in WEIGHTS.items():
        value, by = float(getattr(parts, part)), float(getattr(profile, weight))
        if weight == "covered":
            value, by = parts.coverage, 1.0
        elif weight == "cosine":
            value, by = max(0.0, parts.cosine or 0.0), 1.0
        elif weight == "files":
            value, by = concrete(files), 1.0
        elif weight in SEARCHED and len(found) == 1:
            value, by = float(getattr(parts, found[0])), profile.text + profile.vector
        elif weight in SEARCHED:
            by *= scale
        yield value / by * parts.factor if by else 0.0


def learn(asked: Sequence[Asked], profile: Profile) -> Learnt:
    """Learn the weights of a profile from questions; say what they are worth held out.

    With too few questions, or where held-out questions are not answered better, nothing is
    learnt, and the reason is told.
    """
    telling = [one for one in asked if one.telling]
    groups = sorted({one.group for one in telling})
    found = Learnt(profile=profile, questions=len(telling), groups=len(groups))
    if len(telling) < LEAST_QUESTIONS or len(groups) < LEAST_GROUPS:
        return found.replace(
            refused=f"{len(telling)} questions of {len(groups)} groups tell something; "
            f"{LEAST_QUESTIONS} of {LEAST_GROUPS} are needed"
        )
    before, after, held_of = [], [], []
    for rest, held in folds(telling, groups):
        fitted = fit(rest, profile)
        before += [reciprocal_rank(one, profile) for one in held]
        after += [reciprocal_rank(one, fitted) for one in held]
        held_of += [one.group for one in held]
    found = found.replace(gain=gain_of(before, after, held_of))
    if sum(after) <= sum(before):
        return found.replace(refused="other questions than those learnt from gain nothing by it")
    return found.replace(profile=fit(telling, profile))


def fit(asked: Sequence[Asked], profile: Profile, strength: float = STRENGTH) -> Profile:
    """Give the profile with the weights that put what was wanted first."""
    import numpy as np

    lists = _Lists([one for one in asked if one.telling])
    start = np.array([float(getattr(profile, name)) for name in WEIGHTS])
    if not lists.number:
        return profile
    # Accelerated projected descent (Nesterov): convex, so its one end does not depend on luck.
    pace = 1.0 / (lists.curve + 2 * strength)
    weights, ahead, speed = start, start, 1.0
    for _ in range(STEPS):
        slope = lists.slope(ahead) + 2 * strength * (ahead - start)
        moved = np.maximum(0.0, ahead - pace * slope)
        faster = (1 + (1 + 4 * speed**2) ** 0.5) / 2
        ahead = moved + (speed - 1) / faster * (moved - weights)
        weights, speed = moved, faster
    return weighing(profile, weights)


def weighing(profile: Profile, weights: Array) -> Profile:
    """Give the profile with these weights, scaled to the sum of its own and within the bounds.

    A common factor changes no order; what is compared with the score keeps its meaning so.
    """
    import numpy as np

    start = np.array([float(getattr(profile, name)) for name in WEIGHTS])
    most = np.array([NUMBERS[name][1] for name in WEIGHTS])
    scale = start.sum() / (weights.sum() or 1.0)
    over = float((weights * scale / most).max())
    found = weights * scale / max(1.0, over)
    named = {name: round(float(value), 4) for name, value in zip(WEIGHTS, found, strict=True)}
    if named["text"] + named["vector"] <= 0:
        return profile
    return profile.replace(**named)


def score_all(parts: Sequence[Sequence[float]], profile: Profile) -> list[float]:
    """Give the score of each candidate with the weights of a profile."""
    weights = [float(getattr(profile, name)) for name in WEIGHTS]
    return [sum(w * p for w, p in zip(weights, row, strict=True)) for row in parts]


def reciprocal_rank(one: Asked, profile: Profile) -> float:
    """Give 1 over the rank of the first that was wanted."""
    scores = score_all(one.parts, profile)
    ranked = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    return next((1.0 / rank for rank, place in enumerate(ranked, 1) if one.wanted[place]), 0.0)


def folds(
    asked: Sequence[Asked], groups: Sequence[str], most: int = FOLDS
) -> list[tuple[list[Asked], list[Asked]]]:
    """Split by whole groups: for each fold the rest, and what is held out."""
    number = min(most, len(groups))
    fold = {group: place % number for place, group in enumerate(groups)}
    return [
        (
            [one for one in asked if fold[one.group] != each],
            [one for one in asked if fold[one.group] == each],
        )
        for each in range(number)
    ]


class _Lists:
    """The candidates of all questions below one another, and what share of each was wanted."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        import numpy as np

        self.number = len(asked)
        if not asked:
            return
        sizes = [len(one.wanted) for one in asked]
        self._first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self._of = np.repeat(np.arange(len(asked)), sizes)
        self._rows: Array = np.array([row for one in asked for row in one.parts])
        self._wanted: Array = np.array(
            [float(each) / sum(one.wanted) for one in asked for each in one.wanted]
        )

    @property
    def curve(self) -> float:
        """The most the loss bends: a list's parts stray no further from their mean than this."""
        import numpy as np

        middle = np.add.reduceat(self._rows, self._first) / np.bincount(self._of)[:, None]
        strays = ((self._rows - middle[self._of]) ** 2).sum(axis=1)
        return STEEPNESS**2 * float(np.maximum.reduceat(strays, self._first).mean())

    def slope(self, weights: Array) -> Array:
        """Give the slope of the loss: too much chance for what was not wanted, too little else."""
        import numpy as np

        scores = STEEPNESS * (self._rows @ weights)
        chances = np.exp(scores - np.maximum.reduceat(scores, self._first)[self._of])
        chances /= np.add.reduceat(chances, self._first)[self._of]
        slope: Array = STEEPNESS * (self._rows.T @ (chances - self._wanted)) / self.number
        return slope
