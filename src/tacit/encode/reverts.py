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
STANDS = 0.6  # share of a revert's lines that are still as it left them
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


def find_reverts(commits: Sequence[Commit]) -> dict[str, Revert]:
    """Give the reverts by the id of the later commit; `commits` come oldest first."""
    known = _Known()
    found: dict[str, Revert] = {}
    for commit in commits:
        if revert := _revert(commit, known, found):
            found[commit.sha] = revert
        known.add(commit)
    return found


def find_blamed(commits: Sequence[Commit]) -> dict[str, Commit]:
    """Give the commit at fault that a fix names, by the id of the fix."""
    known = _Known()
    found: dict[str, Commit] = {}
    for commit in commits:
        if earlier := _blamed(commit, known):
            found[commit.sha] = earlier
        known.add(commit)
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
    gone, places = undone(reverts), {commit.sha: n for n, commit in enumerate(commits)}
    by_file: dict[str, list[Commit]] = {}
    found: list[tuple[Revert, str]] = []
    for revert in reverts.values():
        why = _why(revert)
        removed = {change.path for change in revert.by.changes if change.status == "D"}
        here = [p for p in files[revert.by.sha] if (p in tracked) is not (p in removed)]
        age = (commits[-1].at - revert.by.at).days
        product = any(is_product(path) for path in here)
        if revert.again or revert.by.sha in gone or not why or not here:
            continue
        if age > (OLD_DAYS if product else RECENT_DAYS):
            continue
        by_file = by_file or _by_file(commits, files)
        later = {
            c.sha: c for p in here for c in by_file[p] if places[c.sha] > places[revert.by.sha]
        }
        if not any(_lands_again(commit, revert) for commit in later.values()):
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


class _Known:
    """The commits read so far, by each way another may name them."""

    def __init__(self) -> None:
        self._by_id: dict[str, Commit] = {}
        self._by_subject: dict[str, Commit] = {}
        self._by_number: dict[str, Commit] = {}

    def add(self, commit: Commit) -> None:
        self._by_id[commit.sha[:7]] = commit
        self._by_subject[plain_subject(commit.subject)] = commit
        if number := _NUMBER.search(commit.subject):
            self._by_number[number[1]] = commit

    def named(self, name: str) -> Commit | None:
        """Find by an id, whole or shortened, or by `#` and a number."""
        if name.startswith("#"):
            return self._by_number.get(name[1:])
        commit = self._by_id.get(name[:7].lower())
        return commit if commit and commit.sha.startswith(name.lower()) else None

    def titled(self, subject: str) -> Commit | None:
        return self._by_subject.get(plain_subject(subject))


def _revert(commit: Commit, known: _Known, found: Mapping[str, Revert]) -> Revert | None:
    title = _TITLE.match(commit.subject)
    named = _REVERTS.search(commit.body if title else commit.body[:FIRST_CHARS])
    if title is None and named is None:
        return None
    subject = (title["quoted"] or title["bare"]) if title else ""
    earlier = (known.named(named[1]) if named else None) or known.titled(subject)
    inner = found.get(earlier.sha) if earlier else None
    again = commit.subject.startswith(("Reapply", 'Revert "Revert ')) or (
        inner is not None and not inner.again
    )
    sha = earlier.sha if earlier else named[1] if named else ""
    subject = plain_subject(earlier.subject if earlier else subject)
    if not subject:  # one of many squashed commits was a revert
        return None
    return Revert(by=commit, sha=sha, subject=subject, earlier=earlier, again=again)


def _blamed(commit: Commit, known: _Known) -> Commit | None:
    if fixup := _FIXUP.match(commit.subject):
        return known.titled(fixup["subject"]) if commit.body else None
    if (explicit := _FIXES.search(commit.body)) and (earlier := known.named(explicit[1])):
        return earlier
    text = f"{plain_subject(commit.subject)}\n{commit.body}"
    spoken = _FAULT.search(text) if _NAMES.search(text) else None
    earlier = known.named(spoken["by"]) if spoken else None
    near = earlier is not None and (commit.at - earlier.at).days <= NEAR_DAYS
    return earlier if near and _shares_file(commit, earlier) else None


def _shares_file(one: Commit, other: Commit | None) -> bool:
    paths = {change.path for change in other.changes} if other else set()
    return any(change.path in paths or change.old_path in paths for change in one.changes)


def _why(revert: Revert) -> str:
    """Give the cause a revert states in its own words, not in those of what it quotes."""
    quoted = set(prose(revert.earlier.body)) if revert.earlier else set()
    own = [p for p in prose(revert.by.body) if p not in quoted and not _SAYS_LITTLE.search(p)]
    why = " ".join(own)
    return why if len(content_words(why)) >= LEAST_WHY else ""


def _by_file(
    commits: Sequence[Commit], files: Mapping[str, tuple[str, ...]]
) -> dict[str, list[Commit]]:
    found: dict[str, list[Commit]] = {}
    for commit in commits:
        for path in files[commit.sha]:
            found.setdefault(path, []).append(commit)
    return found


def _lands_again(commit: Commit, revert: Revert) -> bool:
    """Tell whether a later commit does again what was reverted, by its subject."""
    if commit.subject.lower().startswith("revert"):
        return False
    one, other = _said(commit.subject), _said(revert.subject)
    return bool(one and other) and len(one & other) >= ALIKE * max(len(one), len(other))


def _said(subject: str) -> set[str]:
    return set(content_words(_AGAIN.sub("", without_type(plain_subject(subject)))))
