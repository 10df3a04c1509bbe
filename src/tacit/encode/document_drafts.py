"""Documents → drafts, by what each document is for.

Decision records become facts, an agent's notes facts and resources, all else resources in
pieces. Versions named in a changelog are left to those who read manifests and tags.
"""

from __future__ import annotations

from tacit.encode.decision_drafts import decision_drafts
from tacit.encode.note_drafts import note_drafts
from tacit.encode.resources import resource_drafts
from tacit.observation import Sort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tacit.draft import Draft
    from tacit.model import Scope
    from tacit.observation import Document


def document_drafts(documents: Iterable[Document], *, user: Scope | None = None) -> Iterator[Draft]:
    """Give the drafts of documents; `user` is whose notes are that belong to no project.

    Records and notes name each other, so all of them are to be given together.
    """
    decisions: list[Document] = []
    notes: list[Document] = []
    for document in documents:
        if document.sort is Sort.DECISION:
            decisions.append(document)
        elif document.sort is Sort.MEMORY:
            notes.append(document)
        else:
            yield from resource_drafts(document)
    yield from decision_drafts(decisions)
    yield from note_drafts(notes, user=user)
