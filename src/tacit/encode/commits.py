"""Commits are evidence; what some of them teach, and which versions they state, are drafts beside.

A commit that says nothing anybody would ask for later ("wip", "fix typo", a bot's upkeep) is
counted and not kept. Files are named as they are called today.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

from tacit.body import Episode
from tacit.draft import Draft, LinkTo
from tacit.encode.cochange import present_paths
from tacit.encode.commit_text import (
    is_bot,
    is_trivial,
    numbers_in,
    plain_subject,
    prose,
    useful_body,
)
from tacit.encode.dependencies import version_draft, versions_of
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
    REVERT_STANDS,
    Revert,
    find_reverts,
    lasting_reverts,
    revert_draft,
    undone,
)
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Relation, Role, Trust
from tacit.observation import Commit
from tacit.text import shorten

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
    gone = undone(reverts)
    drafts: list[Draft] = []
    for commit, found in zip(commits, paths, strict=True):
        versions = versions_of(commit)
        drafts += [version_draft(commit, version) for version in versions]
        reason = _left_out(commit, versioned=bool(versions), kept=commit.sha in reverts)
        if reason:
            counts[reason] += 1
        else:  # what a lesson says in whole is not said twice
            body = "" if f"git:{commit.sha}" in taught else "\n\n".join(prose(commit.body))
            body = lead(body, EVIDENCE_CHARS)
            drafts.append(_episode(commit, body, found, reverts, gone=commit.sha in gone))
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

    def named(sha: str) -> list[str]:
        return [path for path in files[sha] if path in tracked]

    return [lesson_draft(one, named(one.commit.sha)) for one in kept[: most_lessons(commits)]] + [
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
    body, bot = useful_body(commit.body), is_bot(commit.author)
    if versioned and (bot or not body):
        return "version commit"
    if kept:
        return ""
    if bot:
        return "bot commit"
    trivial = is_trivial(commit.subject) and len(body) < TELLING_CHARS
    return "trivial commit" if trivial or not commit.subject else ""


def _episode(
    commit: Commit, body: str, files: tuple[str, ...], reverts: Mapping[str, Revert], *, gone: bool
) -> Draft:
    """Make the evidence of one commit; `gone` tells whether its work was undone."""
    subject = plain_subject(commit.subject)
    numbers = numbers_in(commit.subject)
    revert = reverts.get(commit.sha)
    mentions = [Mention(facet=Facet(type=FacetType.COMMIT, name=commit.sha[:8]))]
    mentions += [Mention(facet=Facet(type=FacetType.PR, name=number)) for number in numbers]
    if len(files) <= MOST_FILES:
        mentions += [_writes(path) for path in files]
        # Somebody may remember a name that a file had until this commit.
        old = {change.old_path: None for change in commit.changes if change.status == "R"}
        names = (path for path in old if path.strip() and path not in files)
        mentions += [Mention(facet=Facet(type=FacetType.FILE, name=path)) for path in names]
    return Draft(
        text=f"{subject}\n\n{body}" if body else subject,
        kind=Kind.EPISODE,
        body=Episode(
            goal=subject,
            outcome="failure" if gone else "success",
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
        mentions=tuple(mentions),
        links=(LinkTo(relation=Relation.CONTRADICTS, source_ref=f"git:{revert.sha}"),)
        if revert and revert.sha
        else (),
        evidence=True,
    )


@lru_cache(maxsize=4096)  # a file that changes often has one mention
def _writes(path: str) -> Mention:
    return Mention(facet=Facet(type=FacetType.FILE, name=path), role=Role.WRITES)
