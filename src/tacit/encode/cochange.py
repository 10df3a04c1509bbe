"""The history of changes, set by set, and what it tells of files that change together. Pure.

A set is one commit, or what one stretch of work touched. Files are numbers, so a renamed file
keeps its past and a removed one loses its name. Predictions weigh the sets themselves
(`assemble/near_files.py`); as JSON, some thousand take a few hundred kilobytes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import combinations

from tacit import plain_json
from tacit.clock import micros
from tacit.draft import Draft
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Trust
from tacit.observation import Change, Commit
from tacit.text import query_terms
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:  # a hook that predicts loads this file: `typing` is too slow for it
    from typing import Any

MOST_SETS = 5_000  # the newest are kept
MOST_TOGETHER = 30  # files of a set that tells what belongs together
MOST_FILES = 20_000
MOST_TERMS = 12  # words of one set
VERSION = 1
GONE = -1  # stands for a file that is gone: the set was as large as it was
CHANGES, WORDS = "changes", "change-words"  # the names of its two documents
_MINUTE = 60_000_000  # microseconds

# Chosen on the histories of three open repositories: of the files needed beside an opened one
# .601 are among the first five (.530 by plain counting; half-lives of 60 to 365 days and other
# ways to weigh a set's size are all lower).
HALF_LIFE_MINUTES = 180.0 * 1440
OFTEN = 0.05  # weight of being changed often at all, beside being changed together

MOST_PAIRS = 1_000_000
MOST_FACTS, FACTS_PER_FILE, HOT_FILES = 15, 3, 10
LEAST_SUPPORT, LEAST_SHARE = 5, 0.5  # before two files are said to belong together
_STEPS = (500, 200, 100, 50, 20, 10, 5)
SOURCE = "git:cochange"
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|testing|__tests__|specs?|docs?|doc-src|site|website|examples?|bench(?:marks?)?|fixtures"
    r"|\.[\w-]+)/|(?:^|/)(?:test_|conftest\.)|[._](?:test|spec)\.\w+$|_test\.\w+$|(?:^|/)\.[^/]+$"
    r"|\.(?:md|rst|txt|lock|ya?ml|toml|cfg|ini|sum|svg|png|html|css)$|(?:^|/)(?:package(?:-lock)?\.json|go\.mod)$",
    re.IGNORECASE,
)


class ChangeSets:
    """Sets of files in the order of time, and for each file the sets it led to."""

    def __init__(self) -> None:
        self.files: list[str] = []  # by number; empty for one that is gone
        self.sets: list[tuple[int, tuple[int, ...]]] = []  # minute, files
        self.places: list[list[int]] = []  # by file: the sets it is in, oldest first
        self.terms: dict[str, list[int]] = {}  # word → the sets that were described by it
        self._numbers: dict[str, int] = {}

    def number(self, path: str) -> int | None:
        """Give the number of a file that is there."""
        return self._numbers.get(path)

    def named(self, path: str) -> int:
        """Give the number of a file, a new one where it is not known."""
        found = self._numbers.get(path)
        if found is None:
            found = self._numbers[path] = len(self.files)
            self.files.append(path)
            self.places.append([])
        return found

    def led_by(self, path: str) -> bool:
        """Tell whether any set was led to by a file."""
        file = self._numbers.get(path)
        return file is not None and bool(self.places[file])

    def add(
        self,
        at: datetime,
        paths: Iterable[str],
        *,
        led_by: Iterable[str] = (),
        terms: Iterable[str] = (),
    ) -> None:
        """Add one set; `led_by` were only looked at: they lead to the set and are not led to."""
        changed = tuple(dict.fromkeys(self.named(path) for path in paths if path.strip()))
        looked_at = [self.named(path) for path in led_by if path.strip()]
        if not changed or len(changed) > MOST_TOGETHER:
            return  # what touches very many says nothing about which belong together
        place = len(self.sets)
        self.sets.append((minute_of(at), changed))
        for file in dict.fromkeys((*changed, *looked_at)):
            self.places[file].append(place)
        for term in list(dict.fromkeys(terms))[:MOST_TERMS]:
            self.terms.setdefault(term, []).append(place)

    def add_commit(self, commit: Commit) -> None:
        """Add what a commit changed, after what it renamed and removed."""
        for change in commit.changes:
            self._follow(change)
        kept = (change.path for change in commit.changes if change.status != "D")
        self.add(commit.at, kept, terms=query_terms(commit.subject))

    def _follow(self, change: Change) -> None:
        if change.status == "D":
            self._lose(change.path)
        elif change.status == "R" and change.old_path in self._numbers:
            if change.path == change.old_path or not change.path.strip():
                return
            self._lose(change.path)
            file = self._numbers.pop(change.old_path)
            self._numbers[change.path] = file
            self.files[file] = change.path

    def _lose(self, path: str) -> None:
        file = self._numbers.pop(path, None)
        if file is not None:
            self.files[file] = ""

    def to_json(self) -> tuple[str, str]:
        """Give the newest sets, and apart the words they were described by, which few need."""
        first = max(0, len(self.sets) - MOST_SETS)
        kept = self.sets[first:]
        used = dict.fromkeys(f for _, files in reversed(kept) for f in files if self.files[f])
        for file, places in enumerate(self.places):
            if places and places[-1] >= first and self.files[file]:
                used.setdefault(file)
        order = {file: place for place, file in enumerate(list(used)[:MOST_FILES])}
        read: dict[int, list[int]] = {}  # by set: the files that led to it without being in it
        for file, places in enumerate(self.places):
            for place in places:
                if place >= first and file in order and file not in self.sets[place][1]:
                    read.setdefault(place, []).append(order[file])
        sets: list[list[Any]] = []
        for place, (minute, files) in enumerate(kept, first):
            sets.append([minute, [order.get(file, GONE) for file in files]])
            sets[-1] += [read[place]] if place in read else []
        named = {"v": VERSION, "files": [self.files[file] for file in order], "sets": sets}
        terms: dict[str, list[int]] = {}
        for term, places in self.terms.items():
            if places[-1] >= first:
                terms[term] = [place - first for place in places if place >= first]
        return _packed(named), _packed({"v": VERSION, "terms": terms})


def minute_of(moment: datetime) -> int:
    """Give the minutes since 1970."""
    return micros(moment) // _MINUTE


def count_sets(commits: Iterable[Commit]) -> ChangeSets:
    """Read a history, oldest commit first."""
    sets = ChangeSets()
    for commit in commits:
        sets.add_commit(commit)
    return sets


def sets_from_json(text: str, terms: str = "") -> ChangeSets:
    """Read what `to_json` gave; of another version, or broken, there is nothing."""
    sets = ChangeSets()
    record = _record(text)
    sets.files = [*record.get("files", ()), ""]
    nameless = len(sets.files) - 1
    sets.places = [[] for _ in sets.files]
    sets._numbers = {path: number for number, path in enumerate(sets.files) if path}
    for place, (minute, files, *looked_at) in enumerate(record.get("sets", ())):
        sets.sets.append((minute, tuple(nameless if file == GONE else file for file in files)))
        for file in (*files, *(looked_at[0] if looked_at else ())):
            if file != GONE:
                sets.places[file].append(place)
    if terms:
        sets.terms = _record(terms).get("terms", {})
    return sets


def _record(text: str) -> dict[str, Any]:
    try:
        record = plain_json.loads(text) if text else {}
    except ValueError:
        return {}  # it is counted anew at the next reading of the history
    return record if isinstance(record, dict) and record.get("v") == VERSION else {}


def _packed(record: dict[str, Any]) -> str:
    return plain_json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def present_paths(commits: Sequence[Commit]) -> list[tuple[str, ...]]:
    """Give, for each commit (oldest first), the present names of the files it changed, in order.

    Walks back from the newest: a rename gives older commits the newer name, until the place
    where another file of that name was added.
    """
    today: dict[str, str] = {}
    found: list[tuple[str, ...]] = []
    for commit in reversed(commits):
        paths = [today.get(change.path, change.path) for change in commit.changes]
        found.append(tuple(dict.fromkeys(path for path in paths if path.strip())))
        for change, path in zip(commit.changes, paths, strict=True):
            if change.status == "A":
                today.pop(change.path, None)
            elif change.status == "R" and change.old_path:
                today.pop(change.path, None)
                today[change.old_path] = path
    found.reverse()
    return found


def is_product(path: str) -> bool:
    """Tell whether a file is what the project is made of, not what stands around it."""
    return _ASIDE.search(path) is None


class Related(Value):
    """A file that is changed together with another."""

    path: str
    score: float  # 1 for the nearest
    support: int  # sets that hold both
    share: float  # of the sets that hold the other file


def related(sets: ChangeSets, path: str, limit: int = 5) -> tuple[Related, ...]:
    """Give the files that changed together with one, late and small sets counting most."""
    file = sets.number(path)
    weights: dict[int, float] = {}
    support: dict[int, int] = {}
    for place in sets.places[file] if file is not None else ():
        minute, files = sets.sets[place]
        for other in files:
            if other != file and sets.files[other]:
                weights[other] = weights.get(other, 0.0) + _weight(minute) / (len(files) - 1)
                support[other] = support.get(other, 0) + 1
    if file is None or not weights:
        return ()
    nearest, often = max(weights.values()), {other: _often(sets, other) for other in weights}
    most = max(often.values())
    scores = {o: (w / nearest + OFTEN * often[o] / most) / (1 + OFTEN) for o, w in weights.items()}
    best = sorted(scores, key=lambda other: (-scores[other], sets.files[other]))[:limit]
    whole = len(sets.places[file])
    return tuple(_related(sets, other, scores[other], support[other], whole) for other in best)


def _related(sets: ChangeSets, other: int, score: float, support: int, whole: int) -> Related:
    share = min(1.0, support / whole)
    return Related(path=sets.files[other], score=score, support=support, share=share)


def _weight(minute: int) -> float:
    # Weights grow with time instead of shrinking with age: only their ratios matter.
    return float(2.0 ** (minute / HALF_LIFE_MINUTES - 100))


def _often(sets: ChangeSets, file: int) -> float:
    return sum(_weight(sets.sets[place][0]) for place in sets.places[file])


def cochange_drafts(sets: ChangeSets, tracked: Collection[str] | None = None) -> list[Draft]:
    """Make the few facts worth knowing at once, of the product's own files that are there.

    Numbers are rounded, so that they seldom change. That a test changes with its source, or
    one workflow with another, need not be said.
    """
    product = {
        number: path
        for number, path in enumerate(sets.files)
        if path and is_product(path) and (tracked is None or path in tracked)
    }
    drafts = [_pair_draft(sets.files[one], found) for one, found in _pairs(sets, product)]
    weights = {path: _often(sets, number) for number, path in product.items()}
    hot = sorted((p for p in weights if weights[p]), key=lambda p: (-weights[p], p))[:HOT_FILES]
    if hot:
        text = f"Files changed most: {', '.join(hot)}"
        drafts.append(_draft(text, "hot-files", "hot", tuple(hot)))
    return drafts


def _pairs(sets: ChangeSets, product: Mapping[int, str]) -> list[tuple[int, Related]]:
    """Give the pairs that belong together most, each once, from the file that tells more."""
    pairs: dict[tuple[int, int], list[float]] = {}
    for minute, files in sets.sets:
        own = sorted(product.keys() & files)
        for pair in combinations(own, 2):
            held = pairs.setdefault(pair, [0.0, 0])
            held[0] += _weight(minute) / (len(files) - 1)
            held[1] += 1
        if len(pairs) > MOST_PAIRS:  # nearly all were seen once
            pairs = {pair: held for pair, held in pairs.items() if held[1] > 1}
    found: list[tuple[int, Related]] = []
    used: dict[int, int] = {}
    for one, other in sorted(pairs, key=lambda pair: (-pairs[pair][0], pair)):
        support = int(pairs[one, other][1])
        if len(found) == MOST_FACTS:
            break
        # The share is the larger from the file that is changed less often.
        first, second = sorted((one, other), key=lambda file: len(sets.places[file]))
        bond = _related(sets, second, 1.0, support, len(sets.places[first]))
        crowded = max(used.get(one, 0), used.get(other, 0)) >= FACTS_PER_FILE
        if support >= LEAST_SUPPORT and bond.share >= LEAST_SHARE and not crowded:
            found.append((first, bond))
            used[one], used[other] = used.get(one, 0) + 1, used.get(other, 0) + 1
    return found


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
