"""Commits are evidence; what some of them teach, and which versions they state, are drafts beside.

A commit that says nothing anybody would ask for later ("wip", "fix typo", a bot's upkeep) is
counted and not kept. Files are named as they are called today.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from tacit.body import Episode
from tacit.draft import Draft, LinkTo
from tacit.encode.cochange import is_product, present_paths
from tacit.encode.commit_text import (
    is_bot,
    is_trivial,
    numbers_in,
    plain_subject,
    prose,
    useful_body,
    without_type,
)
from tacit.encode.lessons import (
    STANDS,
    is_old,
    lesson_draft,
    lesson_of,
    most_lessons,
    worth_keeping,
)
from tacit.encode.levels import lead
from tacit.encode.reverts import (
    STANDS as REVERT_STANDS,
)
from tacit.encode.reverts import (
    Revert,
    find_blamed,
    find_reverts,
    lasting_reverts,
    revert_draft,
    undone,
)
from tacit.encode.versions import version_draft, versions_of
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Relation, Role, Trust
from tacit.observation import Commit, ProjectFact, Topic
from tacit.text import content_words, shorten

# Of some commits, and the files they touched that are there: the share of their lines that stand.
Standing = Callable[[Collection[str], Collection[str]], Mapping[str, float]]

MOST_FILES = 30  # mentions of one commit; with more it is about none of them
EVIDENCE_CHARS = 600  # of a body
TELLING_CHARS = 40  # of a body that makes a trivial subject worth keeping


def commit_drafts(
    commits: Sequence[Commit],
    counts: Counter[str],
    *,
    tracked: Collection[str] | None = None,
    standing: Standing | None = None,
) -> list[Draft]:
    """Make the drafts of a history, oldest commit first; what is not kept is counted.

    `tracked` are the files there are today; without it, those the history does not remove.
    """
    if not commits:
        return []
    paths = present_paths(commits)
    files = {commit.sha: found for commit, found in zip(commits, paths, strict=True)}
    reverts = find_reverts(commits)
    here = frozenset(_left(commits) if tracked is None else tracked)
    lessons = _lessons(commits, files, reverts, here, standing)
    taught = {draft.source_ref.partition("#")[0] for draft in lessons}
    episodes = _Episodes(reverts)
    drafts: list[Draft] = []
    for commit, found in zip(commits, paths, strict=True):
        versions = versions_of(commit)
        drafts += [version_draft(commit, version) for version in versions]
        reason = _left_out(commit, versioned=bool(versions), kept=commit.sha in reverts)
        if reason:
            counts[reason] += 1
        else:  # what a lesson says in whole is not said twice
            body = "" if f"git:{commit.sha}" in taught else "\n\n".join(prose(commit.body))
            drafts.append(episodes.draft(commit, lead(body, EVIDENCE_CHARS), found))
    return drafts + lessons


def ended_sources(commits: Sequence[Commit]) -> tuple[str, ...]:
    """Give the sources whose lessons and versions ended, since later commits reverted them."""
    return tuple(sorted(f"git:{sha}" for sha in undone(find_reverts(commits))))


def _lessons(
    commits: Sequence[Commit],
    files: Mapping[str, tuple[str, ...]],
    reverts: Mapping[str, Revert],
    tracked: frozenset[str],
    standing: Standing | None,
) -> list[Draft]:
    """Make the memories of a history: decisions, errors with their fix, reverts that stand."""
    gone = undone(reverts)
    read = (lesson_of(c) for c in commits if c.sha not in gone and c.sha not in reverts)
    lessons = worth_keeping([one for one in read if one], commits, files, tracked)
    warnings = lasting_reverts(reverts, commits, files, tracked)
    old = [one.commit.sha for one in lessons if is_old(one, commits)]
    asked = old[: 3 * most_lessons(commits)] + [revert.by.sha for revert, _ in warnings]
    paths = {path for sha in asked for path in files[sha] if path in tracked}
    stands = standing(asked, paths) if standing and asked else dict.fromkeys(asked, 1.0)
    unsure = set(old)
    kept = [
        one
        for one in lessons
        if one.commit.sha not in unsure or stands.get(one.commit.sha, 0.0) >= STANDS
    ]
    blamed = find_blamed(commits)

    def named(sha: str) -> list[str]:
        return [path for path in files[sha] if path in tracked]

    return [
        lesson_draft(one, named(one.commit.sha), blamed.get(one.commit.sha))
        for one in kept[: most_lessons(commits)]
    ] + [
        revert_draft(revert, why, named(revert.by.sha))
        for revert, why in warnings
        if stands.get(revert.by.sha, 0.0) >= REVERT_STANDS
    ]


def _left(commits: Sequence[Commit]) -> set[str]:
    """Give the files that a history has added or changed and not removed since."""
    found: set[str] = set()
    for change in (change for commit in commits for change in commit.changes):
        found.discard(change.old_path if change.status == "R" else "")
        (found.discard if change.status == "D" else found.add)(change.path)
    return found


def _left_out(commit: Commit, *, versioned: bool, kept: bool) -> str:
    """Say why a commit is not kept; empty when it is."""
    if versioned and (is_bot(commit.author) or not useful_body(commit.body)):
        return "version commit"
    if kept:
        return ""
    if is_bot(commit.author):
        return "bot commit"
    if not commit.subject:
        return "trivial commit"
    if is_trivial(commit.subject) and len(useful_body(commit.body)) < TELLING_CHARS:
        return "trivial commit"
    return ""


class _Episodes:
    """Makes the evidence; the facets of a file that changes often are made once."""

    def __init__(self, reverts: Mapping[str, Revert]) -> None:
        self._reverts, self._undone = reverts, undone(reverts)
        self._files: dict[str, Mention] = {}

    def draft(self, commit: Commit, body: str, files: tuple[str, ...]) -> Draft:
        """Make the evidence of one commit."""
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
            title=subject,
            summary=lead(f"{subject}. {body}", 300) if body else subject,
            hint=shorten(subject, 100),
            subtype="commit",
            importance=0.6 if body else 0.5,
            valid_from=commit.at,
            author=commit.author,
            origin=Origin.EXTRACTED,
            trust=Trust.IMPORT,
            source_ref=f"git:{commit.sha}",
            mentions=(commits, *reports, *written, *_old_names(commit, files)),
            links=self._links(commit),
            evidence=True,
        )

    def _file(self, path: str) -> Mention:
        mention = self._files.get(path)
        if mention is None:
            facet = Facet(type=FacetType.FILE, name=path)
            mention = self._files[path] = Mention(facet=facet, role=Role.WRITES)
        return mention

    def _links(self, commit: Commit) -> tuple[LinkTo, ...]:
        revert = self._reverts.get(commit.sha)
        if revert is None or not revert.sha:
            return ()
        return (LinkTo(relation=Relation.CONTRADICTS, source_ref=f"git:{revert.sha}"),)


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
    return any(is_product(change.path) for change in commit.changes)


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
    return shorten(without_type(plain_subject(commit.subject)), 90)
