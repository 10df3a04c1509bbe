"""Signs that a file will be needed beside the one that is open, read off a history. Pure.

Two sorts of signs. *Shares* are guesses of how needed each file is, each summing to one over
all candidates: by what changed together (counting back by days or by the file's own changes),
by what changed with those, by what changes much just now, by folder and name. *Traits* are
plain facts of a file. How much each sign tells is in `near_weights.py`; here nothing is judged.
"""

from __future__ import annotations

from math import log1p, sqrt

from tacit.assemble.path_likeness import name_within, parts_of, same_name
from tacit.encode.cochange import minute_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from tacit.encode.cochange import ChangeSets

    Share = dict[int, float]  # file → its part

# Of these the sets are counted: back in days, or in changes of the file itself.
DAYS = 180.0
TURNS = (4.0, 16.0, 64.0)
MOST_TURNS = 300
HOPS = 10  # files whose own neighbours are looked at
HOP_TURNS = 60
HOP_HALF = 16.0
HOP_SIZE = 0.7  # how much less a large set tells there
QUICK, SLOW = 5.0, 100.0  # half-lives, in sets, of being changed much
LATEST = 700  # sets looked at for that
SIBLINGS = 200  # files of the same folder
ALIKE = 500  # commits that share words with a task, at most for each word
NEAREST_TASKS = 40
TASK_DAYS = 365.0
_DAY = 24 * 60  # minutes

SHARES = (
    "days_180",
    "turns_4",
    "turns_16",
    "turns_64",
    "second",
    "hot_quick",
    "hot_slow",
    "hot_folder",
    "own_folder",
    "same_name",
    "leans_back",
    "even",
)
TASK_SHARES = ("task_path", "task_past", "task_together")
TRAITS = (
    "apart",
    "same_folder",
    "same_name",
    "test_and_source",
    "same_ending",
    "same_folder_name",
    "log_changes",
    "in_last",
    "latest_1",
    "latest_5",
    "latest_20",
    "two_days",
    "log_days",
    "log_sets",
    "cosine",
    "name_within",
)
TASK_TRAITS = ("log_words", "any_word")


class Signs:
    """The candidates beside one open file, with their shares and traits."""

    def __init__(self, sets: ChangeSets, opened: str, now: datetime) -> None:
        self.sets = sets
        self.opened = opened
        self.now = minute_of(now)
        self.shares: dict[str, Share] = {}
        self._file = sets.number(opened)
        self._path = parts_of(opened)
        self._together: dict[int, list[float]] = {}
        self._total = 0.0
        self._words: dict[int, float] = {}
        places = sets.places[self._file] if self._file is not None else []
        self._last = frozenset(sets.sets[places[-1]][1] if places else ())
        self._turns = min(len(places), MOST_TURNS)
        self._count(places[-MOST_TURNS:])
        self._look_further()
        self._look_around()
        self.candidates = self._candidates()
        self.shares["leans_back"] = _normal(
            {f: v[0] / (self._weight(f) + 1.0) for f, v in self._together.items()}
        )
        self.shares["even"] = dict.fromkeys(self.candidates, 1.0 / max(1, len(self.candidates)))

    def _count(self, places: Sequence[int]) -> None:
        """Count what is in the sets the open file led to."""
        for turn, place in enumerate(reversed(places)):
            minute, files = self.sets.sets[place]
            by_days = 2.0 ** -(max(0, self.now - minute) / _DAY / DAYS)
            size = max(1, len(files) - (self._file in files))
            weights = [by_days / size, *(2.0 ** -(turn / half) / size for half in TURNS)]
            self._total += weights[0]
            for file in files:
                if file == self._file or not self.sets.files[file]:
                    continue
                sums = self._together.setdefault(file, [0.0] * len(weights))
                for place_, weight in enumerate(weights):
                    sums[place_] += weight
        for place_, name in enumerate(SHARES[: 1 + len(TURNS)]):
            self.shares[name] = _normal({f: sums[place_] for f, sums in self._together.items()})

    def _look_further(self) -> None:
        """Look at what changes with the files that change with this one."""
        near = self.shares["turns_64"]
        second: Share = {}
        for file in sorted(near, key=lambda f: (-near[f], f))[:HOPS]:
            total = 0.0
            found: Share = {}
            for turn, place in enumerate(reversed(self.sets.places[file][-HOP_TURNS:])):
                files = self.sets.sets[place][1]
                weight = 2.0 ** -(turn / HOP_HALF) / max(1, len(files) - 1) ** HOP_SIZE
                total += weight
                for other in files:
                    if other != file:
                        found[other] = found.get(other, 0.0) + weight
            for other, weight in found.items():
                if other != self._file and self.sets.files[other]:
                    second[other] = second.get(other, 0.0) + near[file] * weight / (total + 0.5)
        self.shares["second"] = _normal(second)

    def _look_around(self) -> None:
        """Look at what changes much just now, everywhere and in the folders that matter."""
        quick: Share = {}
        slow: Share = {}
        for age, (_, files) in enumerate(reversed(self.sets.sets[-LATEST:])):
            fast, gentle = 2.0 ** -(age / QUICK), 2.0 ** -(age / SLOW)
            for file in files:
                if file != self._file and self.sets.files[file]:
                    part = 1.0 / sqrt(len(files))
                    quick[file] = quick.get(file, 0.0) + fast * part
                    slow[file] = slow.get(file, 0.0) + gentle * part
        self.shares["hot_quick"], self.shares["hot_slow"] = _normal(quick), _normal(slow)
        folders: dict[str, float] = {}
        for file, part in self.shares["turns_64"].items():
            folder = parts_of(self.sets.files[file]).folder
            folders[folder] = folders.get(folder, 0.0) + part
        hot = {
            f: folders.get(parts_of(self.sets.files[f]).folder, 0.0) * h for f, h in slow.items()
        }
        own = {
            f: h
            for f, h in slow.items()
            if parts_of(self.sets.files[f]).folder == self._path.folder
        }
        self.shares["hot_folder"], self.shares["own_folder"] = _normal(hot), _normal(own)

    def _candidates(self) -> tuple[int, ...]:
        """Give all files with any sign, and those with the same name or folder."""
        found = {file for share in self.shares.values() for file in share}
        alike: Share = {}
        siblings = 0
        for file, path in enumerate(self.sets.files):
            if not path or file == self._file:
                continue
            if self._path.name[:4] in path.casefold() and same_name(self._path, parts_of(path)):
                alike[file] = 1.0
            elif siblings < SIBLINGS and path.rpartition("/")[0] == self._path.folder:
                siblings += 1
                found.add(file)
        self.shares["same_name"] = _normal(alike)
        return tuple(sorted(found | set(alike)))

    def tell_task(self, terms: Iterable[str]) -> None:
        """Add what the words of a task tell: names of files, and commits described alike."""
        rarity = {
            t: log1p(len(self.sets.sets) / (1 + len(self.sets.terms.get(t, ())))) for t in terms
        }
        if not rarity:
            return
        self._words = _words_of(rarity, {f: self.sets.files[f] for f in self.candidates})
        alike: dict[int, float] = {}
        for term, weight in rarity.items():
            for place in self.sets.terms.get(term, ())[-ALIKE:]:
                alike[place] = alike.get(place, 0.0) + weight * weight
        self.shares["task_path"] = _normal({f: w * w for f, w in self._words.items()})
        self.shares["task_past"] = self._past(alike)
        self.shares["task_together"] = self._alike_together(alike)
        more = set(self.shares["task_past"]) | set(self.shares["task_together"])
        self.candidates = tuple(sorted(more.union(self.candidates)))

    def _past(self, alike: Mapping[int, float]) -> Share:
        """Give what was changed when much the same was done."""
        found: Share = {}
        for place in sorted(alike, key=lambda p: (-alike[p], -p))[:NEAREST_TASKS]:
            minute, files = self.sets.sets[place]
            age = max(0, self.now - minute) / _DAY
            weight = alike[place] ** 2 * 2.0 ** -(age / TASK_DAYS) / len(files) ** HOP_SIZE
            for file in files:
                if file != self._file and self.sets.files[file]:
                    found[file] = found.get(file, 0.0) + weight
        return _normal(found)

    def _alike_together(self, alike: Mapping[int, float]) -> Share:
        """Give what was changed with the open file when something alike was done."""
        found: Share = {}
        places = self.sets.places[self._file][-MOST_TURNS:] if self._file is not None else []
        for turn, place in enumerate(reversed(places)):
            files = self.sets.sets[place][1]
            weight = alike.get(place, 0.0) / max(1, len(files) - 1) * 2.0 ** -(turn / SLOW)
            for file in files if weight else ():
                if file != self._file and self.sets.files[file]:
                    found[file] = found.get(file, 0.0) + weight
        return _normal(found)

    def traits(self, file: int) -> list[float]:
        """Give the traits of a candidate, in the order of `TRAITS`."""
        path = parts_of(self.sets.files[file])
        places = self.sets.places[file]
        since = len(self.sets.sets) - places[-1] if places else len(self.sets.sets) + 1
        days = max(0, self.now - self.sets.sets[places[-1]][0]) / _DAY if places else 10 * DAYS
        alike = same_name(self._path, path)
        together = self._together.get(file)
        bond = (
            together[0] / sqrt((self._weight(file) + 0.5) * (self._total + 0.5))
            if together
            else 0.0
        )
        return [
            float(together is None),
            float(path.folder == self._path.folder),
            float(alike),
            float(alike and path.test != self._path.test),
            float(path.ending == self._path.ending),
            float(path.folder_name == self._path.folder_name),
            log1p(len(places)),
            float(file in self._last),
            float(since <= 1),
            float(since <= 5),
            float(since <= 20),
            float(days < 2),
            log1p(days),
            log1p(since),
            bond,
            float(name_within(self._path, path)),
        ]

    def task_traits(self, file: int) -> list[float]:
        """Give what the task's words have to do with a candidate's name."""
        words = self._words.get(file, 0.0)
        return [log1p(words), float(words > 0)]

    @property
    def known(self) -> float:
        """Give how far the file's own past is to be believed: a third without any, near 1 with much."""
        sets = self._turns
        return (sets + 0.5) / (sets + 1.5)

    def support(self, file: int) -> int:
        """Count the sets that hold both."""
        if self._file is None:
            return 0
        places = self.sets.places[self._file][-MOST_TURNS:]
        return sum(file in self.sets.sets[place][1] for place in places)

    def _weight(self, file: int) -> float:
        """Give how much a file was changed, late changes counting more."""
        weight = 0.0
        for place in self.sets.places[file][-MOST_TURNS:]:
            weight += 2.0 ** -(max(0, self.now - self.sets.sets[place][0]) / _DAY / DAYS)
        return weight


def _words_of(rarity: Mapping[str, float], paths: Mapping[int, str]) -> Share:
    from tacit.text import index_terms

    found: Share = {}
    for file, path in paths.items():
        held = set(index_terms(path))
        weight = sum(value for term, value in rarity.items() if term in held)
        if weight:
            found[file] = weight
    return found


def _normal(parts: Share) -> Share:
    whole = sum(parts.values())
    return {file: part / whole for file, part in parts.items() if part > 0} if whole > 0 else {}
