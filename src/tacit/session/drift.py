"""Does the action an agent plans still serve its goal? A careful second look. Pure.

Words, files and areas of the two are compared by their stems. A false alarm costs more trust
than a missed one is worth: looking, searching, testing and building are never drift, what
goes along with any change (tests, documents, manifests) is not judged, and where the two
merely share no word the answer is that nobody knows.
"""

from __future__ import annotations

from tacit.retrieve.clauses import ARTICLES
from tacit.session.drift_words import (
    AREAS,
    CHANGING,
    DESTROYING,
    GENERIC,
    LOOKING,
    OUTWARD,
    PATH,
    PROGRAMS,
    THROWAWAY,
    WRITES_BY_SHELL,
    companion,
    destructive,
)
from tacit.text import STOP_WORDS, runs, stem
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

SIGNAL = "DRIFT_DETECTED"
LONGEST_READ = 2_000
FEWEST_WORDS = 2  # of a goal, and of an action that names no file


class Drift(Value):
    """Whether an action serves a goal: on, off or unknown; why, and how sure that is."""

    verdict: str
    confidence: float
    reason: str
    goal: str
    action: str
    shared: tuple[str, ...] = ()  # stems both are about

    def signal(self, at: datetime) -> dict[str, str] | None:
        """Give the record of a drift, for whoever keeps signals; None where there is none."""
        if self.verdict != "off":
            return None
        from tacit.clock import show_time

        return {
            "signal": SIGNAL,
            "goal": self.goal,
            "action": self.action,
            "reason": self.reason,
            "at": show_time(at),
        }


def drift(goal: str, action: str, *, related: Iterable[str] = ()) -> Drift:
    """Compare a planned action with the goal it should serve.

    An action is a command or words such as "edit src/auth.py". `related` are files known to
    belong to the goal: those touched for it so far, or found by memory.
    """
    goal, action = goal[:LONGEST_READ].strip(), action[:LONGEST_READ].strip()
    verdict, confidence, reason, shared = _judge(goal, action, tuple(related))
    return Drift(
        verdict=verdict,
        confidence=confidence,
        reason=reason,
        goal=goal,
        action=action,
        shared=tuple(sorted(shared)),
    )


def _judge(
    goal: str, action: str, related: tuple[str, ...]
) -> tuple[str, float, str, frozenset[str]]:
    about, does = topics(goal), topics(action)
    shared = about & does
    if not goal or not action:
        return "unknown", 0.0, "there is nothing to compare", shared
    if destroyed := destructive(action):
        return *_destroying(goal, action, destroyed, shared), shared
    if OUTWARD.search(action):
        if OUTWARD.search(goal) or shared:
            return "on", 0.7, "the goal asks for it", shared
        return (
            "off",
            0.6,
            "it reaches beyond the workspace, which the goal does not ask for",
            shared,
        )
    if _looks(action):
        return "on", 0.9, "looking and testing serve any goal", shared
    return *_changing(goal, action, shared, related), shared


def _destroying(
    goal: str, action: str, what: str, shared: frozenset[str]
) -> tuple[str, float, str]:
    targets = [word for word in action.split() if not word.startswith("-")]
    if any("$" in target for target in targets):
        return "unknown", 0.3, f"nobody can tell what {what!r} is about to remove"
    if any(THROWAWAY.search(target) for target in targets):
        return "on", 0.7, "what is removed can be made again"
    asked = any(stem(word.lower()) in DESTROYING for word in runs(goal))
    if asked and shared:
        return "on", 0.8, "the goal asks for it"
    if asked:
        return "unknown", 0.4, f"the goal asks to remove something, but names no target of {what!r}"
    return "off", 0.8, f"{what!r} destroys, and the goal does not ask for that"


def _changing(
    goal: str, action: str, shared: frozenset[str], related: tuple[str, ...]
) -> tuple[str, float, str]:
    files, wanted, touched = paths(action), areas(goal), areas(action)
    command = _is_command(action) and not WRITES_BY_SHELL.search(action)
    if shared:
        named = ", ".join(sorted(shared)[:3])
        return "on", min(0.95, 0.6 + 0.15 * len(shared)), f"both are about {named}"
    if any(_beside(file, other) for file in files for other in (*related, *paths(goal))):
        return "on", 0.6, "it is beside a file that belongs to the goal"
    if any(companion(file) for file in files):
        return "unknown", 0.3, "such files go along with any change"
    if command or (len(topics(goal)) < FEWEST_WORDS and not wanted):
        return "unknown", 0.1, "a command or a goal of so few words cannot be compared"
    if wanted & touched:
        return "on", 0.6, f"both are about {sorted(wanted & touched)[0]}"
    if wanted and touched and (files or _changes(action)):
        areas_told = f"the goal is about {_listed(wanted)}, the action changes {_listed(touched)}"
        return "off", 0.7, areas_told
    if not files and _changes(action) and len(topics(action)) >= FEWEST_WORDS:
        return "off", 0.55, "it changes something that the goal does not mention"
    return "unknown", 0.2, "the two share no word, which proves nothing"


def topics(text: str) -> frozenset[str]:
    """Give the stems of what a text is about: no verbs of working, no words any path holds."""
    from tacit.text import index_terms

    words = [run for run in runs(text) if run.lower() not in STOP_WORDS | ARTICLES]
    terms = (term for run in words for term in index_terms(run))
    return frozenset(
        term for term in terms if len(term) > 1 and term not in GENERIC and not term.isdigit()
    )


def areas(text: str) -> frozenset[str]:
    """Give the well-known areas of software that a text speaks of."""
    found = topics(text)
    return frozenset(area for area, words in AREAS.items() if found & words)


def paths(text: str) -> tuple[str, ...]:
    """Give what a text names that has the shape of a file or a folder."""
    return tuple(PATH.findall(text)) if "." in text or "/" in text else ()


def _looks(action: str) -> bool:
    """Tell whether an action only looks, tests, builds or thinks."""
    if WRITES_BY_SHELL.search(action):
        return False
    if not _is_command(action):
        first = "".join(action.replace("(", " ").split(maxsplit=1)[:1]).lower()
        return first in LOOKING or stem(first) in LOOKING
    from tacit.encode.commands import read_commands

    harmless = ("test", "lint", "build", "format", "install", "run")
    return all(one.purpose in harmless for one in read_commands(action))


def _is_command(action: str) -> bool:
    first = action.split(maxsplit=1)[0]
    return first in PROGRAMS or first.startswith(("./", "/", "$"))


def _changes(action: str) -> bool:
    return any(stem(word.lower()) in CHANGING for word in runs(action)[:4])


def _beside(one: str, other: str) -> bool:
    """Tell whether two files are the same or lie in the same folder, the root aside."""
    folder, _, name = one.rpartition("/")
    other_folder, _, other_name = other.rpartition("/")
    if not folder or not other_folder:
        return name == other_name
    return folder == other_folder or one.endswith("/" + other) or other.endswith("/" + one)


def _listed(names: Iterable[str]) -> str:
    return " and ".join(sorted(names)[:2])
