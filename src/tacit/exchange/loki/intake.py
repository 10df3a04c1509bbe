"""What is gathered while a memory is read: drafts, the records they came from, and links.

Every record is kept as a document under the source of its draft, every file of many records
as the order they had, so that the way back loses nothing.
"""

from __future__ import annotations

import json

from tacit.draft import LinkTo
from tacit.exchange.loki import links, patterns
from tacit.exchange.loki.blocks import CONTINUITY
from tacit.exchange.loki.names import LOST, document, ref_of
from tacit.model import Polarity, Relation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.draft import Draft
    from tacit.exchange.loki.folder import Folder
    from tacit.exchange.loki.links import Said
    from tacit.exchange.loki.record import Record

    Read = Callable[[Record, str], Draft | None]


class Intake:
    """One folder on its way in; `beside` is where CONTINUITY.md and the queue are."""

    def __init__(
        self, folder: Folder, beside: Folder, prefix: str, wanted: Callable[[Record], bool]
    ) -> None:
        self.folder, self._beside = folder, beside
        self.prefix, self.wanted = prefix, wanted
        self.counts = folder.counts
        self.drafts: dict[str, Draft] = {}
        self.documents: dict[str, str] = {}
        self.links: list[Said] = []
        self._sorts: dict[str, str] = {}  # ref → what sort of record has it
        self._refs: dict[str, str] = {}  # id as the files say it → ref
        self._ids: dict[str, str] = {}  # and back
        self._warned: dict[str, str] = {}  # a warning's form → ref
        self._files: list[str] = []

    def home(self, path: str) -> Folder:
        """Give the folder that a path is in."""
        return self._beside if path in (LOST, CONTINUITY) else self.folder

    def take(
        self, sort: str, id_: str, record: Record, path: str, read: Read, ref: str = ""
    ) -> str | None:
        """Take one record in; give its ref, or None where there is nothing in it to keep."""
        if not self.wanted(record):
            self.counts["of another namespace"] += 1
            return None
        ref = self._free(ref or ref_of(self.prefix, id_), sort)
        draft = read(record, ref)
        if draft is None:
            self.counts["empty"] += 1
            return None
        if ref in self.drafts:
            self.counts["same id again"] += 1
        else:
            self.counts[draft.body.kind if draft.body else draft.kind.value] += 1
        self.drafts[ref] = self._dated(draft, path)
        self._sorts[ref] = sort
        self.also(ref, id_)
        self._ids[ref] = id_
        self.links += links.embedded(record, id_)
        self.keep(ref, {"path": path, "record": record})
        return ref

    def also(self, ref: str, id_: str) -> None:
        """Let an id name a source, unless it names another."""
        self._refs.setdefault(id_, ref)

    def take_again(self, ref: str, record: Record, path: str) -> str:
        """Keep a record that says once more what another said; give its document's name."""
        name = f"{ref}#{document(path)}"
        self.keep(name, {"path": path, "record": record})
        self.links += links.embedded(record, self._ids[ref])
        return name

    def warned_of(self, record: Record) -> str | None:
        """Give the ref of what warns of the same already."""
        forms = patterns.same_lesson(record)
        return next((self._warned[form] for form in forms if form in self._warned), None)

    def warn(self, ref: str, record: Record) -> None:
        """Remember what a record warns of, if it does."""
        if self.drafts[ref].polarity is Polarity.AVOID:
            for form in patterns.same_lesson(record):
                self._warned.setdefault(form, ref)

    def keep_file(self, path: str, value: Record) -> None:
        """Keep what is to be known of a file on the way back."""
        self._files.append(path)
        self.keep(ref_of(self.prefix, "", document(path)), value)

    def keep(self, name: str, value: Record) -> None:
        """Keep a document."""
        self.documents[name] = json.dumps(value, ensure_ascii=False)

    def finish(self) -> None:
        """Give every draft its links, and write down what there was."""
        self._join()
        manifest: Record = {"files": list(self._files), "refs": list(self.drafts)}
        self.keep(ref_of(self.prefix, "", document("manifest")), manifest)

    def _free(self, ref: str, sort: str) -> str:
        """Give a ref that no record of another sort has."""
        return ref if self._sorts.get(ref, sort) == sort else f"{ref}#{sort}"

    def _dated(self, draft: Draft, path: str) -> Draft:
        """Nothing happened after it was written down, whatever a wrong clock says."""
        written = self.home(path).written(path)
        if draft.valid_from and written and draft.valid_from > written:
            self.counts["dated after its file"] += 1
            return draft.replace(valid_from=written)
        return draft

    def _join(self) -> None:
        """A link that its other end says is turned round; one from nowhere is left out."""
        joined: dict[str, dict[tuple[str, str], LinkTo]] = {}
        for said in self.links:
            if not said.known:
                self.counts["link not understood"] += 1
                continue
            src, relation, dst = said.key
            src, dst = self._ref(src), self._ref(dst)
            if src not in self.drafts:
                self.counts["link from nowhere"] += 1
                continue
            to = LinkTo(relation=Relation(relation), source_ref=dst, weight=said.weight)
            joined.setdefault(src, {}).setdefault((relation, dst), to)
        for src, found in joined.items():
            self.drafts[src] = self.drafts[src].replace(links=tuple(found.values()))
            for relation, dst in found:
                if relation == Relation.SUPERSEDES:
                    self._end(self.drafts[src], dst)

    def _end(self, newer: Draft, older: str) -> None:
        """What was replaced held until then, where both times are known."""
        old = self.drafts.get(older)
        if old is None or getattr(old.body, "key", None):
            return  # of a fact with a key the line of its values decides
        if old.valid_from and newer.valid_from and old.valid_from < newer.valid_from:
            self.drafts[older] = old.replace(valid_to=newer.valid_from)

    def _ref(self, id_: str) -> str:
        return self._refs.get(id_) or ref_of(self.prefix, id_)
