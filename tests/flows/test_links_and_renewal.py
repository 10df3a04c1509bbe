"""A source that is read again is the same memories again; what it links to is found by source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from builders import DAY, an_anchor
from fakes import HashEmbedder
from tacit.body import Episode, Pattern
from tacit.draft import Draft, LinkTo
from tacit.model import Kind, Origin, Relation, State, Trust
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.write.ended import end_parts

if TYPE_CHECKING:
    from tacit.model import Memory
    from tacit.system import Tacit

TABS = "Makefiles are indented with tabs"
SPACES = "Makefiles are indented with four spaces"


def read(text: str, source: str = "file:a.md#1", **fields: object) -> Draft:
    """Give what a reader of sources makes: its source is its name, and it renews."""
    made = {"origin": Origin.EXTRACTED, "trust": Trust.AGENT, "renews": True}
    return Draft(text=text, source_ref=source, **made | fields)


def exported(tacit: Tacit) -> str:
    """Give all there is."""
    return "".join(tacit.export())


def only(tacit: Tacit) -> Memory:
    """Give the one memory there is, in whatever state."""
    (memory,) = tacit.store.scan(Filter(states=EVERY_STATE))
    return memory


def every(tacit: Tacit) -> list[Memory]:
    """Give all memories in whatever state, oldest first."""
    return list(tacit.store.scan(Filter(states=EVERY_STATE)))


def links(tacit: Tacit) -> set[tuple[str, str, str]]:
    """Give the links as pairs of sources."""
    source = {memory.id: memory.source_ref for memory in every(tacit)}
    return {(source[k.src], k.relation.value, source[k.dst]) for k in tacit.store.links(None)}


# What a source says anew


def test_a_source_that_says_something_else_is_one_memory_with_a_history(tacit, clock):
    (first,) = tacit.write([read(TABS)]).memories
    clock.advance(days=1)
    written = tacit.write([read(SPACES)])

    assert (written.new, written.renewed) == (0, 1)
    now = only(tacit)
    assert (now.id, now.text, now.rev) == (first.id, SPACES, 2)
    assert now.validity == first.validity
    history = tacit.why(now.id).history
    assert [(r.op, r.memory.text) for r in history] == [("remember", TABS), ("renew", SPACES)]
    assert history[1].by == "file:a.md#1"


def test_a_renewed_text_is_found_by_its_new_words_only(tacit):
    tacit.write([read("The queue is drained by Horizon")])
    tacit.write([read("The queue is drained by Sidekiq")])

    assert [hit.memory.text for hit in tacit.recall("Sidekiq queue", channels=["text"])] == [
        "The queue is drained by Sidekiq"
    ]
    assert tacit.recall("Horizon", channels=["text"]) == []


def test_vectors_follow_a_renewed_text(open_tacit):
    embedder = HashEmbedder()
    tacit = open_tacit(embedder=embedder)
    tacit.write([read("The queue is drained by Horizon")])
    tacit.write([read("Sessions live in Redis for a day")])

    (vector,) = embedder.embed(["Sessions live in Redis for a day"])
    near = tacit.store.compare_vector(embedder.model, vector, [only(tacit).id])
    assert near[only(tacit).id] == pytest.approx(1.0, abs=0.01)
    assert tacit.pending() == 0
    assert tacit.status().vectors == {embedder.model: 1}


def test_a_source_that_says_the_same_changes_nothing_at_all(tacit, clock):
    noon = clock.now()
    drafts = [
        read(TABS, files=("Makefile",), tags=("style",)),
        read(
            "Retry with backoff",
            "file:a.md#2",
            kind=Kind.PATTERN,
            body=Pattern(trigger="a request fails", do="Retry with backoff"),
            anchors=(an_anchor(),),
            links=(LinkTo(relation=Relation.SUPPORTS, source_ref="file:a.md#1"),),
        ),
        read(
            "Moved the checkout",
            "chat:s1#1",
            kind=Kind.EPISODE,
            body=Episode(goal="Move the checkout", outcome="success"),
            session="s1",
            valid_from=noon,
        ),
        read("cache: redis", "file:a.md#3", key="cache", value="redis"),
        read("It was so once", "file:a.md#4", valid_from=noon, valid_to=noon + DAY),
        read("It is put away", "file:a.md#5", state=State.ARCHIVED),
    ]
    first = tacit.write(drafts)
    before = exported(tacit)
    clock.advance(days=1)

    again = tacit.write(drafts)

    assert exported(tacit) == before
    assert (first.new, again.new, again.renewed, again.reinforced) == (6, 0, 0, 0)
    assert [m.id for m in again.memories] == [m.id for m in first.memories]


def test_two_sources_that_say_nearly_the_same_do_not_take_turns(tacit):
    one = read("Deploy with kubectl apply from main", "file:a.md#1", confidence=0.5)
    other = read(
        "Deploy with kubectl apply, from main!",
        "file:b.md#1",
        confidence=0.5,
        files=("deploy.sh",),
    )
    for given in (one, other):
        tacit.write([given])
    before = exported(tacit)

    for given in (one, other, one):
        tacit.write([given])

    assert exported(tacit) == before
    assert only(tacit).confidence == pytest.approx(0.625)
    assert "deploy.sh" in {mention.facet.name for mention in only(tacit).mentions}


def test_two_files_that_say_the_same_do_not_take_turns_in_the_anchors(tacit):
    drafts = [
        read(TABS, "file:a.md#1", anchors=(an_anchor("a.md"),)),
        read(TABS, "file:b.md#1", anchors=(an_anchor("b.md"),)),
    ]
    tacit.write(drafts)
    before = exported(tacit)

    tacit.write(drafts)

    assert exported(tacit) == before
    assert [anchor.path for anchor in only(tacit).anchors] == ["a.md"]


def test_a_file_that_changed_elsewhere_is_seen_to_hold_again(tacit):
    tacit.write([read(TABS, anchors=(an_anchor(held="then"),))])

    written = tacit.write([read(TABS, anchors=(an_anchor(held="now"),))])

    assert only(tacit).anchors == (an_anchor(held="now"),)
    assert written.renewed == 1


def test_a_source_twice_in_one_batch_is_one_memory(tacit):
    written = tacit.write([read(TABS), read(SPACES)])

    assert written.new == 1
    assert (only(tacit).text, only(tacit).rev) == (SPACES, 1)


def test_sources_are_told_apart_by_scope_and_kind(tacit):
    written = tacit.write(
        [read(TABS), read(SPACES, kind=Kind.PATTERN), read("Something else", "file:a.md#10")]
    )

    assert written.new == 3


def test_a_draft_that_does_not_renew_leaves_the_earlier_one(tacit):
    tacit.write([read(TABS)])

    tacit.write([read("Sessions live in Redis for a day", renews=False)])

    assert {memory.text for memory in every(tacit)} == {TABS, "Sessions live in Redis for a day"}


# What stays as it is


def test_what_a_person_has_put_in_other_words_stays(tacit):
    (made,) = tacit.write([read(TABS)]).memories
    tacit.edit(made.id, "Makefiles need tabs", by="ana")
    before = exported(tacit)

    written = tacit.write([read(SPACES)])

    assert exported(tacit) == before
    assert (written.new, written.renewed) == (0, 0)
    assert written.memories[0].text == "Makefiles need tabs"


def test_what_a_person_confirmed_stays(tacit):
    (made,) = tacit.write([read(TABS, state=State.CANDIDATE)]).memories
    tacit.accept(made.id, by="ana")
    before = exported(tacit)

    tacit.write([read(SPACES, state=State.CANDIDATE)])

    assert exported(tacit) == before


@pytest.mark.parametrize("text", [TABS, SPACES])
def test_what_a_person_forgot_stays_forgotten(tacit, text):
    (made,) = tacit.write([read(TABS)]).memories
    tacit.forget(made.id, by="ana")
    before = exported(tacit)

    written = tacit.write([read(text)])

    assert exported(tacit) == before
    assert written.new == 0
    assert tacit.list() == []


def test_tier_pin_and_importance_that_were_set_stay_with_the_new_text(tacit):
    (made,) = tacit.write([read(TABS)]).memories
    tacit.set(made.id, tier="guardrail", pinned=True, importance=0.9, by="ana")

    tacit.write([read(SPACES)])

    now = only(tacit)
    assert (now.text, now.tier, now.pinned, now.importance) == (SPACES, "guardrail", True, 0.9)


# What a source no longer says


def test_what_ended_and_comes_back_is_live_again(tacit, clock):
    tacit.write([read(TABS)])
    clock.advance(days=1)
    end_parts(tacit.store, "file:a.md", keep=(), now=clock.now())
    clock.advance(days=1)
    assert tacit.list() == []

    written = tacit.write([read(TABS)])

    (live,) = tacit.list()
    assert written.new == 1
    assert live.validity.valid_from == clock.now()
    before = exported(tacit)
    clock.advance(days=1)
    tacit.write([read(TABS)])
    assert exported(tacit) == before


def test_what_ended_and_comes_back_in_other_words_leaves_the_past_alone(tacit, clock):
    (made,) = tacit.write([read(TABS)]).memories
    clock.advance(days=1)
    end_parts(tacit.store, "file:a.md", keep=(), now=clock.now())
    clock.advance(days=1)

    tacit.write([read(SPACES)])

    assert [memory.text for memory in tacit.list()] == [SPACES]
    assert tacit.get(made.id).text == TABS


# Facts with a key


def test_a_fact_with_a_key_is_superseded_and_never_rewritten(tacit, clock):
    (old,) = tacit.write([read("cache: redis", key="cache", value="redis")]).memories
    noon = clock.now()
    clock.advance(days=1)

    written = tacit.write([read("cache: valkey", key="cache", value="valkey")])

    assert (written.new, written.renewed, written.closed) == (1, 0, (old.id,))
    assert [memory.text for memory in tacit.list()] == ["cache: valkey"]
    assert [memory.text for memory in tacit.list(as_of=noon)] == ["cache: redis"]


# Evidence


def test_the_same_source_strengthens_a_memory_once(tacit):
    tacit.remember("Deploy with kubectl apply from main", confidence=0.5)
    again = "Deploy with kubectl apply, from main!"

    for source in ("chat:s1#1", "chat:s1#1", "chat:s2#1", "chat:s1#1"):
        tacit.write([read(again, source)])

    assert only(tacit).confidence == pytest.approx(1 - 0.5 * 0.75**2)
    assert [r.by for r in tacit.why(only(tacit).id).history if r.op == "reinforce"] == [
        "chat:s1#1",
        "chat:s2#1",
    ]


def test_a_memory_is_no_evidence_for_itself(tacit):
    words = "Deploy with kubectl apply from main"
    tacit.write([read(words, "chat:s1#1", confidence=0.5, renews=False)])

    tacit.write([read("Deploy with kubectl apply, from main!", "chat:s1#1", renews=False)])

    assert only(tacit).confidence == 0.5


# Links


def supports(*sources: str, **fields: object) -> tuple[LinkTo, ...]:
    """Give links to sources."""
    return tuple(LinkTo(relation=Relation.SUPPORTS, source_ref=s, **fields) for s in sources)


def test_a_link_finds_its_other_end_in_the_batch_in_either_order(tacit):
    tacit.write(
        [
            read("One thing", "a#1", links=supports("a#2")),
            read("Another matter", "a#2", links=supports("a#1", weight=0.5)),
        ]
    )

    assert links(tacit) == {("a#1", "supports", "a#2"), ("a#2", "supports", "a#1")}
    assert {link.weight for link in tacit.store.links(None)} == {1.0, 0.5}
    assert {link.origin for link in tacit.store.links(None)} == {Origin.EXTRACTED}


def test_a_link_finds_its_other_end_among_what_was_written_before(tacit):
    tacit.write([read("One thing", "a#1")])

    tacit.write([read("Another matter", "a#2", links=supports("a#1"))])

    assert links(tacit) == {("a#2", "supports", "a#1")}


def test_a_link_to_what_is_unknown_or_to_itself_is_left_out(tacit):
    tacit.write([read("One thing", "a#1", links=supports("a#10", "a", "", "a#1"))])

    assert tacit.store.links(None) == []


def test_a_link_to_what_comes_later_is_made_when_its_source_is_read_again(tacit):
    one = read("One thing", "a#1", links=supports("a#2"))
    tacit.write([one])
    tacit.write([read("Another matter", "a#2")])

    tacit.write([one])

    assert links(tacit) == {("a#1", "supports", "a#2")}


def test_a_link_that_is_there_is_not_made_again(tacit, clock):
    drafts = [read("One thing", "a#1", links=supports("a#2", "a#2")), read("Another matter", "a#2")]
    tacit.write(drafts)
    before = tacit.store.links(None)
    clock.advance(days=1)

    tacit.write(drafts)

    assert len(before) == 1
    assert tacit.store.links(None) == before


def test_a_source_that_only_repeats_is_linked_by_the_memory_that_says_it(tacit):
    tacit.write([read(TABS, "a#1")])

    tacit.write([read(TABS, "b#1"), read("Another matter", "b#2", links=supports("b#1"))])

    assert links(tacit) == {("b#2", "supports", "a#1")}


def test_a_link_whose_ends_are_one_memory_is_left_out(tacit):
    tacit.write([read(TABS, "a#1"), read(TABS, "b#1", links=supports("a#1"))])

    assert len(every(tacit)) == 1
    assert tacit.store.links(None) == []


def test_a_link_by_a_source_that_held_a_secret_finds_its_other_end(tacit):
    secret = "file:AK" + "IA" + "IOSFODNN7" + "EXAMPLE" + "#1"

    tacit.write([read("One thing", secret), read("Another matter", "a#2", links=supports(secret))])

    assert len(tacit.store.links(None)) == 1
    assert "IOSFODNN7" not in exported(tacit)


# What a source says is over


def test_an_end_that_a_source_tells_was_not_known_before(tacit, clock):
    start = clock.now() - 30 * DAY
    tacit.write([read(TABS, valid_from=start)])
    before = clock.now()
    clock.advance(days=10)
    tacit.write([read(TABS, valid_from=start, valid_to=clock.now() - 3 * DAY)])
    learnt = clock.now()
    clock.advance(days=1)
    yesterday = {"as_of": learnt - DAY}

    assert only(tacit).retired_at == learnt
    assert tacit.recall(TABS) == []
    for find in (tacit.recall, lambda _text, **times: tacit.list(**times)):
        assert find(TABS, **yesterday) == []
        assert find(TABS, **yesterday, known_at=learnt) == []
        assert find(TABS, **yesterday, known_at=before)
        assert find(TABS, as_of=learnt - 5 * DAY)
    last = tacit.learnt()[-1]
    assert (last.event, last.at) == ("retired", learnt)


def test_what_is_over_is_not_kept_again_however_often_its_source_is_read(tacit, clock):
    start, end = clock.now() - 30 * DAY, clock.now() - 3 * DAY
    tacit.write([read(TABS, valid_from=start)])
    tacit.write([read(TABS, valid_from=start, valid_to=end)])
    before = exported(tacit)
    for text in (TABS, SPACES):
        clock.advance(days=1)
        written = tacit.write([read(text, valid_from=start, valid_to=end)])
        assert (written.new, written.renewed) == (0, 0)

    assert exported(tacit) == before


def test_what_a_source_no_longer_says_is_over_holds_anew(tacit, clock):
    start, end = clock.now() - 30 * DAY, clock.now() - 3 * DAY
    tacit.write([read(TABS, valid_from=start)])
    tacit.write([read(TABS, valid_from=start, valid_to=end)])
    clock.advance(days=1)

    (again,) = tacit.write([read(TABS)]).memories

    assert [memory.id for memory in tacit.list()] == [again.id]
    assert len(every(tacit)) == 2


def test_what_will_end_follows_its_source_until_then_and_is_one_memory(tacit, clock):
    end = clock.now() + 9 * DAY
    tacit.write([read(TABS)])
    for text in (TABS, SPACES):
        clock.advance(days=1)
        tacit.write([read(text, valid_to=end)])

    assert (only(tacit).text, only(tacit).validity.valid_to) == (SPACES, end)
    assert [hit.memory.text for hit in tacit.recall(SPACES)] == [SPACES]
    clock.set(end)
    assert tacit.list() == []
