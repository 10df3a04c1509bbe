"""Which file of a project is a document, and of which sort, by its path and its first words.

Names of rule files are exact, as the hosts that read them want them; the others are known in
any case.
"""

from __future__ import annotations

import re

from tacit.observation import Sort

RULE_NAMES = frozenset(
    "CLAUDE.md CLAUDE.local.md AGENTS.md AGENTS.override.md GEMINI.md .cursorrules .windsurfrules".split()
)
TEXT_ENDINGS = (".md", ".mdx", ".markdown", ".rst", ".txt")

# Of others, made by a build, or kept by a tool. In a list of tracked files the folders of
# builds count: somebody has put them there, and `docs/build` may be about building.
FOREIGN_FOLDERS = frozenset(
    "node_modules bower_components vendor third_party venv site-packages __pycache__".split()
)
BUILD_FOLDERS = frozenset("build dist target out coverage htmlcov env".split())

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
_DOC_NAMES = frozenset(
    "contributing architecture design development developing hacking security testing".split()
)
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
    if dot and _DECISION_FOLDERS & set(folders) and not _NO_DECISIONS.fullmatch(name.lower()):
        return Sort.DECISION
    in_docs = bool(dot) and not _DOC_FOLDERS.isdisjoint(folders)
    if stem in _DOC_NAMES or (in_docs and not _NO_DOCS.fullmatch(name.lower())):
        return Sort.DOC
    return None


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
