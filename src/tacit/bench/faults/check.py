"""The checker: is what was acknowledged there once, and is all that is there whole?

It asks the store itself, by the calls that the product uses, and gives what is wrong in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from tacit.bench.faults.journal import Told
from tacit.bench.faults.made_up import Step, WordVectors
from tacit.draft import Draft
from tacit.errors import TacitError
from tacit.model import Kind, Memory, State
from tacit.store.protocol import EVERYTHING
from tacit.store.transfer import export_lines, parse_line
from tacit.text import query_terms
from tacit.write.identity import content_hash

if TYPE_CHECKING:
    from tacit.store.protocol import Store


def wrongs(store: Store, told: Sequence[Told], known: Sequence[Step] = ()) -> list[str]:
    """Give all that is wrong with a store whose writers gave these accounts.

    `known` was in the store before, and must be there still.
    """
    try:
        found = list(store.scan(EVERYTHING))
        return [
            *store.check(),
            *_kept(found, told, known),
            *_by_steps(found, told),
            *_from_nowhere(found, told, known),
            *half_there(store, found, _asked(told, known)),
            *overlapping(store, found),
            *unreadable(store),
        ]
    except TacitError as error:
        return [f"the store cannot be read: {type(error).__name__}: {error}"]


def kept_unasked(store: Store, told: Sequence[Told]) -> int:
    """Count the steps that are there though nobody was told so."""
    texts = {memory.text for memory in store.scan(EVERYTHING)}
    return sum(one.steps[n].texts[0] in texts for one in told for n in one.open)


def _kept(found: Sequence[Memory], told: Sequence[Told], known: Sequence[Step]) -> Iterator[str]:
    times = Counter(memory.text for memory in found)
    ids = {memory.id: memory.text for memory in found}
    wanted = [text for step in known for text in step.texts]
    for one in told:
        for number, given in one.acknowledged.items():
            wanted += one.steps[number].texts
            for id_, text in zip(given, one.steps[number].texts, strict=True):
                if ids.get(id_) != text:
                    yield f"lost: {id_} was acknowledged and says {ids.get(id_)!r}, not {text!r}"
    for text in wanted:
        if times[text] != 1:
            yield f"{'lost' if not times[text] else 'twice'}: {text!r} is there {times[text]} times"
    for text, count in times.items():
        if count > 1:
            yield f"twice: {text!r} is there {count} times"


def _by_steps(found: Sequence[Memory], told: Sequence[Told]) -> Iterator[str]:
    texts = {memory.text for memory in found}
    for one in told:
        for number, step in enumerate(one.steps):
            there = sum(text in texts for text in step.texts)
            if there not in (0, len(step.texts)):
                yield f"half a batch: {there} of {len(step.texts)} of step {number}"
            if there and number in one.refused:
                yield f"refused but there: step {number}, {one.refused[number]}"


def _asked(told: Sequence[Told], known: Sequence[Step]) -> dict[str, Draft]:
    steps = [*known, *(one.steps[number] for one in told for number in one.tried)]
    return {given.text: given for step in steps for given in step.drafts}


def _from_nowhere(
    found: Sequence[Memory], told: Sequence[Told], known: Sequence[Step]
) -> Iterator[str]:
    asked = _asked(told, known)
    for memory in found:
        if memory.text not in asked and not memory.origin.value.startswith(("derived", "extract")):
            yield f"from nowhere: {memory.id} says {memory.text!r}"


def half_there(store: Store, found: Sequence[Memory], asked: dict[str, Draft]) -> Iterator[str]:
    """Give what lacks a part that was written with it: mentions, words, vector, history."""
    vectors = store.vectors(WordVectors.model, [memory.id for memory in found])
    history: dict[str, list[Memory]] = {}
    for revision in store.revisions(None):
        history.setdefault(revision.memory.id, []).append(revision.memory)
    for memory in found:
        given = asked.get(memory.text)
        if given is None:
            continue
        names = {mention.facet.name for mention in memory.mentions}
        if not {*given.files, *given.tags} <= names:
            yield f"half there: {memory.id} mentions {sorted(names)}"
        where = EVERYTHING.replace(ids=(memory.id,))
        if not store.match_text(query_terms(given.tags[0]), where, limit=1):
            yield f"half there: {memory.id} is not found by its words"
        if memory.id not in vectors:
            yield f"half there: {memory.id} has no vector"
        if memory.hash != _hash(memory):
            yield f"changed unnoticed: {memory.id} does not fit its hash"
        own = history.get(memory.id, [])
        if memory.rev > 1 and memory not in own:
            yield f"half there: revision {memory.rev} of {memory.id} is not in its history"
        if any(other.rev > memory.rev for other in own):
            yield f"half there: {memory.id} is at revision {memory.rev}, its history goes further"


def unsound(store: Store) -> Iterator[str]:
    """Give the memories whose text does not fit their hash."""
    for memory in store.scan(EVERYTHING):
        if memory.hash != _hash(memory):
            yield f"changed unnoticed: {memory.id} does not fit its hash"


def _hash(memory: Memory) -> str:
    return content_hash(
        memory.text,
        memory.body,
        polarity=memory.polarity,
        author=memory.author,
        session=memory.session,
        valid_from=memory.validity.valid_from,
    )


def overlapping(store: Store, found: Sequence[Memory]) -> Iterator[str]:
    """Give live facts of one key that hold at once, where no contradiction says so."""
    excused = {frozenset((one.a, one.b)) for one in store.contradictions()}
    lines: dict[tuple[str, str], list[Memory]] = {}
    for memory in found:
        if memory.kind is Kind.FACT and memory.key and memory.state is State.ACTIVE:
            lines.setdefault((memory.scope.path, memory.key), []).append(memory)
    for line in lines.values():
        for one, other in combinations(sorted(line, key=lambda m: m.validity.valid_from), 2):
            end = one.validity.valid_to
            at_once = end is None or end > other.validity.valid_from
            if at_once and frozenset((one.id, other.id)) not in excused:
                yield f"overlap: {one.id} and {other.id} both hold for {one.key}"


def unreadable(store: Store) -> Iterator[str]:
    """Give the lines of an export that cannot be read back, and links that lead nowhere."""
    ids = {memory.id for memory in store.scan(EVERYTHING)}
    for number, line in enumerate(export_lines(store), 1):
        if number == 1:
            continue
        try:
            parse_line(line, number)
        except TacitError as error:
            yield f"export: {error}"
    for link in store.links(None):
        if not {link.src, link.dst} <= ids:
            yield f"a link leads nowhere: {link.src} {link.relation} {link.dst}"
