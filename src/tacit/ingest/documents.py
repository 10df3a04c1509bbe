"""The documents of a project: rule files, guides, decision records, pages, changelogs, host notes.

What matters most comes first, so that a bound cuts off pages and never rules. A file is given
once, under its real path: a CLAUDE.md that is a link to AGENTS.md is one document. What a rule
file imports is a rule file too, because its host loads it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from tacit.clock import parse_time
from tacit.errors import Invalid
from tacit.ingest.reading import LARGEST_FILE, blob_sha, clean_text, parse_json, read_text
from tacit.ingest.tree import BUILD_FOLDERS, FOREIGN_FOLDERS, files_below, lies_in
from tacit.markdown import imported_paths, split_front_matter, without_comments
from tacit.observation import Document, Sort

Meta = tuple[tuple[str, str], ...]

MOST_DOCUMENTS = 2000
META_CHARS = 2000  # of one field of front matter
MOST_CHARS = 32 << 20  # of all documents together
LONGEST_PATH = 400  # characters; a name is kept up to 500
IMPORT_DEPTH = 4

_FIRST_TO_LAST = (Sort.RULE, Sort.GUIDE, Sort.DECISION, Sort.README, Sort.CHANGELOG, Sort.DOC)
# Within the folder of Claude these belong to other projects.
_OTHERS = ("projects", "agent-memory", "file-history", "todos", "shell-snapshots")
MOST_NOTES = 500  # of one folder
MOST_AGENTS = 100
LONGEST_NAME = 200  # a longer name of a project is cut there and given a hash
RULE_NAMES = frozenset(
    "CLAUDE.md CLAUDE.local.md AGENTS.md AGENTS.override.md GEMINI.md .cursorrules .windsurfrules".split()
)
TEXT_ENDINGS = (".md", ".mdx", ".markdown", ".rst", ".txt")

_RULE_PATHS = re.compile(
    r"(?:^|/)(?:\.claude/rules/.+\.md|\.cursor/rules/.+\.mdc?|\.windsurf/rules/.+\.md"
    r"|\.github/copilot-instructions\.md|\.github/instructions/.+\.instructions\.md)$"
)
_DECISION_FOLDERS = frozenset(
    "adr adrs decisions decision-records architecture-decisions architecture_decisions".split()
)
_DOC_FOLDERS = frozenset(("docs", "doc", "documentation"))
_README = re.compile(r"readme(?:[._-][a-z_-]{2,8})?")
_CHANGELOG = re.compile(r"change-?log|changes|history|news|releases?(?:[-_ ]notes)?")
_RELEASE_FOLDERS = frozenset("releases release-notes release_notes changelogs whatsnew".split())
_VERSION = re.compile(r"v?\d+(?:\.(?:\d+|x))+[\w.-]*")
_DOC_NAMES = frozenset(("architecture", "design"))
# What tells contributors how to work: wherever it lies, and names that are so only at the top.
_GUIDE = re.compile(
    r"contribut(?:ing|e|ion)s?(?:_guide(?:lines?)?)?|how_to_contribute|(?:code_of_)?conduct"
    r"|\w*(?:ai|llm)_policy|pull_request_template|hacking|maintain(?:ing|ers?_guide|ers?_notes)"
    r"|releasing|release_process|(?:coding|code)_(?:style|standards|conventions|guidelines)"
)
_TOP_GUIDE = re.compile(
    r"develop(?:ment|ing|ers?_guide)|security(?:_policy)?|style(?:_?guide)?|conventions|guidelines"
    r"|testing|ai|governance"
)
_GUIDE_FOLDERS = frozenset("contributing contribute pull_request_template".split())
_NO_DOCS = re.compile(r"(?:.*requirements.*|constraints|robots|cmakelists|license|licence)\.txt")
_NO_DECISIONS = re.compile(r"(?:readme|index|.*template.*)\.\w+")
_NUMBERED = re.compile(r"(?:adr[-_]?)?\d{1,5}[-_. ].+", re.IGNORECASE)

# A line that opens a part of a decision record: a heading, a field, or a heading underlined.
_PART = re.compile(
    r"^(?:#{1,4}[ \t]*(?:\d+\.?[ \t]*)?|[*+-][ \t]+)?(?:\*\*|__)?"
    r"(status|context|decision|consequences|considered options|alternatives)\b",
    re.IGNORECASE | re.MULTILINE,
)
_Y_STATEMENT = re.compile(r"\bin the context of\b.{1,600}?\bwe (?:decided|chose)\b", re.I | re.S)
_HEADING = re.compile(r"^#[ \t]+(.+?)[ \t#]*$|^(\S.*)\n={3,}[ \t]*$", re.MULTILINE)


def find_documents(
    root: str, tracked: Iterable[str] | None, counts: Counter[str], *, claude_folder: str = ""
) -> Iterator[Document]:
    """Give the documents of a project, each once, in a fixed order.

    With `tracked` (paths of git, relative to the root) only those are read, and rule files that
    are not tracked; without it the folder is searched, within bounds. Nothing outside the root
    is read, but what a rule file imports from the rules in `claude_folder`.
    """
    top = os.path.realpath(root)
    home = os.path.realpath(claude_folder) if claude_folder else ""
    seen: set[str] = set()
    chars = 0
    for path, sort in _candidates(top, tracked, counts):
        for document in _with_imports(os.path.join(top, path), sort, top, home, seen, counts):
            chars += len(document.text)
            if len(seen) > MOST_DOCUMENTS or chars > MOST_CHARS:
                counts["too many documents"] += 1
                return
            yield document


def read_document(path: str, top: str, sort: Sort, counts: Counter[str]) -> Document | None:
    """Read one file, by its real path; None, counted, for what is no text or says nothing."""
    name = os.path.relpath(path, top).replace(os.sep, "/") if lies_in(path, top) else path
    if len(name) > LONGEST_PATH:
        counts["name too long"] += 1
        return None
    raw = read_text(path, counts)
    if raw is None:
        return None
    raw = _plain_lines(raw)
    whole = clean_text(raw, counts, most=LARGEST_FILE)
    meta, text = read_front_matter(whole, counts)
    head = raw[: len(raw) - len(raw.lstrip())] + whole[: len(whole) - len(text)]
    if is_template(name):  # what it asks for stands in comments, which its reader sees
        text = re.sub(r"<!--|-->", "", text)
    elif sort is not Sort.CHANGELOG and not path.endswith((".rst", ".txt")):
        text = without_comments(text)
    head += text[: len(text) - len(text.lstrip())]
    text = text.strip()
    if not text:
        counts["empty"] += 1
        return None
    shown = clean_text(name, counts)
    return Document(
        path=shown,
        text=text,
        sort=settled_sort(name, sort, text),
        # A name that had to be changed leads to no file, so it cannot be compared with one.
        sha=_blob(path) if shown == name else "",
        title=_title(text, dict(meta), shown),
        meta=meta,
        first_line=1 + head.count("\n"),
    )


def is_template(path: str) -> bool:
    """Tell whether a file is what a new pull request begins with."""
    return "pull_request_template" in path.lower()


def read_front_matter(text: str, counts: Counter[str]) -> tuple[Meta, str]:
    """Give the fields a text begins with, cleaned, and the text below them."""
    fields, rest = split_front_matter(text)
    if fields is None:
        counts["broken front matter"] += 1
    # An escape in YAML can spell what the redactor did not see in the raw text.
    cleaned = ((clean_text(name, counts, 100), value) for name, value in fields or ())
    return tuple(
        (name, clean_text(value, counts, META_CHARS)) for name, value in cleaned if name
    ), rest


def _candidates(
    top: str, tracked: Iterable[str] | None, counts: Counter[str]
) -> Iterator[tuple[str, Sort]]:
    known = None if tracked is None else [path for path in tracked if path and "\0" not in path]
    if known is None:
        paths = {path: sort_of(path) for path in files_below(top, counts)}
    else:
        folders = {folder for path in known for folder in _folders(path)}
        untracked = (path for path in files_below(top, counts, folders))
        paths = {path: sort for path in untracked if (sort := sort_of(path)) is Sort.RULE}
        paths |= {path: sort_of(path) for path in known if not is_foreign(path, tracked=True)}
    for sort in _FIRST_TO_LAST:
        yield from ((path, sort) for path in sorted(paths) if paths[path] is sort)


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _with_imports(
    path: str, sort: Sort, top: str, home: str, seen: set[str], counts: Counter[str], depth: int = 0
) -> Iterator[Document]:
    """Give a document and, of a rule file, those it imports, which go to the same length."""
    real = os.path.realpath(path)
    if real in seen:
        return
    if not lies_in(real, top) and not _is_shared(real, home):
        counts["outside the project"] += 1
        return
    seen.add(real)
    document = read_document(real, top, sort, counts)
    if document is None:
        return
    yield document
    if not _imports(path, document, depth):
        return
    for name in imported_paths(document.text):
        # Paths are relative to the file that names them, which a link is too.
        target = os.path.join(os.path.dirname(path), os.path.expanduser(name))
        if not name.endswith(TEXT_ENDINGS):
            continue
        if depth >= IMPORT_DEPTH:
            counts["imports too deep"] += 1
            return
        wanted = Sort.DECISION if sort_of(name) is Sort.DECISION else Sort.RULE
        yield from _with_imports(target, wanted, top, home, seen, counts, depth + 1)


def _imports(path: str, document: Document, depth: int) -> bool:
    """Tell whether the host follows imports here: in its own rule files and what they import."""
    own = os.path.basename(path).startswith(("CLAUDE", "GEMINI")) or "/.claude/rules/" in path
    return document.sort is Sort.RULE and (own or depth > 0)


def _is_shared(real: str, home: str) -> bool:
    if not home or not lies_in(real, home):
        return False
    return os.path.relpath(real, home).split(os.sep)[0] not in _OTHERS


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _title(text: str, meta: dict[str, str], path: str) -> str:
    heading = _HEADING.search(text[:5000])
    found = meta.get("title", "") or (heading and (heading[1] or heading[2])) or ""
    return " ".join(found.split())[:200] or path


def _blob(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return blob_sha(file.read(LARGEST_FILE))
    except OSError:  # gone since it was read: there is nothing to compare with any more
        return ""


def sort_of(path: str) -> Sort | None:
    """Tell what a file is for, by its path alone; None for what is no document."""
    *folders, name = path.split("/")
    if name in RULE_NAMES or _RULE_PATHS.search(path):
        return Sort.RULE
    if ".claude" in folders:  # settings, skills, and notes that have a reader of their own
        return None
    stem, dot, ending = name.lower().rpartition(".")
    if not dot:
        stem, ending = name.lower(), ""
    if dot and f".{ending}" not in TEXT_ENDINGS:
        return None
    if _README.fullmatch(stem):
        return Sort.README
    if _CHANGELOG.fullmatch(stem):
        return Sort.CHANGELOG
    if _RELEASE_FOLDERS & set(folders) and _VERSION.fullmatch(stem):
        return Sort.CHANGELOG
    if dot and _is_guide([folder.lower() for folder in folders], re.sub(r"[- ]", "_", stem)):
        return Sort.GUIDE
    if dot and _DECISION_FOLDERS & set(folders) and not _NO_DECISIONS.fullmatch(name.lower()):
        return Sort.DECISION
    in_docs = bool(dot) and not _DOC_FOLDERS.isdisjoint(folders)
    if stem in _DOC_NAMES or (in_docs and not _NO_DOCS.fullmatch(name.lower())):
        return Sort.DOC
    return None


def _is_guide(folders: list[str], stem: str) -> bool:
    top = not folders or folders == [".github"]
    if _GUIDE.fullmatch(stem) or (top and _TOP_GUIDE.fullmatch(stem)):
        return True
    return bool(folders) and folders[-1] in _GUIDE_FOLDERS


def settled_sort(path: str, sort: Sort, text: str) -> Sort:
    """Correct the sort by the text: a decision record is one by its parts, not by its folder."""
    if sort is Sort.DECISION:
        return sort if _decides(text) else Sort.DOC
    if sort is Sort.DOC and _NUMBERED.fullmatch(path.rsplit("/", 1)[-1]) and _decides(text):
        return Sort.DECISION
    return sort


def is_foreign(path: str, *, tracked: bool) -> bool:
    """Tell whether a path lies in a folder that is not the project's own work."""
    folders = set(path.split("/")[:-1])
    return bool(folders & FOREIGN_FOLDERS) or (not tracked and bool(folders & BUILD_FOLDERS))


def _decides(text: str) -> bool:
    parts = {match[1].lower() for match in _PART.finditer(text[:50_000])}
    return ("decision" in parts and len(parts) > 1) or bool(_Y_STATEMENT.search(text[:5000]))


def claude_folder(environ: Mapping[str, str]) -> str:
    """Give the folder Claude Code keeps its own files in."""
    return environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")


def find_notes(roots: Iterable[str], folder: str, counts: Counter[str]) -> Iterator[Document]:
    """Give the notes kept for a project, by its folders (its work trees) and Claude's own folder."""
    tops = list(dict.fromkeys(os.path.realpath(root) for root in roots))
    seen: set[str] = set()
    places: list[tuple[str, dict[str, str]]] = []
    for top in tops:
        places += [(path, {}) for path in _project_folders(top, folder)]
    if chosen := _chosen_folder(folder, counts):
        places.append((chosen, {}))
    for top in tops:
        for name in ("agent-memory", "agent-memory-local"):
            places += _agent_folders(os.path.join(top, ".claude", name), {})
    places += _agent_folders(os.path.join(folder, "agent-memory"), {"shared": "user"})
    for place, about in places:
        real = os.path.realpath(place)
        if real not in seen:
            seen.add(real)
            yield from _notes(real, about, tops, counts)


def project_name(top: str) -> str:
    """Give the name Claude Code gives the folder of a project."""
    return re.sub(r"[^A-Za-z0-9]", "-", top)


def _project_folders(top: str, folder: str) -> list[str]:
    name, projects = project_name(top), os.path.join(folder, "projects")
    if len(name) <= LONGEST_NAME:
        return [os.path.join(projects, name, "memory")]
    start = name[:LONGEST_NAME] + "-"
    return [os.path.join(projects, n, "memory") for n in _names(projects) if n.startswith(start)]


def _chosen_folder(folder: str, counts: Counter[str]) -> str:
    """Give the folder of the user's own settings; those of a project cannot choose one."""
    path = os.path.join(folder, "settings.json")
    text = read_text(path, counts) if os.path.isfile(path) else None
    settings = parse_json(text) if text else None
    chosen = settings.get("autoMemoryDirectory") if isinstance(settings, dict) else None
    if not isinstance(chosen, str) or "\0" in chosen:
        return ""
    chosen = os.path.expanduser(chosen)
    return chosen if os.path.isabs(chosen) else ""


def _agent_folders(folder: str, about: dict[str, str]) -> list[tuple[str, dict[str, str]]]:
    names = _names(folder)[:MOST_AGENTS]
    return [(os.path.join(folder, name), {**about, "agent": name}) for name in names]


def _notes(
    place: str, about: dict[str, str], tops: list[str], counts: Counter[str]
) -> Iterator[Document]:
    names = [name for name in _names(place) if name.endswith(".md")]
    if len(names) > MOST_NOTES:
        counts["too many documents"] += 1
    for name in names[:MOST_NOTES]:
        path = os.path.realpath(os.path.join(place, name))
        if not lies_in(path, place):
            counts["outside the project"] += 1
            continue
        top = next((top for top in tops if lies_in(path, top)), place)
        note = read_document(path, top, Sort.MEMORY, counts)
        if note is None:
            continue
        extra = tuple((key, clean_text(value, counts, 100)) for key, value in about.items())
        where = note.path if top in tops else clean_text(path, counts)
        yield note.replace(path=where, meta=(*note.meta, *extra), at=_modified(note))


def _modified(note: Document) -> datetime | None:
    fields = dict(note.meta)
    said = fields.get("modified") or fields.get("metadata.modified") or ""
    try:
        return parse_time(said) if said else None
    except Invalid:  # a note without a time is a note all the same
        return None


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:  # most projects have no such folder
        return []
