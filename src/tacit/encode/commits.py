"""Commits become memories: what was done as episodes, versions as facts, setbacks as patterns.

A commit that says nothing anybody would ask for later ("wip", "fix typo", a bot's upkeep) is
counted and not kept. Files are named as they are called today.
"""

from __future__ import annotations

import re

from tacit.body import Episode
from tacit.draft import Draft, LinkTo
from tacit.encode.cochange import present_paths
from tacit.encode.commit_text import is_bot, is_trivial, numbers_in, plain_subject, useful_body
from tacit.encode.setbacks import Sort, find_setbacks, setback_drafts
from tacit.encode.versions import version_draft, versions_of
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Relation, Role, Trust
from tacit.observation import ProjectFact, Topic
from tacit.text import content_words, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.encode.setbacks import Setback
    from tacit.observation import Commit

MOST_FILES = 30  # mentions of one commit; with more it is about none of them
TELLING_CHARS = 40  # of a body that makes a trivial subject worth keeping
_LINKS = {Sort.REVERTED: Relation.CONTRADICTS, Sort.RESTORED: Relation.CONTRADICTS}


def commit_drafts(commits: Sequence[Commit], counts: Counter[str]) -> list[Draft]:
    """Make the drafts of a history, oldest commit first; what is not kept is counted."""
    paths = present_paths(commits)
    setbacks = find_setbacks(commits)
    undone = {s.sha for s in setbacks.values() if s.sort is Sort.REVERTED}
    undone -= {_first_undone(s, setbacks) for s in setbacks.values() if s.sort is Sort.RESTORED}
    episodes = _Episodes(setbacks, undone)
    drafts: list[Draft] = []
    for commit, files in zip(commits, paths, strict=True):
        body = useful_body(commit.body)
        versions = versions_of(commit)
        drafts += [version_draft(commit, version) for version in versions]
        reason = _left_out(commit, body, versioned=bool(versions), kept=commit.sha in setbacks)
        if reason:
            counts[reason] += 1
        else:
            drafts.append(episodes.draft(commit, body, files))
    named = {commit.sha: files for commit, files in zip(commits, paths, strict=True)}
    return drafts + setback_drafts(setbacks, named)


def _left_out(commit: Commit, body: str, *, versioned: bool, kept: bool) -> str:
    """Say why a commit becomes no episode; empty when it does."""
    if versioned and (not body or is_bot(commit.author)):
        return "version commit"
    if kept:
        return ""
    if is_bot(commit.author):
        return "bot commit"
    if not commit.subject or (len(body) < TELLING_CHARS and is_trivial(commit.subject)):
        return "trivial commit"
    return ""


def _first_undone(restored: Setback, setbacks: dict[str, Setback]) -> str:
    """Give the commit that a revert of a revert brought back."""
    inner = setbacks.get(restored.sha)
    return inner.sha if inner else ""


class _Episodes:
    """Makes episodes; the facets of a file that changes often are made once."""

    def __init__(self, setbacks: dict[str, Setback], undone: set[str]) -> None:
        self._setbacks, self._undone = setbacks, undone
        self._files: dict[str, Mention] = {}

    def draft(self, commit: Commit, body: str, files: tuple[str, ...]) -> Draft:
        """Make the episode of one commit."""
        subject = plain_subject(commit.subject)
        numbers = numbers_in(commit.subject)
        commits = Mention(facet=Facet(type=FacetType.COMMIT, name=commit.sha[:8]))
        reports = [Mention(facet=Facet(type=FacetType.PR, name=number)) for number in numbers]
        written = [self._file(path) for path in files[:MOST_FILES]] if _telling(files) else []
        return Draft(
            text=f"{subject}\n\n{body}" if body else subject,
            kind=Kind.EPISODE,
            body=Episode(
                goal=subject,
                outcome="failure" if commit.sha in self._undone else "success",
                commit=commit.sha,
                artifacts=(f"commit:{commit.sha[:8]}", *(f"pr:{number}" for number in numbers)),
            ),
            subtype="commit",
            importance=0.6 if body else 0.5,
            valid_from=commit.at,
            author=commit.author,
            origin=Origin.EXTRACTED,
            trust=Trust.IMPORT,
            source_ref=f"git:{commit.sha}",
            mentions=(commits, *reports, *written, *_old_names(commit, files)),
            links=self._links(commit),
        )

    def _file(self, path: str) -> Mention:
        mention = self._files.get(path)
        if mention is None:
            facet = Facet(type=FacetType.FILE, name=path)
            mention = self._files[path] = Mention(facet=facet, role=Role.WRITES)
        return mention

    def _links(self, commit: Commit) -> tuple[LinkTo, ...]:
        setback = self._setbacks.get(commit.sha)
        if setback is None or not setback.sha:
            return ()
        relation = _LINKS.get(setback.sort, Relation.RELATED_TO)
        return (LinkTo(relation=relation, source_ref=f"git:{setback.sha}"),)


def _telling(files: tuple[str, ...]) -> bool:
    return len(files) <= MOST_FILES


def _old_names(commit: Commit, files: tuple[str, ...]) -> list[Mention]:
    """Give the names files had until this commit, so that somebody who remembers one finds it."""
    if not _telling(files):
        return []
    old = dict.fromkeys(
        c.old_path for c in commit.changes if c.status == "R" and c.old_path.strip()
    )
    return [
        Mention(facet=Facet(type=FacetType.FILE, name=path)) for path in old if path not in files
    ]


_WINDOWS = (42, 84, 168)  # days before the newest commit; the first that holds enough
_ENOUGH = 4  # commits that show what the work is about
_MOST_RECENT = 60
_THEMES, _SINGLE = 2, 3
_PLAIN_WORDS = frozenset(
    "add added adds allow allows another avoid based better bug change changes check clean code commit "
    "correct default deprecate deprecated disable drop enable ensure error errors extend fix fixed fixes "
    "handle improve improved instead make makes method missing move new now only prevent refactor remove "
    "removed rename replace restore resolve return set simplify stop support test tests update updated "
    "use used uses using value values version when with without work feat chore ci build docs perf style".split()
)  # fmt: skip
_UPKEEP = re.compile(
    r"^(?:docs?|chore|ci|build|tests?|style|deps|release|pkg)\b[^:]{0,40}:|\bbump(?:ed|s)?\b"
    r"|\b(?:lint\w*|typos?|changelog|readme|docs?|docstrings?|documentation|authors|sponsors?|spelling"
    r"|comments?|copyright|contributing|news\.md)\b",
    re.IGNORECASE,
)
_SUBJECT_TYPE = re.compile(r"^(?:feat|fix|perf|refactor|chore|bug|bugfix)!?:\s*", re.IGNORECASE)
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|docs?|examples?|benchmarks?|\.github|\.circleci)/|(?:^|/)test_"
    r"|\.(?:md|rst|txt|lock|ya?ml|toml|cfg|ini|json)$|^\.",
    re.IGNORECASE,
)


def recent_work(commits: Sequence[Commit], now: datetime) -> ProjectFact | None:
    """Say what the weeks before the newest commit were about; None where nothing tells.

    `commits` come oldest first. Bots, versions, upkeep and documents are left out where
    enough else was done.
    """
    recent = _recent(commits)
    if not recent:
        return None
    newest = recent[0]
    first, last = f"{recent[-1].at:%Y-%m-%d}", f"{newest.at:%Y-%m-%d}"
    themes, single = _themes(recent)
    parts = [_theme_text(word, group) for word, group in themes]
    parts += [_shown(commit) for commit in single[: max(_SINGLE, 4 - 2 * len(parts))]]
    when = f"{first} to {last}" if first != last else last
    idle = "Last worked on" if (now - newest.at).days > _WINDOWS[-1] else "Worked on"
    short = [f"{word} ({len(group)} commits)" for word, group in themes]
    short += [_shown(commit) for commit in single[: max(1, _THEMES + 1 - len(short))]]
    return ProjectFact(
        topic=Topic.NOW,
        text=f"{idle} from {when}: {'; '.join(parts)}".replace(
            " from " + last + ":", f" on {last}:"
        ),
        value=f"{when}: {'; '.join(short)}",
        source=f"git:{newest.sha[:12]}",
        key="project.now",
        at=newest.at,
    )


def _recent(commits: Sequence[Commit]) -> list[Commit]:
    """Give the telling commits of the last weeks, newest first."""
    telling = [c for c in commits[-_MOST_RECENT * 4 :] if _tells_work(c)][::-1]
    if not telling:
        return []
    found: list[Commit] = []
    for wanted in (_is_product, _tells_work):
        chosen = [commit for commit in telling if wanted(commit)]
        for days in _WINDOWS:
            found = [c for c in chosen if (telling[0].at - c.at).days <= days][:_MOST_RECENT]
            if len(found) >= _ENOUGH:
                return found
    return found


def _tells_work(commit: Commit) -> bool:
    return not (is_bot(commit.author) or is_trivial(commit.subject) or versions_of(commit))


def _is_product(commit: Commit) -> bool:
    """Tell whether a commit changes what the project is made of, not what stands around it."""
    if _UPKEEP.search(commit.subject):
        return False
    return any(not _ASIDE.search(change.path) for change in commit.changes)


def _themes(recent: Sequence[Commit]) -> tuple[list[tuple[str, list[Commit]]], list[Commit]]:
    """Group commits by the word that most of them share; give also those that share none."""
    left = list(recent)
    themes: list[tuple[str, list[Commit]]] = []
    while len(themes) < _THEMES:
        shared: dict[str, list[Commit]] = {}
        for commit in left:
            for word in _theme_words(commit):
                shared.setdefault(word, []).append(commit)
        word, group = max(shared.items(), key=lambda item: len(item[1]), default=("", []))
        if len(group) < 2:
            break
        themes.append((word, group))
        left = [commit for commit in left if commit not in group]
    return themes, left


def _theme_words(commit: Commit) -> list[str]:
    words = content_words(plain_subject(commit.subject))
    return [w for w in dict.fromkeys(words) if len(w) > 2 and w.isalpha() and w not in _PLAIN_WORDS]


def _theme_text(word: str, group: list[Commit]) -> str:
    shown = ", ".join(_shown(commit) for commit in group[:2])
    return f"{word} ({len(group)} commits: {shown})"


def _shown(commit: Commit) -> str:
    return shorten(_SUBJECT_TYPE.sub("", plain_subject(commit.subject)), 90)
