"""The sources of a project: where each lies, how far it was read, what is new."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property

from tacit.draft import Draft
from tacit.encode.cochange import cochange_drafts, count_sets
from tacit.encode.commits import commit_drafts, ended_sources
from tacit.encode.dependencies import dependency_drafts, dependency_keys
from tacit.encode.episodes import session_drafts
from tacit.encode.pages import document_drafts, rule_statements
from tacit.encode.project_card import COMMANDS, command_drafts
from tacit.encode.project_facts import ELSEWHERE, fact_drafts, project_facts
from tacit.encode.tasks import Credit
from tacit.ingest import git
from tacit.ingest.claude_notes import claude_folder, find_notes
from tacit.ingest.documents import find_documents
from tacit.ingest.manifests import is_manifest, read_manifests
from tacit.ingest.project_commands import read_commands
from tacit.ingest.project_files import read_project_files, states_facts
from tacit.ingest.reading import blob_sha, read_text
from tacit.ingest.sessions import find_sessions, read_sessions, without
from tacit.ingest.stated_commands import states_commands
from tacit.observation import Commit, Document, ProjectCommand, ProjectFiles, Sort
from tacit.value import Value
from tacit.write.doubt import sha_of

Encode = Callable[..., list[Draft]]
Progress = Callable[[str, int], None]

NEW_COMMITS = 20  # so many must have come for the files that change together to be counted again
CODE_FILES = 3000
CODE_BYTES = 512 << 10


class Gathered(Value):
    """What one source gave: drafts, how far it was read, and what it no longer holds."""

    source: str
    drafts: tuple[Draft, ...] = ()
    seen: int = 0  # commits, files, sessions that were looked at
    outcome: str = ""  # of one session that hooks have seen
    cited: tuple[str, ...] = ()  # by it, as short names
    mark: str = ""  # JSON; where to go on the next time
    gone: tuple[str, ...] = ()  # sources that are no longer there
    whole: tuple[str, ...] = ()  # sources whose parts are all among the drafts
    held: tuple[str, ...] = ()  # keys of dependencies that hold; commits' word on others is over
    stated: bool = False  # the source itself bears it: it was counted or read, nobody claimed it
    rules: tuple[str, ...] = ()  # statements of rule files, for the gate
    commits: tuple[Commit, ...] = ()  # whose files are to be counted
    anew: bool = False  # the commits are the whole history, not what came since
    documents: tuple[tuple[str, str], ...] = ()  # name, JSON; kept for the project as they are


class SourceReport(Value):
    """What became of one source."""

    source: str
    seen: int = 0
    drafts: int = 0
    new: int = 0
    renewed: int = 0
    refused: int = 0
    ended: int = 0
    seconds: float = 0.0


class Report(Value):
    """What an observation found, kept and left out, and why."""

    sources: tuple[SourceReport, ...]
    kinds: dict[str, int]  # of the memories that are new, by kind and subtype
    evidence: dict[str, int]  # that is new beside them, likewise
    refused: dict[str, int]  # by reason
    examples: dict[str, str]  # one of what was refused, by reason
    redacted: dict[str, int]
    left_out: dict[str, int]  # what readers could not use, by name
    unverified: int = 0
    candidates: int = 0
    dry_run: bool = False

    def joined(self, later: Report) -> Report:
        """Give one report of this observation and one that followed it."""
        counted = {
            name: dict(Counter(getattr(self, name)) + Counter(getattr(later, name)))
            for name in ("kinds", "evidence", "refused", "redacted", "left_out")
        }
        return self.replace(
            sources=(*self.sources, *later.sources),
            unverified=later.unverified,
            candidates=self.candidates + later.candidates,
            examples=later.examples | self.examples,
            **counted,
        )

    @property
    def new(self) -> int:
        """How many memories are new."""
        return sum(self.kinds.values())

    @property
    def changed(self) -> bool:
        """Whether anything in the store is other than before."""
        return any(s.new or s.renewed or s.ended for s in self.sources)


class Project:
    """Where a project lies, whose machine it is, and what several sources need, read once."""

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
        self.counts: Counter[str] = Counter()  # what readers could not use, by name
        self.progress: Progress = lambda _what, _count: None
        self.head = git.head(root)  # the commit it stands at; empty where there is no history
        self.blobs = git.tracked_blobs(root)  # of the files under version control, if any
        self.tracked = tuple(self.blobs)
        self.paths = self.tracked or _top_files(root)

    @cached_property
    def tags(self) -> tuple[tuple[str, datetime], ...]:
        """The tags of the history, and when each was made."""
        return git.dated_tags(self.root) if self.head else ()

    @cached_property
    def files(self) -> ProjectFiles:
        """What the root project's files and tags say of it."""
        return read_project_files(self.root, self.paths, self.counts, self.tags)

    @cached_property
    def stated_commands(self) -> list[ProjectCommand]:
        """How the root project is worked on, by its files."""
        return read_commands(self.root, self.paths, self.counts)

    @cached_property
    def commits(self) -> list[Commit]:
        """The whole history, oldest first."""
        found = git.read_commits(
            self.root, counts=self.counts, progress=lambda n: self.progress("commits", n)
        )
        return list(found) if self.head else []

    def texts(self, paths: Iterable[str]) -> Iterator[tuple[str, str, str]]:
        """Give path, text and blob id of those files that can be read."""
        for path in paths:
            place = os.path.join(self.root, path)
            text = read_text(place, self.counts, CODE_BYTES)
            if text is not None:
                yield path, text, sha_of(place)

    def shas(self, paths: Iterable[str]) -> dict[str, str]:
        """Give the blob ids of files as they are now."""
        return {path: sha_of(os.path.join(self.root, path)) for path in paths}

    def names(self, package: str) -> bool:
        """Tell whether a package stands in a manifest."""
        return re.search(rf"(?<![\w-]){re.escape(package)}(?![\w-])", self._manifests) is not None

    @cached_property
    def _manifests(self) -> str:
        paths = (os.path.join(self.root, path) for path in self.paths if is_manifest(path))
        return "\n".join(read_text(path, Counter()) or "" for path in paths).lower()


def _top_files(root: str) -> tuple[str, ...]:
    try:
        return tuple(sorted(entry.name for entry in os.scandir(root) if entry.is_file()))
    except OSError:
        return ()


def documents(project: Project, mark: str) -> Gathered:
    """Rule files, decision records, READMEs and documents."""
    tracked = project.tracked if project.head else None
    found = list(find_documents(project.root, tracked, project.counts))
    project.progress("documents", len(found))
    return _documents("documents", found, mark, project.names)


def notes(project: Project, mark: str) -> Gathered:
    """The notes a host keeps for its agent."""
    found = list(find_notes([project.root], claude_folder(project.environ), project.counts))
    project.progress("notes", len(found))
    return _documents("notes", found, mark)


def _documents(
    source: str, found: list[Document], mark: str, named: Callable[[str], bool] | None = None
) -> Gathered:
    """Read those documents that have changed; records name each other, so they go together."""
    before: dict[str, str] = json.loads(mark) if mark else {}
    now = {document.path: document.sha for document in found}
    changed = [d for d in found if before.get(d.path) != d.sha]
    grouped = {d.sort for d in changed} & {Sort.DECISION, Sort.MEMORY, Sort.CHANGELOG}
    chosen = [d for d in found if d in changed or d.sort in grouped]
    rules = [
        statement.text
        for document in found
        if document.sort is Sort.RULE
        for statement in rule_statements(document.text)
    ]
    return Gathered(
        source=source,
        drafts=tuple(document_drafts(chosen, named=named)),
        seen=len(found),
        mark=json.dumps(now, sort_keys=True),
        gone=tuple(f"file:{path}" for path in before if path not in now),
        whole=tuple(f"file:{document.path}" for document in chosen),
        rules=tuple(rules),
    )


def manifests(project: Project, mark: str) -> Gathered:
    """What the project states about itself: dependencies, runtimes, releases, rules of tools."""
    paths = project.paths
    shas = project.shas(path for path in paths if is_manifest(path) or states_facts(path))
    folders = sorted({"/".join(path.split("/")[:-1][:2]) for path in paths})
    outline = blob_sha(repr((folders, project.tags)).encode(errors="replace"))
    state = json.dumps({**shas, "": outline}, sort_keys=True)
    if state == mark:
        return Gathered(source="manifests", seen=len(shas), mark=mark)
    dependencies = read_manifests(project.root, shas, project.counts)
    found = {one.manifest for one in dependencies}
    project.progress("manifests", len(found))
    since = _committed_at(project, shas)
    drafts = (
        *dependency_drafts(dependencies, since=since, shas=shas),
        *fact_drafts(project_facts(project.files), since=since, shas=shas),
    )
    sources = {draft.source_ref.partition("#")[0] for draft in drafts}
    before = (path for path in json.loads(mark or "{}") if path)
    parts = [f"{kind}:{path}" for path in before for kind in ("manifest", "project")]
    inside = {path.rpartition("/")[0] for path in paths if is_manifest(path)} - {""}
    held = (*dependency_keys(dependencies), *(f"in {folder}" for folder in inside))
    return Gathered(
        source="manifests",
        drafts=drafts,
        seen=len(found),
        mark=state,
        stated=True,
        gone=tuple(part for part in parts if part not in sources),
        whole=tuple(sorted({*sources, ELSEWHERE})),
        held=held if found else (),
    )


def _committed_at(project: Project, shas: dict[str, str]) -> dict[str, datetime]:
    """Give since when files hold what they hold, for those that are as they were committed."""
    clean = {path for path, sha in shas.items() if project.blobs.get(path) == sha}
    return {
        change.path: commit.at
        for commit in (project.commits if clean else ())
        for change in commit.changes
        if change.path in clean
    }


def commands(project: Project, mark: str) -> Gathered:
    """How the project is set up, tested, checked, built and released."""
    wanted = project.shas(path for path in project.paths if states_commands(path))
    state = json.dumps(wanted, sort_keys=True)
    if state == mark:
        return Gathered(source="commands", seen=len(wanted), mark=mark)
    project.progress("commands", len(wanted))
    return Gathered(
        source="commands",
        drafts=tuple(command_drafts(project.stated_commands, wanted)),
        seen=len(wanted),
        mark=state,
        stated=True,
        whole=(f"{COMMANDS}.",),
    )


def history(project: Project, mark: str) -> Gathered:
    """Commits: what was done, what was taken back, versions, files that change together."""
    known: dict[str, str] = json.loads(mark) if mark else {}
    before, counted = known.get("head", ""), known.get("counted", "")
    if not project.head or before == project.head:
        return Gathered(source="git", mark=mark)
    anew = not git.contains(project.root, before)
    if anew:
        commits = project.commits
    else:
        commits = list(git.read_commits(project.root, counts=project.counts, after=before))
    drafts = commit_drafts(
        commits,
        project.counts,
        tracked=project.tracked,
        standing=lambda shas, paths: git.standing(
            project.root, shas, [project.blobs[path] for path in paths]
        ),
    )
    if not counted or len(commits) >= NEW_COMMITS:
        drafts += cochange_drafts(count_sets(project.commits), frozenset(project.tracked))
        counted = project.head
    return Gathered(
        source="git",
        drafts=tuple(drafts),
        seen=len(commits),
        stated=True,
        mark=json.dumps({"head": project.head, "counted": counted}),
        commits=tuple(commits),
        anew=anew,
        gone=ended_sources(commits),
    )


def sessions(project: Project, mark: str) -> Gathered:
    """Past sessions of agents in this project."""
    before: dict[str, list[int]] = json.loads(mark) if mark else {}
    found = find_sessions(project.root, project.environ)
    now = {one.path: [one.bytes, one.modified_ns] for one in found}
    credit = Credit(project.commits if any(before.get(path) != now[path] for path in now) else [])
    drafts: list[Draft] = []
    seen = 0
    for number, one in enumerate(reversed(found), 1):  # the oldest first: later ones build on it
        project.progress("sessions", number)
        if before.get(one.path) == now[one.path]:
            continue
        read = read_sessions(one.path, project.counts, project.root)
        for session in without(read, project.incognito, project.counts):
            seen += 1
            drafts += project.encode(session, credit)
    return Gathered(
        source="sessions", drafts=tuple(drafts), seen=seen, mark=json.dumps(now, sort_keys=True)
    )


def code(project: Project, mark: str) -> Gathered:
    """Shapes that the code repeats, and where things are."""
    from tacit.encode.code.exports import export_draft, file_exports, folder_drafts
    from tacit.encode.code.imports import IMPORTS, ImportTable
    from tacit.encode.code.shapes import shape_drafts
    from tacit.encode.code.syntax import is_source, language_of

    paths = [path for path in project.tracked if language_of(path)][:CODE_FILES]
    before = json.loads(mark).get("files", {}) if mark.startswith("{") else {}
    now = {path: project.blobs[path] for path in paths if is_source(path)}
    state = json.dumps({"head": project.head, "files": now}, sort_keys=True)
    if not paths or (project.head and state == mark):
        return Gathered(source="code", seen=len(paths), mark=state if paths else "")
    project.progress("code", len(paths))
    uses = ImportTable(paths)
    drafts = shape_drafts(uses.watched(project.texts(paths)))
    read = (file_exports(path, text, project.counts) for path, text, _ in project.texts(now))
    exports = [one for one in read if one is not None]
    drafts += [export_draft(one) for one in exports] + folder_drafts(exports)
    lost = {*before, *_folders(before)} - {*now, *_folders(now)}
    return Gathered(
        source="code",
        drafts=tuple(drafts),
        seen=len(paths),
        mark=state,
        stated=True,
        gone=tuple(f"file:{path}" for path in lost),
        documents=((IMPORTS, uses.to_json()),),
    )


def _folders(paths: Iterable[str]) -> set[str]:
    return {f"{path.rpartition('/')[0]}/" for path in paths}


SLOW = ("code",)  # takes longer than all the rest; a first reading leaves it for the end
GATHERERS: dict[str, Callable[[Project, str], Gathered]] = {
    "documents": documents,
    "notes": notes,
    "git": history,
    "manifests": manifests,  # after what commits said of versions, which it may end
    "commands": commands,
    "sessions": sessions,
    "code": code,
}
