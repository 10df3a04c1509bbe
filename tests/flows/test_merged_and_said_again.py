"""What was merged and is read again from its source is not written anew."""

from fakes import FrozenClock, HashEmbedder, WordCounter
from tacit.draft import Draft
from tacit.model import Scope
from tacit.system import Tacit


def test_a_merged_note_that_its_source_still_says_stays_merged(store):
    tacit = Tacit(
        store,
        scope=Scope(path="project:shop"),
        clock=FrozenClock(),
        embedder=HashEmbedder(),
        counter=WordCounter(),
    )
    texts = (
        "The worker retries a webhook three times",
        "the worker retries a webhook three times.",
    )
    drafts = [
        Draft(text=text, source_ref=f"notes#{number}", renews=True)
        for number, text in enumerate(texts)
    ]
    filler = [Draft(text=f"Filler number {n} says little") for n in range(40)]
    tacit.write([*drafts, *filler])  # so many at once are not compared with each other
    assert tacit.consolidate(only=["merge"]).total("merged") == 1
    before = store.stats().memories

    again = tacit.write([*drafts, *filler])

    assert again.new == 0
    assert store.stats().memories == before
    assert len({memory.id for memory in again.memories[:2]}) == 1
    assert tacit.consolidate(only=["merge"]).total("merged") == 0
