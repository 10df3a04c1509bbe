"""What was tried and taken back, or broke something and was mended: commits that name another.

A revert names the commit it undoes by id or subject; a mending commit names the one at fault
(`Fixes: <id>`, "regression from #12", `fixup! subject`). From each pair a pattern to avoid is
made, so that nobody walks into the same wall again. Pure.
"""

from __future__ import annotations

import re

from tacit.body import Pattern
from tacit.draft import Draft, LinkTo
from tacit.encode.commit_text import plain_subject, useful_body
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Polarity, Relation, Role, Trust
from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.observation import Commit

MOST_FILES = 10
WHY_CHARS = 500
NEAR_DAYS = 30  # a fault that is merely spoken of is believed this long after its commit

_REVERTS = re.compile(r"[Tt]his reverts commit ([0-9a-f]{7,64})")
_TITLE = re.compile(
    r"^(?:Revert|Reverted|Reapply)[: ]+\"(?P<quoted>.+)\"|^revert(?:\([^)]*\))?: (?P<bare>.+)"
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


class Sort(Words):
    """What became of the earlier commit."""

    REVERTED = "revert"
    RESTORED = "restore"  # the revert itself was reverted
    MENDED = "fix"


class Setback(Value):
    """That a commit undid or mended an earlier one, which may lie before all that was read."""

    sort: Sort
    by: Commit
    sha: str = ""  # of the earlier one; empty when it is known by its subject only
    subject: str = ""
    earlier: Commit | None = None


def find_setbacks(commits: Sequence[Commit]) -> dict[str, Setback]:
    """Give the setbacks by the id of the later commit; `commits` come oldest first."""
    known = _Known()
    found: dict[str, Setback] = {}
    for commit in commits:
        setback = _reverts(commit, known, found) or _mends(commit, known)
        if setback is not None:
            found[commit.sha] = setback
        known.add(commit)
    return found


def setback_drafts(found: dict[str, Setback], files: dict[str, tuple[str, ...]]) -> list[Draft]:
    """Make a pattern of each; `files` gives the present names of what a commit changed.

    What was brought back is no longer to be avoided, and takes the warning's place.
    """
    drafts: dict[str, Draft] = {}
    for sha, setback in found.items():
        draft = _draft(setback, files.get(sha, ()))
        drafts[draft.source_ref] = draft
    return list(drafts.values())


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


def _reverts(commit: Commit, known: _Known, found: dict[str, Setback]) -> Setback | None:
    title = _TITLE.match(commit.subject)
    named = _REVERTS.search(commit.body)
    if title is None and named is None:
        return None
    subject = (title["quoted"] or title["bare"]) if title else ""
    earlier = (known.named(named[1]) if named else None) or known.titled(subject)
    inner = found.get(earlier.sha) if earlier else None
    again = commit.subject.startswith(("Reapply", 'Revert "Revert ')) or (
        inner is not None and inner.sort is Sort.REVERTED
    )
    return Setback(
        sort=Sort.RESTORED if again else Sort.REVERTED,
        by=commit,
        sha=earlier.sha if earlier else named[1] if named else "",
        subject=plain_subject(earlier.subject if earlier else subject),
        earlier=earlier,
    )


def _mends(commit: Commit, known: _Known) -> Setback | None:
    fixup = _FIXUP.match(commit.subject)
    if fixup is not None:
        earlier = known.titled(fixup["subject"]) if useful_body(commit.body) else None
        return _mended(commit, earlier)
    explicit = _FIXES.search(commit.body)
    if explicit is not None and (earlier := known.named(explicit[1])):
        return _mended(commit, earlier)
    text = f"{plain_subject(commit.subject)}\n{commit.body}"
    blamed = _FAULT.search(text) if _NAMES.search(text) else None
    if blamed is None:
        return None
    earlier = known.named(blamed["by"])
    near = earlier is not None and (commit.at - earlier.at).days <= NEAR_DAYS
    return _mended(commit, earlier if near and _shares_file(commit, earlier) else None)


def _mended(commit: Commit, earlier: Commit | None) -> Setback | None:
    if earlier is None:
        return None
    subject = plain_subject(earlier.subject)
    return Setback(sort=Sort.MENDED, by=commit, sha=earlier.sha, subject=subject, earlier=earlier)


def _shares_file(one: Commit, other: Commit | None) -> bool:
    paths = {change.path for change in other.changes} if other else set()
    return any(change.path in paths or change.old_path in paths for change in one.changes)


def _draft(setback: Setback, files: tuple[str, ...]) -> Draft:
    by, subject = setback.by, setback.subject or setback.sha[:8]
    why = useful_body(by.body)[:WHY_CHARS]
    shown = ", ".join(files[:MOST_FILES])
    later = plain_subject(by.subject)
    said = {
        Sort.REVERTED: f'Tried "{subject}" and took it back.',
        Sort.RESTORED: f'Took "{subject}" back at first and then brought it in again.',
        Sort.MENDED: f'"{subject}" broke something; "{later}" mended it.',
    }[setback.sort]
    sources = [f"git:{by.sha}"] + ([f"git:{setback.sha}"] if setback.sha else [])
    restored = setback.sort is Sort.RESTORED
    return Draft(
        text="\n".join(filter(None, (said, why, shown and f"Files: {shown}"))),
        kind=Kind.PATTERN,
        body=Pattern(
            trigger=subject,
            avoid="" if restored else subject,
            do=later if setback.sort is Sort.MENDED else "",
            why=why,
        ),
        subtype="error-fix" if setback.sort is Sort.MENDED else "gotcha",
        polarity=Polarity.NEUTRAL if restored else Polarity.AVOID,
        importance=0.6,
        valid_from=by.at,
        author=by.author,
        origin=Origin.EXTRACTED,
        trust=Trust.IMPORT,
        source_ref=_source_ref(setback),
        mentions=_mentions(setback, files),
        links=tuple(LinkTo(relation=Relation.DERIVED_FROM, source_ref=ref) for ref in sources),
        renews=True,
    )


def _source_ref(setback: Setback) -> str:
    if setback.sort is Sort.RESTORED and setback.sha:
        return f"git:{setback.sha}#revert"  # takes the place of the warning
    return f"git:{setback.by.sha}#{setback.sort}"


def _mentions(setback: Setback, files: tuple[str, ...]) -> tuple[Mention, ...]:
    shas = [sha[:8] for sha in (setback.by.sha, setback.sha) if sha]
    commits = [Mention(facet=Facet(type=FacetType.COMMIT, name=sha)) for sha in shas]
    paths = [path for path in files[:MOST_FILES] if path.strip()]
    about = [Mention(facet=Facet(type=FacetType.FILE, name=p), role=Role.ABOUT) for p in paths]
    return (*commits, *about)
