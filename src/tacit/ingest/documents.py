"""The documents of a project: rule files, guides, decision records, pages, changelogs.

What matters most comes first, so that a bound cuts off pages and never rules. A file is given
once, under its real path: a CLAUDE.md that is a link to AGENTS.md is one document. What a rule
file imports is a rule file too, because its host loads it.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from tacit.ingest.reading import LARGEST_FILE, blob_sha, clean_text, read_text
from tacit.markdown import imported_paths, split_front_matter, without_comments
from tacit.observation import Document, Sort

Meta = tuple[tuple[str, str], ...]

MOST_DOCUMENTS = 2000
META_CHARS = 2000  # of one field of front matter
MOST_CHARS = 32 << 20  # of all documents together
LONGEST_PATH = 400  # characters; a name is kept up to 500
IMPORT_DEPTH = 4
MOST_ENTRIES = 50_000  # of all folders together
DEEPEST = 12

_FIRST_TO_LAST = (Sort.RULE, Sort.GUIDE, Sort.DECISION, Sort.README, Sort.CHANGELOG, Sort.DOC)
# Of others, made by a build, or kept by a tool. In a list of tracked files the folders of
# builds count: somebody has put them there, and `docs/build` may be about building.
_FOREIGN = frozenset(
    "node_modules bower_components vendor third_party venv site-packages __pycache__".split()
)
_NOT_ENTERED = _FOREIGN | set("build dist target out coverage htmlcov env worktrees".split())
_HIDDEN = frozenset((".claude", ".cursor", ".github", ".windsurf"))
_RULES = frozenset(
    "CLAUDE.md CLAUDE.local.md AGENTS.md AGENTS.override.md GEMINI.md .cursorrules .windsurfrules".split()
)
_ENDINGS = (".md", ".mdx", ".markdown", ".rst", ".txt")
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
    root: str, tracked: Iterable[str] | None, counts: Counter[str]
) -> Iterator[Document]:
    """Give the documents of a project, each once, in a fixed order.

    With `tracked` (paths of git, relative to the root) only those are read, and rule files that
    are not tracked; without it the folder is searched, within bounds. Nothing outside the root
    is read.
    """
    top = os.path.realpath(root)
    seen: set[str] = set()
    chars = 0
    for path, sort in _candidates(top, tracked, counts):
        for document in _with_imports(os.path.join(top, path), sort, top, seen, counts):
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
    raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    whole = clean_text(raw, counts, most=LARGEST_FILE)
    meta, text = read_front_matter(whole, counts)
    head = raw[: len(raw) - len(raw.lstrip())] + whole[: len(whole) - len(text)]
    if (
        "pull_request_template" in name.lower()
    ):  # what it asks for stands in comments, which its reader sees
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
        sort=_settled_sort(name, sort, text),
        # A name that had to be changed leads to no file, so it cannot be compared with one.
        sha=_blob(path) if shown == name else "",
        title=_title(text, dict(meta), shown),
        meta=meta,
        first_line=1 + head.count("\n"),
    )


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
    if tracked is None:
        paths = {path: sort_of(path) for path in _files_below(top, counts)}
    else:
        known = [path for path in tracked if path and "\0" not in path]
        folders = {path[: match.start()] for path in known for match in re.finditer("/", path)}
        below = {path: sort_of(path) for path in _files_below(top, counts, folders)}
        paths = {path: sort for path, sort in below.items() if sort is Sort.RULE}
        own = (path for path in known if _FOREIGN.isdisjoint(path.split("/")[:-1]))
        paths |= {path: sort_of(path) for path in own}
    for sort in _FIRST_TO_LAST:
        yield from ((path, sort) for path in sorted(paths) if paths[path] is sort)


def _files_below(
    top: str, counts: Counter[str], folders: Collection[str] | None = None
) -> list[str]:
    """Give the paths of the files below a real folder, with `/`, relative to it.

    With `folders` only those are entered, besides the hidden ones of agents. A folder that is a
    link is entered once, where it leads to a place within, so links that form a loop end. A
    folder with a `.git` of its own is another project.
    """
    found: list[str] = []
    followed: set[str] = set()
    left = MOST_ENTRIES
    for place, inner, names in os.walk(
        top, onerror=lambda _: _unreadable(counts), followlinks=True
    ):
        folder = os.path.relpath(place, top).replace(os.sep, "/") + "/" if place != top else ""
        if folder and ".git" in (*inner, *names):
            inner.clear()
            continue
        left -= len(inner) + len(names)
        if left < 0:
            counts["folder too full"] += 1
            break
        found += (f"{folder}{name}" for name in names)
        below = [name for name in sorted(inner) if _enters(f"{folder}{name}", folders)]
        if folder.count("/") >= DEEPEST:
            counts["folder too deep"] += len(below)
            below = []
        inner[:] = [name for name in below if _leads_on(os.path.join(place, name), top, followed)]
    return sorted(found)


def _unreadable(counts: Counter[str]) -> None:
    counts["unreadable"] += 1


def _enters(path: str, folders: Collection[str] | None) -> bool:
    name = path.rsplit("/", 1)[-1]
    if name in _NOT_ENTERED or (name.startswith(".") and name not in _HIDDEN):
        return False
    return folders is None or path in folders or not _HIDDEN.isdisjoint(path.split("/"))


def _leads_on(path: str, top: str, followed: set[str]) -> bool:
    """Tell whether a folder is one, or a link within the project that was not followed yet."""
    if not os.path.islink(path):
        return True
    real = os.path.realpath(path)
    if real in followed or not lies_in(real, top):
        return False
    followed.add(real)
    return True


def lies_in(path: str, folder: str) -> bool:
    """Tell whether a real path is a real folder or below it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _with_imports(
    path: str, sort: Sort, top: str, seen: set[str], counts: Counter[str], depth: int = 0
) -> Iterator[Document]:
    """Give a document and, of a rule file, those it imports, which go to the same length."""
    real = os.path.realpath(path)
    if real in seen:
        return
    if not lies_in(real, top):
        counts["outside the project"] += 1
        return
    seen.add(real)
    document = read_document(real, top, sort, counts)
    if document is None:
        return
    yield document
    # The host follows imports in its own rule files and in what they import.
    own = os.path.basename(path).startswith(("CLAUDE", "GEMINI")) or "/.claude/rules/" in path
    if document.sort is not Sort.RULE or not (own or depth > 0):
        return
    for name in imported_paths(document.text):
        if not name.endswith(_ENDINGS):
            continue
        if depth >= IMPORT_DEPTH:
            counts["imports too deep"] += 1
            return
        # Paths are relative to the file that names them, which a link is too.
        target = os.path.join(os.path.dirname(path), os.path.expanduser(name))
        wanted = Sort.DECISION if sort_of(name) is Sort.DECISION else Sort.RULE
        yield from _with_imports(target, wanted, top, seen, counts, depth + 1)


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
    if name in _RULES or _RULE_PATHS.search(path):
        return Sort.RULE
    if ".claude" in folders:  # settings, skills, and notes that have a reader of their own
        return None
    stem, dot, ending = name.lower().rpartition(".")
    if not dot:
        stem, ending = name.lower(), ""
    if dot and f".{ending}" not in _ENDINGS:
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


def _settled_sort(path: str, sort: Sort, text: str) -> Sort:
    """Correct the sort by the text: a decision record is one by its parts, not by its folder."""
    if sort is Sort.DECISION:
        return sort if _decides(text) else Sort.DOC
    if sort is Sort.DOC and _NUMBERED.fullmatch(path.rsplit("/", 1)[-1]) and _decides(text):
        return Sort.DECISION
    return sort


def _decides(text: str) -> bool:
    parts = {match[1].lower() for match in _PART.finditer(text[:50_000])}
    return ("decision" in parts and len(parts) > 1) or bool(_Y_STATEMENT.search(text[:5000]))
