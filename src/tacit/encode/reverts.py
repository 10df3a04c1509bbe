"""Commits that name another: what was reverted and why, and what a later commit blames. Pure.

A revert names the commit it undoes by id or subject; a fix names the one at fault ("Fixes: <id>",
"regression from #12", "fixup! subject"). A revert becomes a warning only where it gives its
cause and still stands: not landed again, its files there, its lines still as it left them.
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
NEAR_DAYS = 30  # a fault that is merely spoken of is believed this long after its commit
FIRST_CHARS = 80  # of a body in which a revert says so, where its subject does not
RECENT_DAYS, OLD_DAYS = 365, 2000
REVERT_STANDS = 0.6  # share of a revert's lines that are still as it left them
ALIKE = 0.75  # share of the words of two subjects that say the same

_REVERTS = re.compile(r"[Tt]his reverts commit ([0-9a-f]{7,64})")
_TITLE = re.compile(
    r"^(?:Revert|Reverted|Reapply)[: ]+\"(?P<quoted>.+)\"|^revert(?:\([^)]*\))?: (?P<bare>.+)"
)
_AGAIN = re.compile(
    r"^(?:\[?re-?(?:land|apply|appl(?:y|ied)|add|introduce|do|enable|instate|submit)\w*\]?|bring back"
    r"|unrevert|second attempt|try again)\b[:\s\"]*|\s*\((?:again|take \d|attempt \d|v\d|retry)\)$",
    re.IGNORECASE,
)
_FIXES = re.compile(r"^Fixes: ([0-9a-f]{7,64})\b", re.MULTILINE)
_FAULT = re.compile(
    r"\b(?:regression|regressed|broken?|introduced|caused|bug|since|fault|fallout)\s+"
    r"(?:(?:was|were|introduced|caused)\s+)?(?:from|in|by|since|with|of|after)\s+"
    r"(?:(?:commit|pr|pull request)\s+)?(?P<by>[0-9a-f]{7,40}\b|#\d{1,7}\b)",
    re.IGNORECASE,
)
_NAMES = re.compile(r"#\d|\b[0-9a-f]{7}")
_FIXUP = re.compile(r"^(?:fixup|squash|amend)! (?P<subject>.+)")
_NUMBER = re.compile(r"\(#(\d{1,7})\)\s*$")
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


Known = dict[str, Commit]  # the commits read so far, by each way another may name them


def find_reverts(commits: Sequence[Commit]) -> dict[str, Revert]:
    """Give the reverts by the id of the later commit; `commits` come oldest first."""
    known: Known = {}
    found: dict[str, Revert] = {}
    for commit in commits:
        if revert := _revert(commit, known, found):
            found[commit.sha] = revert
        _learn(commit, known)
    return found


def find_blamed(commits: Sequence[Commit]) -> dict[str, Commit]:
    """Give the commit at fault that a fix names, by the id of the fix."""
    known: Known = {}
    found: Known = {}
    for commit in commits:
        if earlier := _blamed(commit, known):
            found[commit.sha] = earlier
        _learn(commit, known)
    return found


def _learn(commit: Commit, known: Known) -> None:
    known[commit.sha[:7]] = known[plain_subject(commit.subject)] = commit
    if number := _NUMBER.search(commit.subject):
        known[f"#{number[1]}"] = commit


def _named(name: str, known: Known) -> Commit | None:
    """Find a commit by its id, whole or shortened, or by `#` and a number."""
    if name.startswith("#"):
        return known.get(name)
    commit = known.get(name[:7].lower())
    return commit if commit and commit.sha.startswith(name.lower()) else None


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


def _revert(commit: Commit, known: Known, found: Mapping[str, Revert]) -> Revert | None:
    title = _TITLE.match(commit.subject)
    named = _REVERTS.search(commit.body if title else commit.body[:FIRST_CHARS])
    if title is None and named is None:
        return None
    subject = (title["quoted"] or title["bare"]) if title else ""
    earlier = (_named(named[1], known) if named else None) or known.get(plain_subject(subject))
    inner = found.get(earlier.sha) if earlier else None
    again = commit.subject.startswith(("Reapply", 'Revert "Revert ')) or (
        inner is not None and not inner.again
    )
    sha = earlier.sha if earlier else named[1] if named else ""
    subject = plain_subject(earlier.subject if earlier else subject)
    if not subject:  # one of many squashed commits was a revert
        return None
    return Revert(by=commit, sha=sha, subject=subject, earlier=earlier, again=again)


def _blamed(commit: Commit, known: Known) -> Commit | None:
    if fixup := _FIXUP.match(commit.subject):
        return known.get(plain_subject(fixup["subject"])) if commit.body else None
    if (explicit := _FIXES.search(commit.body)) and (earlier := _named(explicit[1], known)):
        return earlier
    text = f"{plain_subject(commit.subject)}\n{commit.body}"
    spoken = _FAULT.search(text) if _NAMES.search(text) else None
    earlier = _named(spoken["by"], known) if spoken else None
    if earlier is None or (commit.at - earlier.at).days > NEAR_DAYS:
        return None
    paths = {change.path for change in earlier.changes}
    shared = any(c.path in paths or c.old_path in paths for c in commit.changes)
    return earlier if shared else None


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
    return set(content_words(_AGAIN.sub("", without_type(plain_subject(subject)))))
