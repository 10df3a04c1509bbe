"""One transaction's decisions: what is new, what says the same, what is ended, what is linked."""

from __future__ import annotations

from tacit.encode.conclusions import DECISION
from tacit.encode.levels import make_levels
from tacit.model import Kind, Link, Origin, Relation, State, Trust
from tacit.store.protocol import EVERYTHING, SERVED, Filter, Vector
from tacit.text import query_terms
from tacit.write.again import Again, is_news, note_of, said_again, said_anew
from tacit.write.amend import STILL, amended_by, upheld
from tacit.write.history import PROMOTED, as_memory, revised
from tacit.write.identity import audience, hash_of, renamed, short_of
from tacit.write.reinforce import find_same, reinforced
from tacit.write.relate import asked_for, find_related, keywords, told_of
from tacit.write.renew import is_over, renewed, verified
from tacit.write.settle import close, settle, supersedes, value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.draft import Draft, LinkTo
    from tacit.encode.ports import Embedder, TokenCounter
    from tacit.model import Contradiction, Memory, Revision
    from tacit.store.protocol import Store


CANDIDATES = 20  # decisions among which the amended one is looked for
MERGED = "merge"  # the last verb in the history of what says the same as another


class Batch:
    """Decides about memories one by one against what is there, then writes them all."""

    def __init__(
        self,
        store: Store,
        now: datetime,
        vectors: dict[str, bytes],
        embedder: Embedder | None,
        *,
        compare: bool,
        counter: TokenCounter,
        new_id: Callable[[], str],
    ) -> None:
        self._store, self._now, self._new_id = store, now, new_id
        self._vectors, self._embedder, self._compare = vectors, embedder, compare
        self._counter = counter
        self.new: dict[str, Memory] = {}
        self.reinforced: set[str] = set()
        self.renewed: set[str] = set()
        self.closed: list[str] = []
        self.contradictions: list[Contradiction] = []
        self._changed: dict[str, Memory] = {}
        self._revisions: dict[str, list[Revision]] = {}  # those to add, by memory
        self._links: list[Link] = []
        self._by_hash: dict[tuple[str, str, str], Memory] = {}
        self._lines: dict[tuple[str, str, str], dict[str, Memory]] = {}
        self._last: dict[str, str] = {}
        self._by_source: dict[tuple[str, str, str], Memory] = {}
        self._over: dict[tuple[str, str, str], Memory] = {}  # the same, of those with an end
        self._made_from: dict[str, str] = {}  # source → the memory made from it in this batch
        self._links_to: list[tuple[str, LinkTo]] = []

    def open(self, fresh: Sequence[Memory], drafts: Sequence[Draft]) -> None:
        """Read what the batch will be decided against."""
        renewing = tuple({given.source_ref for given in drafts if given.renews})
        if renewing:
            for memory in self._store.scan(EVERYTHING.replace(sources=renewing)):
                if memory.retired_at is None:
                    self._by_source.setdefault(_source(memory), memory)
                else:
                    self._over[_source(memory)] = memory
        hashes = EVERYTHING.replace(hashes=tuple({m.hash for m in fresh}))
        for memory in self._store.scan(hashes):
            name = _content(memory)
            if name not in self._by_hash or memory.retired_at is None:  # a live one comes first
                self._by_hash[name] = self._stands_for(memory) or memory
        keys = tuple({m.key for m in fresh if m.key})
        if keys:
            for memory in self._store.scan(Filter(kinds=(Kind.FACT,), keys=keys, evidence=None)):
                self._line(memory)[memory.id] = memory
        for session in {m.session for m in fresh if m.session}:
            where = EVERYTHING.replace(sessions=(session,))
            for memory in self._store.scan(where, order="-id", limit=1):
                self._last[session] = memory.id

    def _stands_for(self, memory: Memory) -> Memory | None:
        """Give what took a memory in because it says the same; None when it was not merged."""
        while memory.retired_at is not None:
            if not any(each.op == MERGED for each in self._history(memory)[-1:]):
                return None
            links = self._store.links([memory.id], (Relation.SUPERSEDES,))
            winners = self._store.get([link.src for link in links if link.dst == memory.id])
            if not winners:
                return None
            memory = winners[-1]
        return memory

    def add(self, memory: Memory, given: Draft) -> Memory:
        """Decide about one memory; give it, or the one that says the same already."""
        kept = self._add(memory, renews=given.renews)
        if given.source_ref:
            self._made_from.setdefault(given.source_ref, kept.id)
        self._links_to += [(kept.id, link) for link in given.links]
        return kept

    def _add(self, memory: Memory, *, renews: bool) -> Memory:
        # A fact with a key is ended by the next one and never rewritten: it held in its time.
        if renews and not memory.key and (made := self._by_source.get(_source(memory))):
            made = self.final(made)
            return made if _is_told(memory, made) else self._renew(made, memory)
        over = self._over.get(_source(memory))
        if over is not None and _is_told(memory, over):
            return over  # it was amended since: reading it again changes nothing
        if renews and not memory.key and memory.validity.valid_to and (over := self._ends(memory)):
            return over
        known = self._by_hash.get(_content(memory))
        if known is not None and known.retired_at is not None and not known.key:
            known = None  # it had ended, and is said again: it holds anew
        if known is not None and known.key:
            known = self._restated(memory)
        if known is not None:
            return self._met_again(known, memory)
        if memory.key:
            return self._add_fact(memory)
        if memory.subtype == DECISION and (kept := self._amend(memory)):
            return kept
        if (
            self._compare
            and not memory.evidence
            and memory.kind in (Kind.FACT, Kind.PATTERN, Kind.SKILL)
        ):
            model = self._embedder.model if self._embedder else ""
            same = find_same(self._store, memory, model, self._vectors.get(memory.id), self._now)
            if same is not None:
                return self._reinforce(self._changed.get(same.id, same), memory)
            self._relate(memory, model)
        return self._keep(memory)

    def _amend(self, memory: Memory) -> Memory | None:
        """Keep a decision that amends another or is amended; the earlier of both ends."""
        where = Filter(at=self._now, current=True, subtypes=(DECISION,), scopes=(memory.scope,))
        found = self._store.match_text(query_terms(memory.text), where, limit=CANDIDATES)
        known = {m.id: self.final(m) for m in self._store.get([match.id for match in found])}
        known |= {m.id: m for m in self.new.values() if m.subtype == DECISION}
        live = [other for other in known.values() if other.retired_at is None]
        if over := amended_by(memory, live):
            self._supersede(over, memory)
            return self._keep(self._with_upheld(memory, over))
        later = next((one for one in live if amended_by(one, [memory])), None)
        if later is None:
            return None
        self._keep(memory)  # it was read late
        self._supersede(memory, later)
        self._change(later, self._with_upheld(later, memory), "amend", memory.source_ref)
        return self.final(memory)

    def _supersede(self, over: Memory, by: Memory) -> None:
        ended = close(over, by.validity.valid_from, self._now)
        self.closed.append(over.id)
        self._change(over, ended, "supersede", by.author or by.source_ref)
        self._links.append(supersedes(by, over, self._now))

    def _with_upheld(self, memory: Memory, over: Memory) -> Memory:
        still = upheld(over.text, memory.text)
        if not still:
            return memory
        text = f"{memory.text}\n{STILL}{still}"
        levels = make_levels(
            text,
            self._counter,
            short=memory.short,
            summary=f"{memory.levels.summary}\n{STILL}{still}",
            hint=memory.levels.hint,
            title=memory.levels.title,
        )
        return memory.replace(levels=levels, hash=hash_of(memory, text))

    def _relate(self, memory: Memory, model: str) -> None:
        """Link a new note to its neighbours, and let them know of it."""
        vector = self._vectors.get(memory.id)
        related = find_related(self._store, memory, model, vector, self._now)
        words = keywords(self._store, memory) if related else []
        for each in related:
            known = self._changed.get(each.memory.id, each.memory)
            self._change(known, told_of(known, memory, words, self._counter), "relate", memory.id)
            self._links.append(
                Link(
                    src=memory.id,
                    dst=known.id,
                    relation=Relation.RELATED_TO,
                    weight=each.weight,
                    origin=Origin.EXTRACTED,
                    valid_from=self._now,
                )
            )

    def _renew(self, made: Memory, memory: Memory) -> Memory:
        """Let a memory follow its source, unless a person has put it in other words since."""
        if any(revision.op == "edit" for revision in self._history(made)):
            return made
        if memory.id in self._vectors:
            self._vectors[made.id] = self._vectors.pop(memory.id)
        now = renewed(made, memory)
        if now.evidence is not memory.evidence and not self._lifted(made):
            now = now.replace(evidence=memory.evidence)
        if now != made:
            self.renewed.add(made.id)
        return self._change(made, now, "renew", memory.source_ref)

    def _lifted(self, made: Memory) -> bool:
        """Tell whether use or a person made a memory of what its source gives as evidence."""
        if made.evidence:
            return False
        firm = bool(made.pinned or made.confirmed_by)
        return firm or any(each.op == PROMOTED for each in self._history(made))

    def _ends(self, memory: Memory) -> Memory | None:
        """Give what has the end that its source tells of it still; until then it follows that."""
        over = self._over.get(_source(memory))
        if over and not is_over(over, self._now):
            return self._renew(self.final(over), memory)
        return over if over and over.validity.valid_to == memory.validity.valid_to else None

    def final(self, memory: Memory) -> Memory:
        """Give a memory as it stands at the end of the batch."""
        return self.new.get(memory.id) or self._changed.get(memory.id, memory)

    def flush(self) -> None:
        """Write all decisions."""
        memories = [*self.new.values(), *self._changed.values()]
        self._store.put(self._with_free_shorts(memories))
        self._store.link(
            [*self._links, *asked_for(self._store, self._links_to, self._made_from, self._now)]
        )
        self._store.add_revisions([each for added in self._revisions.values() for each in added])
        self._store.add_contradictions(self.contradictions)
        if self._embedder is not None:
            vectors = [
                Vector(memory_id=m.id, text_hash=m.hash, data=self._vectors[m.id])
                for m in memories
                if m.id in self._vectors
            ]
            self._store.put_vectors(self._embedder.model, vectors)

    def _restated(self, memory: Memory) -> Memory | None:
        """Give this very fact where it holds already, and alone, at the time it is said for."""
        at = memory.validity.valid_from
        holding = [other for other in self._line(memory).values() if other.validity.holds(at)]
        alone = all(other.hash == memory.hash for other in holding)
        firm = [o for o in holding if o.trust.authority >= memory.trust.authority]
        return firm[-1] if firm and alone else None

    def _met_again(self, known: Memory, memory: Memory) -> Memory:
        """Say again what is there: nothing changes, but a person's word revives what was put away."""
        if known.state in (State.ACTIVE, State.CANDIDATE) or memory.trust is not Trust.HUMAN:
            seen, note = verified(known, memory), self._again(known, memory)
            if known.evidence and not memory.evidence:
                return self._change(known, as_memory(seen), PROMOTED, memory.author)
            return self._change(known, seen, "verify", memory.source_ref, note)
        return self._change(
            known, as_memory(known).replace(state=State.ACTIVE), "restore", memory.author
        )

    def _reinforce(self, known: Memory, memory: Memory) -> Memory:
        by, note = memory.source_ref or memory.author, self._again(known, memory)
        if memory.source_ref and not note and self._heard_before(known, by):
            return known
        self.reinforced.add(known.id)
        return self._change(known, reinforced(known, memory), "reinforce", by, note)

    def _again(self, known: Memory, memory: Memory) -> str:
        """Give the note that a fact with a key was said again for a later time; else nothing."""
        read_again = bool(memory.source_ref) and memory.source_ref == known.source_ref
        if not known.key or read_again:
            return ""
        if not is_news(memory, known, said_again(self._history(known))):
            return ""
        return note_of(Again(at=memory.validity.valid_from, trust=memory.trust))

    def _heard_before(self, known: Memory, source: str) -> bool:
        """Tell whether this very source has strengthened it: evidence counts once."""
        if known.source_ref == source:
            return True
        return any(r.op == "reinforce" and r.by == source for r in self._history(known))

    def _history(self, known: Memory) -> list[Revision]:
        """Give the revisions of a memory with those of this batch; of one that never changed none."""
        stored = self._store.revisions([known.id]) if known.rev > 1 else []
        return [*stored, *self._revisions.get(known.id, ())]

    def _add_fact(self, memory: Memory) -> Memory:
        line, start = self._line(memory), memory.validity.valid_from
        again = {known.id: self._said_from(known, start) for known in line.values()}
        later = [
            said_anew(known, each, known.id, self._now)
            for known in line.values()
            if value_of(known) != value_of(memory)
            for each in again[known.id]
        ]
        settled = settle(memory, [*line.values(), *later], now=self._now)
        over = {ended.id: line[ended.id] for ended in settled.closed}
        for ended in settled.closed:
            self.closed.append(ended.id)
            self._change(line[ended.id], ended, "supersede", memory.author)
        if settled.restates is not None:
            kept = self._reinforce(settled.restates, memory)
        else:
            self._links += [link for link in settled.links if link.src not in over]
            self.contradictions += [
                c for c in settled.contradictions if not {c.a, c.b} & over.keys()
            ]
            kept = self._keep(settled.fact)
        for known in over.values():  # what was said again after this came back then
            own = Again(at=known.validity.valid_from, trust=known.trust)
            for each in [own, *again[known.id]] if own.at > start else again[known.id]:
                self._add_fact(said_anew(known, each, self._new_id(), self._now))
        return kept

    def _said_from(self, known: Memory, start: datetime) -> list[Again]:
        """Give for when a fact was said again from a moment on, while it held."""
        end = known.validity.valid_to
        if end is not None and end <= start:
            return []
        said = said_again(self._history(known))
        return [each for each in said if each.at >= start and known.validity.holds(each.at)]

    def _keep(self, memory: Memory) -> Memory:
        self.new[memory.id] = memory
        self._by_hash[_content(memory)] = memory
        if memory.key:
            self._line(memory)[memory.id] = memory
        if memory.source_ref:
            self._by_source.setdefault(_source(memory), memory)
        previous = self._last.get(memory.session) if memory.session else None
        if previous:
            self._links.append(
                Link(
                    src=memory.id,
                    dst=previous,
                    relation=Relation.FOLLOWS,
                    origin=Origin.EXTRACTED,
                    valid_from=self._now,
                )
            )
        if memory.session:
            self._last[memory.session] = memory.id
        return memory

    def _change(self, old: Memory, new: Memory, op: str, by: str, note: str = "") -> Memory:
        """Record a change, or a note; what is made in this batch is replaced until it has a history."""
        if old.id in self.new and old.rev == 1 and not note:
            self.new[new.id] = new
        elif old != new or note:
            new, history = revised(old, new, op=op, by=by, at=self._now, note=note)
            self._revisions.setdefault(new.id, []).extend(history)
            (self.new if old.id in self.new else self._changed)[new.id] = new
        self._by_hash[_content(new)] = new
        if new.key and new.state in SERVED:
            self._line(new)[new.id] = new
        elif new.key:
            self._line(new).pop(new.id, None)
        return new

    def _line(self, memory: Memory) -> dict[str, Memory]:
        return self._lines.setdefault((memory.key, memory.scope.path, audience(memory)), {})

    def _with_free_shorts(self, memories: Sequence[Memory]) -> list[Memory]:
        """Lengthen the short of a new memory where another has it."""
        taken = self._store.shorts([memory.short for memory in self.new.values()])
        out: list[Memory] = []
        for memory in memories:
            if memory.id in self.new and taken.get(memory.short, memory.id) != memory.id:
                longer = short_of(memory.id, taken)
                memory = self.new[memory.id] = renamed(memory, longer)
            taken[memory.short] = memory.id
            out.append(memory)
        return out


def _is_told(memory: Memory, known: Memory) -> bool:
    """Tell whether a decision is known as it is, or with what it upholds."""
    return memory.subtype == DECISION and (
        known.text == memory.text or known.text.startswith(f"{memory.text}\n{STILL}")
    )


def _content(memory: Memory) -> tuple[str, str, str]:
    return memory.hash, memory.scope.path, audience(memory)


def _source(memory: Memory) -> tuple[str, str, str]:
    return memory.source_ref, memory.kind.value, memory.scope.path
