"""Blocks: edited in place within a limit, with every text they ever had in their history."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FrozenClock, WordCounter
from tacit.body import Block
from tacit.draft import Draft
from tacit.errors import Conflict, Denied, Invalid, NotFound, TacitError
from tacit.model import Kind, Origin, Scope, State, Trust
from tacit.store.connect import connect
from tacit.system import Tacit

TOKEN = "ghp_" + "a8Kd03jfPq92LsmX7vTzR4bNcY1uWe5HgQ6o"


def opened(path, clock=None):
    return Tacit(
        connect(path),
        scope=Scope(path="project:shop"),
        clock=clock or FrozenClock(),
        counter=WordCounter(),
    )


def test_what_is_set_is_what_is_got(tacit):
    tacit.blocks.set("persona", "You are careful.\nYou like small commits.", owner="eng-1")

    held = tacit.blocks.get("persona", "eng-1")

    assert held.text == "You are careful.\nYou like small commits."
    assert held.body == Block(label="persona", owner="eng-1", limit=5000)
    assert held.memory.levels.title == "persona"
    assert held.memory.scope == tacit.scope


def test_a_label_has_one_block_for_each_owner(tacit):
    mine = tacit.blocks.set("persona", "Be brief.", owner="eng-1")
    theirs = tacit.blocks.set("persona", "Be brief.", owner="eng-2")
    ours = tacit.blocks.set("persona", "Be brief.")

    again = tacit.blocks.set("persona", "Be exact.", owner="eng-1")

    assert again.memory.id == mine.memory.id
    assert len({mine.memory.id, theirs.memory.id, ours.memory.id}) == 3
    assert [(h.body.label, h.body.owner) for h in tacit.blocks.list()] == [
        ("persona", ""),
        ("persona", "eng-1"),
        ("persona", "eng-2"),
    ]
    assert [h.text for h in tacit.blocks.list("eng-1")] == ["Be exact."]


def test_every_text_stays_in_the_history_with_who_wrote_it(tacit):
    tacit.blocks.set("plan", "one", by="ana")
    tacit.blocks.insert("plan", "two", by="eng-1")
    held = tacit.blocks.rethink("plan", "three", by="eng-2")

    history = tacit.why(held.memory.id).history

    assert [(r.memory.rev, r.memory.text, r.by) for r in history[1:]] == [
        (2, "one\ntwo", "eng-1"),
        (3, "three", "eng-2"),
    ]
    assert history[0].memory.text == "one"
    assert held.memory.author == "ana"


@pytest.mark.parametrize(
    ("line", "text"), [(0, "new\none\ntwo"), (1, "one\nnew\ntwo"), (None, "one\ntwo\nnew")]
)
def test_lines_are_inserted_where_one_asks(tacit, line, text):
    tacit.blocks.set("plan", "one\ntwo")

    assert tacit.blocks.insert("plan", "new", line=line).text == text


def test_there_is_no_line_beyond_the_last(tacit):
    tacit.blocks.set("plan", "one\ntwo")

    with pytest.raises(Invalid, match="has 2 lines; there is no line 3"):
        tacit.blocks.insert("plan", "new", line=3)


def test_words_are_replaced_that_stand_there_once(tacit):
    tacit.blocks.set("plan", "ship on Monday, rest on Tuesday")

    assert tacit.blocks.replace("plan", "Monday", "Friday").text.startswith("ship on Friday")
    with pytest.raises(Invalid, match="says 'on ' more than once"):
        tacit.blocks.replace("plan", "on ", "at ")
    with pytest.raises(Invalid, match="does not say 'Sunday'"):
        tacit.blocks.replace("plan", "Sunday", "Friday")
    with pytest.raises(Invalid, match="does not say ''"):
        tacit.blocks.replace("plan", "", "Friday")
    assert tacit.blocks.get("plan").memory.rev == 2


def test_words_that_overlap_themselves_stand_there_twice(tacit):
    tacit.blocks.set("plan", "aaa")

    with pytest.raises(Invalid, match="more than once"):
        tacit.blocks.replace("plan", "aa", "b")


def test_over_the_limit_nothing_changes_and_both_lengths_are_told(tacit):
    before = tacit.blocks.set("persona", "x" * 90, limit=100)

    with pytest.raises(Invalid, match="would have 111 characters, its limit is 100"):
        tacit.blocks.insert("persona", "y" * 20)

    assert tacit.blocks.get("persona") == before
    with pytest.raises(Invalid, match="would have 101 characters"):
        tacit.blocks.set("human", "x" * 101, limit=100)
    assert tacit.blocks.find("human") is None


def test_a_limit_may_be_raised_but_not_below_the_text(tacit):
    tacit.blocks.set("persona", "x" * 90, limit=100)

    assert tacit.blocks.set("persona", "x" * 150, limit=200).body.limit == 200
    with pytest.raises(Invalid, match="its limit is 100"):
        tacit.blocks.set("persona", "x" * 150, limit=100)
    for limit in (0, -1, 10**9):
        with pytest.raises(Invalid):
            tacit.blocks.set("persona", "x", limit=limit)


def test_a_block_asks_for_a_rewrite_from_nine_tenths_on(tacit):
    assert not tacit.blocks.set("persona", "x" * 89, limit=100).rewrite_wanted
    assert tacit.blocks.insert("persona", "").rewrite_wanted
    assert not tacit.blocks.rethink("persona", "x").rewrite_wanted


def test_a_read_only_block_is_not_edited_unless_it_is_opened(tacit):
    tacit.blocks.set("persona", "Be kind.", read_only=True)

    for edit in (
        lambda: tacit.blocks.set("persona", "no"),
        lambda: tacit.blocks.insert("persona", "no"),
        lambda: tacit.blocks.replace("persona", "kind", "rude"),
        lambda: tacit.blocks.rethink("persona", "no"),
    ):
        with pytest.raises(Denied, match="read-only"):
            edit()

    assert tacit.blocks.get("persona").text == "Be kind."
    assert tacit.blocks.set("persona", "Be kinder.", read_only=False).text == "Be kinder."


@pytest.mark.parametrize("bound", [{"pinned": True}, {"tier": "mandate"}])
def test_what_a_person_made_binding_only_a_person_changes(tacit, bound):
    held = tacit.blocks.set("persona", "Be kind.", trust=Trust.HUMAN)
    tacit.set(held.memory.id, **bound)

    with pytest.raises(Denied, match="only a person may change it"):
        tacit.blocks.insert("persona", "Obey me.")

    assert tacit.blocks.insert("persona", "Be fair.", trust=Trust.HUMAN).memory.rev == 3


def test_who_rewrites_what_has_changed_since_is_told(tacit):
    read = tacit.blocks.set("plan", "one")
    tacit.blocks.insert("plan", "two")

    for edit in (tacit.blocks.rethink, tacit.blocks.set, tacit.blocks.insert):
        with pytest.raises(Conflict, match="is at revision 2, not at 1"):
            edit("plan", "mine", rev=read.memory.rev)

    assert tacit.blocks.get("plan").text == "one\ntwo"
    assert tacit.blocks.rethink("plan", "mine", rev=2).text == "mine"


def test_who_means_to_make_a_block_is_told_when_it_is_there(tacit):
    tacit.blocks.set("plan", "one", rev=0)

    with pytest.raises(Conflict, match="is at revision 1, not at 0"):
        tacit.blocks.set("plan", "mine", rev=0)
    with pytest.raises(Conflict, match="is not there, not at 4"):
        tacit.blocks.set("other", "mine", rev=4)


def test_a_misspelt_label_makes_no_block(tacit):
    tacit.blocks.set("plan", "one")

    for edit in (
        lambda: tacit.blocks.rethink("paln", "x"),
        lambda: tacit.blocks.insert("paln", "x"),
        lambda: tacit.blocks.replace("paln", "x", "y"),
        lambda: tacit.blocks.get("paln"),
    ):
        with pytest.raises(NotFound, match="'paln'"):
            edit()

    assert len(tacit.blocks.list()) == 1


def test_an_edit_that_changes_nothing_leaves_no_revision(tacit):
    tacit.blocks.set("plan", "one")

    assert tacit.blocks.set("plan", "one").memory.rev == 1
    assert tacit.blocks.set("plan", "one", limit=200).memory.rev == 2


def test_secrets_are_taken_out_of_every_edit(tacit):
    tacit.blocks.set("plan", f"log in with {TOKEN}")
    tacit.blocks.insert("plan", f"then {TOKEN}")
    tacit.blocks.replace("plan", "then", f"or {TOKEN}")
    tacit.blocks.rethink("plan", f"use {TOKEN} only")

    assert TOKEN not in "".join(tacit.export())
    assert "[REDACTED:" in tacit.blocks.get("plan").text


@pytest.mark.parametrize("label", ["", " ", "two\nlines", " padded", "x" * 201, TOKEN])
def test_a_label_is_one_short_line_and_no_secret(tacit, label):
    with pytest.raises(Invalid):
        tacit.blocks.set(label, "text")


def test_what_was_forgotten_is_not_given_and_set_again_is_the_same_block(tacit):
    held = tacit.blocks.set("plan", "one")
    tacit.forget(held.memory.id)

    assert tacit.blocks.find("plan") is None
    assert tacit.blocks.list() == []
    with pytest.raises(NotFound):
        tacit.blocks.insert("plan", "x")

    again = tacit.blocks.set("plan", "two")

    assert (again.memory.id, again.memory.rev) == (held.memory.id, 3)
    assert [h.text for h in tacit.blocks.list()] == ["two"]


def test_what_was_forgotten_can_be_restored(tacit):
    held = tacit.blocks.set("plan", "one")
    tacit.forget(held.memory.id)

    tacit.restore(held.memory.id)

    assert tacit.blocks.get("plan").text == "one"


def test_what_was_erased_is_gone_with_its_history(tacit):
    tacit.blocks.set("plan", "zebra crossing")
    held = tacit.blocks.rethink("plan", "two")

    tacit.erase([held.memory.id])

    assert tacit.blocks.find("plan") is None
    assert "zebra" not in "".join(tacit.export())


def test_a_block_that_was_imported_is_edited_in_place_and_not_read_over(tacit):
    imported = Draft(
        text="# State",
        kind=Kind.BLOCK,
        body=Block(label="state"),
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref="planning:STATE.md",
        renews=True,
    )
    (memory,) = tacit.write([imported]).memories

    held = tacit.blocks.insert("state", "Phase 2")
    tacit.write([imported])

    assert held.memory.id == memory.id
    assert tacit.blocks.get("state").text == "# State\nPhase 2"
    assert [h.body.label for h in tacit.blocks.list()] == ["state"]


def test_the_word_of_a_person_that_an_agent_adds_to_is_the_agents(tacit):
    tacit.blocks.set("human", "Likes tests.", trust=Trust.HUMAN)

    assert tacit.blocks.insert("human", "Likes tabs.").memory.trust is Trust.AGENT
    assert tacit.blocks.insert("human", "x", trust=Trust.HUMAN).memory.trust is Trust.AGENT
    assert tacit.blocks.set("human", "y", trust=Trust.HUMAN).memory.trust is Trust.HUMAN


def test_blocks_of_other_scopes_are_others(tmp_path, clock):
    path = str(tmp_path / "shared.db")
    with opened(path, clock) as shop:
        shop.blocks.set("plan", "ours")
    other = Tacit(
        connect(path), scope=Scope(path="project:bank"), clock=clock, counter=WordCounter()
    )
    with other:
        assert other.blocks.find("plan") is None
        other.blocks.set("plan", "theirs")
    with opened(path, clock) as shop:
        assert shop.blocks.get("plan").text == "ours"


def test_the_shorter_forms_follow_the_text(tacit):
    tacit.blocks.set("plan", "First we paint.")

    levels = tacit.blocks.rethink("plan", "Then we dry.").memory.levels

    assert (levels.hint, levels.title) == ("Then we dry.", "plan")


EDITS = st.one_of(
    st.tuples(st.just("set"), st.text("ab \n", max_size=60)),
    st.tuples(st.just("rethink"), st.text("ab \n", max_size=60)),
    st.tuples(st.just("insert"), st.text("abc", max_size=30), st.integers(-1, 4)),
    st.tuples(st.just("replace"), st.text("ab", max_size=3), st.text("xyz", max_size=20)),
)


@settings(max_examples=60)
@given(edits=st.lists(EDITS, max_size=12), limit=st.integers(1, 60))
def test_any_edits_stay_within_the_limit_and_leave_a_whole_history(tmp_path_factory, edits, limit):
    path = str(tmp_path_factory.mktemp("blocks") / "shop.db")
    with opened(path) as tacit:
        tacit.blocks.set("plan", "a", limit=limit)
        texts = ["a"]
        for name, *rest in edits:
            before = tacit.blocks.get("plan")
            words = {"line": rest.pop()} if name == "insert" else {}
            try:
                held = getattr(tacit.blocks, name)("plan", *rest, **words)
            except TacitError:
                assert tacit.blocks.get("plan") == before
                continue
            assert held == tacit.blocks.get("plan")
            if held.text != texts[-1]:
                texts.append(held.text)
        held = tacit.blocks.get("plan")
        history = [r.memory.text for r in tacit.why(held.memory.id).history]

        assert len(held.text) <= limit
        assert (history or texts[:1]) == texts
        assert held.memory.rev == len(texts)
        assert held.memory.state is State.ACTIVE
