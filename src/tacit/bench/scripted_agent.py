"""An agent that is a script: it looks at one file a step until it has seen what it needs. Pure.

The same in both arms. It knows the names of the project's files and how often each was
changed, as anyone may who lists them and asks git. First it looks at files the person named,
then at what it had open earlier in the same session, then at those memory handed over, if
any, then it explores: by the words of the task in path names, rare words first, then what is
changed most. When it looks at a file that is needed it knows, as a reader of code would: the
tests of that file come next, and what memory says goes with it comes before the rest of what
memory handed over. A dull agent would make memory look good; this one guesses well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import log

from tacit.text import content_words, index_terms
from tacit.value import Value

MOST_STEPS = 50
TOLD_SHARE = 0.6  # of the words of a fix or an error that must stand in one handed line
FEWEST_WORDS = 3  # an error with fewer telling words would be "told" by any text
_TEST = re.compile(r"^test_|_test(?=\.)|\.(?:test|spec)(?=\.)")
_PATH = re.compile(r"[\w.@+~-]+(?:/[\w.@+~-]+)*\.\w+|[\w.@+~-]+(?:/[\w.@+~-]+)+")


class Tree(Value):
    """What the agent may know of the project: its files, and how often each was changed."""

    changed: Mapping[str, int]

    def resolve(self, name: str) -> str | None:
        """Give the file a name means: itself, or the only one that ends so."""
        name = name.removeprefix("./")
        if name in self.changed:
            return name
        ending = [path for path in self.changed if path.endswith("/" + name)]
        return ending[0] if len(ending) == 1 else None


class Walk(Value):
    """How the needed files were reached; a count of steps is `MOST_STEPS` where they were not."""

    first: int
    half: int
    within_5: float
    within_10: float
    looked: tuple[str, ...]


def files_in(text: str, tree: Tree) -> list[str]:
    """Give the project's files that a text names, in the order of naming."""
    found = (tree.resolve(name.rstrip(".")) for name in _PATH.findall(text))
    return list(dict.fromkeys(path for path in found if path))


def explore(task: str, tree: Tree) -> list[str]:
    """Give the files as somebody without a memory would look at them."""
    words = set(index_terms(task))
    terms = {path: set(index_terms(path)) for path in tree.changed}
    spread = Counter(term for found in terms.values() for term in found)
    total = len(terms)

    def rank(path: str) -> tuple[float, int, str]:
        # Added up in one order, or two runs could differ in the last digit.
        shared = sorted(terms[path] & words)
        weight = sum(log(total / spread[term]) for term in shared)
        return -round(weight, 6), -tree.changed[path], path

    return sorted(tree.changed, key=rank)


def look(
    task: str,
    tree: Tree,
    needed: Collection[str],
    *,
    own: Collection[str] = (),
    handed: Iterable[str] = (),
    follow: Callable[[Sequence[str]], Iterable[str]] = lambda _found: (),
) -> list[str]:
    """Give the files in the order the agent looks at them, each once.

    `follow` is asked with the needed files found so far, the latest first, what goes with them.
    """
    explored = explore(task, tree)
    own_way = [*files_in(task, tree), *(path for path in explored if path in own)]
    further = [*_known(handed, tree), *explored]
    seen: dict[str, None] = {}
    found: list[str] = []
    while (own_way or further) and len(seen) < MOST_STEPS:
        path = (own_way or further).pop(0)
        if path in seen:
            continue
        seen[path] = None
        if path in needed:
            found.insert(0, path)
            own_way = [*beside(path, tree), *own_way]
            further = [*_known(follow(found), tree), *further]
    return list(seen)


def beside(path: str, tree: Tree) -> list[str]:
    """Give the tests of a file, or the file of a test, in the same folder."""
    folder, _, name = path.rpartition("/")
    return [
        other
        for other in sorted(tree.changed)
        if other != path
        and other.rpartition("/")[0] == folder
        and _TEST.sub("", other.rpartition("/")[2]) == _TEST.sub("", name)
    ]


def _known(names: Iterable[str], tree: Tree) -> list[str]:
    return [path for path in (tree.resolve(name) for name in names) if path]


def walk(order: Sequence[str], needed: Collection[str]) -> Walk:
    """Count the steps to what is needed, which must be something."""
    steps = [step for step, path in enumerate(order, 1) if path in needed]
    half = (len(needed) + 1) // 2
    return Walk(
        first=steps[0] if steps else MOST_STEPS,
        half=steps[half - 1] if len(steps) >= half else MOST_STEPS,
        within_5=sum(step <= 5 for step in steps) / len(needed),
        within_10=sum(step <= 10 for step in steps) / len(needed),
        looked=tuple(order[:10]),
    )


def tells(text: str, said: str) -> bool:
    """Tell whether one line of a handed text holds most words of what was said once.

    One line, because the words of a whole page add up to any error.
    """
    words = set(content_words(_PATH.sub(" ", said)))  # the folders of a path are in every text
    if len(words) < FEWEST_WORDS:
        return False
    return any(
        len(words & set(content_words(line))) >= TOLD_SHARE * len(words)
        for line in text.splitlines()
    )
