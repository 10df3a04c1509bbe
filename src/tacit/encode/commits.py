"""Commits become memories: what was done as episodes, versions as facts, setbacks as patterns.

A commit that says nothing anybody would ask for later ("wip", "fix typo", a bot's upkeep) is
counted and not kept. Files are named as they are called today.
"""

from __future__ import annotations

from tacit.body import Episode
from tacit.draft import Draft, LinkTo
from tacit.encode.commit_text import is_bot, is_trivial, numbers_in, plain_subject, useful_body
from tacit.encode.renames import present_paths
from tacit.encode.setbacks import Sort, find_setbacks, setback_drafts
from tacit.encode.versions import version_draft, versions_of
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Relation, Role, Trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

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
