"""Which files were changed together, set by set: a history kept small enough to look into. Pure.

A set is one commit, or what one stretch of work touched. Files are numbers, so a renamed file
keeps its past and a removed one loses its name. Nothing is weighed here: how much an old or a
large set still tells is for whoever asks (`assemble/near_files.py`). As JSON, some thousand
sets take a few hundred kilobytes and are read within milliseconds.
"""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import from_micros, micros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from typing import Any

    from tacit.observation import Change, Commit

MOST_SETS = 5_000  # the newest are kept
MOST_TOGETHER = 30  # files of a set that tells what belongs together
MOST_FILES = 20_000
MOST_TERMS = 12  # words of one set
VERSION = 1
GONE = -1  # stands for a file that is gone: the set was as large as it was
CHANGES, WORDS = "changes", "change-words"  # the names of its two documents
_MINUTE = 60_000_000  # microseconds


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
        from tacit.text import query_terms

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
        looked_at = self._looked_at(first)
        sets = []
        for place, (minute, files) in enumerate(kept, first):
            row = [minute, [order.get(file, GONE) for file in files]]
            read = [order[file] for file in looked_at.get(place, ()) if file in order]
            sets.append([*row, read] if read else row)
        named = {"v": VERSION, "files": [self.files[file] for file in order], "sets": sets}
        terms: dict[str, list[int]] = {}
        for term, places in self.terms.items():
            if places[-1] >= first:
                terms[term] = [place - first for place in places if place >= first]
        return _packed(named), _packed({"v": VERSION, "terms": terms})

    def _looked_at(self, first: int) -> dict[int, list[int]]:
        """Give the files that lead to a set without being in it, by set."""
        found: dict[int, list[int]] = {}
        for file, places in enumerate(self.places):
            for place in places:
                if place >= first and file not in self.sets[place][1]:
                    found.setdefault(place, []).append(file)
        return found


def minute_of(moment: datetime) -> int:
    """Give the minutes since 1970."""
    return micros(moment) // _MINUTE


def time_of(minute: int) -> datetime:
    """Give the moment of a minute."""
    return from_micros(minute * _MINUTE)


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
