"""The documents of a project: rule files, decision records, READMEs, changelogs, other pages.

What matters most comes first, so that a bound cuts off pages and never rules. A file is given
once, under its real path: a CLAUDE.md that is a link to AGENTS.md is one document. What a rule
file imports is a rule file too, because its host loads it.
"""

from __future__ import annotations

import os
import re

from tacit.ingest.document_sorts import TEXT_ENDINGS, is_foreign, settled_sort, sort_of
from tacit.ingest.front_matter import split_front_matter
from tacit.ingest.markdown import imported_paths, without_comments
from tacit.ingest.reading import LARGEST_FILE, blob_sha, clean_text, read_text
from tacit.ingest.tree import files_below, lies_in
from tacit.observation import Document, Sort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

MOST_DOCUMENTS = 2000
MOST_CHARS = 32 << 20  # of all documents together
LONGEST_PATH = 400  # characters; a name is kept up to 500
IMPORT_DEPTH = 4

_FIRST_TO_LAST = (Sort.RULE, Sort.DECISION, Sort.README, Sort.DOC, Sort.CHANGELOG)
# Within the folder of Claude these belong to other projects.
_OTHERS = ("projects", "agent-memory", "file-history", "todos", "shell-snapshots")
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
    text = clean_text(_plain_lines(raw), counts, most=LARGEST_FILE)
    meta, text = split_front_matter(text, counts)
    meta = tuple((key, clean_text(value, counts)) for key, value in meta)  # line ends are real now
    if not path.endswith((".rst", ".txt")):
        text = without_comments(text)
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
    )


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
