"""What was seen, before anybody decided what of it is worth keeping.

Readers (`ingest`) turn raw input into these values, already redacted and cut to size;
extractors (`encode`) turn them into drafts. Nothing here knows a host's format or a store.
"""

from __future__ import annotations

from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime


class What(Words):
    """What an event of a session is."""

    PROMPT = "prompt"  # a person's words to the agent
    REPLY = "reply"  # the agent's words
    CALL = "call"  # the agent uses a tool
    RESULT = "result"  # what the tool gave back
    SUMMARY = "summary"  # what a host wrote when it compacted the session


class Tool(Words):
    """What a tool does, whatever its host calls it."""

    SHELL = "shell"
    READ = "read"
    EDIT = "edit"
    WRITE = "write"
    SEARCH = "search"
    WEB = "web"
    TASK = "task"  # hands work to another agent
    PLAN = "plan"  # to-do lists and plans
    ASK = "ask"  # asks the person something
    OTHER = "other"  # `name` tells


class Event(Value):
    """One thing that happened in a session."""

    id: str  # the same event has the same id at every reading
    what: What
    at: datetime | None = None
    text: str = ""  # words, or what a tool printed
    tool: Tool | None = None  # of a call and its result
    name: str = ""  # the host's own name of the tool
    call: str = ""  # joins a result to its call
    target: str = ""  # a path within the project where it is one, a command, a pattern, an address
    before: str = ""  # of an edit: what stood there
    after: str = ""  # of an edit or a new file: what stands there now
    failed: bool = False
    side: bool = False  # in the thread of a subagent


class Session(Value):
    """One agent's stretch of work, its events in order."""

    id: str
    host: str
    source: str  # `<host>:<id>`; what is made from it begins with this
    events: tuple[Event, ...]
    folder: str = ""
    branch: str = ""
    agent: str = ""  # the model
    author: str = ""  # the person, where the host says
    title: str = ""
    cited: tuple[str, ...] = ()  # short names of the memories that the agent says it used

    @property
    def started(self) -> datetime | None:
        """When the first event that has a time happened."""
        return next((event.at for event in self.events if event.at), None)

    @property
    def ended(self) -> datetime | None:
        """When the last event that has a time happened."""
        return next((event.at for event in reversed(self.events) if event.at), None)


class Change(Value):
    """What a commit did to one file."""

    path: str
    status: str = "M"  # A added, M changed, D removed, R renamed
    old_path: str = ""
    added: int = 0
    removed: int = 0


class Commit(Value):
    """One commit of a repository."""

    sha: str
    at: datetime
    author: str
    subject: str
    body: str = ""
    changes: tuple[Change, ...] = ()
    parents: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class Sort(Words):
    """What a document is for."""

    RULE = "rule"  # tells agents what to do: CLAUDE.md, AGENTS.md, .cursor/rules
    GUIDE = "guide"  # tells contributors how to work: CONTRIBUTING, policies, templates
    DECISION = "decision"  # an architecture decision record
    README = "readme"
    DOC = "doc"
    MEMORY = "memory"  # a note a host keeps for its agent
    CHANGELOG = "changelog"


class Document(Value):
    """A text file of a project."""

    path: str  # within the project, with `/`; or absolute, outside
    text: str
    sort: Sort
    sha: str  # its git blob id
    title: str = ""
    at: datetime | None = None
    meta: tuple[tuple[str, str], ...] = ()  # its front matter, lists joined by commas
    first_line: int = 1  # the number of its first line in the file: below front matter


class Dependency(Value):
    """What a manifest or lock file says of one package."""

    package: str
    version: str  # as written: a version, or a range
    manifest: str  # the file's path
    ecosystem: str  # pypi, npm, cargo, go, maven, gem, …
    locked: bool = False
    dev: bool = False
    extra: str = ""  # the optional part of the project that asks for it
    wanted: str = ""  # the range the manifest asks for, where `version` is the locked one
    line: int = 0  # of the manifest
    why: str = ""  # the comment beside it


class Report(Value):
    """An issue or pull request of a tracker."""

    number: str
    title: str
    sort: str  # issue, pr
    source: str
    text: str = ""
    state: str = ""  # open, closed, merged
    author: str = ""
    at: datetime | None = None
    closed_at: datetime | None = None
    labels: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()


class Setting(Value):
    """One key of a configuration file: `("tool", "ruff", "line-length")`.

    A list is given whole, and again item by item with `[]` at the end of the key.
    """

    path: str
    key: tuple[str, ...]
    value: str | int | float | bool | tuple[str, ...]
    line: int = 0
    comment: str = ""  # beside or above it: why it is so

    @property
    def source(self) -> str:
        """Where it stands."""
        return f"{self.path}:{self.line}" if self.line else self.path


class ProjectFiles(Value):
    """What the files of a root project hold that says what it is: nothing of its parts."""

    paths: tuple[str, ...]  # of all tracked files
    settings: tuple[Setting, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()  # README, go.mod, version files: path, text
    tags: tuple[tuple[str, datetime | None], ...] = ()  # of the history that is checked out


class Topic(Words):
    """What a statement of a project about itself is of."""

    WHAT = "what"  # what the project is, in a line
    RUNTIME = "runtime"  # which versions of a language or platform it supports
    RELEASE = "release"  # its newest release, how releases are made
    LAYOUT = "layout"  # where source, tests and documents lie
    TOOL = "tool"  # what checks, builds or formats it, and with which settings
    RULE = "rule"  # what its configuration enforces
    NOW = "now"  # what is being worked on


class ProjectFact(Value):
    """One thing that the files of a project state about it today."""

    topic: Topic
    text: str  # a whole sentence
    source: str  # `path:line`, or `tag NAME`
    value: str = ""  # the same as briefly as a card says it: "Python 3.10 and newer"
    key: str = ""  # of a fact that has one value at a time: "python.requires"
    why: str = ""  # the reason, where a comment gives it
    at: datetime | None = None  # since when, where that is known


class Purpose(Words):
    """What a command of a project is for."""

    SETUP = "setup"
    TEST = "test"
    TEST_ONE = "test one"
    LINT = "lint"
    FORMAT = "format"
    TYPES = "types"
    DOCS = "docs"
    BUILD = "build"
    RELEASE = "release"
    RUN = "run"
    COVERAGE = "coverage"
    CHECK = "all checks"  # one command for several of the above
    OTHER = "other"


class ProjectCommand(Value):
    """A command that a project states for a purpose; never run to find out."""

    purpose: Purpose
    line: str  # as one would type it
    source: str  # `path:line`
    trust: int  # 5 seen to succeed, 4 gates in CI, 3 called by CI, 2 manifest, 1 guide, 0 README
    note: str = ""  # what it runs, or when: "as CI does", "mypy strict, pyright"
    also: tuple[tuple[str, str], ...] = ()  # what does more for the same purpose, and its source
    others: tuple[str, ...] = ()  # what other sources say instead, each with its source
