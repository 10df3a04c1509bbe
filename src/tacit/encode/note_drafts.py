"""Notes an agent's host has kept → facts and resources, as an agent's word.

A note says by its type what it is: of the user and of feedback a preference, of the project a
fact, of a reference a resource. The index is read for what has no note of its own.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from tacit.body import Fact, Resource
from tacit.draft import Draft, LinkTo
from tacit.encode.rules import rule_statements
from tacit.encode.sections import plain_title
from tacit.model import Kind, Origin, Relation, Trust
from tacit.text import shorten, squash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.model import Scope
    from tacit.observation import Document

INDEX = "MEMORY.md"
MOST_LINKS = 20
_WHY = re.compile(r"^\s*(?:\*\*)?Why:?(?:\*\*)?:?\s*(.+?)(?=\n\s*\n|\n\s*\*\*|\Z)", re.M | re.S)
_POINTER = re.compile(r"\]\(<?([^()<>\s]+\.md)>?\)")
_WIKI = re.compile(r"\[\[([^\[\]|#\n]{1,100})")


def note_drafts(documents: Sequence[Document], *, user: Scope | None = None) -> Iterator[Draft]:
    """Give a draft for each note, and for each line of an index that points to none.

    Notes a user shares among projects are left out unless `user` says whose they are.
    """
    paths = {document.path for document in documents}
    names = {_name(document): document.path for document in documents}
    for document in documents:
        fields = dict(document.meta)
        shared = fields.get("shared") == "user"
        if shared and user is None:
            continue
        made = (
            _index_lines(document, paths)
            if document.path.rsplit("/", 1)[-1] == INDEX
            else iter((_note(document, names),))
        )
        for draft in made:
            yield draft.replace(
                origin=Origin.IMPORT,
                trust=Trust.AGENT,
                author=fields.get("agent", ""),
                valid_from=document.at,
                renews=True,
                tags=(*draft.tags, "note"),
                scope=user if shared else None,
            )


def _note(document: Document, names: dict[str, str]) -> Draft:
    fields = dict(document.meta)
    type_ = (fields.get("type") or fields.get("metadata.type") or "").casefold()
    why = _WHY.search(document.text)
    given = Draft(
        text=document.text,
        title=plain_title(fields.get("title") or fields.get("name") or document.title),
        hint=shorten(fields.get("description", ""), 300),
        source_ref=_ref(document.path),
        tags=(type_,) if type_ in _TYPES else (),
        links=_links(document, names),
        basis=shorten(document.text, 500),
    )
    if type_ == "reference":
        return given.replace(
            kind=Kind.RESOURCE, body=Resource(uri=document.path, mime="text/markdown")
        )
    return given.replace(
        kind=Kind.FACT,
        subtype="preference" if type_ in ("user", "feedback") else "",
        body=Fact(why=shorten(why[1], 500)) if why else Fact(),
    )


_TYPES = ("user", "feedback", "project", "reference")


def _index_lines(document: Document, paths: set[str]) -> Iterator[Draft]:
    folder = document.path.rpartition("/")[0]
    seen: set[str] = set()
    for said in rule_statements(document.text):
        pointed = [f"{folder}/{name}" for name in _POINTER.findall(said.text)]
        if any(path in paths for path in pointed):
            continue
        heading = "" if len(said.heading) < 2 else f"{said.heading[-1]}: "
        text = heading + said.text
        # A line has no name: it is what it says.
        mark = blake2b(squash(text).encode(), digest_size=6).hexdigest()
        if mark not in seen:
            seen.add(mark)
            yield Draft(text=text, source_ref=f"file:{document.path}#{mark}", basis=said.text)


def _links(document: Document, names: dict[str, str]) -> tuple[LinkTo, ...]:
    found = dict.fromkeys(squash(name) for name in _WIKI.findall(document.text))
    known = [names[name] for name in found if name in names and names[name] != document.path]
    return tuple(
        LinkTo(relation=Relation.RELATED_TO, source_ref=_ref(path)) for path in known[:MOST_LINKS]
    )


def _name(document: Document) -> str:
    stem = document.path.rsplit("/", 1)[-1].removesuffix(".md")
    return squash(dict(document.meta).get("name") or stem)


def _ref(path: str) -> str:
    return f"file:{path}#note"
