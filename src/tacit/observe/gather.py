"""The sources of a project, one function each: where it lies, how far it was read, what is new.

Each takes the mark that the last reading left and gives a new one, so that what has not
changed is not read again. The order is the order of use: rules first, since they decide what
else is worth keeping.
"""

from __future__ import annotations

import json
import os
from collections import Counter

from tacit.body import Episode
from tacit.encode.cochange import cochange_drafts, count_changes
from tacit.encode.commits import commit_drafts
from tacit.encode.dependencies import command_draft, dependency_drafts
from tacit.encode.document_drafts import document_drafts
from tacit.encode.episodes import session_drafts
from tacit.encode.routines import routine_drafts, run_of
from tacit.encode.rule_text import rule_statements
from tacit.encode.tasks import Credit
from tacit.ingest import git
from tacit.ingest.auto_memory import claude_folder, find_notes
from tacit.ingest.documents import find_documents
from tacit.ingest.manifests import is_manifest, read_manifests
from tacit.ingest.reading import blob_sha, read_text
from tacit.ingest.sessions import find_sessions, read_sessions
from tacit.model import Kind
from tacit.observation import Sort
from tacit.observe.gathered import Gathered
from tacit.observe.incognito import without
from tacit.store.protocol import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from datetime import datetime

    from tacit.draft import Draft
    from tacit.observation import Commit, Document
    from tacit.observe.gathered import Encode
    from tacit.store.protocol import Reader

    Progress = Callable[[str, int], None]
    Gather = Callable[["Project", str, Counter[str], Progress], Gathered]

NEW_COMMITS = 20  # so many must have come for the files that change together to be counted again
EPISODES = 2000  # the latest that are looked at for routines
CODE_FILES = 3000
CODE_BYTES = 512 << 10


class Project:
    """Where a project lies, whose machine it is, and its history, read once."""

    def __init__(
        self,
        root: str,
        environ: Mapping[str, str],
        incognito: Collection[str] = (),
        encode: Encode = session_drafts,
    ) -> None:
        self.root = root
        self.environ = environ
        self.encode = encode
        self.incognito = incognito  # the sources of sessions that are not to be kept
        self.head = git.head(root)  # the commit it stands at; empty where there is no history
        self.blobs = git.tracked_blobs(root)  # of the files under version control, if any
        self.tracked = tuple(self.blobs)
        self._commits: list[Commit] | None = None

    def commits(self, counts: Counter[str], progress: Progress) -> list[Commit]:
        """Give the whole history, oldest first."""
        if self._commits is None:
            found = git.read_commits(
                self.root, counts=counts, progress=lambda n: progress("commits", n)
            )
            self._commits = list(found) if self.head else []
        return self._commits

    def commits_after(self, sha: str, counts: Counter[str], progress: Progress) -> list[Commit]:
        """Give what came after a commit; all, where the history no longer has it."""
        if not sha or not git.contains(self.root, sha):
            return self.commits(counts, progress)
        return list(git.read_commits(self.root, counts=counts, after=sha))


def documents(project: Project, mark: str, counts: Counter[str], progress: Progress) -> Gathered:
    """Rule files, decision records, READMEs and documents."""
    tracked = project.tracked if project.head else None
    found = list(find_documents(project.root, tracked, counts))
    progress("documents", len(found))
    return _documents("documents", found, mark)


def notes(project: Project, mark: str, counts: Counter[str], progress: Progress) -> Gathered:
    """The notes a host keeps for its agent."""
    found = [
        note
        for note in find_notes([project.root], claude_folder(project.environ), counts)
        if ("shared", "user") not in note.meta  # those of all projects are not this project's
    ]
    progress("notes", len(found))
    return _documents("notes", found, mark)


def _documents(source: str, found: list[Document], mark: str) -> Gathered:
    """Read those documents that have changed; records name each other, so they go together."""
    before: dict[str, str] = json.loads(mark) if mark else {}
    now = {document.path: document.sha for document in found}
    changed = [d for d in found if before.get(d.path) != d.sha]
    grouped = {d.sort for d in changed} & {Sort.DECISION, Sort.MEMORY}
    chosen = [d for d in found if d in changed or d.sort in grouped]
    rules = [
        statement.text
        for document in found
        if document.sort is Sort.RULE
        for statement in rule_statements(document.text)
    ]
    return Gathered(
        source=source,
        drafts=tuple(document_drafts(chosen)),
        seen=len(found),
        mark=json.dumps(now, sort_keys=True),
        gone=tuple(f"file:{path}" for path in before if path not in now),
        whole=tuple(f"file:{document.path}" for document in chosen),
        rules=tuple(rules),
    )


def manifests(project: Project, mark: str, counts: Counter[str], progress: Progress) -> Gathered:
    """Dependencies with their versions, and the commands a project offers."""
    paths = project.tracked or tuple(_top_files(project.root))
    wanted = [path for path in paths if is_manifest(path)]
    state = json.dumps({path: _sha(project.root, path) for path in wanted}, sort_keys=True)
    if state == mark:
        return Gathered(source="manifests", seen=len(wanted), mark=mark)
    found = read_manifests(project.root, wanted, counts)
    progress("manifests", len(found))
    drafts = dependency_drafts(
        (one for manifest in found for one in manifest.dependencies),
        since=_committed_at(project, {m.path: m.sha for m in found}, progress),
        shas={manifest.path: manifest.sha for manifest in found},
    )
    offered = [command_draft(m.path, m.commands, m.sha) for m in found]
    return Gathered(
        source="manifests",
        drafts=(*drafts, *(draft for draft in offered if draft is not None)),
        seen=len(wanted),
        mark=state,
        stated=True,
        gone=tuple(f"manifest:{path}" for path in json.loads(mark or "{}") if path not in wanted),
        whole=tuple(f"manifest:{manifest.path}" for manifest in found),
    )


def _committed_at(
    project: Project, shas: dict[str, str], progress: Progress
) -> dict[str, datetime]:
    """Give since when files hold what they hold, for those that are as they were committed."""
    clean = {path for path, sha in shas.items() if project.blobs.get(path) == sha}
    if not clean:
        return {}
    return {
        change.path: commit.at
        for commit in project.commits(Counter(), progress)
        for change in commit.changes
        if change.path in clean
    }


def history(project: Project, mark: str, counts: Counter[str], progress: Progress) -> Gathered:
    """Commits: what was done, what was taken back, versions, files that change together."""
    known: dict[str, str] = json.loads(mark) if mark else {}
    before, counted = known.get("head", ""), known.get("counted", "")
    if not project.head or before == project.head:
        return Gathered(source="git", mark=mark)
    anew = not before or not git.contains(project.root, before)
    commits = project.commits_after(before, counts, progress)
    drafts = commit_drafts(commits, counts)
    if not counted or len(commits) >= NEW_COMMITS:
        drafts += cochange_drafts(count_changes(project.commits(Counter(), progress)))
        counted = project.head
    return Gathered(
        source="git",
        drafts=tuple(drafts),
        seen=len(commits),
        stated=True,
        mark=json.dumps({"head": project.head, "counted": counted}),
        commits=tuple(commits),
        anew=anew,
    )


def sessions(project: Project, mark: str, counts: Counter[str], progress: Progress) -> Gathered:
    """Past sessions of agents in this project."""
    before: dict[str, list[int]] = json.loads(mark) if mark else {}
    found = find_sessions(project.root, project.environ)
    now = {one.path: [one.bytes, one.modified_ns] for one in found}
    drafts: list[Draft] = []
    seen = 0
    fresh = any(before.get(one.path) != now[one.path] for one in found)
    credit = Credit(project.commits(Counter(), progress) if fresh else [])
    for number, one in enumerate(reversed(found), 1):  # the oldest first: later ones build on it
        progress("sessions", number)
        if before.get(one.path) == now[one.path]:
            continue
        read = read_sessions(one.path, counts, project.root)
        for session in without(read, project.incognito, counts):
            seen += 1
            drafts += project.encode(session, credit)
    return Gathered(
        source="sessions", drafts=tuple(drafts), seen=seen, mark=json.dumps(now, sort_keys=True)
    )


def code(project: Project, mark: str, counts: Counter[str], progress: Progress) -> Gathered:
    """Shapes that the code repeats."""
    from tacit.encode.code.drafts import shape_drafts
    from tacit.encode.code.import_table import ImportTable
    from tacit.encode.code.parse import language_of
    from tacit.encode.code.plain_imports import IMPORTS

    paths = [path for path in project.tracked if language_of(path)][:CODE_FILES]
    if not paths:
        return Gathered(source="code")
    state = project.head
    if state and state == mark:
        return Gathered(source="code", seen=len(paths), mark=mark)
    progress("code", len(paths))
    uses = ImportTable(paths)
    drafts = shape_drafts(uses.watched(_texts(project.root, paths, counts)))
    return Gathered(
        source="code",
        drafts=tuple(drafts),
        seen=len(paths),
        mark=state,
        stated=True,
        documents=((IMPORTS, uses.to_json()),),
    )


def routines(store: Reader) -> Gathered:
    """Commands that were run in the same order again and again, by the episodes of a store."""
    where = Filter(kinds=(Kind.EPISODE,))
    runs = [
        run_of(memory.source_ref, memory.body)
        for memory in store.scan(where, order="-valid_from", limit=EPISODES)
        if isinstance(memory.body, Episode) and memory.body.actions
    ]
    drafts = tuple(routine_drafts(runs))
    return Gathered(source="routines", drafts=drafts, seen=len(runs), stated=True)


SLOW = ("code",)  # takes longer than all the rest; a first reading leaves it for the end
GATHERERS: dict[str, Gather] = {
    "documents": documents,
    "notes": notes,
    "manifests": manifests,
    "git": history,
    "sessions": sessions,
    "code": code,
}


def _texts(root: str, paths: Iterable[str], counts: Counter[str]) -> Iterable[tuple[str, str, str]]:
    for path in paths:
        text = read_text(os.path.join(root, path), counts, CODE_BYTES)
        if text is not None:
            yield path, text, _sha(root, path)


def _sha(root: str, path: str) -> str:
    try:
        with open(os.path.join(root, path), "rb") as file:
            return blob_sha(file.read(64 << 20))
    except OSError:
        return ""


def _top_files(root: str) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(root) if entry.is_file())
    except OSError:
        return []
