"""The sources of a project: where each lies, how far it was read, what is new."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime

from tacit.body import Episode
from tacit.draft import Draft
from tacit.encode.cochange import cochange_drafts, count_sets
from tacit.encode.commits import commit_drafts, ended_sources
from tacit.encode.dependencies import dependency_drafts, dependency_keys
from tacit.encode.episodes import session_drafts
from tacit.encode.pages import document_drafts, rule_statements
from tacit.encode.project_card import COMMANDS, command_drafts
from tacit.encode.project_facts import ELSEWHERE, fact_drafts, project_facts
from tacit.encode.routines import routine_drafts, run_of
from tacit.encode.tasks import Credit
from tacit.ingest import git
from tacit.ingest.documents import claude_folder, find_documents, find_notes
from tacit.ingest.manifests import is_manifest, read_manifests
from tacit.ingest.project_commands import read_commands, states_commands
from tacit.ingest.project_files import read_project_files, states_facts
from tacit.ingest.reading import blob_sha, read_text
from tacit.ingest.sessions import find_sessions, read_sessions
from tacit.model import Kind
from tacit.observation import Commit, Document, ProjectCommand, ProjectFiles, Session, Sort
from tacit.store.protocol import Filter
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.protocol import Reader, Store

Encode = Callable[..., list[Draft]]
Progress = Callable[[str, int], None]


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
    kinds: dict[str, int]  # of what is new, by kind and subtype
    refused: dict[str, int]  # by reason
    redacted: dict[str, int]
    left_out: dict[str, int]  # what readers could not use, by name
    unverified: int = 0
    candidates: int = 0
    dry_run: bool = False

    def joined(self, later: Report) -> Report:
        """Give one report of this observation and one that followed it."""

        def added(one: dict[str, int], two: dict[str, int]) -> dict[str, int]:
            return {name: one.get(name, 0) + two.get(name, 0) for name in {**one, **two}}

        return self.replace(
            sources=(*self.sources, *later.sources),
            kinds=added(self.kinds, later.kinds),
            refused=added(self.refused, later.refused),
            redacted=added(self.redacted, later.redacted),
            left_out=added(self.left_out, later.left_out),
            unverified=later.unverified,
            candidates=self.candidates + later.candidates,
        )

    @property
    def new(self) -> int:
        """How many memories are new."""
        return sum(source.new for source in self.sources)

    @property
    def changed(self) -> bool:
        """Whether anything in the store is other than before."""
        return any(s.new or s.renewed or s.ended for s in self.sources)


SKIPPED = "incognito session"
# The plugin of OpenCode tells what happens in the words of Claude Code, its database does not.
_ALSO = {"claude:": "opencode:"}


def incognito(store: Store) -> frozenset[str]:
    """Give the sources of the sessions that are handed nothing and leave nothing."""
    known = [record.id for record in store.sessions() if record.inject == "off"]
    also = [
        other + source.removeprefix(host)
        for source in known
        for host, other in _ALSO.items()
        if source.startswith(host)
    ]
    return frozenset([*known, *also])


def without(
    sessions: Iterable[Session], sources: Collection[str], counts: Counter[str]
) -> Iterator[Session]:
    """Leave out the sessions of these sources, and count them."""
    for session in sessions:
        if session.source in sources:
            counts[SKIPPED] += 1
        else:
            yield session


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
        self._files: ProjectFiles | None = None
        self._stated: list[ProjectCommand] | None = None

    def files(self, counts: Counter[str]) -> ProjectFiles:
        """Give what the root project's files and tags say of it, read once."""
        if self._files is None:
            tags = git.dated_tags(self.root) if self.head else ()
            paths = self.tracked or tuple(_top_files(self.root))
            self._files = read_project_files(self.root, paths, counts, tags)
        return self._files

    def stated_commands(self, counts: Counter[str]) -> list[ProjectCommand]:
        """Give how the root project is worked on, by its files, read once."""
        if self._stated is None:
            paths = self.tracked or tuple(_top_files(self.root))
            self._stated = read_commands(self.root, paths, counts)
        return self._stated

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
    return _documents("documents", found, mark, _named(project))


def _named(project: Project) -> Callable[[str], bool]:
    """Give what tells whether a package stands in a manifest of the project."""
    paths = project.tracked or tuple(_top_files(project.root))
    texts: list[str] = []

    def named(package: str) -> bool:
        if not texts:
            read = (os.path.join(project.root, path) for path in paths if is_manifest(path))
            texts.append("\n".join(read_text(path, Counter()) or "" for path in read).lower())
        return re.search(rf"(?<![\w-]){re.escape(package)}(?![\w-])", texts[0]) is not None

    return named


def notes(project: Project, mark: str, counts: Counter[str], progress: Progress) -> Gathered:
    """The notes a host keeps for its agent."""
    found = [
        note
        for note in find_notes([project.root], claude_folder(project.environ), counts)
        if ("shared", "user") not in note.meta  # those of all projects are not this project's
    ]
    progress("notes", len(found))
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


def manifests(project: Project, mark: str, counts: Counter[str], progress: Progress) -> Gathered:
    """What the project states about itself: dependencies, runtimes, releases, rules of tools."""
    paths = project.tracked or tuple(_top_files(project.root))
    wanted = [path for path in paths if is_manifest(path) or states_facts(path)]
    shas = {path: _sha(project.root, path) for path in wanted}
    state = json.dumps({**shas, "": _outline(project, paths)}, sort_keys=True)
    if state == mark:
        return Gathered(source="manifests", seen=len(wanted), mark=mark)
    dependencies = read_manifests(project.root, wanted, counts)
    found = {one.manifest for one in dependencies}
    progress("manifests", len(found))
    facts = project_facts(project.files(counts))
    since = _committed_at(project, shas, progress)
    drafts = (
        *dependency_drafts(dependencies, since=since, shas=shas),
        *fact_drafts(facts, since=since, shas=shas),
    )
    before = [path for path in json.loads(mark or "{}") if path]
    sources = {draft.source_ref.partition("#")[0] for draft in drafts}
    parts = [f"{kind}:{path}" for kind in ("manifest", "project") for path in before]
    return Gathered(
        source="manifests",
        drafts=drafts,
        seen=len(found),
        mark=state,
        stated=True,
        gone=tuple(part for part in parts if part not in sources),
        whole=tuple(sorted({*sources, ELSEWHERE})),
        held=(*dependency_keys(dependencies), *_parts(paths)) if found else (),
    )


def commands(project: Project, mark: str, counts: Counter[str], progress: Progress) -> Gathered:
    """How the project is set up, tested, checked, built and released."""
    paths = project.tracked or tuple(_top_files(project.root))
    wanted = {path: _sha(project.root, path) for path in paths if states_commands(path)}
    state = json.dumps(wanted, sort_keys=True)
    if state == mark:
        return Gathered(source="commands", seen=len(wanted), mark=mark)
    progress("commands", len(wanted))
    drafts = command_drafts(project.stated_commands(counts), wanted)
    return Gathered(
        source="commands",
        drafts=tuple(drafts),
        seen=len(wanted),
        mark=state,
        stated=True,
        whole=(f"{COMMANDS}.",),
    )


def _parts(paths: Iterable[str]) -> set[str]:
    """Give the folders below the root that have manifests of their own."""
    folders = {path.rpartition("/")[0] for path in paths if is_manifest(path)}
    return {f"in {folder}" for folder in folders if folder}


def _outline(project: Project, paths: Iterable[str]) -> str:
    """Give a mark of the tags and folders: where things lie, and what was released."""
    folders = sorted({"/".join(path.split("/")[:-1][:2]) for path in paths})
    tags = git.dated_tags(project.root) if project.head else ()
    return blob_sha(repr((folders, tags)).encode(errors="replace"))


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
    drafts = commit_drafts(
        commits,
        counts,
        tracked=project.tracked,
        standing=lambda shas, paths: git.standing(
            project.root, shas, [project.blobs[path] for path in paths]
        ),
    )
    if not counted or len(commits) >= NEW_COMMITS:
        drafts += cochange_drafts(count_sets(project.commits(Counter(), progress)))
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
    """Shapes that the code repeats, and where things are."""
    from tacit.encode.code.exports import is_source
    from tacit.encode.code.imports import IMPORTS, ImportTable
    from tacit.encode.code.shapes import shape_drafts
    from tacit.encode.code.syntax import language_of

    paths = [path for path in project.tracked if language_of(path)][:CODE_FILES]
    before = _files_read(mark)
    now = {path: project.blobs[path] for path in paths if is_source(path)}
    state = json.dumps({"head": project.head, "files": now}, sort_keys=True)
    if not paths or (project.head and state == mark):
        return Gathered(source="code", seen=len(paths), mark=state if paths else "")
    progress("code", len(paths))
    uses = ImportTable(paths)
    drafts = shape_drafts(uses.watched(_texts(project.root, paths, counts)))
    drafts += _exports(project, now, counts)
    return Gathered(
        source="code",
        drafts=tuple(drafts),
        seen=len(paths),
        mark=state,
        stated=True,
        gone=tuple(
            f"file:{path}" for path in {*before, *_folders(before)} - {*now, *_folders(now)}
        ),
        documents=((IMPORTS, uses.to_json()),),
    )


def _folders(paths: Iterable[str]) -> set[str]:
    return {f"{path.rpartition('/')[0]}/" for path in paths}


def _files_read(mark: str) -> dict[str, str]:
    """Give the files that the last reading knew; none of a mark of another form."""
    found = json.loads(mark) if mark.startswith("{") else {}
    files = found.get("files", {})
    return files if isinstance(files, dict) else {}


def _exports(project: Project, paths: Iterable[str], counts: Counter[str]) -> list[Draft]:
    from tacit.encode.code.exports import export_draft, file_exports, folder_drafts

    found = [
        one
        for path, text, _ in _texts(project.root, paths, counts)
        if (one := file_exports(path, text, counts)) is not None
    ]
    return [export_draft(one) for one in found] + folder_drafts(found)


def routines(store: Reader) -> Gathered:
    """Commands that were run in the same order again and again, by the episodes of a store."""
    where = Filter(kinds=(Kind.EPISODE,), evidence=None)
    runs = [
        run_of(memory.source_ref, memory.body)
        for memory in store.scan(where, order="-valid_from", limit=EPISODES)
        if isinstance(memory.body, Episode) and memory.body.actions
    ]
    drafts = tuple(routine_drafts(runs))
    return Gathered(source="routines", drafts=drafts, seen=len(runs), stated=True)


SLOW = ("code",)  # takes longer than all the rest; a first reading leaves it for the end
GATHERERS: dict[str, Callable[[Project, str, Counter[str], Progress], Gathered]] = {
    "documents": documents,
    "notes": notes,
    "git": history,
    "manifests": manifests,  # after what commits said of versions, which it may end
    "commands": commands,
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
