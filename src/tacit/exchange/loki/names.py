"""Where things are in a loki-mode memory, and what they are called here.

A memory from loki-mode has the source `loki:<id>`, in a namespace `loki:<namespace>/<id>`; the
record it came from is kept as a document of that very name.
"""

from __future__ import annotations

import re

from tacit.errors import Invalid
from tacit.exchange.loki.record import safe
from tacit.model import Polarity

SCHEME = "loki:"
EPISODES = "episodic"
PATTERNS = "semantic/patterns.json"
WARNINGS = "semantic/anti-patterns.json"
FACTS = "semantic/facts.json"
LINKS = "semantic/links.json"
LESSONS = "learnings"
INDEX = "index.json"
TIMELINE = "timeline.json"
ECONOMICS = "token_economics.json"
NAMESPACES = "namespaces.json"
EPISODE_INDEX = f"{EPISODES}/index.json"
VIEWS = (INDEX, TIMELINE, ECONOMICS, NAMESPACES, EPISODE_INDEX)
LOST = "queue/dead-letter.json"
DEFAULT = "default"
GLOBAL = "global"
_NAMESPACE = re.compile(r"[a-z0-9_-]{1,64}")
_REF = re.compile(rf"{SCHEME}(?:([a-z0-9_-]{{1,64}})/)?(.+)", re.DOTALL)


def ref_of(prefix: str, id_: str, document: str = "") -> str:
    """Name the source of a record by its id, or a document that is no memory's record."""
    return f"{SCHEME}{prefix}{document or safe(id_, ref=True)}"


def skill_ref(prefix: str, slug: str) -> str:
    """Name the source of a skill by the name of its file."""
    return f"{SCHEME}{prefix}skill:{safe(slug, ref=True)}"


def document(path: str) -> str:
    """Name the document of a file; a `/` in it could be taken for a namespace."""
    return f"file:{path.replace('/', ':')}"


def prefix_of(ref: str) -> str | None:
    """Give the namespace of a source with its `/`, empty at the top; None for another source."""
    found = _REF.fullmatch(ref)
    if not found:
        return None
    return f"{found[1]}/" if found[1] else ""


def id_in(ref: str) -> str:
    """Give the id a source names, as far as it can be known without its record."""
    found = _REF.fullmatch(ref)
    last = found[2] if found else ref
    return last.partition("#")[0].removeprefix("skill:")


def namespace(name: str) -> str:
    """Check the name of a namespace and give it in lower case."""
    lower = name.strip().lower()
    if not _NAMESPACE.fullmatch(lower):
        raise Invalid(
            f"namespace {name!r} is no name; use up to 64 letters, digits, hyphens and underscores"
        )
    return lower


def lesson_polarity(path: str) -> Polarity:
    """Tell whether the lessons of a file warn or recommend."""
    last = path.rpartition("/")[2]
    return Polarity.DO if last in ("patterns.jsonl", "successes.jsonl") else Polarity.AVOID
