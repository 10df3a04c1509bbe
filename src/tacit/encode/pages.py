"""Documents → resources: the pages of a project in pieces, each found and shown by itself.

Rule files are no facts of their own, because the host of an agent loads them anyway; they are
kept as pages with the tag `rule`, to be found from elsewhere and to be told what they say.
"""

from __future__ import annotations

from tacit.body import Resource
from tacit.draft import Draft
from tacit.encode.chunks import JOIN, chunks, release_chunks
from tacit.model import TITLE_CHARS, Anchor, Kind, Origin, Trust
from tacit.observation import Sort
from tacit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.encode.chunks import Chunk
    from tacit.observation import Document

_IMPORTANCE = {
    Sort.RULE: 0.6,
    Sort.DECISION: 0.5,
    Sort.README: 0.5,
    Sort.DOC: 0.4,
    Sort.MEMORY: 0.5,
    Sort.CHANGELOG: 0.3,
}
_MIMES = {"rst": "text/x-rst", "txt": "text/plain"}
_SCOPE_FIELDS = ("globs", "paths", "applyTo")  # which files a rule of a host is for


def resource_drafts(document: Document, *, under: str = "") -> Iterator[Draft]:
    """Give a resource for each piece of a document; `under` begins the names of the pieces."""
    ending = document.path.rpartition(".")[2].lower()
    split = release_chunks if document.sort is Sort.CHANGELOG else chunks
    applies = _applies(document)
    for chunk in split(document.text, title=document.title, rst=ending == "rst"):
        yield Draft(
            text=chunk.text + applies,
            kind=Kind.RESOURCE,
            subtype=document.sort.value,
            title=_title(chunk),
            # Counted within the section: a new section elsewhere changes no other piece.
            body=Resource(
                uri=document.path,
                mime=_MIMES.get(ending, "text/markdown"),
                chunk=chunk.part,
                of=chunk.of,
            ),
            importance=_IMPORTANCE[document.sort],
            origin=Origin.IMPORT,
            trust=Trust.HUMAN,
            source_ref=f"file:{document.path}#{under}{chunk.slug}",
            renews=True,
            files=(document.path,),
            tags=(document.sort.value,),
            anchors=anchors_of(document),
        )


def anchors_of(document: Document) -> tuple[Anchor, ...]:
    """Give the file a document was read from, where it can be found again."""
    return (Anchor(path=document.path, sha=document.sha),) if document.sha else ()


def _title(chunk: Chunk) -> str:
    """Name a piece by its heading, with the one above where there is room."""
    both = JOIN.join(chunk.path[-2:])
    name = both if len(both) <= TITLE_CHARS else "".join(chunk.path[-1:])
    return shorten(name, TITLE_CHARS)


def _applies(document: Document) -> str:
    fields = dict(document.meta)
    patterns = next((fields[name] for name in _SCOPE_FIELDS if fields.get(name)), "")
    return f"\n\nApplies to: {patterns}" if document.sort is Sort.RULE and patterns else ""
