"""Commits that undo another: what was reverted, why, and what of it still holds. Pure.

A revert names the commit it undoes by id or subject. It becomes a warning only where it gives
its cause and still stands: not landed again, its files there, its lines still as it left them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tacit.body import Pattern
from tacit.draft import Draft, LinkTo
from tacit.encode.cochange import is_product
from tacit.encode.commit_text import plain_subject, prose, without_type
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Polarity, Relation, Role, Trust
from tacit.observation import Commit
from tacit.text import content_words, shorten

MOST_FILES = 8
LEAST_WHY = 5  # words of a cause
FIRST_CHARS = 80  # of a body in which a revert says so, where its subject does not
RECENT_DAYS, OLD_DAYS = 365, 2000
REVERT_STANDS = 0.6  # share of a revert's lines that are still as it left them
ALIKE = 0.75  # share of the words of two subjects that say the same

_REVERTS = re.compile(r"[Tt]his reverts commit ([0-9a-f]{7,64})")
_TITLE = re.compile(
    r"^(?:Revert|Reverted|Reapply)[: ]+\"(?P<quoted>.+)\"|^revert(?:\([^)]*\))?: (?P<bare>.+)"
)
_SAYS_LITTLE = re.compile(
    r"^(?:revert(?:s|ed|ing)? |this (?:reverts?|commit reverts?|change reverts?|pr reverts?) |see |original )"
    r"|^(?:the|it|this) (?:is |was )?(?:no longer|not) (?:needed|necessary|required)\b|\bno longer needed",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Revert:
    """That a commit undid an earlier one, which may lie before all that was read."""

    by: Commit
    sha: str  # of the earlier one; empty when it is known by its subject only
    subject: str
    earlier: Commit | None
    again: bool  # it undid a revert: what was reverted is back


def find_reverts(commits: Sequence[Commit]) -> dict[str, Revert]:
    """Give the reverts by the id of the later commit; `commits` come oldest first."""
    known: dict[str, Commit] = {}  # the commits read so far, by their short id and their subject
    found: dict[str, Revert] = {}
    for commit in commits:
        if revert := _revert(commit, known, found):
            found[commit.sha] = revert
        known[commit.sha[:7]] = known[plain_subject(commit.subject)] = commit
    return found


def undone(reverts: Mapping[str, Revert]) -> set[str]:
    """Give the ids of commits whose work is not there any more, reverts included."""
    gone: set[str] = set()
    for revert in reverts.values():  # oldest first: what is back later is taken out again
        gone.add(revert.sha)
        if revert.again and (inner := reverts.get(revert.sha)):
            gone.discard(inner.sha)
    return gone - {""}


def lasting_reverts(
    reverts: Mapping[str, Revert],
    commits: Sequence[Commit],
    files: Mapping[str, tuple[str, ...]],
    tracked: Collection[str],
) -> list[tuple[Revert, str]]:
    """Give the reverts that were not landed again and whose files are there, with their cause."""
    gone = undone(reverts)
    places = {commit.sha: place for place, commit in enumerate(commits)}
    found: list[tuple[Revert, str]] = []
    for revert in reverts.values():
        by, why = revert.by, _why(revert)
        removed = {change.path for change in by.changes if change.status == "D"}
        here = {path for path in files[by.sha] if (path in tracked) is not (path in removed)}
        most_days = OLD_DAYS if any(map(is_product, here)) else RECENT_DAYS
        if revert.again or by.sha in gone or not why or not here:
            continue
        if (commits[-1].at - by.at).days > most_days:
            continue
        later = (c for c in commits[places[by.sha] + 1 :] if not here.isdisjoint(files[c.sha]))
        if not any(_lands_again(commit, revert) for commit in later):
            found.append((revert, why))
    return found


def revert_draft(revert: Revert, why: str, files: Sequence[str]) -> Draft:
    """Make a warning not to do again what was reverted, with its cause."""
    by, subject = revert.by, revert.subject
    shas = [sha for sha in (by.sha, revert.sha) if sha]
    commits = [Mention(facet=Facet(type=FacetType.COMMIT, name=sha[:8])) for sha in shas]
    about = [Facet(type=FacetType.FILE, name=path) for path in files[:MOST_FILES]]
    text = f'"{subject}" was reverted on {by.at:%Y-%m-%d}: {why}'
    return Draft(
        text=text,
        kind=Kind.PATTERN,
        body=Pattern(trigger=subject, avoid=subject, why=why),
        title=f"Reverted: {subject}",
        summary=shorten(text, 300),
        hint=shorten(f"Reverted: {subject}: {why}", 100),
        subtype="pitfall",
        polarity=Polarity.AVOID,
        importance=0.6,
        valid_from=by.at,
        author=by.author,
        origin=Origin.EXTRACTED,
        trust=Trust.IMPORT,
        source_ref=f"git:{by.sha}#revert",
        mentions=(*commits, *(Mention(facet=facet, role=Role.ABOUT) for facet in about)),
        links=tuple(LinkTo(relation=Relation.DERIVED_FROM, source_ref=f"git:{s}") for s in shas),
        renews=True,
    )


def _revert(
    commit: Commit, known: Mapping[str, Commit], found: Mapping[str, Revert]
) -> Revert | None:
    title = _TITLE.match(commit.subject)
    named = _REVERTS.search(commit.body if title else commit.body[:FIRST_CHARS])
    if title is None and named is None:
        return None
    subject = (title["quoted"] or title["bare"]) if title else ""
    earlier = known.get(named[1][:7]) if named else None
    if earlier is None or not earlier.sha.startswith(named[1] if named else ""):
        earlier = known.get(plain_subject(subject))
    inner = found.get(earlier.sha) if earlier else None
    again = commit.subject.startswith(("Reapply", 'Revert "Revert ')) or (
        inner is not None and not inner.again
    )
    sha = earlier.sha if earlier else named[1] if named else ""
    subject = plain_subject(earlier.subject if earlier else subject)
    if not subject:  # one of many squashed commits was a revert
        return None
    return Revert(by=commit, sha=sha, subject=subject, earlier=earlier, again=again)


def _why(revert: Revert) -> str:
    """Give the cause a revert states in its own words, not in those of what it quotes."""
    quoted = set(prose(revert.earlier.body)) if revert.earlier else set()
    own = [p for p in prose(revert.by.body) if p not in quoted and not _SAYS_LITTLE.search(p)]
    why = " ".join(own)
    return why if len(content_words(why)) >= LEAST_WHY else ""


def _lands_again(commit: Commit, revert: Revert) -> bool:
    """Tell whether a later commit does again what was reverted, by its subject."""
    if commit.subject.lower().startswith("revert"):
        return False
    one, other = _said(commit.subject), _said(revert.subject)
    return bool(one and other) and len(one & other) >= ALIKE * max(len(one), len(other))


def _said(subject: str) -> set[str]:
    return set(content_words(without_type(plain_subject(subject))))
