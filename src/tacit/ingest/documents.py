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
_ENDINGS = (".md", ".mdx", ".markdown", ".rst", ".txt")
_TEXT = r"\.(?:md|mdx|markdown|rst|txt)"
_SORTS: tuple[tuple[Sort | None, re.Pattern[str]], ...] = (  # by the path; the first that fits
    (Sort.RULE, re.compile(
        r"(?:.*/)?(?:(?:CLAUDE(?:\.local)?|AGENTS(?:\.override)?|GEMINI)\.md|\.cursorrules|\.windsurfrules"
        r"|\.claude/rules/.+\.md|\.cursor/rules/.+\.mdc?|\.windsurf/rules/.+\.md"
        r"|\.github/copilot-instructions\.md|\.github/instructions/.+\.instructions\.md)"
    )),
    # Settings, skills, and notes that have a reader of their own.
    (None, re.compile(r"(?:.*/)?\.claude/.*")),
    (Sort.README, re.compile(
        rf"(?:.*/)?readme(?:(?:[._-][a-z_-]{{2,8}})?{_TEXT}|[_-][a-z_-]{{2,8}})?", re.IGNORECASE
    )),
    (Sort.CHANGELOG, re.compile(
        rf"(?:.*/)?(?:change-?log|changes|history|news|releases?(?:[-_ ]notes)?)(?:{_TEXT})?"
        r"|(?:.*/)?(?:releases|release[-_]notes|changelogs|whatsnew)/(?:.*/)?"
        rf"v?\d+(?:\.(?:\d+|x))+[\w.-]*{_TEXT}", re.IGNORECASE
    )),
    # What tells contributors how to work: wherever it lies, and names that are so only at the top.
    (Sort.GUIDE, re.compile(
        r"(?:(?:.*/)?(?:contribut(?:ing|e|ion)s?(?:[-_ ]guide(?:lines?)?)?|how[-_ ]to[-_ ]contribute"
        r"|(?:code[-_ ]of[-_ ])?conduct|[\w -]*(?:ai|llm)[-_ ]policy|pull[-_ ]request[-_ ]template|hacking"
        r"|maintain(?:ing|ers?[-_ ]guide|ers?[-_ ]notes)|releasing|release[-_ ]process"
        r"|(?:coding|code)[-_ ](?:style|standards|conventions|guidelines))"
        r"|(?:\.github/)?(?:develop(?:ment|ing|ers?[-_ ]guide)|security(?:[-_ ]policy)?"
        r"|style(?:[-_ ]?guide)?|conventions|guidelines|testing|ai|governance)"
        rf"|(?:.*/)?(?:contributing|contribute|pull_request_template)/[^/]+){_TEXT}", re.IGNORECASE
    )),
    (Sort.DECISION, re.compile(
        r"(?:.*/)?(?:adrs?|decisions|decision-records|architecture[-_]decisions)/(?:.*/)?"
        rf"(?!(?:readme|index|[^/]*template[^/]*)\.\w+$)[^/]+{_TEXT}", re.IGNORECASE
    )),
    (Sort.DOC, re.compile(
        rf"(?:.*/)?(?:architecture|design)(?:{_TEXT})?|(?:.*/)?(?:docs|doc|documentation)/(?:.*/)?"
        rf"(?!(?:[^/]*requirements[^/]*|constraints|robots|cmakelists|licen[sc]e)\.txt$)[^/]+{_TEXT}",
        re.IGNORECASE,
    )),
)  # fmt: skip
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

    def unreadable(_error: OSError) -> None:
        counts["unreadable"] += 1

    for place, inner, names in os.walk(top, onerror=unreadable, followlinks=True):
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
    return next((sort for sort, pattern in _SORTS if pattern.fullmatch(path)), None)


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
