"""Which files are changed most, and which are changed together, by the history. Pure.

A commit weighs less the older it is and the more files it touches; one that touches very many
says nothing about which belong together. A renamed file keeps what is known of it, a removed
one is forgotten.
"""

from __future__ import annotations

from itertools import combinations

from tacit.draft import Draft
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Trust
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tacit.observation import Change, Commit

# Chosen on the histories of three open repositories: of the files needed beside an opened one
# .601 are among the first five (.530 by plain counting; half-lives of 60 to 365 days and other
# ways to weigh a commit's size are all lower).
HALF_LIFE_DAYS = 180.0
MOST_FILES = 30  # of a commit that tells what belongs together
OFTEN = 0.05  # weight of being changed often at all, beside being changed together

MOST_PAIRS = 1_000_000
MOST_FACTS = 30
FACTS_PER_FILE = 3
HOT_FILES = 15
LEAST_SUPPORT = 3  # commits before two files are said to belong together
LEAST_SHARE = 0.3
_STEPS = (500, 200, 100, 50, 20, 10, 5, 3)
SOURCE = "git:cochange"


class Related(Value):
    """A file that is changed together with another."""

    path: str
    score: float  # 1 for the nearest
    support: int  # commits that changed both
    share: float  # of the commits that changed the other file


class CoChange:
    """Counts of a history, fed oldest commit first."""

    def __init__(self) -> None:
        self._start: datetime | None = None
        self._commits: dict[str, int] = {}
        self._weights: dict[str, float] = {}
        # Both files of a pair hold the same list: its weight and its number of commits.
        self._pairs: dict[str, dict[str, list[float]]] = {}
        self._size = 0

    def add(self, commit: Commit) -> None:
        """Count one commit."""
        for change in commit.changes:
            self._follow(change)
        paths = dict.fromkeys(c.path for c in commit.changes if c.status != "D" and c.path.strip())
        if not 0 < len(paths) <= MOST_FILES:
            return
        # Weights grow with time instead of shrinking with age: only their ratios matter.
        self._start = self._start or commit.at
        weight = 2.0 ** ((commit.at - self._start).total_seconds() / 86_400 / HALF_LIFE_DAYS)
        for path in paths:
            self._commits[path] = self._commits.get(path, 0) + 1
            self._weights[path] = self._weights.get(path, 0.0) + weight
        for one, other in combinations(paths, 2):
            pair = self._pairs.setdefault(one, {}).get(other)
            if pair is None:
                pair = self._pairs[one][other] = [0.0, 0]
                self._pairs.setdefault(other, {})[one] = pair
                self._size += 1
            pair[0] += weight / (len(paths) - 1)
            pair[1] += 1
        if self._size > MOST_PAIRS:
            self._drop_single()

    def related(self, path: str, limit: int = 5) -> tuple[Related, ...]:
        """Give the files to think of when this one is opened, nearest first."""
        pairs = self._pairs.get(path, {})
        if not pairs:
            return ()
        nearest = max(pair[0] for pair in pairs.values())
        hottest = max(self._weights.values())
        scores = {
            other: pair[0] / nearest + OFTEN * self._weights.get(other, 0.0) / hottest
            for other, pair in pairs.items()
        }
        best = sorted(scores, key=lambda other: (-scores[other], other))[:limit]
        return tuple(self._related(path, other, scores[other] / (1 + OFTEN)) for other in best)

    def hot(self, limit: int = HOT_FILES) -> tuple[str, ...]:
        """Give the files changed most, the late changes counting most."""
        return tuple(sorted(self._weights, key=lambda p: (-self._weights[p], p))[:limit])

    def pairs(self, limit: int = MOST_FACTS) -> list[tuple[str, Related]]:
        """Give the pairs that belong together most, each once, from the file that tells more."""
        heavy = [
            (-pair[0], one, other)
            for one, others in self._pairs.items()
            for other, pair in others.items()
            if one < other and pair[1] >= LEAST_SUPPORT
        ]
        found: list[tuple[str, Related]] = []
        used: dict[str, int] = {}
        for _, one, other in sorted(heavy):
            if len(found) == limit:
                break
            # The share is the larger from the file that is changed less often.
            if self._commits[other] < self._commits[one]:
                one, other = other, one
            related = self._related(one, other, 1.0)
            crowded = max(used.get(one, 0), used.get(other, 0)) >= FACTS_PER_FILE
            if related.share >= LEAST_SHARE and not crowded:
                found.append((one, related))
                used[one], used[other] = used.get(one, 0) + 1, used.get(other, 0) + 1
        return found

    def _related(self, path: str, other: str, score: float) -> Related:
        support = int(self._pairs[path][other][1])
        share = min(1.0, support / max(self._commits.get(path, 0), 1))
        return Related(path=other, score=score, support=support, share=share)

    def _follow(self, change: Change) -> None:
        if change.status == "D":
            self._forget(change.path)
        elif change.status == "R" and change.old_path in self._commits:
            if change.path == change.old_path or not change.path.strip():
                return
            self._forget(change.path)
            self._commits[change.path] = self._commits.pop(change.old_path)
            self._weights[change.path] = self._weights.pop(change.old_path)
            others = self._pairs.pop(change.old_path, {})
            for other, pair in others.items():
                del self._pairs[other][change.old_path]
                self._pairs[other][change.path] = pair
            if others:
                self._pairs[change.path] = others

    def _forget(self, path: str) -> None:
        self._commits.pop(path, None)
        self._weights.pop(path, None)
        for other in self._pairs.pop(path, {}):
            del self._pairs[other][path]
            self._size -= 1

    def _drop_single(self) -> None:
        """Let go of the pairs that were seen once, which are nearly all of them."""
        for path, others in self._pairs.items():
            self._pairs[path] = {o: pair for o, pair in others.items() if pair[1] > 1}
        self._size = sum(len(others) for others in self._pairs.values()) // 2


def count_changes(commits: Iterable[Commit]) -> CoChange:
    """Count a history, oldest commit first."""
    counted = CoChange()
    for commit in commits:
        counted.add(commit)
    return counted


def cochange_drafts(counted: CoChange) -> list[Draft]:
    """Make the few facts worth knowing at once; numbers are rounded, so that they seldom change."""
    drafts = [_pair_draft(path, related) for path, related in counted.pairs()]
    hot = counted.hot()
    if hot:
        drafts.append(_draft(f"Files changed most: {', '.join(hot)}", "hot-files", "hot", hot))
    return drafts


def _pair_draft(path: str, related: Related) -> Draft:
    share = round(related.share, 1)
    support = next((step for step in _STEPS if related.support >= step), LEAST_SUPPORT)
    text = (
        f"When {path} changes, {related.path} changes too: in about {share:.0%} of its commits, "
        f"{support} or more times"
    )
    part = "|".join(sorted((path, related.path)))
    return _draft(text, "co-change", part, (path, related.path)).replace(confidence=share)


def _draft(text: str, subtype: str, part: str, paths: tuple[str, ...]) -> Draft:
    return Draft(
        text=text,
        kind=Kind.FACT,
        subtype=subtype,
        importance=0.4,
        origin=Origin.EXTRACTED,
        trust=Trust.TOOL,
        source_ref=f"{SOURCE}#{part}",
        mentions=tuple(Mention(facet=Facet(type=FacetType.FILE, name=path)) for path in paths),
        renews=True,
    )
